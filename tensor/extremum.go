// Where the extremum along an axis is.

package tensor

import (
	"fmt"
	"math"

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
	_, indices := whereExtreme(op, x, k, true)
	return dropAxis(indices, k)
}

// Argmin returns the index of the first minimum along an axis, which is given as
// for Argmax. A NaN counts as the minimum.
func Argmin(x *Tensor, axis ...int) *Tensor {
	const op = "Argmin"
	wantTensors(op, x)
	k := optionalAxis(op, x, axis)
	_, indices := whereExtreme(op, x, k, false)
	return dropAxis(indices, k)
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
	values, indices = whereExtreme(op, x, axis, largest)
	if values == nil {
		values = gather(op, x, axis, indices)
	}
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

// whereExtreme returns the indices along an axis, which stays with length 1, and the
// values if they came with them, else nil.
func whereExtreme(op string, x *Tensor, axis int, largest bool) (values, indices *Tensor) {
	if x.shape[axis] == 0 {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("no elements along axis %d", axis), Shapes: []Shape{x.shape}})
	}
	shape := x.shape.Clone()
	shape[axis] = 1
	if x.far != nil {
		return nil, farExtreme(op, x, axis, largest)
	}
	indices = empty(Int64, shape)
	switch {
	case x.dtype == Float32:
		values = empty(x.dtype, shape)
		whereFirstFloat[float32](values, indices, x, axis, largest)
	case x.dtype == Float64:
		values = empty(x.dtype, shape)
		whereFirstFloat[float64](values, indices, x, axis, largest)
	case x.dtype == Int32 && largest:
		whereFirst(indices, x, axis, above[int32])
	case x.dtype == Int32:
		whereFirst(indices, x, axis, below[int32])
	case x.dtype == Int64 && largest:
		whereFirst(indices, x, axis, above[int64])
	case x.dtype == Int64:
		whereFirst(indices, x, axis, below[int64])
	default:
		panic(&DTypeError{Op: op, Got: x.dtype, Want: []DType{Float32, Float64, Int32, Int64}})
	}
	return values, indices
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
	out.far.writtenBelow(x.shape[axis])
	return out
}

// above reports whether v beats the maximum so far; NaN beats all but NaN.
func above[T Number](v, best T) bool { return v > best || v != v && best == best }

// below is above for minima.
func below[T Number](v, best T) bool { return v < best || v != v && best == best }

// whereFirst writes the indices of the first best elements along an axis.
func whereFirst[T Number](out, x *Tensor, axis int, better func(v, best T) bool) {
	index, from := elems[int64](out), elems[T](x)
	n, inner := x.shape[axis], x.shape[axis+1:].Size()
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

// whereFirstFloat is whereFirst of floats, with the elements found.
func whereFirstFloat[T Float](values, indices, x *Tensor, axis int, largest bool) {
	k, best, index, from := kern.For[T](), elems[T](values), elems[int64](indices), elems[T](x)
	n, inner := x.shape[axis], x.shape[axis+1:].Size()
	if inner > 1 {
		whereFirstRows(best, index, from, n, inner, largest)
		return
	}
	one := k.ArgMax
	if !largest {
		one = k.ArgMin
	}
	cpu.ParallelFor(len(index), max(1, elementGrain/n), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			at := one(from[r*n : (r+1)*n])
			best[r], index[r] = from[r*n+at], int64(at)
		}
	})
}

// whereFirstRows is whereFirstFloat of matrices of n rows and inner columns, whose rows
// are compared in bands and the results of bands in turn. Minima are the maxima of
// what is negated.
func whereFirstRows[T Float](values []T, indices []int64, x []T, n, inner int, largest bool) {
	k, block := kern.For[T](), min(n, blockRows(inner))
	band, bands := rowBands(n, inner)
	rows := make([]int32, block)
	for i := range rows {
		rows[i] = int32(i)
	}
	total := len(values) / inner * bands
	found, at := make([]T, total*inner), make([]int64, total*inner)
	cpu.ParallelFor(total, max(1, elementGrain/(inner*min(band, n))), func(lo, hi int) {
		one, arg := make([]T, inner), make([]int32, inner)
		var negated []T
		if !largest {
			negated = make([]T, block*inner)
		}
		for p := lo; p < hi; p++ {
			best, place := found[p*inner:(p+1)*inner], at[p*inner:(p+1)*inner]
			fill(best, T(math.Inf(-1)))
			start, end := p%bands*band, min((p%bands+1)*band, n)
			for first := start; first < end; first += block {
				last := min(first+block, end)
				from := x[(p/bands*n+first)*inner : (p/bands*n+last)*inner]
				if !largest {
					k.Neg(negated[:len(from)], from)
					from = negated[:len(from)]
				}
				fill(one, T(math.Inf(-1)))
				fill(arg, -1)
				k.GatherArgMax(one, arg, from, inner, rows[:last-first], rows[:last-first])
				for i, v := range one {
					if first == start || above(v, best[i]) {
						best[i], place[i] = v, int64(first)+int64(arg[i])
					}
				}
			}
		}
	})
	for o := range len(values) / inner {
		best, place := values[o*inner:(o+1)*inner], indices[o*inner:(o+1)*inner]
		copy(best, found[o*bands*inner:])
		copy(place, at[o*bands*inner:])
		for p := o*bands + 1; p < (o+1)*bands; p++ {
			for i, v := range found[p*inner : (p+1)*inner] {
				if above(v, best[i]) {
					best[i], place[i] = v, at[p*inner+i]
				}
			}
		}
	}
	if !largest {
		k.Neg(values, values)
	}
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
