// Layer and batch normalisation and rows of length 1.

package nn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// normal returns a float64 variable of normal draws.
func normal(seed uint64, shape ...int) *autograd.Var {
	t := tensor.Zeros(tensor.Float64, shape...)
	data := tensor.Data[float64](t)
	for i := range data {
		data[i] = rng.Normal(seed, uint64(i))
	}
	return autograd.Variable(t)
}

func wantNear(t *testing.T, what string, got *tensor.Tensor, tol float64, want ...float64) {
	t.Helper()
	values := got.Float64s()
	if len(values) != len(want) {
		t.Errorf("%s has %d values, want %d", what, len(values), len(want))
		return
	}
	for i, x := range values {
		if !(math.Abs(x-want[i]) <= tol*max(1, math.Abs(want[i]))) {
			t.Errorf("%s: element %d is %v, want %v", what, i, x, want[i])
		}
	}
}

// randomAffine gives a layer's affine parameters values that are not 0 and 1.
func randomAffine(weight, bias *autograd.Var) {
	nn.Normal(1)(weight, nn.NewRNG(31))
	nn.Normal(1)(bias, nn.NewRNG(32))
}

func TestNormalisationGolden(t *testing.T) {
	golden.Check(t, "layernorm", func(c *golden.Case) *autograd.Var {
		l := nn.NewLayerNorm(12, nn.LayerNormConfig{DType: c.DType})
		l.Weight, l.Bias = c.In["gamma"], c.In["beta"]
		return l.Forward(c.In["x"])
	})
	golden.Check(t, "batchnorm_train", func(c *golden.Case) *autograd.Var {
		b := nn.NewBatchNorm1d(12, nn.BatchNormConfig{DType: c.DType})
		b.Weight, b.Bias = c.In["gamma"], c.In["beta"]
		return b.Forward(c.In["x"])
	})
	golden.Check(t, "l2norm_rows", func(c *golden.Case) *autograd.Var { return nn.NormalizeRows(c.In["x"]) })
}

func TestLayerNormGradients(t *testing.T) {
	for _, shape := range [][]int{{4, 5}, {2, 3, 5}, {5}, {0, 5}} {
		l := nn.NewLayerNorm(5, nn.LayerNormConfig{DType: tensor.Float64, Eps: 0.01})
		randomAffine(l.Weight, l.Bias)
		x := normal(1, shape...)
		f := func(...*autograd.Var) *autograd.Var { return l.Forward(x) }
		if err := autograd.Gradcheck(f, []*autograd.Var{x, l.Weight, l.Bias}); err != nil {
			t.Errorf("shape %v: %v", shape, err)
		}
	}
}

func TestLayerNormNormalisesEachRow(t *testing.T) {
	x := constant([]float64{1, 3, -10, 10, 7, 7}, 3, 2)
	l := nn.NewLayerNorm(2, nn.LayerNormConfig{NoAffine: true, DType: tensor.Float64, Eps: 3})
	// variances 1, 100, 0
	a, b := 1/math.Sqrt(4), 10/math.Sqrt(103)
	wantNear(t, "y", l.Forward(x).Tensor(), 1e-15, -a, a, -b, b, 0, 0)
	if len(names(l)) != 0 {
		t.Errorf("NoAffine left %v", names(l))
	}
	if got := names(nn.NewLayerNorm(2, nn.LayerNormConfig{NoBias: true})); !slices.Equal(got, []string{"weight"}) {
		t.Errorf("NoBias leaves %v", got)
	}
	if got := nn.NewLayerNorm(2, nn.LayerNormConfig{}).Eps; got != 1e-5 {
		t.Errorf("default eps %v", got)
	}
}

func TestBatchNormMakesColumnsOfEqualNumbersZero(t *testing.T) {
	for _, rows := range []int{2, 7, 1000, 4097} {
		b := nn.NewBatchNorm1d(2, nn.BatchNormConfig{Eps: 1e-12})
		x := tensor.Concat(1, tensor.Full(tensor.Float32, 3.3, rows, 1), tensor.Full(tensor.Float32, -0.7, rows, 1))
		for i, y := range b.Forward(autograd.Constant(x)).Tensor().Float64s() {
			if y != 0 {
				t.Errorf("%d rows of 3.3 and -0.7: column %d has %v in row %d, want 0", rows, i%2, y, i/2)
				break
			}
		}
	}
}

