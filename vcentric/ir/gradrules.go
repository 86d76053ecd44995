package ir

// The gradient column of the op table: reverse-mode rules that build IR.

import "math"

// Cotangent is what a gradient rule gives for one operand, at the level of the
// op. The gradient pass sums it to the operand's row shape and aggregates it to
// the operand's residency, unless it is Final: already a gradient of the operand.
type Cotangent struct {
	Value *Value
	Final bool
}

type gradRule func(b *Builder, v, g *Value) []*Cotangent

func cot(vs ...*Value) []*Cotangent {
	out := make([]*Cotangent, len(vs))
	for i, v := range vs {
		if v != nil {
			out[i] = &Cotangent{Value: v}
		}
	}
	return out
}

// gradZero is the rule of what is flat almost everywhere.
func gradZero(*Builder, *Value, *Value) []*Cotangent { return cot(nil) }

func gradNeg(b *Builder, _, g *Value) []*Cotangent { return cot(b.Neg(g)) }
func gradExp(b *Builder, v, g *Value) []*Cotangent { return cot(b.Mul(g, v)) }
func gradLog(b *Builder, v, g *Value) []*Cotangent { return cot(b.Div(g, v.Args[0])) }
func gradSqrt(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Div(b.Const(0.5), v)))
}
func gradRsqrt(b *Builder, v, g *Value) []*Cotangent { // d x^(-1/2) = -x^(-3/2)/2
	return cot(b.Mul(g, b.Mul(b.Const(-0.5), b.Mul(v, b.Square(v)))))
}
func gradAbs(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Op(OpSign, Attr{}, v.Args[0])))
}
func gradSquare(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Mul(b.Const(2), v.Args[0])))
}
func gradRecip(b *Builder, v, g *Value) []*Cotangent { return cot(b.Neg(b.Mul(g, b.Square(v)))) }
func gradPow(b *Builder, v, g *Value) []*Cotangent {
	p := v.Attr.Num
	if p == 0 { // constant, also where x^-1 is infinite
		return cot(nil)
	}
	return cot(b.Mul(g, b.Mul(b.Const(p), b.Op(OpPow, Attr{Num: p - 1}, v.Args[0]))))
}

// gradClamp lets the gradient through on the bounds themselves, as PyTorch does.
func gradClamp(b *Builder, v, g *Value) []*Cotangent {
	x, lo, hi := v.Args[0], v.Attr.Num, v.Attr.Num2
	if math.IsNaN(lo) { // no bound
		lo = math.Inf(-1)
	}
	if math.IsNaN(hi) {
		hi = math.Inf(1)
	}
	inside := b.Mul(b.Op(OpGe, Attr{}, x, b.Const(lo)), b.Op(OpGe, Attr{}, b.Const(hi), x))
	return cot(b.Select(inside, g, b.Const(0)))
}

func gradRelu(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Select(b.Gt(v.Args[0], b.Const(0)), g, b.Const(0)))
}
func gradLeakyRelu(b *Builder, v, g *Value) []*Cotangent {
	slope := b.Select(b.Gt(v.Args[0], b.Const(0)), b.Const(1), b.Const(v.Attr.Num))
	return cot(b.Mul(g, slope))
}
func gradElu(b *Builder, v, g *Value) []*Cotangent { // alpha e^x = v + alpha
	slope := b.Select(b.Gt(v.Args[0], b.Const(0)), b.Const(1), b.Add(v, b.Const(v.Attr.Num)))
	return cot(b.Mul(g, slope))
}
func gradErf(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Mul(b.Const(2/math.Sqrt(math.Pi)), b.Exp(b.Neg(b.Square(v.Args[0]))))))
}
func gradGelu(b *Builder, v, g *Value) []*Cotangent { // cdf(x) + x pdf(x)
	x := v.Args[0]
	cdf := b.Mul(b.Const(0.5), b.Add(b.Const(1), b.Op(OpErf, Attr{}, b.Mul(x, b.Const(1/math.Sqrt2)))))
	pdf := b.Mul(b.Const(1/math.Sqrt(2*math.Pi)), b.Exp(b.Mul(b.Const(-0.5), b.Square(x))))
	near := b.Op(OpClamp, Attr{Num: -40, Num2: 40}, x) // the density is 0 there already; infinity times 0 is NaN
	return cot(b.Mul(g, b.Add(cdf, b.Mul(near, pdf))))
}
func gradSilu(b *Builder, v, g *Value) []*Cotangent { // s + v (1 - s)
	s := b.Op(OpSigmoid, Attr{}, v.Args[0])
	near := b.Op(OpMinOf, Attr{}, v, b.Const(800)) // s is 1 there already; infinity times 0 is NaN
	return cot(b.Mul(g, b.Add(s, b.Mul(near, b.Sub(b.Const(1), s)))))
}
func gradSigmoid(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Mul(v, b.Sub(b.Const(1), v))))
}
func gradTanh(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Sub(b.Const(1), b.Square(v))))
}
func gradSoftplus(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Op(OpSigmoid, Attr{}, v.Args[0])))
}
func gradSin(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, b.Op(OpCos, Attr{}, v.Args[0])))
}
func gradCos(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Neg(b.Mul(g, b.Op(OpSin, Attr{}, v.Args[0]))))
}

