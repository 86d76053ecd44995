// How a product runs on the tile kernels: cut into tasks, packed, or neither.

package cpu

import "github.com/asterias-ml/asterias/tensor/kern"

// product is one C = A·B on its way.
type product[T kern.Float] struct {
	kernel  *kern.GemmKernel[T]
	c, a, b Matrix[T]
	bias    []T
	mode    kern.GemmMode
	depth   int
	cut     gemmCut
}

// run chooses the way.
func (p *product[T]) run() {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	if p.vector() {
		return
	}
	if m*n*k <= tinyWork && (p.b.ColStride == 1 || n == 1 || k == 0) {
		p.inPlace()
		return
	}
	p.cut = cutGemm(m, n, k, p.kernel.Rows, p.kernel.Cols)
	if p.cut.splits > 1 {
		p.split()
		return
	}
	p.tiled()
}

// inPlace computes the product without packing or goroutines.
func (p *product[T]) inPlace() {
	n, k, wide := p.c.Cols, p.depth, p.kernel.Cols
	for j := 0; j < n; j += wide {
		var b, bias []T
		if k > 0 {
			b = p.b.from(0, j)
		}
		if p.bias != nil {
			bias = p.bias[j:min(j+wide, n)]
		}
		p.kernel.Panel(p.c.Rows, min(wide, n-j), k, p.a.Data, p.a.RowStride, p.a.ColStride, b, p.b.RowStride, p.c.from(0, j), p.c.RowStride, bias, p.mode)
	}
}

// block is a part of C and of the depth.
type block struct{ i0, i1, j0, j1, p0, p1 int }

// multiply adds the products of a block's part of the depth to its part of C,
// or starts from them if the part is the first; after the last, the epilogue
// follows. packed holds the block's part of B as panels (see packB); scratch
// gets A's part if that is to be packed.
func (p *product[T]) multiply(x block, packed, scratch []T) {
	k, wide := x.p1-x.p0, p.kernel.Cols
	a, aRow, aDepth := p.a.from(x.i0, x.p0), p.a.RowStride, p.a.ColStride
	if scratch != nil {
		a = scratch
		aRow, aDepth = p.packA(scratch, x)
	}
	mode := p.mode
	if x.p0 > 0 {
		mode |= kern.GemmAccumulate
	}
	if x.p1 < p.depth {
		mode &^= kern.GemmReLU
	}
	for j := x.j0; j < x.j1; j += wide {
		b, bDepth := []T(nil), wide
		if packed != nil {
			b = packed[(j-x.j0)*k:]
		} else {
			b, bDepth = p.b.from(x.p0, j), p.b.RowStride
		}
		var bias []T
		if p.bias != nil && x.p1 == p.depth {
			bias = p.bias[j:min(j+wide, x.j1)]
		}
		p.kernel.Panel(x.i1-x.i0, min(wide, x.j1-j), k, a, aRow, aDepth, b, bDepth, p.c.from(x.i0, j), p.c.RowStride, bias, mode)
	}
}

// tiled packs B once for all, a slab of columns and depth that stays in the
// caches at a time, and computes C's blocks in parallel.
func (p *product[T]) tiled() {
	n, k, wide := p.c.Cols, p.depth, p.kernel.Cols
	t := &tiling[T]{product: p}
	t.across = ceilDiv(min(n, p.cut.slabCols), p.cut.cols)
	inPlace := p.b.ColStride == 1 && p.c.Rows <= p.cut.inPlaceRows
	if !inPlace {
		size := min(roundUp(n, wide), p.cut.slabCols) * min(k, p.cut.slabDepth)
		var class int
		t.packed, class = scratch[T](size)
		defer release(t.packed, class)
	}
	for p0 := 0; p0 < k; p0 += p.cut.slabDepth {
		for j0 := 0; j0 < n; j0 += p.cut.slabCols {
			t.slab = block{0, p.c.Rows, j0, min(j0+p.cut.slabCols, n), p0, min(p0+p.cut.slabDepth, k)}
			if !inPlace {
				t.packSlab()
			}
			t.multiplySlab()
		}
	}
}

// tiling is the state of a product whose B is packed for all blocks.
type tiling[T kern.Float] struct {
	*product[T]
	slab   block
	packed []T // the slab of B: depth blocks of panels
	across int // blocks beside each other
}

// packSlab packs the slab's part of B, each depth block as its panels.
func (t *tiling[T]) packSlab() {
	wide := t.kernel.Cols
	panels, depths := ceilDiv(t.slab.j1-t.slab.j0, wide), ceilDiv(t.slab.p1-t.slab.p0, t.cut.depth)
	parallel(panels*depths, max(1, packGrain/(wide*t.cut.depth)), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p0 := t.slab.p0 + i/panels*t.cut.depth
			j0 := t.slab.j0 + i%panels*wide
			x := block{j0: j0, j1: min(j0+wide, t.slab.j1), p0: p0, p1: min(p0+t.cut.depth, t.slab.p1)}
			t.packB(t.packedAt(p0, j0, x.p1-p0), x)
		}
	})
}

// packedAt returns the packed panels from column j0 on of the depth block at p0
// of k rows.
func (t *tiling[T]) packedAt(p0, j0, k int) []T {
	return t.packed[(p0-t.slab.p0)*roundUp(t.slab.j1-t.slab.j0, t.kernel.Cols)+(j0-t.slab.j0)*k:]
}

// multiplySlab computes all blocks of C with the slab of B.
func (t *tiling[T]) multiplySlab() {
	m, cut := t.c.Rows, t.cut
	across := ceilDiv(t.slab.j1-t.slab.j0, cut.cols)
	parallel(ceilDiv(m, cut.rows)*across, 1, func(lo, hi int) {
		var a []T
		if cut.packA {
			var class int
			a, class = scratch[T](packedSize(cut.rows, cut.depth))
			defer release(a, class)
		}
		for i := lo; i < hi; i++ {
			i0, j0 := i/across*cut.rows, t.slab.j0+i%across*cut.cols
			x := block{i0: i0, i1: min(i0+cut.rows, m), j0: j0, j1: min(j0+cut.cols, t.slab.j1)}
			for x.p0 = t.slab.p0; x.p0 < t.slab.p1; x.p0 = x.p1 {
				x.p1 = min(x.p0+cut.depth, t.slab.p1)
				var b []T
				if t.packed != nil {
					b = t.packedAt(x.p0, j0, x.p1-x.p0)
				}
				t.multiply(x, b, a)
			}
		}
	})
}

// parallel is ParallelFor without its closure's cost when there is one thread.
func parallel(n, grain int, fn func(lo, hi int)) { ParallelFor(n, grain, fn) }

func (p *product[T]) vector() bool { return false }
