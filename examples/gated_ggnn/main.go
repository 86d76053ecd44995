// Command gated_ggnn trains the gated graph neural network of Li et al. (ICLR 2016)
// to classify the molecules of MUTAG: 4 steps of messages, one matrix for each type
// of bond, into a gated recurrent unit of 32 hidden features, and the gated readout of
// the paper's equation 7. Sets without edge labels have one matrix for all edges.
//
// The paper has no settings for these sets. Here are batches of 32, dropout 0.5 before
// the classifier, and 100 epochs of Adam with learning rate 0.001. What the accuracy
// is, [app.GraphMain] says: that of the best epoch of ten-fold cross-validation.
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
	app.GraphMain("ggnn", 100, func(d *data.GraphDataset, r *nn.RNG) app.GraphRun {
		const hidden, steps = 32, 4
		in := d.Features.Cols()
		model := &struct {
			Input   *nn.Linear
			Conv    *gnn.GGNNConv
			Readout *gnn.GatedReadout
			Drop    *nn.Dropout
			Out     *nn.Linear
		}{
			Input:   nn.NewLinear(in, hidden, r),
			Conv:    gnn.NewGGNNConv(hidden, hidden, d.Graphs[0].NumEdgeTypes(), steps, r),
			Readout: gnn.NewGatedReadout(hidden+in, hidden, r),
			Drop:    nn.NewDropout(0.5, r),
			Out:     nn.NewLinear(hidden, d.NumClasses, r),
		}
		return app.GraphRun{
			Model:     model,
			Optimizer: optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.001}),
			BatchSize: 32,
			Forward: func(b *data.GraphBatch, x *autograd.Var) *autograd.Var {
				h := model.Conv.Forward(b.Graph, model.Input.Forward(x))
				out := model.Readout.Forward(b.Info, autograd.Concat(1, h, x))
				return model.Out.Forward(model.Drop.Forward(out))
			},
		}
	})
}
