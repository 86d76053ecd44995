// Softmax over the last axis.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Softmax returns e^x / Σ e^x over the last axis, shifted by the maximum so
// that nothing overflows.
func Softmax(x *Tensor) *Tensor {
	return rowwise("Softmax", x, softmaxRow[float32], softmaxRow[float64])
}

// LogSoftmax returns x - ln Σ e^x over the last axis, shifted by the maximum.
func LogSoftmax(x *Tensor) *Tensor {
	return rowwise("LogSoftmax", x, logSoftmaxRow[float32], logSoftmaxRow[float64])
}

// rowwise runs a kernel over the rows of the last axis.
func rowwise(op string, x *Tensor, f32 func(dst, x []float32), f64 func(dst, x []float64)) *Tensor {
	wantFloat(op, x)
	if x.Rank() == 0 {
		panic(&ShapeError{Op: op, Detail: "a scalar has no last axis", Shapes: []Shape{x.shape}})
	}
	out := empty(x.dtype, x.shape)
	n := x.shape[x.Rank()-1]
	if out.dtype == Float32 {
		forRows(elems[float32](out), elems[float32](x), n, f32)
	} else {
		forRows(elems[float64](out), elems[float64](x), n, f64)
	}
	return out
}

func forRows[T Float](dst, x []T, n int, f func(dst, x []T)) {
	if n == 0 {
		return
	}
	cpu.ParallelFor(len(x)/n, max(1, elementGrain/4/n), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			f(dst[r*n:(r+1)*n], x[r*n:(r+1)*n])
		}
	})
}

func softmaxRow[T Float](dst, x []T) {
	k := kern.For[T]()
	k.AddScalar(dst, x, -k.MaxOf(x))
	k.Exp(dst, dst)
	k.MulScalar(dst, dst, 1/k.Sum(dst))
}

func logSoftmaxRow[T Float](dst, x []T) {
	k := kern.For[T]()
	m := k.MaxOf(x)
	k.AddScalar(dst, x, -m)
	k.Exp(dst, dst)
	logSum := T(math.Log(float64(k.Sum(dst))))
	// Not x - (m + logSum): for a large maximum that sum would lose logSum.
	k.AddScalar(dst, x, -m)
	k.AddScalar(dst, dst, -logSum)
}
