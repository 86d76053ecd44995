// Other shapes of the same elements; broadcasting and its adjoint.

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

// Squeeze returns v without the given axes, which have length 1; without axes,
// without all of that length.
func (v *Var) Squeeze(axes ...int) *Var {
	return record(opReshape, v.dense("Squeeze").Squeeze(axes...), attrs{}, v)
}

// Unsqueeze returns v with a new axis of length 1 before axis; -1 adds it at the
// end.
func (v *Var) Unsqueeze(axis int) *Var {
	return record(opReshape, v.dense("Unsqueeze").Unsqueeze(axis), attrs{}, v)
}

// Flatten joins the axes from first to last, both included, into one; negative
// ones count from the last. Flatten(0, -1) gives a vector.
func (v *Var) Flatten(first, last int) *Var {
	const op = "Flatten"
	shape := v.dense(op).Shape()
	if len(shape) == 0 && first == 0 && last == -1 {
		return v.Reshape(1)
	}
	first, last = checkAxis(op, first, shape), checkAxis(op, last, shape)
	if first > last {
		misuse(op, fmt.Sprintf("axis %d comes after axis %d", first, last), shape)
	}
	flat := append(shape[:first].Clone(), shape[first:last+1].Size())
	return v.Reshape(append(flat, shape[last+1:]...)...)
}

// Repeat repeats v times[k] times along axis k, as NumPy's tile does. There is one
// number an axis; more of them put new axes in front.
func (v *Var) Repeat(times ...int) *Var {
	const op = "Repeat"
	shape := v.dense(op).Shape()
	lead := len(times) - len(shape)
	if lead < 0 {
		misuse(op, fmt.Sprintf("%d numbers for %d axes", len(times), len(shape)), shape)
	}
	var apart, wide, joined tensor.Shape // [n] -> [1 n] -> [t n] -> [t·n], axis by axis
	for k, t := range times {
		if t < 0 {
			misuse(op, fmt.Sprintf("%d times along axis %d", t, k), shape)
		}
		n := 1
		if k >= lead {
			n = shape[k-lead]
		}
		apart, wide, joined = append(apart, 1, n), append(wide, t, n), append(joined, t*n)
	}
	return v.Reshape(apart...).BroadcastTo(wide...).Reshape(joined...)
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
