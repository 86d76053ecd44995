package cpu

// Sums, differences and products of wide rows that edges pick, such as h_u - h_v: one
// call of a row kernel for a tile.

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// pair: dst[e] = the row of x that edge e reads, combined by f with that of y
type pair[T kern.Float] struct {
	dst  operand[T]
	x, y operand[T] // if one is scattered over memory, it is x
	f    func(dst, x, y []T, width int, xs, ys []int32)
}

// pair compiles an op of two operands that is such a combination, else it returns nil.
func (c *compiler[T]) pair(at level, v *ir.Value, x, y *argument[T], dst operand[T]) instr[T] {
	if at != overEdges || dst.width < rowwise || x.cast.kind != same || y.cast.kind != same || x.isDense(at) && y.isDense(at) {
		return nil
	}
	p := &pair[T]{dst: dst, x: x.operand, y: y.operand}
	swap := y.isScattered() && !x.isScattered()
	if swap {
		p.x, p.y = p.y, p.x
	}
	set := c.prog.set
	switch {
	case v.Op == ir.OpAdd:
		p.f = set.GatherAdd
	case v.Op == ir.OpMul:
		p.f = set.GatherMul
	case v.Op == ir.OpSub && !swap:
		p.f = set.GatherSub
	case v.Op == ir.OpSub:
		p.f = set.GatherRSub
	default:
		return nil
	}
	return p
}

// isScattered tells whether edges read rows of the operand all over memory.
func (o *operand[T]) isScattered() bool {
	switch o.place {
	case otherBuffer, edgeBuffer, inEdgeBuffer, outEdgeBuffer:
		return true
	}
	return false
}

func (i *pair[T]) exec(w *worker[T]) {
	x, xs := w.indexed(&i.x)
	y, ys := w.indexed(&i.y)
	i.f(w.dense(&i.dst), x, y, i.dst.width, xs, ys)
}
