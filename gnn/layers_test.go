package gnn_test

// The layers: gradients, misuse of constructors and calls, and what their docs
// promise.

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestLayerGradientsEqualCentralDifferences(t *testing.T) {
	g := messy(t)
	for name, l := range convs(tensor.Float64) {
		nn.SetTraining(l, false) // dropout draws a new mask at every call
		xs := append([]*autograd.Var{autograd.Variable(randn(tensor.Float64, 1, 6, 5))}, nn.Parameters(l)...)
		for i, p := range xs[1:] { // biases too are away from 0
			copy(tensor.Data[float64](p.Tensor()), tensor.Data[float64](randn(tensor.Float64, uint64(i)+2, p.Shape()...)))
		}
		if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return l.Forward(g, xs[0]) }, xs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Seastar's GCN multiplies each neighbour's feature by the weight inside the
// vertex function; the compiler moves the product to the vertices.
func TestGCNWithTheProductInTheVertexFunctionEqualsTheLayer(t *testing.T) {
	l := gnn.NewGCNConvNorm(5, 3, gnn.BothDegrees, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	seastar := vc.Compile("gcn", func(v vc.Vertex) vc.Value {
		norm := func(degree vc.Value) vc.Value { return degree.Maximum(vc.Number(1)).Rsqrt() }
		u := v.InNeighbors()
		h := vc.Sum(u.Feature("h").MatMul(vc.Param("W")).Mul(norm(u.OutDegree())))
		return h.Mul(norm(v.InDegree())).Add(vc.Param("b"))
	})
	g := messy(t)
	x := autograd.Variable(randn(tensor.Float64, 2, 6, 5))
	leaves := []*autograd.Var{x, l.Weight, l.Bias}
	grads := func(out *autograd.Var) (all []float64) {
		for _, v := range leaves {
			v.ZeroGrad()
		}
		out.BackwardWith(randn(tensor.Float64, 3, 6, 3))
		for _, v := range leaves {
			all = append(all, v.Gradient().Float64s()...)
		}
		return append(all, out.Tensor().Float64s()...)
	}
	bindings := []vc.Binding{vc.VertexFeature("h", x), vc.ParamValue("W", l.Weight), vc.ParamValue("b", l.Bias)}
	near(t, "result and gradients", grads(seastar.Run(g, bindings...)), grads(l.Forward(g, x)), 1e-13)
	noEdgeTensors(t, "gcn", g, seastar.Compiled(g, bindings...))
}

func TestGATHeadsAreConcatenatedOrAveraged(t *testing.T) {
	g := messy(t)
	x := autograd.Constant(randn(tensor.Float64, 1, 6, 5))
	wide := gnn.NewGATConv(5, 2, 3, gnn.GATConfig{}, nn.NewRNG(1), gnn.WithDType(tensor.Float64), gnn.NoBias())
	flat := gnn.NewGATConv(5, 2, 3, gnn.GATConfig{Mean: true}, nn.NewRNG(1), gnn.WithDType(tensor.Float64), gnn.NoBias())
	flat.Weight, flat.AttnSrc, flat.AttnDst = wide.Weight, wide.AttnSrc, wide.AttnDst
	y := wide.Forward(g, x).Tensor()
	var want []float64
	for v := range 6 {
		for k := range 2 {
			want = append(want, (y.At(v, k)+y.At(v, 2+k)+y.At(v, 4+k))/3)
		}
	}
	near(t, "mean of the heads", flat.Forward(g, x).Tensor().Float64s(), want, 1e-14)
}

func TestLayersTakeEmptyGraphs(t *testing.T) {
	for _, g := range []*graph.Graph{mustGraph(t, 0, nil, nil), mustGraph(t, 3, nil, nil)} {
		for name, l := range convs(tensor.Float32) {
			x := autograd.Variable(randn(tensor.Float32, 1, g.NumVertices(), 5))
			out := l.Forward(g, x)
			if !out.Shape().Equal(tensor.Shape{g.NumVertices(), 6}) {
				t.Errorf("%s: the result has shape %v", name, out.Shape())
			}
			out.BackwardWith(tensor.Zeros(tensor.Float32, out.Shape()...))
			if !x.Gradient().Shape().Equal(x.Shape()) {
				t.Errorf("%s: the gradient has shape %v", name, x.Gradient().Shape())
			}
			for _, v := range out.Tensor().Float64s() {
				if math.IsNaN(v) {
					t.Fatalf("%s: a vertex without edges is NaN", name)
				}
			}
		}
	}
}

func TestConstructorsRejectWhatMakesNoSense(t *testing.T) {
	r := nn.NewRNG(1)
	for name, c := range map[string]struct {
		make func()
		want []string
	}{
		"no inputs":             {func() { gnn.NewGCNConv(0, 3, r) }, []string{"GCNConv", "0"}},
		"negative outputs":      {func() { gnn.NewGCNConv(3, -1, r) }, []string{"GCNConv", "-1"}},
		"no heads":              {func() { gnn.NewGATConv(3, 2, 0, gnn.GATConfig{}, r) }, []string{"GATConv", "0"}},
		"no head features":      {func() { gnn.NewGATConv(3, 0, 2, gnn.GATConfig{}, r) }, []string{"GATConv", "0"}},
		"attention dropout > 1": {func() { gnn.NewGATConv(3, 2, 2, gnn.GATConfig{AttnDropout: 1.5}, r) }, []string{"GATConv", "1.5"}},
		"attention dropout < 0": {func() { gnn.NewGATConv(3, 2, 2, gnn.GATConfig{AttnDropout: -1}, r) }, []string{"GATConv", "-1"}},
		"attention dropout NaN": {func() { gnn.NewGATConv(3, 2, 2, gnn.GATConfig{AttnDropout: math.NaN()}, r) }, []string{"GATConv", "NaN"}},
		"integer weights":       {func() { gnn.NewGCNConv(3, 2, r, gnn.WithDType(tensor.Int32)) }, []string{"i32"}},
		"unknown norm":          {func() { gnn.NewGCNConvNorm(3, 2, gnn.Norm(7), r) }, []string{"GCNConv", "7"}},
		"model without classes": {func() { gnn.NewGCN(3, 2, 0, 0.5, r) }, []string{"GCNConv", "0"}},
		"model without hidden":  {func() { gnn.NewGAT(3, 0, 8, 7, 1, 0.5, r) }, []string{"GATConv", "0"}},
		"model dropout":         {func() { gnn.NewGCN(3, 2, 2, 2, r) }, []string{"2 is outside [0, 1]"}},
		"GAT's dropout":         {func() { gnn.NewGAT(3, 2, 2, 2, 2, -2, r) }, []string{"-2"}},
	} {
		err := autograd.Try(c.make)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: error is %q; it should contain %q", name, err, w)
			}
		}
	}
}

