// The gradient of cross-entropy.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// CrossEntropyGrad returns the gradient of scale·Σ_r -LogSoftmax(x)[r, labels[r]] with
// respect to x [rows classes]: scale·(Softmax(x) - OneHot(labels)), in one walk over memory.
// x is on the CPU.
func CrossEntropyGrad(x *Tensor, labels []int32, scale float64) *Tensor {
	const op = "CrossEntropyGrad"
	wantFloat(op, x)
	wantHere(op, x)
	if x.Rank() != 2 || x.shape[0] != len(labels) {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("%d labels are not one for each row of a matrix", len(labels)), Shapes: []Shape{x.shape}})
	}
	checkIndices(op, labels, x.shape[1])
	out := empty(x.dtype, x.shape)
	if x.dtype == Float32 {
		crossEntropyGrad(elems[float32](out), elems[float32](x), labels, x.shape[1], float32(scale))
	} else {
		crossEntropyGrad(elems[float64](out), elems[float64](x), labels, x.shape[1], scale)
	}
	return out
}

func crossEntropyGrad[T Float](dst, x []T, labels []int32, n int, scale T) {
	k := kern.For[T]()
	forRowTiles(len(dst), n, func(lo, hi int) {
		tile := dst[lo:hi]
		k.SoftmaxRows(tile, x[lo:hi], n)
		for r, label := range labels[lo/n : hi/n] {
			tile[r*n+int(label)]--
		}
		k.MulScalar(tile, tile, scale)
	})
}
