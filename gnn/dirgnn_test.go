package gnn_test

// DirGNNConv against the layers that it is made of.

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// dirCase is a DirGNNConv from 5 features to 6, and what its layers compute by themselves.
type dirCase struct {
	name string
	conv func() gnn.PairConv
	f    []int // the shape of an edge's value after E; nil for none
	one  func(conv any, g *graph.Graph, x, f *autograd.Var) *autograd.Var
}

func dirCases(r *nn.RNG, opts ...gnn.Option) []dirCase {
	return []dirCase{
		{"gcn of both degrees", func() gnn.PairConv { return gnn.SourcePair(gnn.NewGCNConvNorm(5, 6, gnn.BothDegrees, r, opts...)) }, nil,
			func(conv any, g *graph.Graph, x, _ *autograd.Var) *autograd.Var {
				return conv.(*gnn.GCNConv).Forward(g, x)
			}},
		{"weighted gcn", func() gnn.PairConv { return gnn.SourcePair(gnn.NewGCNConvNorm(5, 6, gnn.BothDegrees, r, opts...)) }, []int{},
			func(conv any, g *graph.Graph, x, w *autograd.Var) *autograd.Var {
				return conv.(*gnn.GCNConv).ForwardWeighted(g, x, w)
			}},
		{"sage", func() gnn.PairConv { return gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, opts...) }, nil,
			func(conv any, g *graph.Graph, x, _ *autograd.Var) *autograd.Var {
				return conv.(*gnn.SAGEConv).Forward(g, x)
			}},
		{"weighted graphconv without root", func() gnn.PairConv { return gnn.NewGraphConv(5, 6, gnn.ReduceMax, r, append(opts, gnn.NoRoot())...) }, []int{},
			func(conv any, g *graph.Graph, x, w *autograd.Var) *autograd.Var {
				return conv.(*gnn.GraphConv).ForwardWeighted(g, x, w)
			}},
		{"nnconv", func() gnn.PairConv {
			network := nn.NewLinear(3, 30, r, nn.WithDType(tensor.Float64))
			return gnn.EdgePair(gnn.NewNNConv(5, 3, 6, network, gnn.NNConvConfig{NoRoot: true}, r, opts...))
		}, []int{3}, func(conv any, g *graph.Graph, x, f *autograd.Var) *autograd.Var {
			return conv.(*gnn.NNConv).Forward(g, x, f)
		}},
	}
}

func TestDirGNNConvMixesALayerOfEachDirection(t *testing.T) {
	const alpha = 0.3
	r, with := nn.NewRNG(1), gnn.WithDType(tensor.Float64)
	for _, c := range dirCases(r, with) {
		for _, root := range []bool{true, false} {
			l := gnn.NewDirGNNConv(5, 6, alpha, c.conv, gnn.DirGNNConfig{NoRoot: !root}, r, with)
			stir(l)
			for _, g := range degenerate(t) {
				n, src, dst := g.NumVertices(), g.Src(), g.Dst()
				x := autograd.Variable(randn(tensor.Float64, 1, n, 5))
				var f *autograd.Var
				leaves := append([]*autograd.Var{x}, nn.Parameters(l)...)
				if c.f != nil {
					f = autograd.Variable(randn(tensor.Float64, 2, append([]int{g.NumEdges()}, c.f...)...))
					for i, v := range tensor.Data[float64](f.Tensor()) { // degrees by weights are above 0
						tensor.Data[float64](f.Tensor())[i] = math.Abs(v)
					}
					leaves = append(leaves, f)
				}
				want := c.one(l.ConvIn, g.Graph, x, f).Scale(1 - alpha).Add(c.one(l.ConvOut, mustGraph(t, n, dst, src), x, f).Scale(alpha))
				if root {
					want = want.Add(x.MatMul(l.Lin.Weight)).Add(l.Lin.Bias)
				}
				results := func(y *autograd.Var) []float64 {
					for _, v := range leaves {
						v.ZeroGrad()
					}
					y.BackwardWith(randn(tensor.Float64, 5, n, 6))
					all := y.Tensor().Float64s()
					for _, v := range leaves {
						all = append(all, v.Gradient().Float64s()...)
					}
					return all
				}
				near(t, c.name+", "+g.name, results(l.ForwardEdges(g.Graph, x, f)), results(want), 1e-12)
			}
		}
	}
}

