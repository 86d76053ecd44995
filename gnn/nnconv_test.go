package gnn_test

// What NNConv holds, and when it multiplies what. Its values go through the tables of layers.

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestNNConvMultipliesSourcesFirstIfTheProductsAreAQuarterOfTheMatrices(t *testing.T) {
	const in, edge, out, vertices = 4, 3, 5, 20
	g := func(edges int) *graph.Graph { return random(t, vertices, edges) }
	mlp := func(hidden int) nn.Layer {
		return nn.NewMLP([]int{edge, hidden, in * out}, nn.MLPConfig{}, nn.NewRNG(1))
	}
	for name, c := range map[string]struct {
		network  nn.Layer
		edges    int
		products int // columns of what every source is multiplied to; 0: no such product
	}{
		"at most a quarter":                 {mlp(6), 120, 6 * out}, // 4·6·20 = 4·120
		"one edge less":                     {mlp(6), 119, 0},
		"a linear layer":                    {nn.NewLinear(edge, in*out, nn.NewRNG(1)), 60, edge * out},
		"a linear layer on few edges":       {nn.NewLinear(edge, in*out, nn.NewRNG(1)), 59, 0},
		"no linear layer":                   {nn.NewSequential(nn.NewLinear(edge, in*out, nn.NewRNG(1)), nn.Tanh()), 4000, 0},
		"layers in a row that end in one":   {nn.NewSequential(nn.Tanh(), nn.NewLinear(edge, in*out, nn.NewRNG(1))), 60, edge * out},
		"no edges, whose matrices are none": {mlp(1), 0, 0},
	} {
		for _, reduce := range []gnn.Reduce{gnn.ReduceSum, gnn.ReduceMax} {
			l := gnn.NewNNConv(in, edge, out, c.network, gnn.NNConvConfig{Reduce: reduce}, nn.NewRNG(1))
			g := g(c.edges)
			x, f := autograd.Variable(randn(tensor.Float32, 1, vertices, in)), autograd.Variable(randn(tensor.Float32, 2, c.edges, edge))
			made := slices.ContainsFunc(l.Compiled(g, x, f).Forward.Buffers, func(b *plan.Buffer) bool {
				return b.Role != plan.Input && b.Res == ir.Src && b.Shape.Size() == c.products
			})
			wide := slices.ContainsFunc(l.Compiled(g, x, f).Forward.Buffers, func(b *plan.Buffer) bool {
				return b.Role != plan.Input && b.Res == ir.Src && b.Shape.Size() > out
			})
			if made != (c.products > 0) || wide != made {
				t.Errorf("%s, reduction %d: products for the sources: %v\n%s", name, reduce, wide, l.Compiled(g, x, f).Forward.Report(sizes(g)))
			}
		}
	}
}

// The matrices have 256 numbers each. Only a network that does not end in a linear layer
// makes them.
func TestNNConvHoldsNoMatricesOfEdges(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const in, edge, out, vertices, edges = 16, 3, 16, 1000, 20_000
	g := random(t, vertices, edges)
	r := nn.NewRNG(1)
	x, f := autograd.Variable(randn(tensor.Float32, 1, vertices, in)), autograd.Constant(randn(tensor.Float32, 2, edges, edge))
	for name, c := range map[string]struct {
		network nn.Layer
		numbers int64 // an edge that a step may hold
		more    int64 // and must
	}{
		"mlp, by source":          {nn.NewMLP([]int{edge, 8, in * out}, nn.MLPConfig{}, r), 24, 0},
		"mlp, by edge":            {nn.NewMLP([]int{edge, 8, 128, in * out}, nn.MLPConfig{}, r), 4, 0},
		"mlp of tanh":             {nn.NewMLP([]int{edge, 8, in * out}, nn.MLPConfig{Activation: nn.Tanh()}, r), 64, 8},
		"layers in a row":         {nn.NewSequential(nn.NewLinear(edge, 8, r), nn.Tanh(), nn.NewLinear(8, in*out, r)), 64, 8},
		"layers that end in none": {nn.NewSequential(nn.NewLinear(edge, in*out, r), nn.Tanh()), 2000, in * out},
	} {
		for _, reduce := range []gnn.Reduce{gnn.ReduceSum, gnn.ReduceMax} {
			l := gnn.NewNNConv(in, edge, out, c.network, gnn.NNConvConfig{Reduce: reduce}, r)
			got := peakOf(func() {
				nn.ZeroGrad(l)
				x.ZeroGrad()
				y := l.Forward(g, x, f)
				y.BackwardWith(y.Tensor())
			}) / 4 / edges
			t.Logf("%s, reduction %d: %d numbers an edge", name, reduce, got)
			if got > c.numbers || got < c.more {
				t.Errorf("%s, reduction %d: a step holds %d numbers an edge, want %d to %d", name, reduce, got, c.more, c.numbers)
			}
		}
	}
}

