// Layers, initialisers, losses and metrics.

package nn_test

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func constant(x []float64, shape ...int) *autograd.Var {
	return autograd.Constant(tensor.FromSlice(x, shape...))
}

func TestLinearComputesXWPlusB(t *testing.T) {
	l := nn.NewLinear(2, 3, nn.NewRNG(1), nn.WithDType(tensor.Float64))
	l.Weight.SetTensor(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3))
	l.Bias.SetTensor(tensor.FromSlice([]float64{10, 20, 30}, 3))
	y := l.Forward(constant([]float64{1, 10}, 1, 2))
	if got := y.Tensor().Float64s(); !slices.Equal(got, []float64{51, 72, 93}) {
		t.Errorf("y = %v, want [51 72 93]", got)
	}
}

func TestLinearTakesSparseAndEmptyInputs(t *testing.T) {
	l := nn.NewLinear(3, 2, nn.NewRNG(1), nn.NoBias())
	if l.Bias != nil {
		t.Error("NoBias left a bias")
	}
	s, err := tensor.NewSparse(2, 3, []int32{0, 1, 2}, []int32{2, 0}, tensor.FromSlice([]float32{5, 7}, 2))
	if err != nil {
		t.Fatal(err)
	}
	got := l.Forward(autograd.SparseConstant(s)).Tensor().Float64s()
	want := l.Forward(autograd.Constant(s.ToDense())).Tensor().Float64s()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Errorf("sparse %v, dense %v", got, want)
		}
	}
	if s := l.Forward(autograd.Constant(tensor.Zeros(tensor.Float32, 0, 3))).Shape(); !s.Equal(tensor.Shape{0, 2}) {
		t.Errorf("no rows: shape %v", s)
	}
	if s := nn.NewLinear(0, 2, nn.NewRNG(1)).Forward(autograd.Constant(tensor.Zeros(tensor.Float32, 4, 0))).Shape(); !s.Equal(tensor.Shape{4, 2}) {
		t.Errorf("no columns: shape %v", s)
	}
}

func TestLinearGradients(t *testing.T) {
	l := nn.NewLinear(3, 2, nn.NewRNG(4), nn.WithDType(tensor.Float64))
	x := autograd.Variable(tensor.Full(tensor.Float64, 0.5, 4, 3))
	f := func(...*autograd.Var) *autograd.Var { return l.Forward(x).Tanh() }
	if err := autograd.Gradcheck(f, []*autograd.Var{x, l.Weight, l.Bias}); err != nil {
		t.Error(err)
	}
}

// Each initialiser against the moments of its distribution, for a [300 100]
// weight.
func TestInitializersHaveTheirMoments(t *testing.T) {
	const in, out = 300, 100
	for name, c := range map[string]struct {
		init     nn.Initializer
		std, max float64
	}{
		"GlorotUniform":  {nn.GlorotUniform, math.Sqrt(2.0 / (in + out)), math.Sqrt(6.0 / (in + out))},
		"GlorotNormal":   {nn.GlorotNormal, math.Sqrt(2.0 / (in + out)), 1},
		"KaimingUniform": {nn.KaimingUniform, math.Sqrt(2.0 / in), math.Sqrt(6.0 / in)},
		"KaimingNormal":  {nn.KaimingNormal, math.Sqrt(2.0 / in), 1},
		"Uniform":        {nn.Uniform(0.3), 0.3 / math.Sqrt(3), 0.3},
		"Normal":         {nn.Normal(0.3), 0.3, 3},
		"Constant":       {nn.Constant(0), 0, 0},
	} {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			w := autograd.Parameter(tensor.Full(dt, 7, in, out))
			c.init(w, nn.NewRNG(3))
			var sum, squares, largest float64
			for _, x := range w.Tensor().Float64s() {
				sum += x
				squares += x * x
				largest = max(largest, math.Abs(x))
			}
			n := float64(in * out)
			if std := math.Sqrt(squares / n); math.Abs(std-c.std) > 0.02*c.std || math.Abs(sum/n) > 4*c.std/math.Sqrt(n) || largest > c.max*(1+1e-6) {
				t.Errorf("%s %v: mean %v, std %v, largest %v; want 0, %v, at most %v", name, dt, sum/n, std, largest, c.std, c.max)
			}
		}
	}
}

