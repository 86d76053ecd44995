package gnn

// Edge convolution.

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// EdgeConv is the layer of "Dynamic Graph CNN for Learning on Point Clouds" (Wang,
// Sun, Liu, Sarma, Bronstein, Solomon, ACM TOG 2019), equations 7 and 8:
//
//	h'_v = max_u MLP([h_v ‖ h_u - h_v])
//
// for dense x [N in] and an MLP from 2in features to out, result [N out]. The MLP
// has ReLU between its layers, none after the last. Its first layer is computed once
// a vertex, not once an edge; those after it a tile of edges at a time, without an
// edge tensor. Without neighbours h'_v is 0. On a block x is [NumSrc in], the result
// [NumDst out].
type EdgeConv struct {
	Layers []*nn.Linear // of the MLP; the first takes 2in features

	in      int
	program *vc.Program
}

// NewEdgeConv returns a layer whose MLP goes through the given sizes: those of x, of
// the hidden layers if there are any, and of the result. Weights are initialised as
// those of nn.Linear.
func NewEdgeConv(sizes []int, r *nn.RNG, opts ...Option) *EdgeConv {
	if len(sizes) < 2 {
		misuse("EdgeConv", "sizes %v: want at least those of input and output", sizes)
	}
	wantPositive("EdgeConv", sizes...)
	c := configure(opts)
	l := &EdgeConv{in: sizes[0]}
	for i, out := range sizes[1:] {
		in := sizes[i]
		if i == 0 {
			in *= 2
		}
		l.Layers = append(l.Layers, c.linear(r, in, out, true))
	}
	l.program = vc.Compile("edgeconv", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		h := vc.Concat(e.Dst("x"), e.Src("x").Sub(e.Dst("x")))
		for i, layer := range l.Layers {
			if i > 0 {
				h = h.ReLU()
			}
			h = linear(h, fmt.Sprint("mlp", i), layer)
		}
		return vc.Max(h)
	})
	return l
}

// Forward applies the layer to dense x [N in] on a homogeneous graph of N vertices
// or a block. It panics with *[Error] for any other.
func (l *EdgeConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *EdgeConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

func (l *EdgeConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("EdgeConv"))
	}
	wantFeatures("EdgeConv", g, x, l.in)
	wantType("EdgeConv", "x", x, l.Layers[0].Weight)
	wantDense("EdgeConv", "x", x)
	bindings := vertexFeature(g, "x", x)
	for i, layer := range l.Layers {
		bindings = append(bindings, linearParams("EdgeConv", fmt.Sprint("mlp", i), layer)...)
	}
	return bindings
}
