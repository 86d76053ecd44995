// Command rgcn_entity trains the relational graph convolutional network of
// Schlichtkrull et al. (ESWC 2018) to classify entities of RDF graphs, with the
// settings of the paper: two layers, 16 hidden features, relations in both
// directions, 50 epochs of Adam with learning rate 0.01. AIFB has a free weight for
// each relation; MUTAG has 30 bases and L2 of 5e-4 on the first layer. As in the
// authors' code a vertex's own term is one more relation, which shares the bases, and
// there are no biases.
//
//	go run ./examples/rgcn_entity -dataset mutag-rdf
//
// The accuracy is that after the last epoch, on the public split.
package main

import (
	"context"
	"time"

	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
)

func main() {
	app.Example{
		Model: "rgcn", Datasets: data.NamesOf(data.EntityTask), Dataset: "aifb", Epochs: 50, MinEpochs: 1, Once: once,
	}.Main()
}

func once(ctx context.Context, t *app.Trial) ([]float64, error) {
	d, err := data.LoadEntities(ctx, t.Dataset, t.Data)
	if err != nil {
		return nil, err
	}
	g, _ := data.AddInverse(d.Graph).AddSelfLoops() // a relation more
	t.Describe("%s: %d entities, %d triples, %d relations, %d classes; %d train, %d test",
		d.Name, len(d.Entities), d.Graph.NumEdges(), len(d.Relations), len(d.Classes), len(d.Train), len(d.Test))

	cfg, l2 := gnn.RGCNConfig{NoSelf: true}, 0.0
	if d.Name == "mutag-rdf" {
		cfg.Bases, l2 = 30, 2*5e-4 // the gradient of 5e-4 w²
	}
	r := nn.NewRNG(t.Seed)
	model := &gnn.RGCN{
		Input: gnn.NewRGCNEmbedding(g.NumVertices(), 16, g.NumEdgeTypes(), cfg, r, gnn.NoBias()),
		Conv:  gnn.NewRGCNConv(16, len(d.Classes), g.NumEdgeTypes(), cfg, r, gnn.NoBias()),
		Drop:  nn.NewDropout(0, r),
	}
	nn.To(model, t.Device)
	opt := optim.NewAdam([]optim.Group{
		{Params: nn.Parameters(model.Input), WeightDecay: l2},
		{Params: nn.Parameters(model.Conv)},
	}, optim.AdamConfig{LR: 0.01})
	_, err = train.Run(ctx, train.Config{
		Model: model, Optimizer: opt, Epochs: t.Epochs, Seed: t.Seed, Output: t.Stderr, PrintEvery: t.Epochs + 1,
		Train: func(e *train.Epoch) error {
			defer t.Timed(time.Now())
			return e.Step(nn.CrossEntropy(model.Forward(g), d.Labels, d.Train))
		},
	})
	return []float64{nn.Accuracy(model.Forward(g), d.Labels, d.Test)}, err
}
