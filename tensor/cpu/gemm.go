// The dense matrix product: operands, what happens to the result, and the choice
// of the way.

package cpu

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Matrix is a strided view of a matrix: element [i, j] is
// Data[i*RowStride+j*ColStride]. A row-major matrix has ColStride 1; swapping
// Rows with Cols and the strides transposes it without a copy.
type Matrix[T kern.Float] struct {
	Data                 []T
	Rows, Cols           int
	RowStride, ColStride int
}

// RowMajor returns the matrix whose rows follow each other in data.
func RowMajor[T kern.Float](data []T, rows, cols int) Matrix[T] {
	return Matrix[T]{Data: data, Rows: rows, Cols: cols, RowStride: cols, ColStride: 1}
}

// T returns the transpose, a view of the same elements.
func (a Matrix[T]) T() Matrix[T] {
	return Matrix[T]{Data: a.Data, Rows: a.Cols, Cols: a.Rows, RowStride: a.ColStride, ColStride: a.RowStride}
}

// from returns a's elements from [i, j] on; there must be one.
func (a *Matrix[T]) from(i, j int) []T { return a.Data[i*a.RowStride+j*a.ColStride:] }

// fits reports whether all elements lie in Data.
func (a *Matrix[T]) fits() bool {
	if a.Rows < 0 || a.Cols < 0 || a.RowStride < 0 || a.ColStride < 0 {
		return false
	}
	return a.Rows == 0 || a.Cols == 0 || (a.Rows-1)*a.RowStride+(a.Cols-1)*a.ColStride < len(a.Data)
}

// Epilogue is what happens to a product before it is stored, in this order.
type Epilogue[T kern.Float] struct {
	Accumulate bool // add what C holds
	Bias       []T  // add a row to every row; nil for none, else C.Cols elements
	ReLU       bool // clamp to 0 from below; NaN stays
}

// mode returns the kernel's flags of an epilogue.
func (e *Epilogue[T]) mode() kern.GemmMode {
	var m kern.GemmMode
	if e.Accumulate {
		m |= kern.GemmAccumulate
	}
	if e.ReLU {
		m |= kern.GemmReLU
	}
	return m
}

// GemmError is the panic of a product whose operands do not fit.
type GemmError struct {
	Detail  string
	C, A, B [2]int // rows and columns
}

// Error returns e.g. "cpu: MatMul: inner dimensions differ: [3 4] x [5 6] -> [3 6]".
func (e *GemmError) Error() string {
	return fmt.Sprintf("cpu: MatMul: %s: %v x %v -> %v", e.Detail, e.A, e.B, e.C)
}

// Misuse marks the error as the caller's mistake.
func (e *GemmError) Misuse() {}

// MatMul computes C = A·B and applies the epilogue. C must have ColStride 1 and
// rows that do not overlap; its RowStride may exceed its columns, so that a slice
// of a larger matrix is written in place. A and B may have any strides; fast are
// those with one stride 1. C must not overlap A, B or the bias.
//
// An inner dimension of 0 gives zeros, then the epilogue. NaN and ±Inf propagate,
// 0·NaN included. How an element is summed depends on the dimensions, the strides and
// the processor, so the number of threads changes no bit.
//
// It panics with a [*GemmError] if the matrices do not fit together or into
// their slices.
func MatMul[T kern.Float](c, a, b Matrix[T], e Epilogue[T]) {
	check(&c, &a, &b, &e)
	if c.Rows == 0 || c.Cols == 0 {
		return
	}
	s := stateOf[T]()
	if l := s.library.Load(); l != nil && l.multiply(c, a, b, e) {
		return
	}
	if b.ColStride == 1 && c.Cols > 1 && a.Cols > 1 && c.Rows*c.Cols*a.Cols <= tinyWork { // what run comes to, sooner
		p := b.inPlace(s.kernel.Load())
		p.multiply(&c, &a, &e)
		return
	}
	p := newProduct(&c, &a, &b, &e)
	p.run()
}

func check[T kern.Float](c, a, b *Matrix[T], e *Epilogue[T]) {
	var detail string
	switch {
	case a.Cols != b.Rows:
		detail = "inner dimensions differ"
	case c.Rows != a.Rows || c.Cols != b.Cols:
		detail = "the result has another shape"
	case c.ColStride != 1 && c.Cols > 1 || c.RowStride < c.Cols && c.Rows > 1:
		detail = "the result is not row-major"
	case !c.fits() || !a.fits() || !b.fits():
		detail = "a matrix exceeds its slice"
	case e.Bias != nil && len(e.Bias) != c.Cols:
		detail = fmt.Sprintf("a bias of %d elements", len(e.Bias))
	default:
		return
	}
	panic(&GemmError{detail, [2]int{c.Rows, c.Cols}, [2]int{a.Rows, a.Cols}, [2]int{b.Rows, b.Cols}})
}
