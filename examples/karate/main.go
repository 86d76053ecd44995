// Command karate trains a graph convolutional network (Kipf and Welling, ICLR 2017)
// on Zachary's karate club, which is embedded: no file is needed. Of the 34 members,
// one of each of the four communities is labelled, and nothing is known but who knows
// whom. The training loop, which other examples share, is written out here: two
// layers, 16 hidden features, 100 epochs of Adam with learning rate 0.01.
package main

import (
	"context"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func main() {
	app.Example{
		Model: "karate", Datasets: []string{"karate"}, Dataset: "karate", Epochs: 100,
		Once: func(ctx context.Context, t *app.Trial) ([]float64, error) {
			d := data.Karate()
			x := autograd.Input(d.Features).ToDevice(t.Device) // the identity: each member is only itself
			model := gnn.NewGCN(d.Features.Cols(), 16, d.NumClasses, 0, nn.NewRNG(t.Seed))
			nn.To(model, t.Device)
			opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.01})
			for range t.Epochs {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				start := time.Now()
				opt.ZeroGrad()
				nn.CrossEntropy(model.Forward(d.Graph, x), d.Labels, d.Train).Backward()
				opt.Step()
				t.Timed(start)
			}
			nn.Eval(model)
			logits := model.Forward(d.Graph, autograd.NoGrad(x))
			t.Describe("member  community  predicted")
			for v, community := range tensor.Data[int64](tensor.Argmax(logits.Tensor(), 1).ToDevice(tensor.CPU)) {
				t.Describe("%6d  %9d  %9d", v+1, d.Labels[v], community)
			}
			return []float64{nn.Accuracy(logits, d.Labels, d.Test)}, nil
		},
	}.Main()
}
