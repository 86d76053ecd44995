// Many products of one shape, and what small ones need of a right operand.

package cpu

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// MatMulSeries computes count products as [MatMul] does one, of matrices that lie a step of
// elements apart: the first are c, a and b, the i-th begins i*step elements further in Data.
// A step of 0 is the same matrix each time, for A and B; no C may overlap another's. It
// panics with a [*GemmError] if the matrices do not fit together or into their slices.
func MatMulSeries[T kern.Float](count int, c Matrix[T], cStep int, a Matrix[T], aStep int, b Matrix[T], bStep int, e Epilogue[T]) {
	if count <= 0 {
		return
	}
	check(&c, &a, &b, &e)
	if c.Rows == 0 || c.Cols == 0 {
		return
	}
	if !c.fitsSeries(count, cStep) || !a.fitsSeries(count, aStep) || !b.fitsSeries(count, bStep) {
		panic(&GemmError{fmt.Sprintf("the last of %d matrices exceeds its slice", count), [2]int{c.Rows, c.Cols}, [2]int{a.Rows, a.Cols}, [2]int{b.Rows, b.Cols}})
	}
	library := stateOf[T]().library.Load()
	p := newProduct(&c, &a, &b, &e)
	if n := p.turnedSize(); n > 0 && count > 1 {
		var class int
		p.turned, class = scratch[T](n)
		defer release(p.turned, class)
	}
	for i := range count {
		p.c.Data = c.Data[i*cStep:]
		p.a.Data, p.b.Data = a.Data[min(i*aStep, len(a.Data)):], b.Data[min(i*bStep, len(b.Data)):] // empty ones lie nowhere
		if library == nil || !library.multiply(p.c, p.a, p.b, e) {
			p.run()
		}
	}
}

// fitsSeries is fits for so many matrices, a step apart.
func (a *Matrix[T]) fitsSeries(count, step int) bool {
	if step < 0 {
		return false
	}
	last := *a
	last.Data = a.Data[min((count-1)*step, len(a.Data)):]
	return last.fits()
}

// tiny tells whether a product is worth neither packing nor goroutines.
func (p *product[T]) tiny() bool { return p.c.Rows*p.c.Cols*p.depth <= tinyWork }

// turnedSize is how many elements multiplyTurned writes B to, 0 if it is not needed.
func (p *product[T]) turnedSize() int {
	if p.depth == 0 || !p.tiny() || p.b.ColStride == 1 || p.c.Cols == 1 {
		return 0
	}
	return p.depth * p.c.Cols
}

// multiplyTurned computes a small product whose B has no contiguous rows: it copies B so that
// it has.
func (p *product[T]) multiplyTurned() {
	to, wide := p.turned, p.c.Cols
	if to == nil {
		var class int
		to, class = scratch[T](p.depth * wide)
		defer release(to, class)
	}
	p.packColumns(to, wide, 0, 0, p.c.Cols, p.depth)
	b := p.b
	p.b = Matrix[T]{Data: to, Rows: p.depth, Cols: p.c.Cols, RowStride: wide, ColStride: 1}
	p.multiply(block{0, p.c.Rows, 0, p.c.Cols, 0, p.depth}, nil, nil)
	p.b = b
}
