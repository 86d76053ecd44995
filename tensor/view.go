// Views: other shapes and orders of the same elements, without a copy.

package tensor

import "fmt"

// IsContiguous reports whether the elements lie in memory in row-major order,
// one after the other.
func (t *Tensor) IsContiguous() bool {
	wantTensor("IsContiguous", t)
	return t.strides == nil
}

// Contiguous returns t itself if it is contiguous, else a copy that is.
func (t *Tensor) Contiguous() *Tensor {
	wantTensor("Contiguous", t)
	if t.strides == nil {
		return t
	}
	return t.clone("Contiguous")
}

// Strides returns how many elements apart neighbours along each axis are.
func (t *Tensor) Strides() []int {
	wantTensor("Strides", t)
	return t.appendStrides(make([]int, 0, len(t.shape)))
}

// appendStrides appends the strides to room, which is empty.
func (t *Tensor) appendStrides(room []int) []int {
	if t.strides != nil {
		return append(room, t.strides...)
	}
	room = append(room, t.shape...)
	step := 1
	for k := len(room) - 1; k >= 0; k-- {
		room[k], step = step, step*room[k]
	}
	return room
}

// along returns how many elements apart neighbours along one axis are.
func (t *Tensor) along(k int) int {
	if t.strides != nil {
		return t.strides[k]
	}
	return t.shape[k+1:].Size()
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
	wantTensor("Reshape", t)
	var room [usualAxes]int
	s := append(Shape(room[:0]), shape...)
	known, open := 1, -1
	for k, d := range s {
		switch {
		case d >= 0:
			known *= d
		case d == -1 && open < 0:
			open = k
		case d == -1:
			panic(reshapeError("only one length may be -1", t, shape))
		default:
			panic(reshapeError("negative length", t, shape))
		}
	}
	if open >= 0 && known == 0 && t.size == 0 {
		panic(reshapeError("any length would do for -1", t, shape))
	}
	if open >= 0 && known > 0 {
		s[open] = t.size / known
		known *= s[open]
	}
	if known != t.size || open >= 0 && s[open] < 0 {
		panic(reshapeError("sizes differ", t, shape))
	}
	s.check("Reshape") // known may have run over to t.size
	return t.Contiguous().view(s, nil, 0)
}

func reshapeError(detail string, t *Tensor, shape Shape) error {
	return &ShapeError{Op: "Reshape", Detail: detail, Shapes: []Shape{t.shape, shape.Clone()}}
}

// Transpose returns the view whose axis k is t's axis perm[k]; without perm, of
// a matrix its transpose, and of more axes the last two swapped. It is NumPy's
// transpose and PyTorch's permute: Transpose(0, 1) of a matrix is the matrix itself.
func (t *Tensor) Transpose(perm ...int) *Tensor {
	const op = "Transpose"
	wantTensor(op, t)
	rank := len(t.shape)
	if len(perm) == 0 {
		if rank < 2 {
			panic(&ShapeError{Op: op, Detail: "needs two axes to swap", Shapes: []Shape{t.shape}})
		}
		return t.swapAxes(rank-2, rank-1)
	}
	if len(perm) != rank {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("the order of %d axes, want that of all %d", len(perm), rank), Shapes: []Shape{t.shape}})
	}
	var room [2][usualAxes]int
	shape, strides := Shape(room[0][:0]), room[1][:0]
	for k, axis := range perm {
		a := t.shape.axis(op, axis)
		for _, earlier := range perm[:k] {
			if t.shape.axis(op, earlier) == a {
				panic(&ShapeError{Op: op, Detail: fmt.Sprintf("axis %d is given twice", axis), Shapes: []Shape{t.shape}})
			}
		}
		shape, strides = append(shape, t.shape[a]), append(strides, t.along(a))
	}
	return t.strided(shape, strides, 0)
}

