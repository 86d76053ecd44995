// How a product runs on the tile kernels: at once, or as blocks in parallel.

package cpu

import (
	"runtime"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// product is one C = A·B on its way.
type product[T kern.Float] struct {
	kernel  *kern.GemmKernel[T]
	c, a, b Matrix[T]
	bias    []T
	mode    kern.GemmMode
	depth   int
	cut     gemmCut
	turned  []T // what multiplyTurned may write to; nil if it has to ask for it
}

func newProduct[T kern.Float](c, a, b *Matrix[T], e *Epilogue[T]) product[T] {
	return product[T]{kernel: stateOf[T]().kernel.Load(), c: *c, a: *a, b: *b, bias: e.Bias, mode: e.mode(), depth: a.Cols}
}

// run chooses the way.
func (p *product[T]) run() {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	switch {
	case k > 0 && p.dots():
	case k == 0 || p.tiny() && (p.b.ColStride == 1 || n == 1):
		p.multiply(block{0, m, 0, n, 0, k}, nil, nil)
	case p.tiny():
		p.multiplyTurned()
	default:
		if p.cut = p.cuts(); p.cut.splits > 1 {
			p.split()
		} else {
			p.tiled()
		}
	}
}

// block is a part of C and of the depth.
type block struct{ i0, i1, j0, j1, p0, p1 int }

// multiply adds to a block's part of C the products of its part of the depth, or
// starts from them if it is the first; after the last the epilogue follows.
// packed is the block's part of B as panels (see packB), nil to read it in place;
// scratch is where A's part is to be packed, nil for in place.
func (p *product[T]) multiply(x block, packed, scratch []T) {
	k, wide := x.p1-x.p0, p.kernel.Cols
	var a []T
	aRow, aDepth := p.a.RowStride, p.a.ColStride
	switch {
	case scratch != nil:
		a = scratch
		aRow, aDepth = p.packA(scratch, x)
	case k > 0:
		a = p.a.from(x.i0, x.p0)
	}
	mode := p.mode
	if x.p0 > 0 {
		mode |= kern.GemmAccumulate
	}
	if p.cut.past {
		mode |= kern.GemmPast
	}
	if x.p1 < p.depth {
		mode &^= kern.GemmReLU
	}
	for j := x.j0; j < x.j1; j += wide {
		cols := min(wide, x.j1-j)
		var b, bias, next []T
		switch {
		case p.cut.splits > 1:
			next = p.next(x, (j-x.j0)/wide)
		case (j+wide-x.j0)*k < len(packed): // the first tile would wait for the next panel
			next = packed[(j+wide-x.j0)*k:]
		}
		bDepth := wide
		switch {
		case packed != nil:
			b = packed[(j-x.j0)*k:]
		case k > 0:
			b, bDepth = p.b.from(x.p0, j), p.b.RowStride
		}
		if p.bias != nil && x.p1 == p.depth {
			bias = p.bias[j : j+cols]
		}
		p.kernel.PanelAhead(x.i1-x.i0, cols, k, a, aRow, aDepth, b, bDepth, p.c.from(x.i0, j), p.c.RowStride, bias, mode, next)
	}
}

// tiling is a product whose blocks of C are computed in parallel, with one slab
// of B after the other.
type tiling[T kern.Float] struct {
	product[T]
	slab   block
	packed []T // the slab of B, each depth block as its panels; nil for in place
}

func (p *product[T]) tiled() {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	t := tiling[T]{product: *p}
	if p.cut.packB {
		var class int
		t.packed, class = scratch[T](min(roundUp(n, p.kernel.Cols), p.cut.slabCols) * min(k, p.cut.slabDepth))
		defer release(t.packed, class)
	}
	for p0 := 0; p0 < k; p0 += p.cut.slabDepth {
		for j0 := 0; j0 < n; j0 += p.cut.slabCols {
			t.slab = block{0, m, j0, min(j0+p.cut.slabCols, n), p0, min(p0+p.cut.slabDepth, k)}
			t.multiplySlab()
		}
	}
}

// multiplySlab packs the slab of B and computes C's blocks with it.
func (t *tiling[T]) multiplySlab() {
	pieces := 0
	if t.packed != nil {
		pieces = t.packAcross() * ceilDiv(t.slab.p1-t.slab.p0, t.cut.depth)
	}
	blocks := t.cut.down * t.across()
	grain := max(1, taskWork/(t.cut.rows*min(t.cut.cols, t.slab.j1-t.slab.j0)*(t.slab.p1-t.slab.p0)))
	if Threads() == 1 || pieces == 0 && blocks <= grain {
		t.packPieces(0, pieces)
		t.multiplyBlocks(0, blocks)
		return
	}
	// Goroutines get a copy: t then stays off the heap, and a product on one
	// thread allocates nothing.
	u := phases[T]{tiling: *t, pieces: pieces, blocks: blocks, grain: grain}
	Parallel(Threads(), max(ceilDiv(blocks, grain), pieces), u.run)
}

// phases is a slab's work for several goroutines: first the pieces of B to pack,
// then groups of blocks. One loop serves both, because waking a goroutine takes
// longer than many a product.
type phases[T kern.Float] struct {
	tiling[T]
	pieces, blocks, grain int
	drawn, packedPieces   atomic.Int64
}

// run is one goroutine's part: pieces as long as there are any, for packing is not to be
// left to the one that has the first blocks, and then blocks. Who waits for the packing
// waits for goroutines that are at it.
func (f *phases[T]) run(d *Draw) {
	for i := int(f.drawn.Add(1)) - 1; i < f.pieces; i = int(f.drawn.Add(1)) - 1 {
		f.pack(i)
	}
	for f.packedPieces.Load() < int64(f.pieces) {
		runtime.Gosched()
	}
	for i, ok := d.Next(); ok; i, ok = d.Next() {
		if lo := i * f.grain; lo < f.blocks {
			f.multiplyBlocks(lo, min(lo+f.grain, f.blocks))
		}
	}
}

// pack packs a piece; others wait for it even if it panics.
func (f *phases[T]) pack(i int) {
	defer f.packedPieces.Add(1)
	f.packPieces(i, i+1)
}

// packAcross is how many pieces of packing lie beside each other in the slab.
func (t *tiling[T]) packAcross() int {
	return ceilDiv(t.slab.j1-t.slab.j0, packPanels*t.kernel.Cols)
}

// packPieces packs pieces lo to hi of the slab: some panels of a depth block each.
func (t *tiling[T]) packPieces(lo, hi int) {
	across, wide := t.packAcross(), packPanels*t.kernel.Cols
	for i := lo; i < hi; i++ {
		x := block{j0: t.slab.j0 + i%across*wide, p0: t.slab.p0 + i/across*t.cut.depth}
		x.j1, x.p1 = min(x.j0+wide, t.slab.j1), min(x.p0+t.cut.depth, t.slab.p1)
		t.packB(t.panels(x), x)
	}
}

// panels returns where the packed panels of a block begin.
func (t *tiling[T]) panels(x block) []T {
	return t.packed[(x.p0-t.slab.p0)*roundUp(t.slab.j1-t.slab.j0, t.kernel.Cols)+(x.j0-t.slab.j0)*(x.p1-x.p0):]
}

// across is how many blocks lie beside each other in the slab.
func (t *tiling[T]) across() int { return ceilDiv(t.slab.j1-t.slab.j0, t.cut.cols) }

// multiplyBlocks computes blocks lo to hi of the slab, row by row.
func (t *tiling[T]) multiplyBlocks(lo, hi int) {
	cut, across := &t.cut, t.across()
	var a []T
	if cut.packA {
		var class int
		a, class = scratch[T](packedSize(cut.rows, cut.depth))
		defer release(a, class)
	}
	for i := lo; i < hi; i++ {
		down, j0 := i/across, t.slab.j0+i%across*cut.cols
		x := block{i0: cut.from(down, t.c.Rows), i1: cut.from(down+1, t.c.Rows), j0: j0, j1: min(j0+cut.cols, t.slab.j1)}
		for x.p0 = t.slab.p0; x.p0 < t.slab.p1; x.p0 = x.p1 {
			x.p1 = min(x.p0+cut.depth, t.slab.p1)
			var b []T
			if t.packed != nil {
				b = t.panels(x)
			}
			t.multiply(x, b, a)
		}
	}
	if cut.past {
		kern.Fence()
	}
}
