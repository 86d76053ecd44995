// Element-wise functions of one tensor on the Gorgonia engine.

package cpu

import (
	"math"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

var (
	_ gt.Neger     = Engine{}
	_ gt.Inver     = Engine{}
	_ gt.Squarer   = Engine{}
	_ gt.Cuber     = Engine{}
	_ gt.Exper     = Engine{}
	_ gt.Tanher    = Engine{}
	_ gt.Loger     = Engine{}
	_ gt.Log2er    = Engine{}
	_ gt.Log10er   = Engine{}
	_ gt.Sqrter    = Engine{}
	_ gt.Cbrter    = Engine{}
	_ gt.InvSqrter = Engine{}
	_ gt.Signer    = Engine{}
	_ gt.Abser     = Engine{}
	_ gt.Clamper   = Engine{}
)

// Neg implements gt.Neger: -a.
func (e Engine) Neg(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Neg, kern.For[float64]().Neg); ok {
		return r, err
	}
	return e.StdEng.Neg(a, opts...)
}

// Inv implements gt.Inver: 1/a.
func (e Engine) Inv(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Recip, kern.For[float64]().Recip); ok {
		return r, err
	}
	return e.StdEng.Inv(a, opts...)
}

// Square implements gt.Squarer: a².
func (e Engine) Square(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Square, kern.For[float64]().Square); ok {
		return r, err
	}
	return e.StdEng.Square(a, opts...)
}

// Cube implements gt.Cuber: a³.
func (e Engine) Cube(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, cube[float32], cube[float64]); ok {
		return r, err
	}
	return e.StdEng.Cube(a, opts...)
}

// Exp implements gt.Exper: e to the power a.
func (e Engine) Exp(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Exp, kern.For[float64]().Exp); ok {
		return r, err
	}
	return e.StdEng.Exp(a, opts...)
}

// Tanh implements gt.Tanher.
func (e Engine) Tanh(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Tanh, kern.For[float64]().Tanh); ok {
		return r, err
	}
	return e.StdEng.Tanh(a, opts...)
}

// Log implements gt.Loger: the natural logarithm.
func (e Engine) Log(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Log, kern.For[float64]().Log); ok {
		return r, err
	}
	return e.StdEng.Log(a, opts...)
}

// Log2 implements gt.Log2er: the logarithm to the base 2.
func (e Engine) Log2(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, each[float32](math.Log2), each[float64](math.Log2)); ok {
		return r, err
	}
	return e.StdEng.Log2(a, opts...)
}

// Log10 implements gt.Log10er: the logarithm to the base 10.
func (e Engine) Log10(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, each[float32](math.Log10), each[float64](math.Log10)); ok {
		return r, err
	}
	return e.StdEng.Log10(a, opts...)
}

// Sqrt implements gt.Sqrter: √a.
func (e Engine) Sqrt(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Sqrt, kern.For[float64]().Sqrt); ok {
		return r, err
	}
	return e.StdEng.Sqrt(a, opts...)
}

// Cbrt implements gt.Cbrter: the cube root.
func (e Engine) Cbrt(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, each[float32](math.Cbrt), each[float64](math.Cbrt)); ok {
		return r, err
	}
	return e.StdEng.Cbrt(a, opts...)
}

// InvSqrt implements gt.InvSqrter: 1/√a.
func (e Engine) InvSqrt(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Rsqrt, kern.For[float64]().Rsqrt); ok {
		return r, err
	}
	return e.StdEng.InvSqrt(a, opts...)
}

// Sign implements gt.Signer: -1, 0 or 1.
func (e Engine) Sign(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, sign[float32], sign[float64]); ok {
		return r, err
	}
	return e.StdEng.Sign(a, opts...)
}

// Abs implements gt.Abser: |a|.
func (e Engine) Abs(a gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok, err := unary(e, a, opts, kern.For[float32]().Abs, kern.For[float64]().Abs); ok {
		return r, err
	}
	return e.StdEng.Abs(a, opts...)
}

// Clamp implements gt.Clamper: a, but at least lower and at most upper, which have
// a's element type.
func (e Engine) Clamp(a gt.Tensor, lower, upper any, opts ...gt.FuncOpt) (gt.Tensor, error) {
	lo32, ok1 := lower.(float32)
	hi32, ok2 := upper.(float32)
	lo64, ok3 := lower.(float64)
	hi64, ok4 := upper.(float64)
	// Our kernel and the standard engine agree only on bounds that are in order.
	inOrder32, inOrder64 := ok1 && ok2 && lo32 <= hi32, ok3 && ok4 && lo64 <= hi64
	if dt := a.Dtype(); dt == gt.Float32 && inOrder32 || dt == gt.Float64 && inOrder64 {
		f32 := func(dst, x []float32) { kern.For[float32]().Clamp(dst, x, lo32, hi32) }
		f64 := func(dst, x []float64) { kern.For[float64]().Clamp(dst, x, lo64, hi64) }
		if r, ok, err := unary(e, a, opts, f32, f64); ok {
			return r, err
		}
	}
	return e.StdEng.Clamp(a, lower, upper, opts...)
}

func cube[T kern.Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * x[i] * x[i]
	}
}

func sign[T kern.Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		switch {
		case x[i] < 0:
			dst[i] = -1
		case x[i] > 0:
			dst[i] = 1
		default:
			dst[i] = x[i]
		}
	}
}

// each makes a kernel of a function of one number.
func each[T kern.Float](f func(float64) float64) func(dst, x []T) {
	return func(dst, x []T) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = T(f(float64(x[i])))
		}
	}
}

// unary runs a kernel. It reports false if the standard engine must do it.
func unary(e Engine, a gt.Tensor, opts []gt.FuncOpt, f32 func(dst, x []float32), f64 func(dst, x []float64)) (gt.Tensor, bool, error) {
	switch a.Dtype() {
	case gt.Float32:
		return unaryOf(e, a, opts, f32)
	case gt.Float64:
		return unaryOf(e, a, opts, f64)
	}
	return nil, false, nil
}

func unaryOf[T kern.Float](e Engine, a gt.Tensor, opts []gt.FuncOpt, f func(dst, x []T)) (gt.Tensor, bool, error) {
	d, x, ok := plain[T](a)
	if !ok {
		return nil, false, nil
	}
	to, ok, err := targetOf(d, x, opts)
	if !ok || err != nil {
		return nil, ok, err
	}
	e.count()
	to.fill(func(dst []T, lo, hi int) { f(dst, x[lo:hi]) })
	return to.tensor, true, nil
}
