package cpu

// Aggregates: accumulators of the tile's rows, fed by their edges in order.

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// sum: acc[r] = Σ over the edges of row r of x
type sum[T kern.Float] struct {
	acc   operand[T]
	x     operand[T]
	types int // if not 0: a sum for each of so many edge types (see runs)

	listed bool // x is winners, of which there may be lists
}

func (s *sum[T]) register() *operand[T] { return &s.acc }

func (s *sum[T]) start(w *worker[T]) { clear(w.own(&s.acc)) }

func (s *sum[T]) accumulate(w *worker[T]) {
	width := s.x.width
	if s.listed && w.wins.lists {
		if !w.more {
			s.start(w)
		}
		w.wins.addTo(w.own(&s.acc), width, w.segment[:w.rows+1])
		return
	}
	if width != 1 && !s.isNarrow() {
		s.into(w, w.own(&s.acc), max(width, 1), kern.Ends[T]{More: w.more, Past: w.past(&s.acc)})
		return
	}
	if !w.more {
		s.start(w)
	}
	acc := w.own(&s.acc)
	if s.types == 0 {
		w.set.SegmentSum(acc, w.side(&s.x, overEdges, w.narrow), width, w.segment[:w.rows+1])
		return
	}
	x, ids := w.indexed(&s.x)
	slots, bounds := w.runs(s.types)
	if s.x.isDense(overEdges) {
		for i, r := range slots {
			acc[r] += w.set.Sum(x[bounds[i]:bounds[i+1]])
		}
		return
	}
	for i, r := range slots {
		a := acc[r]
		for _, id := range ids[bounds[i]:bounds[i+1]] {
			a += x[id]
		}
		acc[r] = a
	}
}

// isNarrow tells whether a few columns side by side are summed.
func (s *sum[T]) isNarrow() bool {
	return s.types == 0 && s.x.width > 0 && s.x.width <= rowwise && s.x.isDense(overEdges)
}

// into puts the sums of wide rows into acc; group is of what ends multiply with.
func (s *sum[T]) into(w *worker[T], acc []T, group int, ends kern.Ends[T]) {
	x, ids := w.indexed(&s.x)
	_, bounds := w.runs(s.types)
	w.set.SegmentGatherSum(acc, x, s.x.width, ids, bounds, group, ends, w.next())
}

// scaledSum: acc[r] = Σ over the edges of row r of weight * x, where a weight
// scales a group of neighbouring columns (a head of attention).
type scaledSum[T kern.Float] struct {
	acc     operand[T]
	x       operand[T] // of acc's width
	weight  operand[T] // a number for each group
	group   int
	types   int // as in sum
	ofGraph int // the number of the weight among the kernel's values of the graph; -1 if it is none
}

func (s *scaledSum[T]) register() *operand[T] { return &s.acc }

func (s *scaledSum[T]) start(w *worker[T]) { clear(w.own(&s.acc)) }

func (s *scaledSum[T]) accumulate(w *worker[T]) {
	s.into(w, w.own(&s.acc), s.group, kern.Ends[T]{More: w.more, Past: w.past(&s.acc)})
}

func (s *scaledSum[T]) into(w *worker[T], acc []T, group int, ends kern.Ends[T]) {
	weight := w.weightsOfGraph(s)
	if weight == nil && s.byFactors() {
		x, ids := w.indexed(&s.x)
		_, bounds := w.runs(s.types)
		w.set.SegmentFactorSum(acc, x, s.x.width, ids, bounds, w.run.mem.Floats[s.weight.buffer], ends)
		return
	}
	if weight == nil {
		weight = w.side(&s.weight, overEdges, w.narrow)
	}
	x, ids := w.indexed(&s.x)
	_, bounds := w.runs(s.types)
	w.set.SegmentScaleSum(acc, x, s.x.width, ids, bounds, weight, group, ends, w.next())
}

// byFactors tells whether each row of x has its weight beside it, at the other end of the
// edge. Kernels read it there: copied to the edges first, the weights took 1.0 to 1.3 times
// as long at 64 columns and 1.0 at 128, at up to 48 columns up to twice.
func (s *scaledSum[T]) byFactors() bool {
	return s.x.place == otherBuffer && s.x.types == 0 &&
		s.weight.place == otherBuffer && s.weight.types == 0 && s.weight.width == 1
}

// maximum: acc[r] = the largest x over the edges of row r, 0 if it has none
type maximum[T kern.Float] struct {
	acc   operand[T]
	x     operand[T]
	types int // as in sum
}

func (m *maximum[T]) start(w *worker[T]) { clear(w.own(&m.acc)) }

// startEmpty starts the rows without edges: others begin with the first one's.
func (m *maximum[T]) startEmpty(w *worker[T]) {
	acc, width := w.own(&m.acc), m.x.width
	for r, end := range w.segment[1 : w.rows+1] {
		if w.segment[r] == end {
			clear(acc[r*width:][:width])
		}
	}
}

func (m *maximum[T]) accumulate(w *worker[T]) {
	switch {
	case w.more:
	case m.types == 0:
		m.startEmpty(w)
	default:
		m.start(w)
	}
	acc, width := w.own(&m.acc), m.x.width
	x, ids := w.indexed(&m.x)
	if m.types == 0 && width > 0 && width <= rowwise && m.x.isDense(overEdges) {
		w.set.SegmentMax(acc, x, width, w.segment[:w.rows+1], w.more)
		return
	}
	slots, bounds := w.runs(m.types)
	for i, r := range slots {
		edges := ids[bounds[i]:bounds[i+1]]
		if len(edges) == 0 {
			continue
		}
		best := acc[int(r)*width:][:width]
		if !w.continued(bounds[i], m.types) {
			copy(best, x[int(edges[0])*width:])
			edges = edges[1:]
		}
		if len(edges) == 0 {
			continue
		}
		if width == 1 && m.x.isDense(overEdges) {
			if v := w.set.MaxOf(x[bounds[i]:bounds[i+1]]); v > best[0] || v != v {
				best[0] = v
			}
			continue
		}
		w.set.GatherMax(best, x, width, edges)
	}
}

// argmax: acc[r] = the least id of an edge of row r whose x is the largest, -1 if
// it has none; NaN is larger than every number. Edges with types do not come in
// the order of their ids.
type argmax[T kern.Float] struct {
	acc   operand[T] // ids
	best  operand[T] // a register for the largest so far
	x     operand[T]
	types int // as in sum
}

func (m *argmax[T]) start(w *worker[T]) {
	acc := w.ownIDs(&m.acc)
	for i := range acc {
		acc[i] = -1
	}
	fill(w.own(&m.best), T(math.Inf(-1)))
}

func (m *argmax[T]) accumulate(w *worker[T]) {
	if !w.more {
		m.start(w)
	}
	acc, best, width := w.ownIDs(&m.acc), w.own(&m.best), m.x.width
	x, ids := w.indexed(&m.x)
	slots, bounds := w.runs(m.types)
	for i, r := range slots {
		lo, hi := bounds[i], bounds[i+1]
		w.set.GatherArgMax(best[int(r)*width:][:width], acc[int(r)*width:][:width], x, width, ids[lo:hi], w.edgeIDs[lo:hi])
	}
}

// beats tells whether edge id with value v wins over edge arg with the value max.
func beats[T kern.Float](id int32, v T, arg int32, max T) bool {
	nan := v != v
	tie := v == max || nan && max != max
	return v > max || nan && !tie || tie && id < arg
}
