package pass

// Shield makes what is computed where nobody reads it finite and smooth, for gradients of any
// order: a guard that zeroes the infinite factor of a gradient has that factor's own
// derivative, which is infinite too. First gradients do with guards, which leave the forward
// program alone.

import (
	"math"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// shield returns p with operands replaced by 1 on rows that nobody reads, for ops that are
// infinite somewhere, or have an infinite derivative there, and where values enter that others
// read on such rows.
func shield(p *ir.Program) *ir.Program {
	b, read, finite := ir.BuilderLike(p), readersOf(p), make(finiteness)
	to := make(map[*ir.Value]*ir.Value, len(p.Values))
	for _, v := range p.Values {
		args := mapped(v.Args, to)
		for i, a := range v.Args {
			of := rows{read[v], v.Res}
			switch {
			case v.Op == ir.OpView:
				of = of.seenBy(a)
			case isProductOp(v) && i == 1 && v.Res.IsVertex() && a.Res.IsType(): // a matrix stays its type's
				of.res = a.Res
			}
			if v.Level() != v.Res || a.Res == ir.Param || !of.unread() {
				continue
			}
			if at, ok := singular(v); ok && at == i || read[a] != read[v] && !finite.of(args[i]) {
				b.At(v.Pos)
				args[i] = b.Select(of.count(b), args[i], b.Const(1))
			}
		}
		to[v] = b.Copy(v, args)
	}
	for _, o := range p.Outputs {
		b.Output(o.Name, to[o.Value])
	}
	return b.Program()
}

// singular is the operand for which v, or a derivative of it of some order, may be infinite.
func singular(v *ir.Value) (operand int, ok bool) {
	switch v.Op {
	case ir.OpLog, ir.OpSqrt, ir.OpRsqrt, ir.OpRecip, ir.OpExp, ir.OpPowOf:
		return 0, true
	case ir.OpPow:
		return 0, v.Attr.Num < 0 || v.Attr.Num != math.Trunc(v.Attr.Num)
	case ir.OpDiv:
		return 1, true
	}
	return 0, false
}

// FiniteFactors tells of each output of a program whether nothing it is computed from is infinite,
// or has an infinite derivative, for some finite input: then a cotangent of zeros gives
// gradients of zeros.
func FiniteFactors(p *ir.Program) []bool {
	roots := dependents(p, func(v *ir.Value) bool {
		i, ok := singular(v)
		return ok && !isPositive(v.Args[i])
	})
	finite := make([]bool, len(p.Outputs))
	for i, o := range p.Outputs {
		finite[i] = !roots[o.Value]
	}
	return finite
}

// isPositive tells whether x is at least some positive number, such as the divisor of a mean.
func isPositive(x *ir.Value) bool {
	switch x.Op {
	case ir.OpConst:
		return x.Attr.Num > 0
	case ir.OpMaxOf:
		return isPositive(x.Args[0]) || isPositive(x.Args[1])
	}
	return false
}
