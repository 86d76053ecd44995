package gnn_test

// Layers without a weight for the vertex's own features; what they compute is in the tables
// of layers.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestLayersWithoutRootReadNoFeaturesOfDestinations(t *testing.T) {
	r := nn.NewRNG(1)
	csr, err := tensor.NewSparse(6, 5, []int32{0, 1, 1, 3, 4, 6, 7}, []int32{4, 0, 2, 1, 3, 4, 0}, randn(tensor.Float32, 1, 7))
	if err != nil {
		t.Fatal(err)
	}
	g := relations(t)[7].Graph // 9 authors, 6 papers
	xSrc := autograd.Constant(randn(tensor.Float32, 1, 9, 5))
	for name, l := range map[string]gnn.PairConv{
		"sage":                      gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, gnn.NoRoot()),
		"sage of max pooling":       gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r, gnn.NoRoot()),
		"sage to 7":                 gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, gnn.NoRoot(), gnn.DstFeatures(7)),
		"graphconv of maxima":       gnn.NewGraphConv(5, 6, gnn.ReduceMax, r, gnn.NoRoot()),
		"graphconv of sums to 7":    gnn.NewGraphConv(5, 6, gnn.ReduceSum, r, gnn.NoRoot(), gnn.DstFeatures(7)),
		"source pair of both norms": gnn.SourcePair(gnn.NewGCNConvNorm(5, 6, gnn.BothDegrees, r)),
	} {
		want := l.ForwardPair(g, xSrc, nil).Tensor().Float64s()
		for what, xDst := range map[string]*autograd.Var{
			"the layer's width": autograd.Constant(randn(tensor.Float32, 2, 6, 5)),
			"another width":     autograd.Constant(randn(tensor.Float32, 2, 6, 3)),
			"another type":      autograd.Constant(randn(tensor.Float64, 2, 6, 5)),
			"sparse":            autograd.SparseConstant(csr),
		} {
			if got := l.ForwardPair(g, xSrc, xDst).Tensor().Float64s(); !sameBits(got, want) {
				t.Errorf("%s: features of destinations, %s, change the result", name, what)
			}
		}
	}
}

// Vertices that are only led to need no features; on a block others' are not cut to
// destinations, so they may be sparse.
func TestHeteroConvWithoutRootNeedsNoFeaturesOfDestinations(t *testing.T) {
	h, r := library(t), nn.NewRNG(1)
	conv := gnn.NewGraphConv(5, 6, gnn.ReduceSum, r, gnn.NoRoot())
	l := gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{writes: conv}, gnn.HeteroConfig{})
	xs := map[string]*autograd.Var{"author": libraryFeatures(h, tensor.Float32)["author"]}
	want := conv.ForwardPair(h.Relation(writes), xs["author"], nil)
	near(t, "papers", l.Forward(h, xs, nil)["paper"].Tensor().Float64s(), want.Tensor().Float64s(), 0)

	block, err := graph.NewBipartite(3, 2, []int32{2, 1, 2}, []int32{0, 0, 0}, graph.WithEdgeTypes([]int32{0, 0, 0}, 6),
		graph.WithSrcTypes([]int32{1, 0, 0}, 4), graph.WithDstTypes([]int32{1, 0}, 4))
	if err != nil {
		t.Fatal(err)
	}
	x := randn(tensor.Float32, 1, 2, 5)
	got := l.ForwardOn(block, map[string]*autograd.Var{"author": autograd.Constant(x)}, nil)["paper"]
	bipartite, err := graph.NewBipartite(2, 1, []int32{1, 0, 1}, []int32{0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "on a block", got.Tensor().Float64s(), conv.ForwardPair(bipartite, autograd.Constant(x), nil).Tensor().Float64s(), 0)
}
