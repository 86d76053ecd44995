package cpu

// How a kernel walks its rows and edges.

import (
	"sort"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// level says what an instruction runs over: the rows of the tile or its edges.
type level uint8

const (
	overRows level = iota
	overEdges
)

// instr is one instruction: it computes a register from operands, for all rows
// or edges of the tile.
type instr[T kern.Float] interface {
	exec(w *worker[T])
}

// reducer is an aggregate in a loop: accumulate takes in the edges of the tile, or of the
// sub-tile, if that is not the first of its row (more) to what the accumulators have;
// start makes them those of rows without edges.
type reducer[T kern.Float] interface {
	start(w *worker[T])
	accumulate(w *worker[T])
}

// kernel is a compiled plan.Kernel.
type kernel[T kern.Float] struct {
	rows   ir.Residency
	pre    []instr[T]
	loops  []*loop[T]
	stores []instr[T]
	sums   []instr[T] // over all rows

	staging *staging

	fetches     []*fetch[T] // of all loops
	besideWidth int         // of a row of what they fetch, side by side

	weights []*weight[T] // the matrices of products
	byType  bool         // a product takes the sums of those types that have edges (bySlots), if that suits the tile
	packing int          // the place of the weights in run.packings
	totals  []total      // where the kernel's sums go
	listing *listing     // of winners; nil for none

	attention *attentionWalk[T] // what it does at once; nil for nothing

	ofGraph []ofGraph       // values that the graph may keep,
	lent    []rowOfGraph[T] // and those among them that are all it computes; nil for none

	covered  *kernel[T]   // what runs where the graph is laid out for it; nil if this one always does
	covering *covering[T] // of that kernel

	tileRows, tileEdges int // of a tile of several rows
	wholeEdges          int // of a tile of one row; what the registers hold
	cost                cost

	hub                *kernel[T] // what hubs run; nil if they run this one
	partEdges          int        // of a hub's kernel: the edges of a part,
	rowFloats, rowInts int        // and the elements of its row registers
}

// loop is a compiled plan.Loop.
type loop[T kern.Float] struct {
	only   *winners[T] // if not nil: other edges have no part in the loop
	all    []instr[T]  // every edge value the loop needs
	fresh  []instr[T]  // those that no earlier loop of the kernel has computed
	reduce []reducer[T]
	stores []instr[T]
	totals []instr[T] // sums over all edges
	post   []instr[T]
	ended  *endedSums[T] // what a tile with all edges of its rows has for reduce and post
}

// sizes are the lengths of a worker's registers.
type sizes struct {
	edge, row, rowInts int // registers of edges, rows, and ids of rows
	scratch            int // an operand spread to the shape of an op
	rows, ids          int // the rows of a tile; its rows or edges, whichever are more
}

func (s *sizes) include(t sizes) {
	s.edge, s.row, s.rowInts = max(s.edge, t.edge), max(s.row, t.row), max(s.rowInts, t.rowInts)
	s.scratch = max(s.scratch, t.scratch)
	s.rows, s.ids = max(s.rows, t.rows), max(s.ids, t.ids)
}

// worker is a goroutine's registers and its place in the graph.
type worker[T kern.Float] struct {
	set *kern.Set[T]
	run *run[T]

	firstRow, rows int     // the tile's rows, as the edges are listed;
	vertex         int     // that of the first one, whose rows lie side by side in memory;
	vertices       []int32 // those of all, if they do not, else nil
	edges          int     // the edges of the tile, or of the sub-tile at hand
	more           bool    // the sub-tile is not the first of its row
	segment        []int32 // edges [segment[i], segment[i+1]) belong to row i of the tile
	rowOf          []int32 // the row of each edge, counted from the tile's first,
	located        bool    // once an instruction has asked for it
	neighbors      []int32 // the other end of each edge
	edgeIDs        []int32
	csr            *graph.CSR // which lists them,
	begin          int        // from this position on,
	found          []int32    // but of those only these, counted from there; nil for all
	typing         typing
	slots          slots
	cover          *covered[T] // the graph's layout; nil for none
	block          int         // of it
	tiles          coverTile[T]
	kept           kept
	wins           wins[T]
	packs          [][]packedWeight[T] // the kernel's weights
	sums           []T                 // the chunk's partial sums
	beside         []T                 // what the kernel fetches, side by side; nil if it lies apart
	ofGraph        [][]T               // the kernel's values of the graph; nil if it keeps none
	attention      *attentionWalk[T]   // what the kernel does at once on the graph
	factors        attentionFactors[T] // what its weights are products of
	attending      []T                 // scratch for it
	masking        []T                 // its masks

	kernel    *kernel[T] // the registers are cut by the size of its tiles
	reached   int        // the row after the kernel's last chunk
	chunk     int        // that chunk
	edge, row []T
	rowInts   []int32
	stage     []T // what the kernel reads and writes of rows that do not lie side by side
	stageInts []int32
	scratch   [3][]T
	narrow    []T
	matrices  []int32 // rows of matrices of edges or rows (rowmatrix.go)
	choice    chooser[T]
}

func newWorker[T kern.Float](x *Program[T]) *worker[T] {
	s := x.size
	w := &worker[T]{
		set:     x.set,
		segment: make([]int32, s.rows+1),
		rowOf:   make([]int32, s.ids),
		edge:    make([]T, s.edge),
		row:     make([]T, s.row),
		rowInts: make([]int32, s.rowInts),
		narrow:  make([]T, s.scratch),
	}
	for i := range w.scratch {
		w.scratch[i] = make([]T, s.scratch)
	}
	return w
}

func (k *kernel[T]) run(r *run[T]) {
	if c, csr := k.coverOf(r.prog, r.g); c != nil {
		k.covered.runCovered(r, csr, c)
		return
	}
	if k.lends(r) {
		return
	}
	if k.isOneRow() {
		w := r.take()
		w.enter(k, nil, nil)
		k.tile(w, nil, 0, 1)
		r.putBack(w)
		return
	}
	s := sweep[T]{kernel: k, csr: k.edges(r.prog, r.g, r.often), rows: r.rows(k.rows), cost: k.cost}
	defer s.giveBack(r)
	s.borrow(r)
	if chunks := s.cost.chunks(s.csr, s.rows); s.hubs == nil && r.threads(chunks) <= 1 {
		r.inOrder(chunks, s.chunk)
	} else {
		shared := s // on the heap; what runs on one goroutine stays off it
		s.hubs.besides(r, chunks, shared.chunk)
	}
	s.hubs.finish()
	k.total(r, &s.sums)
}

// isOneRow tells whether the kernel computes one row of parameters, for which it borrows nothing.
func (k *kernel[T]) isOneRow() bool {
	return k.rows == ir.Param && len(k.weights) == 0 && len(k.totals) == 0
}

// A sweep is a kernel's way over its rows, chunk by chunk, and what it borrows for that.
type sweep[T kern.Float] struct {
	kernel      *kernel[T]
	csr         *graph.CSR
	rows, whole int // whole: the most edges of a row that is done at once, 0 if no row is
	cost        cost
	kept        [][]T
	packing     *packing[T]
	beside      copies[T]
	factors     attentionFactors[T]
	attention   *attentionWalk[T]
	sums        partials[T]
	hubs        *hubRun[T]
}

// borrow finds what the kernel wants besides its rows: most want little of it, and on small graphs
// asking is a good part of a run.
func (s *sweep[T]) borrow(r *run[T]) {
	k := s.kernel
	if len(k.ofGraph) > 0 {
		s.kept = k.keptOfGraph(r, s.csr)
	}
	if len(k.weights) > 0 {
		s.packing = k.pack(r)
	}
	if k.attention != nil {
		s.factors = k.factorsOf(r, s.csr)
	}
	if len(k.fetches) > 0 && !s.factors.apart {
		s.beside = k.sideBySide(r, s.csr)
	}
	if k.attention != nil {
		if s.attention = k.attends(s.csr, s.beside.rows, s.factors.apart); s.attention != nil {
			s.whole = attendedEdges
		}
	}
	hubRows := k.hubRows(s.csr, s.whole)
	if len(k.totals) > 0 {
		s.cost, s.sums = k.partials(r, s.csr, s.rows, k.numParts(s.csr, hubRows))
	}
	s.hubs = k.hubs(r, s.csr, hubRows, s.beside.rows, &s.sums)
}

func (s *sweep[T]) giveBack(r *run[T]) {
	s.hubs.giveBack()
	s.sums.giveBack(r)
	s.beside.giveBack()
	s.factors.giveBack()
	s.packing.giveBack(r)
}

// chunk does a chunk's rows but for hubs.
func (s *sweep[T]) chunk(w *worker[T], chunk int) {
	k := s.kernel
	w.enter(k, s.packing.weights(), s.sums.of(chunk))
	w.beside, w.ofGraph, w.attention, w.factors = s.beside.rows, s.kept, s.attention, s.factors
	lo := s.cost.bound(s.csr, s.rows, chunk, w.after(chunk))
	hi := s.cost.bound(s.csr, s.rows, chunk+1, lo)
	w.reached, w.chunk = hi, chunk
	for lo < hi {
		n := k.cut(s.csr, lo, hi)
		if !k.isHub(s.csr, lo, n, s.whole) {
			k.tile(w, s.csr, lo, n)
		}
		lo += n
	}
}

// enter prepares the worker for a chunk of a kernel.
func (w *worker[T]) enter(k *kernel[T], packs [][]packedWeight[T], sums []T) {
	if w.kernel != k {
		w.reached, w.chunk = 0, 0
	}
	w.kernel, w.packs, w.sums, w.vertices, w.ofGraph = k, packs, sums, nil, nil
	w.beside, w.attention, w.factors, w.cover = nil, nil, attentionFactors[T]{}, nil
	w.wins.lists = k.lists(w.run)
	w.typing.enter(w.run.g, k.rows)
}

// after returns a row that a chunk does not begin before: where the last one ended, if that came before.
func (w *worker[T]) after(chunk int) int {
	if chunk < w.chunk {
		return 0
	}
	return w.reached
}

// cut is the number of rows of the tile that begins at row lo: as many as have
// no more edges together than a tile holds, and at least one.
func (k *kernel[T]) cut(csr *graph.CSR, lo, hi int) int {
	hi = min(hi, lo+k.tileRows)
	if csr == nil {
		return hi - lo
	}
	end := int(csr.Offsets[lo]) + k.tileEdges
	if int(csr.Offsets[hi]) <= end { // as if there are few edges
		return hi - lo
	}
	return 1 + sort.Search(hi-lo-1, func(n int) bool { return int(csr.Offsets[lo+n+2]) > end })
}

// tile runs the kernel for n rows from row lo on.
func (k *kernel[T]) tile(w *worker[T], csr *graph.CSR, lo, n int) {
	w.firstRow, w.rows, w.vertex, w.slots.used = lo, n, lo, false
	if csr != nil && csr.Vertices != nil {
		w.vertices = csr.Vertices[lo : lo+n]
		k.stage(w)
	}
	execAll(w, k.pre)
	if csr != nil {
		begin, end := int(csr.Offsets[lo]), int(csr.Offsets[lo+n])
		if end-begin <= k.wholeEdges || w.attention != nil || w.cover != nil { // which have no registers of edges
			k.whole(w, csr, begin, end)
		} else {
			k.split(w, csr, begin, end)
		}
	}
	execAll(w, k.stores)
	execAll(w, k.sums)
	if w.vertices != nil {
		k.unstage(w)
	}
}

// whole runs the loops of a tile whose edges fit the registers: an edge value
// is computed once for all loops.
func (k *kernel[T]) whole(w *worker[T], csr *graph.CSR, begin, end int) {
	w.at(csr, begin, end)
	w.more = false
	kern.Bounds(w.segment, csr.Offsets[w.firstRow:w.firstRow+w.rows+1])
	if a := w.attention; a != nil {
		a.walk.exec(w)
		execAll(w, a.post)
		return
	}
	for _, l := range k.loops {
		if begin < end {
			l.edges(w, l.fresh, l.ended.reduce)
		} else {
			startAll(w, l.ended.reduce)
		}
		execAll(w, l.ended.post)
	}
}

// split runs the loops of a single row in sub-tiles; each loop computes the
// edge values that it needs anew.
func (k *kernel[T]) split(w *worker[T], csr *graph.CSR, begin, end int) {
	for _, l := range k.loops {
		k.inTiles(w, l, csr, begin, end)
		execAll(w, l.post)
	}
}

// inTiles runs a loop over some edges of a single row in sub-tiles.
func (k *kernel[T]) inTiles(w *worker[T], l *loop[T], csr *graph.CSR, begin, end int) {
	for at := begin; at < end; at += k.wholeEdges {
		w.at(csr, at, min(at+k.wholeEdges, end))
		w.more = at > begin
		w.segment[0], w.segment[1] = 0, int32(w.edges)
		l.edges(w, l.all, l.reduce)
	}
}

// at moves the worker to positions [begin, end) of the rows' edges.
func (w *worker[T]) at(csr *graph.CSR, begin, end int) {
	w.edges, w.located = end-begin, false
	w.csr, w.begin, w.found = csr, begin, nil
	w.neighbors = csr.Neighbors[begin:end]
	w.edgeIDs = csr.EdgeIDs[begin:end]
	w.typing.at(csr, begin, end)
}

// locate returns the row of each edge, counted from the tile's first.
func (w *worker[T]) locate() []int32 {
	if !w.located {
		for r := range w.rows {
			edges := w.rowOf[w.segment[r]:w.segment[r+1]]
			for e := range edges {
				edges[e] = int32(r)
			}
		}
		w.located = true
	}
	return w.rowOf[:w.edges]
}

// edges runs values and aggregates for the edges of the tile.
func (l *loop[T]) edges(w *worker[T], values []instr[T], reduce []reducer[T]) {
	if l.only != nil && !l.only.keep(w) {
		if !w.more {
			startAll(w, reduce)
		}
		return
	}
	execAll(w, values)
	for _, a := range reduce {
		a.accumulate(w)
	}
	execAll(w, l.stores)
	execAll(w, l.totals)
}

func startAll[T kern.Float](w *worker[T], reduce []reducer[T]) {
	for _, a := range reduce {
		a.start(w)
	}
}

func execAll[T kern.Float](w *worker[T], list []instr[T]) {
	for _, i := range list {
		i.exec(w)
	}
}

// count is the number of rows or edges that an instruction runs over.
func (w *worker[T]) count(at level) int {
	if at == overEdges {
		return w.edges
	}
	return w.rows
}
