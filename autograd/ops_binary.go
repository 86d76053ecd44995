// Binary arithmetic with NumPy broadcasting.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Add returns v + w, broadcasting.
func (v *Var) Add(w *Var) *Var {
	if y := v.putOffWith(tensor.ChainAdd, w); y != nil {
		return y
	}
	a, b := operands("Add", v, w)
	return record(opAdd, tensor.Add(a, b), attrs{}, v, w)
}

func gradAdd(c *context, g *Var, i int) *Var { return g.SumTo(c.in[i].Shape()...) }

// Sub returns v - w, broadcasting.
func (v *Var) Sub(w *Var) *Var {
	if y := v.putOffWith(tensor.ChainSub, w); y != nil {
		return y
	}
	a, b := operands("Sub", v, w)
	return record(opSub, tensor.Sub(a, b), attrs{}, v, w)
}

func gradSub(c *context, g *Var, i int) *Var {
	g = g.SumTo(c.in[i].Shape()...)
	if i == 1 {
		return g.Neg()
	}
	return g
}

// Mul returns the element-wise product, broadcasting.
func (v *Var) Mul(w *Var) *Var {
	if y := v.putOffWith(tensor.ChainMul, w); y != nil {
		return y
	}
	a, b := operands("Mul", v, w)
	return record(opMul, tensor.Mul(a, b), attrs{}, v, w)
}

func gradMul(c *context, g *Var, i int) *Var {
	return g.Mul(c.in[1-i]).SumTo(c.in[i].Shape()...)
}

// Div returns the element-wise quotient, broadcasting.
func (v *Var) Div(w *Var) *Var {
	if y := v.putOffWith(tensor.ChainDiv, w); y != nil {
		return y
	}
	a, b := operands("Div", v, w)
	return record(opDiv, tensor.Div(a, b), attrs{}, v, w)
}

// da = g/b, db = -g (y/b), which is 0 where y is, even if g/b is infinite
func gradDiv(c *context, g *Var, i int) *Var {
	if i == 0 {
		return g.Div(c.in[1]).SumTo(c.in[0].Shape()...)
	}
	return c.out.Div(c.in[1]).Mul(g).Neg().SumTo(c.in[1].Shape()...)
}

// Maximum returns the element-wise maximum, broadcasting. Where both are equal
// each gets half of the gradient.
func (v *Var) Maximum(w *Var) *Var {
	if y := v.putOffWith(tensor.ChainMaximum, w); y != nil {
		return y
	}
	a, b := operands("Maximum", v, w)
	return record(opMaximum, tensor.Maximum(a, b), attrs{}, v, w)
}

func gradMaximum(c *context, g *Var, i int) *Var {
	return c.won(g, c.in[i], c.in[1-i]).SumTo(c.in[i].Shape()...)
}

// Minimum returns the element-wise minimum, broadcasting. Where both are equal
// each gets half of the gradient.
func (v *Var) Minimum(w *Var) *Var {
	if y := v.putOffWith(tensor.ChainMinimum, w); y != nil {
		return y
	}
	a, b := operands("Minimum", v, w)
	return record(opMinimum, tensor.Minimum(a, b), attrs{}, v, w)
}

func gradMinimum(c *context, g *Var, i int) *Var {
	return c.won(g, c.in[1-i], c.in[i]).SumTo(c.in[i].Shape()...)
}

// FloorDiv returns ⌊v/w⌋, broadcasting, with gradient 0 as Floor. To divide an integer by 0
// is misuse.
func (v *Var) FloorDiv(w *Var) *Var {
	a, b := operands("FloorDiv", v, w)
	return record(opFloorDiv, tensor.FloorDiv(a, b), attrs{}, v, w)
}

// Remainder returns v - w·⌊v/w⌋, which has the sign of w, broadcasting. To divide an
// integer by 0 is misuse.
func (v *Var) Remainder(w *Var) *Var {
	a, b := operands("Remainder", v, w)
	return record(opRemainder, tensor.Remainder(a, b), attrs{}, v, w)
}

// da = g, db = -g ⌊a/b⌋
func gradRemainder(c *context, g *Var, i int) *Var {
	if i == 1 {
		g = g.Mul(c.in[0].FloorDiv(c.in[1])).Neg()
	}
	return g.SumTo(c.in[i].Shape()...)
}

// Lerp returns v + weight·(w - v), broadcasting: v for weight 0 and exactly w for 1.
func (v *Var) Lerp(w *Var, weight float64) *Var {
	a, _ := operands("Lerp", v, w)
	wantFloat("Lerp", a)
	if weight < 0.5 {
		return v.Add(w.Sub(v).Scale(weight))
	}
	return w.Sub(w.Sub(v).Scale(1 - weight))
}

// won returns 0 where a < b, half of g where a = b and g elsewhere, as where one is NaN:
// so is the result then. No element of g is multiplied by 0, so that an infinite one does
// not become NaN: Sqrt has it at 0, as in x.Maximum(zero).Sqrt().
func (c *context) won(g, a, b *Var) *Var {
	g = Where(c.constant(tensor.Equal(a.read(), b.read())), g.Scale(0.5), g)
	return Where(c.constant(tensor.Less(a.value, b.value)), c.number(0), g)
}

// asNumbers returns 1 where a mask is true and 0 elsewhere. The mask's memory is
// given back.
func asNumbers(mask *tensor.Tensor, dt tensor.DType) *tensor.Tensor {
	t := mask.To(dt)
	mask.Free()
	return t
}

// operands returns the values of two dense operands of one type.
func operands(op string, v, w *Var) (a, b *tensor.Tensor) {
	a, b = v.dense(op), w.dense(op)
	wantSameType(op, v, w)
	return a, b
}
