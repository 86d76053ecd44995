// Losses of residuals, the differences of predictions and targets, added up as they are
// computed. Package nn has them and others.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// SquaredError returns the sum over all elements of (pred - target)², times factor: the
// mean if that is 1 over their number. pred and target have one shape and type.
func SquaredError(pred, target *Var, factor float64) *Var {
	return residual("SquaredError", opSquaredError, pred, target, attrs{scalar: factor}, tensor.ChainStep{Op: tensor.ChainSquare})
}

// HuberError returns the sum over all elements of the loss of Huber (1964), times factor: for
// d = pred - target, d²/2 where |d| <= delta, delta·(|d| - delta/2) elsewhere. pred and
// target have one shape and type, delta is positive.
func HuberError(pred, target *Var, delta, factor float64) *Var {
	const op = "HuberError"
	if !(delta > 0) {
		misuse(op, "delta is not positive", pred.Shape())
	}
	// With d clamped to [-delta, delta] as c, both cases are c·(d - c/2).
	return residual(op, opHuberError, pred, target, attrs{scalar: factor, upper: delta},
		tensor.ChainStep{Op: tensor.ChainClamp, C: -delta, D: delta},
		tensor.ChainStep{Op: tensor.ChainScale, A: 1, C: 0.5},
		tensor.ChainStep{Op: tensor.ChainSub, A: 0, B: 2},
		tensor.ChainStep{Op: tensor.ChainMul, A: 1, B: 3})
}

// residual returns factor times the sum of what steps make of step 0, the residual.
func residual(op string, row opcode, pred, target *Var, a attrs, steps ...tensor.ChainStep) *Var {
	x, t := operands(op, pred, target)
	if !x.Shape().Equal(t.Shape()) {
		misuse(op, "predictions and targets differ in shape", x.Shape(), t.Shape())
	}
	steps = append([]tensor.ChainStep{{Op: tensor.ChainSub, A: ^0, B: ^1}}, steps...)
	sum := tensor.ChainSum([]*tensor.Tensor{x.Contiguous(), t.Contiguous()}, steps)
	defer sum.Free()
	return record(row, tensor.Scale(sum, a.scalar), a, pred, target)
}

// 2 factor (pred - target) g, and the negative of it
func gradSquaredError(c *context, g *Var, i int) *Var {
	return c.residualGradient(g, i, 2*c.scalar, nil, func(d *Var) *Var { return d })
}

// factor clamp(pred - target, -delta, delta) g, and the negative of it
func gradHuberError(c *context, g *Var, i int) *Var {
	clamp := tensor.ChainStep{Op: tensor.ChainClamp, C: -c.upper, D: c.upper}
	return c.residualGradient(g, i, c.scalar, []tensor.ChainStep{clamp}, func(d *Var) *Var { return d.Clamp(-c.upper, c.upper) })
}

// residualGradient is the gradient with respect to predictions, or targets, of a loss
// whose derivative by the residual is factor times what slope makes of it: as the steps of a chain,
// and composed of operations.
func (c *context) residualGradient(g *Var, i int, factor float64, slope []tensor.ChainStep, composed func(d *Var) *Var) *Var {
	if !c.fused() {
		if i == 1 {
			factor = -factor
		}
		return composed(c.in[0].Sub(c.in[1])).Scale(factor).Mul(g)
	}
	if i == 1 && c.shared != nil {
		return c.shared.Neg()
	}
	if i == 1 {
		factor = -factor
	}
	steps := append([]tensor.ChainStep{{Op: tensor.ChainSub, A: ^0, B: ^1}}, slope...)
	steps = append(steps, tensor.ChainStep{Op: tensor.ChainScale, A: len(steps) - 1, C: factor})
	steps = append(steps, tensor.ChainStep{Op: tensor.ChainMul, A: len(steps) - 1, B: ^2})
	d := c.constant(tensor.Chain([]*tensor.Tensor{c.in[0].read().Contiguous(), c.in[1].read().Contiguous(), g.value}, steps))
	if i == 0 {
		c.shared = d
	}
	return d
}