func TestOneSeedFixesAModelAndLayersDiffer(t *testing.T) {
	build := func(seed uint64) []float64 {
		r := nn.NewRNG(seed)
		a, b := nn.NewLinear(4, 4, r), nn.NewLinear(4, 4, r)
		return append(a.Weight.Tensor().Float64s(), b.Weight.Tensor().Float64s()...)
	}
	w := build(1)
	if !slices.Equal(w, build(1)) {
		t.Error("one seed gave two models")
	}
	if slices.Equal(w, build(2)) || slices.Equal(w[:16], w[16:]) {
		t.Error("two seeds or two layers gave the same weights")
	}
	r := nn.NewRNG(1)
	if a, b := r.Stream(), r.Stream(); a.Uint64() == b.Uint64() {
		t.Error("two streams start alike")
	}
}

func TestDropoutLayer(t *testing.T) {
	x := autograd.Constant(tensor.Full(tensor.Float32, 1, 100, 100))
	run := func(threads int) (first, second []float64) {
		defer tensor.SetThreads(0)
		tensor.SetThreads(threads)
		d := nn.NewDropout(0.5, nn.NewRNG(8))
		return d.Forward(x).Tensor().Float64s(), d.Forward(x).Tensor().Float64s()
	}
	a1, a2 := run(1)
	b1, b2 := run(2)
	if slices.Equal(a1, a2) {
		t.Error("two passes have the same mask")
	}
	if !slices.Equal(a1, b1) || !slices.Equal(a2, b2) {
		t.Error("masks depend on the number of threads or differ between runs")
	}
	d := nn.NewDropout(0.5, nn.NewRNG(8))
	nn.SetTraining(d, false)
	if d.Forward(x) != x {
		t.Error("evaluation is not the identity")
	}
}

// jitter is a layer of one's own with a Stochastic.
type jitter struct {
	nn.Stochastic
	Weight *autograd.Var
}

func TestStochasticGivesEveryPassItsSeed(t *testing.T) {
	layer := func(r *nn.RNG) *jitter {
		return &jitter{nn.NewStochastic(r), autograd.Parameter(tensor.Zeros(tensor.Float32, 1))}
	}
	r := nn.NewRNG(3)
	a, b, again := layer(r), layer(r), layer(nn.NewRNG(3))
	seen := map[uint64]bool{}
	for range 100 {
		s := a.NextSeed()
		if s != again.NextSeed() {
			t.Fatal("one seed gives two sequences")
		}
		seen[s], seen[b.NextSeed()] = true, true
	}
	if len(seen) != 200 {
		t.Errorf("two layers took 100 seeds each, %d are different", len(seen))
	}
	if names := nn.NamedParameters(a); len(names) != 1 || names[0].Name != "weight" {
		t.Errorf("parameters %v, want weight", names)
	}
	if !a.Training() {
		t.Error("a new layer is not training")
	}
	nn.SetTraining([]*jitter{a, b}, false)
	if a.Training() || b.Training() {
		t.Error("SetTraining does not reach a Stochastic")
	}
}

func TestActivationLayersAreTheirFunctions(t *testing.T) {
	x := constant([]float64{-1.5, -0.2, 0, 0.7, 2}, 5)
	each := func(f func(x float64) float64) []float64 {
		out := make([]float64, 5)
		for i, v := range x.Tensor().Float64s() {
			out[i] = f(v)
		}
		return out
	}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for name, c := range map[string]struct {
		layer nn.Layer
		want  []float64
	}{
		"ReLU":      {nn.ReLU(), each(func(x float64) float64 { return max(x, 0) })},
		"LeakyReLU": {nn.LeakyReLU(0.2), each(func(x float64) float64 { return max(x, 0.2*x) })},
		"ELU":       {nn.ELU(1), each(func(x float64) float64 { return max(x, 0) + min(math.Expm1(x), 0) })},
		"GELU":      {nn.GELU(), each(func(x float64) float64 { return x * 0.5 * (1 + math.Erf(x/math.Sqrt2)) })},
		"SiLU":      {nn.SiLU(), each(func(x float64) float64 { return x * sigmoid(x) })},
		"Sigmoid":   {nn.Sigmoid(), each(sigmoid)},
		"Tanh":      {nn.Tanh(), each(math.Tanh)},
		"Softplus":  {nn.Softplus(), each(func(x float64) float64 { return math.Log1p(math.Exp(x)) })},
	} {
		for i, got := range c.layer.Forward(x).Tensor().Float64s() {
			if math.Abs(got-c.want[i]) > 1e-12 {
				t.Errorf("%s: element %d is %v, want %v", name, i, got, c.want[i])
			}
		}
	}
}

