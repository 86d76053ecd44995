// Reductions over axes: what they share.

package tensor

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// fold is a reduction of T.
type fold[T Element] struct {
	name    string             // as Backend.Reduce knows it
	nothing T                  // the result of no elements
	one     func(x []T) T      // of the elements of a slice
	into    func(acc, row []T) // folds element k of a row into acc[k]
	// rows, if set, folds all rows of a matrix into acc faster than into does.
	rows func(acc, x []T)
	// each, if set, folds each row of n elements faster than one does.
	each func(out, x []T, n int)
	// again, if set, folds the results of parts, where that differs.
	again *fold[T]
}

// rest returns the fold of the results of parts.
func (f *fold[T]) rest() *fold[T] {
	if f.again != nil {
		return f.again
	}
	return f
}

// folds is a reduction of either float type. They are made once, not at every call.
type folds struct {
	f32 fold[float32]
	f64 fold[float64]
}

// reducedAxes marks the axes to reduce; none given means all. room is for the
// result.
func reducedAxes(op string, room []bool, s Shape, axes []int) []bool {
	reduced := room[:0]
	for range s {
		reduced = append(reduced, len(axes) == 0)
	}
	for _, a := range axes {
		k := s.axis(op, a)
		if reduced[k] {
			panic(&ShapeError{Op: op, Detail: "an axis is given twice", Shapes: []Shape{s}})
		}
		reduced[k] = true
	}
	return reduced
}

// countReduced returns how many elements go into each result.
func countReduced(op string, s Shape, axes []int) int {
	var room [usualAxes]bool
	n := 1
	for k, reduced := range reducedAxes(op, room[:], s, axes) {
		if reduced {
			n *= s[k]
		}
	}
	return n
}

// reduceFloats is reduceAxes for either float type.
func reduceFloats(op string, x *Tensor, keepDims bool, axes []int, f *folds) *Tensor {
	wantFloat(op, x)
	if x.dtype == Float32 {
		return reduceAxes(op, x, keepDims, axes, &f.f32)
	}
	return reduceAxes(op, x, keepDims, axes, &f.f64)
}

// reduceAxes folds x, of element type T, over axes. Reduced axes vanish, or stay
// with length 1.
func reduceAxes[T Element](op string, x *Tensor, keepDims bool, axes []int, f *fold[T]) *Tensor {
	var marks [usualAxes]bool
	var dims [usualAxes]int
	reduced, shape := reducedAxes(op, marks[:], x.shape, axes), Shape(dims[:0])
	if x.far != nil {
		return farReduce(op, f.name, x, keepDims, reduced, x.dtype)
	}
	for k, r := range reduced {
		switch {
		case !r:
			shape = append(shape, x.shape[k])
		case keepDims:
			shape = append(shape, 1)
		}
	}
	if perm := memoryOrder(x); perm != nil {
		return reducePermuted(x, perm, reduced, f).Reshape(shape.Clone()...)
	}
	out := empty(x.dtype, shape)
	reduce(elems[T](out), x, reduced, f)
	return out
}

// memoryOrder returns the order of axes in which a transposed tensor is
// contiguous; nil if it is as it stands, or in no order.
func memoryOrder(x *Tensor) []int {
	if x.strides == nil {
		return nil
	}
	perm := make([]int, len(x.shape))
	for k := range perm {
		perm[k] = k
	}
	slices.SortStableFunc(perm, func(i, j int) int { return x.strides[j] - x.strides[i] })
	if x.Transpose(perm...).strides != nil {
		return nil
	}
	return perm
}

// reducePermuted reduces in memory order and puts the result, whose reduced axes
// have length 1, in the order of the axes.
func reducePermuted[T Element](x *Tensor, perm []int, reduced []bool, f *fold[T]) *Tensor {
	shape, marks, back := make(Shape, len(perm)), make([]bool, len(perm)), make([]int, len(perm))
	for k, a := range perm {
		shape[k], marks[k], back[a] = x.shape[a], reduced[a], k
		if reduced[a] {
			shape[k] = 1
		}
	}
	out := empty(x.dtype, shape)
	reduce(elems[T](out), x.Transpose(perm...), marks, f)
	return out.Transpose(back...)
}

