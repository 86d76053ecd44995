package gnn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestLabelPropagationAndCorrectAndSmoothEqualPyG(t *testing.T) {
	cases := pygCases(t)["labels"]
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for i, c := range cases {
		s := c["settings"].Float64s()
		steps := int(s[0])
		truth, soft := autograd.Constant(c["truth"]), autograd.Variable(c["soft"])
		g, known := mustGraph(t, truth.Shape()[0], c.ints("src"), c.ints("dst")), c.ints("known")
		propagation := gnn.NewLabelPropagation(gnn.LabelPropagationConfig{Steps: steps, Alpha: s[1]})
		half := gnn.NewLabelPropagation(gnn.LabelPropagationConfig{
			Steps: steps, Alpha: s[1], Post: func(z vc.Value) vc.Value { return z.Scale(0.5) },
		})
		cfg := gnn.CorrectAndSmoothConfig{CorrectSteps: steps, CorrectAlpha: s[1], SmoothSteps: steps + 1, SmoothAlpha: s[2]}
		own := gnn.NewCorrectAndSmooth(cfg)
		cfg.Scale = s[3]
		fixed := gnn.NewCorrectAndSmooth(cfg)
		for suffix, w := range map[string]*autograd.Var{"": nil, "_weighted": autograd.Variable(c["w"])} {
			results := map[string]*autograd.Var{
				"all":           propagation.ForwardWeighted(g, truth, w, nil),
				"masked":        propagation.ForwardWeighted(g, truth, w, known),
				"post":          half.ForwardWeighted(g, soft, w, nil),
				"correct_own":   own.CorrectWeighted(g, soft, truth, w, known),
				"smooth_own":    own.ForwardWeighted(g, soft, truth, w, known),
				"correct_fixed": fixed.CorrectWeighted(g, soft, truth, w, known),
				"smooth_fixed":  fixed.ForwardWeighted(g, soft, truth, w, known),
			}
			if w == nil {
				results["masked"] = propagation.Forward(g, truth, known)
				results["smooth_own"] = own.Smooth(g, own.Correct(g, soft, truth, known), truth, known)
				results["smooth_fixed"] = fixed.Forward(g, soft, truth, known)
			}
			for name, y := range results {
				if y.RequiresGrad() {
					t.Errorf("case %d: %s requires a gradient", i, name)
				}
				wantTensor(t, name+suffix, y.Tensor(), c[name+suffix])
			}
		}
	}
}

// Rows of vertices that are not known may hold anything, and known ones come in any order.
func TestOnlyKnownLabelsAreLookedAt(t *testing.T) {
	g := messy(t)
	n := g.NumVertices()
	y := autograd.Constant(tensor.Rand(tensor.Float64, 1, n, 3))
	hidden := y.Tensor().Clone()
	for v := range n {
		if v != 1 && v != 4 {
			for c := range 3 {
				tensor.Data[float64](hidden)[3*v+c] = math.NaN()
			}
		}
	}
	soft := autograd.Constant(tensor.Rand(tensor.Float64, 2, n, 3))
	propagation := gnn.NewLabelPropagation(gnn.LabelPropagationConfig{Steps: 2, Alpha: 0.7})
	own := gnn.NewCorrectAndSmooth(gnn.CorrectAndSmoothConfig{CorrectSteps: 2, CorrectAlpha: 0.7, SmoothSteps: 2, SmoothAlpha: 0.6})
	for name, f := range map[string]func(y *autograd.Var, known []int32) *autograd.Var{
		"propagation":        func(y *autograd.Var, known []int32) *autograd.Var { return propagation.Forward(g, y, known) },
		"correct and smooth": func(y *autograd.Var, known []int32) *autograd.Var { return own.Forward(g, soft, y, known) },
	} {
		want := f(y, []int32{1, 4}).Tensor()
		known := []int32{4, 1, 4}
		wantTensor(t, name, f(autograd.Constant(hidden), known).Tensor(), want)
		if !slices.Equal(known, []int32{4, 1, 4}) {
			t.Errorf("%s changed the list of known vertices", name)
		}
	}
}

// Without errors PyG's model has 0/0 for a scale.
func TestCorrectLeavesPredictionsWithoutErrorsAsTheyAre(t *testing.T) {
	g := messy(t)
	soft := autograd.Constant(tensor.Rand(tensor.Float64, 2, g.NumVertices(), 3))
	own := gnn.NewCorrectAndSmooth(gnn.CorrectAndSmoothConfig{CorrectSteps: 2, CorrectAlpha: 0.7, SmoothSteps: 2, SmoothAlpha: 0.6})
	for _, known := range [][]int32{nil, {0, 2}, {}} {
		wantTensor(t, "corrected", own.Correct(g, soft, soft, known).Tensor(), soft.Tensor())
	}
}

