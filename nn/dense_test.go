// Bilinear, MLP and attention against their definitions; activations as layers.

package nn_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestForwardReLUIsForwardAndReLU(t *testing.T) {
	for _, opts := range [][]nn.LinearOption{nil, {nn.NoBias()}} {
		l := nn.NewLinear(3, 4, nn.NewRNG(1), opts...)
		x := autograd.Constant(normal(1, 5, 3).Tensor().To(tensor.Float32))
		if got, want := l.ForwardReLU(x).Tensor().Float64s(), l.Forward(x).ReLU().Tensor().Float64s(); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestBilinearIsItsSum(t *testing.T) {
	for _, lead := range [][]int{{}, {4}, {2, 3}, {0}} {
		b := nn.NewBilinear(3, 2, 5, nn.BilinearConfig{DType: tensor.Float64, NoBias: len(lead) == 1}, nn.NewRNG(2))
		x1, x2 := normal(1, append(slices.Clone(lead), 3)...), normal(2, append(slices.Clone(lead), 2)...)
		y := b.Forward(x1, x2)
		if want := tensor.Shape(append(slices.Clone(lead), 5)); !y.Shape().Equal(want) {
			t.Fatalf("shape %v, want %v", y.Shape(), want)
		}
		a, c, w := x1.Tensor().Float64s(), x2.Tensor().Float64s(), b.Weight.Tensor()
		var want []float64
		for n := range tensor.Shape(lead).Size() {
			for o := range 5 {
				sum := 0.0
				if b.Bias != nil {
					sum = b.Bias.Tensor().At(o)
				}
				for i := range 3 {
					for j := range 2 {
						sum += a[n*3+i] * w.At(o, i, j) * c[n*2+j]
					}
				}
				want = append(want, sum)
			}
		}
		wantNear(t, "bilinear", y.Tensor(), 1e-12, want...)
		vars := append([]*autograd.Var{x1, x2}, nn.Parameters(b)...)
		if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return b.Forward(x1, x2) }, vars); err != nil {
			t.Errorf("%v: %v", lead, err)
		}
	}
}

