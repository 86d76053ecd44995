// Command gcn trains the graph convolutional network of Kipf and Welling (ICLR
// 2017), two layers. On the citation networks it has the settings of the paper: 16
// hidden features, dropout 0.5, weight decay 5e-4 on the first layer. On sets without
// a public split, such as coauthor-cs and amazon-photo, it has those of "Pitfalls of
// Graph Neural Network Evaluation" (Shchur et al. 2018): 64 hidden features, dropout
// 0.8, weight decay 1e-3, an end after 50 epochs without a lower validation loss (it
// takes 500 epochs at most). Adam has the learning rate 0.01 in both.
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
	app.Main("gcn", 200, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		hidden, dropout, decay, patience := 16, 0.5, 5e-4, 0
		if !app.HasPublicSplit(d.Name) {
			hidden, dropout, decay, patience = 64, 0.8, 1e-3, 50
		}
		model := gnn.NewGCN(d.Features.Cols(), hidden, d.NumClasses, dropout, r)
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model.Conv1), WeightDecay: decay},
				{Params: nn.Parameters(model.Conv2)},
			}, optim.AdamConfig{LR: 0.01}),
			Patience: patience,
			Forward:  func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
		}, nil
	})
}
