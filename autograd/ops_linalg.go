// Products of vectors, triangles of matrices.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Dot returns the inner product of two vectors of one length, a scalar; [Var.VecDot]
// those of rows.
func (v *Var) Dot(w *Var) *Var {
	const op = "Dot"
	a, b := operands(op, v, w)
	if len(a.Shape()) != 1 || !a.Shape().Equal(b.Shape()) {
		misuse(op, "takes two vectors of one length; VecDot takes rows", a.Shape(), b.Shape())
	}
	return v.Reshape(1, -1).MatMul(w.Reshape(-1, 1)).Reshape()
}

// VecDot returns the inner products of the rows of two arrays of one shape, the sums of
// v·w over the last axis, which vanishes.
func (v *Var) VecDot(w *Var) *Var {
	const op = "VecDot"
	a, b := operands(op, v, w)
	if len(a.Shape()) == 0 || !a.Shape().Equal(b.Shape()) {
		misuse(op, "takes two arrays of rows of one shape", a.Shape(), b.Shape())
	}
	return record(opVecDot, tensor.VecDot(a, b), attrs{}, v, w)
}

func gradVecDot(c *context, g *Var, i int) *Var { return c.in[1-i].Mul(g.Unsqueeze(-1)) }

// Outer returns the matrix of the products v[i]·w[j] of two vectors.
func (v *Var) Outer(w *Var) *Var {
	const op = "Outer"
	a, b := operands(op, v, w)
	if len(a.Shape()) != 1 || len(b.Shape()) != 1 {
		misuse(op, "takes two vectors", a.Shape(), b.Shape())
	}
	return v.Unsqueeze(1).Mul(w)
}

// MatVec returns the product of a matrix, or a batch of them, and a vector: [... n
// k] and [k] give [... n]. v may be a sparse constant.
func (v *Var) MatVec(w *Var) *Var {
	const op = "MatVec"
	v.check(op)
	a, b := v.Shape(), w.dense(op).Shape()
	if len(a) < 2 || len(b) != 1 || a[len(a)-1] != b[0] {
		misuse(op, "takes a matrix and a vector as long as its rows", a, b)
	}
	return v.MatMul(w.Unsqueeze(1)).Squeeze(-1)
}

// Tril returns the matrices of the last two axes with zeros above a diagonal: 0 is
// the main one, 1 the one above it, -1 the one below.
func (v *Var) Tril(diagonal int) *Var {
	return record(opTril, tensor.Tril(v.dense("Tril"), diagonal), attrs{from: diagonal}, v)
}

func gradTril(c *context, g *Var, _ int) *Var { return g.Tril(c.from) }

// Triu returns the matrices of the last two axes with zeros below a diagonal.
func (v *Var) Triu(diagonal int) *Var {
	return record(opTriu, tensor.Triu(v.dense("Triu"), diagonal), attrs{from: diagonal}, v)
}

func gradTriu(c *context, g *Var, _ int) *Var { return g.Triu(c.from) }
