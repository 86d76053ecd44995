package gorgonianode_test

import (
	"fmt"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/autograd/gorgonianode"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// A vertex-centric layer between a Gorgonia input and a Gorgonia cost.
func ExampleApply() {
	total := vc.Compile("total", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	edges, err := graph.New(3, []int32{0, 1, 2}, []int32{2, 2, 0})
	if err != nil {
		panic(err)
	}

	g := gorgonia.NewGraph()
	h := gorgonia.NewMatrix(g, gt.Float64, gorgonia.WithName("h"), gorgonia.WithShape(3, 2),
		gorgonia.WithValue(gt.New(gt.WithShape(3, 2), gt.WithBacking([]float64{1, 2, 3, 4, 5, 6}))))
	sums, err := gorgonianode.Apply("total", func(xs ...*autograd.Var) *autograd.Var {
		return total.Run(edges, vc.VertexFeature("h", xs[0]))
	}, gorgonia.Nodes{h})
	if err != nil {
		panic(err)
	}
	cost := gorgonia.Must(gorgonia.Sum(gorgonia.Must(gorgonia.Square(sums))))
	if _, err := gorgonia.Grad(cost, h); err != nil {
		panic(err)
	}
	m := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(h))
	defer m.Close()
	if err := m.RunAll(); err != nil {
		panic(err)
	}
	gradient, err := h.Grad()
	if err != nil {
		panic(err)
	}
	fmt.Println(cost.Value())
	fmt.Println(gradient.Data())
	// Output:
	// 113
	// [8 12 8 12 10 12]
}
