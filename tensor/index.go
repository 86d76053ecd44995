// Rows picked and summed by index.

package tensor

import (
	"math"
	"sync"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// IndexSelect returns the rows of x, along its outermost axis, that rows names:
// [n ...] -> [len(rows) ...]. An index out of range panics with an *IndexError.
func IndexSelect(x *Tensor, rows []int32) *Tensor {
	const op = "IndexSelect"
	wantTensors(op, x)
	if x.Rank() == 0 {
		panic(&ShapeError{Op: op, Detail: "a scalar has no rows", Shapes: []Shape{x.shape}})
	}
	return indexSelect(op, x, 0, rows)
}

// IndexSelectAxis returns the parts of x along an axis that ids names, in the
// order of ids. An index out of range panics with an *IndexError.
func IndexSelectAxis(x *Tensor, axis int, ids []int32) *Tensor {
	const op = "IndexSelectAxis"
	wantTensors(op, x)
	return indexSelect(op, x, x.shape.axis(op, axis), ids)
}

// TakeRows returns the rows of x that a tensor of Int32 or Int64 indices names:
// x [n ...], ids [batch ...] -> [batch ... ...], as torch's embedding.
func TakeRows(x, ids *Tensor) *Tensor {
	const op = "TakeRows"
	wantTensors(op, x, ids)
	switch {
	case ids.dtype != Int32 && ids.dtype != Int64:
		panic(&DTypeError{Op: op, Got: ids.dtype, Want: []DType{Int32, Int64}})
	case x.Rank() == 0:
		panic(&ShapeError{Op: op, Detail: "a scalar has no rows", Shapes: []Shape{x.shape, ids.shape}})
	}
	if anyFar(x, ids) {
		sameDevice(op, x, ids)
		checkFar(op, ids, x.shape[0])
		out := farSelect(op, x, 0, ids.Contiguous())
		return out.view(append(ids.shape.Clone(), x.shape[1:]...), nil, 0)
	}
	rows := make([]int32, ids.size)
	for i, id := range indicesOf(op, ids, min(x.shape[0], math.MaxInt32)) {
		rows[i] = int32(id)
	}
	out := indexSelect(op, x, 0, rows)
	return out.view(append(ids.shape.Clone(), x.shape[1:]...), nil, 0)
}

// TakeRowsGrad returns the gradient of the rows that [TakeRows] has taken of n, g being that of
// the result: g [batch ... ...], ids [batch ...] -> [n ...], row r the sum of the rows of g whose
// index is r, added in order. Row padding, if it is not nil, is 0: what g has for it is not
// read. An index out of range panics with an *IndexError.
func TakeRowsGrad(g, ids *Tensor, n int, padding *int) *Tensor {
	const op = "TakeRowsGrad"
	wantTensors(op, g, ids)
	wantFloat(op, g)
	if ids.dtype != Int32 && ids.dtype != Int64 {
		panic(&DTypeError{Op: op, Got: ids.dtype, Want: []DType{Int32, Int64}})
	}
	k := len(ids.shape)
	if n < 0 || k > len(g.shape) || !ids.shape.Equal(g.shape[:k]) {
		panic(&ShapeError{Op: op, Detail: "rows, indices and result do not fit", Shapes: []Shape{g.shape, ids.shape, {n}}})
	}
	near := g.Contiguous()
	defer release(near, g)
	g = near.view(append(Shape{ids.size}, g.shape[k:]...), nil, 0)
	if anyFar(g, ids) {
		return farTakeRowsGrad(op, g, ids, n, padding)
	}
	rows := make([]int32, ids.size)
	for i, id := range indicesOf(op, ids, min(n, math.MaxInt32)) {
		rows[i] = int32(id)
		if padding != nil && int(id) == *padding {
			rows[i] = int32(n) // a row after the last, left out below
		}
	}
	return ScatterAddRows(g, rows, n+1).Narrow(0, 0, n)
}

func indexSelect(op string, x *Tensor, axis int, ids []int32) *Tensor {
	checkIndices(op, ids, x.shape[axis])
	if x.far != nil {
		near := uploadIndices(x.far.device, ids)
		defer near.Free()
		return farSelect(op, x, axis, near)
	}
	shape := x.shape.Clone()
	shape[axis] = len(ids)
	out := empty(x.dtype, shape)
	x = x.Contiguous()
	switch x.dtype.Size() {
	case 1:
		selectRows(words[uint8](out), words[uint8](x), x.shape, axis, ids)
	case 4:
		selectRows(words[uint32](out), words[uint32](x), x.shape, axis, ids)
	case 8:
		selectRows(words[uint64](out), words[uint64](x), x.shape, axis, ids)
	}
	return out
}

func selectRows[W word](dst, x []W, shape Shape, axis int, ids []int32) {
	outer, n, w := shape[:axis].Size(), shape[axis], shape[axis+1:].Size()
	if to, ok := any(dst).([]uint32); ok && outer == 1 && w > 0 { // a kernel that prefetches
		d, from := recast[float32](to), recast[float32](x)
		cpu.ParallelFor(len(ids), max(1, elementGrain/w), func(lo, hi int) {
			kern.For[float32]().GatherRows(d[lo*w:hi*w], from, w, ids[lo:hi:len(ids)])
		})
		return
	}
	cpu.ParallelFor(outer*len(ids), max(1, elementGrain/max(w, 1)), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := i/len(ids)*n + int(ids[i%len(ids)])
			copy(dst[i*w:(i+1)*w], x[row*w:])
		}
	})
}

