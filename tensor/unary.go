// Arithmetic of one tensor.

package tensor

import (
	"math"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Neg returns -x.
func Neg(x *Tensor) *Tensor {
	return unaryNumbers("Neg", x, kern.For[float32]().Neg, kern.For[float64]().Neg, negate[int32], negate[int64])
}

// Abs returns |x|. Of the least integer it is that integer, as of -x.
func Abs(x *Tensor) *Tensor {
	return unaryNumbers("Abs", x, kern.For[float32]().Abs, kern.For[float64]().Abs, absolute[int32], absolute[int64])
}

// Sign returns -1, 0 or 1 by the sign of x; NaN for NaN.
func Sign(x *Tensor) *Tensor {
	return unaryNumbers("Sign", x, sign[float32], sign[float64], sign[int32], sign[int64])
}

// Step returns 1 where x > 0, else 0.
func Step(x *Tensor) *Tensor { return unary("Step", x, step[float32], step[float64]) }

// Square returns x².
func Square(x *Tensor) *Tensor {
	return unaryNumbers("Square", x, kern.For[float32]().Square, kern.For[float64]().Square, square[int32], square[int64])
}

// Recip returns 1/x.
func Recip(x *Tensor) *Tensor {
	return unary("Recip", x, kern.For[float32]().Recip, kern.For[float64]().Recip)
}

// Sqrt returns √x.
func Sqrt(x *Tensor) *Tensor {
	return unary("Sqrt", x, kern.For[float32]().Sqrt, kern.For[float64]().Sqrt)
}

// Rsqrt returns 1/√x.
func Rsqrt(x *Tensor) *Tensor {
	return unary("Rsqrt", x, kern.For[float32]().Rsqrt, kern.For[float64]().Rsqrt)
}

// Clamp returns x limited to [lo, hi]; NaN stays, and as a bound is none. Bounds of integers
// are whole numbers as for [AddScalar], or -Inf and +Inf for none.
func Clamp(x *Tensor, lo, hi float64) *Tensor {
	const op = "Clamp"
	wantNumber(op, x)
	switch {
	case !x.dtype.IsFloat():
		return clampIntegers(op, x, lo, hi)
	case x.far != nil:
		return farUnary(op, x, ProgramStep{Op: op, Type: x.dtype, C: lo, D: hi})
	}
	return unary(op, x,
		func(dst, x []float32) { kern.For[float32]().Clamp(dst, x, float32(lo), float32(hi)) },
		func(dst, x []float64) { kern.For[float64]().Clamp(dst, x, lo, hi) })
}

// Scale returns c·x. For integers c is as for [AddScalar].
func Scale(x *Tensor, c float64) *Tensor {
	if wantNumber("Scale", x); !x.dtype.IsFloat() {
		return Mul(x, whole("Scale", x.dtype, c))
	}
	return unaryWith("Scale", x, c, kern.For[float32]().MulScalar, kern.For[float64]().MulScalar)
}

// AddScalar returns x + c. For integers c must be a whole number that their type holds,
// else it is misuse, a *[ValueError]; one beyond 2^53 that float64 lacks can be had from a
// tensor and [Add].
func AddScalar(x *Tensor, c float64) *Tensor {
	if wantNumber("AddScalar", x); !x.dtype.IsFloat() {
		return Add(x, whole("AddScalar", x.dtype, c))
	}
	return unaryWith("AddScalar", x, c, kern.For[float32]().AddScalar, kern.For[float64]().AddScalar)
}

// Floor returns the largest integer not above x.
func Floor(x *Tensor) *Tensor { return elementwise("Floor", x, math.Floor) }

// Ceil returns the smallest integer not below x.
func Ceil(x *Tensor) *Tensor { return elementwise("Ceil", x, math.Ceil) }

// Round returns the nearest integer, the even one of two as near.
func Round(x *Tensor) *Tensor { return elementwise("Round", x, math.RoundToEven) }

// Trunc returns x without its fraction.
func Trunc(x *Tensor) *Tensor { return elementwise("Trunc", x, math.Trunc) }

// AllFinite reports whether no element is NaN or ±Inf.
func AllFinite(x *Tensor) bool {
	wantFloat("AllFinite", x)
	if x.far != nil {
		return All(IsFinite(x), false).Item() != 0
	}
	if x.dtype == Float32 {
		return allFinite(elems[float32](x))
	}
	return allFinite(elems[float64](x))
}

func allFinite[T Float](x []T) bool {
	var found atomic.Bool
	cpu.ParallelFor(len(x), elementGrain, func(lo, hi int) {
		if found.Load() {
			return
		}
		var s T
		for _, v := range x[lo:hi] {
			s += v - v // 0, or NaN for NaN and ±Inf
		}
		if s != 0 {
			found.Store(true)
		}
	})
	return !found.Load()
}

func sign[T Number](dst, x []T) {
	for i, v := range x {
		switch {
		case v > 0:
			dst[i] = 1
		case v < 0:
			dst[i] = -1
		default:
			dst[i] = v // 0, ±0 and NaN
		}
	}
}

func step[T Float](dst, x []T) { kern.For[T]().Step(dst, x, 0, 1, 0) }

func cube[T Float](dst, x []T) {
	set := kern.For[T]()
	for len(dst) > 0 { // what a kernel has written, the next reads from the L1 cache
		n := min(2*rowTile, len(dst))
		set.Square(dst[:n], x[:n])
		set.Mul(dst[:n], dst[:n], x[:n])
		dst, x = dst[n:], x[n:]
	}
}
