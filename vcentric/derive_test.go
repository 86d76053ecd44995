package vcentric_test

// Gradients of gradients.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// gradients returns those of results contracted with cotangents, which can be differentiated
// in turn, as one row.
func gradients(program *vc.Program, g *graph.Graph, ins []input, xs []*autograd.Var, c *autograd.Var, more ...vc.Binding) *autograd.Var {
	y := program.Run(g, append(bindAll(ins, xs), more...)...)
	var rows []*autograd.Var
	for _, d := range autograd.GradWith(y, c, xs, autograd.CreateGraph()) {
		if d != nil {
			rows = append(rows, d.Reshape(-1))
		}
	}
	return autograd.Concat(0, rows...)
}

// second checks that gradients under CreateGraph are those of the backward plan, and that
// their own gradients are central differences of them.
func second(t *testing.T, g *graph.Graph, l layer, more ...vc.Binding) {
	t.Helper()
	program := vc.Compile(l.name, l.vertex)
	xs := variables(g, tensor.Float64, l.ins)
	y := program.Run(g, append(bindAll(l.ins, xs), more...)...)
	c := autograd.Variable(randn(tensor.Float64, 11, y.Shape()...))
	y.BackwardWith(c.Tensor())
	var want []float64
	for _, x := range xs {
		if x.Gradient() != nil {
			want = append(want, x.Gradient().Float64s()...)
		}
	}
	near(t, l.name+": gradients under CreateGraph", gradients(program, g, l.ins, xs, c, more...).Tensor().Float64s(), want, 1e-12)
	f := func(vs ...*autograd.Var) *autograd.Var {
		return gradients(program, g, l.ins, vs[:len(xs)], vs[len(xs)], more...)
	}
	if err := autograd.Gradcheck(f, append(xs, c), autograd.GradcheckTolerance(1e-5, 1e-6)); err != nil {
		t.Error(err)
	}
}

func TestGradientsOfGradientsEqualCentralDifferences(t *testing.T) {
	for _, l := range layers {
		t.Run(l.name, func(t *testing.T) { second(t, messy(t), l) })
	}
	for _, l := range bipartiteLayers {
		t.Run("bipartite "+l.name, func(t *testing.T) { second(t, messyBipartite(t), l) })
	}
	for _, l := range zooLayers(smallDims) {
		t.Run(l.name, func(t *testing.T) { second(t, typed(t, messy(t), 0), l) })
	}
	for _, l := range dropouts {
		t.Run("dropout "+l.name, func(t *testing.T) { second(t, messy(t), l, vc.Training(3)) })
	}
}
