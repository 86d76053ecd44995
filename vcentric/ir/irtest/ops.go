package irtest

// The random steps of a program: one op, or a few that rules look for together.

import (
	"math"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

func (g *generator) step() {
	switch g.r.IntN(20) {
	case 0, 1, 2, 3:
		g.unary()
	case 4, 5, 6, 7:
		g.binary()
	case 8, 9:
		g.layout()
	case 10, 11:
		g.product()
	case 12, 13, 14, 15:
		g.aggregate()
	case 16:
		g.dropout(g.pick())
	case 17:
		x := g.pick()
		if x.Res != ir.Edge && x.Res != ir.EdgeType && !g.b.Program().Bipartite && g.r.IntN(2) == 0 {
			side := ir.Src + ir.Residency(g.r.IntN(2))
			if x.Res.IsType() {
				side = side.TypeOf()
			}
			g.add(g.b.View(x, side), g.bound[x])
			break
		}
		res := ir.Edge
		if rows := ir.Src + ir.Residency(g.r.IntN(2)); x.Res.Within(rows) {
			res = rows
		}
		g.add(g.b.Op(ir.OpAt, ir.Attr{Res: res}, x), g.bound[x])
	case 18:
		g.sel()
	case 19:
		g.pattern()
	}
}

func (g *generator) unary() *ir.Value {
	x := g.squash(g.pick(), maxBound)
	bound := g.bound[x]
	op := func(o ir.Op, a ir.Attr, bound float64) *ir.Value { return g.add(g.b.Op(o, a, x), bound) }
	none := ir.Attr{}
	switch g.r.IntN(21) {
	case 0:
		return op(ir.OpNeg, none, bound)
	case 1:
		x = g.squash(x, 4)
		return op(ir.OpExp, none, math.Exp(4))
	case 2:
		x = g.positive(x)
		return op(ir.OpLog, none, math.Log(bound+2))
	case 3:
		x = g.positive(x)
		return op(ir.OpSqrt, none, math.Sqrt(bound+1))
	case 4:
		x = g.positive(x)
		return op(ir.OpRsqrt, none, 1.5)
	case 5:
		return op(ir.OpAbs, none, bound)
	case 6:
		return op(ir.OpSign, none, 1)
	case 7:
		x = g.squash(x, 10)
		return op(ir.OpSquare, none, 100)
	case 8:
		x = g.positive(x)
		return op(ir.OpRecip, none, 2)
	case 9:
		p := []float64{0, 1, 2, 3, -1, 0.5, -1.5}[g.r.IntN(7)]
		x = g.positive(g.squash(x, 4))
		return op(ir.OpPow, ir.Attr{Num: p}, math.Pow(4.5, 3))
	case 10:
		return op(ir.OpClamp, ir.Attr{Num: -0.7, Num2: 0.9}, 1)
	case 11:
		return op(ir.OpRelu, none, bound)
	case 12:
		return op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, bound)
	case 13:
		return op(ir.OpElu, ir.Attr{Num: 1.25}, bound+1.25)
	case 14:
		o := []ir.Op{ir.OpErf, ir.OpSin, ir.OpCos}[len(g.pool)%3]
		if o != ir.OpErf { // far from 0 their rounding is that of x
			x = g.squash(x, 10)
		}
		return op(o, none, 1)
	case 15:
		return op(ir.OpGelu, none, bound)
	case 16:
		return op(ir.OpSilu, none, bound)
	case 17:
		return op(ir.OpSigmoid, none, 1)
	case 18:
		return op(ir.OpTanh, none, 1)
	case 19:
		x = op(ir.OpNeg, none, bound)
		return op(ir.OpNeg, none, bound)
	default:
		return op(ir.OpSoftplus, none, bound+0.7)
	}
}

func (g *generator) binary() *ir.Value {
	x := g.squash(g.pick(), maxBound)
	y := g.squash(g.pickFor(x), maxBound)
	if g.r.IntN(2) == 0 {
		x, y = y, x
	}
	return g.binaryOf(x, y)
}

func (g *generator) binaryOf(x, y *ir.Value) *ir.Value {
	bx, by := g.bound[x], g.bound[y]
	op := func(o ir.Op, bound float64) *ir.Value { return g.add(g.b.Op(o, ir.Attr{}, x, y), bound) }
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return op(ir.OpAdd, bx+by)
	case 3:
		return op(ir.OpSub, bx+by)
	case 4, 5, 6:
		x, y = g.squash(x, 10), g.squash(y, 10)
		return op(ir.OpMul, 100)
	case 7:
		if len(g.pool)%3 == 0 {
			x, y = g.positive(g.squash(x, 4)), g.squash(y, 3)
			return op(ir.OpPowOf, math.Pow(4.5, 3))
		}
		y = g.positive(y)
		return op(ir.OpDiv, 2*bx)
	case 8:
		return op(ir.OpMaxOf, max(bx, by))
	case 9:
		return op(ir.OpMinOf, max(bx, by))
	case 10:
		y = g.add(g.b.Neg(y), by)
		return op(ir.OpAdd, bx+by)
	default:
		return op([]ir.Op{ir.OpGt, ir.OpGe, ir.OpEq}[g.r.IntN(3)], 1)
	}
}

