package cpu

// How large tiles are, and what the rows and edges of a kernel cost.

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// A tile's registers of edges should stay in the L2 cache and be worth a call each: the
// widest holds about tileElements, but no fewer than so many edges. Those of rows, most of which are written
// once and read once, are as fast in the L2 cache: the widest holds about rowElements.
// A row with more edges than a tile is still taken whole while the registers together
// have splitElements or less and stay in the L2 cache; beyond, its edge values are
// computed anew for each loop.
const (
	tileElements  = 8192
	rowElements   = 1 << 15
	maxTileEdges  = 512
	minTileEdges  = 32
	maxTileRows   = 2048
	minTileRows   = 8
	splitElements = 1 << 18
	maxWholeEdges = 4096
)

// Tiles may have so many edges of which a kernel keeps no more than a few numbers: there are
// fewer calls. Attention on 30 thousand to 200 thousand vertices takes 2 to 11 % less time
// with these and with rowElements than with a quarter of them, plain sums 6 to 10 % less.
const maxNarrowEdges = 4096

// A matrix product of rows wants the registers of its tile in the L2 cache together, and
// many rows: they may take productElements. Beside it the sizes above are besideProduct
// times smaller (R-GCN takes 6 to 13 % longer if not). Where each type has a matrix of its
// own they may take more, so that there are edgesPerType for each, or, of rows that take
// sums by type, typedRows times as many.
const (
	productElements = 1 << 17
	besideProduct   = 4
	minProductRows  = 16
	maxProductRows  = 1024
	minProductEdges = 128
	maxProductEdges = 2048
	typedElements   = 1 << 20
	edgesPerType    = 16
	typedRows       = 2
)

// charge adds the work of an instruction to what a row or an edge costs.
func (c *compiler[T]) charge(at level, width int) {
	const dispatch = 4
	if at == overEdges {
		c.cost.edge += int64(width) + dispatch
	} else {
		c.cost.row += int64(width) + dispatch
	}
}

// mostRows is how many rows a tile may have: no more than there are, where the program alone tells
// that. Such rows may be wide.
func (c *compiler[T]) mostRows() int {
	switch rows := c.plan.Rows; {
	case rows == ir.Param:
		return 1
	case rows.IsType():
		return max(c.prog.plan.Program.Types.Of(rows), 1)
	}
	return maxTileRows
}

// finish fixes the size of the tiles, and so what a worker must hold.
func (c *compiler[T]) finish(k *kernel[T]) {
	share := 1
	if c.products[overRows] {
		share = besideProduct
	}
	tile := func(at level, elements, least, most int) int {
		return min(max(elements/max(c.widest[at], c.scratch[at], 1), least), most)
	}
	most := maxTileEdges
	if max(c.widest[overEdges], c.scratch[overEdges]) <= rowwise {
		most = maxNarrowEdges / share
	}
	k.tileEdges = tile(overEdges, tileElements, minTileEdges, most)
	k.tileRows = tile(overRows, rowElements/share, minTileRows, maxTileRows/share)
	edgeAll := max(c.edge+(len(worker[T]{}.scratch)+1)*c.scratch[overEdges], 1)
	rowAll := max(c.row+(len(worker[T]{}.scratch)+1)*c.scratch[overRows], 1)
	if c.products[overRows] { // many rows, and with them their edges
		elements := productElements
		if c.byType {
			elements *= typedRows
		}
		k.tileRows = max(k.tileRows, min(max(elements/rowAll, minProductRows), maxProductRows))
		k.tileEdges = max(k.tileEdges, min(productElements/edgeAll, maxWholeEdges))
	}
	if c.products[overEdges] {
		n := min(productElements/edgeAll, maxTileEdges)
		n = max(n, min(edgesPerType*c.types, typedElements/edgeAll, maxProductEdges))
		if c.narrows { // most edges do not stay
			n *= 2
		}
		k.tileEdges = max(k.tileEdges, n, minProductEdges)
	}
	k.tileRows = min(k.tileRows, c.mostRows())
	k.wholeEdges = max(min(splitElements/edgeAll, maxWholeEdges), k.tileEdges)
	switch c.mode {
	case forHubs:
		k.tileRows, k.wholeEdges = 1, k.tileEdges
		k.rowFloats, k.rowInts = c.row, c.rowInts
	case forCover:
		k.tileRows = graph.CoverRows
	}
	k.cost = cost{row: c.cost.row + 16, edge: c.cost.edge}
	if c.mode == forCover && (k.covering == nil || c.roomless == nil) {
		return // it does not run
	}
	c.prog.size.include(sizes{
		edge: c.edge * k.wholeEdges, row: c.row * k.tileRows, rowInts: c.rowInts * k.tileRows,
		scratch: max(c.scratch[overEdges]*k.wholeEdges, c.scratch[overRows]*k.tileRows),
		rows:    k.tileRows, ids: max(k.wholeEdges, k.tileRows),
	})
}
