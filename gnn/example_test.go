package gnn_test

// Examples of the package documentation.

import (
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

// A layer for each relation of a heterogeneous graph, and their sum at each kind of
// vertices: PyG's HeteroConv.
func ExampleSAGEConv_ForwardPair() {
	writes := graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}
	cites := graph.EdgeType{Src: "paper", Name: "cites", Dst: "paper"}
	hetero, err := new(graph.HeteroBuilder).Vertices("author", 3).Vertices("paper", 4).
		Edges(writes, []int32{0, 1, 2, 2}, []int32{0, 0, 1, 3}).
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
	convs := map[string]*gnn.SAGEConv{} // in a field of the model, a part of it
	for _, t := range hetero.EdgeTypes() {
		convs[t.Name] = gnn.NewSAGEConv(x[t.Src].Shape()[1], 5, gnn.SAGEConfig{}, r, gnn.DstFeatures(x[t.Dst].Shape()[1]))
	}

	h := map[string]*autograd.Var{}
	for _, t := range hetero.EdgeTypes() {
		y := convs[t.Name].ForwardPair(hetero.Relation(t), x[t.Src], x[t.Dst])
		if sum := h[t.Dst]; sum != nil {
			y = sum.Add(y)
		}
		h[t.Dst] = y
	}
	fmt.Println(h["paper"].Shape())
	// Output: [4 5]
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
