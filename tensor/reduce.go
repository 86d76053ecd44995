// Reductions over axes.

package tensor

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Sum returns the sum over the given axes, over all if none is given. Reduced
// axes vanish, or stay with length 1 if keepDims. An empty sum is 0.
func Sum(x *Tensor, keepDims bool, axes ...int) *Tensor {
	return reduceAxes("Sum", x, keepDims, axes, 0, sumOf[float32](), sumOf[float64]())
}

// Mean returns the mean over axes, which are given as for Sum. An empty mean is NaN.
func Mean(x *Tensor, keepDims bool, axes ...int) *Tensor {
	s := reduceAxes("Mean", x, keepDims, axes, 0, sumOf[float32](), sumOf[float64]())
	count := 1
	for k, reduced := range reducedAxes("Mean", x.shape, axes) {
		if reduced {
			count *= x.shape[k]
		}
	}
	if count == 0 {
		return Full(s.dtype, math.NaN(), s.shape...)
	}
	return Scale(s, 1/float64(count))
}

// Max returns the maximum over axes, which are given as for Sum: NaN if any
// element is NaN, -Inf for an empty maximum.
func Max(x *Tensor, keepDims bool, axes ...int) *Tensor {
	return reduceAxes("Max", x, keepDims, axes, math.Inf(-1), maxOf[float32](), maxOf[float64]())
}

// SumTo returns x summed over the axes along which shape was broadcast to x's
// shape: the adjoint of broadcasting.
func SumTo(x *Tensor, shape Shape) *Tensor {
	const op = "SumTo"
	if x.shape.Equal(shape) {
		return x.Clone()
	}
	lead := x.Rank() - len(shape)
	if lead < 0 || !Broadcast(op, x.shape, shape).Equal(x.shape) {
		panic(&ShapeError{Op: op, Detail: "the second shape does not broadcast to the first", Shapes: []Shape{x.shape, shape}})
	}
	axes := make([]int, 0, x.Rank())
	for k, d := range x.shape {
		if k < lead || shape[k-lead] == 1 && d != 1 {
			axes = append(axes, k)
		}
	}
	if len(axes) == 0 {
		return x.Reshape(shape...).Clone()
	}
	return Sum(x, true, axes...).Reshape(shape...)
}

// Argmax returns the index of the first maximum along the last axis, as Int64.
// A NaN counts as the maximum. The last axis must not be empty.
func Argmax(x *Tensor) *Tensor {
	const op = "Argmax"
	wantFloat(op, x)
	if x.Rank() == 0 || x.shape[x.Rank()-1] == 0 {
		panic(&ShapeError{Op: op, Detail: "no elements along the last axis", Shapes: []Shape{x.shape}})
	}
	n := x.shape[x.Rank()-1]
	out := empty(Int64, x.shape[:x.Rank()-1])
	if x.dtype == Float32 {
		argmax(elems[int64](out), elems[float32](x), n)
	} else {
		argmax(elems[int64](out), elems[float64](x), n)
	}
	return out
}

func argmax[T Float](out []int64, x []T, n int) {
	cpu.ParallelFor(len(out), max(1, elementGrain/n), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			row := x[r*n : (r+1)*n]
			best := 0
			for k, v := range row {
				if v > row[best] || v != v {
					best = k
				}
				if v != v {
					break
				}
			}
			out[r] = int64(best)
		}
	})
}

// fold is a reduction of T: over a slice, and of two slices element by element.
type fold[T Float] struct {
	one   func(x []T) T
	merge func(dst, a, b []T)
}

func sumOf[T Float]() fold[T] { return fold[T]{kern.For[T]().Sum, kern.For[T]().Add} }
func maxOf[T Float]() fold[T] { return fold[T]{kern.For[T]().MaxOf, kern.For[T]().Max} }

// reducedAxes marks the axes to reduce; none given means all.
func reducedAxes(op string, s Shape, axes []int) []bool {
	reduced := make([]bool, len(s))
	for _, a := range axes {
		k := s.axis(op, a)
		if reduced[k] {
			panic(&ShapeError{Op: op, Detail: "an axis is given twice", Shapes: []Shape{s}})
		}
		reduced[k] = true
	}
	if len(axes) == 0 {
		for k := range reduced {
			reduced[k] = true
		}
	}
	return reduced
}

