// Construction of tensors and access to their elements.

package tensor

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Zeros returns a tensor of zeros.
func Zeros(dt DType, shape ...int) *Tensor {
	Shape(shape).check("Zeros")
	return zeros(dt, shape)
}

// Empty returns a tensor whose elements hold anything, for a caller who writes all
// of them.
func Empty(dt DType, shape ...int) *Tensor {
	Shape(shape).check("Empty")
	return empty(dt, shape)
}

// Full returns a tensor whose elements are v, converted to dt.
func Full(dt DType, v float64, shape ...int) *Tensor {
	Shape(shape).check("Full")
	t := empty(dt, shape)
	t.Fill(v)
	return t
}

// FromSlice returns a tensor over data, which it shares. It panics with a
// *ShapeError if the shape does not have len(data) elements. No shape at all
// means a scalar.
func FromSlice[T Element](data []T, shape ...int) *Tensor {
	s := Shape(shape)
	s.check("FromSlice")
	if s.Size() != len(data) {
		panic(&ShapeError{Op: "FromSlice", Detail: fmt.Sprintf("%d elements do not fill the shape", len(data)), Shapes: []Shape{s}})
	}
	return wrap(data, s)
}

// Shape returns the lengths of the axes. The caller must not change them.
func (t *Tensor) Shape() Shape {
	wantTensor("Shape", t)
	return t.shape
}

// DType returns the element type.
func (t *Tensor) DType() DType {
	wantTensor("DType", t)
	return t.dtype
}

// Size returns the number of elements.
func (t *Tensor) Size() int {
	wantTensor("Size", t)
	return t.size
}

// Rank returns the number of axes.
func (t *Tensor) Rank() int {
	wantTensor("Rank", t)
	return len(t.shape)
}

// Dim returns the length of axis i; negative axes count from the end.
func (t *Tensor) Dim(i int) int {
	wantTensor("Dim", t)
	return t.shape[t.shape.axis("Dim", i)]
}

// Rows returns the length of the outermost axis, 1 for a scalar.
func (t *Tensor) Rows() int {
	wantTensor("Rows", t)
	if len(t.shape) == 0 {
		return 1
	}
	return t.shape[0]
}

// rowSize returns the elements of one row.
func (t *Tensor) rowSize() int {
	if len(t.shape) == 0 {
		return 1
	}
	return t.shape[1:].Size()
}

// Bytes returns the memory of the elements in bytes.
func (t *Tensor) Bytes() int64 {
	wantTensor("Bytes", t)
	return int64(t.size) * int64(t.dtype.Size())
}

// BytesKept returns the memory in bytes that t keeps: a view keeps all that it is a view of.
func (t *Tensor) BytesKept() int64 {
	wantTensor("BytesKept", t)
	return int64(t.owner().span()) * int64(t.dtype.Size())
}

// Clone returns a contiguous copy with memory of its own.
func (t *Tensor) Clone() *Tensor { return t.clone("Clone") }

// clone is Clone for an operation.
func (t *Tensor) clone(op string) *Tensor {
	wantTensor(op, t)
	out := emptyBeside(t, op, t.dtype, t.shape)
	copyElements(out, t)
	return out
}

// Fill sets every element to v, converted to the element type, in place. To a
// boolean, any number but 0 is true.
func (t *Tensor) Fill(v float64) {
	wantTensor("Fill", t)
	t.changes()
	if t.far != nil {
		farMapInto("Fill", t, []ProgramStep{{Op: "Const", Type: t.dtype, C: v}})
		return
	}
	if t.strides != nil {
		one := empty(t.dtype, nil)
		one.Fill(v)
		t.CopyFrom(one.Expand(t.shape...))
		return
	}
	switch t.dtype {
	case Float32:
		fillAll(elems[float32](t), float32(v))
	case Float64:
		fillAll(elems[float64](t), v)
	case Int32:
		fillAll(elems[int32](t), int32(v))
	case Int64:
		fillAll(elems[int64](t), int64(v))
	case Bool:
		fillAll(elems[bool](t), v != 0)
	}
}

// Zero sets every element to 0, in place.
func (t *Tensor) Zero() {
	wantTensor("Zero", t)
	t.changes()
	if t.strides != nil || t.far != nil {
		t.Fill(0)
		return
	}
	switch t.dtype.Size() {
	case 1:
		clearAll(words[uint8](t))
	case 4:
		clearAll(words[uint32](t))
	case 8:
		clearAll(words[uint64](t))
	}
}

