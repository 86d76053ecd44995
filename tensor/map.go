// Kernels run over the elements of one, two or three tensors.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// costlyGrain is elementGrain for functions of tens of nanoseconds an element.
const costlyGrain = elementGrain / 8

// unary runs a kernel over the elements in parallel.
func unary(op string, x *Tensor, f32 func(dst, x []float32), f64 func(dst, x []float64)) *Tensor {
	return unaryGrain(op, x, elementGrain, f32, f64)
}

func unaryGrain(op string, x *Tensor, grain int, f32 func(dst, x []float32), f64 func(dst, x []float64)) *Tensor {
	wantFloat(op, x)
	if x.far != nil {
		return farUnary(op, x, ProgramStep{Op: op, Type: x.dtype})
	}
	out := empty(x.dtype, x.shape)
	if out.dtype == Float32 {
		map1(out, x, grain, f32)
	} else {
		map1(out, x, grain, f64)
	}
	return out
}

// unaryNumbers is unary of integers, too.
func unaryNumbers(op string, x *Tensor, f32 func(dst, x []float32), f64 func(dst, x []float64), i32 func(dst, x []int32), i64 func(dst, x []int64)) *Tensor {
	if x == nil || x.dtype.IsFloat() {
		return unary(op, x, f32, f64)
	}
	if wantNumber(op, x); x.dtype == Int32 {
		return unaryTypes(op, x, i32)
	}
	return unaryTypes(op, x, i64)
}

func unaryTypes[T Element](op string, x *Tensor, f func(dst, x []T)) *Tensor {
	if x.far != nil {
		return farUnary(op, x, ProgramStep{Op: op, Type: x.dtype})
	}
	out := empty(x.dtype, x.shape)
	map1(out, x, elementGrain, f)
	return out
}

// unaryWith is unary for a kernel that takes a number besides. Only a tensor of
// more than one grain costs a closure.
func unaryWith(op string, x *Tensor, c float64, f32 func(dst, x []float32, c float32), f64 func(dst, x []float64, c float64)) *Tensor {
	wantFloat(op, x)
	if x.far != nil {
		return farUnary(op, x, ProgramStep{Op: op, Type: x.dtype, C: c})
	}
	out := empty(x.dtype, x.shape)
	if out.dtype == Float32 {
		mapWith(out, x, float32(c), f32)
	} else {
		mapWith(out, x, c, f64)
	}
	return out
}

func mapWith[T Float](dst, x *Tensor, c T, f func(dst, x []T, c T)) {
	if x.strides == nil && x.size <= elementGrain {
		f(elems[T](dst), elems[T](x), c)
		return
	}
	map1(dst, x, elementGrain, func(dst, x []T) { f(dst, x, c) })
}

// elementwise is unary for a function of one number that costs tens of
// nanoseconds; it is computed in float64 and rounded once.
func elementwise(op string, x *Tensor, f func(float64) float64) *Tensor {
	return unaryGrain(op, x, costlyGrain,
		func(dst, x []float32) { apply1(dst, x, f) },
		func(dst, x []float64) { apply1(dst, x, f) })
}

func apply1[T Float](dst, x []T, f func(float64) float64) {
	for i, v := range x {
		dst[i] = T(f(float64(v)))
	}
}

// binary runs a kernel over the elements of two tensors, broadcast, in parallel.
func binary(op string, a, b *Tensor, f32 func(dst, a, b []float32), f64 func(dst, a, b []float64)) *Tensor {
	wantSame(op, a, b)
	if a.far != nil || b.far != nil {
		return farBinary(op, a, b, ProgramStep{Op: op, Type: a.dtype})
	}
	out := emptyCommon(op, a.dtype, a, b)
	if a.dtype == Float32 {
		map2(out, a, b, f32)
	} else {
		map2(out, a, b, f64)
	}
	return out
}

// binaryNumbers is binary of integers, too.
func binaryNumbers(op string, a, b *Tensor, f32 func(dst, a, b []float32), f64 func(dst, a, b []float64),
	i32 func(dst, a, b []int32), i64 func(dst, a, b []int64)) *Tensor {
	if a == nil || a.dtype.IsFloat() {
		return binary(op, a, b, f32, f64)
	}
	wantNumber(op, a)
	wantType(op, b, a.dtype)
	if a.dtype == Int32 {
		return binaryTypes(op, a, b, i32)
	}
	return binaryTypes(op, a, b, i64)
}

