package cpu

// Types of vertices and edges: which row of an operand an edge reads through
// them, a row's edges in runs of one type, and a tile's items grouped by type.

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// typing is what a worker knows of the types in its tile. What takes a pass over
// the edges is made when an instruction first asks for it.
type typing struct {
	row, other []int32 // of each row's vertex of the whole graph; of the vertices at the other ends
	own        []int32 // of the tile's vertices, where they do not lie side by side
	edge       []int32 // of each edge of the tile
	begin      int     // the position of its first edge
	narrowed   bool    // it has not all edges from there on

	lists [numLists][]int32
	made  [numLists]bool

	slots, bounds []int32 // of the runs
	cut           bool    // once they are made
	csr           *graph.CSR
	ofRows        rowBounds
	groups        groups
}

// A list is the row of an operand that each edge reads: one for each place, and
// one for those whose rows the edge's type picks from.
const numLists = 2 * (int(edgeTypeBuffer) + 1)

// enter tells the worker the types of a kernel's rows.
func (t *typing) enter(g *graph.Graph, rows ir.Residency) {
	row, other := g.DstTypes(), g.SrcTypes()
	if rows == ir.Src {
		row, other = other, row
	}
	if row != nil || other != nil || t.row != nil || t.other != nil { // few graphs have types
		t.row, t.other = row, other
	}
}

// at moves to positions [begin, end) of the rows' edges.
func (t *typing) at(csr *graph.CSR, begin, end int) {
	t.made, t.cut, t.csr = [numLists]bool{}, false, csr
	if csr.Types == nil {
		return
	}
	t.edge, t.begin, t.narrowed = csr.Types[begin:end], begin, false
}

// carried tells whether the position before the tile's first edge has one of its type.
func (t *typing) carried() bool {
	return !t.narrowed && t.begin > 0 && len(t.edge) > 0 && t.csr.Types[t.begin-1] == t.edge[0]
}

// narrow leaves those edges of the tile that which names; dst is room for their types.
func (t *typing) narrow(dst, which []int32) {
	t.made, t.cut = [numLists]bool{}, false
	if t.edge != nil {
		t.edge, t.narrowed = take(dst, t.edge, which), true
	}
}

// leave forgets the graph.
func (t *typing) leave() { t.row, t.other, t.edge, t.csr, t.ofRows.csr = nil, nil, nil, nil, nil }

// list returns the row of an operand at a place that each edge reads; types is as
// in operand.
func (w *worker[T]) list(at place, types int) []int32 {
	if types > 0 {
		return w.picks(at, int32(types))
	}
	switch at {
	case constant, paramBuffer:
		return w.run.prog.zeros[:w.edges]
	case edgeRegister:
		return w.run.prog.iota[:w.edges]
	case edgeBuffer:
		return w.edgeIDs
	case inEdgeBuffer, outEdgeBuffer:
		return w.positions(at)
	case ownRegister, ownBuffer:
		return w.locate()
	case otherBuffer:
		return w.neighbors
	case edgeTypeBuffer:
		return w.typing.edge
	}
	list, made := w.makeList(int(at))
	if !made {
		of, ends := w.typing.other, w.neighbors
		if at == ownTypeBuffer {
			of, ends = w.ownTypes(), w.locate()
		}
		for e, v := range ends[:len(list)] {
			list[e] = of[v]
		}
	}
	return list
}

// picks is list where each place has a row for each edge type.
func (w *worker[T]) picks(at place, types int32) []int32 {
	if at == constant || at == paramBuffer {
		return w.typing.edge
	}
	list, made := w.makeList(numLists/2 + int(at))
	if !made {
		of := w.typing.edge[:len(list)]
		for e, r := range w.list(at, 0)[:len(list)] {
			list[e] = r*types + of[e]
		}
	}
	return list
}

// makeList returns the list of a kind, and whether it is filled in already.
func (w *worker[T]) makeList(kind int) (list []int32, made bool) {
	t := &w.typing
	if made = t.made[kind]; !made {
		t.made[kind] = true
		if t.lists[kind] == nil {
			t.lists[kind] = make([]int32, w.run.prog.size.ids)
		}
	}
	return t.lists[kind][:w.edges], made
}

// ownTypes returns the type of the vertex of each row of the tile.
func (w *worker[T]) ownTypes() []int32 {
	if w.vertices == nil {
		return w.typing.row[w.vertex:][:w.rows]
	}
	t := &w.typing
	t.own = take(resized(t.own, w.rows), t.row, w.vertices)
	return t.own
}

