// Packing: parts of the operands copied to where the tile kernels read fast.

package cpu

import (
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// scratch returns n elements from the buffer pool, aligned to a cache line, and
// what release wants. They hold old values.
func scratch[T kern.Float](n int) ([]T, int) {
	size := int(unsafe.Sizeof(T(0)))
	// Never so small that Go's allocator would have to provide it.
	bytes := max(n*size, SmallBuffer) + cacheLine
	p, class := Alloc(bytes)
	return unsafe.Slice((*T)(p), bytes/size), class
}

// release gives a buffer of scratch back.
func release[T kern.Float](s []T, class int) { Free(unsafe.Pointer(unsafe.SliceData(s)), class) }

const cacheLine = 64

// packB copies a block of B as panels of the kernel's width: panel after panel,
// row after row of each. The last is filled up with zeros.
func (p *product[T]) packB(to []T, x block) {
	k, wide := x.p1-x.p0, p.kernel.Cols
	for j := x.j0; j < x.j1; j += wide {
		panel := to[(j-x.j0)*k:][:k*wide]
		cols := min(wide, x.j1-j)
		if cols < wide {
			clear(panel)
		}
		from := p.b.from(x.p0, j)
		if p.b.ColStride == 1 {
			for q := range k {
				copy(panel[q*wide:][:cols], from[q*p.b.RowStride:])
			}
			continue
		}
		for c := range cols {
			column := from[c*p.b.ColStride:]
			for q := range k {
				panel[q*wide+c] = column[q*p.b.RowStride]
			}
		}
	}
}

// packA copies a block of A and returns its new strides. What is contiguous stays
// so: rows are copied as rows, columns as columns.
func (p *product[T]) packA(to []T, x block) (aRow, aDepth int) {
	rows, k := x.i1-x.i0, x.p1-x.p0
	from := p.a.from(x.i0, x.p0)
	if p.a.RowStride == 1 {
		for q := range k {
			copy(to[q*rows:][:rows], from[q*p.a.ColStride:])
		}
		return 1, rows
	}
	aRow = packedStride(k)
	if p.a.ColStride == 1 {
		for i := range rows {
			copy(to[i*aRow:][:k], from[i*p.a.RowStride:])
		}
		return aRow, 1
	}
	for i := range rows {
		row := from[i*p.a.RowStride:]
		for q := range k {
			to[i*aRow+q] = row[q*p.a.ColStride]
		}
	}
	return aRow, 1
}

// packedStride is the stride of packed rows of k elements: an odd number of
// cache lines, so that a tile's rows fall into different sets of the caches.
func packedStride(k int) int {
	const line = 16
	return (ceilDiv(k, line) | 1) * line
}

// packedSize is what packA needs at most.
func packedSize(rows, k int) int { return rows * packedStride(k) }

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func roundUp(a, b int) int { return ceilDiv(a, b) * b }
