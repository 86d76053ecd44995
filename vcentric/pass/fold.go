package pass

// Fold evaluates constants and applies the algebra that makes programs smaller.
// No rule changes a result on NaN or ±Inf: x*0 stays. Nor does one make them of numbers, but for
// div-by-narrower where a divisor is denormal.

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

var foldRules = []Rule{
	{Name: "constant", Apply: foldConstant},
	{Name: "identity", Apply: foldIdentity},
	{Name: "double-neg", Apply: foldNeg},
	{Name: "pow", Apply: foldPow},
	{Name: "square-of-sum", Apply: foldSquare},
	{Name: "layout", Apply: foldLayout},
	{Name: "implicit-broadcast", Apply: foldBroadcast},
	{Name: "div-by-narrower", Apply: foldDiv},
}

// foldConstant evaluates an element-wise op of constants.
func foldConstant(b *ir.Builder, v *ir.Value) *ir.Value {
	info := v.Op.Info()
	if info.Class != ir.Elementwise || v.Res != ir.Param { // dropout and at of a constant have rows
		return nil
	}
	for _, a := range v.Args {
		if a.Op != ir.OpConst {
			return nil
		}
	}
	num := func(i int) float64 { return v.Args[i].Attr.Num }
	var x float64
	switch {
	case info.Unary != nil:
		x = info.Unary(&v.Attr, num(0))
	case info.Binary != nil:
		x = info.Binary(num(0), num(1))
	case num(0) != 0:
		x = num(1)
	default:
		x = num(2)
	}
	if math.IsNaN(x) { // keys of constants compare by value
		return nil
	}
	return b.Const(x)
}

// foldIdentity drops x+0, x-0, x*1, x/1 and dropout of nothing.
func foldIdentity(b *ir.Builder, v *ir.Value) *ir.Value {
	keep := func(i int) *ir.Value {
		if x := v.Args[i]; x.Shape.Equal(v.Shape) && x.Res == v.Res {
			return x
		}
		return nil
	}
	switch v.Op {
	case ir.OpAdd:
		// x + 0 is x but for -0 + 0, which no reader of a sum can tell apart.
		if isConst(v.Args[1], 0) {
			return keep(0)
		}
		if isConst(v.Args[0], 0) {
			return keep(1)
		}
	case ir.OpSub:
		if isConst(v.Args[1], 0) {
			return keep(0)
		}
	case ir.OpMul:
		if isConst(v.Args[1], 1) {
			return keep(0)
		}
		if isConst(v.Args[0], 1) {
			return keep(1)
		}
		if isConst(v.Args[1], -1) {
			return b.Neg(v.Args[0])
		}
		if isConst(v.Args[0], -1) {
			return b.Neg(v.Args[1])
		}
	case ir.OpDiv:
		if isConst(v.Args[1], 1) {
			return keep(0)
		}
	case ir.OpDropout:
		if v.Attr.Num == 0 {
			return keep(0)
		}
	}
	return nil
}

func foldNeg(b *ir.Builder, v *ir.Value) *ir.Value {
	switch {
	case v.Op == ir.OpNeg && v.Args[0].Op == ir.OpNeg:
		return v.Args[0].Args[0]
	case v.Op == ir.OpNeg && v.Args[0].Op == ir.OpSub && isConst(v.Args[0].Args[0], 0): // but for 0's sign; minima are written so
		return v.Args[0].Args[1]
	case v.Op == ir.OpAdd && v.Args[1].Op == ir.OpNeg:
		return b.Sub(v.Args[0], v.Args[1].Args[0])
	case v.Op == ir.OpSub && v.Args[1].Op == ir.OpNeg:
		return b.Add(v.Args[0], v.Args[1].Args[0])
	}
	return nil
}

func foldPow(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op == ir.OpPowOf && v.Args[1].Op == ir.OpConst {
		return b.Op(ir.OpPow, ir.Attr{Num: v.Args[1].Attr.Num}, v.Args[0])
	}
	if v.Op != ir.OpPow {
		return nil
	}
	switch x := v.Args[0]; v.Attr.Num {
	case 1:
		return x
	case 2:
		return b.Square(x)
	case -1:
		return b.Recip(x)
	}
	return nil
}

