// Where a product is cut. Cuts depend on the dimensions and the kernel's tile,
// never on the number of threads: they decide how sums are grouped.

package cpu

// tinyWork is the number of multiplications up to which a product is worth
// neither packing nor goroutines.
const tinyWork = 1 << 15

const (
	// Depth of a block: a panel of B, 32 KiB, and a tile's rows of A share the
	// first caches.
	blockDepth = 256
	// Rows of a block: about so many of A stay in the second-level cache.
	blockRows = 140
	// Multiplications worth a goroutine's turn, and how many turns are wanted.
	taskWork  = 1 << 19
	wantTasks = 8
	// Elements of B that are packed at a time.
	slabSize = 1 << 22
	// Elements that a goroutine packs at a time.
	packGrain = 1 << 14
)

// gemmCut says where a product is cut.
type gemmCut struct {
	rows, cols, depth   int // of a block of C and the part of the depth it advances at a time
	slabCols, slabDepth int // of the part of B packed at a time
	splits              int // parts of the depth computed apart, 1 for none
	packA               bool
	inPlaceRows         int // up to so many rows, packing B does not pay
}

func cutGemm(m, n, k, tileRows, tileCols int) gemmCut {
	c := gemmCut{
		rows: roundUp(blockRows, tileRows), cols: roundUp(n, tileCols),
		depth: max(1, ceilDiv(k, ceilDiv(k, blockDepth))), splits: 1, inPlaceRows: 2 * tileRows,
	}
	c.packA = n >= 6*tileCols
	tasks := min(wantTasks, m*n*k/taskWork)
	if m*n <= 1<<16 && k >= 16*max(m, n) && tasks > 1 {
		c.rows = roundUp(m, tileRows)
		c.splits = min(32, k*m*n/taskWork/4, k/c.depth)
		if c.splits > 1 {
			return c
		}
	}
	if tasks > 1 && ceilDiv(m, c.rows) < tasks {
		c.rows = max(roundUp(ceilDiv(m, tasks), tileRows), 2*tileRows)
		if down := ceilDiv(m, c.rows); down < tasks {
			c.cols = roundUp(ceilDiv(n, ceilDiv(tasks, down)), tileCols)
		}
	}
	c.slabDepth = roundUp(min(k, slabSize/min(c.cols, 4096)), c.depth)
	c.slabCols = max(c.cols, slabSize/c.slabDepth/c.cols*c.cols)
	return c
}