func TestRowsOfAMask(t *testing.T) {
	if got := nn.Rows([]bool{true, false, true}); !slices.Equal(got, []int32{0, 2}) {
		t.Errorf("rows %v", got)
	}
	if nn.Rows(make([]bool, 3)) == nil {
		t.Error("an empty mask gives nil, which would mean all rows")
	}
}

func TestCrossEntropyLooksAtMaskedRowsOnly(t *testing.T) {
	x := autograd.Variable(tensor.FromSlice([]float64{0, 0, 5, 1, 0, 0}, 3, 2))
	loss := nn.CrossEntropy(x, []int32{0, 0, 1}, nn.Rows([]bool{true, false, true}))
	if got := loss.Tensor().Item(); math.Abs(got-math.Ln2) > 1e-15 {
		t.Errorf("loss %v, want ln 2", got)
	}
	loss.Backward()
	if got := x.Gradient().Float64s(); !slices.Equal(got, []float64{-0.25, 0.25, 0, 0, 0.25, -0.25}) {
		t.Errorf("gradient %v", got)
	}
}

func TestAccuracy(t *testing.T) {
	nan := math.NaN()
	x := constant([]float64{1, 2, 3, 3, 9, 0, nan, 5, 5, nan}, 5, 2)
	labels := []int32{1, 0, 1, 1, 0}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for _, c := range []struct {
		labels, rows []int32
		want         float64
	}{
		{labels, nil, 0.4}, {labels, []int32{0}, 1}, {labels, []int32{1}, 1}, {labels, []int32{2}, 0},
		{labels, []int32{3, 4}, 0}, {labels, []int32{}, nan}, {[]int32{1, 1, 1, 1, 1}, []int32{1}, 0}, {[]int32{-1, 7, 0, 0, 0}, []int32{2, 3}, 0.5},
	} {
		if got := nn.Accuracy(x, c.labels, c.rows); !same(got, c.want) {
			t.Errorf("labels %v, rows %v: accuracy %v, want %v", c.labels, c.rows, got, c.want)
		}
		if got := nn.Accuracy(autograd.Constant(x.Tensor().To(tensor.Float32)), c.labels, c.rows); !same(got, c.want) {
			t.Errorf("float32: accuracy %v, want %v", got, c.want)
		}
	}
}

func TestLayersRejectMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	one, err := tensor.NewSparse(1, 1, []int32{0, 1}, []int32{0}, tensor.FromSlice([]float64{1}, 1))
	if err != nil {
		t.Fatal(err)
	}
	sparse := autograd.SparseConstant(one)
	for want, f := range map[string]func(){
		"nn: NewLinear: negative size: -1 to 2":                              func() { nn.NewLinear(-1, 2, r) },
		"nn: NewDropout: probability 2 is outside [0, 1]":                    func() { nn.NewDropout(2, r) },
		"nn: GlorotUniform: a weight of shape [3] has no fan-in and fan-out": func() { nn.GlorotUniform(autograd.Parameter(tensor.Zeros(tensor.Float32, 3)), r) },
		"nn: Accuracy: logits of shape [1 2] and 3 labels do not fit":        func() { nn.Accuracy(constant([]float64{1, 2}, 1, 2), make([]int32, 3), nil) },
		"nn: Accuracy: row 4 is outside [0, 1)":                              func() { nn.Accuracy(constant([]float64{1, 2}, 1, 2), make([]int32, 1), []int32{4}) },
		"nn: Accuracy: row 1: label 2 is outside [0, 2)":                     func() { nn.Accuracy(constant([]float64{1, 2, 3, 4}, 2, 2), []int32{1, 2}, nil) },
		"nn: Accuracy: row 0: label -1 is outside [0, 2)":                    func() { nn.Accuracy(constant([]float64{1, 2, 3, 4}, 2, 2), []int32{-1, 2}, []int32{0}) },
		"nn: Accuracy: takes dense logits":                                   func() { nn.Accuracy(sparse, make([]int32, 1), nil) },
		"nn: Accuracy: an operand is nil":                                    func() { nn.Accuracy(nil, nil, nil) },
		"nn: Linear: the layer has no weight; make it with NewLinear":        func() { (&nn.Linear{}).Forward(constant([]float64{1, 2}, 1, 2)) },
		"nn: Dropout: the layer is nil; make it with NewDropout":             func() { (*nn.Dropout)(nil).Forward(nil) },
		"autograd: Linear: input and weight do not fit: [1 2] x [3 4]":       func() { nn.NewLinear(3, 4, r).Forward(constant([]float64{1, 2}, 1, 2)) },
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestLayersNameThemselvesForNilAndOtherTypes(t *testing.T) {
	r := nn.NewRNG(1)
	x := constant([]float64{1, 2, 3, 4}, 2, 2) // the layers are float32
	y := autograd.Constant(x.Tensor().To(tensor.Float32))
	bilinear := nn.NewBilinear(2, 2, 3, nn.BilinearConfig{}, r)
	attention := nn.NewMultiheadAttention(2, 1, nn.AttentionConfig{}, r)
	gru, lstm := nn.NewGRUCell(2, 2, nn.CellConfig{}, r), nn.NewLSTMCell(2, 2, nn.CellConfig{}, r)
	encoder := nn.NewTransformerEncoder(1, 2, 1, nn.TransformerConfig{Feedforward: 3}, r)
	evaluated := nn.NewBatchNorm1d(2, nn.BatchNormConfig{})
	nn.Eval(evaluated)
	for _, c := range []struct {
		layer string
		f     func(x *autograd.Var) // with nil and with x
		typed bool
	}{
		{"BatchNorm1d", func(x *autograd.Var) { nn.NewBatchNorm1d(2, nn.BatchNormConfig{}).Forward(x) }, true},
		{"BatchNorm1d", func(x *autograd.Var) { evaluated.Forward(x) }, true},
		{"LayerNorm", func(x *autograd.Var) { nn.NewLayerNorm(2, nn.LayerNormConfig{}).Forward(x) }, true},
		{"LayerNorm", func(x *autograd.Var) { nn.NewLayerNorm(2, nn.LayerNormConfig{NoBias: true}).Forward(x) }, true},
		{"Bilinear", func(x *autograd.Var) { bilinear.Forward(x, y) }, true},
		{"Bilinear", func(x *autograd.Var) { bilinear.Forward(y, x) }, true},
		{"MultiheadAttention", func(x *autograd.Var) { attention.Forward(x, y, y, nn.AttentionMask{}) }, true},
		{"MultiheadAttention", func(x *autograd.Var) { attention.Forward(y, x, y, nn.AttentionMask{}) }, true},
		{"MultiheadAttention", func(x *autograd.Var) { attention.Forward(y, y, x, nn.AttentionMask{}) }, true},
		{"TransformerEncoderLayer", func(x *autograd.Var) { encoder.Layers[0].Forward(x, nn.AttentionMask{}) }, true},
		{"TransformerEncoder", func(x *autograd.Var) { encoder.Forward(x, nn.AttentionMask{}) }, true},
		{"GRUCell", func(x *autograd.Var) { gru.Forward(x, nil) }, true},
		{"LSTMCell", func(x *autograd.Var) { lstm.Forward(x, nil, nil) }, true},
		{"PReLU", func(x *autograd.Var) { nn.NewPReLU(2, nn.PReLUConfig{}, r).Forward(x) }, false},
		{"Flatten", func(x *autograd.Var) { nn.Flatten()(x) }, false},
		{"NormalizeRows", func(x *autograd.Var) { nn.NormalizeRows(x) }, false},
	} {
		want := "nn: " + c.layer + ": an operand is nil"
		if err := autograd.Try(func() { c.f(nil) }); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
		if !c.typed {
			continue
		}
		want = "nn: " + c.layer + ": input is f64, the layer f32"
		if err := autograd.Try(func() { c.f(x) }); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for want, f := range map[string]func(){
		"nn: GRUCell: the input is f32, the state f64":                                         func() { gru.Forward(y, x) },
		"nn: LSTMCell: the input is f32, the state f64":                                        func() { lstm.Forward(y, y, x) },
		"nn: MultiheadAttention: the layer has no OutProj; make it with NewMultiheadAttention": func() { new(nn.MultiheadAttention).Forward(y, y, y, nn.AttentionMask{}) },
		"autograd: LayerNorm: operands of different types: f64 [2 2] x f32 [2]": func() {
			autograd.LayerNorm(x, autograd.Constant(tensor.Zeros(tensor.Float32, 2)), nil, 1e-5)
		},
	} {
		if err := autograd.Try(f); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestNilRNGIsMisuse(t *testing.T) {
	const want = "nn: RNG: is nil; make one with NewRNG"
	for name, f := range map[string]func(r *nn.RNG){
		"Linear":     func(r *nn.RNG) { nn.NewLinear(1, 2, r) },
		"Dropout":    func(r *nn.RNG) { nn.NewDropout(0.5, r) },
		"Stochastic": func(r *nn.RNG) { nn.NewStochastic(r) },
		"Stream":     func(r *nn.RNG) { r.Stream() },
		"State":      func(r *nn.RNG) { r.State() },
		"LoadState":  func(r *nn.RNG) { r.LoadState(nn.NewRNG(1).State()) },
	} {
		if err := autograd.Try(func() { f(nil) }); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// A layer without a bias needs no initialiser for one.
func TestALayerWithoutBiasIsMadeWithoutItsInitialiser(t *testing.T) {
	l := nn.NewLinear(2, 3, nn.NewRNG(1), nn.NoBias(), nn.WithInit(nn.Ones, nil))
	if l.Bias != nil || l.Weight.Tensor().At(1, 2) != 1 {
		t.Errorf("bias %v, weight %v", l.Bias, l.Weight)
	}
}

func TestNilOptionsFunctionsAndStreamsAreMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	l := nn.NewLinear(2, 2, r)
	x := constant([]float64{1, 0, 0, 1}, 2, 2)
	labels := []int32{0, 1}
	path := filepath.Join(t.TempDir(), "run")
	for want, f := range map[string]func() error{
		"nn: NewLinear: option 1 is nil":                func() error { nn.NewLinear(2, 2, r, nn.NoBias(), nil); return nil },
		"nn: WithInit: the weight's initialiser is nil": func() error { nn.WithInit(nil, nn.Zeros); return nil },
		"nn: NewLinear: the bias's initialiser is nil": func() error {
			nn.NewLinear(2, 3, nn.NewRNG(1), nn.WithInit(nn.Zeros, nil))
			return nil
		},
		"nn: Scaled: the initialiser is nil":                          func() error { nn.Scaled(2, nil); return nil },
		"nn: Func: the function is nil":                               func() error { nn.NewSequential(nn.Func(nil)).Forward(x); return nil },
		"nn: Initializer: the parameter is nil":                       func() error { nn.Ones(nil, r); return nil },
		"nn: WithDType: parameters of type DType(9); want f32 or f64": func() error { nn.WithDType(9); return nil },
		"nn: WithDType: parameters of type i64; want f32 or f64":      func() error { nn.WithDType(tensor.Int64); return nil },
		"nn: CrossEntropy: option 0 is nil":                           func() error { nn.CrossEntropy(x, labels, nil, nil); return nil },
		"nn: NLL: option 1 is nil":                                    func() error { nn.NLL(x, labels, nil, nn.ReduceSum, nil); return nil },
		"nn: BCEWithLogits: option 0 is nil":                          func() error { nn.BCEWithLogits(x, x, nil); return nil },
		"nn: MSE: an operand is nil":                                  func() error { nn.MSE(x, nil); return nil },
		"nn: ROCAUC: an operand is nil":                               func() error { nn.ROCAUC(nil, x); return nil },
		"nn: AveragePrecision: an operand is nil":                     func() error { nn.AveragePrecision(x, nil); return nil },
		"nn: MultiLabelF1: an operand is nil":                         func() error { nn.MultiLabelF1(x, nil); return nil },
		"nn: Apply: the function is nil":                              func() error { nn.Apply(l, nil); return nil },
		"nn: Checkpoint: the function is nil":                         func() error { nn.Checkpoint(l, nil, x); return nil },
		"nn: Save: the writer is nil":                                 func() error { return nn.Save(nil, l) },
		"nn: Save: a module is a non-nil pointer":                     func() error { return nn.Save(io.Discard, (*nn.Linear)(nil)) },
		"nn: Save: option 0 is nil":                                   func() error { return nn.Save(io.Discard, l, nil) },
		"nn: SaveFile: option 0 is nil":                               func() error { return nn.SaveFile(path, l, nil) },
		"nn: Load: the reader is nil":                                 func() error { return nn.Load(nil, l) },
		"nn: Load: a module is a non-nil pointer":                     func() error { return nn.Load(strings.NewReader(""), nil) },
		"nn: Load: option 0 is nil":                                   func() error { return nn.Load(strings.NewReader(""), l, nil) },
		"nn: SaveTensors: the writer is nil":                          func() error { return nn.SaveTensors(nil, nil, nil) },
		"nn: LoadTensors: the reader is nil":                          func() error { _, err := nn.LoadTensors(nil); return err },
		"nn: LoadMetadata: the reader is nil":                         func() error { _, err := nn.LoadMetadata(nil); return err },
		"nn: SaveTraining: the run is nil":                            func() error { return nn.SaveTraining(path, nil) },
		"nn: LoadTraining: the run is nil":                            func() error { return nn.LoadTraining(path, nil) },
	} {
		if err := autograd.Try(func() { t.Errorf("no misuse but %v, want %q", f(), want) }); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("misuse %v, want %q", err, want)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was written")
	}
}
