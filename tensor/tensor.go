// The tensor type, its construction and access to its elements.

package tensor

import (
	"fmt"
	"slices"
	"strings"

	gt "gorgonia.org/tensor"
)

// Tensor is a contiguous row-major array. Its elements live in a Gorgonia
// Dense, which Dense returns. A Tensor's shape and element type never change;
// its elements may, so concurrent writers need a lock of their own.
type Tensor struct {
	dense *gt.Dense
	shape Shape // Gorgonia's shape of an empty or scalar Dense is not reliable
	dtype DType
	data  any // the elements: []float32, []float64, []int32 or []int64
}

// Zeros returns a tensor of zeros.
func Zeros(dt DType, shape ...int) *Tensor {
	Shape(shape).check("Zeros")
	return zeros(dt, Shape(shape))
}

// zeros is Zeros for a shape known to be good, which is copied.
func zeros(dt DType, shape Shape) *Tensor {
	n := shape.Size()
	switch dt {
	case Float32:
		return wrap(make([]float32, n), shape)
	case Float64:
		return wrap(make([]float64, n), shape)
	case Int32:
		return wrap(make([]int32, n), shape)
	case Int64:
		return wrap(make([]int64, n), shape)
	}
	panic(fmt.Sprintf("BUG: tensor: zeros of %v", dt))
}

// Full returns a tensor whose elements are v, converted to dt.
func Full(dt DType, v float64, shape ...int) *Tensor {
	t := Zeros(dt, shape...)
	switch d := t.data.(type) {
	case []float32:
		fill(d, float32(v))
	case []float64:
		fill(d, v)
	case []int32:
		fill(d, int32(v))
	case []int64:
		fill(d, int64(v))
	}
	return t
}

