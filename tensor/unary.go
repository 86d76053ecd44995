// Element-wise operations of one tensor.

package tensor

import (
	"math"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Neg returns -x.
func Neg(x *Tensor) *Tensor { return unary("Neg", x, neg[float32], neg[float64]) }

// Exp returns e^x.
func Exp(x *Tensor) *Tensor {
	return unary("Exp", x, kern.For[float32]().Exp, kern.For[float64]().Exp)
}

// Log returns the natural logarithm of x.
func Log(x *Tensor) *Tensor { return elementwise("Log", x, math.Log) }

// Sqrt returns √x.
func Sqrt(x *Tensor) *Tensor { return elementwise("Sqrt", x, math.Sqrt) }

// Rsqrt returns 1/√x.
func Rsqrt(x *Tensor) *Tensor {
	return elementwise("Rsqrt", x, func(v float64) float64 { return 1 / math.Sqrt(v) })
}

// Abs returns |x|.
func Abs(x *Tensor) *Tensor { return unary("Abs", x, abs[float32], abs[float64]) }

// Sign returns -1, 0 or 1 by the sign of x; NaN for NaN.
func Sign(x *Tensor) *Tensor { return unary("Sign", x, sign[float32], sign[float64]) }

// Step returns 1 where x > 0, else 0.
func Step(x *Tensor) *Tensor { return unary("Step", x, step[float32], step[float64]) }

// Square returns x².
func Square(x *Tensor) *Tensor { return unary("Square", x, square[float32], square[float64]) }

// Recip returns 1/x.
func Recip(x *Tensor) *Tensor { return unary("Recip", x, recip[float32], recip[float64]) }

// ReLU returns max(x, 0).
func ReLU(x *Tensor) *Tensor {
	return unary("ReLU", x, kern.For[float32]().ReLU, kern.For[float64]().ReLU)
}

// LeakyReLU returns x where x >= 0, else slope·x.
func LeakyReLU(x *Tensor, slope float64) *Tensor {
	return unary("LeakyReLU", x,
		func(dst, x []float32) { kern.For[float32]().LeakyReLU(dst, x, float32(slope)) },
		func(dst, x []float64) { kern.For[float64]().LeakyReLU(dst, x, slope) })
}

// ELU returns x where x > 0, else alpha·(e^x - 1).
func ELU(x *Tensor, alpha float64) *Tensor {
	return unary("ELU", x,
		func(dst, x []float32) { kern.For[float32]().ELU(dst, x, float32(alpha)) },
		func(dst, x []float64) { kern.For[float64]().ELU(dst, x, alpha) })
}

// GELU returns x·Φ(x) with the normal distribution Φ, in its exact form
// x/2·(1 + erf(x/√2)) (Hendrycks and Gimpel 2016).
func GELU(x *Tensor) *Tensor {
	return elementwise("GELU", x, func(v float64) float64 {
		if math.IsInf(v, -1) {
			return 0
		}
		return 0.5 * v * math.Erfc(-v/math.Sqrt2) // erfc keeps its digits in the left tail
	})
}

// Erf returns the error function of x.
func Erf(x *Tensor) *Tensor { return elementwise("Erf", x, math.Erf) }

// Sigmoid returns 1/(1 + e^-x).
func Sigmoid(x *Tensor) *Tensor {
	return unary("Sigmoid", x, kern.For[float32]().Sigmoid, kern.For[float64]().Sigmoid)
}

// SiLU returns x·sigmoid(x).
func SiLU(x *Tensor) *Tensor { return unary("SiLU", x, silu[float32], silu[float64]) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *Tensor) *Tensor {
	return unary("Tanh", x, kern.For[float32]().Tanh, kern.For[float64]().Tanh)
}

// Softplus returns ln(1 + e^x).
func Softplus(x *Tensor) *Tensor {
	return elementwise("Softplus", x, func(v float64) float64 {
		return max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
	})
}

// Pow returns x^p.
func Pow(x *Tensor, p float64) *Tensor {
	return elementwise("Pow", x, func(v float64) float64 { return math.Pow(v, p) })
}

// Clamp returns x limited to [lo, hi].
func Clamp(x *Tensor, lo, hi float64) *Tensor {
	return unary("Clamp", x,
		func(dst, x []float32) { clamp(dst, x, float32(lo), float32(hi)) },
		func(dst, x []float64) { clamp(dst, x, lo, hi) })
}

// Scale returns c·x.
func Scale(x *Tensor, c float64) *Tensor {
	return unary("Scale", x,
		func(dst, x []float32) { kern.For[float32]().MulScalar(dst, x, float32(c)) },
		func(dst, x []float64) { kern.For[float64]().MulScalar(dst, x, c) })
}

// AddScalar returns x + c.
func AddScalar(x *Tensor, c float64) *Tensor {
	return unary("AddScalar", x,
		func(dst, x []float32) { kern.For[float32]().AddScalar(dst, x, float32(c)) },
		func(dst, x []float64) { kern.For[float64]().AddScalar(dst, x, c) })
}

// Dropout returns scale·x with each element replaced by 0 with probability
// threshold/2^32: element i stays where rng.Keep(seed, i, threshold) of
// internal/rng says so.
func Dropout(x *Tensor, seed, threshold uint64, scale float64) *Tensor {
	const op = "Dropout"
	wantFloat(op, x)
	out := empty(x.dtype, x.shape)
	if out.dtype == Float32 {
		dropout(elems[float32](out), elems[float32](x), seed, threshold, float32(scale))
	} else {
		dropout(elems[float64](out), elems[float64](x), seed, threshold, scale)
	}
	return out
}

func dropout[T Float](dst, x []T, seed, threshold uint64, scale T) {
	f := kern.For[T]().Dropout
	cpu.ParallelFor(len(dst), elementGrain, func(lo, hi int) {
		f(dst[lo:hi], x[lo:hi], seed, uint64(lo), threshold, scale)
	})
}

// AllFinite reports whether no element is NaN or ±Inf.
func AllFinite(x *Tensor) bool {
	wantFloat("AllFinite", x)
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

// unary runs a kernel over the elements in parallel.
func unary(op string, x *Tensor, f32 func(dst, x []float32), f64 func(dst, x []float64)) *Tensor {
	return unaryGrain(op, x, elementGrain, f32, f64)
}

// elementwise is unary for a function of one number that costs tens of
// nanoseconds; it is computed in float64 and rounded once.
func elementwise(op string, x *Tensor, f func(float64) float64) *Tensor {
	return unaryGrain(op, x, elementGrain/8,
		func(dst, x []float32) {
			for i, v := range x {
				dst[i] = float32(f(float64(v)))
			}
		},
		func(dst, x []float64) {
			for i, v := range x {
				dst[i] = f(v)
			}
		})
}

func unaryGrain(op string, x *Tensor, grain int, f32 func(dst, x []float32), f64 func(dst, x []float64)) *Tensor {
	wantFloat(op, x)
	out := empty(x.dtype, x.shape)
	if out.dtype == Float32 {
		map1(out, x, grain, f32)
	} else {
		map1(out, x, grain, f64)
	}
	return out
}

// map1 writes f of the elements of x to dst, of the same shape.
func map1[T, R Element](dst, x *Tensor, grain int, f func(dst []R, x []T)) {
	out, src := elems[R](dst), elems[T](x)
	if len(out) <= grain { // without making a closure
		f(out, src)
		return
	}
	cpu.ParallelFor(len(out), grain, func(lo, hi int) { f(out[lo:hi], src[lo:hi]) })
}

func neg[T Float](dst, x []T) {
	for i, v := range x {
		dst[i] = -v
	}
}

func abs[T Float](dst, x []T) {
	for i, v := range x {
		dst[i] = T(math.Abs(float64(v)))
	}
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

func step[T Float](dst, x []T) {
	for i, v := range x {
		dst[i] = 0
		if v > 0 {
			dst[i] = 1
		}
	}
}

func square[T Float](dst, x []T) {
	for i, v := range x {
		dst[i] = v * v
	}
}

func recip[T Float](dst, x []T) {
	for i, v := range x {
		dst[i] = 1 / v
	}
}

func silu[T Float](dst, x []T) {
	kern.For[T]().Sigmoid(dst, x)
	for i, v := range x {
		if v < 0 && dst[i] == 0 {
			continue // -Inf·0 would be NaN
		}
		dst[i] *= v
	}
}

func clamp[T Float](dst, x []T, lo, hi T) {
	for i, v := range x {
		dst[i] = min(max(v, lo), hi)
	}
}
