// Vectors, diagonals and triangles of matrices.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Dot returns the inner product Σ a·b of two vectors of one length, a scalar.
func Dot(a, b *Tensor) *Tensor {
	const op = "Dot"
	wantSame(op, a, b)
	if a.Rank() != 1 || !a.shape.Equal(b.shape) {
		panic(&ShapeError{Op: op, Detail: "operands are not vectors of one length", Shapes: []Shape{a.shape, b.shape}})
	}
	return MatMul(a, b)
}

// VecDot returns the inner products of the rows of two tensors of one shape: Σ a·b over
// the last axis, which vanishes.
func VecDot(a, b *Tensor) *Tensor {
	const op = "VecDot"
	wantAlike(op, a, b)
	n := lastAxis(op, a)
	if anyFar(a, b) || n == 0 || n > elementGrain {
		products := Mul(a, b)
		defer products.Free()
		return Sum(products, false, -1)
	}
	out := empty(a.dtype, a.shape[:len(a.shape)-1])
	if a.dtype == Float32 {
		dotRows(elems[float32](out), elems[float32](a), elems[float32](b), n)
	} else {
		dotRows(elems[float64](out), elems[float64](a), elems[float64](b), n)
	}
	return out
}

func dotRows[T Float](out, a, b []T, n int) {
	cpu.ParallelFor(len(out), max(1, elementGrain/max(1, n)), func(lo, hi int) {
		kern.For[T]().DotEach(out[lo:hi], a[lo*n:hi*n], b[lo*n:hi*n], n)
	})
}

// Outer returns the products of all elements of two vectors: [m] x [n] -> [m n].
func Outer(a, b *Tensor) *Tensor {
	const op = "Outer"
	wantSame(op, a, b)
	if a.Rank() != 1 || b.Rank() != 1 {
		panic(&ShapeError{Op: op, Detail: "operands are not vectors", Shapes: []Shape{a.shape, b.shape}})
	}
	return Mul(a.Unsqueeze(1), b)
}

// Diagonal returns the view of a diagonal of the matrices of the last two axes:
// [... m n] -> [... k]. offset 0 is the main one, 1 that above it, -1 that below.
func (t *Tensor) Diagonal(offset int) *Tensor {
	wantTensor("Diagonal", t)
	rank := len(t.shape)
	if rank < 2 {
		panic(&ShapeError{Op: "Diagonal", Detail: "no matrix", Shapes: []Shape{t.shape}})
	}
	offset = nearDiagonal(t, offset)
	rows, cols := t.shape[rank-2]-max(-offset, 0), t.shape[rank-1]-max(offset, 0)
	strides := t.Strides()
	down, right := strides[rank-2], strides[rank-1]
	shape := append(t.shape[:rank-2].Clone(), max(0, min(rows, cols)))
	start := max(-offset, 0)*down + max(offset, 0)*right
	return t.strided(shape, append(strides[:rank-2:rank-2], down+right), start)
}

// DiagEmbed returns matrices with the elements of the last axis on a diagonal,
// which is named as for [Tensor.Diagonal], and zeros elsewhere: [... n] -> [... m m]
// with m = n + |offset|.
func DiagEmbed(x *Tensor, offset int) *Tensor {
	const op = "DiagEmbed"
	wantTensors(op, x)
	last := x.shape.axis(op, -1)
	if offset > maxElements || offset < -maxElements { // the sum below would overflow
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("diagonal %d of more elements than memory can hold", offset), Shapes: []Shape{x.shape}})
	}
	m := x.shape[last] + max(offset, -offset)
	out := zerosBeside(x, op, x.dtype, append(x.shape[:last].Clone(), m, m))
	copyElements(out.Diagonal(offset), x)
	return out
}

// Tril returns the matrices of the last two axes with zeros above a diagonal, which
// is named as for [Tensor.Diagonal].
func Tril(x *Tensor, diagonal int) *Tensor {
	const op = "Tril"
	wantMatrix(op, x)
	diagonal = nearDiagonal(x, diagonal)
	if x.far != nil {
		return farTriangle(op, x, "LessEqual", diagonal)
	}
	return triangle(op, x, func(row, cols int) (lo, hi int) { return 0, row + diagonal + 1 })
}

// Triu returns the matrices of the last two axes with zeros below a diagonal.
func Triu(x *Tensor, diagonal int) *Tensor {
	const op = "Triu"
	wantMatrix(op, x)
	diagonal = nearDiagonal(x, diagonal)
	if x.far != nil {
		return farTriangle(op, x, "GreaterEqual", diagonal)
	}
	return triangle(op, x, func(row, cols int) (lo, hi int) { return row + diagonal, cols })
}

// nearDiagonal returns the diagonal, or the nearest one that has no element of x: there
// is no difference, and sums with it do not overflow.
func nearDiagonal(x *Tensor, diagonal int) int {
	return max(-x.Dim(-2), min(diagonal, x.Dim(-1)))
}

func wantMatrix(op string, x *Tensor) {
	wantTensor(op, x)
	if rank := len(x.shape); rank < 2 {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("%d axes are no matrix", rank), Shapes: []Shape{x.shape}})
	}
}

// farTriangle keeps the elements whose column less their row compares with diagonal.
func farTriangle(op string, x *Tensor, compare string, diagonal int) *Tensor {
	rows, cols := uint64(max(1, x.Dim(-2))), uint64(max(1, x.Dim(-1)))
	return farMap(op, x.shape, []ProgramStep{
		{Op: "Coordinate", Type: Int64, U: 1, V: cols},
		{Op: "Coordinate", Type: Int64, U: cols, V: rows},
		{Op: "Sub", Type: Int64, Args: [3]int{0, 1}},
		{Op: "Const", Type: Int64, C: float64(diagonal)},
		{Op: compare, Type: Bool, Args: [3]int{2, 3}},
		{Op: "Const", Type: x.dtype},
		{Op: "Where", Type: x.dtype, Args: [3]int{4, ^0, 5}},
	}, x)
}

// triangle keeps the columns lo to hi-1 of each row.
func triangle(op string, x *Tensor, keep func(row, cols int) (lo, hi int)) *Tensor {
	rank := len(x.shape)
	out := zeros(x.dtype, x.shape)
	rows, cols := x.shape[rank-2], x.shape[rank-1]
	for r := range rows {
		lo, hi := keep(r, cols)
		if lo, hi = max(lo, 0), min(hi, cols); lo < hi {
			copyElements(out.Narrow(-2, r, r+1).Narrow(-1, lo, hi), x.Narrow(-2, r, r+1).Narrow(-1, lo, hi))
		}
	}
	return out
}
