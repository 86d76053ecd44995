package cpu

// Edge values in memory. What kernels of a run keep of edges for one another lies in the
// order in which one of them walks its rows (plan.Home): that one writes and reads it
// side by side, and one that walks the other way picks it, at the positions that the
// graph has for that (graph.CSR.PositionsIn). Other values of edges stand at their ids.

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// edgePlace is where a buffer has the rows of edges.
func (x *Program[T]) edgePlace(b *plan.Buffer) place {
	rows, ok := x.plan.Home(b)
	switch {
	case !ok:
		return edgeBuffer
	case ir.Over(rows) == ir.Out:
		return outEdgeBuffer
	}
	return inEdgeBuffer
}

// isOfEdges tells whether a buffer has a row of the operand for each edge.
func (o *operand[T]) isOfEdges() bool {
	return o.place == edgeBuffer || o.place == inEdgeBuffer || o.place == outEdgeBuffer
}

// home lists the edges in the order of a place.
func (w *worker[T]) home(at place) *graph.CSR {
	if at == outEdgeBuffer {
		return w.run.g.Out()
	}
	return w.run.g.In()
}

// inOrder returns where the edges of the tile stand at a place, if they do so side by
// side and in order: at their ids, where the graph's edges are sorted so.
func (w *worker[T]) inOrder(at place) (begin int, ok bool) {
	switch {
	case w.found != nil:
		return 0, false
	case at == edgeBuffer:
		return w.begin, w.csr.IDsInOrder()
	}
	return w.begin, w.home(at) == w.csr
}

// keptInOrder returns the rows of an operand where they lie side by side in memory, else nil.
func (w *worker[T]) keptInOrder(o *operand[T]) []T {
	if o.types > 0 || !o.isOfEdges() {
		return nil
	}
	at, ok := w.inOrder(o.place)
	if !ok {
		return nil
	}
	return w.run.mem.Floats[o.buffer][at*o.width:][:w.edges*o.width]
}

// positions lists where the edges of the tile stand at inEdgeBuffer or outEdgeBuffer.
func (w *worker[T]) positions(at place) []int32 {
	home := w.home(at)
	if home != w.csr && w.found == nil {
		return w.csr.PositionsIn(home)[w.begin:][:w.edges]
	}
	list, made := w.makeList(int(at))
	switch {
	case made:
	case home != w.csr:
		take(list, w.csr.PositionsIn(home)[w.begin:], w.found)
	default:
		for e := range list {
			list[e] = int32(w.begin + e)
			if w.found != nil {
				list[e] = int32(w.begin) + w.found[e]
			}
		}
	}
	return list
}

// recall: dst[e] = the row of a buffer that belongs to edge e, for all who read it
type recall[T kern.Float] struct{ dst, x operand[T] }

func (i *recall[T]) exec(w *worker[T]) {
	if w.keptInOrder(&i.x) != nil {
		return // dst is there
	}
	x, ids := w.indexed(&i.x)
	w.set.GatherRows(w.dense(&i.dst), x, i.x.width, ids)
}

// recall returns the instruction that reads a buffer of edges.
func (c *compiler[T]) recall(o operand[T]) instr[T] {
	i := c.recalled[o.buffer]
	if i == nil {
		i = &recall[T]{dst: c.narrowRegister(o.width), x: o}
		if o.types == 0 {
			i.dst.home, i.dst.buffer = o.place, o.buffer
		}
		c.recalled[o.buffer] = i
	}
	return i
}
