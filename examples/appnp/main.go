// Command appnp trains "Predict then Propagate: Graph Neural Networks meet
// Personalized PageRank" (Gasteiger, Bojchevski, Günnemann, ICLR 2019) with the
// settings of the paper: 64 hidden features, K = 10 steps with α = 0.1 (0.2 for the
// coauthor sets), dropout 0.5 of features and of the propagation's entries, Adam
// with learning rate 0.01, weight decay 5e-3 on the first layer. The paper trains
// for at most 10000 epochs and stops 100 after the best.
package main

import (
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

func main() {
	app.Main("appnp", 500, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		propagation := gnn.APPNPConfig{Steps: 10, Alpha: 0.1, Dropout: 0.5}
		if strings.HasPrefix(d.Name, "coauthor") {
			propagation.Alpha = 0.2
		}
		model := gnn.NewAPPNPNet(d.Features.Cols(), 64, d.NumClasses, propagation, 0.5, r)
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model.Hidden), WeightDecay: 5e-3},
				{Params: nn.Parameters(model.Out)},
			}, optim.AdamConfig{LR: 0.01}),
			Forward: func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
		}, nil
	})
}
