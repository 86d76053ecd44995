// The dense matrix product.

package tensor

import (
	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// MatMul returns the matrix product of the last two axes: [... m k] x [... k n]
// -> [... m n]. The axes before them broadcast by NumPy's rule. Transposed
// operands (see [Tensor.Transpose]) are read where they are, without a copy.
func MatMul(a, b *Tensor) *Tensor {
	const op = "MatMul"
	wantSame(op, a, b)
	if a.Rank() < 2 || b.Rank() < 2 {
		panic(&ShapeError{Op: op, Detail: "operands are not matrices", Shapes: []Shape{a.shape, b.shape}})
	}
	m, k := a.shape[a.Rank()-2], a.shape[a.Rank()-1]
	k2, n := b.shape[b.Rank()-2], b.shape[b.Rank()-1]
	if k != k2 {
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ", Shapes: []Shape{a.shape, b.shape}})
	}
	if a.Rank() == 2 && b.Rank() == 2 {
		out := empty(a.dtype, Shape{m, n})
		matMul(out, a, b)
		return out
	}
	if b.Rank() == 2 && a.strides == nil { // one product of a taller matrix
		return MatMul(a.Reshape(-1, k), b).Reshape(append(a.shape[:a.Rank()-1].Clone(), n)...)
	}
	batch := Broadcast(op, a.shape[:a.Rank()-2], b.shape[:b.Rank()-2])
	out := empty(a.dtype, append(batch.Clone(), m, n))
	a = a.Expand(append(batch.Clone(), m, k)...)
	b = b.Expand(append(batch.Clone(), k, n)...)
	rank := len(batch)
	outer := planWalk(batch, batchOf(a, rank), batchOf(b, rank))
	cpu.ParallelFor(batch.Size(), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := place(outer, i)
			matMul(out.view(Shape{m, n}, nil, i*m*n), a.matrix(at[0]), b.matrix(at[1]))
		}
	})
	return out
}

// batchOf returns the view of the first elements of t's matrices.
func batchOf(t *Tensor, rank int) *Tensor { return t.view(t.shape[:rank], t.Strides()[:rank], 0) }

// matrix returns the matrix of the last two axes that starts at an offset.
func (t *Tensor) matrix(offset int) *Tensor {
	k := len(t.shape) - 2
	return t.strided(t.shape[k:], t.Strides()[k:], offset)
}

// matMul writes the product of two matrices to a contiguous one.
func matMul(c, a, b *Tensor) {
	if c.dtype == Float32 {
		gemm[float32](c, a, b)
	} else {
		gemm[float64](c, a, b)
	}
}

func gemm[T kern.Float](c, a, b *Tensor) {
	x, transA := operand[T](a)
	y, transB := operand[T](b)
	cpu.Gemm(elems[T](c), x, y, c.shape[0], c.shape[1], a.shape[1], transA, transB)
}

func operand[T kern.Float](t *Tensor) ([]T, bool) {
	if u := t.swapAxes(0, 1); t.strides != nil && u.strides == nil {
		return elems[T](u), true
	}
	return elems[T](t), false
}
