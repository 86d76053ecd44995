// Command gat trains the graph attention network of Veličković et al. (ICLR
// 2018) with the settings of the paper: 8 heads of 8 features and ELU, one
// output head, dropout 0.6 on inputs and attention coefficients, Adam with
// learning rate 0.005, weight decay 5e-4.
package main

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

func main() {
	app.Main("gat", 300, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		g, _ := d.Graph.RemoveSelfLoops()
		g, _ = g.AddSelfLoops() // a vertex attends to itself, once
		model := gnn.NewGAT(d.Features.Cols(), 8, 8, d.NumClasses, 1, 0.6, r)
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model), WeightDecay: 5e-4},
			}, optim.AdamConfig{LR: 0.005}),
			Forward: func(x *autograd.Var) *autograd.Var { return model.Forward(g, x) },
		}, nil
	})
}
