package cpu

// Winners as lists. The gradient of a maximum has a number for each row and column, where
// an edge won; if there are many edges a row, most edges that won anything won few of
// many columns. Such a kernel lists what each edge of a tile won, and its products and sums
// take the lists: a product with a row of few numbers is a sum of so many rows of the matrix.
//
// What a column that an edge did not win would add is a product with zero; left out, it adds
// nothing even where the other factor is NaN or infinite, as in tiles narrowed to winners.

import (
	"math/bits"
	"slices"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Lists are for winners of listedColumns or more, on graphs of listedEdges or more a row. A
// multiplication of a list takes some three times as long as one of a dense row. Measured with
// AVX2 on 33 edges a row, EdgeConv's backward pass takes 0.75 of the time at 64 columns and 0.6
// at 128; at 16, an edge that won anything won a seventh of the columns.
const (
	listedColumns = 32
	listedEdges   = 8
)

// listing says what a kernel can list.
type listing struct {
	value  *ir.Value // the winners
	buffer int       // of their ids
}

// listingOf finds winners, in a loop narrowed to them, that all who read them can take as
// lists; nil if there are none.
func (c *compiler[T]) listingOf(l *plan.Loop, v *ir.Value) *listing {
	ids := c.operand(v.Args[0])
	if v.Attr.Typed || v.Width() < listedColumns || ids.types > 0 || c.kept[v] != nil || len(c.aliases[v]) > 0 ||
		ids.place != ownBuffer && ids.place != otherBuffer {
		return nil
	}
	matrix := func(v, w *ir.Value) bool { // of a product that lists can make
		return len(w.Shape) == 2 && w.Res == ir.Param && v.Width() >= listedColumns && len(v.Shape) == 1
	}
	for _, r := range l.Edge {
		product := (r.Op == ir.OpMatMul || r.Op == ir.OpMatMulT) && r.Args[1] != v && matrix(r, r.Args[1])
		if slices.Contains(r.Args, v) && !product || r != v && r.Op == ir.OpWinner {
			return nil
		}
	}
	for _, r := range l.Reduce {
		if r.Args[0] == v && r.Attr.Typed {
			return nil
		}
	}
	for _, s := range l.Totals {
		if r := s.Value; r.Args[0] == v || r.Args[1] == v && (r.Attr.To != ir.Param || !matrix(r.Args[0], r)) {
			return nil
		}
	}
	return &listing{v, ids.buffer}
}

// reads tells whether an instruction that reads v may find a list.
func (l *listing) reads(v *ir.Value) bool { return l != nil && l.value == v }

// lists tells whether the kernel lists winners on the graph, which alone decides it.
func (k *kernel[T]) lists(r *run[T]) bool {
	if k.listing == nil {
		return false
	}
	rows := len(r.mem.Ints[k.listing.buffer]) / k.listing.value.Width()
	return r.g.NumEdges() >= listedEdges*rows
}

// wins is what the edges of a worker's tile won, edge by edge or column by column.
type wins[T kern.Float] struct {
	lists bool // the kernel at hand has it

	masks           []uint64
	edges, columns  winList[T]
	from            []int   // the places of the values of edges
	next            []int32 // place of each column
	columnsAreKnown bool
}

// winList is numbers and where they stand, in segments.
type winList[T kern.Float] struct {
	bounds, at []int32
	values     []T
}

func (l *winList[T]) resize(segments, n int) {
	l.bounds = slices.Grow(l.bounds[:0], segments+1)[:segments+1]
	l.at, l.values = slices.Grow(l.at[:0], n)[:n], slices.Grow(l.values[:0], n)[:n]
}

// list makes the lists of the tile's edges.
func (i *winner[T]) list(w *worker[T]) {
	ids, idRows := w.ids(&i.x)
	y, yRows := w.indexed(&i.y)
	s, width := &w.wins, i.dst.width
	words := ceil(width, 64)
	s.masks = slices.Grow(s.masks[:0], w.edges*words)[:w.edges*words]
	w.set.MarkWinners(s.masks, ids, width, idRows, w.edgeIDs)
	n := 0
	for _, m := range s.masks {
		n += bits.OnesCount64(m)
	}
	l := &s.edges
	l.resize(w.edges, n)
	s.from = slices.Grow(s.from[:0], n)[:n]
	n = 0
	l.bounds[0] = 0
	for e, row := range yRows[:w.edges] {
		for j, m := range s.masks[e*words:][:words] {
			for ; m != 0; m &= m - 1 {
				k := j*64 + bits.TrailingZeros64(m)
				l.at[n], s.from[n] = int32(k), int(row)*width+k
				n++
			}
		}
		l.bounds[e+1] = int32(n)
	}
	for j, at := range s.from { // apart, so that many are waited for at a time
		l.values[j] = y[at]
	}
	s.columnsAreKnown = false
}

// byColumn returns the lists of the columns: the edges that won each, in order.
func (s *wins[T]) byColumn(width int) *winList[T] {
	from, l := &s.edges, &s.columns
	if s.columnsAreKnown {
		return l
	}
	s.columnsAreKnown = true
	l.resize(width, len(from.at))
	s.next = slices.Grow(s.next[:0], width)[:width]
	next := s.next
	clear(next)
	for _, k := range from.at {
		next[k]++
	}
	n := int32(0)
	for k, count := range next {
		l.bounds[k], next[k] = n, n
		n += count
	}
	l.bounds[width] = n
	for e, end := range from.bounds[1:] {
		for j := from.bounds[e]; j < end; j++ {
			k := from.at[j]
			to := next[k]
			next[k]++
			l.at[to], l.values[to] = int32(e), from.values[j]
		}
	}
	return l
}

// addTo adds up what the edges of each row won.
func (s *wins[T]) addTo(acc []T, width int, segment []int32) {
	l := &s.edges
	for r := range len(segment) - 1 {
		to := acc[r*width:][:width]
		for j := l.bounds[segment[r]]; j < l.bounds[segment[r+1]]; j++ {
			to[l.at[j]] += l.values[j]
		}
	}
}

// times: dst = the lists times a matrix, whose rows so wide lie one after another
func (s *wins[T]) times(set *kern.Set[T], dst, rows []T, width int) {
	l := &s.edges
	set.SegmentScaleSum(dst, rows, width, l.at, l.bounds, l.values, width, kern.Ends[T]{}, kern.Next[T]{})
}

// addOuter adds the lists' transpose times x, a row of so many columns an edge, to sum.
func (s *wins[T]) addOuter(set *kern.Set[T], sum, x []T, columns, width int) {
	l := s.byColumn(columns)
	set.SegmentScaleSum(sum, x, width, l.at, l.bounds, l.values, width, kern.Ends[T]{More: true}, kern.Next[T]{})
}

// turn transposes a matrix of so many rows and columns in place.
func turn[T kern.Float](r *run[T], x []T, rows, columns int) {
	buf := r.borrow(len(x))
	defer r.giveBack(buf)
	copy(*buf, x)
	r.prog.set.Interleave(x, rows, *buf, columns, rows, columns)
}