func TestBatchNormTracksRunningEstimates(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		tol := 1e-14
		if dt == tensor.Float32 {
			tol = 1e-6
		}
		b := nn.NewBatchNorm1d(2, nn.BatchNormConfig{DType: dt, Momentum: 0.25})
		input := func(x ...float64) *autograd.Var {
			return autograd.Constant(tensor.FromSlice(x, len(x)/2, 2).To(dt))
		}
		// Means 2, 30; unbiased variances 1, 100. Then 4, 0; 8, 0.
		b.Forward(input(1, 20, 2, 30, 3, 40))
		wantNear(t, "mean after one batch", b.RunningMean.Tensor(), tol, 0.5, 7.5)
		wantNear(t, "variance after one batch", b.RunningVar.Tensor(), tol, 1, 25.75)
		b.Forward(input(2, 0, 6, 0))
		wantNear(t, "mean after two batches", b.RunningMean.Tensor(), tol, 1.375, 5.625)
		wantNear(t, "variance after two batches", b.RunningVar.Tensor(), tol, 2.75, 19.3125)
		wantNear(t, "number of batches", b.NumBatchesTracked.Tensor(), 0, 2)

		b.Forward(autograd.Constant(tensor.Zeros(dt, 0, 2)))
		nn.SetTraining(b, false)
		y := b.Forward(input(3, 4))
		want := []float64{(3 - 1.375) / math.Sqrt(2.75+1e-5), (4 - 5.625) / math.Sqrt(19.3125+1e-5)}
		wantNear(t, "evaluation", y.Tensor(), tol, want...)
		wantNear(t, "mean after evaluation and an empty batch", b.RunningMean.Tensor(), tol, 1.375, 5.625)
		wantNear(t, "number of batches in the end", b.NumBatchesTracked.Tensor(), 0, 2)
	}
}

// What a Scope puts off takes the estimates of the call, not those that training sets since.
func TestBatchNormInAScopeTakesTheEstimatesOfItsCall(t *testing.T) {
	b := nn.NewBatchNorm1d(8, nn.BatchNormConfig{DType: tensor.Float64})
	x := autograd.NoGrad(normal(3, 4096, 8)) // large enough to be put off
	nn.Eval(b)
	want := b.Forward(x).Tensor().Float64s()
	got := autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
		y := b.Forward(xs[0])
		nn.Train(b)
		b.Forward(xs[0].Scale(3).AddScalar(5))
		return y
	}, x).Tensor().Float64s()
	if !slices.Equal(got, want) {
		t.Errorf("%v..., want %v...", got[:8], want[:8])
	}
}

func TestBatchNormGradients(t *testing.T) {
	x := normal(2, 6, 3)
	b := nn.NewBatchNorm1d(3, nn.BatchNormConfig{DType: tensor.Float64, Eps: 0.01})
	randomAffine(b.Weight, b.Bias)
	f := func(...*autograd.Var) *autograd.Var { return b.Forward(x) }
	if err := autograd.Gradcheck(f, []*autograd.Var{x, b.Weight, b.Bias}); err != nil {
		t.Errorf("training: %v", err)
	}
	nn.SetTraining(b, false)
	if err := autograd.Gradcheck(f, []*autograd.Var{x, b.Weight, b.Bias}); err != nil {
		t.Errorf("evaluation: %v", err)
	}
}

// A training pass between an evaluating pass and its backward pass must not
// change the gradient.
func TestBatchNormTrainingLeavesPendingBackwardPassesAlone(t *testing.T) {
	x := normal(3, 4, 2)
	b := nn.NewBatchNorm1d(2, nn.BatchNormConfig{DType: tensor.Float64})
	gradient := func(between func()) []float64 {
		x.ZeroGrad()
		nn.SetTraining(b, false)
		y := b.Forward(x).Sum()
		between()
		y.Backward()
		return x.Gradient().Float64s()
	}
	before := b.RunningVar.Tensor()
	want := gradient(func() {})
	got := gradient(func() {
		nn.SetTraining(b, true)
		b.Forward(normal(4, 9, 2))
	})
	if !slices.Equal(got, want) {
		t.Errorf("gradient %v, want %v", got, want)
	}
	if kept := before.Float64s(); kept[0] != 1 || kept[1] != 1 {
		t.Errorf("a tensor taken before became %v", kept)
	}
	if slices.Equal(gradient(func() {}), want) {
		t.Error("the training pass did not change the estimates")
	}
}