func fill[T any](d []T, v T) {
	for i := range d {
		d[i] = v
	}
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

// wrap makes a tensor over data without a copy; the shape is copied.
func wrap[T Element](data []T, shape Shape) *Tensor {
	return &Tensor{dense: newDense(data, shape), shape: shape.Clone(), dtype: DTypeOf[T](), data: data}
}

// Data returns the live elements in row-major order. It panics with a
// *DTypeError if T is not the tensor's element type.
func Data[T Element](t *Tensor) []T {
	d, ok := t.data.([]T)
	if !ok {
		panic(&DTypeError{Op: "Data", Got: t.dtype, Want: []DType{DTypeOf[T]()}})
	}
	return d
}

// Shape returns the lengths of the axes. The caller must not change them.
func (t *Tensor) Shape() Shape { return t.shape }

// DType returns the element type.
func (t *Tensor) DType() DType { return t.dtype }

// Size returns the number of elements.
func (t *Tensor) Size() int { return t.shape.Size() }

// Rank returns the number of axes.
func (t *Tensor) Rank() int { return len(t.shape) }

// Dim returns the length of axis i; negative axes count from the end.
func (t *Tensor) Dim(i int) int { return t.shape[t.shape.axis("Dim", i)] }

// Rows returns the length of the outermost axis, 1 for a scalar.
func (t *Tensor) Rows() int {
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
func (t *Tensor) Bytes() int64 { return int64(t.Size()) * int64(t.dtype.Size()) }

// Clone returns a copy with storage of its own.
func (t *Tensor) Clone() *Tensor {
	switch d := t.data.(type) {
	case []float32:
		return wrap(slices.Clone(d), t.shape)
	case []float64:
		return wrap(slices.Clone(d), t.shape)
	case []int32:
		return wrap(slices.Clone(d), t.shape)
	case []int64:
		return wrap(slices.Clone(d), t.shape)
	}
	panic(fmt.Sprintf("BUG: tensor: Clone of %v", t.dtype))
}

// Zero sets every element to 0, in place.
func (t *Tensor) Zero() {
	switch d := t.data.(type) {
	case []float32:
		clear(d)
	case []float64:
		clear(d)
	case []int32:
		clear(d)
	case []int64:
		clear(d)
	}
}

// Reshape returns a tensor of another shape over the same elements. One length
// may be -1: it becomes what fills the size.
func (t *Tensor) Reshape(shape ...int) *Tensor {
	s := Shape(shape).Clone()
	if i := slices.Index(s, -1); i >= 0 {
		s[i] = 1
		if rest := s.Size(); rest > 0 && t.Size()%rest == 0 {
			s[i] = t.Size() / rest
		} else {
			s[i] = -1
		}
	}
	if slices.Min(append(s.Clone(), 0)) < 0 || s.Size() != t.Size() {
		panic(&ShapeError{Op: "Reshape", Detail: "sizes differ", Shapes: []Shape{t.shape, shape}})
	}
	switch d := t.data.(type) {
	case []float32:
		return wrap(d, s)
	case []float64:
		return wrap(d, s)
	case []int32:
		return wrap(d, s)
	case []int64:
		return wrap(d, s)
	}
	panic(fmt.Sprintf("BUG: tensor: Reshape of %v", t.dtype))
}

// CopyFrom copies the elements of src, of the same shape and type, in place.
func (t *Tensor) CopyFrom(src *Tensor) {
	if src.dtype != t.dtype {
		panic(&DTypeError{Op: "CopyFrom", Got: src.dtype, Want: []DType{t.dtype}})
	}
	if !src.shape.Equal(t.shape) {
		panic(&ShapeError{Op: "CopyFrom", Detail: "shapes differ", Shapes: []Shape{t.shape, src.shape}})
	}
	switch d := t.data.(type) {
	case []float32:
		copy(d, src.data.([]float32))
	case []float64:
		copy(d, src.data.([]float64))
	case []int32:
		copy(d, src.data.([]int32))
	case []int64:
		copy(d, src.data.([]int64))
	}
}

// To returns the tensor with elements of type dt, by Go's conversions; t itself
// if it has that type already.
func (t *Tensor) To(dt DType) *Tensor {
	if dt == t.dtype {
		return t
	}
	switch dt {
	case Float32:
		return wrap(converted[float32](t), t.shape)
	case Float64:
		return wrap(converted[float64](t), t.shape)
	case Int32:
		return wrap(converted[int32](t), t.shape)
	case Int64:
		return wrap(converted[int64](t), t.shape)
	}
	panic(fmt.Sprintf("BUG: tensor: To(%v)", dt))
}

// converted returns the elements as a new slice of D.
func converted[D Element](t *Tensor) []D {
	out := make([]D, t.Size())
	switch d := t.data.(type) {
	case []float32:
		convert(out, d)
	case []float64:
		convert(out, d)
	case []int32:
		convert(out, d)
	case []int64:
		convert(out, d)
	}
	return out
}

func convert[D, S Element](dst []D, src []S) {
	for i, v := range src {
		dst[i] = D(v)
	}
}

// Float64s returns a copy of the elements as float64.
func (t *Tensor) Float64s() []float64 { return converted[float64](t) }

// At returns the element at an index, one number an axis.
func (t *Tensor) At(idx ...int) float64 {
	if len(idx) != len(t.shape) {
		panic(&ShapeError{Op: "At", Detail: fmt.Sprintf("%d indices for %d axes", len(idx), len(t.shape)), Shapes: []Shape{t.shape}})
	}
	at := 0
	for k, i := range idx {
		if i < 0 || i >= t.shape[k] {
			panic(&IndexError{Op: "At", At: k, Index: i, Limit: t.shape[k]})
		}
		at = at*t.shape[k] + i
	}
	return t.at(at)
}

func (t *Tensor) at(i int) float64 {
	switch d := t.data.(type) {
	case []float32:
		return float64(d[i])
	case []float64:
		return d[i]
	case []int32:
		return float64(d[i])
	case []int64:
		return float64(d[i])
	}
	panic(fmt.Sprintf("BUG: tensor: element of %v", t.dtype))
}

// Item returns the element of a tensor that has exactly one.
func (t *Tensor) Item() float64 {
	if t.Size() != 1 {
		panic(&ShapeError{Op: "Item", Detail: "more or less than one element", Shapes: []Shape{t.shape}})
	}
	return t.at(0)
}

// String returns the type, the shape and the first elements:
// "f32[2 3] [1 2 3 4 5 6]".
func (t *Tensor) String() string {
	const shown = 8
	var b strings.Builder
	fmt.Fprintf(&b, "%v%v [", t.dtype, t.shape)
	for i := range min(t.Size(), shown) {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%.6g", t.at(i))
	}
	if t.Size() > shown {
		b.WriteString(" ...")
	}
	b.WriteByte(']')
	return b.String()
}
