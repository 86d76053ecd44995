package message_test

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn/message"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func ExampleCompile() {
	layer := message.Compile("mean", message.Layer{
		Message: func(e message.Edges) message.Fields {
			return message.Fields{"m": e.Src("x").Mul(e.Data("w"))}
		},
		Reduce: func(n message.Nodes) message.Fields {
			return message.Fields{"mean": vc.Mean(n.Mailbox("m"))}
		},
		Update: func(n message.Nodes) vc.Value { return n.Data("mean").Add(n.Data("x")) },
	})
	g, err := graph.New(3, []int32{0, 1}, []int32{2, 2})
	if err != nil {
		panic(err)
	}
	x := autograd.Constant(tensor.FromSlice([]float32{1, 2, 3}, 3, 1))
	w := autograd.Constant(tensor.FromSlice([]float32{10, 20}, 2, 1))
	fmt.Println(layer.Run(g, vc.VertexFeature("x", x), vc.EdgeFeature("w", w)).Tensor().Float64s())
	// Output: [1 2 28]
}
