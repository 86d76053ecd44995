// Command rgcn_link predicts links of knowledge graphs with an R-GCN encoder and a
// DistMult decoder (Schlichtkrull et al., ESWC 2018). To 100 learned features of each
// entity a layer with block-diagonal weights adds what its neighbours say:
//
//	h_v = x_v + LayerNorm(Σ_r Σ_{u in N_r(v)} x_u W_r / c_vr)
//
// Relations run both ways; the head of a triple is asked for as the tail of the inverse
// one. In training a vertex sees 10 of its edges, drawn for every step: the paper's
// edge dropout. Edges between the ends of a triple of the batch are hidden.
//
// The paper compares a triple with one false one; here the tail has to be told from
// all vertices of its batch, ends of other triples and as many drawn at random, so that
// a few epochs are enough. The best of them by 1000 validation triples is tested.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func main() {
	app.Example{
		Model: "rgcn-distmult", Datasets: data.NamesOf(data.TripleTask), Dataset: "fb15k-237", Epochs: 4, MinEpochs: 1,
		Measure: "filtered MRR", Once: once,
	}.Main()
}

type model struct {
	Entities *nn.Embedding
	Conv     *gnn.RGCNConv
	Norm     *nn.LayerNorm
	Drop     *nn.Dropout
	Decoder  *gnn.DistMult
}

// encode returns h of the vertices that g, a block or the whole graph, computes.
func (m *model) encode(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return m.Drop.Forward(x.Slice(0, 0, g.NumDst()).Add(m.Norm.Forward(m.Conv.Forward(g, x))))
}

func once(ctx context.Context, t *app.Trial) ([]float64, error) {
	d, err := data.LoadTriples(ctx, t.Dataset, t.Data)
	if err != nil {
		return nil, err
	}
	t.Describe("%s: %d entities, %d relations; %d train, %d val, %d test",
		d.Name, len(d.Entities), len(d.Relations), len(d.Train), len(d.Val), len(d.Test))
	g, err := d.Graph()
	if err != nil {
		return nil, err
	}
	g = data.AddInverse(g)
	loader, err := data.NewLinkLoader(g, data.LinksOf(g), data.LinkConfig{
		Loading:   data.Loading{BatchSize: min(2048, g.NumEdges()), Shuffle: true, DropLast: true, Seed: t.Seed},
		Fanout:    data.Fanout{Hops: []int{10}},
		Negatives: 1, Corrupt: data.CorruptDst, HidePositives: true,
	})
	if err != nil {
		return nil, err
	}
	const dim = 100
	r := nn.NewRNG(t.Seed)
	m := &model{
		Entities: nn.NewEmbedding(g.NumVertices(), dim, nn.EmbeddingConfig{Init: nn.Normal(0.3)}, r),
		Conv:     gnn.NewRGCNConv(dim, dim, g.NumEdgeTypes(), gnn.RGCNConfig{Blocks: 20, NoSelf: true}, r, gnn.NoBias()),
		Norm:     nn.NewLayerNorm(dim, nn.LayerNormConfig{}),
		Drop:     nn.NewDropout(0.3, r),
		Decoder:  gnn.NewDistMult(g.NumEdgeTypes(), dim, r),
	}
	nn.Constant(0.3)(m.Norm.Weight, r)
	nn.Normal(0.3)(m.Decoder.Rel, r)
	nn.To(m, t.Device)
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.02})
	asked := func(triples []data.Triple) gnn.Links {
		l := d.Links(triples)
		return gnn.Links{Src: l.Src, Rel: l.Types, Dst: l.Dst}
	}
	known := gnn.NewKnownLinks(asked(d.Train), asked(d.Val), asked(d.Test))
	rank := func(triples []data.Triple) *gnn.Ranking {
		h := m.encode(g, autograd.NoGrad(m.Entities.Weight))
		return gnn.EvaluateLinks(m.Decoder, h, asked(triples), gnn.LinkEval{Known: known, TailsOnly: true})
	}
	chance := autograd.Constant(tensor.FromSlice(loader.LogChance(), g.NumVertices())).ToDevice(t.Device)
	_, err = train.Run(ctx, train.Config{
		Model: m, Optimizer: opt, Epochs: t.Epochs, Monitor: "val_mrr", Maximize: true, Seed: t.Seed, Output: t.Stderr, PrintEvery: 1,
		Schedules: []train.Schedule{train.EachStep(optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: max(1, t.Epochs*loader.Len())}))},
		Train: func(e *train.Epoch) error {
			defer t.Timed(time.Now())
			for b := range train.Batches(e, loader.Epoch(e.Context(), e.Number)) {
				n := len(b.Links) // the true ones
				h := m.encode(b.Blocks[0], m.Entities.Forward(b.Vertices))
				scores := m.Decoder.ScoreTails(h, gnn.Links{Src: b.Src[:n], Rel: b.Types[:n]})
				if err := e.Step(nn.CrossEntropy(scores.Sub(chance.IndexSelect(b.Seeds)), b.Dst[:n], nil)); err != nil {
					return err
				}
			}
			return nil
		},
		Evaluate: func(*train.Epoch) (train.Metrics, error) {
			return train.Metrics{"val_mrr": rank(d.Val[:min(1000, len(d.Val))]).MRR()}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	test := rank(d.Test)
	fmt.Fprintln(t.Stderr, "test", test.Metrics())
	return []float64{test.MRR()}, nil
}