func TestForwardRejectsWhatDoesNotFit(t *testing.T) {
	g := messy(t)
	bipartite, err := graph.NewBipartite(5, 6, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	writtenBy := graph.EdgeType{Src: "paper", Name: "written by", Dst: "author"}
	h, err := new(graph.HeteroBuilder).Vertices("paper", 5).Vertices("author", 3).Edges(writtenBy, []int32{4, 0}, []int32{2, 1}).Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range convs(tensor.Float32) {
		for what, c := range map[string]struct {
			g    *graph.Graph
			x    *tensor.Tensor
			want []string
		}{
			"columns":   {g, tensor.Zeros(tensor.Float32, 6, 4), []string{"x has 4 features, the layer takes 5"}},
			"rows":      {g, tensor.Zeros(tensor.Float32, 7, 5), []string{"x has 7 rows, the graph 6 vertices"}},
			"rank":      {g, tensor.Zeros(tensor.Float32, 5), []string{"x has shape [5], the layer takes [6 5]"}},
			"type":      {g, tensor.Zeros(tensor.Float64, 6, 5), []string{"x holds f64, the layer's weights f32: convert x"}},
			"bipartite": {bipartite, tensor.Zeros(tensor.Float32, 5, 5), []string{"a bipartite graph of 5 sources and 6 destinations is no block"}},
			"relation":  {h.Relation(writtenBy), tensor.Zeros(tensor.Float32, 5, 5), []string{"the graph is the relation (paper, written by, author) and no block"}},
		} {
			if name == "gcn of both degrees" && c.g != g {
				continue // it reads no destination
			}
			forward := autograd.Try(func() { l.Forward(c.g, autograd.Constant(c.x)) })
			compiled := autograd.Try(func() { l.Compiled(c.g, autograd.Constant(c.x)) })
			if forward == nil || compiled == nil || forward.Error() != compiled.Error() {
				t.Errorf("%s, wrong %s: errors are %v and %v; they should be one", name, what, forward, compiled)
				continue
			}
			for _, w := range c.want {
				if !strings.Contains(forward.Error(), w) {
					t.Errorf("%s, wrong %s: error is %q; it should contain %q", name, what, forward, w)
				}
			}
		}
	}
}

func TestErrorsNameTheLayer(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5))
	gcn, gat := gnn.NewGCNConv(7, 1, r), gnn.NewGATConv(5, 2, 3, gnn.GATConfig{}, r)
	for want, f := range map[string]func(){
		"gnn: GCNConv: size 0; want sizes above 0":                        func() { gnn.NewGCNConv(0, 1, r) },
		"gnn: GCNConv: x has 5 features, the layer takes 7":               func() { gcn.Forward(g, x) },
		"gnn: GCNConv: x is nil":                                          func() { gcn.Forward(g, nil) },
		"gnn: GATConv: x is nil":                                          func() { gat.Compiled(g, nil) },
		"gnn: GATConv: the graph is nil":                                  func() { gat.Forward(nil, x) },
		"gnn: GCNConv: the layer has no program; make it with NewGCNConv": func() { (&gnn.GCNConv{}).Forward(g, x) },
		"gnn: GATConv: the layer has no program; make it with NewGATConv": func() { (*gnn.GATConv)(nil).Forward(g, x) },
	} {
		var typed *gnn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
	for name, f := range map[string]func(){
		"zero GCN": func() { (&gnn.GCN{}).Forward(g, x) },
		"zero GAT": func() { (&gnn.GAT{}).Forward(g, x) },
		"no RNG":   func() { gnn.NewGAT(5, 2, 3, 2, 1, 0.5, nil) },
	} {
		var typed *nn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) {
			t.Errorf("%s: the error is %T %v, want an *nn.Error", name, err, err)
		}
	}
}

// Attention dropout is part of training: it changes from call to call, the same
// way for the same seed, and is off in evaluation.
func TestAttentionDropoutFollowsTheMode(t *testing.T) {
	g := random(t, 20, 100)
	x := autograd.Constant(randn(tensor.Float32, 1, 20, 5))
	layer := func() *gnn.GATConv {
		return gnn.NewGATConv(5, 2, 3, gnn.GATConfig{AttnDropout: 0.5}, nn.NewRNG(4))
	}
	a, b := layer(), layer()
	out := func(l *gnn.GATConv) []float64 { return l.Forward(g, x).Tensor().Float64s() }
	first := out(a)
	a.Compiled(g, x) // looks only
	second := out(a)
	if slices.Equal(first, second) {
		t.Error("two training passes have one mask")
	}
	if !sameBits(first, out(b)) || !sameBits(second, out(b)) {
		t.Error("one seed gives two sequences of masks")
	}
	a.SetTraining(false)
	if still := out(a); !sameBits(still, out(a)) || slices.Equal(still, first) {
		t.Error("dropout is not off in evaluation")
	}
}
