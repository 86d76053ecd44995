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

// da = g/b, db = -g y/b
func gradDiv(c *context, g *Var, i int) *Var {
	g = g.Div(c.in[1])
	if i == 1 {
		g = g.Mul(c.out).Neg()
	}
	return g.SumTo(c.in[i].Shape()...)
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
	return g.Mul(c.winner(c.in[i], c.in[1-i])).SumTo(c.in[i].Shape()...)
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
	return g.Mul(c.winner(c.in[1-i], c.in[i])).SumTo(c.in[i].Shape()...)
}

// Lerp returns v + weight·(w - v), broadcasting: v for weight 0 and exactly w for 1.
func (v *Var) Lerp(w *Var, weight float64) *Var {
	operands("Lerp", v, w)
	if weight < 0.5 {
		return v.Add(w.Sub(v).Scale(weight))
	}
	return w.Sub(w.Sub(v).Scale(1 - weight))
}

// winner returns, as a constant, 0 where a < b, a half where a = b and 1 elsewhere, as
// where one is NaN: so is the result then. It is flat almost everywhere, so a constant is
// its derivative too.
func (c *context) winner(a, b *Var) *Var {
	loses := asNumbers(tensor.Greater(b.value, a.value), a.DType())
	atMost := asNumbers(tensor.GreaterEqual(b.value, a.value), a.DType())
	tensor.AddInto(loses, atMost)
	atMost.Free()
	return c.constant(loses).Scale(-0.5).AddScalar(1)
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
