// Where a product is cut and what of it is packed.

package cpu

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// tinyWork is the number of multiplications up to which a product is worth
// neither packing nor goroutines.
const tinyWork = 1 << 15

const (
	// Rows of a block of C: about so many of A, as deep as a depth block, stay in
	// the second-level cache while the panels of B pass.
	blockRows = 140
	// Depth of a block: a panel of B takes 32 KiB, or half of it with AVX2 and NEON.
	blockDepth = 256
	// Where a second-level cache holds as many bytes as this, packed panels of B come from there
	// as well, and blocks are deeper and less tall: C is added to less often, and A is copied in
	// longer runs. A B that is one panel is read in place, deeper still.
	deepCache           = 2 << 20
	deepRows, deepDepth = 70, 1024
	onePanelDepth       = 2048
	// A block of a transposed A in place is less deep, because each step down is
	// another page, and taller, because walking along the rows is cheap.
	transposedDepth = 128
	// Blocks of as many tiles have no others, so that none has a low one at its end.
	wholeTiles = 4
	// Below this depth storing C takes the time. It is written along its rows, one
	// tile high, instead of along the panels of B.
	shallow = 64
	// Fewer rows of A do not repay packing B.
	packRows = 32
	// Multiplications worth a goroutine's turn, and how many turns are wanted, a
	// power of two. When there are fewer than manyBlocks, their number is made a
	// multiple of it, so that as many threads or half of them end together.
	taskWork   = 1 << 19
	wantTasks  = 16
	manyBlocks = 64
	// A result of up to so many elements is computed in parts of the depth if that
	// is so many times its larger side.
	splitResult = 1 << 16
	splitRatio  = 16
	maxSplits   = 32
	// Rows and columns of what is packed of B at a time.
	slabDepth, slabCols = 2048, 2048
)

// secondCache is the bytes of a core's second-level cache, 0 if unknown.
var secondCache = kern.SecondCache()

// pastCaches is the bytes of a result from which on it is written past the caches, if each element
// is written once: little of it would be left there, and lines are read before they are written to.
// Measured: a gain from 30 MB on, even where the result is read at once; none with 15 MB.
var pastCaches = 24 << 20

// gemmCut says where a product is cut and what is packed. It depends on the
// dimensions, the strides, the kernel and the processor's cache, never on the number of
// threads: it decides how sums are grouped.
type gemmCut struct {
	rows, cols, depth   int // of a block of C, at most, and of the depth it advances by at a time
	down, unit          int // blocks below each other, whose rows are multiples of unit
	slabCols, slabDepth int // of the part of B that is packed at a time, or of all
	splits              int // parts of the depth computed apart, 1 for none
	packA, packB        bool
	past                bool // C is written once, past the caches
}

// cuts chooses the cuts of a product that is not tiny.
//
// The tile kernels prefetch (NEON's leave that to the processor), and a second-level cache
// feeds them, so operands are read in place. Packing pays for three reasons: a panel of B must have
// contiguous rows; rows of a multiple of 4096 bytes compete for one set of the
// caches, and those of 2048 for two, which is too few if C's do as well (512 columns
// each: two thirds of the speed); and what many tiles share should not cost many pages.
func (p *product[T]) cuts() gemmCut {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	high, wide := p.kernel.Rows, p.kernel.Cols
	size := int(unsafe.Sizeof(T(0)))
	collide := func(bytes int, strides ...int) bool {
		return !slices.ContainsFunc(strides, func(s int) bool { return s*size%bytes != 0 })
	}

	// evenly divides the depth without a short last part.
	evenly := func(depth int) int { return ceilDiv(k, ceilDiv(k, depth)) }
	c := gemmCut{
		cols: roundUp(n, wide), depth: evenly(blockDepth), slabCols: n, slabDepth: k, splits: 1,
		packA: n >= 6*wide && p.a.ColStride != 1 || 2*n >= wide && collide(4096, p.a.RowStride) || n >= 6*wide && collide(2048, p.a.RowStride, p.c.RowStride),
		packB: p.b.ColStride != 1 || m > 4*wide*size || m >= packRows && collide(4096, p.b.RowStride),
	}
	turns := p.columnsTurn() && n >= 2*wide
	c.packA = c.packA || turns
	inPlaceByColumns := !c.packA && p.a.ColStride != 1 && p.a.RowStride == 1
	if inPlaceByColumns {
		c.depth = evenly(transposedDepth)
	}

	tasks := min(wantTasks, 1<<bits.Len(uint(m*n*k/taskWork))/2)
	if m*n <= splitResult && k >= splitRatio*max(m, n) && tasks > 1 {
		c.splits = min(maxSplits, m*n*k/taskWork, ceilDiv(k, c.depth))
		c.packA = turns && m <= 2*blockRows
		c.packB = p.b.ColStride != 1 || n > wide
		return c
	}
	down := ceilDiv(m, blockRows)
	switch {
	case inPlaceByColumns:
		down = 1
	case secondCache >= deepCache && n <= wide && !c.packA && p.b.ColStride == 1 && p.b.RowStride <= wide:
		c.packB = false
		c.depth = evenly(onePanelDepth)
	case secondCache >= deepCache && c.packB && k > blockDepth:
		down = ceilDiv(m, deepRows)
		c.depth = evenly(deepDepth)
	}
	if tasks > 1 && down < manyBlocks {
		down = roundUp(down, tasks)
	}
	c.past = n > wide && k <= c.depth && m*n*size >= pastCaches && p.mode&kern.GemmAccumulate == 0
	c.rows = max(high, ceilDiv(m, down))
	if k < shallow && n > 4*wide {
		c.rows = high
	}
	if c.rows >= wholeTiles*high {
		c.down, c.unit = down, high
		c.rows = ceilDiv(ceilDiv(m, high), down) * high
	} else {
		c.down, c.unit = ceilDiv(m, c.rows), c.rows
	}
	if c.down < tasks {
		c.cols = roundUp(ceilDiv(n, ceilDiv(tasks, c.down)), wide)
	}
	if c.packB {
		c.slabDepth, c.slabCols = roundUp(slabDepth, c.depth), slabCols
		c.cols = min(c.cols, slabCols)
	}
	return c
}

// from returns where block i of those below each other begins in a matrix of m rows.
func (c *gemmCut) from(i, m int) int { return min(m, i*ceilDiv(m, c.unit)/c.down*c.unit) }

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func roundUp(a, b int) int { return ceilDiv(a, b) * b }
