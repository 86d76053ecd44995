// Softmax over the last axis.

package tensor

import (
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Softmax returns e^x / Σ e^x over the last axis, shifted by the maximum so
// that nothing overflows.
func Softmax(x *Tensor) *Tensor {
	return rowwise("Softmax", x, kern.For[float32]().SoftmaxRows, kern.For[float64]().SoftmaxRows)
}

// LogSoftmax returns x - ln Σ e^x over the last axis, shifted by the maximum.
func LogSoftmax(x *Tensor) *Tensor {
	return rowwise("LogSoftmax", x, kern.For[float32]().LogSoftmaxRows, kern.For[float64]().LogSoftmaxRows)
}

// rowwise runs a kernel over the rows of the last axis.
func rowwise(op string, x *Tensor, f32 func(dst, x []float32, n int), f64 func(dst, x []float64, n int)) *Tensor {
	wantFloat(op, x)
	n := lastAxis(op, x)
	out := emptyBeside(x, op, x.dtype, x.shape)
	if x.far != nil {
		farRows(op, 0, []*Tensor{out}, x)
		return out
	}
	if out.dtype == Float32 {
		dst, src := elems[float32](out), elems[float32](x)
		forRowBlocks(len(dst), n, func(lo, hi int) { f32(dst[lo:hi], src[lo:hi], n) })
	} else {
		dst, src := elems[float64](out), elems[float64](x)
		forRowBlocks(len(dst), n, func(lo, hi int) { f64(dst[lo:hi], src[lo:hi], n) })
	}
	return out
}

// lastAxis returns the length of the last axis.
func lastAxis(op string, x *Tensor) int {
	if x.Rank() == 0 {
		panic(&ShapeError{Op: op, Detail: "a scalar has no last axis", Shapes: []Shape{x.shape}})
	}
	return x.shape[x.Rank()-1]
}

// forRowBlocks calls f for ranges of whole rows of n elements in parallel; some
// of the functions it runs cost several times an addition.
func forRowBlocks(size, n int, f func(lo, hi int)) {
	if size == 0 {
		return
	}
	cpu.ParallelFor(size/n, rowsGrain(n), func(lo, hi int) { f(lo*n, hi*n) })
}

// rowsGrain is how many rows of n elements a goroutine takes at a time, for functions that
// cost several times an addition.
func rowsGrain(n int) int { return max(1, elementGrain/4/max(1, n)) }
