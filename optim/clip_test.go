// Clipping: norms against a plain float64 sum, and the odd values.

package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// withGradient returns a parameter with a gradient.
func withGradient(dt tensor.DType, g ...float64) *autograd.Var {
	w := autograd.Parameter(tensor.Zeros(dt, len(g)))
	give(w, tensor.FromSlice(slices.Clone(g), len(g)).To(dt))
	return w
}

func TestClipGradNormScalesAllGradientsTogether(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		a, b, idle := withGradient(dt, 3, 0, 4), withGradient(tensor.Float64, -12), param(1)
		params := []*autograd.Var{a, idle, b, a} // the second a counts no more
		if norm := optim.ClipGradNorm(params, 13); norm != 13 {
			t.Errorf("%v: norm %v, want 13", dt, norm)
		}
		if norm := optim.ClipGradNorm(params, 1.3); math.Abs(norm-13) > 2e-6 {
			t.Errorf("%v: norm %v, want 13 less a millionth", dt, norm)
		}
		for i, want := range []float64{0.3, 0, 0.4, -1.2} {
			got := append(a.Gradient().Float64s(), b.Gradient().Float64s()...)[i]
			if math.Abs(got-want) > 3e-7 {
				t.Errorf("%v: element %d is %v, want %v", dt, i, got, want)
			}
		}
		if idle.Gradient() != nil {
			t.Errorf("%v: a gradient where there was none", dt)
		}
	}
}

// For tiny norms the 1e-6 in the denominator shows.
func TestClipGradNormHasPyTorchsCoefficient(t *testing.T) {
	w := withGradient(tensor.Float64, 3e-6, 4e-6)
	if norm := optim.ClipGradNorm([]*autograd.Var{w}, 2e-6); math.Abs(norm-5e-6) > 1e-20 {
		t.Errorf("norm %v, want 5e-6", norm)
	}
	for i, want := range []float64{1e-6, 4e-6 / 3} { // 2/(5+1) of the gradient
		if got := w.Gradient().At(i); math.Abs(got-want) > 1e-20 {
			t.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
}

func TestClipGradNormLeavesSmallGradientsAlone(t *testing.T) {
	for _, limit := range []float64{6, math.Inf(1)} {
		w := withGradient(tensor.Float32, 0.1, -5)
		before := w.Gradient().Float64s()
		norm := optim.ClipGradNorm([]*autograd.Var{w}, limit)
		if math.Abs(norm-math.Hypot(float64(float32(0.1)), 5)) > 1e-14 || !slices.Equal(w.Gradient().Float64s(), before) {
			t.Errorf("limit %v: norm %v, gradient %v", limit, norm, w.Gradient())
		}
	}
}

// Squares of float32 that overflow float32 or vanish in it.
func TestClipGradNormSumsInFloat64(t *testing.T) {
	for _, size := range []float64{1e30, 1e-30} {
		w := withGradient(tensor.Float32, 3*size, 4*size)
		if norm := optim.ClipGradNorm([]*autograd.Var{w}, math.Inf(1)); math.Abs(norm/(5*size)-1) > 1e-6 {
			t.Errorf("norm %v, want %v", norm, 5*size)
		}
	}
}

func TestClipGradNormOfOddGradients(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	for _, c := range []struct{ grad, want []float64 }{
		{nil, nil},
		{[]float64{0, 0}, []float64{0, 0}},
		{[]float64{1, inf}, []float64{0, nan}},
		{[]float64{1, nan}, []float64{nan, nan}},
	} {
		w := withGradient(tensor.Float32, c.grad...)
		var squares float64
		for _, g := range c.grad {
			squares += g * g
		}
		if norm := optim.ClipGradNorm([]*autograd.Var{w}, 1); !same(norm, math.Sqrt(squares)) {
			t.Errorf("%v: norm %v", c.grad, norm)
		}
		if got := w.Gradient().Float64s(); !slices.EqualFunc(got, c.want, same) {
			t.Errorf("%v becomes %v, want %v", c.grad, got, c.want)
		}
	}
	if norm := optim.ClipGradNorm(nil, 1); norm != 0 {
		t.Errorf("norm of nothing is %v", norm)
	}
	if norm := optim.ClipGradNormTensor(nil, 1); norm.Item() != 0 || norm.DType() != tensor.Float64 {
		t.Errorf("norm of nothing is %v", norm)
	}
}

func TestClippingIsTheSameBitsForAnyNumberOfThreads(t *testing.T) {
	defer tensor.SetThreads(0)
	g32, g64 := wave(1, 500_003), wave(2, 500_003)
	for i := range g32 { // ranges of many magnitudes: the order of their sums shows
		g32[i] *= math.Exp(-float64(i) / 70_000)
		g64[i] *= math.Exp(-float64(i) / 50_000)
	}
	run := func(threads int) []float64 {
		tensor.SetThreads(threads)
		w, v := withGradient(tensor.Float32, g32...), withGradient(tensor.Float64, g64...)
		params := []*autograd.Var{w, v}
		optim.ClipGradValue(params, 1.5)
		norm := optim.ClipGradNorm(params, 0.1)
		return slices.Concat([]float64{norm}, w.Gradient().Float64s(), v.Gradient().Float64s())
	}
	one := run(1)
	for _, threads := range []int{2, 3, 8} {
		if !slices.Equal(one, run(threads)) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

func TestClipGradValueClampsEachElement(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		w, idle := withGradient(dt, -3, -0.5, 0, 0.25, 0.75, math.Inf(1), math.NaN()), param(1)
		optim.ClipGradValue([]*autograd.Var{w, idle, w}, 0.5)
		got := w.Gradient().Float64s()
		if want := []float64{-0.5, -0.5, 0, 0.25, 0.5, 0.5}; !slices.Equal(got[:6], want) || got[6] == got[6] {
			t.Errorf("%v: %v, want %v and NaN", dt, got, want)
		}
	}
}

func TestClippingRejectsSenselessLimits(t *testing.T) {
	wantMisuse(t, map[string]func(){
		"optim: ClipGradNorm: the largest norm is -1": func() { optim.ClipGradNorm(nil, -1) },
		"ClipGradNorm: the largest norm is NaN":       func() { optim.ClipGradNorm(nil, math.NaN()) },
		"ClipGradNormTensor: the largest norm is -1":  func() { optim.ClipGradNormTensor(nil, -1) },
		"ClipGradNormTensor: the largest norm is NaN": func() { optim.ClipGradNormTensor(nil, math.NaN()) },
		"ClipGradValue: the limit is -1":              func() { optim.ClipGradValue(nil, -1) },
		"ClipGradValue: the limit is NaN":             func() { optim.ClipGradValue(nil, math.NaN()) },
	})
}

func TestClippingOfANilParameterIsMisuse(t *testing.T) {
	params := []*autograd.Var{autograd.Parameter(tensor.Ones(tensor.Float32, 2)), nil}
	wantMisuse(t, map[string]func(){
		"optim: ClipGradNorm: parameter 1 is nil":  func() { optim.ClipGradNorm(params, 1) },
		"optim: ClipGradValue: parameter 1 is nil": func() { optim.ClipGradValue(params, 1) },
	})
}
