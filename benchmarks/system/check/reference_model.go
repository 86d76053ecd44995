package check

// The models in float64: layers, and what is between them.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/internal/rng"
)

// A modelMistake is what a model does otherwise. The zero mistake is none.
type modelMistake struct {
	s    coefficient // of GCN and GIN, nil: the right one
	once bool        // duplicate edges count once
	flip bool        // edges are the other way around

	back     coefficient // of their backward pass, nil: the one of the forward pass
	backFlip bool        // the backward pass is not transposed
}

// A reference is a model without dropout.
type reference struct {
	spec   Spec
	graph  *graph
	params map[string]*matrix

	forward, back *matrix // what layers of GCN and GIN multiply by
	grads         map[string]*matrix
	margin        float64 // how far the values nearest to a kink are from it
}

// A parameter is a name and a shape.
type parameter struct {
	name       string
	rows, cols int
}

// isBias tells by the name.
func (p parameter) isBias() bool {
	_, kind, _ := strings.Cut(p.name, ".")
	return slices.Contains([]string{"bias", "b1", "b2"}, kind)
}

// heads returns those of a layer.
func (s Spec) heads(layer int) int {
	switch {
	case s.Arch != GAT:
		return 1
	case layer == s.Layers()-1:
		return s.OutHeads
	}
	return s.Heads
}

// parameters are those that a model of the spec has.
func (s Spec) parameters() []parameter {
	var list []parameter
	in := s.Widths[0]
	for l := range s.Layers() {
		out, heads := s.Widths[l+1], s.heads(l)
		add := func(name string, rows, cols int) {
			list = append(list, parameter{fmt.Sprintf("%d.%s", l, name), rows, cols})
		}
		width := out
		switch s.Arch {
		case GCN:
			add("weight", in, out)
			add("bias", 1, out)
		case GIN:
			add("eps", 1, 1)
			add("w1", in, out)
			add("b1", 1, out)
			add("w2", out, out)
			add("b2", 1, out)
		case GAT:
			if l < s.Layers()-1 {
				width = heads * out
			}
			add("weight", in, heads*out)
			add("al", heads, out)
			add("ar", heads, out)
			add("bias", 1, width)
		}
		in = width
	}
	return list
}

// draw returns values for all parameters, about as large as those a training starts
// from; biases are not 0.
func (s Spec) draw(seed uint64) map[string]*matrix {
	params := make(map[string]*matrix)
	for i, p := range s.parameters() {
		m := newMatrix(p.rows, p.cols)
		scale := 1 / math.Sqrt(float64(max(p.rows, 2)))
		for j := range m.v {
			m.v[j] = float64(float32(scale * rng.Normal(rng.Fold(seed, uint64(i)), uint64(j))))
		}
		params[p.name] = m
	}
	return params
}

func newReference(s Spec, params map[string]*matrix, m modelMistake) *reference {
	r := &reference{spec: s, params: params, margin: math.Inf(1)}
	r.graph = newGraph("", s.Vertices, s.Src, s.Dst)
	if m.once {
		r.graph, _ = r.graph.once(false)
	}
	if m.flip {
		r.graph = newGraph("", s.Vertices, r.graph.dst, r.graph.src)
	}
	norm, c := system.NormBoth, coefficient(coefficientOf)
	if s.Arch == GIN {
		norm = system.NormNone
	}
	if m.s != nil {
		c = m.s
	}
	r.forward = r.graph.matrix(norm, c)
	r.back = r.forward.transposed()
	if m.back != nil {
		r.back = r.graph.matrix(norm, m.back).transposed()
	}
	if m.backFlip {
		r.back = r.back.transposed()
	}
	return r
}

// matrix is S: what arrives at v from u, in row v.
func (g *graph) matrix(n system.Norm, c coefficient) *matrix {
	s := newMatrix(g.vertices, g.vertices)
	for e := range g.src {
		u, v := int(g.src[e]), int(g.dst[e])
		*s.at(v, u) += c(g, n, u, v)
	}
	return s
}

// A pull takes the gradient of a result to that of what it was made of.
type pull func(g *matrix) *matrix

// run computes the output, and the gradients of <cotangent, output> if there is a
// cotangent.
func (r *reference) run(cotangent *matrix) *matrix {
	x := features(r.spec)
	r.grads = make(map[string]*matrix)
	var pulls []pull
	for l := range r.spec.Layers() {
		var back pull
		switch r.spec.Arch {
		case GCN:
			x, back = r.gcn(l, x)
		case GIN:
			x, back = r.gin(l, x)
		case GAT:
			x, back = r.gat(l, x)
		}
		pulls = append(pulls, back)
		if l == r.spec.Layers()-1 {
			break
		}
		if r.spec.Arch == GAT {
			x, back = elu(x)
		} else {
			x, back = r.relu(x)
		}
		pulls = append(pulls, back)
	}
	if cotangent != nil {
		g := cotangent
		for _, back := range slices.Backward(pulls) {
			g = back(g)
		}
	}
	return x
}

func features(s Spec) *matrix {
	return &matrix{s.Vertices, s.Widths[0], s.Features.Float64s()}
}

// param is that of a layer.
func (r *reference) param(layer int, name string) *matrix {
	return r.params[fmt.Sprintf("%d.%s", layer, name)]
}

// gradient keeps that of a layer's parameter.
func (r *reference) gradient(layer int, name string, g *matrix) {
	r.grads[fmt.Sprintf("%d.%s", layer, name)] = g
}

// bias is x + b.
func (r *reference) bias(layer int, name string, x *matrix) (*matrix, pull) {
	return x.plusRow(r.param(layer, name)), func(g *matrix) *matrix {
		r.gradient(layer, name, g.columnSums())
		return g
	}
}

// linear is x W.
func (r *reference) linear(layer int, name string, x *matrix) (*matrix, pull) {
	w := r.param(layer, name)
	return x.times(w), func(g *matrix) *matrix {
		r.gradient(layer, name, x.transposed().times(g))
		return g.times(w.transposed())
	}
}

// relu is max(x, 0).
func (r *reference) relu(x *matrix) (*matrix, pull) {
	y := newMatrix(x.rows, x.cols)
	for i, v := range x.v {
		y.v[i] = max(v, 0)
		r.margin = min(r.margin, math.Abs(v))
	}
	return y, func(g *matrix) *matrix {
		d := newMatrix(x.rows, x.cols)
		for i, v := range x.v {
			if v > 0 {
				d.v[i] = g.v[i]
			}
		}
		return d
	}
}

// elu is x where it is positive and exp(x) - 1 elsewhere (Clevert et al. 2016).
func elu(x *matrix) (*matrix, pull) {
	y := newMatrix(x.rows, x.cols)
	for i, v := range x.v {
		y.v[i] = v
		if v < 0 {
			y.v[i] = math.Expm1(v)
		}
	}
	return y, func(g *matrix) *matrix {
		d := newMatrix(x.rows, x.cols)
		for i, v := range x.v {
			d.v[i] = g.v[i] * math.Exp(min(v, 0))
		}
		return d
	}
}