func binaryTypes[T Element](op string, a, b *Tensor, f func(dst, a, b []T)) *Tensor {
	if a.far != nil || b.far != nil {
		return farBinary(op, a, b, ProgramStep{Op: op, Type: a.dtype})
	}
	out := emptyCommon(op, a.dtype, a, b)
	map2(out, a, b, f)
	return out
}

// elementwise2 is elementwise of two numbers.
func elementwise2(op string, a, b *Tensor, f func(a, b float64) float64) *Tensor {
	return binary(op, a, b,
		func(dst, a, b []float32) { apply2(dst, a, b, f) },
		func(dst, a, b []float64) { apply2(dst, a, b, f) })
}

func apply2[T Float](dst, a, b []T, f func(a, b float64) float64) {
	for i := range dst {
		dst[i] = T(f(float64(a[i]), float64(b[i])))
	}
}

// emptyCommon returns an empty tensor of the shape that a and b broadcast to.
func emptyCommon(op string, dt DType, a, b *Tensor) *Tensor {
	if a.shape.Equal(b.shape) {
		return empty(dt, a.shape)
	}
	var dims [usualAxes]int
	return empty(dt, broadcast(op, dims[:0], a.shape, b.shape))
}

// map1 writes f of the elements of x to dst, which is contiguous and of the same
// shape.
func map1[T, R Element](dst, x *Tensor, grain int, f func(dst []R, x []T)) {
	if dst.size == 0 {
		return
	}
	out := elems[R](dst)
	if x.strides == nil {
		src := elems[T](x)
		if len(out) <= grain { // without making a closure
			f(out, src)
			return
		}
		cpu.ParallelFor(len(out), grain, func(lo, hi int) { f(out[lo:hi], src[lo:hi]) })
		return
	}
	near := inReach(x)
	defer release(near, x)
	src := extent[T](near)
	axes := planWalk(nil, dst.shape, near)
	walk(axes, func(row0, row1, lo, hi int) {
		a := newFeed(src, axes, 0)
		eachBlock(axes, row0, row1, lo, hi, func(at [maxOperands]int, first, m, n int) {
			f(out[first:first+m*n], a.take(at[0], m, n))
		})
	})
}

// map2 writes f of two operands, broadcast to the shape of dst, which is
// contiguous. T is the operands' element type, R that of the result.
func map2[T, R Element](dst, a, b *Tensor, f func(dst []R, a, b []T)) {
	if dst.size == 0 {
		return
	}
	out := elems[R](dst)
	if a.strides == nil && b.strides == nil && a.size == dst.size && b.size == dst.size {
		x, y := elems[T](a), elems[T](b)
		if len(out) <= elementGrain {
			f(out, x, y)
			return
		}
		cpu.ParallelFor(len(out), elementGrain, func(lo, hi int) { f(out[lo:hi], x[lo:hi], y[lo:hi]) })
		return
	}
	if len(out) > elementGrain {
		switch {
		case isRowOf(b, a, dst):
			mapRow(out, elems[T](a), elems[T](b), f)
			return
		case isRowOf(a, b, dst):
			mapRow(out, elems[T](b), elems[T](a), func(dst []R, x, row []T) { f(dst, row, x) })
			return
		case isColumnOf(b, a, dst):
			mapColumn(out, elems[T](a), elems[T](b), f)
			return
		case isColumnOf(a, b, dst):
			mapColumn(out, elems[T](b), elems[T](a), func(dst []R, x, column []T) { f(dst, column, x) })
			return
		}
	}
	nearA, nearB := inReach(a), inReach(b)
	defer release(nearA, a)
	defer release(nearB, b)
	x, y := extent[T](nearA), extent[T](nearB)
	if len(out) <= elementGrain {
		var room [usualAxes]axis
		axes := planWalk(room[:0], dst.shape, nearA, nearB)
		blocks2(out, x, y, axes, 0, rowsOf(axes), 0, axes[0].n, f)
		return
	}
	axes := planWalk(nil, dst.shape, nearA, nearB)
	walk(axes, func(row0, row1, lo, hi int) { blocks2(out, x, y, axes, row0, row1, lo, hi, f) })
}

