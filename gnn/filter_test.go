package gnn_test

// ChebConv and TAGConv beside the tables of layers: PyTorch Geometric's values
// (testdata/pyg.py), λ of each vertex, loops, and misuse of their own.

import (
	"math"
	"strconv"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// filterCase is a filter of some of PyG's values; lambda may be nil.
type filterCase struct {
	layer   any
	forward func(g *graph.Graph, x, w, lambda *autograd.Var) *autograd.Var
}

func filterOf(t *testing.T, kind string, s []float64, bare bool) filterCase {
	t.Helper()
	r, opts := nn.NewRNG(1), []gnn.Option{gnn.WithDType(tensor.Float64)}
	if bare {
		opts = append(opts, gnn.NoBias())
	}
	if kind == "cheb" {
		cfg := gnn.ChebConfig{Laplacian: gnn.Laplacian(s[0])}
		l := gnn.NewChebConv(3, 2, int(s[1]), cfg, r, opts...)
		return filterCase{l, l.ForwardScaled}
	}
	l := gnn.NewTAGConv(3, 2, int(s[0]), gnn.TAGConfig{NoNorm: s[1] == 0}, r, opts...)
	return filterCase{l, func(g *graph.Graph, x, w, _ *autograd.Var) *autograd.Var { return l.ForwardWeighted(g, x, w) }}
}

// variable is a tensor of a case, nil if it has none of that name.
func (c pygCase) variable(name string) *autograd.Var {
	if c[name] == nil {
		return nil
	}
	return autograd.Variable(c[name])
}

// wantGradients compares what Backward left with PyG's.
func (c pygCase) wantGradients(t *testing.T, leaves map[string]*autograd.Var) {
	t.Helper()
	for name, leaf := range leaves {
		if leaf == nil {
			continue
		}
		want, got := c["gradient."+name], leaf.Gradient()
		if got == nil {
			got = tensor.Zeros(tensor.Float64, leaf.Shape()...)
		}
		if want.Shape().Equal(got.Shape()) || len(want.Shape()) != 2 {
			wantTensor(t, "gradient of "+name, got, want)
		} else {
			wantTensor(t, "gradient of "+name, got.Transpose(), want)
		}
	}
}

func TestFiltersEqualPyG(t *testing.T) {
	kinds := pygCases(t)
	for kind, least := range map[string]int{"cheb": 6, "tag": 5} {
		if len(kinds[kind]) < least {
			t.Errorf("%d cases of %s, want %d", len(kinds[kind]), kind, least)
		}
		for i, c := range kinds[kind] {
			t.Run(kind+" "+strconv.Itoa(i), func(t *testing.T) {
				f := filterOf(t, kind, c["settings"].Float64s(), c["before.bias"] == nil)
				c.load(t, f.layer)
				g := mustGraph(t, int(c["n"].Float64s()[0]), c.ints("src"), c.ints("dst"))
				x, w, lambda := c.variable("x0"), c.variable("w"), c.variable("lambda")
				ofVertices := lambda
				if lambda != nil {
					ofVertices = lambda.IndexSelect(c.ints("batch"))
				}
				y := f.forward(g, x, w, ofVertices)
				wantTensor(t, "y", y.Tensor(), c["y"])
				y.BackwardWith(c["cotangent"])
				leaves := map[string]*autograd.Var{"x0": x, "w": w, "lambda": lambda}
				for _, p := range nn.NamedParameters(f.layer) {
					leaves[p.Name] = p.Var
				}
				c.wantGradients(t, leaves)
			})
		}
	}
}

// Every λ gives the polynomial of another matrix: as a number, or one for each vertex.
func TestLambdaOfEachVertexIsLambdaMax(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	x, w := autograd.Variable(randn(tensor.Float64, 1, 6, 5)), weights(g, tensor.Float64, false)
	for _, laplacian := range []gnn.Laplacian{gnn.SymLaplacian, gnn.WalkLaplacian, gnn.PlainLaplacian} {
		for _, lambda := range []float64{1.25, 2, 7} {
			l := gnn.NewChebConv(5, 3, 4, gnn.ChebConfig{Laplacian: laplacian, LambdaMax: lambda}, r, gnn.WithDType(tensor.Float64))
			each := autograd.Variable(tensor.Full(tensor.Float64, lambda, 6))
			near(t, "result", l.ForwardScaled(g, x, nil, each).Tensor().Float64s(), l.Forward(g, x).Tensor().Float64s(), 1e-12)
			near(t, "weighted", l.ForwardScaled(g, x, w, each).Tensor().Float64s(), l.ForwardWeighted(g, x, w).Tensor().Float64s(), 1e-12)
			for _, w := range []*autograd.Var{nil, w} {
				xs := []*autograd.Var{x, each}
				if w != nil {
					xs = append(xs, w)
				}
				if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return l.ForwardScaled(g, x, w, each) }, xs); err != nil {
					t.Errorf("Laplacian %d, lambda %v: %v", laplacian, lambda, err)
				}
			}
			if l.CompiledScaled(g, x, w, each).Backward == nil {
				t.Error("no backward plan")
			}
		}
	}
}

