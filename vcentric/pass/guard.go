package pass

// Guards for gradients of rows that nobody reads. A value that is read only
// across edges has gradient 0 at a vertex without them; but 0 times the infinite
// derivative of degree^-1/2 or log 0 is NaN, and one NaN spoils every weight.
// Here such factors are zeroed where the vertex has no edges: computing a value
// once a vertex then gives the gradient of computing it at each edge.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// guards builds guarded cotangents. What it has found of a value it keeps:
// gradients share operands, and would be walked exponentially often.
type guards struct {
	b      *ir.Builder
	done   map[rowsOf]*ir.Value
	zeros  map[rowsOf]bool
	safe   map[*ir.Value]readers // 0, and so finite, where rows have no such readers
	finite finiteness
}

type rowsOf struct {
	rows
	v *ir.Value
}

func newGuards(b *ir.Builder) *guards {
	return &guards{b: b, done: make(map[rowsOf]*ir.Value), zeros: make(map[rowsOf]bool), safe: make(map[*ir.Value]readers), finite: make(finiteness)}
}

// guard is x, a cotangent of rows of which some are read, with every factor zeroed
// that may be infinite on the others. The selects go to the narrow operands.
func (g *guards) guard(x *ir.Value, of rows) *ir.Value {
	key := rowsOf{of, x}
	if g.done[key] == nil {
		y := g.build(x, of)
		g.done[key] = y
		if !g.isSafe(y, of) {
			g.safe[y] = of.read
		}
	}
	return g.done[key]
}

func (g *guards) build(x *ir.Value, of rows) *ir.Value {
	args := append([]*ir.Value{}, x.Args...)
	switch {
	case g.isSafe(x, of) || overRows(x, of):
		return x
	case x.Op == ir.OpView:
		args[0] = g.guard(args[0], of.seenBy(args[0]))
	case x.Op == ir.OpNeg, x.Op == ir.OpReshape, x.Op == ir.OpReduceTo, x.Op == ir.OpExpand, isProductOp(x) && g.finiteMatrix(x):
		args[0] = g.guard(args[0], of)
	case x.Op == ir.OpAdd, x.Op == ir.OpSub:
		args[0], args[1] = g.guard(args[0], of), g.guard(args[1], of)
	case x.Op == ir.OpMul && g.zero(x.Args[0], of):
		args[0], args[1] = g.guard(args[0], of), g.factor(args[1], of)
	case x.Op == ir.OpMul && g.zero(x.Args[1], of):
		args[0], args[1] = g.factor(args[0], of), g.guard(args[1], of)
	case g.finite.of(x) && g.zero(x, of):
		return x
	default:
		return g.b.Select(of.count(g.b), x, g.b.Const(0))
	}
	if slices.Equal(args, x.Args) {
		return x
	}
	return g.b.Op(x.Op, x.Attr, args...)
}

// factor is x where rows are read, and 0 elsewhere if x may be infinite there.
func (g *guards) factor(x *ir.Value, of rows) *ir.Value {
	if x.Res == ir.Param || g.finite.of(x) || g.isSafe(x, of) {
		return x
	}
	if of.res.IsVertex() && of.read == along(ir.Over(of.res)) {
		return whereEdges(g.b, x, ir.Over(of.res))
	}
	return g.b.Select(of.count(g.b), x, g.b.Const(0))
}

// finiteMatrix tells whether a product has no matrix that may be infinite for the type of rows
// that nobody reads, whether others of the type are read or not.
func (g *guards) finiteMatrix(m *ir.Value) bool {
	return !m.Args[1].Res.IsType() || g.finite.of(m.Args[1])
}

// isSafe tells whether x was guarded for these readers, or for some of them.
func (g *guards) isSafe(x *ir.Value, of rows) bool {
	read := g.safe[x]
	return read != 0 && read&^of.read == 0
}

// overRows tells whether x sums what the readers of a row send back: where there are none,
// nothing.
func overRows(x *ir.Value, of rows) bool {
	switch x.Op {
	case ir.OpSum:
		return along(x.Attr.Dir)&of.read != 0
	case ir.OpTotal, ir.OpOuter: // over a type's vertices, or over its edges
		return x.Attr.To != ir.Param && x.Res == of.res && (of.read&theVertex != 0 || x.Attr.Res == ir.Edge)
	case ir.OpUnstack: // edges summed for each vertex and type, then for each type
		y := x.Args[0]
		return x.Res == ir.EdgeType && y.Op == ir.OpTotal && y.Args[0].Op == ir.OpSum && y.Args[0].Attr.Typed
	}
	return false
}

// zero tells whether x is 0 on rows that nobody reads if its other factors are
// finite there.
func (g *guards) zero(x *ir.Value, of rows) bool {
	key := rowsOf{of, x}
	if z, ok := g.zeros[key]; ok {
		return z
	}
	arg := func(i int) bool { return g.zero(x.Args[i], of) }
	z := overRows(x, of) || g.isSafe(x, of)
	switch x.Op {
	case ir.OpConst:
		z = x.Attr.Num == 0
	case ir.OpView:
		z = z || g.zero(x.Args[0], of.seenBy(x.Args[0]))
	case ir.OpTotal: // a type's vertices are not read either
		z = z || x.Attr.To != ir.Param && x.Res == of.res && g.zero(x.Args[0], rows{of.read, x.Attr.Res})
	case ir.OpOuter:
		z = z || x.Attr.To != ir.Param && x.Res == of.res && (g.zero(x.Args[0], rows{of.read, x.Attr.Res}) || g.zero(x.Args[1], rows{of.read, x.Attr.Res}))
	case ir.OpNeg, ir.OpReshape, ir.OpReduceTo, ir.OpExpand, ir.OpMatMul, ir.OpMatMulT:
		z = z || arg(0)
	case ir.OpMul:
		z = z || arg(0) || arg(1)
	case ir.OpAdd, ir.OpSub:
		z = z || arg(0) && arg(1)
	case ir.OpSelect:
		z = z || arg(1) && arg(2)
	}
	g.zeros[key] = z
	return z
}
