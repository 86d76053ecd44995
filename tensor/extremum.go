// Where the extremum along an axis is.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Argmax returns the index of the first maximum along an axis, the last one if
// none is given, as Int64 without that axis. A NaN counts as the maximum. The
// axis must not be empty.
func Argmax(x *Tensor, axis ...int) *Tensor {
	const op = "Argmax"
	wantTensors(op, x)
	k := optionalAxis(op, x, axis)
	return dropAxis(whereExtreme(op, x, k, true), k)
}

// Argmin returns the index of the first minimum along an axis, which is given as
// for Argmax. A NaN counts as the minimum.
func Argmin(x *Tensor, axis ...int) *Tensor {
	const op = "Argmin"
	wantTensors(op, x)
	k := optionalAxis(op, x, axis)
	return dropAxis(whereExtreme(op, x, k, false), k)
}

// MaxAlong returns the maximum along one axis and its index there, the first of
// equals, as Int64. A NaN counts as the maximum. The axis must not be empty; it
// vanishes from both results, or stays with length 1 if keepDims.
func MaxAlong(x *Tensor, axis int, keepDims bool) (values, indices *Tensor) {
	return extremeAlong("MaxAlong", x, axis, keepDims, true)
}

// MinAlong returns the minimum along one axis and its index there, as MaxAlong
// does the maximum.
func MinAlong(x *Tensor, axis int, keepDims bool) (values, indices *Tensor) {
	return extremeAlong("MinAlong", x, axis, keepDims, false)
}

func extremeAlong(op string, x *Tensor, axis int, keepDims, largest bool) (values, indices *Tensor) {
	wantTensors(op, x)
	axis = x.shape.axis(op, axis)
	indices = whereExtreme(op, x, axis, largest)
	values = gather(op, x, axis, indices)
	if !keepDims {
		values, indices = dropAxis(values, axis), dropAxis(indices, axis)
	}
	return values, indices
}

// optionalAxis returns the axis that is given, or the last.
func optionalAxis(op string, x *Tensor, axis []int) int {
	switch len(axis) {
	case 0:
		return x.shape.axis(op, -1)
	case 1:
		return x.shape.axis(op, axis[0])
	}
	panic(&ShapeError{Op: op, Detail: fmt.Sprintf("works along one axis, not %v", axis), Shapes: []Shape{x.shape}})
}

// dropAxis returns t, which is contiguous, without an axis of length 1.
func dropAxis(t *Tensor, axis int) *Tensor {
	t.shape = append(t.shape[:axis], t.shape[axis+1:]...)
	return t
}

// whereExtreme returns the indices along an axis, which stays with length 1.
func whereExtreme(op string, x *Tensor, axis int, largest bool) *Tensor {
	if x.shape[axis] == 0 {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("no elements along axis %d", axis), Shapes: []Shape{x.shape}})
	}
	shape := x.shape.Clone()
	shape[axis] = 1
	if x.far != nil {
		return farExtreme(op, x, axis, largest)
	}
	out := empty(Int64, shape)
	switch {
	case x.dtype == Float32 && largest:
		whereFirst(out, x, axis, kern.For[float32]().ArgMax, above[float32])
	case x.dtype == Float32:
		whereFirst(out, x, axis, kern.For[float32]().ArgMin, below[float32])
	case x.dtype == Float64 && largest:
		whereFirst(out, x, axis, kern.For[float64]().ArgMax, above[float64])
	case x.dtype == Float64:
		whereFirst(out, x, axis, kern.For[float64]().ArgMin, below[float64])
	case x.dtype == Int32 && largest:
		whereFirst(out, x, axis, first(above[int32]), above[int32])
	case x.dtype == Int32:
		whereFirst(out, x, axis, first(below[int32]), below[int32])
	case x.dtype == Int64 && largest:
		whereFirst(out, x, axis, first(above[int64]), above[int64])
	case x.dtype == Int64:
		whereFirst(out, x, axis, first(below[int64]), below[int64])
	default:
		panic(&DTypeError{Op: op, Got: x.dtype, Want: []DType{Float32, Float64, Int32, Int64}})
	}
	return out
}

// farExtreme is whereExtreme on a device.
func farExtreme(op string, x *Tensor, axis int, largest bool) *Tensor {
	if x.dtype == Bool {
		panic(&DTypeError{Op: op, Got: x.dtype, Want: []DType{Float32, Float64, Int32, Int64}})
	}
	reduced := make([]bool, len(x.shape))
	reduced[axis] = true
	fold := "ArgMin"
	if largest {
		fold = "ArgMax"
	}
	out := farReduce(op, fold, x, true, reduced, Int64)
	out.far.below.Store(int64(x.shape[axis]))
	return out
}

// above reports whether v beats the maximum so far; NaN beats all but NaN.
func above[T Number](v, best T) bool { return v > best || v != v && best == best }

// below is above for minima.
func below[T Number](v, best T) bool { return v < best || v != v && best == best }

// first returns the function that finds the first best element of a slice.
func first[T Number](better func(v, best T) bool) func(x []T) int {
	return func(x []T) int {
		at := 0
		for i, v := range x {
			if better(v, x[at]) {
				at = i
			}
		}
		return at
	}
}

// whereFirst writes the indices of the first best elements along an axis.
func whereFirst[T Number](out, x *Tensor, axis int, one func(x []T) int, better func(v, best T) bool) {
	index, from := elems[int64](out), elems[T](x)
	n, inner := x.shape[axis], x.shape[axis+1:].Size()
	if inner == 1 {
		cpu.ParallelFor(len(index), max(1, elementGrain/n), func(lo, hi int) {
			for r := lo; r < hi; r++ {
				index[r] = int64(one(from[r*n : (r+1)*n]))
			}
		})
		return
	}
	forColumns(x.shape[:axis].Size(), n, inner, func(o, lo, hi int) {
		at := index[o*inner+lo : o*inner+hi]
		clear(at)
		best := append([]T(nil), from[o*n*inner+lo:o*n*inner+hi]...)
		for j := 1; j < n; j++ {
			for k, v := range from[(o*n+j)*inner+lo : (o*n+j)*inner+hi] {
				if better(v, best[k]) {
					best[k], at[k] = v, int64(j)
				}
			}
		}
	})
}

// columnsAtOnce is how many columns of a matrix are taken together.
const columnsAtOnce = 256

// forColumns hands out the columns of outer matrices of n rows and inner columns
// in parallel: f gets a matrix and a range of its columns.
func forColumns(outer, n, inner int, f func(o, lo, hi int)) {
	const width = columnsAtOnce
	pieces := (inner + width - 1) / width
	grain := max(1, elementGrain/max(1, n*min(inner, width)))
	cpu.ParallelFor(outer*pieces, grain, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			o, k := p/pieces, p%pieces*width
			f(o, k, min(k+width, inner))
		}
	})
}
