// Operations that move elements: concatenate, slice, transpose.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Concat joins tensors along an axis; their other axes must be equal.
func Concat(axis int, xs ...*Tensor) *Tensor {
	const op = "Concat"
	if len(xs) == 0 {
		panic(&ShapeError{Op: op, Detail: "no tensors"})
	}
	axis = xs[0].shape.axis(op, axis)
	shape := xs[0].shape.Clone()
	for _, x := range xs[1:] {
		if x.dtype != xs[0].dtype {
			panic(&DTypeError{Op: op, Got: x.dtype, Want: []DType{xs[0].dtype}})
		}
		same := x.Rank() == len(shape)
		for k := 0; same && k < len(shape); k++ {
			same = k == axis || x.shape[k] == shape[k]
		}
		if !same {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("shapes differ outside axis %d", axis), Shapes: []Shape{xs[0].shape, x.shape}})
		}
		shape[axis] += x.shape[axis]
	}
	out := zeros(xs[0].dtype, shape)
	switch dst := out.data.(type) {
	case []float32:
		concat(dst, xs, axis, shape)
	case []float64:
		concat(dst, xs, axis, shape)
	case []int32:
		concat(dst, xs, axis, shape)
	case []int64:
		concat(dst, xs, axis, shape)
	}
	return out
}

func concat[T Element](dst []T, xs []*Tensor, axis int, shape Shape) {
	outer, width := shape[:axis].Size(), shape[axis:].Size()
	at := 0
	for _, x := range xs {
		src := x.data.([]T)
		w := x.shape[axis:].Size()
		for o := range outer {
			copy(dst[o*width+at:], src[o*w:(o+1)*w])
		}
		at += w
	}
}

// Slice returns a copy of x[..., lo:hi, ...] along an axis.
func Slice(x *Tensor, axis, lo, hi int) *Tensor {
	const op = "Slice"
	axis = x.shape.axis(op, axis)
	if lo < 0 || hi < lo || hi > x.shape[axis] {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("range [%d:%d) on axis %d", lo, hi, axis), Shapes: []Shape{x.shape}})
	}
	shape := x.shape.Clone()
	shape[axis] = hi - lo
	out := zeros(x.dtype, shape)
	switch dst := out.data.(type) {
	case []float32:
		slice(dst, x, axis, lo, hi)
	case []float64:
		slice(dst, x, axis, lo, hi)
	case []int32:
		slice(dst, x, axis, lo, hi)
	case []int64:
		slice(dst, x, axis, lo, hi)
	}
	return out
}

func slice[T Element](dst []T, x *Tensor, axis, lo, hi int) {
	src := x.data.([]T)
	inner := x.shape[axis+1:].Size()
	width, w := x.shape[axis]*inner, (hi-lo)*inner
	for o := range x.shape[:axis].Size() {
		copy(dst[o*w:(o+1)*w], src[o*width+lo*inner:])
	}
}

// Transpose2D returns the transpose of a matrix.
func Transpose2D(x *Tensor) *Tensor {
	if x.Rank() != 2 {
		panic(&ShapeError{Op: "Transpose2D", Detail: "not a matrix", Shapes: []Shape{x.shape}})
	}
	rows, cols := x.shape[0], x.shape[1]
	out := zeros(x.dtype, Shape{cols, rows})
	switch dst := out.data.(type) {
	case []float32:
		cpu.Transpose(dst, x.data.([]float32), rows, cols)
	case []float64:
		cpu.Transpose(dst, x.data.([]float64), rows, cols)
	case []int32:
		cpu.Transpose(dst, x.data.([]int32), rows, cols)
	case []int64:
		cpu.Transpose(dst, x.data.([]int64), rows, cols)
	}
	return out
}