func TestNNConvStepAllocatesNothingThatGrowsWithTheEdges(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const in, edge, out, edges = 3, 2, 4, 50_000
	for name, c := range map[string]struct{ vertices, hidden int }{"by source": {200, 4}, "by edge": {5000, 64}} {
		one, two := random(t, c.vertices, edges), random(t, c.vertices, 2*edges)
		l := gnn.NewNNConv(in, edge, out, nn.NewMLP([]int{edge, c.hidden, in * out}, nn.MLPConfig{}, nn.NewRNG(1)), gnn.NNConvConfig{}, nn.NewRNG(1))
		x := autograd.Variable(randn(tensor.Float32, 1, c.vertices, in))
		step := func(g *graph.Graph) int64 {
			values := autograd.Constant(randn(tensor.Float32, 2, g.NumEdges(), edge))
			return allocated(func() {
				nn.ZeroGrad(l)
				x.ZeroGrad()
				y := l.Forward(g, x, values)
				y.BackwardWith(y.Tensor())
			})
		}
		if got, double := step(one), step(two); double > got+edges { // one number an edge is four times that
			t.Errorf("%s: a step allocates %d bytes on %d edges, %d on twice as many", name, got, edges, double)
		}
	}
}

func TestNNConvDropsInItsNetwork(t *testing.T) {
	r := nn.NewRNG(1)
	l := gnn.NewNNConv(4, 3, 2, nn.NewMLP([]int{3, 16, 8}, nn.MLPConfig{Dropout: 0.5}, r), gnn.NNConvConfig{}, r)
	g := messy(t)
	x, f := autograd.Constant(randn(tensor.Float32, 1, 6, 4)), autograd.Constant(randn(tensor.Float32, 2, 12, 3))
	run := func() []float64 { return l.Forward(g, x, f).Tensor().Float64s() }
	if sameBits(run(), run()) {
		t.Error("two training passes have one mask")
	}
	nn.Eval(l)
	if !sameBits(run(), run()) {
		t.Error("dropout is not off in evaluation")
	}
}

// What is put together by hand tells what is wrong with it when it is applied.
func TestNNConvOfAZeroNetworkIsMisuseOfTheNetwork(t *testing.T) {
	x, f := autograd.Constant(randn(tensor.Float32, 1, 6, 4)), autograd.Constant(randn(tensor.Float32, 2, 12, 3))
	for name, network := range map[string]nn.Layer{
		"zero MLP": &nn.MLP{}, "nil MLP": (*nn.MLP)(nil), "zero Linear": &nn.Linear{}, "nil Linear": (*nn.Linear)(nil),
		"MLP of a nil Linear": &nn.MLP{Layers: []*nn.Linear{nil}}, "Sequential that ends in a zero Linear": nn.Sequential{&nn.Linear{}},
	} {
		l := gnn.NewNNConv(4, 3, 2, network, gnn.NNConvConfig{}, nn.NewRNG(1))
		if err := autograd.Try(func() { l.Forward(messy(t), x, f) }); !isMisuse(err, "nn: ") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// A network that is exchanged later is read, or refused if the program is not for it.
func TestNNConvReadsTheNetworkThatItHas(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	x, f := autograd.Constant(randn(tensor.Float32, 1, 6, 5)), autograd.Constant(randn(tensor.Float32, 2, 12, 3))
	mlp := func(hidden int, cfg nn.MLPConfig) nn.Layer { return nn.NewMLP([]int{3, hidden, 10}, cfg, r) }
	row := func(between nn.Layer) nn.Layer {
		return nn.NewSequential(nn.NewLinear(3, 4, r), between, nn.NewLinear(4, 10, r))
	}
	one := func() nn.Layer { return nn.NewLinear(3, 10, r) }
	plain := nn.MLPConfig{}
	for name, c := range map[string]struct{ made, later nn.Layer }{
		"mlp":                {mlp(4, plain), mlp(4, plain)},
		"mlp with dropout":   {mlp(4, nn.MLPConfig{Dropout: 1e-9}), mlp(4, nn.MLPConfig{Norm: func(int) nn.Layer { return nn.Tanh() }})},
		"linear":             {one(), one()},
		"layers in a row":    {row(nn.Tanh()), row(nn.ReLU())},
		"whatever it may be": {nn.NewSequential(one(), nn.Tanh()), nn.NewSequential(one(), nn.ReLU())},
	} {
		l := gnn.NewNNConv(5, 3, 2, c.made, gnn.NNConvConfig{}, r)
		want := gnn.NewNNConv(5, 3, 2, c.later, gnn.NNConvConfig{}, r)
		want.Lin = l.Lin
		l.Forward(g, x, f)
		l.NN = c.later
		wantTensor(t, name, l.Forward(g, x, f).Tensor(), want.Forward(g, x, f).Tensor())
	}
	for name, c := range map[string]struct{ made, later nn.Layer }{
		"another width":        {mlp(4, plain), mlp(7, plain)},
		"without biases":       {mlp(4, plain), mlp(4, nn.MLPConfig{NoBias: true})},
		"with dropout":         {mlp(4, plain), mlp(4, nn.MLPConfig{Dropout: 0.5})},
		"without dropout":      {mlp(4, nn.MLPConfig{Dropout: 0.5}), mlp(4, plain)},
		"a row for a layer":    {one(), nn.NewSequential(one())},
		"no linear layer":      {row(nn.Tanh()), nn.NewSequential(one(), nn.Tanh())},
		"a layer for whatever": {nn.NewSequential(one(), nn.Tanh()), one()},
	} {
		l := gnn.NewNNConv(5, 3, 2, c.made, gnn.NNConvConfig{}, r)
		l.Forward(g, x, f)
		l.NN = c.later
		if err := autograd.Try(func() { l.Forward(g, x, f) }); !isMisuse(err, "gnn: NNConv: the network is of another kind") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
