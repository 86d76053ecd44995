// Sorting along the last axis.

package tensor

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Sort returns the elements of the last axis in ascending, or descending, order and
// where they were, as Int64. Equal elements keep their order; NaN counts as the
// largest.
func Sort(x *Tensor, descending bool) (values, indices *Tensor) {
	const op = "Sort"
	wantTensors(op, x)
	n := x.shape[x.shape.axis(op, -1)]
	return sortLast(op, x, n, descending)
}

// ArgSort returns where the elements of the last axis in order are, see [Sort].
func ArgSort(x *Tensor, descending bool) *Tensor {
	const op = "ArgSort"
	wantTensors(op, x)
	values, indices := sortLast(op, x, x.shape[x.shape.axis(op, -1)], descending)
	values.Free()
	return indices
}

// TopK returns the k largest elements of the last axis, or the smallest, the best
// first, and where they were, as Int64. Of equals the first comes first; NaN counts
// as the largest.
func TopK(x *Tensor, k int, largest bool) (values, indices *Tensor) {
	const op = "TopK"
	wantTensors(op, x)
	if n := x.shape[x.shape.axis(op, -1)]; k < 0 || k > n {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("no %d of the last axis", k), Shapes: []Shape{x.shape}})
	}
	return sortLast(op, x, k, largest)
}

// sortLast returns the first k elements of each row in order.
func sortLast(op string, x *Tensor, k int, descending bool) (values, indices *Tensor) {
	shape := x.shape.Clone()
	shape[len(shape)-1] = k
	values, indices = emptyBeside(x, op, x.dtype, shape), emptyBeside(x, op, Int64, shape)
	if values.size == 0 {
		return values, indices
	}
	if x.far != nil && x.dtype != Bool {
		near, d := x.Contiguous(), x.far.device
		d.must(op, d.backend.Sort(values.faraway(), indices.faraway(), near.faraway(), descending))
		release(near, x)
		indices.far.below.Store(int64(x.shape[len(x.shape)-1]))
		return values, indices
	}
	switch x.dtype {
	case Float32:
		sortRows[float32](values, indices, x, k, descending)
	case Float64:
		sortRows[float64](values, indices, x, k, descending)
	case Int32:
		sortRows[int32](values, indices, x, k, descending)
	case Int64:
		sortRows[int64](values, indices, x, k, descending)
	default:
		panic(&DTypeError{Op: op, Got: x.dtype, Want: []DType{Float32, Float64, Int32, Int64}})
	}
	return values, indices
}

// A ranked element: ties are broken by where it was, so that any sort is stable.
type ranked[T Number] struct {
	v  T
	at int
}

func ascending[T Number](a, b ranked[T]) int {
	if c := compareNaN(a.v, b.v); c != 0 {
		return c
	}
	return a.at - b.at
}

func descending[T Number](a, b ranked[T]) int {
	if c := compareNaN(b.v, a.v); c != 0 {
		return c
	}
	return a.at - b.at
}

// compareNaN is cmp.Compare with NaN for the largest.
func compareNaN[T Number](a, b T) int {
	if a != a || b != b {
		return cmp.Compare(b, a) // to which NaN is the smallest
	}
	return cmp.Compare(a, b)
}

func sortRows[T Number](values, indices, x *Tensor, k int, down bool) {
	const few = 32 // so many are picked out one by one
	compare := ascending[T]
	if down {
		compare = descending[T]
	}
	v, ids, src := elems[T](values), elems[int64](indices), elems[T](x)
	n := x.shape[len(x.shape)-1]
	cpu.ParallelFor(len(src)/n, max(1, elementGrain/16/n), func(lo, hi int) {
		row := make([]ranked[T], n)
		for r := lo; r < hi; r++ {
			for i, v := range src[r*n : (r+1)*n] {
				row[i] = ranked[T]{v, i}
			}
			if k < n && k <= few {
				pickFirst(row, k, compare)
			} else {
				slices.SortFunc(row, compare)
			}
			for i, e := range row[:k] {
				v[r*k+i], ids[r*k+i] = e.v, int64(e.at)
			}
		}
	})
}

// pickFirst puts the first k elements in order at the start of row, and loses
// others: those at the start so far are kept sorted, and what comes before their
// last is put in its place among them.
func pickFirst[T Number](row []ranked[T], k int, compare func(a, b ranked[T]) int) {
	slices.SortFunc(row[:k], compare)
	for _, e := range row[k:] {
		i := k
		for i > 0 && compare(e, row[i-1]) < 0 {
			i--
		}
		if i < k {
			copy(row[i+1:k], row[i:k-1])
			row[i] = e
		}
	}
}
