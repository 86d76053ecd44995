package cpu

// Sums by type that a product takes next, as in Σ_t (Σ over type t of x_e)·W[t]: many
// vertices have edges of few types. A tile that has all edges of its rows, and more
// sums without edges than with, computes only the latter, those of one type after
// another, so that each type is one product, and then adds up what belongs to a row.

import (
	"slices"
	"unsafe"

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

// fill finds the slots of rows with bounds as graph.CutByType has them, for edges of some
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
func resized[E any](list []E, n int) []E { return slices.Grow(list[:0], n)[:n] }

// slotSum is a sum by type as its slots take it. Their sums lie where those of all
// pairs would.
type slotSum[T kern.Float] struct {
	dst    operand[T]  // of all pairs
	acc    *operand[T] // of the sum itself
	x      operand[T]
	weight *operand[T] // of each edge, if it is a scaled sum
	group  int
	by     *operand[T] // of each pair, if the sum ends with a product
	types  int
	all    instr[T] // computes it for all pairs
}

// pairsWithEdges counts the pairs of rows and types that have edges; bounds is as
// graph.CutByType has them.
func pairsWithEdges(bounds []int32) int {
	n, last := int32(0), int32(0)
	for _, b := range bounds {
		n += some(b - last)
		last = b
	}
	return int(n)
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
	_, bounds := w.runs(i.sum.types)
	pairs := pairsWithEdges(bounds)
	if w.slots.used = 2*pairs < len(bounds); !w.slots.used {
		i.sum.all.exec(w)
		i.tileProduct.exec(w)
		return
	}
	x := i.sum.slots(w)
	s, out := &w.slots, i.weight.out
	y := w.scratch[0][:len(s.rows)*out]
	i.byTypes(w, y, x, s.ofTypes)
	dst := w.own(&i.dst)
	w.set.SegmentGatherSum(dst, y, out, s.byRow, s.ofRows, max(out, 1), kern.Ends[T]{Past: i.bias == nil && w.past(&i.dst)}, kern.Next[T]{})
	if i.bias != nil {
		w.set.AddRow(dst, dst, i.bias.param(w.run))
	}
}

// byTypes multiplies rows of x, in order of types, with the matrices of their types.
func (i *slotProduct[T]) byTypes(w *worker[T], y, x []T, ofTypes []int32) {
	in, out := i.sum.x.width, i.weight.out
	packed := &w.packs[i.index][0]
	for t := range i.sum.types {
		lo, hi := int(ofTypes[t]), int(ofTypes[t+1])
		if lo < hi {
			part := packed.Slice(t*in, (t+1)*in)
			part.Multiply(dense.RowMajor(y[lo*out:hi*out], hi-lo, out), dense.RowMajor(x[lo*in:hi*in], hi-lo, in), dense.Epilogue[T]{})
		}
	}
}

// slotOuter is the sum of xᵀ·y over rows where one of them is a sum by type.
type slotOuter[T kern.Float] struct {
	*outerSum[T] // of tiles that have not all edges of their rows
	sum          *slotSum[T]
	sumIsX       bool
}

// other is the operand that is no sum by type.
func (i *slotOuter[T]) other() *operand[T] {
	if i.sumIsX {
		return &i.y
	}
	return &i.x
}

func (i *slotOuter[T]) exec(w *worker[T]) {
	if i.size == 0 {
		return
	}
	if !w.slots.used {
		i.outerSum.exec(w)
		return
	}
	other := i.other()
	of := w.side(other, overRows, w.scratch[0])
	s := &w.slots
	rows := w.scratch[1][:len(s.rows)*other.width]
	w.set.GatherRows(rows, of, other.width, s.rows)
	i.add(w, w.own(&i.sum.dst), rows, s.ofTypes)
}

// add adds the products of sums and as many rows of the other operand, both in order of
// types: those of type t are [of[t], of[t+1]), counted from of[0].
func (i *slotOuter[T]) add(w *worker[T], sums, rows []T, of []int32) {
	width, other := i.sum.x.width, i.other().width
	for t := range i.sum.types {
		if lo, hi := int(of[t]-of[0]), int(of[t+1]-of[0]); lo < hi {
			i.addType(w, t, sums[lo*width:hi*width], rows[lo*other:hi*other])
		}
	}
}

// addType adds the products of sums of a type and as many rows of the other operand, a few at
// a time: a tile of the product reads columns of both, whose lines then stay in the first cache.
func (i *slotOuter[T]) addType(w *worker[T], t int, sums, rows []T) {
	const together = 16 << 10 // bytes of rows
	width, other, c := i.sum.x.width, i.other().width, w.sums[i.offset:][:i.size]
	to := dense.Matrix[T]{Data: c[t*width:], Rows: i.in, Cols: width, RowStride: i.out, ColStride: 1}
	if i.sumIsX {
		to = dense.RowMajor(c[t*width*i.out:][:width*i.out], width, i.out)
	}
	step := max(together/(max(width, other)*int(unsafe.Sizeof(T(0)))), 8)
	for n := len(sums) / width; n > 0; n -= step {
		few := min(step, n)
		a, b := dense.RowMajor(rows[:few*other], few, other), dense.RowMajor(sums[:few*width], few, width)
		if i.sumIsX {
			a, b = b, a
		}
		dense.MatMulTile(to, a.T(), b, dense.Epilogue[T]{Accumulate: true})
		sums, rows = sums[few*width:], rows[few*other:]
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
		if sum == nil || sum.x.width == 0 {
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
		widest := m.weight.out
		for j, o := range outers {
			k.sums[j] = o
			widest = max(widest, o.other().width)
		}
		product := &slotProduct[T]{sum, m}
		ended.post[n] = product
		remove()
		if c.mode == forCover {
			c.cover(k, product, outers)
			return
		}
		c.byType = true
		c.scratch[overRows] = max(c.scratch[overRows], sum.types*widest)
		return
	}
}

// slotSum sees what computes a register, if that is a sum by type; remove takes it away.
func (c *compiler[T]) slotSum(ended *endedSums[T], register *operand[T]) (s *slotSum[T], remove func()) {
	from := func(whole wholeSum[T], dst operand[T], all instr[T]) *slotSum[T] {
		switch r := whole.(type) {
		case *sum[T]:
			if r.types > 0 {
				return &slotSum[T]{dst: dst, acc: &r.acc, x: r.x, group: max(r.x.width, 1), types: r.types, all: all}
			}
		case *scaledSum[T]:
			if r.types > 0 {
				return &slotSum[T]{dst: dst, acc: &r.acc, x: r.x, weight: &r.weight, group: r.group, types: r.types, all: all}
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
	return i.at == overRows && m.rows == 1 && m.heads == 1 && i.lead == 1 && !m.transposed
}

// isPlain tells whether all rows have one sum, without heads.
func (i *outerSum[T]) isPlain() bool {
	return i.at == overRows && i.place == paramBuffer && i.heads == 1 && i.lead == 1
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
