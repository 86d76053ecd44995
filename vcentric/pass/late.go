package pass

// What rules ask about the ancestors of a value, and remember: values do not change once
// they are built, and programs are deep.

import (
	"math"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// lateness tells of values whether they depend on a cotangent.
type lateness map[*ir.Value]bool

func (l lateness) of(v *ir.Value) bool {
	late, ok := l[v]
	if !ok {
		late = isCotangent(v) || slices.ContainsFunc(v.Args, l.of)
		l[v] = late
	}
	return late
}

func isCotangent(v *ir.Value) bool {
	return v.Op == ir.OpInput && strings.HasPrefix(v.Attr.Name, ir.CotangentPrefix)
}

// finiteness tells of values whether they are finite wherever the inputs and what
// comes from edges are: whether no op of a row makes infinity or NaN out of numbers, but for
// products of huge ones.
type finiteness map[*ir.Value]bool

func (f finiteness) of(x *ir.Value) bool {
	finite, ok := f[x]
	if ok {
		return finite
	}
	switch c := x.Op.Info().Class; {
	case x.Op == ir.OpConst:
		finite = isFinite(x.Attr.Num)
	case x.Op == ir.OpInput: // what forward saved may be anything
		finite = !strings.HasPrefix(x.Attr.Name, ir.SavedPrefix)
	case x.Op == ir.OpLog, x.Op == ir.OpSqrt, x.Op == ir.OpRsqrt, x.Op == ir.OpRecip, x.Op == ir.OpPow, x.Op == ir.OpPowOf, x.Op == ir.OpDiv, x.Op == ir.OpExp:
	case c == ir.Elementwise, c == ir.Layout, c == ir.Dense, c == ir.Alias:
		finite = !slices.ContainsFunc(x.Args, func(a *ir.Value) bool { return !f.of(a) })
	default:
		finite = true
	}
	f[x] = finite
	return finite
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// factor is x where rows have edges of a direction, and 0 elsewhere if x may be
// infinite there.
func (f finiteness) factor(b *ir.Builder, x *ir.Value, d ir.Dir) *ir.Value {
	if x.Res == ir.Param || f.of(x) {
		return x
	}
	return whereEdges(b, x, d)
}
