// Command quickstart is the README's example: a layer of one's own, trained.
package main

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// attend is what one vertex does: weigh its neighbours by how alike they are.
var attend = vc.Compile("attend", func(v vc.Vertex) vc.Value {
	u := v.InNeighbors()
	alpha := vc.Softmax(u.Feature("h").Dot(v.Feature("h")))
	return vc.Sum(alpha.Mul(u.Feature("h"))).Add(v.Feature("h"))
})

func main() {
	d := data.Karate()
	x := autograd.Input(d.Features)
	r := nn.NewRNG(1)
	model := &struct{ In, Out *nn.Linear }{nn.NewLinear(34, 16, r), nn.NewLinear(16, d.NumClasses, r)}
	forward := func() *autograd.Var {
		h := attend.Run(d.Graph, vc.VertexFeature("h", model.In.Forward(x).ReLU()))
		return model.Out.Forward(attend.Run(d.Graph, vc.VertexFeature("h", h)))
	}
	opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.01})
	for range 100 {
		opt.ZeroGrad()
		nn.CrossEntropy(forward(), d.Labels, d.Train).Backward()
		opt.Step()
	}
	fmt.Printf("test accuracy %.2f\n", nn.Accuracy(forward(), d.Labels, d.Test))
}
