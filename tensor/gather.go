// Elements picked, put and summed by an index tensor.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// Gather returns the elements of x whose place along an axis index names, an Int32
// or Int64: out[i, j, k] = x[i, index[i, j, k], k] for axis 1, as torch.gather.
// index has as many axes as x and is nowhere longer than x but along the axis; the
// result has its shape. An index out of range panics with an *IndexError.
func Gather(x *Tensor, axis int, index *Tensor) *Tensor {
	const op = "Gather"
	wantTensors(op, x, index)
	axis = x.shape.axis(op, axis)
	wantIndex(op, x, axis, index)
	return gather(op, x, axis, index)
}

// Scatter returns x with the elements of src in the places along an axis that
// index names: out[i, index[i, j, k], k] = src[i, j, k] for axis 1, as
// torch.scatter. Of several for one place the last stays. index is as for Gather;
// src is nowhere shorter than it.
func Scatter(x *Tensor, axis int, index, src *Tensor) *Tensor {
	const op = "Scatter"
	wantTensors(op, x, index, src)
	wantType(op, src, x.dtype)
	if anyFar(x, index, src) {
		return farScatter(op, x, wantScatter(op, x, axis, index, src), index, src, false)
	}
	out := x.Clone()
	s := planScatter(op, out, axis, index, src)
	switch x.dtype.Size() {
	case 1:
		scatter(words[uint8](out), s, words[uint8](s.src))
	case 4:
		scatter(words[uint32](out), s, words[uint32](s.src))
	case 8:
		scatter(words[uint64](out), s, words[uint64](s.src))
	}
	return out
}

// ScatterAdd returns x with the elements of src added to the places along an axis
// that index names: out[i, index[i, j, k], k] += src[i, j, k] for axis 1, in the
// order of j, as torch.scatter_add: with zeros for x the adjoint of Gather. The
// operands are as for Scatter.
func ScatterAdd(x *Tensor, axis int, index, src *Tensor) *Tensor {
	const op = "ScatterAdd"
	wantTensors(op, x, index, src)
	wantSame(op, x, src)
	if anyFar(x, index, src) {
		return farScatter(op, x, wantScatter(op, x, axis, index, src), index, src, true)
	}
	out := x.Clone()
	s := planScatter(op, out, axis, index, src)
	if x.dtype == Float32 {
		scatterAdd(elems[float32](out), s, elems[float32](s.src))
	} else {
		scatterAdd(elems[float64](out), s, elems[float64](s.src))
	}
	return out
}

// GatherGrad returns the gradient of Gather, g being that of the result: zeros of x's shape
// with the elements of g added to the places that index names.
func GatherGrad(g *Tensor, shape Shape, axis int, index *Tensor) *Tensor {
	const op = "GatherGrad"
	wantTensors(op, g, index)
	wantFloat(op, g)
	out := zerosBeside(g, op, g.dtype, shape)
	if anyFar(g, index) {
		defer out.Free()
		return ScatterAdd(out, axis, index, g)
	}
	s := planScatter(op, out, axis, index, g)
	if out.dtype == Float32 {
		scatterAdd(elems[float32](out), s, elems[float32](s.src))
	} else {
		scatterAdd(elems[float64](out), s, elems[float64](s.src))
	}
	return out
}

// wantIndex panics unless index can name places of x along an axis.
func wantIndex(op string, x *Tensor, axis int, index *Tensor) {
	if index.dtype != Int32 && index.dtype != Int64 {
		panic(&DTypeError{Op: op, Got: index.dtype, Want: []DType{Int32, Int64}})
	}
	fits := len(index.shape) == len(x.shape)
	for k := 0; fits && k < len(x.shape); k++ {
		fits = k == axis || index.shape[k] <= x.shape[k]
	}
	if !fits {
		panic(&ShapeError{Op: op, Detail: "the index does not fit the tensor", Shapes: []Shape{x.shape, index.shape}})
	}
}

// indicesOf returns the elements of an index tensor in row-major order, after
// holding them against their limit.
func indicesOf(op string, index *Tensor, limit int) []int64 {
	wantHere(op, index)
	ids := elems[int64](index.To(Int64))
	for i, id := range ids {
		if uint64(id) >= uint64(limit) {
			panic(&IndexError{Op: op, At: i, Index: int(id), Limit: limit})
		}
	}
	return ids
}

// corner returns a view of x of a shape that is nowhere longer.
func (t *Tensor) corner(shape Shape) *Tensor {
	if t.shape.Equal(shape) {
		return t
	}
	return t.strided(shape, t.Strides(), 0)
}