func (t *Tensor) swapAxes(i, j int) *Tensor {
	var room [2][usualAxes]int
	shape, strides := append(Shape(room[0][:0]), t.shape...), t.appendStrides(room[1][:0])
	shape[i], shape[j] = shape[j], shape[i]
	strides[i], strides[j] = strides[j], strides[i]
	return t.strided(shape, strides, 0)
}

// Expand returns the view of a shape that t broadcasts to by NumPy's rule: axes
// of length 1 and new outer axes repeat the same elements.
func (t *Tensor) Expand(shape ...int) *Tensor {
	const op = "Expand"
	wantTensor(op, t)
	var room [2][usualAxes]int
	s, strides := append(Shape(room[0][:0]), shape...), append(room[1][:0], shape...)
	clear(strides)
	s.check(op)
	lead := len(s) - len(t.shape)
	if lead < 0 {
		panic(&ShapeError{Op: op, Detail: "fewer axes than the tensor has", Shapes: []Shape{t.shape, s.Clone()}})
	}
	for k, d := range t.shape {
		switch d {
		case s[lead+k]:
			strides[lead+k] = t.along(k)
		case 1: // stride 0
		default:
			panic(&ShapeError{Op: op, Detail: "shapes do not broadcast", Shapes: []Shape{t.shape, s.Clone()}})
		}
	}
	return t.strided(s, strides, 0)
}

// Narrow returns the view of the indices lo to hi-1 of one axis. The last argument is an
// end, as in Go's slices, not a length as in PyTorch's narrow.
func (t *Tensor) Narrow(axis, lo, hi int) *Tensor {
	const op = "Narrow"
	wantTensor(op, t)
	axis = t.shape.axis(op, axis)
	if lo < 0 || hi < lo || hi > t.shape[axis] {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("range [%d:%d) on axis %d", lo, hi, axis), Shapes: []Shape{t.shape}})
	}
	var room [2][usualAxes]int
	shape, strides := append(Shape(room[0][:0]), t.shape...), t.appendStrides(room[1][:0])
	shape[axis] = hi - lo
	return t.strided(shape, strides, lo*strides[axis])
}

// Unsqueeze returns the view with a new axis of length 1 before axis; -1 adds it
// at the end.
func (t *Tensor) Unsqueeze(axis int) *Tensor {
	wantTensor("Unsqueeze", t)
	rank := len(t.shape)
	k := axis
	if k < 0 {
		k += rank + 1
	}
	if k < 0 || k > rank {
		panic(&ShapeError{Op: "Unsqueeze", Detail: fmt.Sprintf("no place %d for an axis", axis), Shapes: []Shape{t.shape}})
	}
	var room [2][usualAxes]int
	shape := append(append(append(Shape(room[0][:0]), t.shape[:k]...), 1), t.shape[k:]...)
	strides := append(t.appendStrides(room[1][:0]), 0)
	copy(strides[k+1:], strides[k:])
	strides[k] = 0
	return t.strided(shape, strides, 0)
}

// Squeeze returns the view without the given axes, which have length 1; without
// axes, without all of that length.
func (t *Tensor) Squeeze(axes ...int) *Tensor {
	const op = "Squeeze"
	wantTensor(op, t)
	var marks [usualAxes]bool
	drop := marks[:0]
	for _, d := range t.shape {
		drop = append(drop, len(axes) == 0 && d == 1)
	}
	for _, axis := range axes {
		k := t.shape.axis(op, axis)
		if t.shape[k] != 1 {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("axis %d has length %d", axis, t.shape[k]), Shapes: []Shape{t.shape}})
		}
		if drop[k] {
			panic(&ShapeError{Op: op, Detail: "an axis is given twice", Shapes: []Shape{t.shape}})
		}
		drop[k] = true
	}
	var room [2][usualAxes]int
	shape, strides := Shape(room[0][:0]), room[1][:0]
	for k, d := range t.shape {
		if !drop[k] {
			shape, strides = append(shape, d), append(strides, t.along(k))
		}
	}
	return t.strided(shape, strides, 0)
}
