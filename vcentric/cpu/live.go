package cpu

// Loops of which most edges have no part. The gradient of a maximum goes to one edge
// for each column, so that most edges of a large neighbourhood get none. Where all
// that a loop sums up is made by multiplying that gradient, its tiles are narrowed to
// the edges that won something: for them alone the loop's values are computed.
//
// What an edge that won nothing would add is a product with zero; left out, it adds
// nothing even where the other factor is NaN or infinite.

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// winners says which edges win: those whose id is anywhere in their row of ids.
type winners[T kern.Float] struct {
	ids operand[T]
}

// kept is room for what a worker keeps of a tile.
type kept struct {
	found                     []int32 // the edges that win
	neighbors, edgeIDs, types []int32
}

// winnersOf finds the winners to which the only loop of a kernel can be narrowed; nil
// if it needs all edges.
func (c *compiler[T]) winnersOf(p *plan.Kernel, l *plan.Loop) *winners[T] {
	if len(p.Loops) != 1 || len(l.Stores) > 0 {
		return nil
	}
	var first *ir.Value
	zero := make(map[*ir.Value]bool) // for an edge that wins nothing
	for _, v := range l.Edge {
		if v.Op == ir.OpWinner && (first == nil || first.Args[0] == v.Args[0] && first.Attr.Typed == v.Attr.Typed) {
			first = v
			zero[v] = true
			continue
		}
		zero[v] = keepsZero(v, zero)
	}
	for _, v := range l.Reduce {
		if v.Op != ir.OpSum || !zero[v.Args[0]] {
			return nil
		}
	}
	for _, s := range l.Totals {
		if v := s.Value; v.Op != ir.OpOuter || !zero[v.Args[0]] && !zero[v.Args[1]] {
			return nil
		}
	}
	if first == nil {
		return nil
	}
	c.narrows, c.listing = true, c.listingOf(l, first)
	c.charge(overEdges, first.Width()/4)
	if first.Attr.Typed {
		return &winners[T]{c.pick(first.Args[0])}
	}
	return &winners[T]{c.operand(first.Args[0])}
}

// keepsZero tells whether an edge value is zero wherever those of zero are.
func keepsZero(v *ir.Value, zero map[*ir.Value]bool) bool {
	is := func(a *ir.Value) bool { return zero[a] || a.Op == ir.OpConst && a.Attr.Num == 0 }
	switch v.Op {
	case ir.OpNeg, ir.OpRelu, ir.OpDropout, ir.OpMatMul, ir.OpMatMulT,
		ir.OpReduceTo, ir.OpReshape, ir.OpExpand, ir.OpSlice, ir.OpPad, ir.OpPermute:
		return is(v.Args[0])
	case ir.OpMul:
		return is(v.Args[0]) || is(v.Args[1])
	case ir.OpSelect:
		return is(v.Args[1]) && is(v.Args[2])
	case ir.OpAdd, ir.OpSub, ir.OpConcat:
		return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !is(a) })
	}
	return false
}

// keep narrows the tile to the edges that win; it tells whether there are any.
func (i *winners[T]) keep(w *worker[T]) bool {
	k := &w.kept
	if k.found == nil {
		n := w.run.prog.size.ids
		k.found, k.neighbors, k.edgeIDs, k.types = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	}
	ids, rows := w.ids(&i.ids)
	found := k.found[:w.edges]
	found = found[:w.set.FindWinners(found, ids, i.ids.width, rows, w.edgeIDs)]
	if len(found) == w.edges || len(found) == 0 {
		return len(found) > 0
	}
	at := 0
	for r, end := range w.segment[1 : w.rows+1] {
		for at < len(found) && found[at] < end {
			at++
		}
		w.segment[r+1] = int32(at)
	}
	w.neighbors = take(k.neighbors, w.neighbors, found)
	w.edgeIDs, w.found = take(k.edgeIDs, w.edgeIDs, found), found
	w.typing.narrow(k.types, found)
	w.edges, w.located = len(found), false
	return true
}

// take copies those elements of list that which names to dst, and returns them.
func take(dst, list, which []int32) []int32 {
	dst = dst[:len(which)]
	for i, e := range which {
		dst[i] = list[e]
	}
	return dst
}
