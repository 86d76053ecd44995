// The rectifier with a learned slope.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// PReLU returns v where it is positive and slope·v elsewhere, for learned slopes
// (He et al. 2015) that broadcast to v: one number, or one a feature.
func (v *Var) PReLU(slope *Var) *Var {
	const op = "PReLU"
	x, s := operands(op, v, slope)
	tensor.Broadcast(op, x.Shape(), s.Shape()) // panics in the name of op

	if s.Size() != 1 || len(s.Shape()) > len(x.Shape()) || s.Device() != nil { // to read it there, all would wait
		positive := v.GreaterScalar(0)
		// A slope meets 0 where v is positive: an infinite v there would make its gradient NaN.
		return Where(positive, v, slope.Mul(v.MaskedFill(positive, 0)))
	}
	c := s.Item()
	return record(opPReLU, tensor.LeakyReLU(x, c), attrs{scalar: c}, v, slope)
}

// g where x > 0, else slope g, and the sum of g x where x is not positive
func gradPReLU(c *context, g *Var, i int) *Var {
	x, slope := c.in[0], c.in[1]
	if c.fused() {
		if i == 0 {
			return c.constant(tensor.GateLeakyReLU(g.value, x.read(), c.scalar))
		}
		sum := tensor.ChainSum([]*tensor.Tensor{x.read().Contiguous(), g.value.Contiguous()}, []tensor.ChainStep{
			{Op: tensor.ChainNeg, A: ^0},
			{Op: tensor.ChainReLU, A: 0},
			{Op: tensor.ChainNeg, A: 1},
			{Op: tensor.ChainMul, A: 2, B: ^1},
		})
		if v := sum.Item(); v == v {
			return c.constant(sum.Reshape(slope.Shape()...))
		}
		sum.Free() // an infinite g may have met the 0 in the place of a positive x
	}
	positive := x.GreaterScalar(0)
	if i == 0 {
		return Where(positive, g, slope.Mul(g))
	}
	return g.MaskedFill(positive, 0).Mul(x.MaskedFill(positive, 0)).Sum().Reshape(slope.Shape()...)
}
