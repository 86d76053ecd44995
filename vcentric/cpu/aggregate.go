package cpu

// Aggregates: accumulators of the tile's rows, fed by their edges in order.

import "github.com/asterias-ml/asterias/tensor/kern"

// sum: acc[r] = Σ over the edges of row r of x
type sum[T kern.Float] struct {
	acc operand[T]
	x   operand[T]
}

func (s *sum[T]) start(w *worker[T]) { clear(w.own(&s.acc)) }

func (s *sum[T]) accumulate(w *worker[T]) {
	acc, width := w.own(&s.acc), s.acc.width
	x, ids := w.indexed(&s.x)
	switch {
	case width == 1 && s.x.place == edgeRegister:
		for r := range acc {
			acc[r] += w.set.Sum(x[w.segment[r]:w.segment[r+1]])
		}
	case width == 1:
		for r := range acc {
			a := acc[r]
			for _, id := range ids[w.segment[r]:w.segment[r+1]] {
				a += x[id]
			}
			acc[r] = a
		}
	default:
		for r := range w.rows {
			w.set.GatherSum(acc[r*width:(r+1)*width], x, width, ids[w.segment[r]:w.segment[r+1]])
		}
	}
}

// scaledSum: acc[r] = Σ over the edges of row r of weight * x, where a weight
// scales a group of neighbouring columns (a head of attention).
type scaledSum[T kern.Float] struct {
	acc    operand[T]
	x      operand[T] // of acc's width
	weight operand[T] // a number for each group
	group  int
}

func (s *scaledSum[T]) start(w *worker[T]) { clear(w.own(&s.acc)) }

func (s *scaledSum[T]) accumulate(w *worker[T]) {
	acc, width, groups := w.own(&s.acc), s.acc.width, s.weight.width
	weight := w.side(&s.weight, overEdges, w.narrow)
	x, ids := w.indexed(&s.x)
	for r := range w.rows {
		lo, hi := int(w.segment[r]), int(w.segment[r+1])
		if lo == hi {
			continue
		}
		a, of := acc[r*width:(r+1)*width], weight[lo*groups:]
		if groups == 1 {
			w.set.GatherScaleSum(a, x, width, ids[lo:hi], of, 1)
		} else {
			w.set.GatherScaleSumHeads(a, x, width, ids[lo:hi], of, groups, s.group)
		}
	}
}

// maximum: acc[r] = the largest x over the edges of row r, 0 if it has none
type maximum[T kern.Float] struct {
	acc operand[T]
	x   operand[T]
}

func (m *maximum[T]) start(w *worker[T]) { clear(w.own(&m.acc)) }

func (m *maximum[T]) accumulate(w *worker[T]) {
	acc, width := w.own(&m.acc), m.acc.width
	x, ids := w.indexed(&m.x)
	for r := range w.rows {
		edges := ids[w.segment[r]:w.segment[r+1]]
		if len(edges) == 0 {
			continue
		}
		best := acc[r*width : (r+1)*width]
		if !w.more {
			copy(best, x[int(edges[0])*width:])
		}
		if width == 1 && m.x.place == edgeRegister {
			if v := w.set.MaxOf(x[w.segment[r]:w.segment[r+1]]); v > best[0] || v != v {
				best[0] = v
			}
			continue
		}
		w.set.GatherMax(best, x, width, edges)
	}
}

// argmax: acc[r] = the id of the first edge of row r whose x is the largest, -1
// if it has none; NaN is larger than every number
type argmax[T kern.Float] struct {
	acc  operand[T] // ids
	best operand[T] // a register for the largest so far
	x    operand[T]
}

func (m *argmax[T]) start(w *worker[T]) {
	acc := w.ownIDs(&m.acc)
	for i := range acc {
		acc[i] = -1
	}
}

func (m *argmax[T]) accumulate(w *worker[T]) {
	acc, best, width := w.ownIDs(&m.acc), w.own(&m.best), m.acc.width
	x, ids := w.indexed(&m.x)
	for r := range w.rows {
		arg, max := acc[r*width:(r+1)*width], best[r*width:(r+1)*width]
		for e := w.segment[r]; e < w.segment[r+1]; e++ {
			row := x[int(ids[e])*width:][:width]
			for k, v := range row {
				if arg[k] < 0 || v > max[k] || v != v && max[k] == max[k] {
					arg[k], max[k] = w.edgeIDs[e], v
				}
			}
		}
	}
}
