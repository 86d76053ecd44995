package planted

// The layers of the models, by gathering and scattering.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/tensor"
)

// gcn is S(xW) + b.
func (m *model) gcn(l int, x *autograd.Var) *autograd.Var {
	return m.plusBias(m.propagate(x.MatMul(m.param(l, "weight"))), l, "bias")
}

// gin is relu(z W1 + b1) W2 + b2 of z = (1+eps) x + A x.
func (m *model) gin(l int, x *autograd.Var) *autograd.Var {
	z := x.Mul(m.param(l, "eps").AddScalar(1)).Add(m.propagate(x))
	h := m.plusBias(z.MatMul(m.param(l, "w1")), l, "b1").ReLU()
	return m.plusBias(h.MatMul(m.param(l, "w2")), l, "b2")
}

// gat is attention; scores are small, so that no maximum is subtracted.
func (m *model) gat(l int, x *autograd.Var) *autograd.Var {
	n, heads, width := m.spec.Vertices, m.heads(l), m.spec.Widths[l+1]
	h := x.MatMul(m.param(l, "weight")).Reshape(n, heads, width)
	el := h.Mul(m.param(l, "al")).Sum(2)
	er := h.Mul(m.param(l, "ar")).Sum(2)
	e := el.IndexSelect(m.spec.Src).Add(er.IndexSelect(m.spec.Dst)).LeakyReLU(0.2).Exp()
	alpha := e.Div(e.ScatterAddRows(n, m.spec.Dst).IndexSelect(m.spec.Dst)).Reshape(len(m.spec.Src), heads, 1)
	out := h.IndexSelect(m.spec.Src).Mul(alpha).ScatterAddRows(n, m.spec.Dst)
	if l == m.spec.Layers()-1 {
		return m.plusBias(out.Mean(1), l, "bias")
	}
	return m.plusBias(out.Reshape(n, heads*width), l, "bias")
}

func (m *model) plusBias(x *autograd.Var, l int, name string) *autograd.Var {
	if b := m.param(l, name); b != nil {
		return x.Add(b)
	}
	return x
}

// propagate multiplies by S, or in GIN by A, with the faults of either pass.
func (m *model) propagate(x *autograd.Var) *autograd.Var {
	scale := bothEnds
	if m.spec.Arch == check.GIN {
		scale = noScale
	}
	if m.fault.scale != nil {
		scale = m.fault.scale
	}
	backScale := scale
	if m.fault.backScale != nil {
		backScale = m.fault.backScale
	}
	y := m.spread(x.Tensor(), scale, m.fault.turned)
	return autograd.Custom("S", []*autograd.Var{x}, []*tensor.Tensor{y}, func(g []*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{m.spread(g[0], backScale, m.fault.turned != !m.fault.backSame)}
	})[0]
}

// spread adds the rows of x, scaled, along the edges, or against them.
func (m *model) spread(x *tensor.Tensor, scale func(in, out []int, u, v int) float64, turned bool) *tensor.Tensor {
	width := x.Shape()[1]
	y := tensor.Zeros(tensor.Float32, x.Shape()...)
	from, to := tensor.Data[float32](x.Contiguous()), tensor.Data[float32](y)
	for e := range m.spec.Src {
		u, v := int(m.spec.Src[e]), int(m.spec.Dst[e])
		c := float32(scale(m.in, m.out, u, v))
		if turned {
			u, v = v, u
		}
		for k := range width {
			to[v*width+k] += c * from[u*width+k]
		}
	}
	return y
}
