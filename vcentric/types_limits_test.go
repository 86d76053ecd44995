package vcentric_test

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// A dropout of an edge type's value is a value for each edge in training; the program has the
// same result without.
func TestTheValueOfAnEdgesTypeIsAResultForEachEdge(t *testing.T) {
	g, err := graph.New(3, []int32{0, 1, 2, 0}, []int32{1, 2, 0, 2}, graph.WithEdgeTypes([]int32{1, 0, 1, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	w := autograd.Variable(tensor.FromSlice([]float32{3, 5}, 2))
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"itself":  func(v vc.Vertex) vc.Value { return v.InEdges().Type("w") },
		"dropped": func(v vc.Vertex) vc.Value { return v.InEdges().Type("w").Dropout(0) },
	} {
		p := vc.Compile(name, f)
		for _, more := range [][]vc.Binding{nil, {vc.Training(1)}} {
			y := p.Run(g, append(more, vc.EdgeTypeFeature("w", w))...)
			got := tensor.Data[float32](y.Tensor())
			for e, want := range []float32{5, 3, 5, 5} {
				if len(got) != 4 || got[e] != want {
					t.Fatalf("%s: %v", name, got)
				}
			}
			w.ZeroGrad()
			y.Sum().Backward()
			if d := tensor.Data[float32](w.Gradient()); d[0] != 1 || d[1] != 3 {
				t.Errorf("%s: gradient %v", name, d)
			}
		}
	}
}

// Knowledge graphs have millions of vertices and a thousand relations.
func TestOnlyProgramsWithAValueForEachVertexAndEdgeTypeCountThem(t *testing.T) {
	const n, types = 2_200_000, 1000
	g, err := graph.New(n, []int32{0, 7}, []int32{1, n - 1}, graph.WithEdgeTypes([]int32{types - 1, 3}, types))
	if err != nil {
		t.Fatal(err)
	}
	x := tensor.Zeros(tensor.Float32, n)
	tensor.Data[float32](x)[0], tensor.Data[float32](x)[7] = 2, 3
	h := vc.VertexFeature("h", autograd.Constant(x))
	sum := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) }).Run(g, h)
	if got := tensor.Data[float32](sum.Tensor()); got[1] != 2 || got[n-1] != 3 || got[0] != 0 {
		t.Errorf("sums %v, %v, %v", got[0], got[1], got[n-1])
	}
	wantMisuse[*ir.Error](t, "sums by type", func() {
		vc.Compile("by type", func(v vc.Vertex) vc.Value { return vc.ByType(vc.BySum, vc.ByMax, v.InEdges().Src("h")) }).Run(g, h)
	}, "2200000 vertices", "1000 edge types")
}
