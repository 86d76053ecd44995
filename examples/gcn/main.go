// Command gcn trains the graph convolutional network of Kipf and Welling (ICLR
// 2017) with the settings of the paper: two layers, 16 hidden features, dropout
// 0.5, Adam with learning rate 0.01, weight decay on the first layer.
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
	app.Main("gcn", 200, func(d *data.Dataset, r *nn.RNG) app.Run {
		model := gnn.NewGCN(d.Features.Cols(), 16, d.NumClasses, 0.5, r)
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model.Conv1), WeightDecay: 5e-4},
				{Params: nn.Parameters(model.Conv2)},
			}, optim.AdamConfig{LR: 0.01}),
			Forward: func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
		}
	})
}