func (g *generator) sel() *ir.Value {
	x := g.squash(g.pick(), maxBound)
	y := g.squash(g.pickFor(x), maxBound)
	c := g.add(g.b.Gt(x, y), 1)
	if g.r.IntN(3) == 0 {
		y = g.input(ir.Residency(g.r.IntN(4)), g.narrower(c.Shape))
	}
	return g.add(g.b.Select(c, x, y), max(g.bound[x], g.bound[y]))
}

func (g *generator) dropout(x *ir.Value) *ir.Value {
	x = g.squash(x, 10)
	res := x.Res
	switch {
	case res == ir.Param:
		res = ir.Src + ir.Residency(g.r.IntN(3))
	case g.r.IntN(3) == 0 || res.IsType():
		res = ir.Edge
	}
	g.sites++
	p := []float64{0.25, 0.5, 0.75, 0, 1}[min(g.r.IntN(12), 4)]
	return g.add(g.b.Op(ir.OpDropout, ir.Attr{Num: p, Site: g.sites, Res: res}, x), 40)
}

func (g *generator) layout() *ir.Value {
	x := g.pick()
	bound := g.bound[x]
	op := func(o ir.Op, a ir.Attr) *ir.Value { return g.add(g.b.Op(o, a, x), bound) }
	switch kind := g.r.IntN(8); kind {
	case 6:
		order := ir.Shape{}
		for _, d := range g.r.Perm(len(x.Shape)) {
			order = append(order, d)
		}
		return op(ir.OpPermute, ir.Attr{Shape: order})
	case 7:
		x = g.ranked(x)
		if g.r.IntN(4) == 0 {
			bound = 1
			return op(ir.OpFirstMax, ir.Attr{})
		}
		return op(ir.OpMaxLast, ir.Attr{})
	case 0:
		return op(ir.OpReshape, ir.Attr{Shape: g.reshaped(x.Shape)})
	case 1:
		return op(ir.OpExpand, ir.Attr{Shape: g.wider(x.Shape)})
	case 2:
		x = g.squash(x, 10)
		bound = g.bound[x] * maxWidth
		return op(ir.OpReduceTo, ir.Attr{Shape: g.narrower(x.Shape)})
	case 3:
		return g.concat(g.ranked(x))
	default:
		x = g.ranked(x)
		bound = g.bound[x]
		n := x.Shape[len(x.Shape)-1]
		if kind == 4 || x.Width() > maxWidth/2 || n > 4 {
			lo := g.r.IntN(n)
			return op(ir.OpSlice, ir.Attr{Lo: lo, Hi: lo + 1 + g.r.IntN(n-lo)})
		}
		return op(ir.OpPad, ir.Attr{Lo: g.r.IntN(3), Hi: g.r.IntN(2)})
	}
}

// ranked is x with at least one dimension.
func (g *generator) ranked(x *ir.Value) *ir.Value {
	if len(x.Shape) > 0 {
		return x
	}
	return g.add(g.b.Reshape(x, ir.Shape{1}), g.bound[x])
}

func (g *generator) reshaped(s ir.Shape) ir.Shape {
	n := s.Size()
	switch g.r.IntN(4) {
	case 0:
		return ir.Shape{n}
	case 1:
		return ir.Shape{n, 1}
	case 2:
		for _, d := range sizes[1:] {
			if n%d == 0 {
				return ir.Shape{n / d, d}
			}
		}
	}
	return ir.Shape{1, n}
}

// wider is a shape that s broadcasts to.
func (g *generator) wider(s ir.Shape) ir.Shape {
	t := append(ir.Shape{}, s...)
	for i, d := range t {
		if n := g.dims[g.r.IntN(len(g.dims))]; d == 1 && t.Size()*n <= maxWidth {
			t[i] = n
		}
	}
	if n := g.dims[0]; len(t) < 3 && t.Size()*n <= maxWidth {
		t = append(ir.Shape{n}, t...)
	}
	return t
}

// concat joins x with values that fit, from other residencies if there are.
func (g *generator) concat(x *ir.Value) *ir.Value {
	last := len(x.Shape) - 1
	args, width, bound := []*ir.Value{x}, x.Width(), g.bound[x]
	for range g.r.IntN(3) {
		y := g.pickWhere(func(y *ir.Value) bool {
			return len(y.Shape) == last+1 && y.Shape[:last].Equal(x.Shape[:last])
		})
		if y == nil {
			y = x
		}
		if width += y.Width(); width > maxWidth {
			break
		}
		args, bound = append(args, y), max(bound, g.bound[y])
	}
	return g.add(g.b.Op(ir.OpConcat, ir.Attr{}, args...), bound)
}