// isRowOf reports whether a short row is repeated over x, which has all elements of dst.
func isRowOf(row, x, dst *Tensor) bool {
	return row.strides == nil && x.strides == nil && x.size == dst.size && row.size <= chainTile && row.shape.RepeatsTo(dst.shape)
}

// rowTile is how many elements kernels take at a time where the L1 cache is to keep what
// goes with them, such as a repeated row, between streams from memory.
const rowTile = 1 << 8

// mapRow is map2 of x and a row that is repeated over it, which is laid out once.
func mapRow[T, R Element](out []R, x, row []T, f func(dst []R, x, row []T)) {
	laid := make([]T, len(row)+rowTile)
	repeat(laid, copy(laid, row))
	cpu.ParallelFor(len(out), elementGrain, func(lo, hi int) {
		for ; lo < hi; lo += rowTile {
			end, at := min(lo+rowTile, hi), lo%len(row)
			f(out[lo:end], x[lo:end], laid[at:at+end-lo])
		}
	})
}

// isColumnOf reports whether column has one element for each short row of x, which has all
// elements of dst.
func isColumnOf(column, x, dst *Tensor) bool {
	return column.strides == nil && x.strides == nil && x.size == dst.size && column.size < dst.size &&
		dst.size/column.size <= chainTile && column.shape.headsOf(dst.shape)
}

// mapColumn is map2 of x and a column, each element of which is repeated over a row of it.
func mapColumn[T, R Element](out []R, x, column []T, f func(dst []R, x, column []T)) {
	n := len(out) / len(column)
	most := chainTile / n
	cpu.ParallelFor(len(column), max(1, elementGrain/n), func(lo, hi int) {
		laid := make([]T, min(most, hi-lo)*n)
		for ; lo < hi; lo += most {
			end := min(lo+most, hi)
			repeatEach(laid, column[lo:end], n)
			f(out[lo*n:end*n], x[lo*n:end*n], laid[:(end-lo)*n])
		}
	})
}

func blocks2[T, R Element](out []R, x, y []T, axes []axis, row0, row1, lo, hi int, f func(dst []R, a, b []T)) {
	a, b := newFeed(x, axes, 0), newFeed(y, axes, 1)
	eachBlock(axes, row0, row1, lo, hi, func(at [maxOperands]int, first, m, n int) {
		f(out[first:first+m*n], a.take(at[0], m, n), b.take(at[1], m, n))
	})
}

// map3 is map2 of three operands, of which the first has an element type of its
// own.
func map3[M, T, R Element](dst, mask, a, b *Tensor, f func(dst []R, mask []M, a, b []T)) {
	if dst.size == 0 {
		return
	}
	out := elems[R](dst)
	nearM, nearA, nearB := inReach(mask), inReach(a), inReach(b)
	defer release(nearM, mask)
	defer release(nearA, a)
	defer release(nearB, b)
	w, x, y := extent[M](nearM), extent[T](nearA), extent[T](nearB)
	axes := planWalk(nil, dst.shape, nearM, nearA, nearB)
	walk(axes, func(row0, row1, lo, hi int) {
		w, a, b := newFeed(w, axes, 0), newFeed(x, axes, 1), newFeed(y, axes, 2)
		eachBlock(axes, row0, row1, lo, hi, func(at [maxOperands]int, first, m, n int) {
			f(out[first:first+m*n], w.take(at[0], m, n), a.take(at[1], m, n), b.take(at[2], m, n))
		})
	})
}

// inReach returns t, or a contiguous copy of it if it is large and the elements of
// a row lie far apart: copying by blocks then uses whole cache lines.
func inReach(t *Tensor) *Tensor {
	if t.strides == nil || t.size <= elementGrain {
		return t
	}
	for k := len(t.shape) - 1; k >= 0; k-- {
		if t.shape[k] != 1 {
			if t.strides[k] > 1 {
				return t.Contiguous()
			}
			break
		}
	}
	return t
}

// release frees the copy that inReach made of t, if it did.
func release(near, t *Tensor) {
	if near != t {
		near.Free()
	}
}
