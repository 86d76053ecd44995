package op

// The gradients of the calls, in terms of the calls. An edge runs from s to d, the
// ends as the flags of the call have them; g is the gradient of the result.

import (
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// flipped are the flags with every edge turned around.
func flipped(f system.Flags) system.Flags {
	f.Transpose = !f.Transpose
	return f
}

// with are flags of a call beside one with the flags f: of the same direction.
func with(op system.Op, f system.Flags) system.Flags {
	return system.Flags{Op: op, Transpose: f.Transpose}
}

// gradSpMMv is for out_d = Σ c x_s:
//
//	dx_s = Σ c g_d
func (o *Ops) gradSpMMv(c system.Call) []gradient {
	return []gradient{func(g *tensor.Tensor) *tensor.Tensor {
		return o.call(system.Call{Kind: system.SpMMv, X: g, Flags: flipped(c.Flags)})
	}}
}

// gradSpMMve is for out_d = Σ c (x_s ⊗ w):
//
//	mul  dx_s = Σ c g_d w    dw = c x_s g_d
//	div  dx_s = Σ c g_d / w  dw = -c x_s g_d / w²
//	add  dx_s = Σ g_d        dw = g_d
//	sub  dx_s = Σ g_d        dw = -g_d
//
// where dw is summed over the features that w counts for.
func (o *Ops) gradSpMMve(c system.Call) []gradient {
	f := c.Flags
	switch f.Op {
	case system.OpAdd, system.OpSub:
		dx := func(g *tensor.Tensor) *tensor.Tensor {
			return o.call(system.Call{Kind: system.SpMMv, X: g, Flags: with(0, flipped(f))})
		}
		dw := func(g *tensor.Tensor) *tensor.Tensor {
			sum := asWide(g, c.W)
			if f.Op == system.OpSub {
				sum = tensor.Neg(sum)
			}
			return o.call(system.Call{Kind: system.SDDMMve, X: sum, Flags: with(system.OpCopy, flipped(f))})
		}
		return []gradient{dx, dw}
	}
	dx := func(g *tensor.Tensor) *tensor.Tensor {
		return o.call(system.Call{Kind: system.SpMMve, X: g, W: c.W, Flags: flipped(f)})
	}
	dw := func(g *tensor.Tensor) *tensor.Tensor {
		atSrc, atDst := o.factors(f.Norm)
		if f.Transpose {
			atSrc, atDst = atDst, atSrc
		}
		op := system.OpMul
		if c.W.Shape()[2] == 1 {
			op = system.OpDot
		}
		product := o.call(system.Call{Kind: system.SDDMMvv, X: scaled(c.X, atSrc), Y: scaled(g, atDst), Flags: with(op, f)})
		if f.Op == system.OpMul {
			return product
		}
		return overSquare(product, c.W)
	}
	return []gradient{dx, dw}
}

// gradSpMMe is for out_d = Σ w:
//
//	dw = g_d
func (o *Ops) gradSpMMe(c system.Call) []gradient {
	return []gradient{func(g *tensor.Tensor) *tensor.Tensor {
		return o.call(system.Call{Kind: system.SDDMMve, X: g, Flags: with(system.OpCopy, flipped(c.Flags))})
	}}
}

// gradSDDMMvv is for out = x_s ⊗ y_d:
//
//	mul, dot  dx_s = Σ y_d g    dy_d = Σ x_s g
//	div       dx_s = Σ 1/y_d g  dy_d = -Σ x_s g / y_d²
//	add       dx_s = Σ g        dy_d = Σ g
//	sub       dx_s = Σ g        dy_d = -Σ g
func (o *Ops) gradSDDMMvv(c system.Call) []gradient {
	f := c.Flags
	switch f.Op {
	case system.OpAdd, system.OpSub:
		dx := func(g *tensor.Tensor) *tensor.Tensor {
			return o.call(system.Call{Kind: system.SpMMe, W: g, Flags: with(0, flipped(f))})
		}
		dy := func(g *tensor.Tensor) *tensor.Tensor {
			sum := o.call(system.Call{Kind: system.SpMMe, W: g, Flags: with(0, f)})
			if f.Op == system.OpSub {
				return negated(sum)
			}
			return sum
		}
		return []gradient{dx, dy}
	}
	product := func(x, g *tensor.Tensor, f system.Flags) *tensor.Tensor {
		return o.call(system.Call{Kind: system.SpMMve, X: x, W: g, Flags: with(system.OpMul, f)})
	}
	dx := func(g *tensor.Tensor) *tensor.Tensor {
		y := c.Y
		if f.Op == system.OpDiv {
			y = tensor.Recip(y)
			defer y.Free()
		}
		return product(y, g, flipped(f))
	}
	dy := func(g *tensor.Tensor) *tensor.Tensor {
		sum := product(c.X, g, f)
		if f.Op == system.OpDiv {
			return o.written(f).clear(overSquare(sum, c.Y))
		}
		return sum
	}
	return []gradient{dx, dy}
}

// gradSDDMMve is for out = w ⊗ x_s:
//
//	mul   dx_s = Σ w g          dw = g x_s
//	div   dx_s = -Σ w g / x_s²  dw = g / x_s
//	add   dx_s = Σ g            dw = g
//	sub   dx_s = -Σ g           dw = g
//	copy  dx_s = Σ g
//
// where dw is summed over the features that w counts for.
func (o *Ops) gradSDDMMve(c system.Call) []gradient {
	f := c.Flags
	sum := func(g *tensor.Tensor) *tensor.Tensor {
		return o.call(system.Call{Kind: system.SpMMe, W: g, Flags: with(0, flipped(f))})
	}
	switch f.Op {
	case system.OpCopy:
		return []gradient{sum}
	case system.OpAdd, system.OpSub:
		dx := func(g *tensor.Tensor) *tensor.Tensor {
			if f.Op == system.OpSub {
				return negated(sum(g))
			}
			return sum(g)
		}
		return []gradient{dx, func(g *tensor.Tensor) *tensor.Tensor { return asWide(g, c.W) }}
	}
	dx := func(g *tensor.Tensor) *tensor.Tensor {
		product := tensor.Mul(g, c.W)
		defer product.Free()
		if f.Op == system.OpDiv {
			return o.written(flipped(f)).clear(overSquare(sum(product), c.X))
		}
		return sum(product)
	}
	dw := func(g *tensor.Tensor) *tensor.Tensor {
		each := o.call(system.Call{Kind: system.SDDMMve, X: c.X, W: g, Flags: f})
		return asWide(each, c.W)
	}
	return []gradient{dx, dw}
}

// written are the degrees at the side that a call of these flags writes.
func (o *Ops) written(f system.Flags) *degrees {
	if f.Transpose {
		return &o.out
	}
	return &o.in
}

// asWide is g summed over its features if w has one for all of them.
func asWide(g, w *tensor.Tensor) *tensor.Tensor {
	if s := g.Shape(); s[2] != w.Shape()[2] {
		return tensor.SumTo(g, tensor.Shape{s[0], s[1], 1})
	}
	return g
}

// negated returns -x and frees x.
func negated(x *tensor.Tensor) *tensor.Tensor {
	defer x.Free()
	return tensor.Neg(x)
}

// overSquare returns -x/y² and frees x. It divides twice, since y² may be 0 or
// infinite where y is neither.
func overSquare(x, y *tensor.Tensor) *tensor.Tensor {
	once := tensor.Div(x, y)
	x.Free()
	twice := tensor.Div(once, y)
	once.Free()
	return negated(twice)
}