// product multiplies the last dimension by a matrix.
func (g *generator) product() *ir.Value { return g.productOf(g.pick()) }

func (g *generator) productOf(x *ir.Value) *ir.Value {
	x = g.squash(g.ranked(x), 10)
	in, out := x.Shape[len(x.Shape)-1], g.dims[g.r.IntN(len(g.dims))]
	if x.Width()/in*out > maxWidth {
		out = 1
	}
	op, shape := ir.OpMatMul, ir.Shape{in, out}
	if g.r.IntN(4) == 0 {
		op, shape = ir.OpMatMulT, ir.Shape{out, in}
	}
	res := ir.Param
	if g.b.Program().Types != (ir.Types{}) && g.r.IntN(2) == 0 {
		res = ir.SrcType + ir.Residency(g.r.IntN(3))
	}
	if n := len(x.Shape); n > 1 && g.r.IntN(3) == 0 {
		shape = append(ir.Shape{x.Shape[n-2]}, shape...)
	}
	if in == 1 && g.r.IntN(4) == 0 {
		return g.biased(g.add(g.b.Op(op, ir.Attr{}, x, g.number(1, 1)), g.bound[x]*2))
	}
	w := g.input(res, shape)
	if g.r.IntN(6) == 0 {
		w = g.add(g.b.Op(ir.OpTanh, ir.Attr{}, w), 1)
	}
	return g.biased(g.add(g.b.Op(op, ir.Attr{}, x, w), g.bound[x]*2*float64(in)))
}

// biased adds a bias to a product, now and then.
func (g *generator) biased(x *ir.Value) *ir.Value {
	if g.r.IntN(3) > 0 {
		return x
	}
	bias := g.number(1)
	if n := x.Shape[len(x.Shape)-1]; n > 1 || g.r.IntN(4) == 0 {
		bias = g.input(ir.Param, ir.Shape{n})
	}
	return g.add(g.b.Add(x, bias), g.bound[x]+2)
}

// number is a constant as a row or matrix of one element.
func (g *generator) number(shape ...int) *ir.Value {
	c := []float64{2, -0.3, 0.7}[g.r.IntN(3)]
	return g.add(g.b.Reshape(g.b.Const(c), shape), 2)
}

// aggregate reduces over edges or normalises over them; mostly what differs
// from edge to edge.
func (g *generator) aggregate() *ir.Value {
	d := ir.Dir(g.r.IntN(4) / 3)
	x := g.pickWhere(func(x *ir.Value) bool { return !x.Res.Within(d.Rows()) })
	if x == nil || g.r.IntN(12) == 0 {
		x = g.pick()
	}
	x = g.squash(x, 20)
	if t := g.b.Program().Types.Edge; t > 0 && t*x.Width() <= maxWidth && g.r.IntN(3) == 0 {
		op := []ir.Op{ir.OpSum, ir.OpMax}[g.r.IntN(2)]
		return g.add(g.b.Op(op, ir.Attr{Dir: d, Typed: true}, x), g.bound[x]*hubEdges)
	}
	switch k := g.r.IntN(6); {
	case k < 3:
		return g.add(g.b.Sum(d, x), g.bound[x]*hubEdges)
	case k < 5 || x.Res.Within(d.Rows()):
		return g.add(g.b.Max(d, x), g.bound[x])
	default:
		t := g.b.Program().Types.Edge
		typed := t > 0 && t*x.Width() <= maxWidth && len(g.pool)%2 == 0
		return g.add(g.b.Op(ir.OpSoftmax, ir.Attr{Dir: d, Typed: typed}, x), 1)
	}
}

