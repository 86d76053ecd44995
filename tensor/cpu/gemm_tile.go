// Products of tiles: matrices of few rows, each multiplied by the goroutine that
// has them in its cache.

package cpu

import "github.com/asterias-ml/asterias/tensor/kern"

// Packed is a right operand as the tile kernels read it: copied to their order, or where it
// lies. It is immutable, and many goroutines may multiply by it at a time.
type Packed[T kern.Float] struct {
	kernel     *kern.GemmKernel[T]
	rows, cols int
	stride     int // from a row of a panel to the next
	across     int // to the next panel, for each column of one
	panels     []T // from the first of the rows on
}

// PackedSize is the number of elements that [Pack] needs for a rows×cols matrix.
func PackedSize[T kern.Float](rows, cols int) int {
	return rows * roundUp(cols, stateOf[T]().kernel.Load().Cols)
}

// Pack copies b to buf, of [PackedSize] elements, which then belongs to the
// result. b may have any strides. It panics with a [*GemmError] if b exceeds its
// slice.
func Pack[T kern.Float](b Matrix[T], buf []T) Packed[T] {
	b.wantFit()
	k := stateOf[T]().kernel.Load()
	p := Packed[T]{kernel: k, rows: b.Rows, cols: b.Cols, stride: k.Cols, across: b.Rows, panels: buf[:b.Rows*roundUp(b.Cols, k.Cols)]}
	if b.Rows > 0 && b.Cols > 0 {
		from := product[T]{kernel: k, b: b}
		from.packB(p.panels, block{j1: b.Cols, p1: b.Rows})
	}
	return p
}

// InPlace is [Pack] without the copy: multiplications, whose results are the same, read b, which
// must have ColStride 1 (or one column) and stay as it is.
func InPlace[T kern.Float](b Matrix[T]) Packed[T] {
	b.wantFit()
	if b.ColStride != 1 && b.Cols > 1 {
		panic(&GemmError{"the right operand of a tile is not row-major", [2]int{}, [2]int{}, [2]int{b.Rows, b.Cols}})
	}
	return b.inPlace(stateOf[T]().kernel.Load())
}

func (b *Matrix[T]) inPlace(k *kern.GemmKernel[T]) Packed[T] {
	return Packed[T]{kernel: k, rows: b.Rows, cols: b.Cols, stride: b.RowStride, across: min(b.Rows, 1), panels: b.Data}
}

// InPlacePays tells whether [InPlace] suits products of a rows×cols matrix whose rows follow each
// other with so many rows of A: few, or the matrix is a panel as it is.
func InPlacePays[T kern.Float](cols, rowsOfA int) bool {
	return rowsOfA < packRows || cols == stateOf[T]().kernel.Load().Cols
}

// wantFit panics with a [*GemmError] if b, a right operand, exceeds its slice.
func (b *Matrix[T]) wantFit() {
	if !b.fits() {
		panic(&GemmError{"a matrix exceeds its slice", [2]int{}, [2]int{}, [2]int{b.Rows, b.Cols}})
	}
}

// Slice returns rows [lo, hi) of the matrix, which share its memory. It panics if there
// are none such.
func (p *Packed[T]) Slice(lo, hi int) Packed[T] {
	if lo < 0 || hi < lo || hi > p.rows {
		panic(&GemmError{"a packed matrix has no such rows", [2]int{}, [2]int{lo, hi}, [2]int{p.rows, p.cols}})
	}
	part := *p
	part.rows = hi - lo
	part.panels = p.panels[min(lo*p.stride, len(p.panels)):]
	if part.rows == 0 {
		part.across = 0 // there is nothing to read
	}
	return part
}

// Multiply computes C = A·B for the packed B on the calling goroutine and applies
// the epilogue. What [MatMul] says of C, of A, of sums and of special numbers
// holds here too; each row of C depends on its row of A alone, whatever the
// number of rows. It panics with a [*GemmError] if the matrices do not fit.
func (p *Packed[T]) Multiply(c, a Matrix[T], e Epilogue[T]) {
	b := Matrix[T]{Data: p.panels, Rows: p.rows, Cols: p.cols} // for its shape alone
	check(&c, &a, &b, &e)
	p.multiply(&c, &a, &e)
}

// multiply is Multiply of matrices that fit.
func (p *Packed[T]) multiply(c, a *Matrix[T], e *Epilogue[T]) {
	wide := p.kernel.Cols
	for j := 0; j < p.cols && c.Rows > 0; j += wide {
		cols := min(wide, p.cols-j)
		var bias []T
		if e.Bias != nil {
			bias = e.Bias[j : j+cols]
		}
		p.kernel.Panel(c.Rows, cols, p.rows, a.Data, a.RowStride, a.ColStride, p.panels[j*p.across:], p.stride, c.from(0, j), c.RowStride, bias, e.mode())
	}
}

// MatMulTile is [MatMul] on the calling goroutine with both operands read where
// they lie, for matrices that fit the second-level cache. B must have ColStride 1
// (or one column).
func MatMulTile[T kern.Float](c, a, b Matrix[T], e Epilogue[T]) {
	p := InPlace(b)
	p.Multiply(c, a, e)
}
