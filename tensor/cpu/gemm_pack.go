// Packing: parts of the operands copied to where the tile kernels read fast.

package cpu

import (
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// packPanels is how many panels of B a goroutine packs at a time.
const packPanels = 8

// scratch returns n elements or more from the buffer pool, with old values, and
// what release wants.
func scratch[T kern.Float](n int) ([]T, int) {
	size := int(unsafe.Sizeof(T(0)))
	// Never so small that Go's allocator would have to provide it.
	p, class := Alloc(max(n*size, SmallBuffer+1))
	return unsafe.Slice((*T)(p), n), class
}

// release gives a buffer of scratch back.
func release[T kern.Float](s []T, class int) { Free(unsafe.Pointer(unsafe.SliceData(s)), class) }

// packB copies a block of B as panels: each is as wide as the kernel's tile and as
// long as the block is deep, row after row, the last filled up with zeros.
func (p *product[T]) packB(to []T, x block) {
	k, wide := x.p1-x.p0, p.kernel.Cols
	for j := x.j0; j < x.j1; j += wide {
		panel := to[(j-x.j0)*k:][:k*wide]
		cols := min(wide, x.j1-j)
		if cols < wide {
			clear(panel)
		}
		if p.b.ColStride == 1 {
			kern.For[T]().CopyRows(panel, wide, p.b.from(x.p0, j), p.b.RowStride, cols, k)
		} else {
			p.packColumns(panel, wide, x.p0, j, cols, k)
		}
	}
}

// packColumns copies the columns of a panel, whose rows are so wide, of a B whose columns are
// contiguous, or nothing is.
func (p *product[T]) packColumns(panel []T, wide, p0, j, cols, k int) {
	if p.b.RowStride == 1 {
		kern.For[T]().Interleave(panel, wide, p.b.from(p0, j), p.b.ColStride, cols, k)
		return
	}
	for c := range cols {
		column := p.b.from(p0, j+c)
		for q := range k {
			panel[q*wide+c] = column[q*p.b.RowStride]
		}
	}
}

// packA copies a block of A and returns its new strides. What is contiguous stays
// so: columns are copied as columns, rows as rows. But where a tile has less of a column than
// half a cache line, it would have most of its lines from the second cache for others' sake,
// and columns become rows.
func (p *product[T]) packA(to []T, x block) (aRow, aDepth int) {
	rows, k := x.i1-x.i0, x.p1-x.p0
	from := p.a.from(x.i0, x.p0)
	set := kern.For[T]()
	if p.columnsTurn() {
		return p.turnColumns(to, x), 1
	}
	if p.a.RowStride == 1 {
		set.CopyRows(to, rows, from, p.a.ColStride, rows, k)
		return 1, rows
	}
	aRow = packedStride(k)
	if p.a.ColStride == 1 {
		set.CopyRows(to, aRow, from, p.a.RowStride, k, rows)
		return aRow, 1
	}
	for i := range rows {
		row, from := to[i*aRow:][:k], from[i*p.a.RowStride:]
		for q := range row {
			row[q] = from[q*p.a.ColStride]
		}
	}
	return aRow, 1
}

// columnsTurn tells whether columns of A are packed as rows.
func (p *product[T]) columnsTurn() bool {
	const half = 32
	return p.a.RowStride == 1 && p.a.ColStride != 1 && p.kernel.Rows*int(unsafe.Sizeof(T(0))) < half
}

// turnColumns packs a block of A whose columns are contiguous as rows and returns their stride.
func (p *product[T]) turnColumns(to []T, x block) (aRow int) {
	rows, k := x.i1-x.i0, x.p1-x.p0
	aRow = packedStride(k)
	kern.For[T]().Interleave(to, aRow, p.a.from(x.i0, x.p0), p.a.ColStride, k, rows)
	return aRow
}

// packedStride is the stride of packed rows of k elements: an odd number of
// half lines, so that a tile's rows fall into different sets of the caches.
func packedStride(k int) int {
	const half = 8
	return (ceilDiv(k, half) | 1) * half
}

// packedSize is what packA needs at most.
func packedSize(rows, k int) int { return rows * packedStride(k) }
