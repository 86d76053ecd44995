package gnn_test

// Mini-batches of vertices of one type, as PyTorch Geometric's to_hetero_mag.py.

import (
	"context"
	"fmt"
	"log"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

// heteroClassifier has two layers of GraphSAGE with weights of their own for each relation. Of
// authors nothing is known but what they write.
type heteroClassifier struct {
	Authors *nn.Embedding
	Papers  *nn.Linear
	Convs   []*gnn.HeteroConv
}

// Forward returns the logits of a batch's seeds of each type.
func (m *heteroClassifier) Forward(b *data.HeteroBatch) map[string]*autograd.Var {
	xs := map[string]*autograd.Var{
		"author": m.Authors.Forward(b.Vertices["author"]),
		"paper":  m.Papers.Forward(autograd.Input(b.Features["paper"])),
	}
	for i, conv := range m.Convs {
		if i > 0 {
			for name, x := range xs {
				xs[name] = x.ReLU()
			}
		}
		xs = conv.ForwardOn(b.Blocks[i], xs, nil)
	}
	return xs
}

// Authors write papers of their own field, mostly. The fields of a tenth of the authors are
// known.
func ExampleHeteroConv_classifier() {
	const authors, papers, dim, classes = 300, 300, 32, 5
	sbm, err := data.SBM(data.SBMConfig{Sizes: []int{120, 120, 120, 120, 120}, PIn: 0.1, POut: 0.01, Features: 16, Noise: 2, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	var src, dst, known, labels []int32 // even vertices become authors, odd ones papers
	for e, u := range sbm.Graph.Src() {
		if v := sbm.Graph.Dst()[e]; u%2 == 0 && v%2 == 1 {
			src, dst = append(src, u/2), append(dst, v/2)
		}
	}
	for v := int32(0); v < 2*papers; v += 2 {
		labels, known = append(labels, sbm.Labels[v]), append(known, v+1)
	}
	writes := graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}
	writtenBy := graph.EdgeType{Src: "paper", Name: "written by", Dst: "author"}
	h, err := new(graph.HeteroBuilder).Vertices("author", authors).Vertices("paper", papers).
		Edges(writes, src, dst).Edges(writtenBy, dst, src).Build()
	if err != nil {
		log.Fatal(err)
	}

	train, _, test := data.RandomSplit(labels, classes, authors/classes/10, 0, 1)
	features := map[string]data.Features{"paper": sbm.Features.Rows(known)}
	loader := func(seeds []int32, hops ...int) *data.HeteroNeighborLoader {
		l, err := data.NewHeteroNeighborLoader(h, "author", seeds, data.HeteroNeighborConfig{
			Loading:      data.Loading{BatchSize: 15, Shuffle: true, Seed: 1},
			HeteroFanout: data.HeteroFanout{Hops: hops}, Features: features,
		})
		if err != nil {
			log.Fatal(err)
		}
		return l
	}
	r := nn.NewRNG(1)
	model := &heteroClassifier{
		Authors: nn.NewEmbedding(authors, dim, nn.EmbeddingConfig{Init: nn.Normal(0.1)}, r),
		Papers:  nn.NewLinear(features["paper"].Cols(), dim, r),
	}
	for _, out := range []int{dim, classes} {
		model.Convs = append(model.Convs, gnn.NewHeteroConv(h, gnn.EachRelation(h, func(graph.EdgeType) gnn.PairConv {
			return gnn.NewSAGEConv(dim, out, gnn.SAGEConfig{}, r, gnn.DstFeatures(dim))
		}), gnn.HeteroConfig{}))
	}
	opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.01})
	sampled := loader(train, 8, 8)
	for epoch := range 30 {
		for b, err := range sampled.Epoch(context.Background(), epoch) {
			if err != nil {
				log.Fatal(err)
			}
			opt.ZeroGrad()
			nn.CrossEntropy(model.Forward(b)["author"], b.Labels("author", labels), nil).Backward()
			opt.Step()
		}
	}

	right := 0.0
	for b, err := range loader(test, -1, -1).Epoch(context.Background(), 0) { // all neighbours
		if err != nil {
			log.Fatal(err)
		}
		right += nn.Accuracy(model.Forward(b)["author"].Detach(), b.Labels("author", labels), nil) * float64(len(b.Seeds["author"]))
	}
	accuracy := right / float64(len(test))
	fmt.Printf("%d authors to learn from, %d others: accuracy over three times chance: %t\n", len(train), len(test), accuracy > 3./classes)
	// Output: 30 authors to learn from, 270 others: accuracy over three times chance: true
}
