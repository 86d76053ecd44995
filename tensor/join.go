// Joining tensors.

package tensor

import "fmt"

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
	out := empty(xs[0].dtype, shape)
	switch out.dtype.Size() {
	case 1:
		concat(words[uint8](out), xs, axis, shape)
	case 4:
		concat(words[uint32](out), xs, axis, shape)
	case 8:
		concat(words[uint64](out), xs, axis, shape)
	}
	return out
}

func concat[W word](dst []W, xs []*Tensor, axis int, shape Shape) {
	outer, width := shape[:axis].Size(), shape[axis:].Size()
	at := 0
	for _, x := range xs {
		src := words[W](x.Contiguous())
		w := x.shape[axis:].Size()
		for o := range outer {
			copy(dst[o*width+at:], src[o*w:(o+1)*w])
		}
		at += w
	}
}

// Unnarrow returns a tensor whose axis has length n, with x at the indices lo,
// lo+1, ... of it and zeros elsewhere: the adjoint of Narrow.
func Unnarrow(x *Tensor, axis, lo, n int) *Tensor {
	const op = "Unnarrow"
	axis = x.shape.axis(op, axis)
	if lo < 0 || lo+x.shape[axis] > n {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("does not fit at %d into length %d of axis %d", lo, n, axis), Shapes: []Shape{x.shape}})
	}
	shape := x.shape.Clone()
	shape[axis] = n
	out := zeros(x.dtype, shape)
	x = x.Contiguous()
	switch out.dtype.Size() {
	case 1:
		unnarrow(words[uint8](out), words[uint8](x), out, axis, lo, x.shape[axis])
	case 4:
		unnarrow(words[uint32](out), words[uint32](x), out, axis, lo, x.shape[axis])
	case 8:
		unnarrow(words[uint64](out), words[uint64](x), out, axis, lo, x.shape[axis])
	}
	return out
}

func unnarrow[W word](dst, src []W, out *Tensor, axis, lo, n int) {
	inner := out.shape[axis+1:].Size()
	width, w := out.shape[axis]*inner, n*inner
	for o := range out.shape[:axis].Size() {
		copy(dst[o*width+lo*inner:], src[o*w:(o+1)*w])
	}
}