// foldSquare writes a sum of squares over a row as a product with itself, which kernels add up
// as they compute it.
func foldSquare(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpReduceTo || v.Args[0].Op != ir.OpSquare || v.Res == ir.Param || v.Res.IsType() {
		return nil
	}
	x := v.Args[0].Args[0]
	return b.Op(ir.OpReduceTo, v.Attr, b.Mul(x, x))
}

// foldLayout drops layouts that change nothing and merges two in a row.
func foldLayout(b *ir.Builder, v *ir.Value) *ir.Value {
	switch v.Op {
	case ir.OpReshape, ir.OpExpand, ir.OpReduceTo:
		x := v.Args[0]
		if x.Shape.Equal(v.Shape) {
			return x
		}
		if x.Op == v.Op {
			return b.Op(v.Op, v.Attr, x.Args[0])
		}
	case ir.OpConcat:
		if len(v.Args) == 1 {
			return v.Args[0]
		}
	case ir.OpPermute:
		if x := v.Args[0]; x.Op == ir.OpPermute {
			order := make(ir.Shape, len(v.Attr.Shape))
			for i, d := range v.Attr.Shape {
				order[i] = x.Attr.Shape[d]
			}
			return b.Op(ir.OpPermute, ir.Attr{Shape: order}, x.Args[0])
		}
		if slices.IsSorted(v.Attr.Shape) {
			return v.Args[0]
		}
	case ir.OpView:
		if x := v.Args[0]; x.Res == v.Res {
			return x
		}
	case ir.OpStack:
		if x := v.Args[0]; x.Op == ir.OpUnstack {
			return x.Args[0]
		}
	case ir.OpUnstack:
		if x := v.Args[0]; x.Op == ir.OpStack && x.Args[0].Res == v.Res {
			return x.Args[0]
		}
	case ir.OpAt:
		if x := v.Args[0]; x.Res == v.Res && v.Res != ir.Edge { // at edges it marks a result of the program's own
			return x
		}
	}
	return nil
}

// foldBroadcast removes an expand that the op would do anyway, and what puts a param at the
// edges for an aggregate.
func foldBroadcast(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op.Info().Class == ir.Aggregate {
		if at := v.Args[0]; at.Op == ir.OpAt && at.Args[0].Res == ir.Param {
			return b.Op(v.Op, v.Attr, at.Args[0])
		}
		return nil
	}
	if v.Op.Info().Class != ir.Elementwise || len(v.Args) < 2 {
		return nil
	}
	for i, a := range v.Args {
		if a.Op != ir.OpExpand {
			continue
		}
		args := append([]*ir.Value{}, v.Args...)
		args[i] = a.Args[0]
		shapes := make([]ir.Shape, len(args))
		for j, x := range args {
			shapes[j] = x.Shape
		}
		if s, err := ir.BroadcastShapes(shapes...); err == nil && s.Equal(v.Shape) {
			return b.Op(v.Op, v.Attr, args...)
		}
	}
	return nil
}

// foldDiv turns an edge value divided by a vertex value, or by fewer numbers than
// it has, into a product with their reciprocals: one division a vertex, or a row. A vertex's
// reciprocal can leave the sum that follows, which need not wait for it: Σ x_e/(Σ w_e + ε) is one
// walk over the edges and not two.
//
// The price is two roundings for one, and the ends of the range. Divisors of at most 2^-128
// (float32; 2^-1024 in float64), which are denormal, have the reciprocal ±Inf: 0/y becomes NaN, and
// x/y infinite whatever x. The reciprocals of divisors beyond 2^126 (2^1022) are denormal
// themselves, and lose up to two bits.
func foldDiv(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op == ir.OpDiv && v.Res == ir.Edge && (v.Args[1].Res != ir.Edge || v.Args[1].Width() < v.Width()) {
		return b.Mul(v.Args[0], b.Recip(v.Args[1]))
	}
	return nil
}
