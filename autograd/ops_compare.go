// Comparisons, which give masks, and choices by masks.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Comparisons broadcast and give Bool constants: no gradient flows through a
// mask. Two operands have one type, which may be an integer one. A comparison
// with NaN is false, NotEqual true. A number that floats are compared with is
// converted to their type; integers are compared with the number itself.

// Equal returns where v = w.
func (v *Var) Equal(w *Var) *Var { return compare("Equal", tensor.Equal, v, w) }

// NotEqual returns where v ≠ w.
func (v *Var) NotEqual(w *Var) *Var { return compare("NotEqual", tensor.NotEqual, v, w) }

// Less returns where v < w.
func (v *Var) Less(w *Var) *Var { return compare("Less", tensor.Less, v, w) }

// LessEqual returns where v <= w.
func (v *Var) LessEqual(w *Var) *Var { return compare("LessEqual", tensor.LessEqual, v, w) }

// Greater returns where v > w.
func (v *Var) Greater(w *Var) *Var { return compare("Greater", tensor.Greater, v, w) }

// GreaterEqual returns where v >= w.
func (v *Var) GreaterEqual(w *Var) *Var { return compare("GreaterEqual", tensor.GreaterEqual, v, w) }

func compare(op string, f func(a, b *tensor.Tensor) *tensor.Tensor, v, w *Var) *Var {
	a, b := operands(op, v, w)
	return unrecorded(f(a, b), v, w)
}

// EqualScalar returns where v = c; booleans count as 0 and 1.
func (v *Var) EqualScalar(c float64) *Var {
	return compareScalar("EqualScalar", tensor.EqualScalar, v, c)
}

// NotEqualScalar returns where v ≠ c; booleans count as 0 and 1.
func (v *Var) NotEqualScalar(c float64) *Var {
	return compareScalar("NotEqualScalar", tensor.NotEqualScalar, v, c)
}

// LessScalar returns where v < c.
func (v *Var) LessScalar(c float64) *Var { return compareScalar("LessScalar", tensor.LessScalar, v, c) }

// LessEqualScalar returns where v <= c.
func (v *Var) LessEqualScalar(c float64) *Var {
	return compareScalar("LessEqualScalar", tensor.LessEqualScalar, v, c)
}

// GreaterScalar returns where v > c.
func (v *Var) GreaterScalar(c float64) *Var {
	return compareScalar("GreaterScalar", tensor.GreaterScalar, v, c)
}

// GreaterEqualScalar returns where v >= c.
func (v *Var) GreaterEqualScalar(c float64) *Var {
	return compareScalar("GreaterEqualScalar", tensor.GreaterEqualScalar, v, c)
}

func compareScalar(op string, f func(x *tensor.Tensor, c float64) *tensor.Tensor, v *Var, c float64) *Var {
	return unrecorded(f(v.dense(op), c), v)
}

// Where returns a where the mask cond is true and b elsewhere, broadcasting all
// three. Each gets the gradient of the elements it gave and 0 for the others, also
// where those are NaN. What computed a NaN may turn that 0 into NaN on the way back
// to its own operands; then choose the operands, not the result.
func Where(cond, a, b *Var) *Var {
	const op = "Where"
	mask := wantMask(op, cond)
	x, y := operands(op, a, b)
	return record(opWhere, tensor.Where(mask, x, y), attrs{}, cond, a, b)
}

func gradWhere(c *context, g *Var, i int) *Var {
	zero := c.number(0)
	if i == 1 {
		g = Where(c.in[0], g, zero)
	} else {
		g = Where(c.in[0], zero, g)
	}
	return g.SumTo(c.in[i].Shape()...)
}

// MaskedFill returns v with value where mask is true; mask broadcasts to v's shape.
func (v *Var) MaskedFill(mask *Var, value float64) *Var {
	const op = "MaskedFill"
	x := v.dense(op)
	m := wantMask(op, mask)
	if !tensor.Broadcast(op, x.Shape(), m.Shape()).Equal(x.Shape()) {
		misuse(op, "the mask does not broadcast to the operand", m.Shape(), x.Shape())
	}
	return Where(mask, Constant(tensor.Full(x.DType(), value)), v)
}

// MaskedSelect returns the elements of v where mask is true, in row-major order: [n]. The two
// broadcast. Rows are picked by IndexSelect.
func (v *Var) MaskedSelect(mask *Var) *Var {
	const op = "MaskedSelect"
	x, m := v.dense(op), wantMask(op, mask)
	shape := tensor.Broadcast(op, x.Shape(), m.Shape())
	places := tensor.NonZero(m.Expand(shape...).Reshape(-1)).Reshape(-1)
	return v.BroadcastTo(shape...).Reshape(-1).Gather(0, unrecorded(places, mask))
}

// wantMask returns the value of a mask.
func wantMask(op string, v *Var) *tensor.Tensor {
	t := v.dense(op)
	if t.DType() != tensor.Bool {
		misuse(op, "the mask is "+t.DType().String()+", want bool", t.Shape())
	}
	return t
}

// equals returns where x has a value, as a constant of a gradient rule.
func (c *context) equals(x *Var, value float64) *Var {
	return c.constant(tensor.EqualScalar(x.read(), value))
}

// number returns a scalar of the result's type, as a constant of a gradient rule.
func (c *context) number(value float64) *Var {
	return c.constant(tensor.Full(c.out.DType(), value))
}

// unrecorded returns a result of operands that has no gradient, such as an index.
func unrecorded(t *tensor.Tensor, operands ...*Var) *Var {
	_, reg := inherited(operands)
	return &Var{value: t, region: reg}
}
