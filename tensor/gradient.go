// Gradients of element-wise functions and of softmax in one pass over memory,
// for package autograd. g is the gradient of the result, of the operand's shape.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// GateReLU returns the gradient of ReLU: 0 where y <= 0, else g, also where y is NaN.
// y is the result or the operand.
func GateReLU(g, y *Tensor) *Tensor {
	return gradient("GateReLU", g, y, kern.For[float32]().GateReLU, kern.For[float64]().GateReLU)
}

// GateLeakyReLU returns the gradient of LeakyReLU: g where x > 0, else slope·g, also
// where x is NaN. For slope 0 it is [GateReLU], whose 0 does not multiply an infinite g.
func GateLeakyReLU(g, x *Tensor, slope float64) *Tensor {
	return gradientWith("GateLeakyReLU", g, x, slope, 0,
		func(dst, g, x []float32) { kern.For[float32]().GateLeakyReLU(dst, g, x, float32(slope)) },
		func(dst, g, x []float64) { kern.For[float64]().GateLeakyReLU(dst, g, x, slope) })
}

// ELUGrad returns the gradient of ELU with result y: g where y > 0, else g·(y + alpha).
func ELUGrad(g, y *Tensor, alpha float64) *Tensor {
	return gradientWith("ELUGrad", g, y, alpha, 0,
		func(dst, g, y []float32) { kern.For[float32]().ELUGrad(dst, g, y, float32(alpha)) },
		func(dst, g, y []float64) { kern.For[float64]().ELUGrad(dst, g, y, alpha) })
}

// SigmoidGrad returns the gradient of Sigmoid with result y: g·y·(1 - y).
func SigmoidGrad(g, y *Tensor) *Tensor {
	return gradient("SigmoidGrad", g, y, kern.For[float32]().SigmoidGrad, kern.For[float64]().SigmoidGrad)
}

// TanhGrad returns the gradient of Tanh with result y: g·(1 - y²).
func TanhGrad(g, y *Tensor) *Tensor {
	return gradient("TanhGrad", g, y, kern.For[float32]().TanhGrad, kern.For[float64]().TanhGrad)
}

// SoftplusGrad returns the gradient of Softplus at x: g·σ(x).
func SoftplusGrad(g, x *Tensor) *Tensor {
	return gradient("SoftplusGrad", g, x, kern.For[float32]().SoftplusGrad, kern.For[float64]().SoftplusGrad)
}

// SiLUGrad returns the gradient of SiLU at x: g·σ(x)·(1 + x·σ(-x)).
func SiLUGrad(g, x *Tensor) *Tensor {
	return gradient("SiLUGrad", g, x, kern.For[float32]().SiLUGrad, kern.For[float64]().SiLUGrad)
}

// GELUGrad returns the gradient of GELU at x: g·(Φ(x) + x·φ(x)).
func GELUGrad(g, x *Tensor) *Tensor {
	return gradient("GELUGrad", g, x, kern.For[float32]().GELUGrad, kern.For[float64]().GELUGrad)
}

// ErfGrad returns the gradient of Erf at x: g·2/√π·e^-x².
func ErfGrad(g, x *Tensor) *Tensor {
	return gradient("ErfGrad", g, x, kern.For[float32]().ErfGrad, kern.For[float64]().ErfGrad)
}

// AbsGrad returns the gradient of Abs at x: ±g by the sign of x, 0 at 0.
func AbsGrad(g, x *Tensor) *Tensor {
	return gradient("AbsGrad", g, x, kern.For[float32]().AbsGrad, kern.For[float64]().AbsGrad)
}

// SqrtGrad returns the gradient of Sqrt with result y: g/(2·y).
func SqrtGrad(g, y *Tensor) *Tensor {
	return gradient("SqrtGrad", g, y, kern.For[float32]().SqrtGrad, kern.For[float64]().SqrtGrad)
}

// ClampGrad returns the gradient of Clamp at x: g where lo <= x <= hi, else 0, as at NaN. A
// bound that is NaN is none.
func ClampGrad(g, x *Tensor, lo, hi float64) *Tensor {
	if math.IsNaN(lo) {
		lo = math.Inf(-1)
	}
	if math.IsNaN(hi) {
		hi = math.Inf(1)
	}
	return gradientWith("ClampGrad", g, x, lo, hi,
		func(dst, g, x []float32) { kern.For[float32]().ClampGrad(dst, g, x, float32(lo), float32(hi)) },
		func(dst, g, x []float64) { kern.For[float64]().ClampGrad(dst, g, x, lo, hi) })
}

// SoftmaxGrad returns the gradient of Softmax over the last axis with result y:
// y·(g - Σ g·y).
func SoftmaxGrad(g, y *Tensor) *Tensor {
	return rowGradient("SoftmaxGrad", g, y, kern.For[float32]().SoftmaxGradRows, kern.For[float64]().SoftmaxGradRows)
}

// LogSoftmaxGrad returns the gradient of LogSoftmax over the last axis with result
// y: g - e^y·Σ g.
func LogSoftmaxGrad(g, y *Tensor) *Tensor {
	return rowGradient("LogSoftmaxGrad", g, y, kern.For[float32]().LogSoftmaxGradRows, kern.For[float64]().LogSoftmaxGradRows)
}

// gradient is binary without broadcasting.
func gradient(op string, g, x *Tensor, f32 func(dst, g, x []float32), f64 func(dst, g, x []float64)) *Tensor {
	return gradientWith(op, g, x, 0, 0, f32, f64)
}

// gradientWith is gradient for kernels that close over the numbers c and d.
func gradientWith(op string, g, x *Tensor, c, d float64, f32 func(dst, g, x []float32), f64 func(dst, g, x []float64)) *Tensor {
	wantAlike(op, g, x)
	if anyFar(g, x) {
		return farBinary(op, g, x, ProgramStep{Op: op, Type: x.dtype, C: c, D: d})
	}
	out := empty(x.dtype, x.shape)
	if x.dtype == Float32 {
		map2(out, g, x, f32)
	} else {
		map2(out, g, x, f64)
	}
	return out
}

func rowGradient(op string, g, y *Tensor, f32 func(dst, g, y []float32, n int), f64 func(dst, g, y []float64, n int)) *Tensor {
	wantAlike(op, g, y)
	n := lastAxis(op, y)
	if anyFar(g, y) {
		out := emptyOn(sameDevice(op, g, y), op, y.dtype, y.shape)
		farRows(op, 0, []*Tensor{out}, g, y)
		return out
	}
	out := empty(y.dtype, y.shape)
	if y.dtype == Float32 {
		rowGradients(elems[float32](out), elems[float32](g), elems[float32](y), n, f32)
	} else {
		rowGradients(elems[float64](out), elems[float64](g), elems[float64](y), n, f64)
	}
	return out
}

func rowGradients[T Float](dst, g, y []T, n int, f func(dst, g, y []T, n int)) {
	forRowBlocks(len(y), n, func(lo, hi int) { f(dst[lo:hi], g[lo:hi], y[lo:hi], n) })
}

// wantAlike panics unless a gradient has the shape and type of an operand.
func wantAlike(op string, g, x *Tensor) {
	wantSame(op, x, g)
	if !g.shape.Equal(x.shape) {
		panic(&ShapeError{Op: op, Detail: "shapes differ", Shapes: []Shape{g.shape, x.shape}})
	}
}
