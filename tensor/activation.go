// Activation functions and dropout.

package tensor

import (
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// ReLU returns max(x, 0); NaN stays.
func ReLU(x *Tensor) *Tensor {
	return unary("ReLU", x, kern.For[float32]().ReLU, kern.For[float64]().ReLU)
}

// LeakyReLU returns x where x >= 0, else slope·x.
func LeakyReLU(x *Tensor, slope float64) *Tensor {
	return unaryWith("LeakyReLU", x, slope, kern.For[float32]().LeakyReLU, kern.For[float64]().LeakyReLU)
}

// ELU returns x where x > 0, else alpha·(e^x - 1).
func ELU(x *Tensor, alpha float64) *Tensor {
	return unaryWith("ELU", x, alpha, kern.For[float32]().ELU, kern.For[float64]().ELU)
}

// GELU returns x·Φ(x) with the normal distribution Φ, in its exact form
// x/2·(1 + erf(x/√2)) (Hendrycks and Gimpel 2016).
func GELU(x *Tensor) *Tensor {
	return unary("GELU", x, kern.For[float32]().GELU, kern.For[float64]().GELU)
}

// Sigmoid returns 1/(1 + e^-x).
func Sigmoid(x *Tensor) *Tensor {
	return unary("Sigmoid", x, kern.For[float32]().Sigmoid, kern.For[float64]().Sigmoid)
}

// SiLU returns x·sigmoid(x).
func SiLU(x *Tensor) *Tensor {
	return unary("SiLU", x, kern.For[float32]().SiLU, kern.For[float64]().SiLU)
}

// Softplus returns ln(1 + e^x).
func Softplus(x *Tensor) *Tensor {
	return unary("Softplus", x, kern.For[float32]().Softplus, kern.For[float64]().Softplus)
}

// Dropout returns scale·x with each element replaced by 0 with probability
// threshold/2^32: element i stays where rng.Keep(seed, i, threshold) of
// internal/rng says so.
func Dropout(x *Tensor, seed, threshold uint64, scale float64) *Tensor {
	const op = "Dropout"
	wantFloat(op, x)
	if x.far != nil {
		return farUnary(op, x, ProgramStep{Op: op, Type: x.dtype, C: scale, U: seed, V: threshold})
	}
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
