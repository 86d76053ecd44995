package irtest

// The random steps of programs for graphs with types.

import "github.com/asterias-ml/asterias/vcentric/ir"

// typed adds an op that only such programs have.
func (g *generator) typed() *ir.Value {
	types := g.b.Program().Types
	res := ir.SrcType + ir.Residency(g.r.IntN(3))
	switch g.r.IntN(7) {
	case 0: // a value of each type, often met by one of vertices or edges
		return g.input(res, g.narrower(g.pick().Shape))
	case 1:
		return g.product()
	case 2:
		return g.aggregate()
	case 3: // the part of a row that belongs to the edge's type
		x := g.pickWhere(func(x *ir.Value) bool {
			return x.Res != ir.Edge && x.Res != ir.EdgeType && len(x.Shape) > 0 && x.Shape[0] == types.Edge
		})
		if x == nil {
			x = g.input([]ir.Residency{ir.Param, ir.Src, ir.Dst, ir.SrcType}[g.r.IntN(4)], append(ir.Shape{types.Edge}, g.dims[:g.r.IntN(2)]...))
		}
		return g.add(g.b.Op(ir.OpPick, ir.Attr{}, x), g.bound[x])
	case 4:
		d := ir.Dir(g.r.IntN(2))
		return g.add(g.b.Op(ir.OpDegree, ir.Attr{Dir: d, Res: d.Rows(), Typed: true}), hubEdges)
	case 5:
		x := g.pickWhere(func(x *ir.Value) bool { return x.Res.IsType() && types.Of(x.Res)*x.Width() <= maxWidth })
		if x == nil {
			x = g.input(res, ir.Shape{g.dims[0]})
		}
		return g.add(g.b.Op(ir.OpStack, ir.Attr{}, x), g.bound[x])
	default:
		x := g.pickWhere(func(x *ir.Value) bool { return x.Res == ir.Param && len(x.Shape) > 0 && x.Shape[0] == types.Of(res) })
		if x == nil {
			x = g.input(ir.Param, append(ir.Shape{types.Of(res)}, g.dims[:g.r.IntN(2)]...))
		}
		return g.add(g.b.Op(ir.OpUnstack, ir.Attr{Res: res}, x), g.bound[x])
	}
}