func clearAll[W word](d []W) {
	if len(d) <= elementGrain {
		clear(d)
		return
	}
	cpu.ParallelFor(len(d), elementGrain, func(lo, hi int) { clear(d[lo:hi]) })
}

func fillAll[T Element](d []T, v T) {
	if len(d) <= elementGrain {
		fill(d, v)
		return
	}
	cpu.ParallelFor(len(d), elementGrain, func(lo, hi int) { fill(d[lo:hi], v) })
}

// fill sets all elements to v. Copying what is already set, twice as much each
// time, is faster than a loop.
func fill[T any](d []T, v T) {
	if len(d) == 0 {
		return
	}
	d[0] = v
	repeat(d, 1)
}

// repeatEach fills d with the elements of x, each n times.
func repeatEach[T any](d, x []T, n int) {
	switch d = d[:len(x)*n]; unsafe.Sizeof(*new(T)) {
	case 4:
		kern.For[float32]().SetGroups(recast[float32](d), recast[float32](x), n)
	case 8:
		kern.For[float64]().SetGroups(recast[float64](d), recast[float64](x), n)
	default:
		for i, v := range x {
			row := d[i*n : (i+1)*n]
			for k := range row {
				row[k] = v
			}
		}
	}
}

// repeat fills d with copies of its first n elements.
func repeat[T any](d []T, n int) {
	const near = 1 << 11 // elements; what is copied again and again stays in the L1 cache
	for n < min(near, len(d)) {
		n += copy(d[n:], d[:n])
	}
	for block := n; n < len(d); {
		n += copy(d[n:], d[:block])
	}
}

// CopyFrom copies the elements of src, of the same shape and type, in place; into a
// view, to those elements of the tensor it was taken from. src must not be another
// view of t's memory, and may be on another device.
func (t *Tensor) CopyFrom(src *Tensor) {
	const op = "CopyFrom"
	wantTensors(op, t, src)
	if src.dtype != t.dtype {
		panic(&DTypeError{Op: op, Got: src.dtype, Want: []DType{t.dtype}})
	}
	if !src.shape.Equal(t.shape) {
		panic(&ShapeError{Op: op, Detail: "shapes differ", Shapes: []Shape{t.shape, src.shape}})
	}
	wantApart(op, t)
	t.changes()
	copyElements(t, src)
}

// wantApart panics if t is to be written to and an element has more than one index.
func wantApart(op string, t *Tensor) {
	if t.Overlaps() {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("writes to a view with strides %v, whose elements are not all apart", t.strides), Shapes: []Shape{t.shape}})
	}
}

// Overlaps reports whether an element has more than one index, as those of an [Tensor.Expand]
// have: such a view cannot be written to.
func (t *Tensor) Overlaps() bool {
	wantTensor("Overlaps", t)
	for k, s := range t.strides {
		if s == 0 && t.shape[k] > 1 {
			return true
		}
	}
	return false
}

// wantContiguous panics if t's elements do not lie side by side in row-major order.
func wantContiguous(op string, t *Tensor) {
	if t.strides != nil {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("a view with strides %v is not contiguous; Contiguous copies it", t.strides), Shapes: []Shape{t.shape}})
	}
}

// To returns the tensor with elements of type dt, by Go's conversions; t itself
// if it has that type already. A boolean becomes 0 or 1, a number true unless
// it is 0.
func (t *Tensor) To(dt DType) *Tensor {
	wantTensor("To", t)
	if dt == t.dtype {
		return t
	}
	if t.far != nil {
		return farUnary("To", t, ProgramStep{Op: "Cast", Type: dt})
	}
	out := empty(dt, t.shape)
	switch dt {
	case Float32:
		convertTo(elems[float32](out), t)
	case Float64:
		convertTo(elems[float64](out), t)
	case Int32:
		convertTo(elems[int32](out), t)
	case Int64:
		convertTo(elems[int64](out), t)
	case Bool:
		toBool(elems[bool](out), t)
	}
	return out
}

func convertTo[D Number](dst []D, t *Tensor) {
	switch t.dtype {
	case Float32:
		convert(dst, elems[float32](t))
	case Float64:
		convert(dst, elems[float64](t))
	case Int32:
		convert(dst, elems[int32](t))
	case Int64:
		convert(dst, elems[int64](t))
	case Bool:
		src := elems[bool](t)
		cpu.ParallelFor(len(src), elementGrain, func(lo, hi int) {
			to := dst[lo:hi]
			for i, v := range src[lo:hi] {
				var n uint8 // without a branch, which random values would mislead
				if v {
					n = 1
				}
				to[i] = D(n)
			}
		})
	}
}

