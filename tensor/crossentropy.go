// Cross-entropy of rows of scores and its gradient.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// CrossEntropy returns the sum over the rows r of x [n classes] that rows names, nil for all,
// of
//
//	-LogSoftmax(x)[r, labels[i]]
//
// where labels[i] is the label of the i-th of these rows. It is added up in float64, in an
// order that does not depend on the number of threads, and nothing is kept of the
// log-probabilities. x is on the CPU.
func CrossEntropy(x *Tensor, rows, labels []int32) float64 {
	wantClasses("CrossEntropy", x, rows, labels)
	if x.dtype == Float32 {
		return crossEntropy(elems[float32](x), rows, labels, x.shape[1])
	}
	return crossEntropy(elems[float64](x), rows, labels, x.shape[1])
}

// CrossEntropyGrad returns scale times the gradient of CrossEntropy(x, rows, labels) with
// respect to x: Softmax(x) - OneHot(labels) in its rows, as often as they are named, zeros
// elsewhere. It is one walk over memory if rows ascend. x is on the CPU.
func CrossEntropyGrad(x *Tensor, rows, labels []int32, scale float64) *Tensor {
	wantClasses("CrossEntropyGrad", x, rows, labels)
	if !ascend(rows) { // one may be named twice
		picked := IndexSelect(x, rows)
		defer picked.Free()
		d := CrossEntropyGrad(picked, nil, labels, scale)
		defer d.Free()
		return ScatterAddRows(d, rows, x.shape[0])
	}
	var out *Tensor
	if rows == nil {
		out = empty(x.dtype, x.shape)
	} else {
		out = Zeros(x.dtype, x.shape...)
	}
	if x.dtype == Float32 {
		crossEntropyGrad(elems[float32](out), elems[float32](x), rows, labels, x.shape[1], float32(scale))
	} else {
		crossEntropyGrad(elems[float64](out), elems[float64](x), rows, labels, x.shape[1], scale)
	}
	return out
}

// ascend tells whether each number is larger than the one before it.
func ascend(rows []int32) bool {
	for i := 1; i < len(rows); i++ {
		if rows[i] <= rows[i-1] {
			return false
		}
	}
	return true
}

// wantClasses panics unless there is a label, a column of x, for each of the rows of x.
func wantClasses(op string, x *Tensor, rows, labels []int32) {
	wantFloat(op, x)
	wantHere(op, x)
	if x.Rank() != 2 {
		panic(&ShapeError{Op: op, Detail: "takes a matrix", Shapes: []Shape{x.shape}})
	}
	count := x.shape[0]
	if rows != nil {
		checkIndices(op, rows, x.shape[0])
		count = len(rows)
	}
	if len(labels) != count {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("%d labels for %d rows", len(labels), count), Shapes: []Shape{x.shape}})
	}
	checkIndices(op, labels, x.shape[1])
}

func crossEntropy[T Float](x []T, rows, labels []int32, n int) float64 {
	k, height := kern.For[T](), tileRows(n)
	sums := make([]float64, (len(labels)+height-1)/height) // of the tiles
	cpu.ParallelFor(len(sums), rowsGrain(height*n), func(lo, hi int) {
		room := empty(DTypeOf[T](), Shape{height, n})
		defer room.Free()
		for t := lo; t < hi; t++ {
			first, end := t*height, min((t+1)*height, len(labels))
			tile := elems[T](room)[:(end-first)*n]
			k.LogSoftmaxRows(tile, rowsOfTile(tile, x, rows, first, end, n), n)
			for i, label := range labels[first:end] {
				sums[t] -= float64(tile[i*n+int(label)])
			}
		}
	})
	sum := 0.0
	for _, s := range sums {
		sum += s
	}
	return sum
}

// crossEntropyGrad writes the gradients of rows, which ascend, to dst.
func crossEntropyGrad[T Float](dst, x []T, rows, labels []int32, n int, scale T) {
	k, height := kern.For[T](), tileRows(n)
	cpu.ParallelFor((len(labels)+height-1)/height, rowsGrain(height*n), func(lo, hi int) {
		var room []T
		if rows != nil {
			tile := empty(DTypeOf[T](), Shape{height, n})
			defer tile.Free()
			room = elems[T](tile)
		}
		for first := lo * height; first < min(hi*height, len(labels)); first += height {
			end := min(first+height, len(labels))
			at, inPlace := beside(rows, first, end)
			tile := room
			if inPlace {
				tile = dst[at*n:]
			}
			tile = tile[:(end-first)*n]
			k.SoftmaxRows(tile, rowsOfTile(tile, x, rows, first, end, n), n)
			for i, label := range labels[first:end] {
				tile[i*n+int(label)]--
			}
			k.MulScalar(tile, tile, scale)
			for i := first; i < end && !inPlace; i++ {
				copy(dst[int(rows[i])*n:], tile[(i-first)*n:][:n])
			}
		}
	})
}

// beside returns the first row of a tile, and whether its rows lie beside each other: rows
// first to end, or those of these numbers in rows.
func beside(rows []int32, first, end int) (at int, ok bool) {
	if rows == nil {
		return first, true
	}
	for i := first + 1; i < end; i++ {
		if rows[i] != rows[i-1]+1 {
			return int(rows[first]), false
		}
	}
	return int(rows[first]), true
}

// rowsOfTile returns a tile's rows of x; if they do not lie beside each other, they are copied
// to tile.
func rowsOfTile[T Float](tile, x []T, rows []int32, first, end, n int) []T {
	if at, ok := beside(rows, first, end); ok {
		return x[at*n:][:(end-first)*n]
	}
	kern.For[T]().GatherRows(tile, x, n, rows[first:end])
	return tile
}
