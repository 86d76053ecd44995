// Exponentials and logarithms.

package autograd

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// Exp returns e^v.
func (v *Var) Exp() *Var {
	if y := v.putOff(tensor.ChainExp, 0, 0); y != nil {
		return y
	}
	return record(opExp, tensor.Exp(v.dense("Exp")), attrs{}, v)
}

func gradExp(c *context, g *Var, _ int) *Var { return g.Mul(c.out) }

// Expm1 returns e^v - 1, exact to the last digits also near 0.
func (v *Var) Expm1() *Var { return record(opExpm1, tensor.Expm1(v.dense("Expm1")), attrs{}, v) }

// y + 1
func gradExpm1(c *context, g *Var, _ int) *Var { return g.Mul(c.out.AddScalar(1)) }

// Log returns the natural logarithm.
func (v *Var) Log() *Var {
	if y := v.putOff(tensor.ChainLog, 0, 0); y != nil {
		return y
	}
	return record(opLog, tensor.Log(v.dense("Log")), attrs{}, v)
}

func gradLog(c *context, g *Var, _ int) *Var { return g.Div(c.in[0]) }

// Log1p returns ln(1 + v), exact to the last digits also near 0.
func (v *Var) Log1p() *Var { return record(opLog1p, tensor.Log1p(v.dense("Log1p")), attrs{}, v) }

func gradLog1p(c *context, g *Var, _ int) *Var { return g.Div(c.in[0].AddScalar(1)) }

// Log2 returns the logarithm to base 2.
func (v *Var) Log2() *Var { return record(opLog2, tensor.Log2(v.dense("Log2")), attrs{}, v) }

func gradLog2(c *context, g *Var, _ int) *Var { return g.Div(c.in[0]).Scale(math.Log2E) }

// Log10 returns the logarithm to base 10.
func (v *Var) Log10() *Var { return record(opLog10, tensor.Log10(v.dense("Log10")), attrs{}, v) }

func gradLog10(c *context, g *Var, _ int) *Var { return g.Div(c.in[0]).Scale(math.Log10E) }

// Pow returns v^p for a constant p.
func (v *Var) Pow(p float64) *Var {
	return record(opPow, tensor.Pow(v.dense("Pow"), p), attrs{scalar: p}, v)
}

// p x^(p-1); for p = 0 the result is constant, also at x = 0
func gradPow(c *context, g *Var, _ int) *Var {
	if c.scalar == 0 {
		return nil
	}
	return g.Mul(c.in[0].Pow(c.scalar - 1)).Scale(c.scalar)
}

// PowVar returns v^w, broadcasting. Where v = 0 and w >= 0, w gets no gradient;
// where w = 0, v gets none.
func (v *Var) PowVar(w *Var) *Var {
	a, b := operands("PowVar", v, w)
	return record(opPowVar, tensor.PowT(a, b), attrs{}, v, w)
}

// dv = g w v^(w-1), dw = g y ln v
func gradPowVar(c *context, g *Var, i int) *Var {
	v, w := c.in[0], c.in[1]
	var d *Var
	// Where there is no gradient, 1 takes the place of the base: the factors there stay
	// finite, for else the next derivative would multiply them by 0 and be NaN.
	v = v.BroadcastTo(c.out.Shape()...)
	if i == 0 {
		flat := c.equals(w, 0)
		d = g.Mul(w.Mul(v.MaskedFill(flat, 1).PowVar(w.AddScalar(-1)))).MaskedFill(flat, 0)
	} else {
		flat := c.constant(tensor.And(tensor.EqualScalar(v.read(), 0), tensor.GreaterEqualScalar(w.read(), 0)))
		d = g.Mul(c.out).Mul(v.MaskedFill(flat, 1).Log()).MaskedFill(flat, 0)
	}
	return d.SumTo(c.in[i].Shape()...)
}

// Erf returns the error function of v.
func (v *Var) Erf() *Var { return record(opErf, tensor.Erf(v.dense("Erf")), attrs{}, v) }

// 2/sqrt(pi) e^(-x^2)
func gradErf(c *context, g *Var, _ int) *Var {
	return g.Mul(c.in[0].Square().Neg().Exp()).Scale(2 / math.Sqrt(math.Pi))
}

// Erfc returns 1 - Erf(v), exact to the last digits also where that is near 0.
func (v *Var) Erfc() *Var { return record(opErfc, tensor.Erfc(v.dense("Erfc")), attrs{}, v) }

func gradErfc(c *context, g *Var, _ int) *Var { return gradErf(c, g, 0).Neg() }
