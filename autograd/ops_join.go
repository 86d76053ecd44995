// Joining and cutting along an axis.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// Concat joins its inputs along axis; the other dimensions agree. A negative
// axis counts from the last.
func Concat(axis int, xs ...*Var) *Var {
	if len(xs) == 0 {
		misuse("Concat", "needs at least one input")
	}
	ts := make([]*tensor.Tensor, len(xs))
	for i, x := range xs {
		ts[i] = x.dense("Concat")
		wantSameType("Concat", xs[0], x)
	}
	axis = checkAxis("Concat", axis, xs[0].Shape())
	return record(opConcat, tensor.Concat(axis, ts...), attrs{axis: axis}, append([]*Var(nil), xs...)...)
}

func gradConcat(c *context, g *Var, i int) *Var {
	from := 0
	for _, x := range c.in[:i] {
		from += x.Shape()[c.axis]
	}
	return g.Slice(c.axis, from, from+c.in[i].Shape()[c.axis])
}

// Slice returns the indices from <= k < to of one axis, as a view. A negative
// axis counts from the last.
func (v *Var) Slice(axis, from, to int) *Var {
	x := v.dense("Slice")
	axis = checkAxis("Slice", axis, x.Shape())
	if from < 0 || to < from || to > x.Shape()[axis] {
		misuse("Slice", fmt.Sprintf("range [%d:%d) on axis %d", from, to, axis), x.Shape())
	}
	return record(opSlice, x.Narrow(axis, from, to), attrs{axis: axis, from: from}, v)
}

func gradSlice(c *context, g *Var, _ int) *Var {
	return unslice(g, c.axis, c.from, c.in[0].Shape()[c.axis])
}

// unslice returns x at the indices from, from+1, ... of an axis of length n, with
// zeros before and after it.
func unslice(x *Var, axis, from, n int) *Var {
	return record(opUnslice, tensor.Unnarrow(x.dense("Unslice"), axis, from, n), attrs{axis: axis, from: from}, x)
}

func gradUnslice(c *context, g *Var, _ int) *Var {
	return g.Slice(c.axis, c.from, c.from+c.in[0].Shape()[c.axis])
}

// Stack joins its inputs, of one shape, along a new axis; a negative axis counts
// from the last of the result.
func Stack(axis int, xs ...*Var) *Var {
	const op = "Stack"
	if len(xs) == 0 {
		misuse(op, "needs at least one input")
	}
	shape := xs[0].dense(op).Shape()
	axis = checkAxis(op, axis, append(shape.Clone(), 1))
	parts := make([]*Var, len(xs))
	for i, x := range xs {
		if !x.dense(op).Shape().Equal(shape) {
			misuse(op, "shapes differ", shape, x.Shape())
		}
		wantSameType(op, xs[0], x)
		parts[i] = x.Unsqueeze(axis)
	}
	return Concat(axis, parts...)
}

// Split cuts v along an axis into views of the given lengths, which add up to the
// axis's.
func (v *Var) Split(axis int, lengths ...int) []*Var {
	const op = "Split"
	shape := v.dense(op).Shape()
	axis = checkAxis(op, axis, shape)
	total := 0
	for _, n := range lengths {
		if n < 0 {
			misuse(op, fmt.Sprintf("length %d", n), shape)
		}
		total += n
	}
	if total != shape[axis] {
		misuse(op, fmt.Sprintf("lengths %v do not add up to axis %d", lengths, axis), shape)
	}
	parts, at := make([]*Var, len(lengths)), 0
	for i, n := range lengths {
		parts[i] = v.Slice(axis, at, at+n)
		at += n
	}
	return parts
}

// Chunk cuts v along an axis into at most n views of equal length, of which the
// last may be shorter: as PyTorch's chunk does, fewer than n if they fill the axis, and n
// empty ones of an empty axis.
func (v *Var) Chunk(axis, n int) []*Var {
	const op = "Chunk"
	shape := v.dense(op).Shape()
	axis = checkAxis(op, axis, shape)
	if n < 1 {
		misuse(op, fmt.Sprintf("into %d parts", n), shape)
	}
	if shape[axis] == 0 {
		return v.Split(axis, make([]int, n)...)
	}
	length := (shape[axis]-1)/n + 1
	var lengths []int
	for at := 0; at < shape[axis]; at += length {
		lengths = append(lengths, min(length, shape[axis]-at))
	}
	return v.Split(axis, lengths...)
}

// Pad returns v with before elements of the value in front of it along an axis,
// and after of them behind it.
func (v *Var) Pad(axis, before, after int, value float64) *Var {
	const op = "Pad"
	x := v.dense(op)
	shape := x.Shape().Clone()
	axis = checkAxis(op, axis, shape)
	if before < 0 || after < 0 {
		misuse(op, fmt.Sprintf("by %d and %d elements", before, after), shape)
	}
	if value == 0 {
		return unslice(v, axis, before, before+shape[axis]+after)
	}
	edge := func(n int) *Var {
		shape[axis] = n
		return Constant(tensor.FullOn(x.Device(), x.DType(), value, shape...))
	}
	return Concat(axis, edge(before), v, edge(after))
}

// Roll moves the elements of an axis by shift places towards its end; those that
// leave it come back in front.
func (v *Var) Roll(shift, axis int) *Var {
	const op = "Roll"
	shape := v.dense(op).Shape()
	axis = checkAxis(op, axis, shape)
	n := shape[axis]
	if n == 0 || shift%n == 0 {
		return v
	}
	cut := n - (shift%n+n)%n
	return Concat(axis, v.Slice(axis, cut, n), v.Slice(axis, 0, cut))
}
