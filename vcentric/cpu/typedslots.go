package cpu

// Sums by type that a product takes next, as in Σ_t (Σ over type t of x_e)·W[t]: many
// vertices have edges of few types. A tile that has all edges of its rows, and more
// sums without edges than with, computes only the latter, those of one type after
// another, so that each type is one product, and then adds up what belongs to a row.

import (
	"slices"

	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// slots is the pairs of a row and a type of the tile that have edges, in order of types,
// within a type of rows.
type slots struct {
	used    bool    // by the tile
	rows    []int32 // of each slot
	pairs   []int32 // row*types+type of each slot
	ofTypes []int32 // type t has slots [ofTypes[t], ofTypes[t+1])

	bounds []int32 // of the slots among their edges, which are
	edges  []int32 // of the tile, and pick
	ids    []int32

	byRow  []int32 // slots in order of rows
	ofRows []int32 // row r has byRow[ofRows[r]:ofRows[r+1]]
	at     []int32 // the slot of each pair
	next   []int32 // where the next edge of each type goes
}

// fill finds the slots of rows with bounds as boundsOfTypes has them, for edges of some
// types that pick some ids. Its loops have no branches that the numbers of edges decide.
func (s *slots) fill(bounds []int32, types int, typeOf, ids []int32) {
	pairs := len(bounds) - 1
	rows := pairs / types
	s.rows, s.pairs, s.at = resized(s.rows, pairs), resized(s.pairs, pairs), resized(s.at, pairs)
	s.bounds, s.byRow, s.ofRows = resized(s.bounds, pairs+1), resized(s.byRow, pairs), resized(s.ofRows, rows+1)
	s.edges, s.ids = resized(s.edges, len(ids)), resized(s.ids, len(ids))
	s.ofTypes, s.next = resized(s.ofTypes, types+1), resized(s.next, types)
	n, k := int32(0), int32(0)
	for t := range types {
		s.ofTypes[t], s.next[t] = n, k
		for r := range rows {
			p := r*types + t
			s.rows[n], s.pairs[n], s.bounds[n], s.at[p] = int32(r), int32(p), k, n
			edges := bounds[p+1] - bounds[p]
			k += edges
			n += some(edges)
		}
	}
	s.ofTypes[types], s.bounds[n] = n, k
	s.rows, s.pairs, s.bounds = s.rows[:n], s.pairs[:n], s.bounds[:n+1]
	n = 0
	for r := range rows {
		s.ofRows[r] = n
		for p := r * types; p < (r+1)*types; p++ {
			s.byRow[n] = s.at[p]
			n += some(bounds[p+1] - bounds[p])
		}
	}
	s.ofRows[rows], s.byRow = n, s.byRow[:n]
	for e, t := range typeOf {
		at := s.next[t]
		s.next[t] = at + 1
		s.edges[at], s.ids[at] = int32(e), ids[e]
	}
}

// some is 1 of a positive number, 0 of 0.
func some(n int32) int32 { return int32(uint32(-n) >> 31) }

// resized returns a list of n elements of any content, in the room of list if it suffices.
func resized(list []int32, n int) []int32 { return slices.Grow(list[:0], n)[:n] }

// slotSum is a sum by type as its slots take it. Their sums lie where those of all
// pairs would.
type slotSum[T kern.Float] struct {
	dst    operand[T] // of all pairs
	x      operand[T]
	weight *operand[T] // of each edge, if it is a scaled sum
	group  int
	by     *operand[T] // of each pair, if the sum ends with a product
	types  int
	all    instr[T] // computes it for all pairs
}

// isSparse tells whether most pairs of the tile have no edges.
func (i *slotSum[T]) isSparse(w *worker[T]) bool {
	_, bounds := w.runs(i.types)
	n, last := int32(0), int32(0)
	for _, b := range bounds {
		n += some(b - last)
		last = b
	}
	return 2*int(n) <= len(bounds)
}

// slots returns the sums of the tile's slots.
func (i *slotSum[T]) slots(w *worker[T]) []T {
	s := &w.slots
	_, bounds := w.runs(i.types)
	x, ids := w.indexed(&i.x)
	s.fill(bounds, i.types, w.typing.edge, ids)
	width := i.x.width
	var ends kern.Ends[T]
	if i.by != nil {
		heads := i.by.width / i.types
		ends.By = w.scratch[1][:len(s.rows)*heads]
		w.set.GatherRows(ends.By, w.side(i.by, overRows, w.narrow), heads, s.pairs)
	}
	dst := w.own(&i.dst)[:len(s.rows)*width]
	if i.weight == nil {
		w.set.SegmentGatherSum(dst, x, width, s.ids, s.bounds, i.group, ends, kern.Next[T]{})
		return dst
	}
	weight := w.scratch[0][:len(s.edges)*i.weight.width]
	w.set.GatherRows(weight, w.side(i.weight, overEdges, w.narrow), i.weight.width, s.edges)
	w.set.SegmentScaleSum(dst, x, width, s.ids, s.bounds, weight, i.group, ends, kern.Next[T]{})
	return dst
}

// slotProduct: dst = Σ_t (the sum of type t)·W[t]
type slotProduct[T kern.Float] struct {
	sum *slotSum[T]
	*tileProduct[T]
}

func (i *slotProduct[T]) exec(w *worker[T]) {
	if w.slots.used = i.sum.isSparse(w); !w.slots.used {
		i.sum.all.exec(w)
		i.tileProduct.exec(w)
		return
	}
	x := i.sum.slots(w)
	s, in, out := &w.slots, i.sum.x.width, i.weight.out
	y := w.scratch[0][:len(s.rows)*out]
	for t, packed := range w.packs[i.index] {
		lo, hi := int(s.ofTypes[t]), int(s.ofTypes[t+1])
		if lo < hi {
			packed.Multiply(dense.RowMajor(y[lo*out:hi*out], hi-lo, out), dense.RowMajor(x[lo*in:hi*in], hi-lo, in), dense.Epilogue[T]{})
		}
	}
	w.set.SegmentGatherSum(w.own(&i.dst), y, out, s.byRow, s.ofRows, max(out, 1), kern.Ends[T]{}, kern.Next[T]{})
}

// slotOuter is the sum of xᵀ·y over rows where one of them is a sum by type.
type slotOuter[T kern.Float] struct {
	*outerSum[T] // of tiles that have not all edges of their rows
	sum          *slotSum[T]
	sumIsX       bool
}

func (i *slotOuter[T]) exec(w *worker[T]) {
	if !w.slots.used {
		i.outerSum.exec(w)
		return
	}
	s, width := &w.slots, i.sum.x.width
	sums, c := w.own(&i.sum.dst), w.sums[i.offset:][:i.size]
	other := &i.x
	if i.sumIsX {
		other = &i.y
	}
	of := w.side(other, overRows, w.scratch[0])
	for t := range i.sum.types {
		lo, hi := int(s.ofTypes[t]), int(s.ofTypes[t+1])
		if lo == hi {
			continue
		}
		rows := w.scratch[1][:(hi-lo)*other.width]
		w.set.GatherRows(rows, of, other.width, s.rows[lo:hi])
		sum, picked := dense.RowMajor(sums[lo*width:hi*width], hi-lo, width), dense.RowMajor(rows, hi-lo, other.width)
		to := dense.Matrix[T]{ColStride: 1, RowStride: i.out}
		if i.sumIsX {
			to.Data, to.Rows, to.Cols = c[t*width*i.out:], width, i.out
			dense.MatMulTile(to, sum.T(), picked, dense.Epilogue[T]{Accumulate: true})
		} else {
			to.Data, to.Rows, to.Cols = c[t*width:], i.in, width
			dense.MatMulTile(to, picked.T(), sum, dense.Epilogue[T]{Accumulate: true})
		}
	}
}

// bySlots finds the sum by type of a kernel's only loop that a product and sums over all
// rows take, and nothing else.
func (c *compiler[T]) bySlots(k *kernel[T], p *plan.Kernel) {
	if len(k.loops) != 1 || k.loops[0].only != nil {
		return
	}
	ended := k.loops[0].ended
	for n, i := range ended.post {
		m, ok := i.(*tileProduct[T])
		if !ok || !m.isPlain() || m.dst.width == 0 {
			continue
		}
		sum, remove := c.slotSum(ended, &m.x)
		if sum == nil || sum.x.width == 0 || c.shares(k, m) {
			continue
		}
		outers := make(map[int]*slotOuter[T])
		for j, t := range k.sums {
			if o, ok := t.(*outerSum[T]); ok && o.isPlain() && o.x.equal(&m.x) != o.y.equal(&m.x) {
				outers[j] = &slotOuter[T]{o, sum, o.x.equal(&m.x)}
			}
		}
		if c.readers(p, &m.x) != 1+len(outers) {
			continue
		}
		for j, o := range outers {
			k.sums[j] = o
		}
		m.weight.parts = sum.types
		c.scratch[overRows] = max(c.scratch[overRows], sum.types*m.weight.out)
		ended.post[n] = &slotProduct[T]{sum, m}
		remove()
		return
	}
}

// slotSum sees what computes a register, if that is a sum by type; remove takes it away.
func (c *compiler[T]) slotSum(ended *endedSums[T], register *operand[T]) (s *slotSum[T], remove func()) {
	from := func(whole wholeSum[T], dst operand[T], all instr[T]) *slotSum[T] {
		switch r := whole.(type) {
		case *sum[T]:
			if r.types > 0 {
				return &slotSum[T]{dst: dst, x: r.x, group: max(r.x.width, 1), types: r.types, all: all}
			}
		case *scaledSum[T]:
			if r.types > 0 {
				return &slotSum[T]{dst: dst, x: r.x, weight: &r.weight, group: r.group, types: r.types, all: all}
			}
		}
		return nil
	}
	for n, r := range ended.reduce {
		if whole, ok := r.(wholeSum[T]); ok && whole.register().equal(register) {
			return from(whole, *register, &summing[T]{whole}), func() { ended.reduce = slices.Delete(ended.reduce, n, n+1) }
		}
	}
	for n, i := range ended.post {
		if e, ok := i.(*endedSum[T]); ok && e.dst.equal(register) {
			if s = from(e.sum, e.dst, e); s != nil {
				s.by, s.group = &e.by, e.group
			}
			return s, func() { ended.post = slices.Delete(ended.post, n, n+1) }
		}
	}
	return nil, nil
}

// summing is an aggregate as an instruction.
type summing[T kern.Float] struct{ sum wholeSum[T] }

func (i *summing[T]) exec(w *worker[T]) { i.sum.accumulate(w) }

// isPlain tells whether the product is of rows with one matrix.
func (i *tileProduct[T]) isPlain() bool {
	m := i.weight
	return i.at == overRows && m.rows == 1 && m.heads == 1 && i.lead == 1 && !m.transposed && m.parts == 1 && i.bias == nil
}

// isPlain tells whether all rows have one sum, without heads.
func (i *outerSum[T]) isPlain() bool {
	return i.at == overRows && i.place == paramBuffer && i.heads == 1 && i.lead == 1
}

// shares tells whether another product has m's packed weight.
func (c *compiler[T]) shares(k *kernel[T], m *tileProduct[T]) bool {
	n := 0
	count := func(list []instr[T]) {
		for _, i := range list {
			if other, ok := i.(*tileProduct[T]); ok && other.index == m.index {
				n++
			}
		}
	}
	count(k.pre)
	count(k.loops[0].all)
	count(k.loops[0].post)
	return n != 1
}

// readers is how often the kernel reads the value in a register of rows.
func (c *compiler[T]) readers(p *plan.Kernel, register *operand[T]) int {
	for v, o := range c.place {
		if o.equal(register) {
			return c.uses[v]
		}
	}
	return 0
}