func TestMLPIsItsLayersInARow(t *testing.T) {
	norm := func(n int) nn.Layer { return nn.NewLayerNorm(n, nn.LayerNormConfig{}) }
	x := autograd.Constant(normal(1, 6, 4).Tensor().To(tensor.Float32))
	for name, cfg := range map[string]nn.MLPConfig{
		"plain": {}, "tanh": {Activation: nn.Tanh()}, "norm": {Norm: norm}, "norm and tanh": {Norm: norm, Activation: nn.Tanh()},
	} {
		m := nn.NewMLP([]int{4, 8, 5, 3}, cfg, nn.NewRNG(3))
		activation := cfg.Activation
		if activation == nil {
			activation = nn.ReLU()
		}
		h := x
		for i, l := range m.Layers {
			if i == 2 {
				if got := m.Hidden(x).Tensor().Float64s(); !slices.Equal(got, h.Tensor().Float64s()) {
					t.Errorf("%s: the last layer is given %v, want %v", name, got, h.Tensor().Float64s())
				}
			}
			if h = l.Forward(h); i == 2 {
				break
			}
			if cfg.Norm != nil {
				h = m.Norms[i].Forward(h)
			}
			h = activation.Forward(h)
		}
		if got := m.Forward(x).Tensor().Float64s(); !slices.Equal(got, h.Tensor().Float64s()) {
			t.Errorf("%s: %v, want %v", name, got, h.Tensor().Float64s())
		}
		if err := autograd.Try(func() { m.Forward(x).Sum().Backward() }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := nn.NewMLP([]int{4, 8, 3}, nn.MLPConfig{Norm: norm, Dropout: 0.5, NoBias: true}, nn.NewRNG(3))
	if got := names(m); !slices.Equal(got, []string{"layers.0.weight", "layers.1.weight", "norms.0.weight", "norms.0.bias"}) {
		t.Errorf("names %v", got)
	}
	if a, b := m.Forward(x).Tensor().Float64s(), m.Forward(x).Tensor().Float64s(); slices.Equal(a, b) {
		t.Error("training without dropout")
	}
	nn.Eval(m)
	if a, b := m.Forward(x).Tensor().Float64s(), m.Forward(x).Tensor().Float64s(); !slices.Equal(a, b) {
		t.Error("evaluation with dropout")
	}
	linear := nn.NewMLP([]int{4, 3}, nn.MLPConfig{Dropout: 0.9, DType: tensor.Float64}, nn.NewRNG(3))
	if y := linear.Forward(normal(1, 2, 4)).Tensor(); y.DType() != tensor.Float64 || slices.Contains(y.Float64s(), 0) {
		t.Errorf("the output layer's dropout or type: %v", y)
	}
}

// attentionLoop is the definition, query by query and head by head; hidden tells
// which keys a query does not see.
func attentionLoop(m *nn.MultiheadAttention, q, k, v *tensor.Tensor, hidden func(i, j int) bool) (out, weights []float64) {
	embed := q.Shape()[1]
	queries, keys, d := q.Shape()[0], k.Shape()[0], embed/m.Heads
	project := func(part int, x []float64, col int) float64 {
		sum := 0.0
		if m.InProjBias != nil {
			sum = m.InProjBias.Tensor().At(part*embed + col)
		}
		for i, a := range x {
			if m.InProjWeight != nil {
				sum += m.InProjWeight.Tensor().At(part*embed+col, i) * a
			} else {
				sum += []*autograd.Var{m.QProjWeight, m.KProjWeight, m.VProjWeight}[part].Tensor().At(col, i) * a
			}
		}
		return sum
	}
	rowOf := func(x *tensor.Tensor, i int) []float64 { return x.Narrow(0, i, i+1).Float64s() }
	weights = make([]float64, queries*keys)
	for i := range queries {
		seen := make([]float64, embed)
		for h := range m.Heads {
			scores, total := make([]float64, keys), 0.0
			for j := range keys {
				for c := h * d; c < (h+1)*d; c++ {
					scores[j] += project(0, rowOf(q, i), c) * project(1, rowOf(k, j), c) / math.Sqrt(float64(d))
				}
				if scores[j] = math.Exp(scores[j]); hidden(i, j) {
					scores[j] = 0
				}
				total += scores[j]
			}
			for j := range keys {
				a := scores[j] / total
				weights[i*keys+j] += a / float64(m.Heads)
				for c := h * d; c < (h+1)*d; c++ {
					seen[c] += a * project(2, rowOf(v, j), c)
				}
			}
		}
		for o := range embed {
			sum := 0.0
			if m.OutProj.Bias != nil {
				sum = m.OutProj.Bias.Tensor().At(o)
			}
			for c, x := range seen {
				sum += x * m.OutProj.Weight.Tensor().At(c, o)
			}
			out = append(out, sum)
		}
	}
	return out, weights
}

func TestAttentionIsItsDefinition(t *testing.T) {
	never := func(i, j int) bool { return false }
	for _, cfg := range []nn.AttentionConfig{{}, {NoBias: true}, {KDim: 3, VDim: 5}} {
		cfg.DType = tensor.Float64
		m := nn.NewMultiheadAttention(6, 3, cfg, nn.NewRNG(4))
		if m.InProjBias != nil {
			nn.Normal(1)(m.InProjBias, nn.NewRNG(5))
		}
		kdim, vdim := 6, 6
		if cfg.KDim != 0 {
			kdim, vdim = cfg.KDim, cfg.VDim
		}
		q, k, v := normal(1, 4, 6), normal(2, 5, kdim), normal(3, 5, vdim)
		out, weights := m.ForwardWeights(q, k, v, nn.AttentionMask{})
		wantOut, wantWeights := attentionLoop(m, q.Tensor(), k.Tensor(), v.Tensor(), never)
		wantNear(t, "output", out.Tensor(), 1e-12, wantOut...)
		wantNear(t, "weights", weights.Tensor(), 1e-12, wantWeights...)
		vars := append([]*autograd.Var{q, k, v}, nn.Parameters(m)...)
		f := func(...*autograd.Var) *autograd.Var {
			y, w := m.ForwardWeights(q, k, v, nn.AttentionMask{})
			return autograd.Concat(1, y, w)
		}
		if err := autograd.Gradcheck(f, vars); err != nil {
			t.Error(err)
		}
	}
	m := nn.NewMultiheadAttention(6, 2, nn.AttentionConfig{DType: tensor.Float64}, nn.NewRNG(4))
	x := normal(1, 4, 6)
	want, _ := attentionLoop(m, x.Tensor(), x.Tensor(), x.Tensor(), func(i, j int) bool { return j > i })
	wantNear(t, "causal", m.Forward(x, x, x, nn.CausalMask(4)).Tensor(), 1e-12, want...)
	f := func(...*autograd.Var) *autograd.Var { return m.Forward(x, x, x, nn.CausalMask(4)) }
	if err := autograd.Gradcheck(f, append(nn.Parameters(m), x)); err != nil {
		t.Error(err)
	}
}

func TestAttentionOfABatchIsThatOfItsSamples(t *testing.T) {
	m := nn.NewMultiheadAttention(6, 2, nn.AttentionConfig{DType: tensor.Float64}, nn.NewRNG(4))
	x := normal(1, 3, 4, 6)
	all := m.Forward(x, x, x, nn.AttentionMask{}).Tensor().Float64s()
	for b := range 3 {
		one := x.Slice(0, b, b+1).Reshape(4, 6)
		wantNear(t, "sample", m.Forward(one, one, one, nn.AttentionMask{}).Tensor(), 1e-12, all[b*24:(b+1)*24]...)
	}
	empty := autograd.Constant(tensor.Zeros(tensor.Float64, 0, 4, 6))
	if y := m.Forward(empty, empty, empty, nn.AttentionMask{}); !y.Shape().Equal(tensor.Shape{0, 4, 6}) {
		t.Errorf("of no samples: shape %v", y.Shape())
	}
}

func TestAQueryThatSeesNoKeyGetsNaNAndTheOthersDoNot(t *testing.T) {
	m := nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{}, nn.NewRNG(4))
	x := autograd.Constant(normal(1, 2, 3, 4).Tensor().To(tensor.Float32))
	keys := tensor.FromSlice([]bool{true, true, true, false, false, false}, 2, 3)
	y := m.Forward(x, x, x, nn.AttentionMask{Keys: keys}).Tensor().Float64s()
	for i, v := range y {
		if math.IsNaN(v) != (i < 12) {
			t.Fatalf("output %v, want NaN for the first sample only", y)
		}
	}
}

func TestAttentionDropsWeightsWhileTraining(t *testing.T) {
	x := autograd.Constant(normal(1, 30, 8).Tensor().To(tensor.Float32))
	run := func() (*nn.MultiheadAttention, []float64) {
		m := nn.NewMultiheadAttention(8, 1, nn.AttentionConfig{Dropout: 0.5}, nn.NewRNG(4))
		_, weights := m.ForwardWeights(x, x, x, nn.AttentionMask{})
		return m, weights.Tensor().Float64s()
	}
	m, first := run()
	dropped := 0
	for _, w := range first {
		if w == 0 {
			dropped++
		}
	}
	if dropped < 380 || dropped > 520 {
		t.Errorf("%d of 900 weights dropped, want about half", dropped)
	}
	if _, again := run(); !slices.Equal(first, again) {
		t.Error("one seed gives two masks")
	}
	if _, second := m.ForwardWeights(x, x, x, nn.AttentionMask{}); slices.Equal(first, second.Tensor().Float64s()) {
		t.Error("two passes have the same mask")
	}
	nn.Eval(m)
	_, weights := m.ForwardWeights(x, x, x, nn.AttentionMask{})
	if slices.Contains(weights.Tensor().Float64s(), 0) {
		t.Error("weights are dropped in evaluation")
	}
}

func TestMoreActivationLayersAreTheirFunctions(t *testing.T) {
	x := []float64{-800, -1.5, -0.2, 0, 0.7, 2, 8, 800}
	softplus := func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
	for name, c := range map[string]struct {
		layer nn.Layer
		want  func(x float64) float64
	}{
		"Identity": {nn.Identity(), func(x float64) float64 { return x }},
		"ReLU6":    {nn.ReLU6(), func(x float64) float64 { return min(max(x, 0), 6) }},
		"Hardtanh": {nn.Hardtanh(-1, 1), func(x float64) float64 { return min(max(x, -1), 1) }},
		"SELU": {nn.SELU(), func(x float64) float64 {
			return 1.0507009873554805 * (max(x, 0) + 1.6732632423543772*min(math.Expm1(x), 0))
		}},
		"Mish":       {nn.Mish(), func(x float64) float64 { return x * math.Tanh(softplus(x)) }},
		"LogSigmoid": {nn.LogSigmoid(), func(x float64) float64 { return -softplus(-x) }},
		"Hardswish":  {nn.Hardswish(), func(x float64) float64 { return x * min(max(x+3, 0), 6) / 6 }},
		"Softsign":   {nn.Softsign(), func(x float64) float64 { return x / (1 + math.Abs(x)) }},
		"PReLU":      {nn.NewPReLU(1, nn.PReLUConfig{DType: tensor.Float64}, nn.NewRNG(1)), func(x float64) float64 { return max(x, 0.25*x) }},
	} {
		var want []float64
		for _, v := range x {
			want = append(want, c.want(v))
		}
		wantNear(t, name, c.layer.Forward(constant(x, len(x))).Tensor(), 1e-12, want...)
	}
}

func TestSoftmaxAndFlattenLayers(t *testing.T) {
	x := constant([]float64{0, math.Log(3), 5, 5}, 2, 2)
	wantNear(t, "softmax", nn.Softmax().Forward(x).Tensor(), 1e-12, 0.25, 0.75, 0.5, 0.5)
	wantNear(t, "GLU", nn.GLU().Forward(constant([]float64{3, 0, 8, -800}, 2, 2)).Tensor(), 1e-12, 1.5, 0)
	wantNear(t, "log-softmax", nn.LogSoftmax().Forward(x).Tensor(), 1e-12, math.Log(0.25), math.Log(0.75), -math.Ln2, -math.Ln2)
	for _, c := range []struct{ from, to []int }{{[]int{2, 3, 4}, []int{2, 12}}, {[]int{5}, []int{5, 1}}, {[]int{0, 3}, []int{0, 3}}, {[]int{2, 0, 3}, []int{2, 0}}} {
		if got := nn.Flatten().Forward(autograd.Constant(tensor.Zeros(tensor.Float32, c.from...))).Shape(); !got.Equal(c.to) {
			t.Errorf("%v becomes %v, want %v", c.from, got, c.to)
		}
	}
}

func TestPReLULearnsASlopeForEachColumn(t *testing.T) {
	p := nn.NewPReLU(3, nn.PReLUConfig{Init: nn.Normal(1), DType: tensor.Float64}, nn.NewRNG(1))
	x := normal(1, 4, 3)
	if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return p.Forward(x) }, []*autograd.Var{x, p.Weight}); err != nil {
		t.Error(err)
	}
	single := nn.NewPReLU(1, nn.PReLUConfig{}, nn.NewRNG(1))
	if y := single.Forward(autograd.Constant(tensor.Full(tensor.Float32, -4))); y.Tensor().Item() != -1 || len(y.Shape()) != 0 {
		t.Errorf("of a scalar: %v", y.Tensor())
	}
}

func TestDenseLayersRejectMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	zeros := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	m := nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{}, r)
	x, one := zeros(2, 3, 4), zeros(3, 4)
	masked := func(mask nn.AttentionMask) func() { return func() { m.Forward(x, x, x, mask) } }
	b := nn.NewBilinear(2, 3, 4, nn.BilinearConfig{}, r)
	for want, f := range map[string]func(){
		"nn: NewBilinear: negative size: 1 and -1 to 1":                                         func() { nn.NewBilinear(1, -1, 1, nn.BilinearConfig{}, r) },
		"nn: Bilinear: the layer has no weight; make it with NewBilinear":                       func() { (&nn.Bilinear{}).Forward(x, x) },
		"nn: Bilinear: inputs of shapes [5 2] and [5 2], want [... 2] and [... 3]":              func() { b.Forward(zeros(5, 2), zeros(5, 2)) },
		"nn: Bilinear: inputs of shapes [5 2] and [4 3]":                                        func() { b.Forward(zeros(5, 2), zeros(4, 3)) },
		"nn: Bilinear: inputs of shapes [] and []":                                              func() { b.Forward(zeros(), zeros()) },
		"nn: NewMLP: sizes [3]: want at least":                                                  func() { nn.NewMLP([]int{3}, nn.MLPConfig{}, r) },
		"nn: NewLinear: negative size: 3 to -1":                                                 func() { nn.NewMLP([]int{3, -1}, nn.MLPConfig{}, r) },
		"nn: NewDropout: probability 2":                                                         func() { nn.NewMLP([]int{3, 1}, nn.MLPConfig{Dropout: 2}, r) },
		"nn: MLP: it has no layers; make it with NewMLP":                                        func() { (&nn.MLP{}).Forward(x) },
		"nn: NewPReLU: 0 slopes":                                                                func() { nn.NewPReLU(0, nn.PReLUConfig{}, r) },
		"nn: PReLU: the layer has no weight":                                                    func() { (*nn.PReLU)(nil).Forward(x) },
		"nn: PReLU: input of shape [2 3 4], 3 slopes":                                           func() { nn.NewPReLU(3, nn.PReLUConfig{}, r).Forward(x) },
		"nn: Flatten: a scalar has no first axis":                                               func() { nn.Flatten().Forward(zeros()) },
		"nn: NewMultiheadAttention: 5 columns do not divide among 2 heads":                      func() { nn.NewMultiheadAttention(5, 2, nn.AttentionConfig{}, r) },
		"nn: NewMultiheadAttention: 5 columns do not divide among 0 heads":                      func() { nn.NewMultiheadAttention(5, 0, nn.AttentionConfig{}, r) },
		"nn: NewMultiheadAttention: negative size: KDim -1, VDim 0":                             func() { nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{KDim: -1}, r) },
		"nn: NewMultiheadAttention: probability -1 is outside":                                  func() { nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{Dropout: -1}, r) },
		"nn: MultiheadAttention: the layer is nil":                                              func() { (*nn.MultiheadAttention)(nil).Forward(x, x, x, nn.AttentionMask{}) },
		"nn: MultiheadAttention: queries [3 4], keys [2 3 4] and values [2 3 4], want [B L 4],": func() { m.Forward(one, x, x, nn.AttentionMask{}) },
		"queries [2 3 4], keys [1 3 4]":                                                         func() { m.Forward(x, zeros(1, 3, 4), zeros(1, 3, 4), nn.AttentionMask{}) },
		"keys [2 3 4] and values [2 2 4]":                                                       func() { m.Forward(x, x, zeros(2, 2, 4), nn.AttentionMask{}) },
		"queries [4], keys [4]":                                                                 func() { m.Forward(zeros(4), zeros(4), zeros(4), nn.AttentionMask{}) },
		"key mask is f32 [2 3], want bool [2 3]":                                                masked(nn.AttentionMask{Keys: tensor.Zeros(tensor.Float32, 2, 3)}),
		"key mask is bool [3], want bool [2 3]":                                                 masked(nn.AttentionMask{Keys: tensor.Zeros(tensor.Bool, 3)}),
		"key mask is bool [1 3], want bool [3]":                                                 func() { m.Forward(one, one, one, nn.AttentionMask{Keys: tensor.Zeros(tensor.Bool, 1, 3)}) },
		"pair mask is f64 [3 3], want bool or f32, [3 3] or [4 3 3]":                            masked(nn.AttentionMask{Pairs: tensor.Zeros(tensor.Float64, 3, 3)}),
		"pair mask is bool [2 3 3], want bool":                                                  masked(nn.AttentionMask{Pairs: tensor.Zeros(tensor.Bool, 2, 3, 3)}),
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestDenseLayersPutTogetherByHandRejectMisuse(t *testing.T) {
	zeros := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	r, x := nn.NewRNG(1), zeros(3, 4)
	attend := func(kdim int, change func(m *nn.MultiheadAttention)) func() {
		return func() {
			m := nn.NewMultiheadAttention(4, 2, nn.AttentionConfig{KDim: kdim}, r)
			change(m)
			m.Forward(x, x, x, nn.AttentionMask{})
		}
	}
	for want, f := range map[string]func(){
		"nn: Bilinear: the weight has shape [2 4], want [out in1 in2]":            func() { (&nn.Bilinear{Weight: zeros(2, 4)}).Forward(x, x) },
		"nn: MultiheadAttention: 4 columns do not divide among 0 heads":           attend(4, func(m *nn.MultiheadAttention) { m.Heads = 0 }),
		"nn: MultiheadAttention: KProjWeight has shape [4], want a matrix":        attend(3, func(m *nn.MultiheadAttention) { m.KProjWeight = zeros(4) }),
		"nn: MultiheadAttention: VProjWeight has shape [], want a matrix":         attend(3, func(m *nn.MultiheadAttention) { m.VProjWeight = zeros() }),
		"nn: MultiheadAttention: OutProj.Weight has shape [4 4 1], want a matrix": attend(4, func(m *nn.MultiheadAttention) { m.OutProj.Weight = zeros(4, 4, 1) }),
		"[9223372036854775807 9223372036854775807]":                               func() { nn.CausalMask(math.MaxInt) },
		"[-1 -1]": func() { nn.CausalMask(-1) },
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
