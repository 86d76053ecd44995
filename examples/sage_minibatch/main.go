// Command sage_minibatch trains GraphSAGE (Hamilton, Ying, Leskovec, NIPS 2017) in
// mini-batches: two layers with the mean aggregator, at most 25 neighbours of each
// vertex of a batch and 10 of each of these, as in the paper. A batch is the blocks
// of its vertices, cut out by a few goroutines while the model trains on those
// before it; the model is measured on the whole graph.
//
// The paper has no settings for citation networks. These are common there: 64 hidden
// features, dropout 0.5, Adam with learning rate 0.01, weight decay 5e-4, batches
// of 64 vertices.
package main

import (
	"context"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func main() {
	app.Main("sage", 100, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		loader, err := data.NewNeighborLoader(d.Graph, d.Train, data.NeighborConfig{
			Loading: data.Loading{BatchSize: 64, Shuffle: true, Seed: r.Seed(), Features: d.Features},
			Fanout:  data.Fanout{Hops: []int{25, 10}},
		})
		if err != nil {
			return app.Run{}, err
		}
		model := gnn.NewSAGE([]int{d.Features.Cols(), 64, d.NumClasses}, gnn.SAGEConfig{}, 0.5, r)
		opt := optim.NewAdam([]optim.Group{
			{Params: nn.Parameters(model), WeightDecay: 5e-4},
		}, optim.AdamConfig{LR: 0.01})
		return app.Run{
			Model:     model,
			Optimizer: opt,
			Epoch: func(ctx context.Context, epoch int, on *tensor.Device) (sum float64, err error) {
				for b, err := range loader.Epoch(ctx, epoch) {
					if err != nil {
						return 0, err
					}
					opt.ZeroGrad()
					logits := model.ForwardBlocks(b.Blocks, autograd.Input(b.Features).ToDevice(on))
					loss := nn.CrossEntropy(logits, b.Labels(d.Labels), nil)
					loss.Backward()
					opt.Step()
					sum += loss.Item()
				}
				return sum / float64(loader.Len()), nil
			},
			Forward: func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
		}, nil
	})
}