// reduce takes one run of neighbouring reduced axes after the other, innermost
// first, seen as [outer, n, inner] -> [outer, inner]; the last one writes to out.
func reduce[T Element](out []T, x *Tensor, reduced []bool, f *fold[T]) {
	var dims [usualAxes]int
	shape := append(Shape(dims[:0]), x.shape...)
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
			fill(to, f.nothing)
		case inner == 1:
			reduceRows(to, from, n, f)
		default:
			reduceColumns(to, from, n, inner, f)
		}
		from, f = to, f.rest()
		for k := lo; k < hi; k++ {
			shape[k] = 1
		}
		hi = lo
	}
	if !slices.Contains(reduced, true) {
		reduceRows(out, from, 1, f)
	}
}

// reduceRows folds each row of n elements. Long rows are folded in pieces whose
// results are folded in turn, so that few rows keep all threads busy; it also
// keeps the rounding of a long sum small.
func reduceRows[T Element](out, x []T, n int, f *fold[T]) {
	const piece = elementGrain
	if n <= piece {
		if len(x) <= elementGrain { // without making a closure
			foldRows(out, x, n, f)
			return
		}
		cpu.ParallelFor(len(out), max(1, elementGrain/n), func(lo, hi int) { foldRows(out[lo:hi], x[lo*n:hi*n], n, f) })
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
	reduceRows(out, part, pieces, f.rest())
}

func foldRows[T Element](out, x []T, n int, f *fold[T]) {
	if f.each != nil {
		f.each(out, x, n)
		return
	}
	for r := range out {
		out[r] = f.one(x[r*n : (r+1)*n])
	}
}

// reduceColumns folds n rows of inner elements into one, for each outer block.
// Many rows are folded in bands whose results are folded in turn.
func reduceColumns[T Element](out, x []T, n, inner int, f *fold[T]) {
	if len(out) == 0 {
		return
	}
	outer := len(out) / inner
	if len(x) <= elementGrain { // without making a closure
		for o := range outer {
			foldColumns(out[o*inner:(o+1)*inner], x[o*n*inner:(o+1)*n*inner], f)
		}
		return
	}
	band, bands := rowBands(n, inner)
	dst := out
	if bands > 1 {
		scratch := empty(DTypeOf[T](), Shape{outer * bands * inner})
		defer scratch.Free()
		dst = elems[T](scratch)
	}
	cpu.ParallelFor(outer*bands, max(1, elementGrain/(inner*min(band, n))), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			o, k := p/bands, p%bands
			foldColumns(dst[p*inner:(p+1)*inner], x[(o*n+k*band)*inner:(o*n+min((k+1)*band, n))*inner], f)
		}
	})
	switch again := f.rest(); {
	case bands == 1:
	case len(dst) <= 4*elementGrain: // sooner done than handed out
		for o := range outer {
			foldColumns(out[o*inner:(o+1)*inner], dst[o*bands*inner:(o+1)*bands*inner], again)
		}
	default:
		reduceColumns(out, dst, bands, inner, again)
	}
}

func foldColumns[T Element](acc, x []T, f *fold[T]) {
	fill(acc, f.nothing)
	if f.rows != nil {
		f.rows(acc, x)
		return
	}
	x = foldShortRows(acc, x, f)
	for ; len(x) > 0; x = x[len(acc):] {
		f.into(acc, x[:len(acc)])
	}
}

// wideRow is how many elements short rows are folded at a time.
const wideRow = 512

// foldShortRows folds as many short rows as one wide row has, wide row by wide row,
// so that they do not pay for a call each, and returns the rows that are left.
func foldShortRows[T Element](acc, x []T, f *fold[T]) []T {
	n := len(acc)
	wide := wideRow / n * n
	if n > wideRow/8 || len(x) < 4*wide {
		return x
	}
	sums := make([]T, wide)
	fill(sums, f.nothing)
	for ; len(x) >= wide; x = x[wide:] {
		f.into(sums, x[:wide])
	}
	for again := f.rest(); len(sums) > 0; sums = sums[n:] {
		again.into(acc, sums[:n])
	}
	return x
}
