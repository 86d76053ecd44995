// Element-wise operations of a tensor and a scalar on the Gorgonia engine.

package cpu

import (
	"math"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// The scalar s is a Go number or a tensor without axes, of t's element type. It is
// the right operand if leftTensor, else the left one.

// AddScalar implements gt.Adder: t + s or s + t.
func (e Engine) AddScalar(t gt.Tensor, s any, leftTensor bool, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := scalar(e, t, s, opts, kern.For[float32]().AddScalar, kern.For[float64]().AddScalar); ok {
		return r, err
	}
	return e.StdEng.AddScalar(t, s, leftTensor, opts...)
}

// SubScalar implements gt.Suber: t - s or s - t.
func (e Engine) SubScalar(t gt.Tensor, s any, leftTensor bool, opts ...gt.FuncOpt) (gt.Tensor, error) {
	f32, f64 := kern.For[float32]().RSubScalar, kern.For[float64]().RSubScalar
	if leftTensor {
		f32, f64 = minusScalar[float32], minusScalar[float64]
	}
	if r, ok, err := scalar(e, t, s, opts, f32, f64); ok {
		return r, err
	}
	return e.StdEng.SubScalar(t, s, leftTensor, opts...)
}

// MulScalar implements gt.Muler: t · s or s · t.
func (e Engine) MulScalar(t gt.Tensor, s any, leftTensor bool, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := scalar(e, t, s, opts, kern.For[float32]().MulScalar, kern.For[float64]().MulScalar); ok {
		return r, err
	}
	return e.StdEng.MulScalar(t, s, leftTensor, opts...)
}

// DivScalar implements gt.Diver: t / s or s / t.
func (e Engine) DivScalar(t gt.Tensor, s any, leftTensor bool, opts ...gt.FuncOpt) (gt.Tensor, error) {
	f32, f64 := kern.For[float32]().RDivScalar, kern.For[float64]().RDivScalar
	if leftTensor {
		f32, f64 = kern.For[float32]().DivScalar, kern.For[float64]().DivScalar
	}
	if r, ok, err := scalar(e, t, s, opts, f32, f64); ok {
		return r, err
	}
	return e.StdEng.DivScalar(t, s, leftTensor, opts...)
}

// PowScalar implements gt.Power: t to the power s, or s to the power t.
func (e Engine) PowScalar(t gt.Tensor, s any, leftTensor bool, opts ...gt.FuncOpt) (gt.Tensor, error) {
	f32, f64 := scalarToThe[float32], scalarToThe[float64]
	if leftTensor {
		f32, f64 = toTheScalar[float32], toTheScalar[float64]
	}
	if r, ok, err := scalar(e, t, s, opts, f32, f64); ok {
		return r, err
	}
	return e.StdEng.PowScalar(t, s, leftTensor, opts...)
}

func minusScalar[T kern.Float](dst, x []T, c T) { kern.For[T]().AddScalar(dst, x, -c) }

func toTheScalar[T kern.Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Pow(float64(x[i]), float64(c)))
	}
}

func scalarToThe[T kern.Float](dst, x []T, c T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Pow(float64(c), float64(x[i])))
	}
}

// scalar runs a kernel. It reports false if the standard engine must do it.
func scalar(e Engine, t gt.Tensor, s any, opts []gt.FuncOpt, f32 func(dst, x []float32, c float32), f64 func(dst, x []float64, c float64)) (gt.Tensor, bool, error) {
	switch t.Dtype() {
	case gt.Float32:
		return scalarOf(e, t, s, opts, f32)
	case gt.Float64:
		return scalarOf(e, t, s, opts, f64)
	}
	return nil, false, nil
}

func scalarOf[T kern.Float](e Engine, t gt.Tensor, s any, opts []gt.FuncOpt, f func(dst, x []T, c T)) (gt.Tensor, bool, error) {
	d, x, okX := plain[T](t)
	c, okC := numberOf[T](s)
	if !okX || !okC {
		return nil, false, nil
	}
	to, ok, err := targetOf(d, x, opts)
	if !ok || err != nil {
		return nil, ok, err
	}
	e.count()
	to.fill(func(dst []T, lo, hi int) { f(dst, x[lo:hi], c) })
	return to.tensor, true, nil
}

// numberOf returns a scalar of type T.
func numberOf[T kern.Float](s any) (c T, ok bool) {
	if d, isDense := s.(*gt.Dense); isDense {
		if !d.IsScalar() || !d.IsNativelyAccessible() || d.IsMasked() {
			return 0, false
		}
		s = d.ScalarValue()
	}
	c, ok = s.(T)
	return c, ok
}
