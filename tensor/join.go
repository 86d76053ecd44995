// Joining, splitting and rearranging tensors.

package tensor

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Concat joins tensors along an axis; their other axes must be equal.
func Concat(axis int, xs ...*Tensor) *Tensor {
	const op = "Concat"
	wantTensors(op, xs...)
	if len(xs) == 0 {
		panic(&ShapeError{Op: op, Detail: "no tensors"})
	}
	axis = xs[0].shape.axis(op, axis)
	shape := xs[0].shape.Clone()
	for _, x := range xs[1:] {
		wantType(op, x, xs[0].dtype)
		same := x.Rank() == len(shape)
		for k := 0; same && k < len(shape); k++ {
			same = k == axis || x.shape[k] == shape[k]
		}
		if !same {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("shapes differ outside axis %d", axis), Shapes: []Shape{xs[0].shape, x.shape}})
		}
		shape[axis] += x.shape[axis]
	}
	if anyFar(xs...) {
		sameDevice(op, xs...)
	}
	out := emptyBeside(xs[0], op, xs[0].dtype, shape)
	join(out, axis, xs)
	return out
}

// join copies tensors to their parts of out along an axis. Many short rows are joined a block at a
// time, or lines of out would be written to, in part, once for each tensor.
func join(out *Tensor, axis int, xs []*Tensor) {
	if out.far != nil || axis == 0 || out.size <= elementGrain || out.rowSize() > elementGrain {
		joinRows(out, axis, xs)
		return
	}
	cpu.ParallelFor(out.shape[0], max(1, elementGrain/out.rowSize()), func(lo, hi int) {
		parts := make([]*Tensor, len(xs))
		for i, x := range xs {
			parts[i] = x.Narrow(0, lo, hi)
		}
		joinRows(out.Narrow(0, lo, hi), axis, parts)
	})
}

func joinRows(out *Tensor, axis int, xs []*Tensor) {
	at := 0
	for _, x := range xs {
		n := x.shape[axis]
		copyElements(out.Narrow(axis, at, at+n), x)
		at += n
	}
}

// Stack joins tensors of one shape along a new axis before axis; -1 adds it at the
// end.
func Stack(axis int, xs ...*Tensor) *Tensor {
	const op = "Stack"
	wantTensors(op, xs...)
	if len(xs) == 0 {
		panic(&ShapeError{Op: op, Detail: "no tensors"})
	}
	if axis < 0 {
		axis += len(xs[0].shape) + 1
	}
	if axis < 0 || axis > len(xs[0].shape) {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("no place %d for an axis", axis), Shapes: []Shape{xs[0].shape}})
	}
	shape := slices.Insert(xs[0].shape.Clone(), axis, len(xs))
	if anyFar(xs...) {
		sameDevice(op, xs...)
	}
	parts := make([]*Tensor, len(xs))
	for i, x := range xs {
		wantType(op, x, xs[0].dtype)
		if !x.shape.Equal(xs[0].shape) {
			panic(&ShapeError{Op: op, Detail: "shapes differ", Shapes: []Shape{xs[0].shape, x.shape}})
		}
		parts[i] = x.Unsqueeze(axis)
	}
	out := emptyBeside(xs[0], op, xs[0].dtype, shape)
	join(out, axis, parts)
	return out
}

// Split returns views of consecutive parts of the given lengths along an axis,
// which they must fill.
func Split(x *Tensor, axis int, lengths ...int) []*Tensor {
	const op = "Split"
	wantTensors(op, x)
	axis = x.shape.axis(op, axis)
	Shape(lengths).check(op)
	total := 0
	for _, n := range lengths {
		total += n
	}
	if total != x.shape[axis] {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("lengths %v do not fill axis %d", lengths, axis), Shapes: []Shape{x.shape}})
	}
	parts := make([]*Tensor, len(lengths))
	at := 0
	for i, n := range lengths {
		parts[i] = x.Narrow(axis, at, at+n)
		at += n
	}
	return parts
}

// Chunk returns views of up to n consecutive parts along an axis, of equal length
// but for the last, which may be shorter; of an axis of length 0 n empty ones, as torch.chunk.
func Chunk(x *Tensor, axis, n int) []*Tensor {
	const op = "Chunk"
	wantTensors(op, x)
	axis = x.shape.axis(op, axis)
	if n < 1 {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("%d chunks", n), Shapes: []Shape{x.shape}})
	}
	length := x.shape[axis]
	if length == 0 {
		return Split(x, axis, make([]int, n)...)
	}
	size := (length-1)/n + 1
	var parts []*Tensor
	for at := 0; at < length; at += size {
		parts = append(parts, x.Narrow(axis, at, min(at+size, length)))
	}
	return parts
}

