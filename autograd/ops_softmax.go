// Softmax over the last axis.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Softmax returns e^v / sum(e^v) over the last axis.
func (v *Var) Softmax() *Var {
	return record(opSoftmax, tensor.Softmax(v.dense("Softmax")), attrs{}, v)
}

// y (g - sum(g y))
func gradSoftmax(c *context, g *Var, _ int) *Var {
	gy := g.Mul(c.out)
	return gy.Sub(c.out.Mul(sumLast(gy)))
}

// LogSoftmax returns ln Softmax(v) without overflow.
func (v *Var) LogSoftmax() *Var {
	return record(opLogSoftmax, tensor.LogSoftmax(v.dense("LogSoftmax")), attrs{}, v)
}

// g - e^y sum(g)
func gradLogSoftmax(c *context, g *Var, _ int) *Var {
	return g.Sub(c.out.Exp().Mul(sumLast(g)))
}

// sumLast sums over the last axis and keeps it as 1.
func sumLast(x *Var) *Var {
	shape := x.Shape().Clone()
	shape[len(shape)-1] = 1
	return x.SumTo(shape...)
}
