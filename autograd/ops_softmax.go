// Softmax.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Softmax returns e^v / sum(e^v) over the last axis.
func (v *Var) Softmax() *Var {
	return record(opSoftmax, tensor.Softmax(v.dense("Softmax")), attrs{}, v)
}

// y (g - sum(g y))
func gradSoftmax(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.SoftmaxGrad(g.value, c.out.value))
	}
	gy := g.Mul(c.out)
	return gy.Sub(c.out.Mul(sumLast(gy)))
}

// LogSoftmax returns ln Softmax(v) without overflow.
func (v *Var) LogSoftmax() *Var {
	return record(opLogSoftmax, tensor.LogSoftmax(v.dense("LogSoftmax")), attrs{}, v)
}

// g - e^y sum(g)
func gradLogSoftmax(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.LogSoftmaxGrad(g.value, c.out.value))
	}
	return g.Sub(c.out.Exp().Mul(sumLast(g)))
}

// SoftmaxAlong is [Var.Softmax] over any axis.
func (v *Var) SoftmaxAlong(axis int) *Var { return v.alongLast("SoftmaxAlong", axis, (*Var).Softmax) }

// LogSoftmaxAlong is [Var.LogSoftmax] over any axis.
func (v *Var) LogSoftmaxAlong(axis int) *Var {
	return v.alongLast("LogSoftmaxAlong", axis, (*Var).LogSoftmax)
}

// alongLast applies f, which works along the last axis, along another one.
func (v *Var) alongLast(op string, axis int, f func(*Var) *Var) *Var {
	shape := v.dense(op).Shape()
	axis = checkAxis(op, axis, shape)
	last := len(shape) - 1
	if axis == last {
		return f(v)
	}
	swap := swapped(len(shape), axis, last)
	return f(v.Transpose(swap...)).Transpose(swap...)
}

// sumLast sums over the last axis and keeps it as 1.
func sumLast(x *Var) *Var { return x.SumKeep(-1) }

// swapped returns the order of axes with two of them swapped: its own inverse.
func swapped(rank, i, j int) []int {
	order := make([]int, rank)
	for k := range order {
		order[k] = k
	}
	order[i], order[j] = j, i
	return order
}
