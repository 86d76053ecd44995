// Element-wise arithmetic of one operand, and rounding.

package autograd

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// Neg returns -v.
func (v *Var) Neg() *Var {
	if y := v.putOff(tensor.ChainNeg, 0, 0); y != nil {
		return y
	}
	return record(opNeg, tensor.Neg(v.dense("Neg")), attrs{}, v)
}

func gradNeg(_ *context, g *Var, _ int) *Var { return g.Neg() }

// Sqrt returns the square root.
func (v *Var) Sqrt() *Var {
	if y := v.putOff(tensor.ChainSqrt, 0, 0); y != nil {
		return y
	}
	return record(opSqrt, tensor.Sqrt(v.dense("Sqrt")), attrs{}, v)
}

// 1/(2y)
func gradSqrt(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.SqrtGrad(g.value, c.out.value))
	}
	return g.Div(c.out).Scale(0.5)
}

// Rsqrt returns 1/sqrt(v).
func (v *Var) Rsqrt() *Var {
	if y := v.putOff(tensor.ChainRsqrt, 0, 0); y != nil {
		return y
	}
	return record(opRsqrt, tensor.Rsqrt(v.dense("Rsqrt")), attrs{}, v)
}

// -y^3/2
func gradRsqrt(c *context, g *Var, _ int) *Var {
	return g.Mul(c.out.Square().Mul(c.out)).Scale(-0.5)
}

// Recip returns 1/v.
func (v *Var) Recip() *Var {
	if y := v.putOff(tensor.ChainRecip, 0, 0); y != nil {
		return y
	}
	return record(opRecip, tensor.Recip(v.dense("Recip")), attrs{}, v)
}

// -y^2
func gradRecip(c *context, g *Var, _ int) *Var { return g.Mul(c.out.Square()).Neg() }

// Abs returns |v|. Its gradient is 0 where v is.
func (v *Var) Abs() *Var {
	if y := v.putOff(tensor.ChainAbs, 0, 0); y != nil {
		return y
	}
	return record(opAbs, tensor.Abs(v.dense("Abs")), attrs{}, v)
}

// g by the sign of x, 0 where x is: an infinite g, too
func gradAbs(c *context, g *Var, _ int) *Var {
	x := c.in[0]
	if c.fused() {
		return c.constant(tensor.AbsGrad(g.value, x.read()))
	}
	return g.MaskedFill(c.equals(x, 0), 0).Mul(c.constant(tensor.Sign(x.read())))
}

// Square returns v^2.
func (v *Var) Square() *Var {
	if y := v.putOff(tensor.ChainSquare, 0, 0); y != nil {
		return y
	}
	return record(opSquare, tensor.Square(v.dense("Square")), attrs{}, v)
}

func gradSquare(c *context, g *Var, _ int) *Var { return g.Mul(c.in[0]).Scale(2) }

// Clamp limits v to [lower, upper].
func (v *Var) Clamp(lower, upper float64) *Var { return v.clamp("Clamp", lower, upper, false) }

// Hardtanh limits v to [lower, upper], as Clamp does; but at the bounds its gradient is
// 0, as PyTorch has it for the activations of that kind and not for clamp.
func (v *Var) Hardtanh(lower, upper float64) *Var { return v.clamp("Hardtanh", lower, upper, true) }

func (v *Var) clamp(op string, lower, upper float64, open bool) *Var {
	if lower <= upper {
		if y := v.putOff(tensor.ChainClamp, lower, upper); y != nil {
			return y
		}
	}
	x := v.dense(op)
	if !(lower <= upper) {
		misuse(op, "lower bound is not below the upper", x.Shape())
	}
	return record(opClamp, tensor.Clamp(x, lower, upper), attrs{lower: lower, upper: upper, open: open}, v)
}

func gradClamp(c *context, g *Var, _ int) *Var {
	lower, upper := c.lower, c.upper
	if c.open {
		lower, upper = inside(lower, upper, g.DType())
	}
	if c.fused() {
		return c.constant(tensor.ClampGrad(g.value, c.in[0].read(), lower, upper))
	}
	// Chosen, not multiplied by 0: an infinite g would become NaN.
	x := c.in[0].read()
	within := tensor.And(tensor.GreaterEqualScalar(x, lower), tensor.LessEqualScalar(x, upper))
	return Where(c.constant(within), g, c.number(0))
}

// Scale returns c v.
func (v *Var) Scale(c float64) *Var {
	if y := v.putOff(tensor.ChainScale, c, 0); y != nil {
		return y
	}
	return record(opScale, tensor.Scale(v.dense("Scale"), c), attrs{scalar: c}, v)
}

func gradScale(c *context, g *Var, _ int) *Var { return g.Scale(c.scalar) }

// AddScalar returns v + c.
func (v *Var) AddScalar(c float64) *Var {
	if y := v.putOff(tensor.ChainAddScalar, c, 0); y != nil {
		return y
	}
	return record(opAddScalar, tensor.AddScalar(v.dense("AddScalar"), c), attrs{scalar: c}, v)
}

func gradAddScalar(_ *context, g *Var, _ int) *Var { return g }

// Sign returns -1, 0 or 1 by the sign of v. Its gradient is 0, as that of the
// roundings (Floor, Ceil, Round, Trunc): none flows.
func (v *Var) Sign() *Var { return record(opSign, tensor.Sign(v.dense("Sign")), attrs{}, v) }

// Floor returns the largest whole number that is not above v.
func (v *Var) Floor() *Var { return record(opFloor, tensor.Floor(v.dense("Floor")), attrs{}, v) }

// Ceil returns the smallest whole number that is not below v.
func (v *Var) Ceil() *Var { return record(opCeil, tensor.Ceil(v.dense("Ceil")), attrs{}, v) }

// Round returns the nearest whole number, of two the even one.
func (v *Var) Round() *Var { return record(opRound, tensor.Round(v.dense("Round")), attrs{}, v) }

// Trunc returns v without what follows the point.
func (v *Var) Trunc() *Var { return record(opTrunc, tensor.Trunc(v.dense("Trunc")), attrs{}, v) }

// gradFlat is the rule of functions that are constant between their jumps.
func gradFlat(*context, *Var, int) *Var { return nil }

// inside returns the bounds of the numbers of a type between two others, without these.
func inside(lower, upper float64, dt tensor.DType) (least, most float64) {
	if dt == tensor.Float32 {
		up, down := float32(math.Inf(1)), float32(math.Inf(-1))
		return float64(math.Nextafter32(float32(lower), up)), float64(math.Nextafter32(float32(upper), down))
	}
	return math.Nextafter(lower, math.Inf(1)), math.Nextafter(upper, math.Inf(-1))
}
