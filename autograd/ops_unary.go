// Element-wise operations of one operand.

package autograd

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// Neg returns -v.
func (v *Var) Neg() *Var { return record(opNeg, tensor.Neg(v.dense("Neg")), attrs{}, v) }

func gradNeg(_ *context, g *Var, _ int) *Var { return g.Neg() }

// Exp returns e^v.
func (v *Var) Exp() *Var { return record(opExp, tensor.Exp(v.dense("Exp")), attrs{}, v) }

func gradExp(c *context, g *Var, _ int) *Var { return g.Mul(c.out) }

// Log returns the natural logarithm.
func (v *Var) Log() *Var { return record(opLog, tensor.Log(v.dense("Log")), attrs{}, v) }

func gradLog(c *context, g *Var, _ int) *Var { return g.Div(c.in[0]) }

// Sqrt returns the square root.
func (v *Var) Sqrt() *Var { return record(opSqrt, tensor.Sqrt(v.dense("Sqrt")), attrs{}, v) }

// 1/(2y)
func gradSqrt(c *context, g *Var, _ int) *Var { return g.Div(c.out).Scale(0.5) }

// Rsqrt returns 1/sqrt(v).
func (v *Var) Rsqrt() *Var { return record(opRsqrt, tensor.Rsqrt(v.dense("Rsqrt")), attrs{}, v) }

// -y^3/2
func gradRsqrt(c *context, g *Var, _ int) *Var {
	return g.Mul(c.out.Square().Mul(c.out)).Scale(-0.5)
}

// Recip returns 1/v.
func (v *Var) Recip() *Var { return record(opRecip, tensor.Recip(v.dense("Recip")), attrs{}, v) }

// -y^2
func gradRecip(c *context, g *Var, _ int) *Var { return g.Mul(c.out.Square()).Neg() }

// Abs returns |v|.
func (v *Var) Abs() *Var { return record(opAbs, tensor.Abs(v.dense("Abs")), attrs{}, v) }

func gradAbs(c *context, g *Var, _ int) *Var { return g.Mul(c.constant(tensor.Sign(c.in[0].value))) }

// Square returns v^2.
func (v *Var) Square() *Var { return record(opSquare, tensor.Square(v.dense("Square")), attrs{}, v) }

func gradSquare(c *context, g *Var, _ int) *Var { return g.Mul(c.in[0]).Scale(2) }

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

// Clamp limits v to [lower, upper].
func (v *Var) Clamp(lower, upper float64) *Var {
	x := v.dense("Clamp")
	if !(lower <= upper) {
		misuse("Clamp", "lower bound is not below the upper", x.Shape())
	}
	return record(opClamp, tensor.Clamp(x, lower, upper), attrs{lower: lower, upper: upper}, v)
}

func gradClamp(c *context, g *Var, _ int) *Var {
	x := c.in[0].value
	above := tensor.GreaterEqual(x, tensor.Full(x.DType(), c.lower)).To(x.DType())
	below := tensor.GreaterEqual(tensor.Full(x.DType(), c.upper), x).To(x.DType())
	return g.Mul(c.constant(above)).Mul(c.constant(below))
}

// Scale returns c v.
func (v *Var) Scale(c float64) *Var {
	return record(opScale, tensor.Scale(v.dense("Scale"), c), attrs{scalar: c}, v)
}

func gradScale(c *context, g *Var, _ int) *Var { return g.Scale(c.scalar) }

// AddScalar returns v + c.
func (v *Var) AddScalar(c float64) *Var {
	return record(opAddScalar, tensor.AddScalar(v.dense("AddScalar"), c), attrs{scalar: c}, v)
}

func gradAddScalar(_ *context, g *Var, _ int) *Var { return g }

// Erf returns the error function of v.
func (v *Var) Erf() *Var { return record(opErf, tensor.Erf(v.dense("Erf")), attrs{}, v) }

// 2/sqrt(pi) e^(-x^2)
func gradErf(c *context, g *Var, _ int) *Var {
	return g.Mul(c.in[0].Square().Neg().Exp()).Scale(2 / math.Sqrt(math.Pi))
}
