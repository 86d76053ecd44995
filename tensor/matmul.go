// The dense matrix product.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// MatMul returns the matrix product of the last two axes: [... m k] x [... k n]
// -> [... m n]. The axes before them broadcast by NumPy's rule. A vector is a row
// on the left and a column on the right, whose axis vanishes: [k] x [k] is a
// scalar, [... m k] x [k] is [... m], as torch.matmul. Views (see
// [Tensor.Transpose], [Tensor.Narrow]) are read where they are, without a copy.
func MatMul(a, b *Tensor) *Tensor {
	const op = "MatMul"
	wantSame(op, a, b)
	if a.Rank() == 0 || b.Rank() == 0 {
		panic(&ShapeError{Op: op, Detail: "a scalar is no matrix", Shapes: []Shape{a.shape, b.shape}})
	}
	switch {
	case a.Rank() == 1 && b.Rank() == 1:
		return dropAxis(dropAxis(MatMul(a.asRow(op, a, b), b.asColumn(op, a, b)), 1), 0)
	case a.Rank() == 1:
		y := MatMul(a.asRow(op, a, b), b)
		return dropAxis(y, y.Rank()-2)
	case b.Rank() == 1:
		y := MatMul(a, b.asColumn(op, a, b))
		return dropAxis(y, y.Rank()-1)
	case a.Rank() == 2 && b.Rank() == 2:
		out := emptyBeside(a, op, a.dtype, Shape{a.shape[0], b.shape[1]})
		multiply(op, out, a, b, false)
		return out
	}
	out := emptyBeside(a, op, a.dtype, productShape(op, a, b))
	multiply(op, out, a, b, false)
	return out
}

// MatMulAdd adds the product of a and b, as MatMul returns it of matrices, to dst in
// place: dst += a·b. dst has the product's shape; its rows lie in memory as they
// are, but may be a part of longer ones. No element of a or b may be one of dst's.
func MatMulAdd(dst, a, b *Tensor) {
	const op = "MatMulAdd"
	wantSame(op, dst, a)
	wantSame(op, dst, b)
	if a.Rank() < 2 || b.Rank() < 2 || !productShape(op, a, b).Equal(dst.shape) {
		panic(&ShapeError{Op: op, Detail: "the product has another shape", Shapes: []Shape{dst.shape, a.shape, b.shape}})
	}
	if dst.shape[dst.Rank()-1] > 1 && dst.along(dst.Rank()-1) != 1 || dst.Overlaps() {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("writes to a view with strides %v", dst.strides), Shapes: []Shape{dst.shape}})
	}
	dst.changes()
	multiply(op, dst, a, b, true)
}

// asRow and asColumn return a vector as a matrix, for MatMul of a and b.
func (t *Tensor) asRow(op string, a, b *Tensor) *Tensor {
	if inner := b.shape[max(0, b.Rank()-2)]; inner != t.shape[0] {
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ", Shapes: []Shape{a.shape, b.shape}})
	}
	return t.Unsqueeze(0)
}

func (t *Tensor) asColumn(op string, a, b *Tensor) *Tensor {
	if a.shape[a.Rank()-1] != t.shape[0] {
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ", Shapes: []Shape{a.shape, b.shape}})
	}
	return t.Unsqueeze(1)
}

// productShape returns the shape of the product of matrices, and panics if there
// is none.
func productShape(op string, a, b *Tensor) Shape {
	i, j := a.Rank()-2, b.Rank()-2
	if a.shape[i+1] != b.shape[j] {
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ", Shapes: []Shape{a.shape, b.shape}})
	}
	return append(Broadcast(op, a.shape[:i], b.shape[:j]), a.shape[i], b.shape[j+1])
}

// multiply writes the product of matrices to c, or adds it to what c holds.
func multiply(op string, c, a, b *Tensor, add bool) {
	if a.shape[a.Rank()-1] != b.shape[b.Rank()-2] {
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ", Shapes: []Shape{a.shape, b.shape}})
	}
	if a.far != nil || b.far != nil || c.far != nil {
		farMultiply(op, c, a, b, add)
		return
	}
	if c.dtype == Float32 {
		multiplyTyped(c, a, b, cpu.Epilogue[float32]{Accumulate: add})
	} else {
		multiplyTyped(c, a, b, cpu.Epilogue[float64]{Accumulate: add})
	}
}

func multiplyTyped[T Float](c, a, b *Tensor, e cpu.Epilogue[T]) {
	if c.size == 0 {
		return
	}
	z, x, y := extent[T](c), extent[T](a), extent[T](b)
	if b.shape[:b.Rank()-2].Size() == 1 { // one product, if a's rows lie evenly apart
		rows, stepC, okC := c.evenRows()
		_, stepA, okA := a.evenRows()
		if okC && okA {
			m := cpu.Matrix[T]{Data: x, Rows: rows, Cols: a.shape[a.Rank()-1], RowStride: stepA, ColStride: a.along(a.Rank() - 1)}
			cpu.MatMul(cpu.Matrix[T]{Data: z, Rows: rows, Cols: c.shape[c.Rank()-1], RowStride: stepC, ColStride: 1}, m, matrixAt(b, y, 0), e)
			return
		}
	}
	batch := c.shape[:c.Rank()-2]
	axes := planWalk(nil, batch, c.batches(), a.batches(), b.batches())
	work := c.shape[c.Rank()-2] * c.shape[c.Rank()-1] * max(1, a.shape[a.Rank()-1])
	run, step := axes[0].n, axes[0].step
	cpu.ParallelFor(batch.Size(), max(1, 16*elementGrain/work), func(lo, hi int) {
		for o := newOdometer(axes, lo); o.r < hi; {
			n := min(hi-o.r, run-o.r%run) // matrices that lie evenly apart
			cpu.MatMulSeries(n, matrixAt(c, z, o.at[0]), step[0], matrixAt(a, x, o.at[1]), step[1], matrixAt(b, y, o.at[2]), step[2], e)
			o.pass(n)
		}
	})
}

// batches returns the view of the first elements of t's matrices.
func (t *Tensor) batches() *Tensor {
	k := t.Rank() - 2
	return t.view(t.shape[:k], t.Strides()[:k:k], 0)
}

// matrixAt returns the matrix of t's last two axes that starts at an offset of its
// elements x.
func matrixAt[T Float](t *Tensor, x []T, offset int) cpu.Matrix[T] {
	i, j := t.Rank()-2, t.Rank()-1
	m := cpu.Matrix[T]{Data: x[min(offset, len(x)):], Rows: t.shape[i], Cols: t.shape[j], RowStride: t.along(i), ColStride: t.along(j)}
	if t.shape[j] == 1 { // no stride says more than 1
		m.ColStride = 1
	}
	return m
}

// evenRows returns how many rows, along the last axis, t has in all, and how far
// apart they are; ok is false if that differs.
func (t *Tensor) evenRows() (rows, step int, ok bool) {
	last := t.Rank() - 1
	rows, step = 1, t.shape[last]
	for k := last - 1; k >= 0; k-- {
		if t.shape[k] == 1 {
			continue
		}
		s := t.along(k)
		if rows == 1 {
			step = s
		} else if s != rows*step {
			return 0, 0, false
		}
		rows *= t.shape[k]
	}
	return rows, step, true
}
