package saga_test

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn/saga"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func ExampleCompile() {
	layer := saga.Compile("max of neighbours", saga.Layer{
		ApplyEdge:   func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("x") },
		Accumulator: saga.Max,
		ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return acc.Add(v.Feature("x")) },
	})
	g, err := graph.New(3, []int32{0, 1}, []int32{2, 2})
	if err != nil {
		panic(err)
	}
	x := autograd.Constant(tensor.FromSlice([]float32{1, 2, 3}, 3, 1))
	fmt.Println(layer.Run(g, vc.VertexFeature("x", x)).Tensor().Float64s())
	// Output: [1 2 5]
}
