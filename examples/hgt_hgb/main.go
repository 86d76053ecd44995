// Command hgt_hgb classifies vertices of the heterogeneous graph benchmark with
// Simple-HGN, the model that Lv et al. (KDD 2021) propose beside it, and their
// settings: two hidden layers of 8 heads of 64 features, edge-type embeddings of 64,
// slope 0.05, dropout 0.5, Adam with learning rate 5e-4 and weight decay 1e-4, at most
// 300 epochs, 30 of them without a better validation loss. ACM's papers have their
// words, all other vertices a learned row each.
//
//	go run ./examples/hgt_hgb -dataset hgb-dblp
//
// A seed draws the fifth of the labelled vertices that is for validation, too. Instead,
// gnn.NewHGT makes the transformer of Hu et al. (WWW 2020) for the same graph and
// features; it also takes the mini-batches of data.HeteroNeighborLoader.
package main

import (
	"context"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
)

func main() {
	app.Example{
		Model: "simple-hgn", Datasets: []string{"hgb-acm", "hgb-dblp"}, Dataset: "hgb-acm", Epochs: 300, MinEpochs: 1,
		Measure: "micro-F1", Once: once,
	}.Main()
}

func once(ctx context.Context, t *app.Trial) ([]float64, error) {
	d, err := data.LoadHetero(ctx, t.Dataset, t.Data)
	if err != nil {
		return nil, err
	}
	t.Describe("%s: %d vertices of types %q, %d edges of types %q, %d classes; %d train, %d val, %d test", d.Name,
		d.Graph.NumVertices(), d.VertexTypes, d.Graph.NumEdges(), d.EdgeTypes, d.NumClasses, len(d.Train), len(d.Val), len(d.Test))
	h, view, err := d.AddSelfLoops().Hetero()
	if err != nil {
		return nil, err
	}
	xs, widths := map[string]*autograd.Var{}, map[string]int{}
	if target := d.VertexTypes[d.Target]; d.Name == "hgb-acm" {
		xs[target], widths[target] = autograd.Input(d.Features[d.Target]).ToDevice(t.Device), d.Features[d.Target].Cols()
	}

	size := gnn.SimpleHGNSizes{Dim: 64, Heads: 8, Layers: 2, EdgeDim: 64}
	model := gnn.NewSimpleHGN(h, widths, size, d.NumClasses, 0.05, 0.5, nn.NewRNG(t.Seed))
	nn.To(model, t.Device)
	opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(model), WeightDecay: 1e-4}}, optim.AdamConfig{LR: 5e-4})
	training, validation, test := part(d, h, view, d.Train), part(d, h, view, d.Val), part(d, h, view, d.Test)
	_, err = train.Run(ctx, train.Config{
		Model: model, Optimizer: opt, Epochs: t.Epochs, Patience: 30, Monitor: "val_loss", Seed: t.Seed, Output: t.Stderr,
		Train: func(e *train.Epoch) error {
			defer t.Timed(time.Now())
			return e.Step(training.loss(model.Forward(h, xs)))
		},
		Evaluate: func(*train.Epoch) (train.Metrics, error) {
			logits := model.Forward(h, xs).Detach()
			return train.Metrics{"val_loss": validation.loss(logits).Item(), "val_micro_f1": validation.microF1(logits)}, nil
		},
	})
	return []float64{test.microF1(model.Forward(h, xs))}, err
}

// vertices are those of a part of the split, as rows of the logits.
type vertices struct{ rows, labels []int32 }

// part finds vertices of the target type by the numbers they have in the dataset.
func part(d *data.HeteroDataset, h *graph.Hetero, view *graph.Homogeneous, ids []int32) vertices {
	p := vertices{labels: make([]int32, h.Homogeneous().Graph.NumVertices())}
	for _, v := range ids {
		row := h.Homogeneous().VertexIDs[d.Target][view.LocalVertex[v]]
		p.rows = append(p.rows, row)
		p.labels[row] = d.Labels[v]
	}
	return p
}

func (p vertices) loss(logits *autograd.Var) *autograd.Var {
	return nn.CrossEntropy(logits, p.labels, p.rows)
}

// microF1 is the accuracy, where every vertex has one class.
func (p vertices) microF1(logits *autograd.Var) float64 { return nn.Accuracy(logits, p.labels, p.rows) }
