// Command gcn trains the graph convolutional network of Kipf and Welling (ICLR
// 2017), two layers. On the citation networks it has the settings of the paper: 16
// hidden features, dropout 0.5, weight decay 5e-4 on the first layer. On sets without
// a public split, such as coauthor-cs and amazon-photo, it has those of "Pitfalls of
// Graph Neural Network Evaluation" (Shchur et al. 2018): 64 hidden features, biases,
// dropout 0.8, weight decay 1e-3, an end after 50 epochs without a lower validation
// loss. Adam has the learning rate 0.01 in both.
//
//	go run ./examples/gcn -dataset amazon-photo -seeds 10 -epochs 1000
//	go run ./examples/gcn -dataset coauthor-cs -seeds 10 -epochs 300
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
		in, hidden, decay, patience := d.Features.Cols(), 16, 5e-4, 0
		model := gnn.NewGCN(in, hidden, d.NumClasses, 0.5, r)
		if !app.HasPublicSplit(d.Name) {
			hidden, decay, patience = 64, 1e-3, 50
			model = gnn.NewGCN(in, hidden, d.NumClasses, 0.8, r)
			model.Conv1 = gnn.NewGCNConv(in, hidden, r)
			model.Conv2 = gnn.NewGCNConv(hidden, d.NumClasses, r)
		}
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model.Conv1), WeightDecay: decay},
				{Params: nn.Parameters(model.Conv2)},
			}, optim.AdamConfig{LR: 0.01}),
			Forward:  func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
			Patience: patience,
		}, nil
	})
}