func TestBatchNormWithoutEstimatesUsesTheBatchAlways(t *testing.T) {
	b := nn.NewBatchNorm1d(1, nn.BatchNormConfig{NoRunningStats: true, NoAffine: true, DType: tensor.Float64})
	if b.RunningMean != nil || b.RunningVar != nil || b.NumBatchesTracked != nil || len(names(b)) != 0 {
		t.Error("there are estimates or parameters")
	}
	x := constant([]float64{1, 3}, 2, 1)
	r := 1 / math.Sqrt(1+1e-5)
	wantNear(t, "training", b.Forward(x).Tensor(), 1e-15, -r, r)
	nn.SetTraining(b, false)
	wantNear(t, "evaluation", b.Forward(x).Tensor(), 1e-15, -r, r)
	wantNear(t, "evaluation of one row", b.Forward(constant([]float64{5}, 1, 1)).Tensor(), 0, 0)
}

// Estimates are constants in fields, not parameters.
func TestBatchNormParametersHaveTheirNames(t *testing.T) {
	b := nn.NewBatchNorm1d(2, nn.BatchNormConfig{})
	if got := names(b); !slices.Equal(got, []string{"weight", "bias"}) {
		t.Errorf("parameters %v", got)
	}
	for _, v := range []*autograd.Var{b.RunningMean, b.RunningVar, b.NumBatchesTracked} {
		if v.RequiresGrad() || v.IsParameter() {
			t.Errorf("%v is not a constant", v)
		}
	}
}

func TestNormalizeRowsMakesUnitRowsAndKeepsZeros(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		x := autograd.Variable(tensor.FromSlice([]float64{3, 4, 0, 0, 1e-20, 0, 0, -5}, 4, 2).To(dt))
		y := nn.NormalizeRows(x)
		wantNear(t, "y", y.Tensor(), 1e-7, 0.6, 0.8, 0, 0, 1e-8, 0, 0, -1)
		y.BackwardWith(tensor.Full(dt, 1, 4, 2))
		// (1 - y (y·1)) / ‖x‖, and 1/1e-12 below the bound
		wantNear(t, "gradient", x.Gradient(), 1e-6, 0.032, -0.024, 1e12, 1e12, 1e12, 1e12, 0.2, 0)
	}
	huge := autograd.Constant(tensor.FromSlice([]float32{1e30, 1}, 1, 2))
	wantNear(t, "float32 overflow", nn.NormalizeRows(huge).Tensor(), 0, 0, 0)
	if !math.IsNaN(nn.NormalizeRows(constant([]float64{math.NaN(), 1}, 1, 2)).Tensor().At(0, 1)) {
		t.Error("a NaN vanished")
	}
}

func TestNormalizeRowsGradients(t *testing.T) {
	for _, shape := range [][]int{{4, 3}, {2, 2, 3}, {3}, {0, 3}, {3, 0}} {
		f := func(xs ...*autograd.Var) *autograd.Var { return nn.NormalizeRows(xs[0]) }
		if err := autograd.Gradcheck(f, []*autograd.Var{normal(5, shape...)}); err != nil {
			t.Errorf("shape %v: %v", shape, err)
		}
	}
}

// The numbers are of torch.nn.functional.cosine_similarity.
func TestCosineSimilarityIsThatOfPyTorch(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		a := autograd.Variable(tensor.FromSlice([]float64{1, 2, -1, 0.5, 0, 3, 0, 0, 0}, 3, 3).To(dt))
		b := autograd.Variable(tensor.FromSlice([]float64{0, 1, 2, -1, 1, 1, 1, 2, 3}, 3, 3).To(dt))
		y := nn.CosineSimilarity(a, b)
		wantNear(t, "y", y.Tensor(), 1e-7, 0, 0.4745789979, 0)
		y.Sum().Backward()
		wantNear(t, "gradient of a", a.Gradient(), 2e-7, 0, 0.1825741858, 0.3651483717, -0.215484518, 0.1898315992, 0.03591408633, 26726124.19, 53452248.38, 80178372.57)
		wantNear(t, "gradient of b", b.Gradient(), 2e-7, 0.1825741858, 0.3651483717, -0.1825741858, 0.2531087989, -0.1581929993, 0.4113017982, 0, 0, 0)
	}
}

func TestCosineSimilarityGradients(t *testing.T) {
	for _, shape := range [][]int{{4, 3}, {2, 2, 3}, {3}, {0, 3}, {3, 0}} {
		f := func(xs ...*autograd.Var) *autograd.Var { return nn.CosineSimilarity(xs[0], xs[1]) }
		if err := autograd.Gradcheck(f, []*autograd.Var{normal(5, shape...), normal(6, shape...)}); err != nil {
			t.Errorf("shape %v: %v", shape, err)
		}
	}
}
