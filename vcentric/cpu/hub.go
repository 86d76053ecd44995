package cpu

// Hubs: rows with so many edges that whoever has one would work on it alone when
// all others are done. Their edges are cut into parts, by their number alone. Every
// part has accumulators of its own, which are merged in the order of the parts:
// again nothing depends on the number of threads.
//
// A hub runs a kernel compiled for it, whose row values all live in registers, so
// that the state of a row can be carried from one worker to another.

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// hubParts is how many parts' worth of edges make a row a hub.
const hubParts = 2

// attendedEdges is how many a row may have at least where attention is one walk, which
// parts of a hub are not: on one goroutine they take some 50 µs.
const attendedEdges = 8192

// rowState is the row registers of a tile of one row.
type rowState[T kern.Float] struct {
	floats []T
	ints   []int32
}

// merger is a reducer whose accumulators can be merged.
type merger[T kern.Float] interface {
	reducer[T]
	// merge takes the accumulators of a later part into those of the worker's row.
	merge(w *worker[T], part rowState[T])
}

// hubKernel compiles a kernel for hubs; nil if it cannot run them in parts.
func hubKernel[T kern.Float](x *Program[T], p *plan.Kernel) *kernel[T] {
	if len(p.Loops) == 0 {
		return nil
	}
	k := compileFor(x, p, forHubs, nil)
	for _, l := range k.loops {
		for _, a := range l.reduce {
			if m, ok := a.(*maximum[T]); ok && m.types > 0 {
				return nil // which does not say for which types a part has edges
			}
		}
	}
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

// runHubs runs the kernel, which hubKernel has compiled, for hubs: a loop at a time,
// first its parts, then, hub by hub, what follows. Where the kernel sums over all rows
// or edges, several parts in turn, or hubs, have partial sums together.
func (k *kernel[T]) runHubs(r *run[T], csr *graph.CSR, rows []int32, beside []T, sums partials[T]) {
	packs := k.pack(r)
	defer packs.giveBack(r)
	parts := k.parts(csr, rows)
	turns := len(parts)
	if sums.size > 0 {
		turns = min(turns, sums.hubs)
	}
	inTurns := func(n int, do func(w *worker[T], i int)) {
		turns := min(turns, n)
		r.parallel(turns, func(w *worker[T], turn int) {
			for i := turn * n / turns; i < (turn+1)*n/turns; i++ {
				w.enter(k, packs.weights(), sums.ofHubs(turn))
				w.beside = beside
				do(w, i)
			}
		})
	}
	buf := r.borrow((len(rows) + len(parts)) * k.rowFloats)
	defer r.giveBack(buf)
	ints := make([]int32, (len(rows)+len(parts))*k.rowInts)
	state := func(i int) rowState[T] { // the hubs', then the parts'
		return rowState[T]{(*buf)[i*k.rowFloats:][:k.rowFloats], ints[i*k.rowInts:][:k.rowInts]}
	}
	enter := func(w *worker[T], hub int) { w.firstRow, w.rows = int(rows[hub]), 1 }
	inTurns(len(rows), func(w *worker[T], h int) {
		enter(w, h)
		execAll(w, k.pre)
		w.save(state(h))
	})
	for i, l := range k.loops {
		inTurns(len(parts), func(w *worker[T], p int) {
			enter(w, parts[p].hub)
			w.load(state(parts[p].hub))
			k.inTiles(w, l, csr, parts[p].begin, parts[p].end)
			w.save(state(len(rows) + p))
		})
		first := make([]int, len(rows)+1) // part of each hub
		for _, p := range parts {
			first[p.hub+1]++
		}
		for h := range rows {
			first[h+1] += first[h]
		}
		inTurns(len(rows), func(w *worker[T], h int) {
			enter(w, h)
			w.load(state(len(rows) + first[h]))
			for p := first[h] + 1; p < first[h+1]; p++ {
				for _, a := range l.reduce {
					a.(merger[T]).merge(w, state(len(rows)+p))
				}
			}
			execAll(w, l.post)
			if i == len(k.loops)-1 {
				execAll(w, k.stores)
				execAll(w, k.sums)
			}
			w.save(state(h))
		})
	}
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

func (s *sum[T]) merge(w *worker[T], part rowState[T]) {
	acc := w.own(&s.acc)
	w.set.Add(acc, acc, part.of(&s.acc))
}

func (s *scaledSum[T]) merge(w *worker[T], part rowState[T]) {
	acc := w.own(&s.acc)
	w.set.Add(acc, acc, part.of(&s.acc))
}

func (m *maximum[T]) merge(w *worker[T], part rowState[T]) {
	acc := w.own(&m.acc)
	w.set.Max(acc, acc, part.of(&m.acc))
}

func (m *argmax[T]) merge(w *worker[T], part rowState[T]) {
	acc, best := w.ownIDs(&m.acc), w.own(&m.best)
	ids := part.ints[m.acc.offset:][:m.acc.width]
	for k, v := range part.of(&m.best) {
		if ids[k] >= 0 && (acc[k] < 0 || beats(ids[k], v, acc[k], best[k])) {
			acc[k], best[k] = ids[k], v
		}
	}
}
