package pass

// Reuse finds sums over edges that follow from a sum the program already has.
// It runs after the gradient is taken and before softmax is written out.

import (
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// keepEdgeValue is plan.KeepEdgeValue, which may be turned off.
const keepEdgeValue = "keep-edge-value"

func reuseRules(o Options, p *ir.Program) []Rule {
	d := newDots(o, p)
	return []Rule{{Name: "reuse-sum", Apply: d.reuseSum}, {Name: "dot-out-of-sum", ApplyUses: d.outOfSum}}
}

// reuseSum: Σ_e a_e (g_r · h_e) = g_r · Σ_e a_e h_e, where the right-hand sum is
// the forward output. This is the term that the gradient of a softmax subtracts
// (t_v = g_v·out_v in GAT), so it costs no pass over the edges. A dropout
// between the score and the sum moves over to a, since its mask is linear. A row without
// edges keeps its 0 where g may be infinite.
//
// The price is to read two rows for each vertex, where dot products that have been kept for
// each edge would only be summed (see keeps).
func (d dots) reuseSum(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSum || v.Attr.Typed || v.Args[0].Op != ir.OpMul || d.keeps(v) {
		return nil
	}
	m := v.Args[0]
	for i, a := range m.Args {
		q := m.Args[1-i]
		weight := a
		if q.Op == ir.OpDropout {
			weight, q = droppedAs(b, a, q), q.Args[0]
		}
		if weight == nil || q.Op != ir.OpReduceTo || q.Args[0].Op != ir.OpMul || !a.Shape.Equal(q.Shape) {
			continue
		}
		for j, g := range q.Args[0].Args {
			h := q.Args[0].Args[1-j]
			if !g.Res.Within(v.Attr.Dir.Rows()) {
				continue
			}
			sum := find(b, func(x *ir.Value) bool {
				return x.Op == ir.OpSum && !x.Attr.Typed && x.Attr.Dir == v.Attr.Dir && x.Shape.Equal(q.Args[0].Shape) && isProduct(x.Args[0], weight, h)
			})
			if sum != nil {
				return d.finite.factor(b, b.ReduceTo(b.Mul(g, sum), v.Shape), v.Attr.Dir)
			}
		}
	}
	return nil
}

func isProduct(m, x, y *ir.Value) bool {
	return m.Op == ir.OpMul && (m.Args[0] == x && m.Args[1] == y || m.Args[0] == y && m.Args[1] == x)
}

// find returns the first value of the program so far that satisfies is.
func find(b *ir.Builder, is func(*ir.Value) bool) *ir.Value {
	for _, x := range b.Program().Values {
		if is(x) {
			return x
		}
	}
	return nil
}
