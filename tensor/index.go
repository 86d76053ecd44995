// Rows picked and summed by index.

package tensor

import (
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// IndexSelect returns the rows of x, along its outermost axis, that rows names:
// [n ...] -> [len(rows) ...]. An index out of range panics with an *IndexError.
func IndexSelect(x *Tensor, rows []int32) *Tensor {
	const op = "IndexSelect"
	if x.Rank() == 0 {
		panic(&ShapeError{Op: op, Detail: "a scalar has no rows", Shapes: []Shape{x.shape}})
	}
	checkIndices(op, rows, x.shape[0])
	shape := x.shape.Clone()
	shape[0] = len(rows)
	out := empty(x.dtype, shape)
	x = x.Contiguous()
	w := x.rowSize()
	switch x.dtype.Size() {
	case 1:
		selectRows(words[uint8](out), words[uint8](x), rows, w)
	case 4:
		selectRows(words[uint32](out), words[uint32](x), rows, w)
	case 8:
		selectRows(words[uint64](out), words[uint64](x), rows, w)
	}
	return out
}

func selectRows[W word](dst, x []W, rows []int32, w int) {
	cpu.ParallelFor(len(rows), max(1, elementGrain/max(w, 1)), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(dst[i*w:(i+1)*w], x[int(rows[i])*w:])
		}
	})
}

// ScatterAddRows returns n rows, the i-th the sum of the rows of x whose entry
// in rows is i, added in order: the adjoint of IndexSelect.
// [len(rows) ...] -> [n ...]. An index out of range panics with an *IndexError.
func ScatterAddRows(x *Tensor, rows []int32, n int) *Tensor {
	const op = "ScatterAddRows"
	wantFloat(op, x)
	if x.Rank() == 0 || x.shape[0] != len(rows) || n < 0 {
		panic(&ShapeError{Op: op, Detail: "rows, indices and result do not fit", Shapes: []Shape{x.shape, {len(rows)}, {n}}})
	}
	checkIndices(op, rows, n)
	shape := x.shape.Clone()
	shape[0] = n
	out := zeros(x.dtype, shape)
	w := x.rowSize()
	if x.size <= elementGrain { // grouping would cost more than it spreads
		if x.dtype == Float32 {
			addRows(elems[float32](out), elems[float32](x), rows, w)
		} else {
			addRows(elems[float64](out), elems[float64](x), rows, w)
		}
		return out
	}
	offsets, order := groupByRow(rows, n)
	if out.dtype == Float32 {
		sumRows(elems[float32](out), elems[float32](x), offsets, order, w)
	} else {
		sumRows(elems[float64](out), elems[float64](x), offsets, order, w)
	}
	return out
}

// addRows adds row i of x to row rows[i] of dst, one after the other.
func addRows[T Float](dst, x []T, rows []int32, w int) {
	k := kern.For[T]()
	for i, r := range rows {
		row := dst[int(r)*w : (int(r)+1)*w]
		k.Add(row, row, x[i*w:(i+1)*w])
	}
}

// sumRows adds to row i of dst the rows order[offsets[i]:offsets[i+1]] of x.
func sumRows[T Float](dst, x []T, offsets, order []int32, w int) {
	k := kern.For[T]()
	parallelRows(offsets, w, func(i int) {
		if ids := order[offsets[i]:offsets[i+1]]; len(ids) > 0 {
			k.GatherSum(dst[i*w:(i+1)*w], x, w, ids)
		}
	})
}

// groupByRow returns the positions 0..len(rows)-1 ordered by their row, those
// of one row in order, and where each of the n rows starts (counting sort).
func groupByRow(rows []int32, n int) (offsets, order []int32) {
	offsets = make([]int32, n+1)
	for _, r := range rows {
		offsets[r+1]++
	}
	for i := range n {
		offsets[i+1] += offsets[i]
	}
	next := append([]int32(nil), offsets[:n]...)
	order = make([]int32, len(rows))
	for e, r := range rows {
		order[next[r]] = int32(e)
		next[r]++
	}
	return offsets, order
}

func checkIndices(op string, rows []int32, limit int) {
	for i, r := range rows {
		if uint(r) >= uint(limit) || r < 0 {
			panic(&IndexError{Op: op, At: i, Index: int(r), Limit: limit})
		}
	}
}
