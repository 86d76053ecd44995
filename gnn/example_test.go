package gnn_test

// Examples of the package documentation.

import (
	"bytes"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// An edge of weight 3 joins a vertex of degree 1 to one of degree 1 + 3: its own loop and
// the edge.
func ExampleGCNConv_ForwardWeighted() {
	g, err := graph.New(2, []int32{0}, []int32{1})
	if err != nil {
		log.Fatal(err)
	}
	conv := gnn.NewGCNConv(1, 1, nn.NewRNG(1), gnn.NoBias())
	conv.Weight.SetTensor(tensor.Ones(tensor.Float32, 1, 1))
	x := autograd.Constant(tensor.FromSlice([]float32{2, 4}, 2, 1))
	w := autograd.Variable(tensor.FromSlice([]float32{3}, 1)) // or nil, for 1 each

	y := conv.ForwardWeighted(g, x, w)
	y.Sum().Backward()
	fmt.Printf("%.2f\n", y.Tensor().Float64s()) // 3 (1·4)^(-1/2) 2 + 4/4 = 4
	fmt.Printf("%.1f\n", w.Gradient().Float64s())
	// Output:
	// [2.00 4.00]
	// [0.4]
}

// Papers get what their authors have, in other features than their own.
func ExampleSAGEConv_ForwardPair() {
	g, err := graph.NewBipartite(3, 4, []int32{0, 1, 2, 2}, []int32{0, 0, 1, 3})
	if err != nil {
		log.Fatal(err)
	}
	authors := autograd.Constant(tensor.Randn(tensor.Float32, 1, 3, 8))
	papers := autograd.Constant(tensor.Randn(tensor.Float32, 2, 4, 16))
	conv := gnn.NewSAGEConv(8, 5, gnn.SAGEConfig{}, nn.NewRNG(1), gnn.DstFeatures(16))
	fmt.Println(conv.ForwardPair(g, authors, papers).Shape())
	// Output: [4 5]
}

// A model of two layers for each relation of a heterogeneous graph. The second runs on what
// the first one computes.
func ExampleHeteroConv() {
	writes := graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}
	writtenBy := graph.EdgeType{Src: "paper", Name: "written by", Dst: "author"}
	cites := graph.EdgeType{Src: "paper", Name: "cites", Dst: "paper"}
	h, err := new(graph.HeteroBuilder).Vertices("author", 3).Vertices("paper", 4).
		Edges(writes, []int32{0, 1, 2, 2}, []int32{0, 0, 1, 3}).
		Edges(writtenBy, []int32{0, 0, 1, 3}, []int32{0, 1, 2, 2}).
		Edges(cites, []int32{0, 2}, []int32{1, 1}).
		Build()
	if err != nil {
		log.Fatal(err)
	}
	x := map[string]*autograd.Var{
		"author": autograd.Constant(tensor.Randn(tensor.Float32, 1, 3, 8)),
		"paper":  autograd.Constant(tensor.Randn(tensor.Float32, 2, 4, 16)),
	}
	r := nn.NewRNG(1)
	model := &struct{ First, Second *gnn.HeteroConv }{
		gnn.NewHeteroConv(h, gnn.EachRelation(h, func(t graph.EdgeType) gnn.PairConv {
			return gnn.NewSAGEConv(x[t.Src].Shape()[1], 5, gnn.SAGEConfig{}, r, gnn.DstFeatures(x[t.Dst].Shape()[1]))
		}), gnn.HeteroConfig{}),
		gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{
			writes: gnn.NewGATv2Conv(5, 2, 1, gnn.GATConfig{}, r, gnn.DstFeatures(5)),
			cites:  gnn.SourcePair(gnn.NewGCNConv(5, 2, r)),
		}, gnn.HeteroConfig{Reduce: gnn.ReduceMean}),
	}

	hidden := model.First.Forward(h, x, nil)
	for name, y := range hidden {
		hidden[name] = y.ReLU()
	}
	y := model.Second.Forward(h, hidden, nil)
	fmt.Println(hidden["author"].Shape(), hidden["paper"].Shape(), y["paper"].Shape(), y["author"] == nil)
	// Output: [3 5] [4 5] [4 2] true
}

// A checkpoint of PyG's HeteroConv of SAGEConvs has other names for the parameters of these,
// and matrices as torch.nn.Linear has them.
func ExampleHeteroConv_checkpoint() {
	cites := graph.EdgeType{Src: "paper", Name: "cites", Dst: "paper"}
	h, err := new(graph.HeteroBuilder).Vertices("paper", 4).Edges(cites, []int32{0, 2}, []int32{1, 1}).Build()
	if err != nil {
		log.Fatal(err)
	}
	conv := gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{
		cites: gnn.NewSAGEConv(16, 5, gnn.SAGEConfig{}, nn.NewRNG(1)),
	}, gnn.HeteroConfig{})
	pyg := nn.FileNames(func(name string) (file string, transposed bool) {
		relation, parameter, _ := strings.Cut(name, ">.")
		return relation + ">." + map[string]string{
			"weight_self": "lin_r.weight", "weight_neigh": "lin_l.weight", "bias": "lin_l.bias",
		}[parameter], parameter != "bias"
	})

	var file bytes.Buffer // or nn.LoadFile(path, conv, pyg) of PyG's
	if err := nn.Save(&file, conv, pyg); err != nil {
		log.Fatal(err)
	}
	tensors, err := nn.LoadTensors(&file)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		fmt.Println(name, tensors[name].Shape())
	}
	// Output:
	// convs.<paper___cites___paper>.lin_l.bias [5]
	// convs.<paper___cites___paper>.lin_l.weight [5 16]
	// convs.<paper___cites___paper>.lin_r.weight [5 16]
}