func convert[D, S Number](dst []D, src []S) {
	cpu.ParallelFor(len(src), elementGrain, func(lo, hi int) {
		for i, v := range src[lo:hi] {
			dst[lo+i] = D(v)
		}
	})
}

func toBool(dst []bool, t *Tensor) {
	switch t.dtype {
	case Float32:
		nonZero(dst, elems[float32](t))
	case Float64:
		nonZero(dst, elems[float64](t))
	case Int32:
		nonZero(dst, elems[int32](t))
	case Int64:
		nonZero(dst, elems[int64](t))
	}
}

func nonZero[S Number](dst []bool, src []S) {
	cpu.ParallelFor(len(src), elementGrain, func(lo, hi int) {
		for i, v := range src[lo:hi] {
			dst[lo+i] = v != 0
		}
	})
}

// Float64s returns a copy of the elements as float64.
func (t *Tensor) Float64s() []float64 {
	wantTensor("Float64s", t)
	out := make([]float64, t.size)
	convertTo(out, t.here())
	return out
}

// Int32s returns the elements of an Int32 or Int64 tensor in row-major order as int32, such
// as numbers of rows or labels, never nil: the live ones of a contiguous Int32 tensor on the
// CPU, else a copy. It panics with a *DTypeError for another type, and with a *ValueError for an
// element that int32 does not hold.
func (t *Tensor) Int32s() []int32 {
	const op = "Int32s"
	wantTensor(op, t)
	if t.dtype != Int32 && t.dtype != Int64 {
		panic(&DTypeError{Op: op, Got: t.dtype, Want: []DType{Int32, Int64}})
	}
	if t.size == 0 {
		return []int32{}
	}
	t = t.here()
	if t.dtype == Int32 {
		return elems[int32](t)
	}
	out := make([]int32, t.size)
	for i, v := range elems[int64](t) {
		if out[i] = int32(v); int64(out[i]) != v {
			panic(&ValueError{Op: op, Detail: fmt.Sprintf("element %d is %d, which i32 does not hold", i, v)})
		}
	}
	return out
}

// At returns the element at an index, one number an axis; a boolean as 0 or 1.
func (t *Tensor) At(idx ...int) float64 {
	wantTensor("At", t)
	if len(idx) != len(t.shape) {
		panic(&ShapeError{Op: "At", Detail: fmt.Sprintf("%d indices for %d axes", len(idx), len(t.shape)), Shapes: []Shape{t.shape}})
	}
	for k, i := range idx {
		if i < 0 || i >= t.shape[k] {
			panic(&IndexError{Op: "At", At: k, Index: i, Limit: t.shape[k]})
		}
	}
	if t.far != nil {
		for k, i := range idx {
			t = t.Narrow(k, i, i+1)
		}
		return t.Item()
	}
	at, row := 0, 0
	for k, i := range idx {
		row = row*t.shape[k] + i
		if t.strides != nil {
			at += i * t.strides[k]
		}
	}
	if t.strides == nil {
		at = row
	}
	return t.at(at)
}

// at returns the element at an offset in memory.
func (t *Tensor) at(i int) float64 {
	switch t.dtype {
	case Float32:
		return float64(extent[float32](t)[i])
	case Float64:
		return extent[float64](t)[i]
	case Int32:
		return float64(extent[int32](t)[i])
	case Int64:
		return float64(extent[int64](t)[i])
	case Bool:
		if extent[bool](t)[i] {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("BUG: tensor: element of %v", t.dtype))
}

// Item returns the element of a tensor that has exactly one; a boolean as 0 or 1.
func (t *Tensor) Item() float64 {
	wantTensor("Item", t)
	if t.size != 1 {
		panic(&ShapeError{Op: "Item", Detail: "more or less than one element", Shapes: []Shape{t.shape}})
	}
	return t.here().at(0)
}

// String returns the type, the shape and the first elements:
// "f32[2 3] [1 2 3 4 5 6]".
func (t *Tensor) String() string {
	wantTensor("String", t)
	const shown = 8
	var b strings.Builder
	fmt.Fprintf(&b, "%v%v [", t.dtype, t.shape)
	c := t.here().Contiguous()
	for i := range min(c.size, shown) {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%.6g", c.at(i))
	}
	if t.size > shown {
		b.WriteString(" ...")
	}
	b.WriteByte(']')
	return b.String()
}