// runs cuts the edges into what an aggregate adds up apart: accumulator slots[i], that
// is i, takes edges [bounds[i], bounds[i+1]), maybe none. Those are the rows, or with
// types the edges of each type of each row.
func (w *worker[T]) runs(types int) (slots, bounds []int32) {
	if types == 0 {
		return w.run.prog.iota[:w.rows], w.segment[:w.rows+1]
	}
	t := &w.typing
	if !t.cut {
		t.cut = true
		if offsets := t.csr.Offsets[w.firstRow:]; int(offsets[w.rows]-offsets[0]) == w.edges {
			t.bounds = append(t.bounds[:0], w.boundsOfRows(t.csr, w.firstRow, w.rows, types)...)
		} else {
			t.bounds = graph.CutByType(t.bounds, w.segment[:w.rows+1], t.edge, types)
		}
		for i := len(t.slots); i < w.rows*types; i++ {
			t.slots = append(t.slots, int32(i))
		}
	}
	return t.slots[:w.rows*types], t.bounds
}

// rowBounds is what graph.CutByType makes of all edges of some rows.
type rowBounds struct {
	csr         *graph.CSR
	first, rows int
	bounds      []int32
}

// boundsOfRows returns the bounds of all edges of some rows by type. The degrees
// of types are known from them before the edges' turn comes.
func (w *worker[T]) boundsOfRows(csr *graph.CSR, first, rows, types int) []int32 {
	b := &w.typing.ofRows
	if b.csr != csr || b.first != first || b.rows != rows {
		b.csr, b.first, b.rows = csr, first, rows
		offsets := csr.Offsets[first : first+rows+1]
		if !keepsOffsets(csr, types) {
			b.bounds = graph.CutByType(b.bounds, offsets, csr.Types[offsets[0]:], types)
			return b.bounds
		}
		b.bounds = resized(b.bounds, rows*types+1)
		kern.Bounds(b.bounds, csr.TypeOffsets()[first*types:][:len(b.bounds)])
	}
	return b.bounds
}

// keepsOffsets tells whether where the edges of each row and type begin is worth keeping
// with the graph: if that takes no more memory than the edges themselves.
func keepsOffsets(csr *graph.CSR, types int) bool {
	return csr.NumRows()*types <= 3*len(csr.Neighbors)
}

// continued tells whether the run from edge first on, which has any, goes on where the
// sub-tile before ended.
func (w *worker[T]) continued(first int32, types int) bool {
	return first == 0 && w.more && (types == 0 || w.typing.carried())
}

// groups is the items of a tile (its rows or its edges) in order of their types:
// group i is items order[bounds[i]:bounds[i+1]], all of type types[i].
type groups struct {
	sorted        bool // order is 0, 1, 2, ...
	order         []int32
	types, bounds []int32
	next          []int32 // where the next item of each type goes
	ids           []int32 // room for composed, and for order
}

// group sorts the items by type: stable, by counting.
func (w *worker[T]) group(typeOf []int32, numTypes int) *groups {
	g := &w.typing.groups
	if len(g.next) < numTypes+1 {
		g.next = make([]int32, numTypes+1)
	}
	next := g.next[:numTypes+1]
	clear(next)
	g.sorted = true
	last := int32(0)
	for _, t := range typeOf {
		next[t+1]++
		g.sorted = g.sorted && t >= last
		last = t
	}
	g.types, g.bounds = g.types[:0], g.bounds[:0]
	for t := range numTypes {
		if next[t+1] > 0 {
			g.types, g.bounds = append(g.types, int32(t)), append(g.bounds, next[t])
		}
		next[t+1] += next[t]
	}
	g.bounds = append(g.bounds, int32(len(typeOf)))
	if g.sorted {
		g.order = w.run.prog.iota[:len(typeOf)]
		return g
	}
	if len(g.ids) < w.run.prog.size.ids {
		g.ids = make([]int32, 2*w.run.prog.size.ids)
	}
	g.order = g.ids[w.run.prog.size.ids:][:len(typeOf)]
	for i, t := range typeOf {
		g.order[next[t]] = int32(i)
		next[t]++
	}
	return g
}

// typeOf returns, for each item of a level, the row that it reads of a parameter
// of its type.
func (w *worker[T]) typeOf(at level, of place) []int32 {
	switch {
	case at == overEdges:
		return w.list(of, 0)
	case of == ownTypeBuffer:
		return w.ownTypes()
	}
	return w.run.prog.iota[w.vertex:][:w.rows] // a kernel over the types themselves
}

// sideByType is side with the rows in the order of groups.
func (w *worker[T]) sideByType(o *operand[T], at level, g *groups, buf []T) []T {
	if g.sorted {
		return w.side(o, at, buf)
	}
	dst := buf[:w.count(at)*o.width]
	if o.isDense(at) {
		w.set.GatherRows(dst, w.dense(o), o.width, g.order)
		return dst
	}
	if at == overRows {
		w.set.GatherRows(dst, w.side(o, at, w.narrow), o.width, g.order)
		return dst
	}
	data, ids := w.indexed(o)
	w.set.GatherRows(dst, data, o.width, w.composed(ids, g.order))
	return dst
}

// composed returns ids[items[0]], ids[items[1]], ...; the next call overwrites it.
func (w *worker[T]) composed(ids, items []int32) []int32 {
	out := w.typing.groups.ids[:len(items)]
	for i, item := range items {
		out[i] = ids[item]
	}
	return out
}
