// Activation functions.

package autograd

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// ReLU returns max(v, 0).
func (v *Var) ReLU() *Var {
	if y := v.putOff(tensor.ChainReLU, 0, 0); y != nil {
		return y
	}
	return record(opRelu, tensor.ReLU(v.dense("ReLU")), attrs{}, v)
}

func gradRelu(c *context, g *Var, _ int) *Var { return gate(g, c.in[0], 0) }

// LeakyReLU returns v where it is positive and slope·v elsewhere.
func (v *Var) LeakyReLU(slope float64) *Var {
	if y := v.putOff(tensor.ChainLeakyReLU, slope, 0); y != nil {
		return y
	}
	return record(opLeakyRelu, tensor.LeakyReLU(v.dense("LeakyReLU"), slope), attrs{scalar: slope}, v)
}

func gradLeakyRelu(c *context, g *Var, _ int) *Var { return gate(g, c.in[0], c.scalar) }

// gate returns a where x > 0 and slope·a elsewhere, also where x is NaN, for equal
// shapes. A slope of 0 is ReLU's: as in PyTorch a passes where x is NaN, and it is never
// multiplied by 0, so that an infinite gradient does not become NaN. In a Scope the
// gradient of a gradient may have been put off.
func gate(a, x *Var, slope float64) *Var {
	return record(opGate, tensor.GateLeakyReLU(a.dense("Gate"), x.dense("Gate"), slope), attrs{scalar: slope}, a, x)
}

func gradGate(c *context, g *Var, i int) *Var {
	if i == 1 {
		return nil // piecewise constant in x
	}
	return gate(g, c.in[1], c.scalar)
}

// ELU returns v where it is positive and alpha(e^v - 1) elsewhere; alpha >= 0.
func (v *Var) ELU(alpha float64) *Var {
	if alpha >= 0 {
		if y := v.putOff(tensor.ChainELU, alpha, 0); y != nil {
			return y
		}
	}
	x := v.dense("ELU")
	if !(alpha >= 0) {
		misuse("ELU", "alpha is negative", x.Shape())
	}
	return record(opElu, tensor.ELU(x, alpha), attrs{scalar: alpha}, v)
}

func gradElu(c *context, g *Var, _ int) *Var { return eluGrad(g, c.out, c.scalar) }

// eluGrad returns a·ELU'(x) given y = ELU(x), in one pass over memory: where
// x <= 0, ELU'(x) = alpha e^x = y + alpha.
func eluGrad(a, y *Var, alpha float64) *Var {
	return record(opEluGrad, tensor.ELUGrad(a.dense("ELUGrad"), y.dense("ELUGrad"), alpha), attrs{scalar: alpha}, a, y)
}

func gradEluGrad(c *context, g *Var, i int) *Var {
	if i == 0 {
		return eluGrad(g, c.in[1], c.scalar)
	}
	ga := g.Mul(c.in[0])
	return gate(ga, c.in[1].Neg(), 0) // only where y < 0: at 0 PyTorch has 0, too
}

// GELU returns v·P(Z <= v) for a standard normal Z, the exact (erf) form of
// Hendrycks and Gimpel (2016).
func (v *Var) GELU() *Var {
	if y := v.putOff(tensor.ChainGELU, 0, 0); y != nil {
		return y
	}
	return record(opGelu, tensor.GELU(v.dense("GELU")), attrs{}, v)
}

// CDF(x) + x PDF(x) of the standard normal distribution
func gradGelu(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.GELUGrad(g.value, c.in[0].read()))
	}
	x := c.in[0]
	cdf := x.Scale(1 / math.Sqrt2).Erf().AddScalar(1).Scale(0.5)
	pdf := x.Square().Scale(-0.5).Exp().Scale(1 / math.Sqrt(2*math.Pi))
	return g.Mul(cdf.Add(x.Mul(pdf)))
}

// SiLU returns v·Sigmoid(v).
func (v *Var) SiLU() *Var {
	if y := v.putOff(tensor.ChainSiLU, 0, 0); y != nil {
		return y
	}
	return record(opSilu, tensor.SiLU(v.dense("SiLU")), attrs{}, v)
}

// s + y(1-s) with s = Sigmoid(x)
func gradSilu(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.SiLUGrad(g.value, c.in[0].read()))
	}
	s := c.in[0].Sigmoid()
	return g.Mul(s.Add(c.out.Mul(s.Neg().AddScalar(1))))
}

// Sigmoid returns 1/(1 + e^-v).
func (v *Var) Sigmoid() *Var {
	if y := v.putOff(tensor.ChainSigmoid, 0, 0); y != nil {
		return y
	}
	return record(opSigmoid, tensor.Sigmoid(v.dense("Sigmoid")), attrs{}, v)
}

// y - y^2
func gradSigmoid(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.SigmoidGrad(g.value, c.out.value))
	}
	return g.Mul(c.out.Sub(c.out.Square()))
}

// Tanh returns the hyperbolic tangent.
func (v *Var) Tanh() *Var {
	if y := v.putOff(tensor.ChainTanh, 0, 0); y != nil {
		return y
	}
	return record(opTanh, tensor.Tanh(v.dense("Tanh")), attrs{}, v)
}

// 1 - y^2
func gradTanh(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.TanhGrad(g.value, c.out.value))
	}
	return g.Sub(g.Mul(c.out.Square()))
}

// Softplus returns ln(1 + e^v) without overflow.
func (v *Var) Softplus() *Var {
	if y := v.putOff(tensor.ChainSoftplus, 0, 0); y != nil {
		return y
	}
	return record(opSoftplus, tensor.Softplus(v.dense("Softplus")), attrs{}, v)
}

func gradSoftplus(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.SoftplusGrad(g.value, c.in[0].read()))
	}
	return g.Mul(c.in[0].Sigmoid())
}
