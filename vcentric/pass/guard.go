package pass

// Guards for gradients of vertices that nobody reads. A value that is read only
// across edges has gradient 0 at a vertex without them; but 0 times the infinite
// derivative of degree^-1/2 or log 0 is NaN, and one NaN spoils every weight.
// Here such factors are zeroed where the vertex has no edges: computing a value
// once a vertex then gives the gradient of computing it at each edge.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// edgeOnly marks the vertex values that reach the outputs only across edges.
func edgeOnly(p *ir.Program) map[*ir.Value]bool {
	only := make(map[*ir.Value]bool)
	for _, v := range p.Values {
		only[v] = v.Res == ir.Src || v.Res == ir.Dst
	}
	for _, o := range p.Outputs {
		only[o.Value] = false
	}
	for i := len(p.Values) - 1; i >= 0; i-- {
		v := p.Values[i]
		for _, a := range v.Args {
			if v.Level() != ir.Edge && !(v.Res == a.Res && only[v]) {
				only[a] = false
			}
		}
	}
	return only
}

// guards builds guarded cotangents. What it has found of a value it keeps:
// gradients share operands, and would be walked exponentially often.
type guards struct {
	b      *ir.Builder
	done   map[dirValue]*ir.Value
	zeros  map[dirValue]bool
	finite finiteness
}

type dirValue struct {
	d ir.Dir
	v *ir.Value
}

func newGuards(b *ir.Builder) *guards {
	return &guards{b: b, done: make(map[dirValue]*ir.Value), zeros: make(map[dirValue]bool), finite: make(finiteness)}
}

// guard is x, a cotangent of rows that only edges of direction d read, with
// every factor zeroed that may be infinite on a row without such edges. The
// selects go to the narrow operands.
func (g *guards) guard(x *ir.Value, d ir.Dir) *ir.Value {
	key := dirValue{d, x}
	if g.done[key] == nil {
		g.done[key] = g.build(x, d)
	}
	return g.done[key]
}

func (g *guards) build(x *ir.Value, d ir.Dir) *ir.Value {
	args := append([]*ir.Value{}, x.Args...)
	switch {
	case x.Op == ir.OpSum && x.Attr.Dir == d:
		return x
	case x.Op == ir.OpNeg, x.Op == ir.OpReshape, x.Op == ir.OpReduceTo, x.Op == ir.OpExpand, x.Op == ir.OpMatMul, x.Op == ir.OpMatMulT:
		args[0] = g.guard(args[0], d)
	case x.Op == ir.OpAdd, x.Op == ir.OpSub:
		args[0], args[1] = g.guard(args[0], d), g.guard(args[1], d)
	case x.Op == ir.OpMul && g.zero(x.Args[0], d):
		args[0], args[1] = g.guard(args[0], d), g.finite.factor(g.b, args[1], d)
	case x.Op == ir.OpMul && g.zero(x.Args[1], d):
		args[0], args[1] = g.finite.factor(g.b, args[0], d), g.guard(args[1], d)
	case g.finite.of(x) && g.zero(x, d):
		return x
	default:
		return g.b.Select(g.b.Degree(d, d.Rows()), x, g.b.Const(0))
	}
	if slices.Equal(args, x.Args) {
		return x
	}
	return g.b.Op(x.Op, x.Attr, args...)
}

// zero tells whether x is 0 on rows without edges if its other factors are
// finite there.
func (g *guards) zero(x *ir.Value, d ir.Dir) bool {
	key := dirValue{d, x}
	if z, ok := g.zeros[key]; ok {
		return z
	}
	arg := func(i int) bool { return g.zero(x.Args[i], d) }
	z := false
	switch x.Op {
	case ir.OpConst:
		z = x.Attr.Num == 0
	case ir.OpSum:
		z = x.Attr.Dir == d
	case ir.OpNeg, ir.OpReshape, ir.OpReduceTo, ir.OpExpand, ir.OpMatMul, ir.OpMatMulT:
		z = arg(0)
	case ir.OpMul:
		z = arg(0) || arg(1)
	case ir.OpAdd, ir.OpSub:
		z = arg(0) && arg(1)
	case ir.OpSelect:
		z = arg(1) && arg(2)
	}
	g.zeros[key] = z
	return z
}