func TestTheLayersOfDirGNNConvHaveWeightsOfTheirOwn(t *testing.T) {
	r := nn.NewRNG(1)
	l := gnn.NewDirGNNConv(5, 6, 0.5, dirCases(r)[0].conv, gnn.DirGNNConfig{}, r)
	var names []string
	for _, s := range nn.State(l) {
		names = append(names, s.Name)
	}
	if want := []string{"conv_in.weight", "conv_in.bias", "conv_out.weight", "conv_out.bias", "lin.weight", "lin.bias"}; !slices.Equal(names, want) {
		t.Errorf("the state is %v, want %v", names, want)
	}
	in, out := l.ConvIn.(*gnn.GCNConv).Weight, l.ConvOut.(*gnn.GCNConv).Weight
	if sameBits(in.Tensor().Float64s(), out.Tensor().Float64s()) {
		t.Error("both layers begin with the same weights")
	}
}

func TestDirGNNConvAllocatesNothingThatGrowsWithTheEdges(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const vertices, edges = 100, 200_000
	r := nn.NewRNG(1)
	l := gnn.NewDirGNNConv(5, 6, 0.5, dirCases(r)[0].conv, gnn.DirGNNConfig{}, r)
	x := autograd.Variable(randn(tensor.Float32, 1, vertices, 5))
	step := func(g *graph.Graph) int64 {
		return allocated(func() {
			out := l.Forward(g, x)
			out.BackwardWith(out.Tensor())
		})
	}
	if one, two := step(random(t, vertices, edges)), step(random(t, vertices, 2*edges)); two > one+edges/2 {
		t.Errorf("a step allocates %d bytes on %d edges, %d on twice as many", one, edges, two)
	}
}

func TestDirGNNConvTakesSparseFeaturesIfItsLayersDo(t *testing.T) {
	s, err := tensor.NewSparse(6, 5, []int32{0, 1, 1, 3, 4, 4, 6}, []int32{2, 0, 4, 1, 1, 3}, randn(tensor.Float32, 1, 6))
	if err != nil {
		t.Fatal(err)
	}
	r := nn.NewRNG(1)
	l := gnn.NewDirGNNConv(5, 6, 0.5, dirCases(r)[0].conv, gnn.DirGNNConfig{}, r)
	near(t, "y", l.Forward(messy(t), autograd.SparseConstant(s)).Tensor().Float64s(), l.Forward(messy(t), autograd.Constant(s.ToDense())).Tensor().Float64s(), 1e-6)
}

func TestDirGNNConvRejectsWhatDoesNotFit(t *testing.T) {
	r := nn.NewRNG(1)
	l := gnn.NewDirGNNConv(5, 6, 0.5, dirCases(r)[2].conv, gnn.DirGNNConfig{}, r)
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	g := messy(t)
	wantMisuses(t, map[string]func(){
		"gnn: DirGNNConv: the graph is nil":                                                        func() { l.Forward(nil, v(6, 5)) },
		"gnn: DirGNNConv: the graph is bipartite, the layer takes a homogeneous one":               func() { l.Forward(someBlocks(t)[5].Graph, v(15, 5)) },
		"gnn: DirGNNConv: x is nil":                                                                func() { l.Forward(g, nil) },
		"gnn: DirGNNConv: x has 4 features, the layer takes 5":                                     func() { l.Forward(g, v(6, 4)) },
		"gnn: DirGNNConv: x has 7 rows, the graph 6 vertices":                                      func() { l.Forward(g, v(7, 5)) },
		"gnn: DirGNNConv: in-edges: SAGEConv: values of edges of shape [12]; the layer takes none": func() { l.ForwardEdges(g, v(6, 5), v(12)) },
	})
	narrow := gnn.NewDirGNNConv(5, 6, 0.5, func() gnn.PairConv { return gnn.NewGATConv(4, 6, 1, gnn.GATConfig{}, r) }, gnn.DirGNNConfig{}, r)
	err := autograd.Try(func() { narrow.Forward(g, v(6, 5)) })
	var typed *gnn.Error
	if !errors.As(err, &typed) || typed.Layer != "DirGNNConv" || !isMisuse(err, "in-edges: GATConv: ") || !isMisuse(errors.Unwrap(err), "gnn: GATConv: ") {
		t.Errorf("a layer of another width: the error is %v, of %v", err, errors.Unwrap(err))
	}
}
