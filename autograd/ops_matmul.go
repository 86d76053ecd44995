// Matrix products, dense and sparse.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// MatMul returns the matrix product v w of [n k] and [k m]. v may be a sparse
// constant; the gradient then flows to w only.
func (v *Var) MatMul(w *Var) *Var {
	v.check("MatMul")
	w.check("MatMul")
	if len(v.Shape()) != 2 || len(w.Shape()) != 2 {
		misuse("MatMul", "takes two matrices", v.Shape(), w.Shape())
	}
	if v.Shape()[1] != w.Shape()[0] {
		misuse("MatMul", "inner dimensions differ", v.Shape(), w.Shape())
	}
	wantSameType("MatMul", v, w)
	if v.sparse != nil {
		return sparseMatMul(v.sparse, w, false)
	}
	return matMul(v, w, false, false)
}

// matMul returns op(a) op(b), where op transposes if asked to: gradients of
// matrix products need no transposed copies.
func matMul(a, b *Var, transA, transB bool) *Var {
	y := tensor.MatMul(a.dense("MatMul"), b.dense("MatMul"), transA, transB)
	return record(opMatMul, y, attrs{transA: transA, transB: transB}, a, b)
}

// For Y = A B: dA = G B^T, dB = A^T G. A transposed operand gets the transposed
// gradient, and the flags of the other operand flip.
func gradMatMul(c *context, g *Var, i int) *Var {
	a, b := c.in[0], c.in[1]
	switch {
	case i == 0 && !c.transA:
		return matMul(g, b, false, !c.transB)
	case i == 0:
		return matMul(b, g, c.transB, true)
	case !c.transB:
		return matMul(a, g, !c.transA, false)
	default:
		return matMul(g, a, true, c.transA)
	}
}

func sparseMatMul(s *tensor.Sparse, x *Var, transA bool) *Var {
	y := tensor.SparseMatMul(s, x.dense("MatMul"), transA)
	return record(opSparseMatMul, y, attrs{sparse: s, transA: transA}, x)
}

func gradSparseMatMul(c *context, g *Var, _ int) *Var { return sparseMatMul(c.sparse, g, !c.transA) }

// Transpose returns the transposed matrix.
func (v *Var) Transpose() *Var {
	return record(opTranspose, tensor.Transpose2D(v.dense("Transpose")), attrs{}, v)
}

func gradTranspose(_ *context, g *Var, _ int) *Var { return g.Transpose() }
