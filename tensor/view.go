// Views: other shapes and orders of the same elements, without a copy.

package tensor

import (
	"fmt"
	"slices"
)

// IsContiguous reports whether the elements lie in memory in row-major order,
// one after the other.
func (t *Tensor) IsContiguous() bool { return t.strides == nil }

// Contiguous returns t itself if it is contiguous, else a copy that is.
func (t *Tensor) Contiguous() *Tensor {
	if t.strides == nil {
		return t
	}
	return t.Clone()
}

// Strides returns how many elements apart neighbours along each axis are.
func (t *Tensor) Strides() []int {
	if t.strides != nil {
		return slices.Clone(t.strides)
	}
	return rowMajor(t.shape)
}

// rowMajor returns the strides of a contiguous tensor.
func rowMajor(s Shape) []int {
	strides := make([]int, len(s))
	step := 1
	for k := len(s) - 1; k >= 0; k-- {
		strides[k] = step
		step *= s[k]
	}
	return strides
}

// strided returns the view with these strides. Strides that say no more than the
// shape does are forgotten, so that a contiguous view is known to be one.
func (t *Tensor) strided(shape Shape, strides []int, offset int) *Tensor {
	contiguous, step := true, 1
	for k := len(shape) - 1; k >= 0; k-- {
		if shape[k] != 1 && strides[k] != step {
			contiguous = false
		}
		step *= shape[k]
	}
	if contiguous || step == 0 {
		strides = nil
	}
	return t.view(shape, strides, offset)
}

// Reshape returns a tensor of another shape with the same elements in the same
// order: a view if t is contiguous, else a copy. One length may be -1: it
// becomes what fills the size.
func (t *Tensor) Reshape(shape ...int) *Tensor {
	s := inferLength(t, shape)
	return t.Contiguous().view(s, nil, 0)
}

func inferLength(t *Tensor, shape Shape) Shape {
	s := shape
	if i := slices.Index(shape, -1); i >= 0 {
		s = shape.Clone()
		s[i] = 1
		if rest := s.Size(); rest > 0 && t.size%rest == 0 {
			s[i] = t.size / rest
		} else {
			s[i] = -1
		}
	}
	for _, d := range s {
		if d < 0 {
			panic(&ShapeError{Op: "Reshape", Detail: "sizes differ", Shapes: []Shape{t.shape, shape}})
		}
	}
	if s.Size() != t.size {
		panic(&ShapeError{Op: "Reshape", Detail: "sizes differ", Shapes: []Shape{t.shape, shape}})
	}
	return s
}

// Transpose returns the view whose axis k is t's axis perm[k]; without perm, of
// a matrix its transpose, and of more axes the last two swapped.
func (t *Tensor) Transpose(perm ...int) *Tensor {
	const op = "Transpose"
	rank := len(t.shape)
	if len(perm) == 0 {
		if rank < 2 {
			panic(&ShapeError{Op: op, Detail: "needs two axes to swap", Shapes: []Shape{t.shape}})
		}
		return t.swapAxes(rank-2, rank-1)
	}
	if len(perm) != rank {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("%d axes given for %d", len(perm), rank), Shapes: []Shape{t.shape}})
	}
	strides, shape, from := make([]int, rank), make(Shape, rank), t.Strides()
	seen := make([]bool, rank)
	for k, axis := range perm {
		a := t.shape.axis(op, axis)
		if seen[a] {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("axis %d is given twice", axis), Shapes: []Shape{t.shape}})
		}
		seen[a] = true
		shape[k], strides[k] = t.shape[a], from[a]
	}
	return t.strided(shape, strides, 0)
}

func (t *Tensor) swapAxes(i, j int) *Tensor {
	strides, shape := t.Strides(), t.shape.Clone()
	shape[i], shape[j] = shape[j], shape[i]
	strides[i], strides[j] = strides[j], strides[i]
	return t.strided(shape, strides, 0)
}

// Expand returns the view of a shape that t broadcasts to by NumPy's rule: axes
// of length 1 and new outer axes repeat the same elements.
func (t *Tensor) Expand(shape ...int) *Tensor {
	const op = "Expand"
	s := Shape(shape)
	s.check(op)
	lead := len(s) - len(t.shape)
	if lead < 0 {
		panic(&ShapeError{Op: op, Detail: "fewer axes than the tensor has", Shapes: []Shape{t.shape, s}})
	}
	from, strides := t.Strides(), make([]int, len(s))
	for k, d := range t.shape {
		switch d {
		case s[lead+k]:
			strides[lead+k] = from[k]
		case 1: // stride 0
		default:
			panic(&ShapeError{Op: op, Detail: "shapes do not broadcast", Shapes: []Shape{t.shape, s}})
		}
	}
	return t.strided(s, strides, 0)
}

// Narrow returns the view of the indices lo to hi-1 of one axis.
func (t *Tensor) Narrow(axis, lo, hi int) *Tensor {
	const op = "Narrow"
	axis = t.shape.axis(op, axis)
	if lo < 0 || hi < lo || hi > t.shape[axis] {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("range [%d:%d) on axis %d", lo, hi, axis), Shapes: []Shape{t.shape}})
	}
	strides, shape := t.Strides(), t.shape.Clone()
	shape[axis] = hi - lo
	return t.strided(shape, strides, lo*strides[axis])
}

// Unsqueeze returns the view with a new axis of length 1 before axis; -1 adds it
// at the end.
func (t *Tensor) Unsqueeze(axis int) *Tensor {
	rank := len(t.shape)
	k := axis
	if k < 0 {
		k += rank + 1
	}
	if k < 0 || k > rank {
		panic(&ShapeError{Op: "Unsqueeze", Detail: fmt.Sprintf("no place %d for an axis", axis), Shapes: []Shape{t.shape}})
	}
	return t.strided(slices.Insert(t.shape.Clone(), k, 1), slices.Insert(t.Strides(), k, 0), 0)
}

// Squeeze returns the view without the given axes, which have length 1; without
// axes, without all of that length.
func (t *Tensor) Squeeze(axes ...int) *Tensor {
	const op = "Squeeze"
	drop := make([]bool, len(t.shape))
	for _, axis := range axes {
		k := t.shape.axis(op, axis)
		if t.shape[k] != 1 {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("axis %d has length %d", axis, t.shape[k]), Shapes: []Shape{t.shape}})
		}
		drop[k] = true
	}
	var shape Shape
	var strides []int
	for k, s := range t.Strides() {
		if drop[k] || len(axes) == 0 && t.shape[k] == 1 {
			continue
		}
		shape, strides = append(shape, t.shape[k]), append(strides, s)
	}
	return t.strided(shape, strides, 0)
}
