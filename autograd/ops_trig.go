// Trigonometric and hyperbolic functions.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Sin returns the sine of v, in radians.
func (v *Var) Sin() *Var { return record(opSin, tensor.Sin(v.dense("Sin")), attrs{}, v) }

func gradSin(c *context, g *Var, _ int) *Var { return g.Mul(c.in[0].Cos()) }

// Cos returns the cosine of v, in radians.
func (v *Var) Cos() *Var { return record(opCos, tensor.Cos(v.dense("Cos")), attrs{}, v) }

func gradCos(c *context, g *Var, _ int) *Var { return g.Mul(c.in[0].Sin()).Neg() }

// Tan returns the tangent of v, in radians.
func (v *Var) Tan() *Var { return record(opTan, tensor.Tan(v.dense("Tan")), attrs{}, v) }

// 1 + y^2
func gradTan(c *context, g *Var, _ int) *Var { return g.Mul(c.out.Square().AddScalar(1)) }

// Asin returns the arc sine of v, in [-π/2, π/2]; NaN outside [-1, 1].
func (v *Var) Asin() *Var { return record(opAsin, tensor.Asin(v.dense("Asin")), attrs{}, v) }

// 1/sqrt(1 - x^2)
func gradAsin(c *context, g *Var, _ int) *Var {
	return g.Mul(c.in[0].Square().Neg().AddScalar(1).Rsqrt())
}

// Acos returns the arc cosine of v, in [0, π]; NaN outside [-1, 1].
func (v *Var) Acos() *Var { return record(opAcos, tensor.Acos(v.dense("Acos")), attrs{}, v) }

func gradAcos(c *context, g *Var, _ int) *Var { return gradAsin(c, g, 0).Neg() }

// Atan returns the arc tangent of v, in (-π/2, π/2).
func (v *Var) Atan() *Var { return record(opAtan, tensor.Atan(v.dense("Atan")), attrs{}, v) }

// 1/(1 + x^2)
func gradAtan(c *context, g *Var, _ int) *Var { return g.Div(c.in[0].Square().AddScalar(1)) }

// Atan2 returns the angle of the point (w, v), in [-π, π], broadcasting: the arc
// tangent of v/w in the right quadrant.
func (v *Var) Atan2(w *Var) *Var {
	a, b := operands("Atan2", v, w)
	return record(opAtan2, tensor.Atan2(a, b), attrs{}, v, w)
}

// dv = g w/(v^2 + w^2), dw = -g v/(v^2 + w^2)
func gradAtan2(c *context, g *Var, i int) *Var {
	v, w := c.in[0], c.in[1]
	d := g.Mul(c.in[1-i]).Div(v.Square().Add(w.Square()))
	if i == 1 {
		d = d.Neg()
	}
	return d.SumTo(c.in[i].Shape()...)
}

// Sinh returns the hyperbolic sine of v.
func (v *Var) Sinh() *Var { return record(opSinh, tensor.Sinh(v.dense("Sinh")), attrs{}, v) }

func gradSinh(c *context, g *Var, _ int) *Var { return g.Mul(c.in[0].Cosh()) }

// Cosh returns the hyperbolic cosine of v.
func (v *Var) Cosh() *Var { return record(opCosh, tensor.Cosh(v.dense("Cosh")), attrs{}, v) }

func gradCosh(c *context, g *Var, _ int) *Var { return g.Mul(c.in[0].Sinh()) }
