package cpu

// Products of sums by type in the layout that a graph has for them (graph.Cover): the rows
// come in blocks whose sums lie in order of types, and some edges take the product of
// their other end, a source, from a table that is computed first:
//
//	Σ_e x_e·W[type e] = Σ_t (Σ over direct edges of type t of x_e)·W[t] + Σ over through edges of (x·W)[source of e]
//
// The gradient of W has the same terms: the sum of a direct pair times what its row has,
// and a source's x times the sum of what its edges' rows have.

import (
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// covering is what a kernel does in that layout: all that its only loop does is a sum by
// type that a product takes, and sums of outer products. What an edge contributes depends
// on its type and its other end alone, but for a factor of the row and the type.
type covering[T kern.Float] struct {
	x      operand[T]
	weight *operand[T] // of each edge, nil for 1
	by     *operand[T] // the row's factors, nil for 1
	types  int
	dst    operand[T]
	matrix int // among the kernel's weights
	in     int
	out    int
	outers []*slotOuter[T]
	bias   *operand[T] // which the product adds, nil for none

	inBlocks map[*ir.Value]bool // the values whose rows are no tile's
}

// coveredKernel compiles a kernel for that layout, nil where it does something else. What
// takes no registers in the layout is known when it has been compiled once.
func coveredKernel[T kern.Float](x *Program[T], p *plan.Kernel) *kernel[T] {
	if len(p.Loops) != 1 || x.plan.Program.Types.Edge == 0 {
		return nil
	}
	k := compileFor(x, p, forCover, nil)
	if k.covering == nil {
		return nil
	}
	return compileFor(x, p, forCover, k.covering.inBlocks)
}

// cover turns a kernel that bySlots has changed into one for the layout.
func (c *compiler[T]) cover(k *kernel[T], product *slotProduct[T], outers map[int]*slotOuter[T]) {
	l, sum := k.loops[0], product.sum
	if len(l.ended.reduce)+len(l.fresh)+len(l.stores)+len(l.totals)+len(k.fetches) > 0 ||
		sum.x.place != otherBuffer || sum.x.types > 0 || sum.group != sum.x.width ||
		sum.weight != nil && (sum.weight.place != otherBuffer || sum.weight.width != 1) ||
		sum.by != nil && len(outers) > 0 {
		return
	}
	v := &covering[T]{
		x: sum.x, weight: sum.weight, by: sum.by, types: sum.types,
		dst: product.dst, matrix: product.index, in: sum.x.width, out: product.weight.out, bias: product.bias,
		inBlocks: make(map[*ir.Value]bool),
	}
	for value, o := range c.place {
		if o.equal(&sum.dst) || o.equal(sum.acc) {
			v.inBlocks[value] = true
		}
	}
	var sums []instr[T]
	for n, i := range k.sums {
		o := outers[n]
		if o == nil {
			sums = append(sums, i)
			continue
		}
		if other := o.other(); other.place != ownBuffer || other.types > 0 || other.width == 0 || c.isComputed(other) {
			return
		}
		v.outers = append(v.outers, o)
	}
	for n, i := range l.ended.post {
		if i == instr[T](product) {
			l.ended.post[n] = v
		}
	}
	k.covering, k.sums = v, sums
}

// isComputed tells whether the kernel computes what an operand reads.
func (c *compiler[T]) isComputed(o *operand[T]) bool {
	for _, other := range c.place {
		if o.equal(other) {
			return true
		}
	}
	return false
}

// Laying out a graph costs as much as some runs on it, so it is for graphs of coveredEdges
// or more, and not for blocks of samples, which have two sets of vertices.
//
// A column of a result costs as much as a product with as many columns of x as x has, one for
// each direct pair and source; and besides as much as pairCost columns for a pair, since
// its row adds it up, and tableCost for a source, whose products are written and read;
// outerCost more for each outer product, since what the rows of the source have is summed.
// Tiles that are not laid out have products of all rows and types, or leave those without
// edges out at the price of finding them (slotProduct); tileCost for each, since edges of few and
// of many come in no order.
const (
	coveredEdges = 1 << 17
	pairCost     = 10
	tileCost     = 7
	tableCost    = 60
	outerCost    = 90
)

// layoutChoice says when a graph is laid out.
type layoutChoice uint8

const (
	layoutByCost layoutChoice = iota
	layoutDirect              // always, without sources
	layoutShared              // always, with sources
)

// coverOf returns the layout of the edges of a kernel's rows, and those edges; nil to go without.
func (k *kernel[T]) coverOf(x *Program[T], g *graph.Graph) (*graph.Cover, *graph.CSR) {
	if k.covered == nil {
		return nil, nil
	}
	l, _ := k.layoutOf(x, g)
	if l == layoutByCost {
		return nil, nil
	}
	csr := k.edgesLaidOut(x, g)
	return csr.Cover(l == layoutShared), csr
}

// edgesLaidOut lists the edges in the order in which they are laid out. How a row's products are
// grouped depends on it, so it is the same from the first run on.
func (k *kernel[T]) edgesLaidOut(x *Program[T], g *graph.Graph) *graph.CSR {
	return k.inOrder(x, g, k.isWide(g))
}

// layoutOf chooses the layout of a kernel that has one, and does not make it; layoutByCost
// stands for none.
func (k *kernel[T]) layoutOf(x *Program[T], g *graph.Graph) (layoutChoice, graph.CoverSize) {
	if x.layout == layoutByCost && (g.NumEdges() < coveredEdges || g.IsBipartite()) {
		return layoutByCost, graph.CoverSize{}
	}
	csr, v := k.edgesLaidOut(x, g), k.covered.covering
	direct, shared, ok := csr.CoverSizes()
	cost := func(n graph.CoverSize) int {
		return n.Direct*(v.in+pairCost) + n.Sources*(v.in+tableCost+len(v.outers)*outerCost)
	}
	choice, size := x.layout, direct
	if choice == layoutShared || choice == layoutByCost && cost(shared) < cost(direct) {
		choice, size = layoutShared, shared
	}
	switch {
	case !ok || x.layout == layoutByCost && cost(size) >= csr.NumRows()*v.types*(v.in+tileCost):
		return layoutByCost, graph.CoverSize{}
	case choice == layoutByCost:
		choice = layoutDirect
	}
	return choice, size
}

// tableSize is the number of elements of the products of the sources.
func (v *covering[T]) tableSize(c *graph.Cover) int { return len(c.Sources) * v.out }

// weightsByType is the number of weights of edges that are copied so that those of a type lie
// side by side, 0 for none. Each edge then finds its weight in a fraction of the memory, and
// sums read it as they go: that pays where there are edges enough, and where the rows that the
// weights are for take little longer.
func (v *covering[T]) weightsByType(csr *graph.CSR) int {
	const wide = 256 // bytes
	if v.weight == nil || v.in*int(unsafe.Sizeof(T(0))) >= wide {
		return 0
	}
	if n := csr.NumCols() * v.weight.types; 2*n <= len(csr.Neighbors) {
		return n
	}
	return 0
}

// copyWeights does so.
func (v *covering[T]) copyWeights(r *run[T], to []T) {
	types, from := v.weight.types, r.mem.Floats[v.weight.buffer]
	vertices := len(to) / types
	const perChunk = 1 << 14
	r.parallel(ceil(vertices, perChunk), func(w *worker[T], chunk int) {
		lo, hi := chunk*perChunk, min((chunk+1)*perChunk, vertices)
		w.set.Interleave(to[lo:], vertices, from[lo*types:], types, hi-lo, types)
	})
}

// covered is a cover in a run.
type covered[T kern.Float] struct {
	*graph.Cover
	table   copies[T] // of the products of the sources
	weights copies[T] // of each type, those of all vertices
}

// weightsOf returns the weights of edges of a type from each vertex, if they lie side by side.
func (c *covered[T]) weightsOf(typ, types int) []T {
	n := len(c.weights.rows) / types
	return c.weights.rows[typ*n:][:n]
}

// runCovered runs a kernel that is compiled for the layout.
func (k *kernel[T]) runCovered(r *run[T], csr *graph.CSR, c *graph.Cover) {
	packs := k.pack(r)
	defer packs.giveBack(r)
	v := &covered[T]{Cover: c}
	if n := k.covering.tableSize(c); n > 0 {
		v.table = newCopies[T](n)
		defer v.table.giveBack()
	}
	if n := k.covering.weightsByType(csr); n > 0 {
		v.weights = newCopies[T](n)
		defer v.weights.giveBack()
		k.covering.copyWeights(r, v.weights.rows)
	}
	hubRows := k.hubRows(csr, graph.LongRow)
	sources := sourceBlocks(c)
	blockTurns, sourceTurns := c.NumBlocks(), len(sources)
	sums := k.room(r, blockTurns, k.numParts(csr, hubRows), sourceTurns)
	defer sums.giveBack(r)
	hubs := k.hubs(r, csr, hubRows, nil, &sums)
	defer hubs.giveBack()
	if sums.size > 0 {
		blockTurns, sourceTurns = sums.chunks, sums.sources
	}
	inTurns := func(turns, n int, sums func(turn int) []T, do func(w *worker[T], i int)) func(w *worker[T], turn int) {
		return func(w *worker[T], turn int) {
			w.enter(k, packs.weights(), sums(turn))
			w.cover = v
			for i := turn * n / turns; i < (turn+1)*n/turns; i++ {
				do(w, i)
			}
		}
	}
	r.parallel(sourceTurns, inTurns(sourceTurns, len(sources), sums.ofSources, func(w *worker[T], i int) { k.covering.multiply(w, sources[i]) }))
	hubs.besides(r, blockTurns, inTurns(blockTurns, c.NumBlocks(), sums.of, func(w *worker[T], i int) {
		lo, hi := int(c.Rows[i]), int(c.Rows[i+1])
		if !k.isHub(csr, lo, hi-lo, graph.LongRow) {
			w.block = i
			k.tile(w, csr, lo, hi-lo)
		}
	}))
	hubs.finish()
	k.total(r, &sums)
}

// sourceBlock is sources [lo, hi), of one type.
type sourceBlock struct{ typ, lo, hi int }

// sourceBlocks cuts the sources, by their numbers of edges alone.
func sourceBlocks(c *graph.Cover) (blocks []sourceBlock) {
	for t := range len(c.OfTypes) - 1 {
		b := sourceBlock{t, int(c.OfTypes[t]), int(c.OfTypes[t])}
		for end := int(c.OfTypes[t+1]); b.lo < end; b.lo = b.hi {
			for b.hi < end && b.hi-b.lo < graph.CoverRows && c.SourceOffsets[b.hi]-c.SourceOffsets[b.lo] < graph.LongRow {
				b.hi++
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// coverTile is a worker's room for a block of sources or rows.
type coverTile[T kern.Float] struct {
	x, y, others, factors []T
	bounds                []int32
}

// segments returns bounds of segments that lie at offsets.
func (t *coverTile[T]) segments(offsets []int32) []int32 {
	t.bounds = resized(t.bounds, len(offsets))
	kern.Bounds(t.bounds, offsets)
	return t.bounds
}

// multiply computes the products of a block of sources, and their part of the outer
// products.
func (v *covering[T]) multiply(w *worker[T], b sourceBlock) {
	c, t, n := w.cover, &w.tiles, b.hi-b.lo
	ids := c.Sources[b.lo:b.hi]
	t.x = resized(t.x, n*v.in)
	w.set.GatherRows(t.x, w.run.mem.Floats[v.x.buffer], v.in, ids)
	if v.weight != nil {
		t.factors = resized(t.factors, n)
		v.weigh(w, t.factors, ids, b.typ)
		w.set.MulGroups(t.x, t.x, t.factors, v.in)
	}
	v.product(w, c.table.rows[b.lo*v.out:b.hi*v.out], t.x, b.typ)
	if len(v.outers) == 0 {
		return
	}
	offsets := c.SourceOffsets[b.lo : b.hi+1]
	rows, bounds := c.SourceRows[offsets[0]:offsets[n]], t.segments(offsets)
	for _, o := range v.outers {
		other := o.other()
		t.others = resized(t.others, n*other.width)
		w.set.SegmentGatherSum(t.others, w.run.mem.Floats[other.buffer], other.width, rows, bounds, other.width, kern.Ends[T]{}, kern.Next[T]{})
		o.addType(w, b.typ, t.x, t.others)
	}
}

// product multiplies rows of x with the matrix of a type.
func (v *covering[T]) product(w *worker[T], y, x []T, typ int) {
	if n := len(x) / v.in; n > 0 {
		part := w.packs[v.matrix][0].Slice(typ*v.in, (typ+1)*v.in)
		part.Multiply(dense.RowMajor(y, n, v.out), dense.RowMajor(x, n, v.in), dense.Epilogue[T]{})
	}
}

// weigh puts the weights of edges of a type from some vertices into dst.
func (v *covering[T]) weigh(w *worker[T], dst []T, ids []int32, typ int) {
	weights := w.run.mem.Floats[v.weight.buffer]
	if types := v.weight.types; types > 0 && len(ids) > 0 {
		w.set.GatherColumns(dst, weights[typ:], 1, types, ids)
		return
	}
	w.set.GatherRows(dst, weights, 1, ids)
}

// exec computes a block of rows.
func (v *covering[T]) exec(w *worker[T]) {
	v.rows(w)
	if v.bias != nil {
		dst := w.own(&v.dst)
		w.set.AddRow(dst, dst, v.bias.param(w.run))
	}
}

// rows computes the products of a block of rows.
func (v *covering[T]) rows(w *worker[T]) {
	c, t := w.cover, &w.tiles
	dst, past := w.own(&v.dst), v.bias == nil && w.past(&v.dst)
	of := c.PairOffsets[w.block*v.types:][:v.types+1]
	pairs := int(of[v.types] - of[0])
	through := c.ThroughOffsets[w.firstRow:][:w.rows+1]
	edges := int(through[w.rows] - through[0])
	if pairs > 0 {
		v.sums(w, of)
		t.y = resized(t.y, pairs*v.out)
		for typ := range v.types {
			lo, hi := int(of[typ]-of[0]), int(of[typ+1]-of[0])
			v.product(w, t.y[lo*v.out:hi*v.out], t.x[lo*v.in:hi*v.in], typ)
		}
		offsets := c.RowOffsets[w.firstRow:][:w.rows+1]
		w.set.SegmentGatherSum(dst, t.y, v.out, c.RowPairs[offsets[0]:offsets[w.rows]], t.segments(offsets), v.out,
			kern.Ends[T]{Past: past && edges == 0}, kern.Next[T]{})
		v.outer(w, of)
		if edges == 0 {
			return
		}
	}
	ids, bounds, ends := c.Through[through[0]:through[w.rows]], t.segments(through), kern.Ends[T]{More: pairs > 0, Past: past}
	if v.by == nil {
		w.set.SegmentGatherSum(dst, c.table.rows, v.out, ids, bounds, v.out, ends, kern.Next[T]{})
		return
	}
	t.factors = resized(t.factors, edges)
	w.set.GatherRows(t.factors, w.side(v.by, overRows, w.narrow), 1, c.ThroughPlaces[through[0]:through[w.rows]])
	w.set.SegmentScaleSum(dst, c.table.rows, v.out, ids, bounds, t.factors, v.out, ends, kern.Next[T]{})
}

// sums computes the sums of a block's direct pairs; those of type t are [of[t], of[t+1]).
func (v *covering[T]) sums(w *worker[T], of []int32) {
	c, t := w.cover, &w.tiles
	first, last := of[0], of[v.types]
	pairs := int(last - first)
	var ends kern.Ends[T]
	if v.by != nil {
		t.others = resized(t.others, pairs)
		ends.By = t.others
		w.set.GatherRows(ends.By, w.side(v.by, overRows, w.narrow), 1, c.PairPlaces[first:last])
	}
	offsets := c.EdgeOffsets[first : last+1]
	ids, bounds := c.Direct[offsets[0]:offsets[pairs]], t.segments(offsets)
	t.x = resized(t.x, pairs*v.in)
	x := w.run.mem.Floats[v.x.buffer]
	if v.weight == nil {
		w.set.SegmentGatherSum(t.x, x, v.in, ids, bounds, v.in, ends, kern.Next[T]{})
		return
	}
	if c.weights.rows != nil {
		for typ := range v.types {
			if lo, hi := int(of[typ]-first), int(of[typ+1]-first); lo < hi {
				part := ends
				if v.by != nil {
					part.By = ends.By[lo:hi]
				}
				w.set.SegmentFactorSum(t.x[lo*v.in:hi*v.in], x, v.in, ids, bounds[lo:hi+1], c.weightsOf(typ, v.types), part)
			}
		}
		return
	}
	t.factors = resized(t.factors, len(ids))
	for typ := range v.types {
		lo, hi := c.EdgeOffsets[of[typ]]-offsets[0], c.EdgeOffsets[of[typ+1]]-offsets[0]
		v.weigh(w, t.factors[lo:hi], ids[lo:hi], typ)
	}
	w.set.SegmentScaleSum(t.x, x, v.in, ids, bounds, t.factors, v.in, ends, kern.Next[T]{})
}

// outer adds the outer products of a block's direct pairs.
func (v *covering[T]) outer(w *worker[T], of []int32) {
	t := &w.tiles
	rows := w.cover.PairRows[of[0]:of[v.types]]
	for _, o := range v.outers {
		other := o.other()
		t.others = resized(t.others, len(rows)*other.width)
		w.set.GatherRows(t.others, w.run.mem.Floats[other.buffer], other.width, rows)
		o.add(w, t.x, t.others, of)
	}
}

// coverSpace is the bytes that a run takes for a cover.
func (k *kernel[T]) coverSpace(x *Program[T], g *graph.Graph) int64 {
	if k.covered == nil {
		return 0
	}
	l, size := k.layoutOf(x, g)
	v, n := k.covered.covering, 0
	if l != layoutByCost {
		n = size.Sources*v.out + v.weightsByType(k.edgesLaidOut(x, g))
	}
	return int64(n) * int64(unsafe.Sizeof(T(0)))
}
