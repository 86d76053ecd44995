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
	case "dirsage":
		out := int(s[2])
		l := gnn.NewDirGNNConv(in, out, s[0], func() gnn.PairConv {
			return gnn.NewSAGEConv(in, out, gnn.SAGEConfig{}, r, with, gnn.NoRoot())
		}, gnn.DirGNNConfig{NoRoot: s[1] == 0}, r, with)
		return l, func(g *graph.Graph, xs []*autograd.Var) *autograd.Var { return l.Forward(g, xs[0]) }
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

// The names of GATConv's, SAGEConv's and GraphConv's tensors in PyG's; other layers here have PyG's.
var (
	pygOfGAT       = strings.NewReplacer("attn_src", "att_src", "attn_dst", "att_dst", "in.weight", "in.lin.weight", "out.weight", "out.lin.weight")
	pygOfSAGE      = strings.NewReplacer("weight_neigh", "lin_l.weight", "weight_pool", "lin.weight", "bias_pool", "lin.bias", "bias", "lin_l.bias")
	pygOfGraphConv = strings.NewReplacer("weight_neigh", "lin_rel.weight", "bias", "lin_rel.bias")
)

// pygNames are those of a kind of layer, for nn.FileNames.
func pygNames(kind string) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		switch {
		case kind == "dirgnn" && strings.HasPrefix(name, "conv_"):
			name = pygOfGAT.Replace(name)
		case kind == "dirsage" && strings.HasPrefix(name, "conv_"), kind == "rootless_sage":
			name = pygOfSAGE.Replace(name)
		case kind == "rootless_graphconv":
			name = pygOfGraphConv.Replace(name)
		}
		return name, strings.HasSuffix(name, "weight")
	}
}

func TestNNConvAGNNConvAndDirGNNConvEqualPyG(t *testing.T) {
	kinds := pygCases(t)
	for _, kind := range []string{"nnconv", "agnn", "dirgnn", "dirsage"} {
		if len(kinds[kind]) < 2 {
			t.Errorf("%d cases of %s", len(kinds[kind]), kind)
		}
		for i, c := range kinds[kind] {
			t.Run(kind+" "+strconv.Itoa(i), func(t *testing.T) {
				xs, edge := c.of("x"), 0
				if len(xs) > 1 {
					edge = xs[1].Shape()[1]
				}
				layer, forward := pygConv(t, kind, c["settings"].Float64s(), xs[0].Shape()[1], edge)
				c.load(t, layer, nn.FileNames(pygNames(kind)))
				y := forward(mustGraph(t, xs[0].Shape()[0], c.ints("src"), c.ints("dst")), xs)
				near(t, "y", y.Tensor().Float64s(), c["y"].Float64s(), 1e-11)
				y.Mul(autograd.Constant(c["cotangent"])).Sum().Backward()
				inputs := map[string]*autograd.Var{}
				for k, x := range xs {
					inputs["x"+strconv.Itoa(k)] = x
				}
				c.wantEveryGradient(t, kind, layer, inputs)
			})
		}
	}
}

// wantEveryGradient compares the gradients of inputs and of a layer's parameters with all of PyG's.
func (c pygCase) wantEveryGradient(t *testing.T, kind string, layer any, inputs map[string]*autograd.Var) {
	t.Helper()
	compared := 0
	gradient := func(name string, got *tensor.Tensor) {
		if want := c["gradient."+name]; want != nil {
			compared++
			near(t, "gradient of "+name, got.Float64s(), want.Float64s(), 1e-10)
		}
	}
	for name, x := range inputs {
		gradient(name, x.Gradient())
	}
	for _, p := range nn.NamedParameters(layer) {
		name, transposed := pygNames(kind)(p.Name)
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
}

func TestSAGEConvAndGraphConvWithoutRootEqualPyGBetweenTwoKindsOfVertices(t *testing.T) {
	kinds := pygCases(t)
	for _, kind := range []string{"rootless_sage", "rootless_graphconv"} {
		if len(kinds[kind]) < 8 {
			t.Errorf("%d cases of %s", len(kinds[kind]), kind)
		}
		for i, c := range kinds[kind] {
			t.Run(kind+" "+strconv.Itoa(i), func(t *testing.T) {
				s, sizes, inputs := c["settings"].Float64s(), c.ints("sizes"), map[string]*autograd.Var{"x": autograd.Variable(c["x"])}
				x, r, in, out := inputs["x"], nn.NewRNG(1), c["x"].Shape()[1], int(s[0])
				opts := []gnn.Option{gnn.WithDType(tensor.Float64), gnn.NoRoot()}
				if s[3] == 0 {
					opts = append(opts, gnn.NoBias())
				}
				g, err := graph.NewBipartite(int(sizes[0]), int(sizes[1]), c.ints("src"), c.ints("dst"))
				if err != nil {
					t.Fatal(err)
				}
				var layer any
				var y func() *autograd.Var
				if kind == "rootless_sage" {
					l := gnn.NewSAGEConv(in, out, gnn.SAGEConfig{Aggregator: gnn.SAGEAggregator(s[1]), Normalize: s[2] > 0}, r, opts...)
					layer, y = l, func() *autograd.Var { return l.ForwardPair(g, x, nil) }
				} else {
					if c["w"] != nil {
						inputs["w"] = autograd.Variable(c["w"])
					}
					l := gnn.NewGraphConv(in, out, gnn.Reduce(s[4]), r, opts...)
					layer, y = l, func() *autograd.Var { return l.ForwardPairWeighted(g, x, nil, inputs["w"]) }
				}
				c.load(t, layer, nn.FileNames(pygNames(kind)))
				h := y()
				near(t, "y", h.Tensor().Float64s(), c["y"].Float64s(), 1e-11)
				h.Mul(autograd.Constant(c["cotangent"])).Sum().Backward()
				c.wantEveryGradient(t, kind, layer, inputs)
			})
		}
	}
}
