package cpu

// Hubs: rows with so many edges that whoever has one would work on it alone when
// all others are done. Their edges are cut into parts, by their number alone. Every
// part has accumulators of its own, which are merged in the order of the parts:
// again nothing depends on the number of threads.
//
// A hub runs a kernel compiled for it, whose row values all live in registers, so
// that the state of a row can be carried from one worker to another.

import (
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// hubParts is how many parts' worth of edges make a row a hub.
const hubParts = 2

// attendedEdges is how many a row may have at least where attention is one walk, which
// parts of a hub are not: on one goroutine they take some 100 µs of 64 columns.
const attendedEdges = 16384

// rowState is the row registers of a tile of one row.
type rowState[T kern.Float] struct {
	floats []T
	ints   []int32
}

// merger is a reducer whose accumulators can be merged.
type merger[T kern.Float] interface {
	reducer[T]
	// merge takes the accumulators of a later part into those of the worker's row.
	merge(w *worker[T], later hubPart, part rowState[T])
}

// hubKernel compiles a kernel for hubs; nil if it has no loops.
func hubKernel[T kern.Float](x *Program[T], p *plan.Kernel) *kernel[T] {
	if len(p.Loops) == 0 {
		return nil
	}
	k := compileFor(x, p, forHubs, nil)
	perPart := int(chunkCost / max(k.cost.edge, 1))
	k.partEdges = max(ceil(perPart, k.wholeEdges), 1) * k.wholeEdges
	return k
}

// isHub tells whether a tile is a hub: then it is a row, since no tile of several
// rows has as many edges.
func (k *kernel[T]) isHub(csr *graph.CSR, lo, n, whole int) bool {
	return k.hub != nil && csr != nil && int(csr.Offsets[lo+n]-csr.Offsets[lo]) > k.hubEdges(whole)
}

// hubEdges is the number of edges beyond which a row is a hub, where one of so many is
// taken whole.
func (k *kernel[T]) hubEdges(whole int) int {
	return max(hubParts*k.hub.partEdges, k.tileEdges, whole)
}

// hubRows returns the hubs of a graph.
func (k *kernel[T]) hubRows(csr *graph.CSR, whole int) []int32 {
	if k.hub == nil || csr == nil || csr.MaxDegree() <= k.hubEdges(whole) {
		return nil
	}
	order := csr.DegreeOrder()
	n := 0
	for n < len(order) && csr.Degree(int(order[n])) > k.hubEdges(whole) {
		n++
	}
	return order[:n]
}

// hubPart is a range of the positions of a hub's edges.
type hubPart struct{ hub, begin, end int }

// parts cuts the edges of hubs.
func (k *kernel[T]) parts(csr *graph.CSR, rows []int32) []hubPart {
	var out []hubPart
	for h, r := range rows {
		end := int(csr.Offsets[r+1])
		for at := int(csr.Offsets[r]); at < end; at += k.partEdges {
			out = append(out, hubPart{h, at, min(at+k.partEdges, end)})
		}
	}
	return out
}

// numParts is the number of parts that the kernel's hubs are cut into.
func (k *kernel[T]) numParts(csr *graph.CSR, hubs []int32) int {
	if len(hubs) == 0 {
		return 0
	}
	return len(k.hub.parts(csr, hubs))
}

// hubRun runs a kernel, which hubKernel has compiled, for hubs: a loop at a time, first
// its parts, then, hub by hub, what follows. Where the kernel sums over all rows or edges,
// several parts in turn, or hubs, have partial sums together.
type hubRun[T kern.Float] struct {
	*kernel[T]
	run     *run[T]
	csr     *graph.CSR
	rows    []int32
	beside  []T
	ofGraph [][]T
	sums    partials[T]
	packs   *packing[T]

	parts  []hubPart
	turns  int   // of the parts
	first  []int // part of each hub
	floats *[]T  // row registers of the hubs, then of the parts
	ints   []int32
}

// hubs prepares a run of the kernel's hubs, nil if there are none.
func (k *kernel[T]) hubs(r *run[T], csr *graph.CSR, rows []int32, beside []T, sums *partials[T]) *hubRun[T] {
	if len(rows) == 0 {
		return nil
	}
	h := &hubRun[T]{kernel: k.hub, run: r, csr: csr, rows: rows, beside: beside, ofGraph: k.hub.keptOfGraph(r, csr), sums: *sums, packs: k.hub.pack(r)}
	h.parts = h.kernel.parts(csr, rows)
	h.turns = len(h.parts)
	if sums.size > 0 {
		h.turns = min(h.turns, sums.hubs)
	}
	h.first = make([]int, len(rows)+1)
	for _, p := range h.parts {
		h.first[p.hub+1]++
	}
	for i := range rows {
		h.first[i+1] += h.first[i]
	}
	states := len(rows) + len(h.parts)
	h.floats, h.ints = r.borrow(states*h.rowFloats), make([]int32, states*h.rowInts)
	h.inTurns(len(rows), func(w *worker[T], i int) {
		h.enterHub(w, i)
		execAll(w, h.pre)
		w.save(h.state(i))
	})
	return h
}

func (h *hubRun[T]) giveBack() {
	if h != nil {
		h.run.giveBack(h.floats)
		h.packs.giveBack(h.run)
	}
}

// besides runs the chunks of the rows that are no hubs, and the hubs' first loop with them:
// before them, so that one goroutine reads what a hub sums while others write rows.
func (h *hubRun[T]) besides(r *run[T], chunks int, rows func(w *worker[T], chunk int)) {
	if h == nil {
		r.parallel(chunks, rows)
		return
	}
	r.parallel(h.turns+chunks, func(w *worker[T], i int) {
		if i < h.turns {
			h.turn(w, i, h.turns, len(h.parts), func(w *worker[T], p int) { h.sum(w, h.loops[0], p) })
		} else {
			rows(w, i-h.turns)
		}
	})
}

// finish runs what follows the first loop.
func (h *hubRun[T]) finish() {
	if h == nil {
		return
	}
	for n, l := range h.loops {
		if n > 0 {
			h.inTurns(len(h.parts), func(w *worker[T], p int) { h.sum(w, l, p) })
		}
		h.inTurns(len(h.rows), func(w *worker[T], i int) {
			h.merge(w, l, i)
			execAll(w, l.post)
			if n == len(h.loops)-1 {
				execAll(w, h.stores)
				execAll(w, h.kernel.sums)
			}
			w.save(h.state(i))
		})
	}
}

// inTurns does something for n hubs or parts.
func (h *hubRun[T]) inTurns(n int, do func(w *worker[T], i int)) {
	turns := min(h.turns, n)
	h.run.parallel(turns, func(w *worker[T], turn int) { h.turn(w, turn, turns, n, do) })
}

// turn does it for those of one turn.
func (h *hubRun[T]) turn(w *worker[T], turn, turns, n int, do func(w *worker[T], i int)) {
	w.enter(h.kernel, h.packs.weights(), h.sums.ofHubs(turn))
	w.beside, w.ofGraph = h.beside, h.ofGraph
	for i := turn * n / turns; i < (turn+1)*n/turns; i++ {
		do(w, i)
	}
}

// sum runs a loop for a part.
func (h *hubRun[T]) sum(w *worker[T], l *loop[T], part int) {
	p := h.parts[part]
	h.enterHub(w, p.hub)
	w.load(h.state(p.hub))
	h.inTiles(w, l, h.csr, p.begin, p.end)
	w.save(h.state(len(h.rows) + part))
}

// merge takes the accumulators of a hub's parts together.
func (h *hubRun[T]) merge(w *worker[T], l *loop[T], hub int) {
	h.enterHub(w, hub)
	w.load(h.state(len(h.rows) + h.first[hub]))
	for p := h.first[hub] + 1; p < h.first[hub+1]; p++ {
		for _, a := range l.reduce {
			a.(merger[T]).merge(w, h.parts[p], h.state(len(h.rows)+p))
		}
	}
}

func (h *hubRun[T]) enterHub(w *worker[T], hub int) {
	r := h.rows[hub]
	w.csr = h.csr
	w.firstRow, w.vertex, w.rows = int(r), int(r), 1
	if h.csr.Vertices != nil {
		w.vertex = int(h.csr.Vertices[r])
	}
}

// state is the row registers of a hub or, after all hubs, of a part.
func (h *hubRun[T]) state(i int) rowState[T] {
	return rowState[T]{(*h.floats)[i*h.rowFloats:][:h.rowFloats], h.ints[i*h.rowInts:][:h.rowInts]}
}

func (w *worker[T]) load(s rowState[T]) {
	copy(w.row, s.floats)
	copy(w.rowInts, s.ints)
}

func (w *worker[T]) save(s rowState[T]) {
	copy(s.floats, w.row)
	copy(s.ints, w.rowInts)
}

// of returns a row register.
func (s rowState[T]) of(o *operand[T]) []T { return s.floats[o.offset:][:o.width] }

func (s *sum[T]) merge(w *worker[T], _ hubPart, part rowState[T]) {
	acc := w.own(&s.acc)
	w.set.Add(acc, acc, part.of(&s.acc))
}

func (s *scaledSum[T]) merge(w *worker[T], _ hubPart, part rowState[T]) {
	acc := w.own(&s.acc)
	w.set.Add(acc, acc, part.of(&s.acc))
}

func (m *maximum[T]) merge(w *worker[T], later hubPart, part rowState[T]) {
	acc, of, width := w.own(&m.acc), part.of(&m.acc), m.x.width
	if m.types == 0 {
		w.set.Max(acc, acc, of)
		return
	}
	for t := range m.types {
		to, from := acc[t*width:][:width], of[t*width:][:width]
		switch lo, hi := w.runOf(int32(t)); {
		case hi <= later.begin: // the part has no edge of the type,
		case later.begin <= lo: // nor have those before it
			copy(to, from)
		default:
			w.set.Max(to, to, from)
		}
	}
}

// runOf returns the positions [lo, hi) of the edges of a type that the worker's row has.
func (w *worker[T]) runOf(t int32) (lo, hi int) {
	begin, end := int(w.csr.Offsets[w.firstRow]), int(w.csr.Offsets[w.firstRow+1])
	types := w.csr.Types[begin:end] // in order
	lo, _ = slices.BinarySearch(types, t)
	hi, _ = slices.BinarySearch(types, t+1)
	return begin + lo, begin + hi
}

func (m *argmax[T]) merge(w *worker[T], _ hubPart, part rowState[T]) {
	acc, best := w.ownIDs(&m.acc), w.own(&m.best)
	ids := part.ints[m.acc.offset:][:m.acc.width]
	for k, v := range part.of(&m.best) {
		if ids[k] >= 0 && (acc[k] < 0 || beats(ids[k], v, acc[k], best[k])) {
			acc[k], best[k] = ids[k], v
		}
	}
}
