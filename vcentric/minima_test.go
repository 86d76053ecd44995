package vcentric_test

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Zero over no edges has no sign.
func TestMaximaAndMinimaOverNoEdgesArePositiveZero(t *testing.T) {
	g, err := graph.New(3, nil, nil, graph.WithEdgeTypes(nil, 2))
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(x vc.Value) vc.Value{
		"max": vc.Max, "min": vc.Min,
		"min of minima": func(x vc.Value) vc.Value { return vc.ByType(vc.ByMin, vc.ByMin, x) },
		"sum of minima": func(x vc.Value) vc.Value { return vc.ByType(vc.ByMin, vc.BySum, x) },
		"max of minima": func(x vc.Value) vc.Value { return vc.ByType(vc.ByMin, vc.ByMax, x) },
		"min of sums":   func(x vc.Value) vc.Value { return vc.ByType(vc.BySum, vc.ByMin, x) },
	} {
		p := vc.Compile(name, func(v vc.Vertex) vc.Value { return f(v.InNeighbors().Feature("x")) })
		xs := []*autograd.Var{autograd.Constant(tensor.Full(tensor.Float64, 1, 3, 5))}
		ins := []input{vertex("x", 5)}
		bindings := bindAll(ins, xs)
		zeros := make([]float64, 15)
		if got := p.Run(g, bindings...).Tensor().Float64s(); !numtest.SameBits(got, zeros) {
			t.Errorf("%s is %v", name, got)
		}
		if got := interpret(t, p.Compiled(g, bindings...).Traced, g, ins, xs)["out"]; !numtest.SameBits(got, zeros) {
			t.Errorf("%s is %v as interpreted", name, got)
		}
	}
}
