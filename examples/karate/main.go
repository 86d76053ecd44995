// Command karate trains on Zachary's karate club, which is embedded: no file is
// needed. It is the experiment of Kipf and Welling (ICLR 2017), appendix A.1: three
// layers of graph convolution with 4, 4 and 2 hidden features and tanh, a linear
// classifier, identity features, one labelled member of each of the four
// communities, 300 epochs of Adam with learning rate 0.01.
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
	app.Main("karate", 300, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		model := &struct {
			Convs []*gnn.GCNConv
			Out   *nn.Linear
		}{Out: nn.NewLinear(2, d.NumClasses, r)}
		in := d.Features.Cols()
		for _, out := range []int{4, 4, 2} {
			model.Convs = append(model.Convs, gnn.NewGCNConv(in, out, r, gnn.NoBias()))
			in = out
		}
		return app.Run{
			Model:     model,
			Optimizer: optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.01}),
			Forward: func(h *autograd.Var) *autograd.Var {
				for _, conv := range model.Convs {
					h = conv.Forward(d.Graph, h).Tanh()
				}
				return model.Out.Forward(h)
			},
		}, nil
	})
}
