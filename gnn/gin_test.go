package gnn_test

// GIN: what it is for, telling graphs apart.

import (
	"bytes"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// cycle is an undirected cycle of n vertices; path one without its last edge.
func cycle(t *testing.T, n int, closed bool) *graph.Graph {
	var src, dst []int32
	for v := range n {
		if u := (v + 1) % n; u != 0 || closed {
			src, dst = append(src, int32(v), int32(u)), append(dst, int32(u), int32(v))
		}
	}
	return mustGraph(t, n, src, dst)
}

func batch(t *testing.T, gs ...*graph.Graph) (*graph.Graph, *graph.BatchInfo) {
	t.Helper()
	g, info, err := graph.Batch(gs...)
	if err != nil {
		t.Fatal(err)
	}
	return g, info
}

// The graphs of a batch do not see each other, in evaluation.
func TestGINOfABatchEqualsGINOfEachGraph(t *testing.T) {
	gs := []*graph.Graph{messy(t), cycle(t, 5, true), mustGraph(t, 1, nil, nil), random(t, 9, 20)}
	m := gnn.NewGIN(4, 8, 3, 2, gnn.GINConfig{}, 0.5, nn.NewRNG(1))
	stir(m)
	nn.Eval(m)
	all, info := batch(t, gs...)
	x := autograd.Constant(randn(tensor.Float32, 1, all.NumVertices(), 4))
	var want []float64
	for i, g := range gs {
		rows := x.Slice(0, int(info.VertexOffsets[i]), int(info.VertexOffsets[i+1]))
		one, alone := batch(t, g)
		want = append(want, m.Forward(one, rows, alone).Tensor().Float64s()...)
	}
	y := m.Forward(all, x, info)
	if !y.Shape().Equal(tensor.Shape{4, 3}) {
		t.Fatalf("the result has shape %v", y.Shape())
	}
	near(t, "batch", y.Tensor().Float64s(), want, 1e-5)
}

// Cycles and paths have vertices alike but for the ends of the paths: only the sums
// of neighbours tell them apart.
func TestGINLearnsToTellCyclesFromPaths(t *testing.T) {
	var gs []*graph.Graph
	var labels []int32
	for n := 4; n < 20; n++ {
		gs, labels = append(gs, cycle(t, n, true), cycle(t, n, false)), append(labels, 0, 1)
	}
	g, info := batch(t, gs...)
	x := autograd.Constant(tensor.Full(tensor.Float32, 1, g.NumVertices(), 1))
	m := gnn.NewGIN(1, 8, 2, 2, gnn.GINConfig{FixEps: true}, 0, nn.NewRNG(1))
	opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(m)}}, optim.AdamConfig{LR: 0.02})
	for range 60 {
		opt.ZeroGrad()
		nn.CrossEntropy(m.Forward(g, x, info), labels, nil).Backward()
		opt.Step()
	}
	nn.Eval(m)
	if got := nn.Accuracy(m.Forward(g, x, info), labels, nil); !(got > 0.9) {
		t.Errorf("accuracy is %.3f", got)
	}
}

func TestFixedEpsIsABufferThatTrainingLeavesAlone(t *testing.T) {
	mlp := func() *nn.MLP { return nn.NewMLP([]int{5, 6}, nn.MLPConfig{}, nn.NewRNG(1)) }
	fixed := gnn.NewGINConv(mlp(), gnn.GINConfig{Eps: 0.5, FixEps: true})
	free := gnn.NewGINConv(mlp(), gnn.GINConfig{Eps: 0.5})
	has := func(m any) bool { return slices.Contains(nn.Parameters(m), m.(*gnn.GINConv).Eps) }
	if has(fixed) || !has(free) {
		t.Errorf("eps is a parameter: %v where it is fixed, %v where not", has(fixed), has(free))
	}
	var file bytes.Buffer
	if err := nn.Save(&file, fixed); err != nil {
		t.Fatal(err)
	}
	other := gnn.NewGINConv(mlp(), gnn.GINConfig{FixEps: true})
	if err := nn.Load(&file, other); err != nil {
		t.Fatal(err)
	}
	if got := other.Eps.Tensor().Item(); got != 0.5 {
		t.Errorf("the loaded eps is %v", got)
	}
}
