package cpu

// Sums, differences and products of wide rows that edges pick, such as h_u - h_v: one
// call of a row kernel for a tile.

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// pair: dst[e] = the row of x that edge e reads, combined by f with that of y
type pair[T kern.Float] struct {
	dst  operand[T]
	x, y operand[T] // if one is scattered over memory, it is x
	f    func(dst, x, y []T, width int, xs, ys []int32)
	adds bool // f is a sum
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
		p.f, p.adds = set.GatherAdd, true
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

// rectifiedSum: dst[e] = max(0, the row of x that edge e reads + that of its own row)
type rectifiedSum[T kern.Float] struct{ dst, x, own operand[T] }

func (i *rectifiedSum[T]) exec(w *worker[T]) {
	x, ids := w.indexed(&i.x)
	w.set.SegmentAddReLU(w.dense(&i.dst), x, w.own(&i.own), i.dst.width, ids, w.segment[:w.rows+1])
}

// rectify finds, in the only loop of a kernel, such sums that nothing but their rectifier reads.
func (c *compiler[T]) rectify(k *kernel[T], done map[*ir.Value]instr[T]) {
	if len(k.loops) != 1 {
		return
	}
	l := k.loops[0]
	for _, v := range c.plan.Loops[0].Edge {
		if v.Op != ir.OpRelu || c.uses[v.Args[0]] != 1 {
			continue
		}
		relu, _ := done[v].(*unary[T])
		p, _ := done[v.Args[0]].(*pair[T])
		if relu == nil || p == nil || !p.adds || p.x.place != otherBuffer || p.x.types > 0 || !isOwn(&p.y) ||
			p.x.width != p.dst.width || p.y.width != p.dst.width || !c.prog.set.AddsReLU(p.dst.width) {
			continue
		}
		l.all[slices.Index(l.all, instr[T](relu))] = &rectifiedSum[T]{relu.dst, p.x, p.y}
		l.all = slices.DeleteFunc(l.all, func(i instr[T]) bool { return i == instr[T](p) })
		l.fresh = slices.Clone(l.all)
	}
}
