package gnn_test

// Normalisations over graphs: each graph by itself in plain loops, gradients, degenerate
// batches, misuse. PyG's values are in pyg_test.go.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// A normalisation of a batch, and the same of one graph's vertices in float64.
type normCase struct {
	layer any // nil: it has no parameters
	apply func(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var
	naive func(x matrix) matrix
}

// normCases are normalisations of poolIn features, their parameters no longer what they
// are made with.
func normCases(dt tensor.DType) map[string]normCase {
	with := gnn.WithDType(dt)
	gn := gnn.NewGraphNorm(poolIn, gnn.GraphNormConfig{}, with)
	bare := gnn.NewGraphNorm(poolIn, gnn.GraphNormConfig{Eps: 0.2}, with, gnn.NoBias())
	inst := gnn.NewInstanceNorm(poolIn, gnn.InstanceNormConfig{}, with)
	affine := gnn.NewInstanceNorm(poolIn, gnn.InstanceNormConfig{Affine: true, Eps: 0.1}, with)
	ln := gnn.NewGraphLayerNorm(poolIn, gnn.GraphLayerNormConfig{}, with)
	pair, si := gnn.NewPairNorm(gnn.PairNormConfig{Scale: 3}), gnn.NewPairNorm(gnn.PairNormConfig{Scale: -2, ScaleIndividually: true, Eps: 0.25})
	cases := map[string]normCase{
		"graph norm":              {gn, gn.Forward, func(x matrix) matrix { return naiveNorm(x, gn.MeanScale, gn.Weight, gn.Bias, 1e-5) }},
		"graph norm without bias": {bare, bare.Forward, func(x matrix) matrix { return naiveNorm(x, bare.MeanScale, bare.Weight, nil, 0.2) }},
		"instance norm":           {inst, inst.Forward, func(x matrix) matrix { return naiveNorm(x, nil, nil, nil, 1e-5) }},
		"affine instance norm":    {affine, affine.Forward, func(x matrix) matrix { return naiveNorm(x, nil, affine.Weight, affine.Bias, 0.1) }},
		"graph layer norm":        {ln, ln.Forward, func(x matrix) matrix { return naiveLayerNorm(x, ln.Weight, ln.Bias) }},
		"pair norm":               {pair, pair.Forward, func(x matrix) matrix { return naivePairNorm(x, 3, 1e-5) }},
		"individual pair norm":    {si, si.Forward, func(x matrix) matrix { return naivePairNormSI(x, -2, 0.25) }},
		"mean subtraction":        {nil, gnn.MeanSubtractionNorm, centredRows},
		"graph size norm": {nil, gnn.GraphSizeNorm, func(x matrix) matrix {
			return eachRow(x, func(row []float64) []float64 { return scaled(row, 1/math.Sqrt(float64(len(x)))) })
		}},
	}
	for _, c := range cases {
		if c.layer == nil {
			continue
		}
		for i, p := range nn.Parameters(c.layer) {
			p.SetTensor(randn(dt, uint64(50+i), poolIn))
		}
	}
	return cases
}

func eachRow(x matrix, f func(row []float64) []float64) (out matrix) {
	for _, row := range x {
		out = append(out, f(row))
	}
	return out
}

func meanRow(x matrix) []float64 {
	sum := make([]float64, poolIn)
	for _, row := range x {
		sum = plus(sum, row)
	}
	return scaled(sum, 1/float64(len(x)))
}

func centredRows(x matrix) matrix {
	mean := meanRow(x)
	return eachRow(x, func(row []float64) []float64 { return plus(row, scaled(mean, -1)) })
}

// parameterOr is element k of a parameter, or a number without it.
func parameterOr(p *autograd.Var, k int, otherwise float64) float64 {
	if p == nil {
		return otherwise
	}
	return vector(p)[k]
}

// naiveNorm is GraphNorm, of alpha 1 InstanceNorm.
func naiveNorm(x matrix, alpha, gamma, beta *autograd.Var, eps float64) matrix {
	mean := meanRow(x)
	variance := make([]float64, poolIn)
	shifted := func(row []float64, k int) float64 { return row[k] - parameterOr(alpha, k, 1)*mean[k] }
	for _, row := range x {
		for k := range variance {
			variance[k] += shifted(row, k) * shifted(row, k) / float64(len(x))
		}
	}
	return eachRow(x, func(row []float64) (out []float64) {
		for k := range row {
			out = append(out, shifted(row, k)/math.Sqrt(variance[k]+eps)*parameterOr(gamma, k, 1)+parameterOr(beta, k, 0))
		}
		return out
	})
}

func naiveLayerNorm(x matrix, gamma, beta *autograd.Var) matrix {
	n, mean, variance := float64(len(x)*poolIn), 0.0, 0.0
	for _, v := range x.flat() {
		mean += v / n
	}
	for _, v := range x.flat() {
		variance += (v - mean) * (v - mean) / n
	}
	return eachRow(x, func(row []float64) (out []float64) {
		for k := range row {
			out = append(out, (row[k]-mean)/math.Sqrt(variance+1e-5)*vector(gamma)[k]+vector(beta)[k])
		}
		return out
	})
}

func naivePairNorm(x matrix, scale, eps float64) matrix {
	d, mean := centredRows(x), 0.0
	for _, row := range d {
		mean += inner(row, row) / float64(len(x))
	}
	return eachRow(d, func(row []float64) []float64 { return scaled(row, scale/math.Sqrt(mean+eps)) })
}

func naivePairNormSI(x matrix, scale, eps float64) matrix {
	return eachRow(centredRows(x), func(row []float64) []float64 {
		return scaled(row, scale/(math.Sqrt(inner(row, row))+eps))
	})
}

func TestNormalisationsEqualEachGraphByItself(t *testing.T) {
	for _, sizes := range batchSizes {
		g, batch := batched(t, sizes...)
		x := autograd.Constant(randn(tensor.Float64, 1, g.NumVertices(), poolIn))
		for name, c := range normCases(tensor.Float64) {
			out := c.apply(batch, x)
			if !out.Shape().Equal(x.Shape()) {
				t.Fatalf("%s: shape %v of %v", name, out.Shape(), sizes)
			}
			var want matrix
			for i := range sizes {
				want = append(want, c.naive(rowsOf(x)[batch.VertexOffsets[i]:batch.VertexOffsets[i+1]])...)
			}
			near(t, name, rowsOf(out).flat(), want.flat(), 1e-12)
		}
	}
}

func TestNormalisationGradientsEqualCentralDifferences(t *testing.T) {
	for name, c := range normCases(tensor.Float64) {
		sizes := []int{3, 0, 1, 4}
		if name == "individual pair norm" { // the length has a kink at 0, where a vertex alone is
			sizes[2] = 2
		}
		g, batch := batched(t, sizes...)
		xs := []*autograd.Var{autograd.Variable(randn(tensor.Float64, 5, g.NumVertices(), poolIn))}
		if c.layer != nil {
			xs = append(xs, nn.Parameters(c.layer)...)
		}
		if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return c.apply(batch, xs[0]) }, xs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNormalisationGradientsHaveGradients(t *testing.T) {
	g, batch := batched(t, 3, 0, 2, 4)
	cotangent := autograd.Constant(randn(tensor.Float64, 6, g.NumVertices(), poolIn))
	for name, c := range normCases(tensor.Float64) {
		if c.layer == nil { // it is linear
			continue
		}
		gradient := func(xs ...*autograd.Var) *autograd.Var {
			return autograd.Grad(c.apply(batch, xs[0]).Mul(cotangent).Sum(), xs, autograd.CreateGraph())[0]
		}
		x := autograd.Variable(randn(tensor.Float64, 5, g.NumVertices(), poolIn))
		if err := autograd.Gradcheck(gradient, []*autograd.Var{x}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNormalisationsOfAGraphOfOneVertexHaveFiniteGradients(t *testing.T) {
	_, batch := batched(t, 1)
	for name, c := range normCases(tensor.Float32) {
		x := autograd.Variable(randn(tensor.Float32, 3, 1, poolIn))
		c.apply(batch, x).Square().Sum().Backward()
		for _, v := range x.Gradient().Float64s() {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: gradient %v", name, v)
			}
		}
	}
}

// The variance is that of differences from the mean, not a difference of large squares.
func TestNormalisationsOfFarAwayFeaturesKeepTheirDigits(t *testing.T) {
	g, batch := batched(t, 30, 0, 50)
	x := tensor.Add(randn(tensor.Float32, 4, g.NumVertices(), poolIn), tensor.Full(tensor.Float32, 4096))
	narrow, wide := normCases(tensor.Float32), normCases(tensor.Float64)
	for _, name := range []string{"instance norm", "graph layer norm", "pair norm", "individual pair norm", "mean subtraction"} {
		if l := narrow[name].layer; l != nil {
			for i, p := range nn.Parameters(l) {
				nn.Parameters(wide[name].layer)[i].SetTensor(p.Tensor().To(tensor.Float64))
			}
		}
		got := narrow[name].apply(batch, autograd.Constant(x))
		want := wide[name].apply(batch, autograd.Constant(x.To(tensor.Float64)))
		near(t, name, got.Tensor().Float64s(), want.Tensor().Float64s(), 2e-3)
	}
}

func TestGraphNormKeepsWhatItIsTold(t *testing.T) {
	_, batch := batched(t, 4)
	l := gnn.NewGraphNorm(1, gnn.GraphNormConfig{}, gnn.WithDType(tensor.Float64))
	same := autograd.Constant(tensor.Full(tensor.Float64, 3, 4, 1)) // as of a regular graph
	near(t, "all of the mean goes", l.Forward(batch, same).Tensor().Float64s(), []float64{0, 0, 0, 0}, 0)
	l.MeanScale.Tensor().Fill(0)
	near(t, "none of it goes", l.Forward(batch, same).Tensor().Float64s(), []float64{1, 1, 1, 1}, 1e-5)
}

func TestInstanceNormMovesItsEstimatesInTrainingOnly(t *testing.T) {
	g, batch := batched(t, 2, 1, 0)
	_, none := batched(t)
	l := gnn.NewInstanceNorm(1, gnn.InstanceNormConfig{TrackRunningStats: true, Momentum: 0.25}, gnn.WithDType(tensor.Float64))
	x := autograd.Variable(tensor.FromSlice([]float64{0, 6, 12}, g.NumVertices(), 1))
	before := l.RunningMean.Tensor()
	y := l.Forward(batch, x)
	// Means 3, 12 and 0, unbiased variances 18, 0 and 0.
	near(t, "running mean", vector(l.RunningMean), []float64{0.25 * 5}, 1e-15)
	near(t, "running variance", vector(l.RunningVar), []float64{0.75 + 0.25*6}, 1e-15)
	if before.Float64s()[0] != 0 {
		t.Error("the old estimate was written to")
	}
	y.Sum().Backward() // not through the estimates

	l.Forward(none, autograd.Constant(tensor.Zeros(tensor.Float64, 0, 1)))
	near(t, "running mean after no graphs", vector(l.RunningMean), []float64{1.25}, 1e-15)
	nn.Eval(l)
	want := make([]float64, 3)
	for i, v := range x.Tensor().Float64s() {
		want[i] = (v - 1.25) / math.Sqrt(2.25+1e-5)
	}
	for range 2 {
		near(t, "evaluated", l.Forward(batch, x).Tensor().Float64s(), want, 1e-14)
	}
	near(t, "running mean after evaluations", vector(l.RunningMean), []float64{1.25}, 1e-15)
	plain := gnn.NewInstanceNorm(1, gnn.InstanceNormConfig{}, gnn.WithDType(tensor.Float64))
	trained := plain.Forward(batch, x).Tensor().Float64s()
	nn.Eval(plain)
	near(t, "evaluated without estimates", plain.Forward(batch, x).Tensor().Float64s(), trained, 0)
}

func TestNormalisationsHavePyGsDefaults(t *testing.T) {
	g, batch := batched(t, 3, 4)
	x := autograd.Constant(randn(tensor.Float64, 1, g.NumVertices(), 2))
	with := gnn.WithDType(tensor.Float64)
	group := func(cfg gnn.DiffGroupNormConfig) []float64 {
		return gnn.NewDiffGroupNorm(2, 3, cfg, nn.NewRNG(1), with).Forward(x).Tensor().Float64s()
	}
	pair := func(cfg gnn.PairNormConfig) []float64 {
		return gnn.NewPairNorm(cfg).Forward(batch, x).Tensor().Float64s()
	}
	running := func(cfg gnn.InstanceNormConfig) []float64 {
		l := gnn.NewInstanceNorm(2, cfg, with)
		l.Forward(batch, x)
		return append(vector(l.RunningMean), vector(l.RunningVar)...)
	}
	near(t, "group norm", group(gnn.DiffGroupNormConfig{}), group(gnn.DiffGroupNormConfig{Lambda: 0.01}), 0)
	near(t, "pair norm", pair(gnn.PairNormConfig{}), pair(gnn.PairNormConfig{Scale: 1, Eps: 1e-5}), 0)
	near(t, "instance norm", running(gnn.InstanceNormConfig{TrackRunningStats: true}),
		running(gnn.InstanceNormConfig{TrackRunningStats: true, Momentum: 0.1}), 0)
}

func TestMessageNormGivesMessagesTheLengthOfTheirVertices(t *testing.T) {
	l := gnn.NewMessageNorm(gnn.MessageNormConfig{LearnScale: true}, gnn.WithDType(tensor.Float64))
	l.Scale.Tensor().Fill(2)
	h := autograd.Variable(tensor.FromSlice([]float64{3, 4, 0, 0, 5, 12}, 3, 2))
	m := autograd.Variable(tensor.FromSlice([]float64{1, 0, 0, 1, 1, 1, 0, 0, 0}, 3, 3))
	y := l.Forward(h, m)
	near(t, "messages", y.Tensor().Float64s(), []float64{10, 0, 0, 0, 0, 0, 0, 0, 0}, 1e-14)
	y.Sum().Backward()
	for _, g := range append(h.Gradient().Float64s(), m.Gradient().Float64s()...) {
		if math.IsNaN(g) {
			t.Fatal("lengths of 0 have no gradient")
		}
	}
	if fixed := gnn.NewMessageNorm(gnn.MessageNormConfig{}); len(nn.Parameters(fixed)) != 0 || len(nn.NamedBuffers(fixed)) != 1 {
		t.Error("a scale that is not learned is a parameter, or is in no file")
	}
	h, m = autograd.Variable(randn(tensor.Float64, 1, 4, 2)), autograd.Variable(randn(tensor.Float64, 2, 4, 3))
	if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return l.Forward(xs[0], xs[1]) }, []*autograd.Var{h, m, l.Scale}); err != nil {
		t.Error(err)
	}
}

func TestDiffGroupNormOfOneGroupAddsItsBatchNormalisation(t *testing.T) {
	l := gnn.NewDiffGroupNorm(3, 1, gnn.DiffGroupNormConfig{Lambda: 0.5}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	x := autograd.Variable(randn(tensor.Float64, 3, 6, 3))
	norm := nn.NewBatchNorm1d(3, nn.BatchNormConfig{DType: tensor.Float64})
	want := x.Add(norm.Forward(x).Scale(0.5))
	near(t, "one group", l.Forward(x).Tensor().Float64s(), want.Tensor().Float64s(), 1e-14)

	l = gnn.NewDiffGroupNorm(3, 2, gnn.DiffGroupNormConfig{Lambda: 0.5}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return l.Forward(xs[0]) }, append([]*autograd.Var{x}, nn.Parameters(l)...)); err != nil {
		t.Error(err)
	}
	nn.Eval(l) // by the estimates, of which one vertex needs no others
	if s := l.Forward(x.Slice(0, 0, 1)).Shape(); !s.Equal(tensor.Shape{1, 3}) {
		t.Errorf("one vertex: %v", s)
	}
}

func TestNormalisationsRejectWhatDoesNotFit(t *testing.T) {
	_, batch := batched(t, 3, 2)
	r := nn.NewRNG(1)
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	double := autograd.Constant(tensor.Zeros(tensor.Float64, 5, 4))
	gn, ln := gnn.NewGraphNorm(4, gnn.GraphNormConfig{}), gnn.NewGraphLayerNorm(4, gnn.GraphLayerNormConfig{})
	inst := gnn.NewInstanceNorm(4, gnn.InstanceNormConfig{TrackRunningStats: true})
	pair, msg := gnn.NewPairNorm(gnn.PairNormConfig{}), gnn.NewMessageNorm(gnn.MessageNormConfig{})
	group := gnn.NewDiffGroupNorm(4, 2, gnn.DiffGroupNormConfig{}, r)
	changed := func(change func(l *gnn.InstanceNorm)) func() {
		return func() {
			l := gnn.NewInstanceNorm(4, gnn.InstanceNormConfig{Affine: true, TrackRunningStats: true})
			change(l)
			l.Forward(batch, v(5, 4))
		}
	}
	for want, f := range map[string]func(){
		"gnn: GraphNorm: size 0":                      func() { gnn.NewGraphNorm(0, gnn.GraphNormConfig{}) },
		"gnn: GraphNorm: Eps is NaN":                  func() { gnn.NewGraphNorm(4, gnn.GraphNormConfig{Eps: math.NaN()}) },
		"gnn: GraphNorm: Eps is -1; want 0 or more":   func() { gnn.NewGraphNorm(4, gnn.GraphNormConfig{Eps: -1}) },
		"gnn: GraphNorm: batch is nil or empty":       func() { gn.Forward(nil, v(5, 4)) },
		"gnn: GraphNorm: x is nil":                    func() { gn.Forward(batch, nil) },
		"gnn: GraphNorm: x has 3 features, the layer": func() { gn.Forward(batch, v(5, 3)) },
		"gnn: GraphNorm: x has 4 rows, the graph 5":   func() { gn.Forward(batch, v(4, 4)) },
		"gnn: GraphNorm: x holds f64, the layer's":    func() { gn.Forward(batch, double) },
		"gnn: GraphNorm: MeanScale has shape [1], want [4]": func() {
			l := gnn.NewGraphNorm(4, gnn.GraphNormConfig{})
			l.MeanScale = v(1)
			l.Forward(batch, v(5, 4))
		},
		"gnn: GraphNorm: Weight has shape [1 4], want [4]": func() {
			l := gnn.NewGraphNorm(4, gnn.GraphNormConfig{})
			l.Weight = v(1, 4)
			l.Forward(batch, v(5, 4))
		},
		"gnn: PairNorm: Scale is +Inf":                            func() { gnn.NewPairNorm(gnn.PairNormConfig{Scale: math.Inf(1)}) },
		"gnn: PairNorm: x has shape [5], the layer takes a row":   func() { pair.Forward(batch, v(5)) },
		"gnn: InstanceNorm: Momentum 2 is outside (0, 1]":         func() { gnn.NewInstanceNorm(4, gnn.InstanceNormConfig{Momentum: 2}) },
		"gnn: InstanceNorm: Momentum NaN is outside (0, 1]":       func() { gnn.NewInstanceNorm(4, gnn.InstanceNormConfig{Momentum: math.NaN()}) },
		"gnn: InstanceNorm: x holds f64, the layer's":             func() { inst.Forward(batch, double) },
		"gnn: InstanceNorm: the layer has one of RunningMean":     changed(func(l *gnn.InstanceNorm) { l.RunningVar = nil }),
		"gnn: InstanceNorm: RunningMean has shape [1], want [4]":  changed(func(l *gnn.InstanceNorm) { l.RunningMean = v(1) }),
		"gnn: InstanceNorm: Bias has shape [1], want [4]":         changed(func(l *gnn.InstanceNorm) { l.Bias = v(1) }),
		"gnn: GraphLayerNorm: size -2":                            func() { gnn.NewGraphLayerNorm(-2, gnn.GraphLayerNormConfig{}) },
		"gnn: GraphLayerNorm: x holds f64, the layer's":           func() { ln.Forward(batch, double) },
		"gnn: GraphSizeNorm: x has 4 rows, the graph 5 vertices":  func() { gnn.GraphSizeNorm(batch, v(4, 4)) },
		"gnn: MeanSubtractionNorm: batch is nil or empty":         func() { gnn.MeanSubtractionNorm(&graph.BatchInfo{}, v(5, 4)) },
		"gnn: MessageNorm: m is nil":                              func() { msg.Forward(v(5, 4), nil) },
		"gnn: MessageNorm: h has shape [5]; want a row for each":  func() { msg.Forward(v(5), v(5, 4)) },
		"gnn: MessageNorm: h has 5 rows, m 4":                     func() { msg.Forward(v(5, 4), v(4, 4)) },
		"gnn: MessageNorm: h holds f64, the layer's":              func() { msg.Forward(double, v(5, 4)) },
		"gnn: MessageNorm: the layer has no program":              func() { (&gnn.MessageNorm{}).Forward(v(5, 4), v(5, 4)) },
		"gnn: DiffGroupNorm: size 0":                              func() { gnn.NewDiffGroupNorm(4, 0, gnn.DiffGroupNormConfig{}, r) },
		"gnn: DiffGroupNorm: Lambda is NaN":                       func() { gnn.NewDiffGroupNorm(4, 2, gnn.DiffGroupNormConfig{Lambda: math.NaN()}, r) },
		"gnn: DiffGroupNorm: x has 3 features, the layer takes 4": func() { group.Forward(v(5, 3)) },
		"gnn: DiffGroupNorm: x has one row; a training batch":     func() { group.Forward(v(1, 4)) },
	} {
		if err := autograd.Try(f); !isMisuse(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