// Links of a graph are hidden from a model, which then tells them from pairs that no edge
// joins.
func ExampleDot() {
	d, err := data.SBM(data.SBMConfig{Sizes: []int{25, 25, 25, 25}, PIn: 0.6, POut: 0.01, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	split, err := data.RandomLinkSplit(d.Graph, data.LinkSplitConfig{
		Val: 0.05, Test: 0.1, Undirected: true, Negatives: 1, TrainNegatives: true, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	x := autograd.Input(data.IdentityFeatures(d.Graph.NumVertices()))
	m := gnn.NewGCN(100, 16, 8, 0.5, nn.NewRNG(1))
	score := func(p data.LinkPart) (scores, labels *autograd.Var) {
		scores = gnn.Dot{}.Score(m.Forward(p.Graph, x), gnn.Links{Src: p.Links.Src, Dst: p.Links.Dst})
		return scores, autograd.Constant(tensor.FromSlice(p.Labels, len(p.Labels)))
	}
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.01})
	for range 50 {
		opt.ZeroGrad()
		nn.BCEWithLogits(score(split.Train)).Backward()
		opt.Step()
	}
	nn.Eval(m)
	fmt.Println("better than 0.7:", nn.ROCAUC(score(split.Test)) > 0.7, nn.AveragePrecision(score(split.Test)) > 0.7)
	// Output: better than 0.7: true true
}

// A link of an undirected graph is there once, but true both ways. Vertices are ranked by
// how many neighbours they share with the one that is asked for.
func ExampleNewKnownLinks() {
	g := data.Karate().Graph
	split, err := data.RandomLinkSplit(g, data.LinkSplitConfig{Val: 0.1, Test: 0.1, Undirected: true, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	n := g.NumVertices()
	neighbours := make([]float32, n*n)
	for e, u := range split.Train.Graph.Src() {
		neighbours[int(u)*n+int(split.Train.Graph.Dst()[e])] = 1
	}
	h := autograd.Constant(tensor.FromSlice(neighbours, n, n))
	linksOf := func(p data.LinkPart) gnn.Links { return gnn.Links{Src: p.Links.Src, Dst: p.Links.Dst} }

	var once, both []gnn.Links
	for _, p := range []data.LinkPart{split.Train, split.Val, split.Test} {
		l := linksOf(p)
		once, both = append(once, l), append(both, l, gnn.Links{Src: l.Dst, Dst: l.Src, Rel: l.Rel})
	}
	for _, k := range []struct {
		what  string
		known *gnn.KnownLinks
	}{
		{"from the smaller vertex to the larger only", gnn.NewKnownLinks(once...)},
		{"both ways", gnn.NewKnownLinks(both...)},
		{"all edges of the graph", gnn.NewKnownLinks(gnn.Links{Src: g.Src(), Dst: g.Dst()})},
	} {
		r := gnn.EvaluateLinks(gnn.Dot{}, h, linksOf(split.Test), gnn.LinkEval{Known: k.known})
		fmt.Printf("%s: mean rank %.1f\n", k.what, r.MeanRank())
	}
	// Output:
	// from the smaller vertex to the larger only: mean rank 11.2
	// both ways: mean rank 10.6
	// all edges of the graph: mean rank 10.6
}

// Labels of three members of each community spread over the karate club.
func ExampleLabelPropagation() {
	d := data.Karate()
	train, _, test := data.RandomSplit(d.Labels, d.NumClasses, 3, 0, 1)
	y := autograd.OneHot(autograd.Constant(tensor.FromSlice(d.Labels, len(d.Labels))), d.NumClasses, tensor.Float32)

	l := gnn.NewLabelPropagation(gnn.LabelPropagationConfig{Steps: 10, Alpha: 0.8})
	predicted := l.Forward(d.Graph, y, train) // labels of others are not looked at
	fmt.Printf("%.2f of the others are right\n", nn.Accuracy(predicted, d.Labels, test))
	// Output: 0.86 of the others are right
}

// A model that does not read the graph learns nothing of members that it was not trained on.
// What it predicts is corrected and smoothed over the graph.
func ExampleCorrectAndSmooth() {
	d := data.Karate()
	train, _, test := data.RandomSplit(d.Labels, d.NumClasses, 3, 0, 1)
	x := autograd.Input(d.Features)
	m := nn.NewLinear(d.Features.Cols(), d.NumClasses, nn.NewRNG(1))
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.1})
	for range 20 {
		opt.ZeroGrad()
		nn.CrossEntropy(m.Forward(x), d.Labels, train).Backward()
		opt.Step()
	}
	soft := m.Forward(x).Softmax()

	y := autograd.OneHot(autograd.Constant(tensor.FromSlice(d.Labels, len(d.Labels))), d.NumClasses, tensor.Float32)
	cs := gnn.NewCorrectAndSmooth(gnn.CorrectAndSmoothConfig{CorrectSteps: 10, CorrectAlpha: 0.8, SmoothSteps: 10, SmoothAlpha: 0.8})
	better := cs.Forward(d.Graph, soft, y, train)
	fmt.Printf("%.2f before, %.2f after\n", nn.Accuracy(soft, d.Labels, test), nn.Accuracy(better, d.Labels, test))
	// Output: 0.05 before, 0.86 after
}
