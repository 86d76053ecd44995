package gnn_test

// PyTorch Geometric's values of layers (testdata/pyg.py): checkpoints are loaded, and results
// and gradients are the same.

import (
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// pygConv is the layer of a kind with a case's settings, and its forward pass.
func pygConv(t *testing.T, kind string, s []float64, in, edge int) (any, func(g *graph.Graph, xs []*autograd.Var) *autograd.Var) {
	t.Helper()
	r, with := nn.NewRNG(1), gnn.WithDType(tensor.Float64)
	switch kind {
	case "nnconv":
		out, f64 := int(s[2]), nn.WithDType(tensor.Float64)
		network := nn.NewSequential(nn.NewLinear(edge, 2, r, f64), nn.ReLU(), nn.NewLinear(2, in*out, r, f64))
		reduce := []gnn.Reduce{gnn.ReduceSum, gnn.ReduceMean, gnn.ReduceMax}[int(s[0])]
		l := gnn.NewNNConv(in, edge, out, network, gnn.NNConvConfig{Reduce: reduce, NoRoot: s[1] == 0}, r, with)
		return l, func(g *graph.Graph, xs []*autograd.Var) *autograd.Var { return l.Forward(g, xs[0], xs[1]) }
	case "agnn":
		l := gnn.NewAGNNConv(1, gnn.AGNNConfig{FixBeta: s[0] == 0, NoLoops: s[1] == 0}, with)
		return l, func(g *graph.Graph, xs []*autograd.Var) *autograd.Var {
			if s[1] > 0 { // PyG takes the graph's loops away, too
				g, _ = g.RemoveSelfLoops()
			}
			return l.Forward(g, xs[0])
		}
	case "dirgnn":
		out := int(s[2])
		l := gnn.NewDirGNNConv(in, out, s[0], func() gnn.PairConv {
			return gnn.NewGATConv(in, out, 2, gnn.GATConfig{Mean: true}, r, with)
		}, gnn.DirGNNConfig{NoRoot: s[1] == 0}, r, with)
		return l, func(g *graph.Graph, xs []*autograd.Var) *autograd.Var { return l.Forward(g, xs[0]) }
	}
	t.Fatalf("no layer of kind %s", kind)
	return nil, nil
}

// pygOfGAT has the names of GATConv's tensors in PyG's GATConv; other layers here have PyG's.
var pygOfGAT = strings.NewReplacer("attn_src", "att_src", "attn_dst", "att_dst", "in.weight", "in.lin.weight", "out.weight", "out.lin.weight")

func pygName(name string) (string, bool) {
	if strings.HasPrefix(name, "conv_") {
		name = pygOfGAT.Replace(name)
	}
	return name, strings.HasSuffix(name, "weight")
}

func TestNNConvAGNNConvAndDirGNNConvEqualPyG(t *testing.T) {
	kinds := pygCases(t)
	for _, kind := range []string{"nnconv", "agnn", "dirgnn"} {
		if len(kinds[kind]) < 3 {
			t.Errorf("%d cases of %s", len(kinds[kind]), kind)
		}
		for i, c := range kinds[kind] {
			t.Run(kind+" "+strconv.Itoa(i), func(t *testing.T) {
				xs, edge := c.of("x"), 0
				if len(xs) > 1 {
					edge = xs[1].Shape()[1]
				}
				layer, forward := pygConv(t, kind, c["settings"].Float64s(), xs[0].Shape()[1], edge)
				c.load(t, layer, nn.FileNames(pygName))
				y := forward(mustGraph(t, xs[0].Shape()[0], c.ints("src"), c.ints("dst")), xs)
				near(t, "y", y.Tensor().Float64s(), c["y"].Float64s(), 1e-11)
				y.Mul(autograd.Constant(c["cotangent"])).Sum().Backward()
				compared := 0
				gradient := func(name string, got *tensor.Tensor) {
					if want := c["gradient."+name]; want != nil {
						compared++
						near(t, "gradient of "+name, got.Float64s(), want.Float64s(), 1e-10)
					}
				}
				for k, x := range xs {
					gradient("x"+strconv.Itoa(k), x.Gradient())
				}
				for _, p := range nn.NamedParameters(layer) {
					name, transposed := pygName(p.Name)
					x := p.Var.Gradient()
					if transposed {
						x = x.Transpose()
					}
					gradient(name, x)
				}
				for name := range c {
					if strings.HasPrefix(name, "gradient.") {
						compared--
					}
				}
				if compared != 0 {
					t.Errorf("%d gradients more than PyG's", compared)
				}
			})
		}
	}
}
