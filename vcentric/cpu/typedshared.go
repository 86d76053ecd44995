package cpu

// Products of sums by type where few rows of x are read: the edges of a tile come from
// few vertices, as those of the leaves around a hub do. The rows that are read are
// multiplied with the matrices of the types they are read for, and the results, not
// the rows, are summed: Σ_t (Σ over type t of x_e)·W[t] = Σ (x_e·W[type of e]).

import "github.com/asterias-ml/asterias/tensor/kern"

// sources is the pairs of a row of x and a type that edges of the tile read, in order of
// types.
type sources struct {
	used    bool    // by the tile
	ids     []int32 // of the rows of x
	ofTypes []int32 // type t has sources [ofTypes[t], ofTypes[t+1])
	ofEdge  []int32 // the source of each edge

	bounds []int32 // source i has edges order[bounds[i]:bounds[i+1]]
	order  []int32
	rows   []int32 // of those edges

	found []source // in the order of their first edges
	table []int32  // by a hash, one of those, or -1
	next  []int32  // where the next one of each type, or the next edge of each source, goes
	at    []int32  // where each one found went
}

type source struct{ id, typ int32 }

// find finds the sources of edges of some types that pick some ids. It tells whether there
// are no more than most; it gives up soon where almost every edge has one of its own.
func (s *sources) find(typeOf, ids []int32, types, most int) bool {
	const soon = 128 // edges
	bits := 2
	for 1<<bits < 4*most {
		bits++
	}
	s.table = resized(s.table, 1<<bits)
	for i := range s.table {
		s.table[i] = -1
	}
	s.found, s.ofEdge = s.found[:0], resized(s.ofEdge, len(ids))
	for e, id := range ids {
		key := source{id, typeOf[e]}
		h := key.hash(bits)
		for s.table[h] >= 0 && s.found[s.table[h]] != key {
			h = (h + 1) & (1<<bits - 1)
		}
		if s.table[h] < 0 {
			n := len(s.found)
			if n == most || e < soon && 2*n >= soon {
				return false
			}
			s.table[h] = int32(n)
			s.found = append(s.found, key)
		}
		s.ofEdge[e] = s.table[h]
	}
	s.sort(types)
	return true
}

// hash is a number of so many bits.
func (s source) hash(bits int) uint32 {
	const golden = 0x9E3779B1 // 2³² over the golden ratio
	return (uint32(s.id)*golden + uint32(s.typ)) * golden >> (32 - bits)
}

// sort puts the sources in the order of their types.
func (s *sources) sort(types int) {
	s.ofTypes = resized(s.ofTypes, types+1)
	clear(s.ofTypes)
	for _, f := range s.found {
		s.ofTypes[f.typ+1]++
	}
	for t := range types {
		s.ofTypes[t+1] += s.ofTypes[t]
	}
	s.next = append(s.next[:0], s.ofTypes[:types]...)
	s.ids, s.at = resized(s.ids, len(s.found)), resized(s.at, len(s.found))
	for i, f := range s.found {
		s.at[i] = s.next[f.typ]
		s.next[f.typ]++
		s.ids[s.at[i]] = f.id
	}
	for e, i := range s.ofEdge {
		s.ofEdge[e] = s.at[i]
	}
}

// sortEdges puts the edges, which belong to some rows, in the order of their sources.
func (s *sources) sortEdges(rowOf []int32) {
	n := len(s.ids)
	s.bounds = resized(s.bounds, n+1)
	clear(s.bounds)
	for _, i := range s.ofEdge {
		s.bounds[i+1]++
	}
	for i := range n {
		s.bounds[i+1] += s.bounds[i]
	}
	s.next = append(s.next[:0], s.bounds[:n]...)
	s.order, s.rows = resized(s.order, len(s.ofEdge)), resized(s.rows, len(s.ofEdge))
	for e, i := range s.ofEdge {
		at := s.next[i]
		s.next[i] = at + 1
		s.order[at], s.rows[at] = int32(e), rowOf[e]
	}
}

// sharedSum is a tile's sum by type of few rows of x.
type sharedSum[T kern.Float] struct {
	sources
	factors []T // of each edge; empty for 1
	picked  []T // those of edges in order of their sources
}

// isShared tells whether the tile has at least twice as many pairs with edges as
// sources, which it finds then. Where pairs have many edges each, their sums come first anyway.
func (i *slotSum[T]) isShared(w *worker[T], pairs int) bool {
	const least = 16 // pairs for which it is worth a try
	if i.x.place != otherBuffer || i.group != i.x.width || pairs < least || w.edges > 2*pairs {
		return false
	}
	_, ids := w.indexed(&i.x)
	return w.shared.find(w.typing.edge, ids, i.types, pairs/2)
}

// factors puts what each edge of the tile is multiplied with into w.shared.
func (i *slotSum[T]) factors(w *worker[T]) {
	s := &w.shared
	s.factors = s.factors[:0]
	if i.weight != nil {
		s.factors = append(s.factors, w.side(i.weight, overEdges, w.narrow)...)
	}
	if i.by == nil {
		return
	}
	by := w.side(i.by, overRows, w.narrow)
	_, bounds := w.runs(i.types)
	for p, b := range by {
		for e := bounds[p]; e < bounds[p+1]; e++ {
			if i.weight != nil {
				s.factors[e] *= b
			} else {
				s.factors = append(s.factors, b)
			}
		}
	}
}

// sharedProduct computes Σ_t (the sum of type t)·W[t] from the sources' rows.
func (i *slotProduct[T]) sharedProduct(w *worker[T]) {
	s, in, out := &w.shared, i.sum.x.width, i.weight.out
	data, _ := w.indexed(&i.sum.x)
	x, y := w.own(&i.sum.dst)[:len(s.ids)*in], w.scratch[0][:len(s.ids)*out]
	w.set.GatherRows(x, data, in, s.ids)
	i.byTypes(w, y, x, s.ofTypes)
	i.sum.factors(w)
	dst, segment, ends := w.own(&i.dst), w.segment[:w.rows+1], kern.Ends[T]{Past: w.past(&i.dst)}
	if len(s.factors) == 0 {
		w.set.SegmentGatherSum(dst, y, out, s.ofEdge, segment, out, ends, kern.Next[T]{})
	} else {
		w.set.SegmentScaleSum(dst, y, out, s.ofEdge, segment, s.factors, out, ends, kern.Next[T]{})
	}
}

// sharedRows returns the sums of the rows of an operand over the edges of each source.
func (w *worker[T]) sharedRows(of []T, width int) []T {
	s := &w.shared
	s.sortEdges(w.locate())
	sums := w.scratch[1][:len(s.ids)*width]
	if len(s.factors) == 0 {
		w.set.SegmentGatherSum(sums, of, width, s.rows, s.bounds, max(width, 1), kern.Ends[T]{}, kern.Next[T]{})
		return sums
	}
	s.picked = s.picked[:0]
	for _, e := range s.order {
		s.picked = append(s.picked, s.factors[e])
	}
	w.set.SegmentScaleSum(sums, of, width, s.rows, s.bounds, s.picked, max(width, 1), kern.Ends[T]{}, kern.Next[T]{})
	return sums
}
