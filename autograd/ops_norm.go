// Layer and batch normalisation.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// LayerNorm shifts and scales every row of the last axis of x to mean 0 and variance 1,
// multiplies it by weight and adds bias, each nil or as long as a row:
//
//	(x - mean)/sqrt(variance + eps) · weight + bias
//
// the variance divided by the row's length (Ba et al. 2016).
func LayerNorm(x, weight, bias *Var, eps float64) *Var {
	const op = "LayerNorm"
	if weight == nil && bias != nil {
		return LayerNorm(x, nil, nil, eps).Add(bias)
	}
	inputs, w, b := normOperands(op, x, weight, bias, eps)
	y, mean, rstd := tensor.LayerNorm(x.dense(op), w, b, eps)
	return record(opLayerNorm, y, attrs{scalar: eps, saved: [2]*tensor.Tensor{mean, rstd}}, inputs...)
}

// normOperands checks the operands of a normalisation and lists those there are.
func normOperands(op string, x, weight, bias *Var, eps float64) (inputs []*Var, w, b *tensor.Tensor) {
	if t := x.dense(op); !(eps >= 0) {
		misuse(op, "eps is negative", t.Shape())
	}
	inputs = []*Var{x}
	if weight != nil {
		inputs, w = append(inputs, weight), weight.dense(op)
		wantSameType(op, x, weight)
	}
	if bias != nil {
		inputs, b = append(inputs, bias), bias.dense(op)
		wantSameType(op, x, bias)
	}
	return inputs, w, b
}

// With d = g weight and x̂ = (x - mean) rstd: rstd (d - mean(d) - x̂ mean(d x̂)), and the
// sums over the rows of g x̂ and of g.
func gradLayerNorm(c *context, g *Var, i int) *Var {
	x, w := c.in[0], (*Var)(nil)
	if len(c.in) > 1 {
		w = c.in[1]
	}
	if c.fused() {
		return c.normGradient(g, w, i, tensor.LayerNormGrad)
	}
	n := float64(x.Shape()[len(x.Shape())-1])
	mean := func(t *Var) *Var { return sumLast(t).Scale(1 / n) }
	d := x.Sub(mean(x))
	d = d.Sub(mean(d)) // the mean was rounded; of a constant row the rest would be all there is
	rstd := mean(d.Square()).AddScalar(c.scalar).Rsqrt()
	return normRule(g, d.Mul(rstd), rstd, w, i, mean)
}

// normRule is the gradient with respect to operand i of a normalised array, times weight,
// plus bias: of rows or of columns, whose mean it takes.
func normRule(g, normal, rstd, weight *Var, i int, mean func(t *Var) *Var) *Var {
	switch {
	case i == 1:
		return g.Mul(normal).SumTo(weight.Shape()...)
	case i == 2:
		return g.SumTo(weight.Shape()...)
	case weight != nil:
		g = g.Mul(weight)
	}
	return rstd.Mul(g.Sub(mean(g)).Sub(normal.Mul(mean(g.Mul(normal)))))
}

// normGradient computes all gradients of a normalisation in one go, and returns that of
// operand i. Those of weight and bias wait in the context for their turn.
func (c *context) normGradient(g, weight *Var, i int, all func(g, x, mean, rstd, weight *tensor.Tensor) (dx, dweight, dbias *tensor.Tensor)) *Var {
	if c.shared == nil {
		var w *tensor.Tensor
		if weight != nil {
			w = weight.read()
		}
		dx, dweight, dbias := all(g.value, c.in[0].read(), c.saved[0], c.saved[1], w)
		if weight != nil {
			c.shared = c.constant(tensor.Stack(0, dweight, dbias))
		}
		for _, t := range []*tensor.Tensor{dweight, dbias} {
			if t != nil {
				t.Free()
			}
		}
		if i == 0 {
			return c.constant(dx)
		}
		dx.Free()
	}
	return c.shared.Slice(0, i-1, i).Reshape(weight.Shape()...)
}

// BatchNorm shifts and scales every column of the matrix x to mean 0 and variance 1,
// multiplies it by weight and adds bias, each nil or one number a column:
//
//	(x - mean)/sqrt(variance + eps) · weight + bias
//
// the variance divided by the number of rows (Ioffe and Szegedy 2015). mean and variance
// are those of this batch, for running estimates; no gradient flows through them.
func BatchNorm(x, weight, bias *Var, eps float64) (y *Var, mean, variance *tensor.Tensor) {
	const op = "BatchNorm"
	if weight == nil && bias != nil {
		y, mean, variance = BatchNorm(x, nil, nil, eps)
		return y.Add(bias), mean, variance
	}
	inputs, w, b := normOperands(op, x, weight, bias, eps)
	z, mean, variance, rstd := tensor.BatchNorm(x.dense(op), w, b, eps)
	return record(opBatchNorm, z, attrs{scalar: eps, saved: [2]*tensor.Tensor{mean, rstd}}, inputs...), mean, variance
}

// As of LayerNorm, with the columns in the place of the rows.
func gradBatchNorm(c *context, g *Var, i int) *Var {
	x, w := c.in[0], (*Var)(nil)
	if len(c.in) > 1 {
		w = c.in[1]
	}
	if c.fused() {
		return c.normGradient(g, w, i, tensor.BatchNormGrad)
	}
	rows, cols := x.Shape()[0], x.Shape()[1]
	mean := func(t *Var) *Var { return t.SumTo(1, cols).Scale(1 / float64(rows)) }
	d := x.Sub(mean(x))
	d = d.Sub(mean(d)) // the mean was rounded, as of a row
	rstd := mean(d.Square()).AddScalar(c.scalar).Rsqrt()
	return normRule(g, d.Mul(rstd), rstd, w, i, mean)
}
