// Element-wise operations of two tensors on the Gorgonia engine.

package cpu

import (
	"math"
	"slices"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

var (
	_ gt.Adder = Engine{}
	_ gt.Suber = Engine{}
	_ gt.Muler = Engine{}
	_ gt.Diver = Engine{}
	_ gt.Power = Engine{}
)

// Add implements gt.Adder: a + b, element by element.
func (e Engine) Add(a, b gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := binary(e, a, b, opts, kern.For[float32]().Add, kern.For[float64]().Add); ok {
		return r, err
	}
	return e.StdEng.Add(a, b, opts...)
}

// Sub implements gt.Suber: a - b, element by element.
func (e Engine) Sub(a, b gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := binary(e, a, b, opts, kern.For[float32]().Sub, kern.For[float64]().Sub); ok {
		return r, err
	}
	return e.StdEng.Sub(a, b, opts...)
}

// Mul implements gt.Muler: a · b, element by element.
func (e Engine) Mul(a, b gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := binary(e, a, b, opts, kern.For[float32]().Mul, kern.For[float64]().Mul); ok {
		return r, err
	}
	return e.StdEng.Mul(a, b, opts...)
}

// Div implements gt.Diver: a / b, element by element.
func (e Engine) Div(a, b gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := binary(e, a, b, opts, kern.For[float32]().Div, kern.For[float64]().Div); ok {
		return r, err
	}
	return e.StdEng.Div(a, b, opts...)
}

// Pow implements gt.Power: a to the power b, element by element.
func (e Engine) Pow(a, b gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := binary(e, a, b, opts, pow[float32], pow[float64]); ok {
		return r, err
	}
	return e.StdEng.Pow(a, b, opts...)
}

func pow[T kern.Float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Pow(float64(a[i]), float64(b[i])))
	}
}

// binary runs a kernel. It reports false if the standard engine must do it.
func binary(e Engine, a, b gt.Tensor, opts []gt.FuncOpt, f32 func(dst, a, b []float32), f64 func(dst, a, b []float64)) (gt.Tensor, bool, error) {
	switch a.Dtype() {
	case gt.Float32:
		return binaryOf(e, a, b, opts, f32)
	case gt.Float64:
		return binaryOf(e, a, b, opts, f64)
	}
	return nil, false, nil
}

func binaryOf[T kern.Float](e Engine, a, b gt.Tensor, opts []gt.FuncOpt, f func(dst, a, b []T)) (gt.Tensor, bool, error) {
	da, x, okA := plain[T](a)
	db, y, okB := plain[T](b)
	if !okA || !okB || !slices.Equal(da.Shape(), db.Shape()) {
		return nil, false, nil
	}
	to, ok, err := targetOf(da, x, opts)
	if !ok || err != nil {
		return nil, ok, err
	}
	e.count()
	to.fill(func(dst []T, lo, hi int) { f(dst, x[lo:hi], y[lo:hi]) })
	return to.tensor, true, nil
}
