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
	return unary("Neg", x, kern.For[float32]().Neg, kern.For[float64]().Neg)
}

// Abs returns |x|.
func Abs(x *Tensor) *Tensor {
	return unary("Abs", x, kern.For[float32]().Abs, kern.For[float64]().Abs)
}

// Sign returns -1, 0 or 1 by the sign of x; NaN for NaN.
func Sign(x *Tensor) *Tensor { return unary("Sign", x, sign[float32], sign[float64]) }

// Step returns 1 where x > 0, else 0.
func Step(x *Tensor) *Tensor { return unary("Step", x, step[float32], step[float64]) }

// Square returns x².
func Square(x *Tensor) *Tensor {
	return unary("Square", x, kern.For[float32]().Square, kern.For[float64]().Square)
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

// Clamp returns x limited to [lo, hi]; NaN stays.
func Clamp(x *Tensor, lo, hi float64) *Tensor {
	wantTensors("Clamp", x)
	if x.far != nil {
		wantFloat("Clamp", x)
		return farUnary("Clamp", x, ProgramStep{Op: "Clamp", Type: x.dtype, C: lo, D: hi})
	}
	return unary("Clamp", x,
		func(dst, x []float32) { kern.For[float32]().Clamp(dst, x, float32(lo), float32(hi)) },
		func(dst, x []float64) { kern.For[float64]().Clamp(dst, x, lo, hi) })
}

// Scale returns c·x.
func Scale(x *Tensor, c float64) *Tensor {
	return unaryWith("Scale", x, c, kern.For[float32]().MulScalar, kern.For[float64]().MulScalar)
}

// AddScalar returns x + c.
func AddScalar(x *Tensor, c float64) *Tensor {
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

func sign[T Float](dst, x []T) {
	for i, v := range x {
		switch {
		case v > 0:
			dst[i] = 1
		case v < 0:
			dst[i] = -1
		default:
			dst[i] = v // ±0 and NaN
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