// Repeat returns x laid side by side counts[k] times along axis k, as torch.repeat:
// there may be more counts than axes, for new outer axes.
func Repeat(x *Tensor, counts ...int) *Tensor {
	const op = "Repeat"
	wantTensors(op, x)
	Shape(counts).check(op)
	lead := len(counts) - len(x.shape)
	if lead < 0 {
		panic(&ShapeError{Op: op, Detail: "fewer counts than axes", Shapes: []Shape{x.shape, counts}})
	}
	// Seen as [c0 n0 c1 n1 ...], the result is x expanded along the counts.
	var from, to, shape Shape
	for k, c := range counts {
		n := 1
		if k >= lead {
			n = x.shape[k-lead]
		}
		from, to, shape = append(from, 1, n), append(to, c, n), append(shape, c*n)
	}
	out := emptyBeside(x, op, x.dtype, shape)
	copyElements(out.view(to, nil, 0), x.Reshape(from...).Expand(to...))
	return out
}

// Flip returns x with the order along the given axes reversed, all if none is given.
func Flip(x *Tensor, axes ...int) *Tensor {
	wantTensors("Flip", x)
	flipped := reducedAxes("Flip", nil, x.shape, axes)
	if len(flipped) == 0 {
		return x.Clone()
	}
	if x.far != nil {
		return farFlip("Flip", x, flipped)
	}
	for k, f := range flipped {
		if f {
			ids := make([]int32, x.shape[k])
			for i := range ids {
				ids[i] = int32(len(ids) - 1 - i)
			}
			x = IndexSelectAxis(x, k, ids)
		}
	}
	return x
}

// farFlip is Flip on a device, which reads backwards.
func farFlip(op string, x *Tensor, flipped []bool) *Tensor {
	d := x.far.device
	out := emptyOn(d, op, x.dtype, x.shape)
	v := x.faraway()
	for k, f := range flipped {
		if f && x.shape[k] > 0 {
			v.Offset += (x.shape[k] - 1) * v.Strides[k]
			v.Strides[k] = -v.Strides[k]
		}
	}
	if out.size > 0 {
		d.must(op, d.backend.Map(out.faraway(), &Program{}, v))
	}
	return out
}

// Roll returns x with its elements moved on by shift places along an axis, those
// that leave the end coming in at the start.
func Roll(x *Tensor, shift, axis int) *Tensor {
	wantTensors("Roll", x)
	axis = x.shape.axis("Roll", axis)
	n := x.shape[axis]
	if n == 0 {
		return x.Clone()
	}
	shift = (shift%n + n) % n
	return Concat(axis, x.Narrow(axis, n-shift, n), x.Narrow(axis, 0, n-shift))
}

// Pad returns x with before[k] and after[k] elements of value v, converted to x's
// element type, added around axis k.
func Pad(x *Tensor, v float64, before, after []int) *Tensor {
	const op = "Pad"
	wantTensors(op, x)
	Shape(before).check(op)
	Shape(after).check(op)
	if len(before) != len(x.shape) || len(after) != len(x.shape) {
		panic(&ShapeError{Op: op, Detail: "not one length before and after every axis", Shapes: []Shape{x.shape, before, after}})
	}
	shape := x.shape.Clone()
	for k := range shape {
		shape[k] += before[k] + after[k]
	}
	out := emptyBeside(x, op, x.dtype, shape)
	out.Fill(v)
	inside := out
	for k, n := range x.shape {
		inside = inside.Narrow(k, before[k], before[k]+n)
	}
	copyElements(inside, x)
	return out
}

// Unnarrow returns a tensor whose axis has length n, with x at the indices lo,
// lo+1, ... of it and zeros elsewhere: the adjoint of Narrow.
func Unnarrow(x *Tensor, axis, lo, n int) *Tensor {
	const op = "Unnarrow"
	wantTensors(op, x)
	axis = x.shape.axis(op, axis)
	if lo < 0 || lo+x.shape[axis] > n {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("does not fit at %d into length %d of axis %d", lo, n, axis), Shapes: []Shape{x.shape}})
	}
	shape := x.shape.Clone()
	shape[axis] = n
	out := zerosBeside(x, op, x.dtype, shape)
	copyElements(out.Narrow(axis, lo, lo+x.shape[axis]), x)
	return out
}