func gather(op string, x *Tensor, axis int, index *Tensor) *Tensor {
	if anyFar(x, index) {
		sameDevice(op, x, index)
		checkFar(op, index, x.shape[axis])
		return farGather(op, x, axis, index)
	}
	out := empty(x.dtype, index.shape)
	ids := indicesOf(op, index, x.shape[axis])
	if out.size == 0 {
		return out
	}
	switch x.dtype.Size() {
	case 1:
		gatherWords[uint8](out, x, axis, ids)
	case 4:
		gatherWords[uint32](out, x, axis, ids)
	case 8:
		gatherWords[uint64](out, x, axis, ids)
	}
	return out
}

func gatherWords[W word](out, x *Tensor, axis int, ids []int64) {
	dst, src, apart := words[W](out), wordExtent[W](x), x.along(axis)
	strides := x.Strides()
	strides[axis] = 0
	axes := planWalk(nil, out.shape, out, x.view(out.shape, strides, 0)) // x at index 0 of the axis
	walk(axes, func(row0, row1, lo, hi int) {
		n, step := axes[0].n, axes[0].step[1]
		for r := row0; r < row1; r++ {
			at := place(axes[1:], r)[1]
			for i := lo; i < hi; i++ {
				dst[r*n+i] = src[at+i*step+int(ids[r*n+i])*apart]
			}
		}
	})
}

// A scattering is what Scatter and ScatterAdd walk: the index seen as matrices of
// n rows along the axis, each column of which goes to a column of the result.
type scattering struct {
	ids             []int64
	src             *Tensor // contiguous, of the index's shape
	outer, n, inner int
	apart           int     // from row to row of the result
	outerAt         []axis  // where a matrix starts in the result
	innerAt         *Tensor // where each column starts from there
	row             int     // elements from one matrix to the next, where each has one column; else 0
}

// wantScatter panics unless the operands of a scatter fit, and returns the axis.
func wantScatter(op string, x *Tensor, axis int, index, src *Tensor) int {
	k := x.shape.axis(op, axis)
	wantIndex(op, x, k, index)
	fits := len(src.shape) == len(index.shape)
	for i := 0; fits && i < len(src.shape); i++ {
		fits = src.shape[i] >= index.shape[i]
	}
	if !fits {
		panic(&ShapeError{Op: op, Detail: "the source is shorter than the index", Shapes: []Shape{x.shape, index.shape, src.shape}})
	}
	return k
}

// planScatter plans to write to out, which is contiguous.
func planScatter(op string, out *Tensor, axis int, index, src *Tensor) (s scattering) {
	k := wantScatter(op, out, axis, index, src)
	ids := indicesOf(op, index, out.shape[k])
	shape := index.shape
	s = scattering{
		ids: ids, src: src.corner(shape).Contiguous(), n: shape[k],
		outer: shape[:k].Size(), inner: shape[k+1:].Size(), apart: out.along(k),
	}
	if s.inner == 1 && s.apart == 1 && shape[:k].Equal(out.shape[:k]) {
		s.row = out.shape[k]
		return s
	}
	if len(ids) > 0 {
		strides := out.Strides()
		s.outerAt = planWalk(nil, shape[:k], out.view(shape[:k], strides[:k], 0))
		s.innerAt = empty(Int64, Shape{s.inner})
		axes := planWalk(nil, shape[k+1:], out.view(shape[k+1:], strides[k+1:], 0))
		for i := range elems[int64](s.innerAt) {
			elems[int64](s.innerAt)[i] = int64(place(axes, i)[0])
		}
	}
	return s
}

// rows calls f for every row of every matrix, those of one matrix in turn, a few
// columns at a time in parallel: the elements of the row from first on, whose rows
// in the result ids names, go to the columns at away from start.
func (s *scattering) rows(f func(first, start int, ids, at []int64)) {
	if len(s.ids) == 0 {
		return
	}
	if s.row > 0 {
		origin := []int64{0}
		cpu.ParallelFor(s.outer, max(1, elementGrain/s.n), func(lo, hi int) {
			for o := lo; o < hi; o++ {
				for i := o * s.n; i < (o+1)*s.n; i++ {
					f(i, o*s.row, s.ids[i:i+1], origin)
				}
			}
		})
		return
	}
	columns := elems[int64](s.innerAt)
	forColumns(s.outer, s.n, s.inner, func(o, lo, hi int) {
		start := place(s.outerAt, o)[0]
		for j := range s.n {
			first := (o*s.n+j)*s.inner + lo
			f(first, start, s.ids[first:first+hi-lo], columns[lo:hi])
		}
	})
	s.innerAt.Free()
}

func scatter[W word](dst []W, s scattering, src []W) {
	s.rows(func(first, start int, ids, at []int64) {
		for k, id := range ids {
			dst[start+int(at[k])+int(id)*s.apart] = src[first+k]
		}
	})
}

func scatterAdd[T Float](dst []T, s scattering, src []T) {
	s.rows(func(first, start int, ids, at []int64) {
		for k, id := range ids {
			dst[start+int(at[k])+int(id)*s.apart] += src[first+k]
		}
	})
}
