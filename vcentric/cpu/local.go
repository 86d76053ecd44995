package cpu

// Rows in an order of their own. Where a graph has communities, kernels that gather wide
// rows walk theirs in an order in which what one has gathered is still in the second
// cache when the next ones want it (graph.LocalIn). The rows of such a tile do not lie side by
// side: what a kernel reads of its rows is copied to the tile first, and what it
// writes is copied from there last. The sums of a row are the same in either order, bit by bit.

import (
	"slices"
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// An order is for graphs of localEdges or more, and for kernels that gather rows of localRow
// bytes or more from a table of localBytes or more, which no second cache holds. A second cache of
// less than localCache keeps less of what was gathered, and a third one that is near has the
// rest: there an order is for tables of farBytes or more, and for kernels that copy little to
// the tile. To find it takes as long as such kernels win by it in ten runs or so, so a graph that
// is new is walked localPatience times before. No result may depend on when that is: kernels that
// sum over all rows do without.
const (
	localEdges    = 1 << 17
	localRow      = 256
	localBytes    = 3 << 20
	localCache    = 2 << 20
	farBytes      = 16 << 20
	localPatience = 8
)

var secondCache = kern.SecondCache()

// staging is what a kernel reads and writes of its rows: where the tile has it.
type staging struct {
	reads, writes []staged
	at            []int // of each of the plan's buffers: the elements a row of those before it
	floats, ints  int   // elements a row
	gathered      int   // elements of the widest row that the kernel reads at the other end of an edge
}

// staged is a buffer of rows.
type staged struct {
	buffer, width int
	ints          bool
}

// readsOwn notes that the kernel reads a buffer at its rows.
func (c *compiler[T]) readsOwn(buffer int) { c.staged(&c.staging.reads, buffer) }

// writesOwn notes that it writes it there.
func (c *compiler[T]) writesOwn(buffer int) { c.staged(&c.staging.writes, buffer) }

func (c *compiler[T]) staged(list *[]staged, buffer int) {
	s, b := &c.staging, c.prog.plan.Buffers[buffer]
	if s.at == nil {
		s.at = make([]int, len(c.prog.plan.Buffers))
	}
	for _, old := range *list {
		if old.buffer == buffer {
			return
		}
	}
	size := &s.floats
	if b.Type == ir.I32 {
		size = &s.ints
	}
	s.at[buffer] = *size
	*size += b.Width()
	*list = append(*list, staged{buffer, b.Width(), b.Type == ir.I32})
}

// walksOften tells whether the graph has been walked so often that what makes walks faster, and
// takes a while to find, is worth it. It counts a run that would be.
func (x *Program[T]) walksOften(g *graph.Graph) bool {
	wants := slices.ContainsFunc(x.kernels, func(k *kernel[T]) bool { return k.ordersRows(g) || k.wantsKept(x, g) })
	return wants && g.Walk() > x.patience
}

// ordersRows tells whether the kernel would walk its rows in an order of the graph's.
func (k *kernel[T]) ordersRows(g *graph.Graph) bool { return k.isWide(g) && len(k.totals) == 0 }

// edges lists the edges of the kernel's rows, in the order in which it walks them; nil if
// it has no loop over edges. An order of the graph's own is for one that is walked often, or for
// kernels whose sums depend on which rows are in a tile: these have it from the first run on.
func (k *kernel[T]) edges(x *Program[T], g *graph.Graph, often bool) *graph.CSR {
	if len(k.loops) == 0 {
		return nil
	}
	return k.inOrder(x, g, (often || k.byType) && k.ordersRows(g))
}

// inOrder lists the edges of the kernel's rows, in the order that the graph has for them if it
// has one and they are to be local.
func (k *kernel[T]) inOrder(x *Program[T], g *graph.Graph, local bool) *graph.CSR {
	switch {
	case x.walk != nil:
		return x.walk(g, k.rows)
	case local:
		list := g.LocalIn
		if ir.Over(k.rows) == ir.Out {
			list = g.LocalOut
		}
		if csr := list(); csr != nil {
			return csr
		}
	}
	return csrOf(g, k.rows)
}

// isWide tells whether the kernel gathers wide rows from a large table, on a large graph, so that
// an order pays.
func (k *kernel[T]) isWide(g *graph.Graph) bool {
	row := k.staging.gathered * int(unsafe.Sizeof(T(0)))
	table := row * g.NumSrc()
	if row < localRow || table < localBytes || g.NumEdges() < localEdges {
		return false
	}
	return secondCache >= localCache || table >= farBytes && k.staging.floats < 2*k.staging.gathered
}

// stage copies what the kernel reads of the tile's rows to the tile.
func (k *kernel[T]) stage(w *worker[T]) {
	s := k.staging
	w.stage, w.stageInts = resized(w.stage, s.floats*k.tileRows), resized(w.stageInts, s.ints*k.tileRows)
	for i := range s.reads {
		b := &s.reads[i]
		if b.ints {
			gatherRows(w.stagedInts(b.buffer, b.width), w.run.mem.Ints[b.buffer], w.vertices, b.width)
		} else {
			w.set.GatherRows(w.staged(b.buffer, b.width), w.run.mem.Floats[b.buffer], b.width, w.vertices)
		}
	}
}

// unstage copies what the kernel has written of the tile's rows to memory.
func (k *kernel[T]) unstage(w *worker[T]) {
	for i := range k.staging.writes {
		b := &k.staging.writes[i]
		if b.ints {
			spreadRows(w.run.mem.Ints[b.buffer], w.stagedInts(b.buffer, b.width), w.vertices, b.width)
		} else {
			dst := w.run.mem.Floats[b.buffer]
			w.set.ScatterRows(dst, w.staged(b.buffer, b.width), b.width, w.vertices, len(dst)*int(unsafe.Sizeof(T(0))) >= w.run.prog.cached)
		}
	}
}

// staged returns the tile's rows of a buffer.
func (w *worker[T]) staged(buffer, width int) []T {
	return w.stage[w.kernel.staging.at[buffer]*w.kernel.tileRows:][:w.rows*width]
}

func (w *worker[T]) stagedInts(buffer, width int) []int32 {
	return w.stageInts[w.kernel.staging.at[buffer]*w.kernel.tileRows:][:w.rows*width]
}

// gatherRows: row i of dst = row ids[i] of x
func gatherRows[E any](dst, x []E, ids []int32, width int) {
	for i, id := range ids {
		copy(dst[i*width:(i+1)*width], x[int(id)*width:])
	}
}

// spreadRows: row ids[i] of dst = row i of x
func spreadRows[E any](dst, x []E, ids []int32, width int) {
	for i, id := range ids {
		copy(dst[int(id)*width:][:width], x[i*width:])
	}
}
