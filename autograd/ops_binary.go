// Binary arithmetic with NumPy broadcasting.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Add returns v + w, broadcasting.
func (v *Var) Add(w *Var) *Var {
	return record(opAdd, tensor.Add(v.dense("Add"), w.dense("Add")), attrs{}, v, w)
}

func gradAdd(c *context, g *Var, i int) *Var { return g.SumTo(c.in[i].Shape()...) }

// Sub returns v - w, broadcasting.
func (v *Var) Sub(w *Var) *Var {
	return record(opSub, tensor.Sub(v.dense("Sub"), w.dense("Sub")), attrs{}, v, w)
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
	return record(opMul, tensor.Mul(v.dense("Mul"), w.dense("Mul")), attrs{}, v, w)
}

func gradMul(c *context, g *Var, i int) *Var {
	return g.Mul(c.in[1-i]).SumTo(c.in[i].Shape()...)
}

// Div returns the element-wise quotient, broadcasting.
func (v *Var) Div(w *Var) *Var {
	return record(opDiv, tensor.Div(v.dense("Div"), w.dense("Div")), attrs{}, v, w)
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
	return record(opMaximum, tensor.Maximum(v.dense("Maximum"), w.dense("Maximum")), attrs{}, v, w)
}

func gradMaximum(c *context, g *Var, i int) *Var {
	return g.Mul(winner(c.in[i], c.in[1-i])).SumTo(c.in[i].Shape()...)
}

// Minimum returns the element-wise minimum, broadcasting. Where both are equal
// each gets half of the gradient.
func (v *Var) Minimum(w *Var) *Var {
	return record(opMinimum, tensor.Minimum(v.dense("Minimum"), w.dense("Minimum")), attrs{}, v, w)
}

func gradMinimum(c *context, g *Var, i int) *Var {
	return g.Mul(winner(c.in[1-i], c.in[i])).SumTo(c.in[i].Shape()...)
}

// winner returns, as a constant, 1 where a > b, a half where a = b and 0
// elsewhere. It is flat almost everywhere, so a constant is its derivative too.
func winner(a, b *Var) *Var {
	return Constant(tensor.Scale(tensor.Add(tensor.Greater(a.value, b.value), tensor.GreaterEqual(a.value, b.value)), 0.5))
}