// pattern adds a few ops together that users write and rules look for.
func (g *generator) pattern() *ir.Value {
	src := g.pickWhere(func(x *ir.Value) bool { return x.Res == ir.Src })
	dst := g.pickWhere(func(x *ir.Value) bool { return x.Res == ir.Dst })
	if src == nil || dst == nil {
		src, dst = g.pool[0], g.pool[1]
	}
	src, dst = g.squash(src, 4), g.squash(dst, 4)
	switch g.r.IntN(10) {
	case 0: // Seastar's spelling of softmax
		x := g.squash(g.pickFor(src), 4)
		e := g.add(g.b.Exp(x), math.Exp(4))
		s := g.b.Sum(ir.In, e)
		if g.b.Program().Bipartite || g.r.IntN(2) == 0 {
			s = g.b.MaxOf(s, g.b.Const(1e-3)) // not the pattern: a floor for rows without edges
		}
		if e.Res.Within(ir.Dst) { // the quotient would live on rows, and some have no edges
			return e
		}
		return g.add(g.b.Div(e, s), math.Exp(4))
	case 1: // symmetric normalisation; no guard on the side that sums
		norm := g.b.Op(ir.OpRsqrt, ir.Attr{}, g.b.Degree(ir.In, ir.Dst))
		other := g.b.Op(ir.OpRsqrt, ir.Attr{}, g.b.MaxOf(g.b.Degree(ir.Out, ir.Src), g.b.Const(1)))
		return g.add(g.b.Sum(ir.In, g.b.Mul(g.b.Mul(src, other), norm)), 4*hubEdges)
	case 2: // mean
		deg := g.b.MaxOf(g.b.Degree(ir.In, ir.Dst), g.b.Const(1))
		return g.add(g.b.Div(g.b.Sum(ir.In, src), deg), 4)
	case 3: // attention
		x := g.add(g.b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, g.b.Add(src, g.squash(g.pickFor(src), 4))), 8)
		if x.Res.Within(ir.Dst) {
			return x
		}
		a := g.add(g.b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, x), 1)
		if g.r.IntN(2) == 0 {
			a = g.dropout(a)
		}
		h := g.squash(g.pickFor(a), 4)
		return g.add(g.b.Sum(ir.In, g.b.Mul(a, h)), 160)
	case 4: // attention whose scores are vertices' own
		heads, cols := g.dims[0], g.dims[1]
		one := ir.Shape{heads, 1}
		x := g.add(g.b.Add(g.input(ir.Src, one), g.input(ir.Dst, one)), 4)
		a := g.add(g.b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, g.b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, x)), 1)
		if g.r.IntN(2) == 0 {
			a = g.dropout(a)
		}
		if heads*cols > maxWidth {
			cols = 1
		}
		return g.add(g.b.Sum(ir.In, g.b.Mul(a, g.input(ir.Src, ir.Shape{heads, cols}))), 80)
	case 5: // dense work on edges that can move to vertices
		src, dst := g.ranked(src), g.ranked(dst)
		if _, err := ir.BroadcastShapes(src.Shape, dst.Shape); err != nil || g.r.IntN(2) == 0 {
			return g.heads(g.productOf(g.concat(src)))
		}
		return g.heads(g.productOf(g.add(g.b.Op([]ir.Op{ir.OpAdd, ir.OpSub}[g.r.IntN(2)], ir.Attr{}, src, dst), 8)))
	case 6: // two layers of one vertex tensor, read from both sides
		x, y := g.pool[0], g.pool[1]
		for range 2 {
			w := g.input(ir.Param, ir.Shape{x.Shape[len(x.Shape)-1], g.dims[g.r.IntN(2)]})
			if x.Width()*w.Width() > maxWidth {
				break
			}
			x, y = g.b.MatMul(x, w), g.b.MatMul(y, w)
			x, y = g.add(g.b.Op(ir.OpTanh, ir.Attr{}, x), 1), g.add(g.b.Op(ir.OpTanh, ir.Attr{}, y), 1)
		}
		return g.add(g.b.Sub(x, y), 2)
	case 7: // a distance of both ends
		x := g.add(g.b.Sub(src, g.squash(g.pickFor(src), 4)), 8)
		return g.add(g.b.ReduceTo(g.add(g.b.Square(x), 64), g.narrower(x.Shape)), 64*float64(x.Width()))
	case 8: // a product with itself, over and over: written out it is long
		x := g.squash(g.pick(), 1)
		if g.r.IntN(2) == 0 {
			x = g.add(g.b.Op(ir.OpTanh, ir.Attr{}, g.degree()), 1)
		}
		for range 2 + g.r.IntN(5) {
			square := g.add(g.b.Mul(x, x), 1)
			if g.r.IntN(3) == 0 { // a step of Newton's
				square = g.add(g.b.Mul(x, g.b.Sub(g.b.Const(1.5), g.b.Mul(g.b.Const(0.5), square))), 1)
			}
			x = square
		}
		return x
	default: // a message times a gate, dropped out, summed
		m := g.squash(g.pickFor(dst), 4)
		x := g.add(g.b.Mul(dst, m), 16)
		y := g.squash(g.pickFor(x), 4)
		x = g.dropout(g.add(g.b.Mul(x, y), 100))
		return g.add(g.b.Sum(ir.In, x), 40*hubEdges)
	}
}

// heads splits a product into heads and sums it over edges, now and then.
func (g *generator) heads(x *ir.Value) *ir.Value {
	if g.r.IntN(2) == 0 {
		return x
	}
	n := x.Width()
	x = g.add(g.b.Reshape(x, ir.Shape{1, n}), g.bound[x])
	return g.add(g.b.Sum(ir.Dir(g.r.IntN(2)), x), g.bound[x]*hubEdges)
}