func gradAdd(_ *Builder, _, g *Value) []*Cotangent { return cot(g, g) }
func gradSub(b *Builder, _, g *Value) []*Cotangent { return cot(g, b.Neg(g)) }
func gradMul(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(g, v.Args[1]), b.Mul(g, v.Args[0]))
}
func gradDiv(b *Builder, v, g *Value) []*Cotangent { // d(x/y)/dy = -(x/y)/y
	q := b.Div(g, v.Args[1])
	return cot(q, b.Neg(b.Mul(q, v)))
}

// On a tie each operand of a maximum or minimum of two gets half of the
// gradient, as on the tape.
func gradMaxOf(b *Builder, v, g *Value) []*Cotangent {
	x, y := v.Args[0], v.Args[1]
	return cot(larger(b, x, y, g), larger(b, y, x, g))
}
func gradMinOf(b *Builder, v, g *Value) []*Cotangent {
	x, y := v.Args[0], v.Args[1]
	return cot(larger(b, y, x, g), larger(b, x, y, g))
}

// larger is g where x > y, half of it where they are equal, and 0 elsewhere.
func larger(b *Builder, x, y, g *Value) *Value {
	tie := b.Select(b.Op(OpEq, Attr{}, x, y), b.Mul(g, b.Const(0.5)), b.Const(0))
	return b.Select(b.Gt(x, y), g, tie)
}

// gradPowOf: dx = g y x^(y-1), dy = g v ln x. As on the tape, x gets none where y = 0, and y none
// where x = 0 and y >= 0: there 1 takes the place of x, because the next derivative would
// multiply an infinite factor by 0.
func gradPowOf(b *Builder, v, g *Value) []*Cotangent {
	x, y, zero, one := v.Args[0], v.Args[1], b.Const(0), b.Const(1)
	constant := b.Op(OpEq, Attr{}, y, zero)
	dx := b.Mul(g, b.Mul(y, b.Op(OpPowOf, Attr{}, b.Select(constant, one, x), b.Sub(y, one))))
	flat := b.Mul(b.Op(OpEq, Attr{}, x, zero), b.Op(OpGe, Attr{}, y, zero))
	dy := b.Mul(b.Mul(g, v), b.Op(OpLog, Attr{}, b.Select(flat, one, x)))
	return cot(b.Select(constant, zero, dx), b.Select(flat, zero, dy))
}
func gradSelect(b *Builder, v, g *Value) []*Cotangent {
	c := v.Args[0]
	return cot(nil, b.Select(c, g, b.Const(0)), b.Select(c, b.Const(0), g))
}

func gradAt(_ *Builder, _, g *Value) []*Cotangent { return cot(g) }

// gradDropout masks the cotangent with the mask of the forward pass, which is
// recomputed from the same hash.
func gradDropout(b *Builder, v, g *Value) []*Cotangent { return cot(b.Op(OpDropout, v.Attr, g)) }

func gradReshape(b *Builder, v, g *Value) []*Cotangent { return cot(b.Reshape(g, v.Args[0].Shape)) }
func gradExpand(b *Builder, v, g *Value) []*Cotangent  { return cot(b.ReduceTo(g, v.Args[0].Shape)) }
func gradReduceTo(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Expand(g, v.Args[0].Shape))
}
func gradConcat(b *Builder, v, g *Value) []*Cotangent {
	out := make([]*Cotangent, len(v.Args))
	lo := 0
	for i, a := range v.Args {
		hi := lo + a.Shape[len(a.Shape)-1]
		out[i] = &Cotangent{Value: b.Op(OpSlice, Attr{Lo: lo, Hi: hi}, g)}
		lo = hi
	}
	return out
}
func gradSlice(b *Builder, v, g *Value) []*Cotangent {
	x := v.Args[0].Shape
	return cot(b.Op(OpPad, Attr{Lo: v.Attr.Lo, Hi: x[len(x)-1] - v.Attr.Hi}, g))
}
func gradPad(b *Builder, v, g *Value) []*Cotangent {
	x := v.Args[0].Shape
	return cot(b.Op(OpSlice, Attr{Lo: v.Attr.Lo, Hi: v.Attr.Lo + x[len(x)-1]}, g))
}