// recast returns elements as others of their size, for kernels that only move them.
func recast[D, S any](x []S) []D {
	return unsafe.Slice((*D)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
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
	if x.far != nil {
		return farScatterRows(op, x, rows, shape)
	}
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

// farScatterRows is ScatterAddRows on a device, for indices that are in range.
func farScatterRows(op string, x *Tensor, rows []int32, shape Shape) *Tensor {
	offsets, order := groupByRow(rows, shape[0])
	d := x.far.device
	out, o, e := emptyOn(d, op, x.dtype, shape), uploadIndices(d, offsets), uploadIndices(d, order)
	defer o.Free()
	defer e.Free()
	farSegments(op, out, x, o, e, nil, nil)
	return out
}

// ScatterAddAxis is ScatterAddRows along any axis, whose length becomes n: the
// adjoint of IndexSelectAxis.
func ScatterAddAxis(x *Tensor, axis int, ids []int32, n int) *Tensor {
	const op = "ScatterAddAxis"
	wantTensors(op, x)
	k := x.shape.axis(op, axis)
	if k == 0 {
		return ScatterAddRows(x, ids, n)
	}
	order := make([]int, len(x.shape)) // the axis first; back: where it was
	back := make([]int, len(x.shape))
	for i := range order {
		switch {
		case i == 0:
			order[i] = k
		case i <= k:
			order[i] = i - 1
		default:
			order[i] = i
		}
		back[order[i]] = i
	}
	return ScatterAddRows(x.Transpose(order...), ids, n).Transpose(back...).Contiguous()
}

// ScatterAddRowsInto adds [ScatterAddRows] of x to dst, in place: row i of x to row rows[i] of
// dst, x [len(rows) ...], dst [n ...]. Rows of dst that are not named are not read. The result is
// [AddInto]'s but for signs of zeros: what a row is given is added up before it is added to the
// row. An index out of range panics with an *IndexError.
func ScatterAddRowsInto(dst, x *Tensor, rows []int32) {
	const op = "ScatterAddRowsInto"
	wantFloat(op, dst)
	wantType(op, x, dst.dtype)
	if dst.Rank() == 0 || x.Rank() == 0 || x.shape[0] != len(rows) || !x.shape[1:].Equal(dst.shape[1:]) {
		panic(&ShapeError{Op: op, Detail: "rows, indices and destination do not fit", Shapes: []Shape{x.shape, {len(rows)}, dst.shape}})
	}
	wantApart(op, dst)
	dst.changes()
	if anyFar(dst, x) {
		sameDevice(op, dst, x)
	}
	checkIndices(op, rows, dst.shape[0])
	if dst.far != nil || dst.size <= x.size || !dst.IsContiguous() || SharesMemory(dst, x) {
		sum := ScatterAddRows(x, rows, dst.shape[0])
		AddInto(dst, sum)
		sum.Free()
		return
	}
	places, named := distinct(rows, dst.shape[0])
	if len(named) < len(rows) {
		x = ScatterAddRows(x, places, len(named))
		defer x.Free()
	}
	if dst.dtype == Float32 {
		addDistinctRows(elems[float32](dst), elems[float32](x), named, x.rowSize())
	} else {
		addDistinctRows(elems[float64](dst), elems[float64](x), named, x.rowSize())
	}
}

// distinct returns the numbers in rows, each below n, without repetition, in the order in which
// they come first, and where in that list each of rows is.
func distinct(rows []int32, n int) (places, named []int32) {
	list := zeroLists.Get().(*[]int32)
	if len(*list) < n {
		*list = make([]int32, n)
	}
	known := *list // 1 + the place of a row; 0: not met
	places, named = make([]int32, len(rows)), make([]int32, 0, len(rows))
	for i, r := range rows {
		if known[r] == 0 {
			named = append(named, r)
			known[r] = int32(len(named))
		}
		places[i] = known[r] - 1
	}
	for _, r := range named {
		known[r] = 0
	}
	zeroLists.Put(list)
	return places, named
}

// zeroLists has lists of zeros. Who takes one sets to zero what it wrote, and no more, so
// few rows of a large table take no more time than of a small one.
var zeroLists = sync.Pool{New: func() any { return new([]int32) }}

// addDistinctRows is addRows where no row is named twice.
func addDistinctRows[T Float](dst, x []T, rows []int32, w int) {
	cpu.ParallelFor(len(rows), max(1, elementGrain/w), func(lo, hi int) {
		addRows(dst, x[lo*w:hi*w], rows[lo:hi], w)
	})
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
		offsets[r]++
	}
	for i := range n {
		offsets[i+1] += offsets[i]
	}
	order = make([]int32, len(rows)) // from the ends of the rows down to their starts
	for e := len(rows) - 1; e >= 0; e-- {
		r := rows[e]
		offsets[r]--
		order[offsets[r]] = int32(e)
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
