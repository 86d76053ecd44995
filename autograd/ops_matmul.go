// Matrix products, dense and sparse.

package autograd

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// MatMul returns the matrix product of the last two axes of v and w: [... n k] and
// [... k m] give [... n m]; the axes before them broadcast. v may be a sparse
// constant, a matrix; the gradient then flows to w only. Vectors are for [Var.MatVec]
// and [Var.Dot].
func (v *Var) MatMul(w *Var) *Var {
	const op = "MatMul"
	v.check(op)
	w.check(op)
	a, b := v.Shape(), w.Shape()
	if len(a) < 2 || len(b) < 2 {
		misuse(op, "takes two matrices; MatVec takes a matrix and a vector, Dot two vectors", a, b)
	}
	if a[len(a)-1] != b[len(b)-2] {
		misuse(op, "inner dimensions differ", a, b)
	}
	wantSameType(op, v, w)
	if v.sparse != nil {
		return sparseMatMul(v, w, false)
	}
	return record(opMatMul, tensor.MatMul(v.value, w.dense(op)), attrs{}, v, w)
}

// For Y = A B: dA = G B^T, dB = A^T G, summed over the axes that were broadcast.
func gradMatMul(c *context, g *Var, i int) *Var {
	a, b := c.in[0], c.in[1]
	if i == 0 {
		return g.MatMul(b.Transpose()).SumTo(a.Shape()...)
	}
	if k := len(a.Shape()); k > 2 && len(b.Shape()) == 2 { // one product of taller matrices
		a, g = a.Flatten(0, -2), g.Flatten(0, -2)
	}
	return a.Transpose().MatMul(g).SumTo(b.Shape()...)
}

// Linear returns x w + b, with ReLU after it if relu: what a layer computes, in one
// operation that keeps no intermediate result. x is [... k], or a sparse constant
// [n k]; w is [k m]; b is [m], or nil.
func Linear(x, w, b *Var, relu bool) *Var {
	const op = "Linear"
	x.check(op)
	y := x
	switch {
	case len(w.dense(op).Shape()) != 2 || len(x.Shape()) == 0 || x.Shape()[len(x.Shape())-1] != w.Shape()[0]:
		misuse(op, "input and weight do not fit", x.Shape(), w.Shape())
	case b != nil && !b.dense(op).Shape().Equal(w.Shape()[1:]):
		misuse(op, "the bias is not one number a column of the weight", w.Shape(), b.Shape())
	case x.sparse == nil && len(x.Shape()) >= 2:
		return denseLinear(x, w, b, relu)
	case x.sparse == nil:
		y = denseLinear(x.Reshape(1, -1), w, b, relu)
		return y.Reshape(w.Shape()[1])
	}
	y = x.MatMul(w)
	if b != nil {
		y = y.Add(b)
	}
	if relu {
		y = y.ReLU()
	}
	return y
}

func denseLinear(x, w, b *Var, relu bool) *Var {
	wantSameType("Linear", x, w)
	a := attrs{relu: relu}
	if b == nil {
		return record(opLinear, tensor.Linear(x.value, w.value, nil, relu), a, x, w)
	}
	wantSameType("Linear", x, b)
	return record(opLinear, tensor.Linear(x.value, w.value, b.value, relu), a, x, w, b)
}

// With g zero where ReLU was: dX = g W^T, dW = X^T g, db = the sum of g's rows.
func gradLinear(c *context, g *Var, i int) *Var {
	if c.relu {
		if c.shared == nil {
			c.shared = gate(g, c.out, 0)
		}
		g = c.shared
	}
	switch i {
	case 0:
		return g.MatMul(c.in[1].Transpose())
	case 1:
		x := c.in[0]
		return x.Flatten(0, -2).Transpose().MatMul(g.Flatten(0, -2))
	default:
		return g.SumTo(c.in[2].Shape()...)
	}
}

// sparseMatMul returns s x or, if transA, s^T x. s is an operand so that its region
// reaches the result.
func sparseMatMul(s, x *Var, transA bool) *Var {
	return record(opSparseMatMul, tensor.SparseMatMul(s.sparse, x.dense("MatMul"), transA), attrs{transA: transA}, s, x)
}

func gradSparseMatMul(c *context, g *Var, _ int) *Var {
	return sparseMatMul(c.in[0], g, !c.transA)
}

// Transpose returns the view whose axis k is v's axis perm[k]; without perm, the
// transposed matrix, or of more axes the last two swapped.
//
// It is NumPy's transpose and PyTorch's permute. PyTorch's transpose names two axes
// to swap: its x.transpose(0, 1) of a matrix is x.Transpose() here, and
// x.Transpose(0, 1) is x itself.
func (v *Var) Transpose(perm ...int) *Var {
	y := v.dense("Transpose").Transpose(perm...)
	return record(opTranspose, y, attrs{perm: slices.Clone(perm)}, v) // the caller may use the list again
}

func gradTranspose(c *context, g *Var, _ int) *Var {
	if len(c.perm) == 0 {
		return g.Transpose()
	}
	inverse := make([]int, len(c.perm))
	for k, axis := range c.perm {
		if axis < 0 {
			axis += len(c.perm)
		}
		inverse[axis] = k
	}
	return g.Transpose(inverse...)
}
