// The dense matrix product.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// MatMul returns op(a)·op(b) of two matrices, where op transposes if asked:
// [m k] x [k n] -> [m n].
func MatMul(a, b *Tensor, transA, transB bool) *Tensor {
	const op = "MatMul"
	wantSame(op, a, b)
	if a.Rank() != 2 || b.Rank() != 2 {
		panic(&ShapeError{Op: op, Detail: "operands are not matrices", Shapes: []Shape{a.shape, b.shape}})
	}
	m, k := a.shape[0], a.shape[1]
	if transA {
		m, k = k, m
	}
	k2, n := b.shape[0], b.shape[1]
	if transB {
		k2, n = n, k2
	}
	if k != k2 {
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ" + transposed(transA, transB), Shapes: []Shape{a.shape, b.shape}})
	}
	out := zeros(a.dtype, Shape{m, n})
	switch c := out.data.(type) {
	case []float32:
		cpu.Gemm(c, a.data.([]float32), b.data.([]float32), m, n, k, transA, transB)
	case []float64:
		cpu.Gemm(c, a.data.([]float64), b.data.([]float64), m, n, k, transA, transB)
	}
	return out
}

// transposed says which operands an error's shapes are to be read transposed.
func transposed(transA, transB bool) string {
	switch {
	case transA && transB:
		return " (both transposed)"
	case transA:
		return " (first transposed)"
	case transB:
		return " (second transposed)"
	}
	return ""
}
