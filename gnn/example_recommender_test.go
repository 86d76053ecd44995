package gnn_test

// A recommender, as PyTorch Geometric's hetero_link_pred.py.

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
	"github.com/asterias-ml/asterias/tensor"
)

// recommender gives users and movies vectors whose products are scores: two layers of
// GraphSAGE with weights of their own for each relation. Of users nothing is known but what
// they rate.
type recommender struct {
	Users  *nn.Embedding
	Movies *nn.Linear
	Convs  []*gnn.HeteroConv
}

func newRecommender(h *graph.Hetero, features, dim int, r *nn.RNG) *recommender {
	m := &recommender{
		Users:  nn.NewEmbedding(h.NumVertices("user"), dim, nn.EmbeddingConfig{Init: nn.Normal(0.1)}, r),
		Movies: nn.NewLinear(features, dim, r),
	}
	for range 2 {
		m.Convs = append(m.Convs, gnn.NewHeteroConv(h, gnn.EachRelation(h, func(graph.EdgeType) gnn.PairConv {
			return gnn.NewSAGEConv(dim, dim, gnn.SAGEConfig{}, r, gnn.DstFeatures(dim))
		}), gnn.HeteroConfig{}))
	}
	return m
}

// encode computes the vertices that the last of the layers does; conv runs layer i on the
// whole graph or on a block.
func (m *recommender) encode(users, movies *autograd.Var, conv func(i int, xs map[string]*autograd.Var) map[string]*autograd.Var) (u, v *autograd.Var) {
	xs := map[string]*autograd.Var{"user": users, "movie": m.Movies.Forward(movies)}
	for i := range m.Convs {
		if i > 0 {
			for name, x := range xs {
				xs[name] = x.ReLU()
			}
		}
		xs = conv(i, xs)
	}
	return xs["user"], xs["movie"]
}

// Users rate movies of their own kind, mostly. A tenth of the ratings is hidden; each is
// then ranked among all movies that its user has not rated.
func ExampleHeteroConv_recommender() {
	const users, movies, dim = 300, 300, 32
	sbm, err := data.SBM(data.SBMConfig{Sizes: []int{120, 120, 120, 120, 120}, PIn: 0.3, POut: 0.01, Features: 16, Noise: 1, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	var src, dst, known []int32 // even vertices become users, odd ones movies
	for e, u := range sbm.Graph.Src() {
		if v := sbm.Graph.Dst()[e]; u%2 == 0 && v%2 == 1 {
			src, dst = append(src, u/2), append(dst, v/2)
		}
	}
	for v := int32(1); v < 2*movies; v += 2 {
		known = append(known, v)
	}
	features := sbm.Features.Rows(known)
	rates := graph.EdgeType{Src: "user", Name: "rates", Dst: "movie"}
	ratedBy := graph.EdgeType{Src: "movie", Name: "rated by", Dst: "user"}
	h, err := new(graph.HeteroBuilder).Vertices("user", users).Vertices("movie", movies).
		Edges(rates, src, dst).Edges(ratedBy, dst, src).Build()
	if err != nil {
		log.Fatal(err)
	}

	split, err := data.RandomHeteroLinkSplit(h, rates, ratedBy, data.LinkSplitConfig{Val: 0.05, Test: 0.1, Negatives: 1, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	loader, err := data.NewHeteroLinkLoader(split.Train.Graph, rates, split.Train.Links, data.HeteroLinkConfig{
		Loading:      data.Loading{BatchSize: 256, Shuffle: true, Seed: 1},
		HeteroFanout: data.HeteroFanout{Hops: []int{10, 5}},
		Features:     map[string]data.Features{"movie": features},
		Negatives:    2, Corrupt: data.CorruptDst, Avoid: split.Train.Graph.Relation(rates), HidePositives: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	model := newRecommender(h, features.Cols(), dim, nn.NewRNG(1))
	opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.01})
	for epoch := range 8 {
		for b, err := range loader.Epoch(context.Background(), epoch) {
			if err != nil {
				log.Fatal(err)
			}
			opt.ZeroGrad()
			u, v := model.encode(model.Users.Forward(b.Vertices["user"]), autograd.Input(b.Features["movie"]),
				func(i int, xs map[string]*autograd.Var) map[string]*autograd.Var {
					return model.Convs[i].ForwardOn(b.Blocks[i], xs, nil)
				})
			scores := u.IndexSelect(b.Src).VecDot(v.IndexSelect(b.Dst))
			nn.BCEWithLogits(scores, autograd.Constant(tensor.FromSlice(b.Labels, len(b.Labels)))).Backward()
			opt.Step()
		}
	}

	test := split.Test
	u, v := model.encode(autograd.NoGrad(model.Users.Weight), autograd.Input(features),
		func(i int, xs map[string]*autograd.Var) map[string]*autograd.Var {
			return model.Convs[i].Forward(test.Graph, xs, nil)
		})
	scores := u.IndexSelect(test.Links.Src).VecDot(v.IndexSelect(test.Links.Dst))
	auc := nn.ROCAUC(scores, autograd.Constant(tensor.FromSlice(test.Labels, len(test.Labels))))

	n := len(test.Labels) / 2 // the true ones
	asked, answers := test.Links.Src[:n], test.Links.Dst[:n]
	rated := gnn.NewKnownLinks(gnn.Links{Src: src, Dst: dst})
	of := func(query int) []int32 { return rated.Tails(asked[query], 0) }
	mrr := func(scores *autograd.Var) float64 {
		r := gnn.NewRanking()
		r.Add(gnn.Ranks(scores, answers, of)...)
		return r.MRR()
	}
	learned := mrr(u.IndexSelect(asked).MatMul(v.Transpose()))
	chance := mrr(autograd.Constant(tensor.Randn(tensor.Float32, 2, n, movies)))
	fmt.Printf("AUC above 0.8: %t; MRR over three times that of chance: %t\n", auc > 0.8, learned > 3*chance)
	// Output: AUC above 0.8: true; MRR over three times that of chance: true
}
