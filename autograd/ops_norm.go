// Layer normalisation.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// LayerNorm shifts and scales every row of the last axis to mean 0 and variance 1:
// (v - mean)/sqrt(variance + eps), the variance divided by the row's length (Ba et
// al. 2016). The gain and bias of a layer come after it.
func (v *Var) LayerNorm(eps float64) *Var {
	x := v.dense("LayerNorm")
	if !(eps >= 0) {
		misuse("LayerNorm", "eps is negative", x.Shape())
	}
	y, mean, rstd := tensor.LayerNorm(x, eps)
	return record(opLayerNorm, y, attrs{scalar: eps, saved: [2]*tensor.Tensor{mean, rstd}}, v)
}

// rstd (g - mean(g) - y mean(g y))
func gradLayerNorm(c *context, g *Var, _ int) *Var {
	x := c.in[0]
	if c.fused() {
		return c.constant(tensor.LayerNormGrad(g.value, x.value, c.saved[0], c.saved[1]))
	}
	n := float64(x.Shape()[len(x.Shape())-1])
	mean := func(t *Var) *Var { return sumLast(t).Scale(1 / n) }
	d := x.Sub(mean(x))
	d = d.Sub(mean(d)) // the mean was rounded; of a constant row the rest would be all there is
	rstd := mean(d.Square()).AddScalar(c.scalar).Rsqrt()
	return rstd.Mul(g.Sub(mean(g)).Sub(c.out.Mul(mean(g.Mul(c.out)))))
}
