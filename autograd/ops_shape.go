// Operations that move elements: shapes, broadcasting, selection.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// Reshape returns v's elements in another shape of the same size, sharing
// memory. One dimension may be -1: it is inferred.
func (v *Var) Reshape(shape ...int) *Var {
	return record(opReshape, v.dense("Reshape").Reshape(shape...), attrs{}, v)
}

func gradReshape(c *context, g *Var, _ int) *Var { return g.Reshape(c.in[0].Shape()...) }

// BroadcastTo repeats v to a shape that it broadcasts to by NumPy's rule.
func (v *Var) BroadcastTo(shape ...int) *Var {
	x := v.dense("BroadcastTo")
	if x.Shape().Equal(shape) {
		return v
	}
	if !tensor.Broadcast("BroadcastTo", x.Shape(), shape).Equal(shape) {
		misuse("BroadcastTo", "the shape does not broadcast to the asked one", x.Shape(), shape)
	}
	return record(opBroadcastTo, x.Expand(shape...), attrs{}, v)
}

func gradBroadcastTo(c *context, g *Var, _ int) *Var { return g.SumTo(c.in[0].Shape()...) }

// SumTo sums over the dimensions that BroadcastTo would repeat to get from shape
// back to v's shape.
func (v *Var) SumTo(shape ...int) *Var {
	x := v.dense("SumTo")
	if x.Shape().Equal(shape) {
		return v
	}
	return record(opSumTo, tensor.SumTo(x, shape), attrs{}, v)
}

func gradSumTo(c *context, g *Var, _ int) *Var { return g.BroadcastTo(c.in[0].Shape()...) }

// IndexSelect returns the matrix (or higher-rank tensor) whose row i is row
// rows[i] of v; rows may repeat. The slice must not change before the backward
// pass.
func (v *Var) IndexSelect(rows []int32) *Var {
	return record(opIndexSelect, tensor.IndexSelect(v.dense("IndexSelect"), rows), attrs{rows: rows}, v)
}

func gradIndexSelect(c *context, g *Var, _ int) *Var {
	return g.ScatterAddRows(c.in[0].Shape()[0], c.rows)
}

// ScatterAddRows returns n rows, row r being the sum of the rows i of v with
// rows[i] = r, added in ascending i. The slice must not change before the
// backward pass.
func (v *Var) ScatterAddRows(n int, rows []int32) *Var {
	y := tensor.ScatterAddRows(v.dense("ScatterAddRows"), rows, n)
	return record(opScatterAddRows, y, attrs{rows: rows}, v)
}

func gradScatterAddRows(c *context, g *Var, _ int) *Var { return g.IndexSelect(c.rows) }

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
	return record(opUnslice, tensor.Unnarrow(x.value, axis, from, n), attrs{axis: axis, from: from}, x)
}

func gradUnslice(c *context, g *Var, _ int) *Var {
	return g.Slice(c.axis, c.from, c.from+c.in[0].Shape()[c.axis])
}

// checkAxis returns the axis counted from the first, for a tensor of the shape.
func checkAxis(op string, axis int, shape tensor.Shape) int {
	a := axis
	if a < 0 {
		a += len(shape)
	}
	if a < 0 || a >= len(shape) {
		misuse(op, fmt.Sprintf("axis %d does not exist", axis), shape)
	}
	return a
}
