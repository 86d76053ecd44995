package gnn_test

// What single layers promise beside their formulas.

import (
	"bytes"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// What is saved of a layer and loaded into another makes that one the same.
func TestLoadedLayersEqualSavedOnes(t *testing.T) {
	saved, loaded := layerCases(tensor.Float32), layerCases(tensor.Float32)
	for i, c := range saved {
		stir(c.layer)
		var file bytes.Buffer
		if err := nn.Save(&file, c.layer); err != nil {
			t.Fatal(err)
		}
		if err := nn.Load(&file, loaded[i].layer); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		nn.Eval(c.layer)
		nn.Eval(loaded[i].layer)
		g := c.on(messy(t))
		x, f := c.inputs(g, tensor.Float32)
		if a, b := c.forward(g, x, f), loaded[i].forward(g, x, f); !sameBits(a.Tensor().Float64s(), b.Tensor().Float64s()) {
			t.Errorf("%s: the loaded layer gives another result", c.name)
		}
	}
}

// Layers with dropout inside draw anew in every training pass, the same for the
// same seed, and not at all in evaluation.
func TestDropoutInsideLayersFollowsTheMode(t *testing.T) {
	g := random(t, 20, 100)
	x := autograd.Constant(randn(tensor.Float32, 1, 20, 5))
	f := autograd.Constant(randn(tensor.Float32, 2, 100, 4))
	for name, layer := range map[string]func() (any, func() *autograd.Var){
		"gatv2": func() (any, func() *autograd.Var) {
			l := gnn.NewGATv2Conv(5, 2, 3, gnn.GATConfig{AttnDropout: 0.5}, nn.NewRNG(4))
			return l, func() *autograd.Var { return l.Forward(g, x) }
		},
		"cgat": func() (any, func() *autograd.Var) {
			l := gnn.NewCGATConv(5, 4, 2, 3, gnn.GATConfig{AttnDropout: 0.5}, nn.NewRNG(4))
			return l, func() *autograd.Var { return l.Forward(g, x, f) }
		},
		"transformer": func() (any, func() *autograd.Var) {
			l := gnn.NewTransformerConv(5, 2, 3, gnn.TransformerConfig{AttnDropout: 0.5, Edge: 4}, nn.NewRNG(4))
			return l, func() *autograd.Var { return l.Forward(g, x, f) }
		},
		"appnp": func() (any, func() *autograd.Var) {
			l := gnn.NewAPPNP(gnn.APPNPConfig{Dropout: 0.5}, nn.NewRNG(4))
			return l, func() *autograd.Var { return l.Forward(g, x) }
		},
	} {
		a, runA := layer()
		_, runB := layer()
		out := func(run func() *autograd.Var) []float64 { return run().Tensor().Float64s() }
		first, second := out(runA), out(runA)
		if sameBits(first, second) {
			t.Errorf("%s: two training passes have one mask", name)
		}
		if !sameBits(first, out(runB)) || !sameBits(second, out(runB)) {
			t.Errorf("%s: one seed gives two sequences of masks", name)
		}
		nn.Eval(a)
		if still := out(runA); !sameBits(still, out(runA)) || sameBits(still, first) {
			t.Errorf("%s: dropout is not off in evaluation", name)
		}
	}
}

// An entry of P is kept with probability 1-p and scaled by its inverse: with one
// step and α = 0 almost, the mean over many passes is the propagation itself.
func TestDropoutOfAPPNPKeepsTheMean(t *testing.T) {
	g := random(t, 10, 60)
	x := autograd.Constant(tensor.Full(tensor.Float64, 1, 10, 1))
	l := gnn.NewAPPNP(gnn.APPNPConfig{Steps: 1, Alpha: 1e-9, Dropout: 0.4}, nn.NewRNG(1))
	const passes = 4000
	mean := make([]float64, 10)
	for range passes {
		mean = plus(mean, scaled(l.Forward(g, x).Tensor().Float64s(), 1.0/passes))
	}
	nn.Eval(l)
	near(t, "mean", mean, l.Forward(g, x).Tensor().Float64s(), 0.05)
}

// GCN with the degrees of both ends runs on blocks and relations too: DGL's norm "both".
func TestGCNOfBothDegreesOnABlockEqualsItsFormula(t *testing.T) {
	l := gnn.NewGCNConvNorm(5, 6, gnn.BothDegrees, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	stir(l)
	toMore := graph.EdgeType{Src: "venue", Name: "publishes", Dst: "paper"}
	h, err := new(graph.HeteroBuilder).Vertices("venue", 2).Vertices("paper", 4).Edges(toMore, []int32{1, 0, 1}, []int32{3, 3, 0}).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range append(append(someBlocks(t), degenerate(t)...), namedGraph{"relation", h.Relation(toMore)}) {
		x := autograd.Variable(randn(tensor.Float64, 1, g.NumSrc(), 5))
		norm := func(degree int32) float64 { return 1 / math.Sqrt(math.Max(float64(degree), 1)) }
		want := make(matrix, g.NumDst())
		for v := range want {
			sum := reduced("sum", 5, messages(g.Graph, v, func(a arc) []float64 {
				return scaled(rowsOf(x)[a.u], norm(g.OutDegrees()[a.u])*norm(g.InDegrees()[v]))
			}))
			want[v] = plus(times(sum, l.Weight), vector(l.Bias))
		}
		near(t, g.name, l.Forward(g.Graph, x).Tensor().Float64s(), want.flat(), 1e-12)
	}
}

func TestPNADeltaIsTheMeanLogarithmOfTheDegrees(t *testing.T) {
	one := mustGraph(t, 3, []int32{0, 1, 2, 2}, []int32{0, 0, 0, 1}) // in-degrees 3, 1, 0
	two := mustGraph(t, 1, []int32{0}, []int32{0})
	want := (math.Log(4) + math.Log(2) + math.Log(1) + math.Log(2)) / 4
	near(t, "delta", []float64{gnn.PNADelta(one, two)}, []float64{want}, 1e-15)
}

func TestGCN2BetaDecaysWithTheLayer(t *testing.T) {
	near(t, "beta", []float64{gnn.GCN2Beta(0.5, 1), gnn.GCN2Beta(0.5, 4)}, []float64{math.Log(1.5), math.Log(1.125)}, 1e-15)
}

// The first representation need not be the one propagated.
func TestGCN2ConvMixesInItsFirstRepresentation(t *testing.T) {
	g := random(t, 20, 70)
	l := gnn.NewGCN2Conv(5, 0.25, 0.5, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	x, x0 := randn(tensor.Float64, 1, 20, 5), randn(tensor.Float64, 2, 20, 5)
	run := func(x, x0 *tensor.Tensor) []float64 {
		return l.Forward(g, autograd.Constant(x), autograd.Constant(x0)).Tensor().Float64s()
	}
	zero := tensor.Zeros(tensor.Float64, 20, 5)
	near(t, "sum of its parts", run(x, x0), plus(run(x, zero), run(zero, x0)), 1e-13)
	var want matrix
	for _, row := range rowsOf(autograd.Constant(x0)) {
		want = append(want, scaled(plus(row, times(row, l.Weight)), 0.25*0.5))
	}
	near(t, "first representation alone", run(zero, x0), want.flat(), 1e-13)
	if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return l.Forward(g, xs[0], xs[1]) },
		[]*autograd.Var{autograd.Variable(x), autograd.Variable(x0), l.Weight}); err != nil {
		t.Error(err)
	}
}
