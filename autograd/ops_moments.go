// Variance, norms, log-sum-exp: reductions of functions of the elements.

package autograd

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// Variance returns the mean squared distance from the mean over axes, with the sum
// divided by the number n of elements less the correction: 1 for the unbiased
// estimate of a sample, 0 for the moment itself. It is NaN or +Inf where that is
// not positive.
func (v *Var) Variance(correction float64, axes ...int) *Var {
	return v.variance(opVariance, tensor.Var, "Variance", correction, false, axes)
}

// VarianceKeep is [Var.Variance] with the reduced axes kept.
func (v *Var) VarianceKeep(correction float64, axes ...int) *Var {
	return v.variance(opVariance, tensor.Var, "VarianceKeep", correction, true, axes)
}

// Std returns the square root of the variance. Where it is 0, so is the gradient,
// as in PyTorch.
func (v *Var) Std(correction float64, axes ...int) *Var {
	return v.variance(opStd, tensor.Std, "Std", correction, false, axes)
}

// StdKeep is [Var.Std] with the reduced axes kept.
func (v *Var) StdKeep(correction float64, axes ...int) *Var {
	return v.variance(opStd, tensor.Std, "StdKeep", correction, true, axes)
}

func (v *Var) variance(row opcode, f func(x *tensor.Tensor, correction float64, keep bool, axes ...int) *tensor.Tensor,
	op string, correction float64, keep bool, axes []int) *Var {
	x := v.dense(op)
	reduced := reducedAxes(op, x.Shape(), axes)
	return record(row, f(x, correction, keep, axes...), attrs{axes: reduced, scalar: correction}, v)
}

// 2 (x - mean)/(n - correction)
func gradVariance(c *context, g *Var, _ int) *Var {
	x := c.in[0]
	n := max(0, float64(c.axes.count(x.Shape()))-c.scalar)
	return x.Sub(x.MeanKeep(c.axes.list()...)).Mul(c.spread(g).Scale(2 / n))
}

// With y^2 the variance: its rule for g/(2y), 0 where y is
func gradStd(c *context, g *Var, i int) *Var {
	return gradVariance(c, c.overOrZero(g, c.out).Scale(0.5), i)
}

// LogSumExp returns ln Σ e^v over axes, shifted by the maximum so that nothing
// overflows: -Inf of nothing.
func (v *Var) LogSumExp(axes ...int) *Var { return v.logSumExp("LogSumExp", false, axes) }

// LogSumExpKeep is [Var.LogSumExp] with the reduced axes kept.
func (v *Var) LogSumExpKeep(axes ...int) *Var { return v.logSumExp("LogSumExpKeep", true, axes) }

func (v *Var) logSumExp(op string, keep bool, axes []int) *Var {
	x := v.dense(op)
	reduced := reducedAxes(op, x.Shape(), axes)
	return record(opLogSumExp, tensor.LogSumExp(x, keep, axes...), attrs{axes: reduced}, v)
}

// e^(x-y), the softmax; 0 where y and so all x are -Inf
func gradLogSumExp(c *context, g *Var, _ int) *Var {
	none := c.equals(c.out, math.Inf(-1))
	y := c.spread(c.out.MaskedFill(none, 0))
	return c.spread(g.MaskedFill(none, 0)).Mul(c.in[0].Sub(y).Exp())
}

// Norm returns (Σ |v|^p)^(1/p) over axes, for p > 0; of p = +Inf the largest |v|.
// Where the norm is 0, so is the gradient, as in PyTorch.
func (v *Var) Norm(p float64, axes ...int) *Var { return v.norm("Norm", p, false, axes) }

// NormKeep is [Var.Norm] with the reduced axes kept.
func (v *Var) NormKeep(p float64, axes ...int) *Var { return v.norm("NormKeep", p, true, axes) }

func (v *Var) norm(op string, p float64, keep bool, axes []int) *Var {
	x := v.dense(op)
	if !(p > 0) {
		misuse(op, "p is not positive", x.Shape())
	}
	reduced := reducedAxes(op, x.Shape(), axes)
	if math.IsInf(p, 1) {
		return record(opMax, tensor.Norm(x, p, keep, axes...), attrs{axes: reduced}, v.Abs())
	}
	return record(opNorm, tensor.Norm(x, p, keep, axes...), attrs{axes: reduced, scalar: p}, v)
}

// sign(x) |x|^(p-1) / y^(p-1), 0 where x or y is
func gradNorm(c *context, g *Var, _ int) *Var {
	x, p := c.in[0], c.scalar
	switch p {
	case 1:
		g = g.MaskedFill(c.equals(c.out, 0), 0)
		return c.spread(g).Mul(c.constant(tensor.Sign(x.read())))
	case 2:
		return x.Mul(c.spread(c.overOrZero(g, c.out)))
	}
	size := x.Abs()
	if p < 1 { // 0^(p-1) is infinite: any other number will do, the sign is 0
		size = size.MaskedFill(c.equals(x, 0), 1)
	}
	zero := c.equals(c.out, 0)
	g = g.MaskedFill(zero, 0).Mul(c.out.MaskedFill(zero, 1).Recip().Pow(p - 1))
	return c.constant(tensor.Sign(x.read())).Mul(size.Pow(p - 1)).Mul(c.spread(g))
}

// overOrZero returns g/y, 0 where y is 0, with derivatives of any order that are 0 there. An
// infinite g, such as the square root of a norm has at 0, becomes 0 before it meets a factor 0.
func (c *context) overOrZero(g, y *Var) *Var {
	zero := c.equals(y, 0)
	return g.MaskedFill(zero, 0).Mul(y.MaskedFill(zero, 1).Recip())
}
