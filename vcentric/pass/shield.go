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
	least := make(map[*ir.Value]float64) // what values are at least, of those that are known to be positive
	for _, v := range p.Values {
		switch v.Op {
		case ir.OpConst:
			least[v] = v.Attr.Num
		case ir.OpMaxOf: // such as the divisor of a mean
			least[v] = max(least[v.Args[0]], least[v.Args[1]])
		case ir.OpReshape:
			least[v] = least[v.Args[0]]
		}
	}
	roots := dependents(p, func(v *ir.Value) bool {
		if i, ok := singular(v); ok {
			return !isTame(v, least[v.Args[i]])
		}
		return v.Op == ir.OpConst && !isFinite(v.Attr.Num)
	})
	finite := make([]bool, len(p.Outputs))
	for i, o := range p.Outputs {
		finite[i] = !roots[o.Value]
	}
	return finite
}

// isTame tells whether v, one of the ops that are singular, and its derivative are far from
// infinite in 32 bits where the operand in question is at least some number, and not huge.
func isTame(v *ir.Value, least float64) bool {
	switch {
	case v.Op == ir.OpExp, v.Op == ir.OpPowOf: // infinite for operands that are not huge
		return false
	case v.Op == ir.OpPow && math.Pow(least, v.Attr.Num-1) > 1e17:
		return false
	}
	return least >= 1e-8 // whose reciprocal's derivative is 1e16
}
