package check

// What is checked of a model, over which graphs, with which parameters.

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// modelTolerance is what may be lost in float32 over all layers, relative to the largest
// magnitude of an output or a gradient.
const modelTolerance = 1e-4

// dropoutRate is that of all models here.
const dropoutRate = 0.3

// Model checks the models of an architecture that a builder makes, over directed graphs
// with duplicate edges. The error is of the architecture; what is wrong with the model is
// in the report.
func Model(name string, arch Arch, build Builder, o Options) (Report, error) {
	c := &modelCheck{arch: arch, build: build, o: o, report: Report{Name: name}}
	if _, known := architectures[arch]; !known {
		return c.report, fmt.Errorf("check: architecture %q: want GCN, GIN or GAT", arch)
	}
	for i, g := range c.graphs() {
		c.compare(g, rng.Fold(o.Seed, uint64(i)))
	}
	c.dropout()
	return c.report, nil
}

// architectures are the paper's numbers of layers, of widths made for the check.
var architectures = map[Arch]Spec{
	GCN: {Arch: GCN, Widths: []int{5, 7, 3}},
	GIN: {Arch: GIN, Widths: []int{5, 6, 7, 6, 4, 3}},
	GAT: {Arch: GAT, Widths: []int{5, 4, 3, 3}, Heads: 3, OutHeads: 2},
}

// A modelCheck is a check under way.
type modelCheck struct {
	arch   Arch
	build  Builder
	o      Options
	report Report
}

// found reports a pitfall once, with the first detail.
func (c *modelCheck) found(p Pitfall, where, format string, args ...any) {
	for i := range c.report.Findings {
		if f := &c.report.Findings[i]; f.Pitfall == p && f.Call == where {
			f.Cases++
			f.Of++
			return
		}
	}
	c.report.Findings = append(c.report.Findings, Finding{p, where, 1, 1, fmt.Sprintf(format, args...)})
}

// graphs are those to compare on. GCN and GAT get a loop at each vertex.
func (c *modelCheck) graphs() []*graph {
	var chosen []*graph
	for _, g := range graphs(rng.Fold(c.o.Seed, 1)) {
		switch {
		case g.name == "duplicate edges" || g.name == "random" && !c.o.Quick:
		case g.name == "vertices without edges" && c.arch == GIN:
		default:
			continue
		}
		if c.arch != GIN {
			src, dst := slices.Clone(g.src), slices.Clone(g.dst)
			for v := range int32(g.vertices) {
				src, dst = append(src, v), append(dst, v)
			}
			g = newGraph(g.name, g.vertices, src, dst)
		}
		chosen = append(chosen, g)
	}
	return chosen
}

// spec is the model to build over a graph.
func (c *modelCheck) spec(g *graph, seed uint64) Spec {
	s := architectures[c.arch]
	s.Dropout, s.Vertices, s.Src, s.Dst = dropoutRate, g.vertices, g.src, g.dst
	s.Features = tensor.Randn(tensor.Float32, seed, g.vertices, s.Widths[0])
	return s
}

// open builds a model; nil if that fails.
func (c *modelCheck) open(s Spec) (net Net, done func()) {
	err, _ := protected(func() (err error) {
		net, err = c.build(s)
		return err
	})
	if err != nil || net == nil {
		c.found(ModelFails, "building", "%v", err)
		return nil, func() {}
	}
	return net, func() {
		if closer, ok := net.(io.Closer); ok {
			if err, _ := protected(closer.Close); err != nil {
				c.found(ModelFails, "closing", "%v", err)
			}
		}
	}
}

// compare holds a model over a graph against the reference.
func (c *modelCheck) compare(g *graph, seed uint64) {
	s := c.spec(g, seed)
	net, done := c.open(s)
	defer done()
	if net == nil {
		return
	}
	cotangent := newMatrix(s.Vertices, s.Widths[s.Layers()])
	for i := range cotangent.v {
		cotangent.v[i] = float64(float32(rng.Normal(rng.Fold(seed, roleGradient), uint64(i))))
	}
	t := &comparison{modelCheck: c, spec: s, net: net, params: s.wellConditioned(cotangent, seed), cotangent: cotangent}
	if t.setParameters() && t.evaluation() && t.everyParameterCounts() {
		if m, ok := t.output(); ok {
			t.gradients(m)
		}
	}
}

// wellConditioned draws parameters for which no value is so near to a kink of an
// activation that rounding could take it to the other side, and no gradient is so small
// beside the others that it is mere rounding: those of a softmax of one edge are 0.
func (s Spec) wellConditioned(cotangent *matrix, seed uint64) map[string]*matrix {
	const margin, weakest, tries = 2e-5, 1e-2, 50
	var best map[string]*matrix
	highest := math.Inf(-1)
	for i := uint64(0); i < tries && highest < 1; i++ {
		params := s.draw(rng.Fold(seed, i))
		r := newReference(s, params, modelMistake{})
		r.run(cotangent)
		least, most := math.Inf(1), 0.0
		for _, g := range r.grads {
			least, most = min(least, g.largest()), max(most, g.largest())
		}
		if score := min(r.margin/margin, least/most/weakest); score > highest {
			best, highest = params, score
		}
	}
	return best
}

// forward runs the model; what fails is a finding.
func (c *modelCheck) forward(net Net, train bool, seed uint64) (out *tensor.Tensor) {
	err, _ := protected(func() (err error) {
		out, err = net.Forward(train, seed)
		if err == nil {
			out = out.ToDevice(nil).Contiguous().Clone()
		}
		return err
	})
	c.report.Cases++
	if err != nil {
		c.found(ModelFails, "forward pass", "%v", err)
		return nil
	}
	return out
}

// gradientsOf are those of the model, on the CPU; what fails is a finding.
func (c *modelCheck) gradientsOf(net Net, cotangent *matrix, train bool, seed uint64) map[string]*tensor.Tensor {
	values := make([]float32, len(cotangent.v))
	for i, x := range cotangent.v {
		values[i] = float32(x)
	}
	grads := make(map[string]*tensor.Tensor)
	err, _ := protected(func() error {
		found, err := net.Gradients(tensor.FromSlice(values, cotangent.rows, cotangent.cols), train, seed)
		for name, g := range found {
			if g != nil {
				grads[name] = g.ToDevice(nil).Contiguous()
			}
		}
		return err
	})
	c.report.Cases++
	if err != nil {
		c.found(ModelFails, "backward pass", "%v", err)
		return nil
	}
	return grads
}

// differs describes where values are not the reference's; "" if they are.
func differs(got *tensor.Tensor, want *matrix) string {
	values := got.Float64s()
	if len(values) != len(want.v) {
		return fmt.Sprintf("shape %v, want %d rows of %d", got.Shape(), want.rows, want.cols)
	}
	scale := want.largest()
	worst, most := -1, modelTolerance*scale
	for i, x := range values {
		if off := math.Abs(x - want.v[i]); !(off <= most) {
			worst, most = i, off
			if math.IsNaN(off) {
				break
			}
		}
	}
	if worst < 0 {
		return ""
	}
	return fmt.Sprintf("row %d, column %d: got %.6g, want %.6g", worst/want.cols, worst%want.cols, values[worst], want.v[worst])
}