// gradPermute puts the dimensions back.
func gradPermute(b *Builder, v, g *Value) []*Cotangent {
	back := make(Shape, len(v.Attr.Shape))
	for i, d := range v.Attr.Shape {
		back[d] = i
	}
	return cot(b.Op(OpPermute, Attr{Shape: back}, g))
}

// gradMaxLast sends the gradient to the first maximum.
func gradMaxLast(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Mul(b.Op(OpFirstMax, Attr{}, v.Args[0]), g))
}

func gradMatMul(b *Builder, v, g *Value) []*Cotangent {
	x, w := v.Args[0], v.Args[1]
	return []*Cotangent{
		{Value: b.Op(OpMatMulT, Attr{}, g, w)},
		{Value: b.Op(OpOuter, outerOf(v, w), x, g), Final: true},
	}
}
func gradMatMulT(b *Builder, v, g *Value) []*Cotangent {
	x, w := v.Args[0], v.Args[1]
	return []*Cotangent{
		{Value: b.Op(OpMatMul, Attr{}, g, w)},
		{Value: b.Op(OpOuter, outerOf(v, w), g, x), Final: true},
	}
}

// outerOf is the sum over v's rows that is a gradient of the weight w. Weights of
// vertices and edges have none of this kind: they are multiplied out before the
// gradient is taken.
func outerOf(v, w *Value) Attr {
	if w.Res != Param && !w.Res.IsType() {
		panic("BUG: ir: gradient of a product with rows of " + w.Res.String())
	}
	return Attr{Res: v.Res, To: w.Res, Heads: len(w.Shape) == 3}
}

// gradOuter is the rule of Σ xᵀ·y over rows: the cotangent is a weight, by which x and y send
// each other back.
func gradOuter(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Op(OpMatMulT, Attr{}, v.Args[1], g), b.MatMul(v.Args[0], g))
}

// gradTotal reads the cotangent of a sum over all rows at each of them.
func gradTotal(b *Builder, v, g *Value) []*Cotangent {
	return cot(b.Op(OpAt, Attr{Res: v.Attr.Res}, g))
}

// gradWinner sums what the edges that won send back: one for each of the row's numbers.
func gradWinner(b *Builder, v, g *Value) []*Cotangent {
	y := v.Args[1]
	won := b.Op(OpWinner, v.Attr, v.Args[0], b.Expand(b.Const(1), y.Shape))
	sum := b.Op(OpSum, v.Attr, b.Mul(won, g))
	if sum.Res != y.Res { // a value shared by rows
		sum = b.TotalTo(sum, sum.Res, y.Res)
	}
	return []*Cotangent{nil, {Value: sum, Final: true}}
}

// gradView sees the cotangent from the side that the operand lives on.
func gradView(b *Builder, v, g *Value) []*Cotangent {
	if x := v.Args[0]; v.Res != x.Res {
		g = b.View(g, x.Res)
	}
	return []*Cotangent{{Value: g, Final: true}}
}

func gradStack(b *Builder, v, g *Value) []*Cotangent {
	return []*Cotangent{{Value: b.Op(OpUnstack, Attr{Res: v.Args[0].Res}, g), Final: true}}
}

func gradUnstack(b *Builder, _, g *Value) []*Cotangent {
	return []*Cotangent{{Value: b.Op(OpStack, Attr{}, g), Final: true}}
}

// The cotangent of a sum is the same for each of its edges: a vertex value read
// at the edges.
func gradSum(b *Builder, v, g *Value) []*Cotangent {
	if v.Attr.Typed {
		g = b.Op(OpPick, Attr{}, g)
	}
	return cot(g)
}

// gradPick sums what the edges of each type send back.
func gradPick(b *Builder, v, g *Value) []*Cotangent {
	x := v.Args[0]
	d := In // for a param either will do
	if x.Res != Param {
		d = Over(x.Res)
	}
	sum := b.Op(OpSum, Attr{Dir: d, Typed: true}, g)
	if sum.Res != x.Res {
		sum = b.TotalTo(sum, sum.Res, x.Res)
	}
	return []*Cotangent{{Value: sum, Final: true}}
}

// gradMax sends the gradient to the one edge that won.
func gradMax(b *Builder, v, g *Value) []*Cotangent {
	arg := b.Op(OpArgmax, v.Attr, v.Args[0])
	return cot(b.Op(OpWinner, v.Attr, arg, g))
}

// gradSoftmax: dx = a (g - Σ a g).
func gradSoftmax(b *Builder, v, g *Value) []*Cotangent {
	ag := b.Mul(v, g)
	sum := b.Op(OpSum, v.Attr, ag)
	if v.Attr.Typed {
		sum = b.Op(OpPick, Attr{}, sum)
	}
	return cot(b.Sub(ag, b.Mul(v, sum)))
}
