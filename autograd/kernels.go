// Loops of element-wise operations that only gradients need.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// grain is how many elements one goroutine takes at a time: large enough to hide
// the dispatch, small enough to balance.
const grain = 1 << 14

// zip returns y with y[i] = f(a[i], b[i]) for a, b of one shape and dtype.
func zip(a, b *tensor.Tensor, f32 func(dst, a, b []float32), f64 func(dst, a, b []float64)) *tensor.Tensor {
	if a.DType() != b.DType() || !a.Shape().Equal(b.Shape()) {
		panic(fmt.Sprintf("BUG: autograd: zip of %v%v and %v%v", a.DType(), a.Shape(), b.DType(), b.Shape()))
	}
	y := tensor.Zeros(a.DType(), a.Shape()...)
	if a.DType() == tensor.Float32 {
		zipTyped(y, a, b, f32)
	} else {
		zipTyped(y, a, b, f64)
	}
	return y
}

func zipTyped[T tensor.Float](y, a, b *tensor.Tensor, f func(dst, a, b []T)) {
	dst, x, w := tensor.Data[T](y), tensor.Data[T](a.Contiguous()), tensor.Data[T](b.Contiguous())
	cpu.ParallelFor(len(dst), grain, func(lo, hi int) { f(dst[lo:hi], x[lo:hi], w[lo:hi]) })
}