func reduceAxes(op string, x *Tensor, keepDims bool, axes []int, nothing float64, f32 fold[float32], f64 fold[float64]) *Tensor {
	wantFloat(op, x)
	reduced := reducedAxes(op, x.shape, axes)
	kept, short := x.shape.Clone(), Shape{}
	for k, r := range reduced {
		if r {
			kept[k] = 1
		} else {
			short = append(short, x.shape[k])
		}
	}
	if keepDims {
		short = kept
	}
	out := empty(x.dtype, short)
	if x.dtype == Float32 {
		reduce(elems[float32](out), x, reduced, float32(nothing), f32)
	} else {
		reduce(elems[float64](out), x, reduced, nothing, f64)
	}
	return out
}

// reduce takes one run of neighbouring reduced axes after the other, innermost
// first, seen as [outer, n, inner] -> [outer, inner]; the last one writes to out.
func reduce[T Float](out []T, x *Tensor, reduced []bool, nothing T, f fold[T]) {
	shape := x.shape.Clone()
	from := elems[T](x)
	for hi := len(shape); hi > 0; {
		if !reduced[hi-1] {
			hi--
			continue
		}
		lo := hi - 1
		for lo > 0 && reduced[lo-1] {
			lo--
		}
		n, inner := shape[lo:hi].Size(), shape[hi:].Size()
		to := out
		if slices.Contains(reduced[:lo], true) {
			scratch := empty(x.dtype, Shape{shape[:lo].Size() * inner})
			defer scratch.Free()
			to = elems[T](scratch)
		}
		switch {
		case n == 0:
			fill(to, nothing)
		case inner == 1:
			reduceRows(to, from, n, f)
		default:
			reduceColumns(to, from, n, inner, f)
		}
		from = to
		for k := lo; k < hi; k++ {
			shape[k] = 1
		}
		hi = lo
	}
	if !slices.Contains(reduced, true) {
		copy(out, from)
	}
}

// reduceRows folds each row of n elements. Long rows are folded in pieces whose
// results are folded in turn, so that few rows keep all threads busy; it also
// keeps the rounding of a long sum small.
func reduceRows[T Float](out, x []T, n int, f fold[T]) {
	const piece = elementGrain
	if n <= piece {
		cpu.ParallelFor(len(out), max(1, elementGrain/n), func(lo, hi int) {
			for r := lo; r < hi; r++ {
				out[r] = f.one(x[r*n : (r+1)*n])
			}
		})
		return
	}
	pieces := (n + piece - 1) / piece
	scratch := empty(DTypeOf[T](), Shape{len(out) * pieces})
	defer scratch.Free()
	part := elems[T](scratch)
	cpu.ParallelFor(len(part), 1, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			r, k := p/pieces, p%pieces
			part[p] = f.one(x[r*n+k*piece : r*n+min((k+1)*piece, n)])
		}
	})
	reduceRows(out, part, pieces, f)
}

// reduceColumns folds n rows of inner elements into one, for each outer block.
// Many rows are folded in bands whose results are folded in turn.
func reduceColumns[T Float](out, x []T, n, inner int, f fold[T]) {
	outer := len(out) / max(inner, 1)
	if len(out) == 0 {
		return
	}
	// At most 64 bands bound the extra memory to 64 rows an outer block; at
	// least 8 rows a band make the bands fewer than the rows.
	band := max(elementGrain/inner, (n+63)/64, 8)
	bands := (n + band - 1) / band
	dst := out
	if bands > 1 {
		scratch := empty(DTypeOf[T](), Shape{outer * bands * inner})
		defer scratch.Free()
		dst = elems[T](scratch)
	}
	cpu.ParallelFor(outer*bands, max(1, elementGrain/(inner*min(band, n))), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			o, k := p/bands, p%bands
			acc := dst[p*inner : (p+1)*inner]
			for j := k * band; j < min((k+1)*band, n); j++ {
				row := x[(o*n+j)*inner : (o*n+j+1)*inner]
				if j == k*band {
					copy(acc, row)
				} else {
					f.merge(acc, acc, row)
				}
			}
		}
	})
	if bands > 1 {
		reduceColumns(out, dst, bands, inner, f)
	}
}