func TestLabelPropagationComputesInFloat32(t *testing.T) {
	g := messy(t)
	y := tensor.Rand(tensor.Float64, 1, g.NumVertices(), 3)
	w := tensor.Rand(tensor.Float64, 2, g.NumEdges())
	l := gnn.NewLabelPropagation(gnn.LabelPropagationConfig{Steps: 3, Alpha: 0.7})
	own := gnn.NewCorrectAndSmooth(gnn.CorrectAndSmoothConfig{CorrectSteps: 2, CorrectAlpha: 0.7, SmoothSteps: 2, SmoothAlpha: 0.6})
	for name, f := range map[string]func(y, w *autograd.Var) *autograd.Var{
		"propagation": func(y, w *autograd.Var) *autograd.Var { return l.ForwardWeighted(g, y, w, []int32{1, 2}) },
		"correct and smooth": func(y, w *autograd.Var) *autograd.Var {
			return own.ForwardWeighted(g, y, y.Scale(0.5), w, []int32{1, 2})
		},
	} {
		got := f(autograd.Constant(y.To(tensor.Float32)), autograd.Constant(w.To(tensor.Float32))).Tensor()
		if got.DType() != tensor.Float32 {
			t.Errorf("%s gives %v", name, got.DType())
		}
		near32(t, name, got.Float64s(), f(autograd.Constant(y), autograd.Constant(w)).Tensor().Float64s())
	}
}

func TestLabelPropagationRejectsWhatDoesNotFit(t *testing.T) {
	g := messy(t)
	n := g.NumVertices()
	block, err := graph.NewBipartite(n, 2, []int32{0}, []int32{1})
	if err != nil {
		t.Fatal(err)
	}
	y, y64 := autograd.Constant(tensor.Zeros(tensor.Float32, n, 3)), autograd.Constant(tensor.Zeros(tensor.Float64, n, 3))
	w64 := autograd.Constant(tensor.Zeros(tensor.Float64, g.NumEdges()))
	two := autograd.Constant(tensor.Zeros(tensor.Float32, n, 2))
	cfg := gnn.CorrectAndSmoothConfig{CorrectSteps: 1, CorrectAlpha: 0.5, SmoothSteps: 1, SmoothAlpha: 0.5}
	l, cs := gnn.NewLabelPropagation(gnn.LabelPropagationConfig{Steps: 1, Alpha: 0.5}), gnn.NewCorrectAndSmooth(cfg)
	with := func(change func(*gnn.CorrectAndSmoothConfig)) func() {
		return func() { c := cfg; change(&c); gnn.NewCorrectAndSmooth(c) }
	}
	for want, f := range map[string]func(){
		"LabelPropagation: size 0; want sizes above 0":                                             func() { gnn.NewLabelPropagation(gnn.LabelPropagationConfig{}) },
		"LabelPropagation: alpha 2 is outside [0, 1]":                                              func() { gnn.NewLabelPropagation(gnn.LabelPropagationConfig{Steps: 1, Alpha: 2}) },
		"LabelPropagation: the graph is bipartite, the layer takes a homogeneous one":              func() { l.Forward(block, y, nil) },
		"LabelPropagation: the graph is nil":                                                       func() { l.Forward(nil, y, nil) },
		"LabelPropagation: y is nil":                                                               func() { l.Forward(g, nil, nil) },
		"LabelPropagation: vertex 6 is known; the graph has 6":                                     func() { l.Forward(g, y, []int32{0, 6}) },
		"LabelPropagation: vertex -1 is known; the graph has 6":                                    func() { l.Forward(g, y, []int32{-1}) },
		"LabelPropagation: w holds f64, y f32: convert one of them (tensor.Tensor.To)":             func() { l.ForwardWeighted(g, y, w64, nil) },
		"LabelPropagation: w has shape [6 3], the layer takes a weight for each of 12 edges, [12]": func() { l.ForwardWeighted(g, y, y, nil) },
		"CorrectAndSmooth: size -1; want sizes above 0":                                            with(func(c *gnn.CorrectAndSmoothConfig) { c.SmoothSteps = -1 }),
		"CorrectAndSmooth: size 0; want sizes above 0":                                             with(func(c *gnn.CorrectAndSmoothConfig) { c.CorrectSteps = 0 }),
		"CorrectAndSmooth: the alpha of correction NaN is outside [0, 1]":                          with(func(c *gnn.CorrectAndSmoothConfig) { c.CorrectAlpha = math.NaN() }),
		"CorrectAndSmooth: the alpha of smoothing -1 is outside [0, 1]":                            with(func(c *gnn.CorrectAndSmoothConfig) { c.SmoothAlpha = -1 }),
		"CorrectAndSmooth: the scale is +Inf; want a finite number":                                with(func(c *gnn.CorrectAndSmoothConfig) { c.Scale = math.Inf(1) }),
		"CorrectAndSmooth: the graph is bipartite, the layer takes a homogeneous one":              func() { cs.Forward(block, y, y, nil) },
		"CorrectAndSmooth: the graph is nil":                                                       func() { cs.Forward(nil, y, y, nil) },
		"CorrectAndSmooth: soft is nil":                                                            func() { cs.Forward(g, nil, y, nil) },
		"CorrectAndSmooth: y has 2 features, the layer takes 3":                                    func() { cs.Forward(g, y, two, nil) },
		"CorrectAndSmooth: y holds f64, soft f32: convert one of them (tensor.Tensor.To)":          func() { cs.Forward(g, y, y64, nil) },
		"CorrectAndSmooth: w holds f64, soft f32: convert one of them (tensor.Tensor.To)":          func() { cs.ForwardWeighted(g, y, y, w64, nil) },
		"CorrectAndSmooth: vertex 9 is known; the graph has 6":                                     func() { cs.Smooth(g, y, y, []int32{9}) },
	} {
		if err := autograd.Try(f); err == nil || err.Error() != "gnn: "+want {
			t.Errorf("%v, want gnn: %s", err, want)
		}
	}
}