// Loops of the graph are left out, with their weights, and leave no gradient.
func TestChebConvLeavesOutLoops(t *testing.T) {
	bare := mustGraph(t, 3, []int32{0, 1, 2}, []int32{1, 2, 1})
	looped := mustGraph(t, 3, []int32{0, 0, 1, 2, 2, 1}, []int32{0, 1, 2, 2, 1, 1})
	x := autograd.Constant(randn(tensor.Float64, 1, 3, 5))
	w := autograd.Variable(tensor.FromSlice([]float64{math.NaN(), 2, 3, 5, 7, -1}, 6))
	of := autograd.Variable(tensor.FromSlice([]float64{2, 3, 7}, 3))
	for _, laplacian := range []gnn.Laplacian{gnn.SymLaplacian, gnn.WalkLaplacian, gnn.PlainLaplacian} {
		l := gnn.NewChebConv(5, 3, 3, gnn.ChebConfig{Laplacian: laplacian, LambdaMax: 3}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
		wantTensor(t, "result", l.Forward(looped, x).Tensor(), l.Forward(bare, x).Tensor())
		w.ZeroGrad()
		of.ZeroGrad()
		y, want := l.ForwardWeighted(looped, x, w), l.ForwardWeighted(bare, x, of)
		wantTensor(t, "weighted", y.Tensor(), want.Tensor())
		y.Sum().Backward()
		want.Sum().Backward()
		d := of.Gradient().Float64s()
		near(t, "gradient", w.Gradient().Float64s(), []float64{0, d[0], d[1], 0, d[2], 0}, 1e-12)
	}
}

// A filter of one weight is a linear layer, whatever the graph.
func TestFiltersOfOneWeightAreLinear(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	x := autograd.Constant(randn(tensor.Float32, 1, 6, 5))
	cheb, tag := gnn.NewChebConv(5, 3, 1, gnn.ChebConfig{}, r), gnn.NewTAGConv(5, 3, 0, gnn.TAGConfig{}, r)
	stir([]any{cheb, tag})
	for name, l := range map[string]struct {
		layer interface {
			Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
		}
		lins []*nn.Linear
		bias *autograd.Var
	}{"cheb": {cheb, cheb.Lins, cheb.Bias}, "tag": {tag, tag.Lins, tag.Bias}} {
		if len(l.lins) != 1 {
			t.Fatalf("%s has %d weights", name, len(l.lins))
		}
		want := l.lins[0].Forward(x).Add(l.bias)
		near(t, name, l.layer.Forward(g, x).Tensor().Float64s(), want.Tensor().Float64s(), 1e-6)
	}
}

func TestLambdaThatDoesNotFitIsMisuse(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5))
	sym := gnn.NewChebConv(5, 3, 2, gnn.ChebConfig{}, r)
	plain := gnn.NewChebConv(5, 3, 2, gnn.ChebConfig{Laplacian: gnn.PlainLaplacian}, r)
	of := func(dt tensor.DType, shape ...int) func() {
		return func() { sym.ForwardScaled(g, x, nil, autograd.Constant(tensor.Ones(dt, shape...))) }
	}
	wantMisuses(t, map[string]func(){
		"gnn: ChebConv: there is no lambda: PlainLaplacian takes it from ChebConfig.LambdaMax or ForwardScaled":                    func() { plain.Forward(g, x) },
		"gnn: ChebConv: lambda has shape [5], the layer takes one for each of 6 vertices, [6]":                                     of(tensor.Float32, 5),
		"gnn: ChebConv: lambda has shape [6 1], the layer takes one for each of 6 vertices, [6]":                                   of(tensor.Float32, 6, 1),
		"gnn: ChebConv: lambda holds f64, the layer's weights f32: convert lambda (tensor.Tensor.To), or make the layer WithDType": of(tensor.Float64, 6),
	})
	y := plain.ForwardScaled(g, x, nil, autograd.Constant(tensor.Ones(tensor.Float32, 6)))
	if !y.Shape().Equal(tensor.Shape{6, 3}) {
		t.Errorf("the result has shape %v", y.Shape())
	}
}

// Filters that are exchanged by hand are all there, and have no bias, which nothing would add.
func TestFiltersExchangedByHandFit(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	x := autograd.Constant(randn(tensor.Float32, 1, 6, 5))
	one := func(opts ...nn.LinearOption) *nn.Linear { return nn.NewLinear(5, 3, r, opts...) }
	bare := one(nn.NoBias())
	for want, lins := range map[string][]*nn.Linear{
		"0 filters in Lins, want 3":                                    nil,
		"2 filters in Lins, want 3":                                    {bare, bare},
		"4 filters in Lins, want 3":                                    {bare, bare, bare, bare},
		"Lins[0] is nil or has no weight":                              {nil, bare, bare},
		"Lins[2] is nil or has no weight":                              {bare, bare, {}},
		"Lins[1] has a bias; that of the layer is Bias: use nn.NoBias": {bare, one(), bare},
	} {
		cheb, tag := gnn.NewChebConv(5, 3, 3, gnn.ChebConfig{}, r), gnn.NewTAGConv(5, 3, 2, gnn.TAGConfig{}, r)
		cheb.Lins, tag.Lins = lins, lins
		wantMisuses(t, map[string]func(){
			"gnn: ChebConv: " + want: func() { cheb.Forward(g, x) },
			"gnn: TAGConv: " + want:  func() { tag.Forward(g, x) },
		})
	}
}
