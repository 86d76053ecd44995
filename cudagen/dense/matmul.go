// Matrix products through cuBLAS.

package dense

import (
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// A matrix is the last two axes of a view as BLAS takes it.
type matrix struct {
	transposed bool
	ld         int // elements from a row to the next, or from a column if transposed
}

func matrixOf(v tensor.View) matrix {
	k := len(v.Shape)
	rows, cols, down, right := v.Shape[k-2], v.Shape[k-1], v.Strides[k-2], v.Strides[k-1]
	if (cols == 1 || right == 1) && (rows == 1 || down >= cols) {
		if rows == 1 {
			down = cols
		}
		return matrix{ld: max(1, down, cols)}
	}
	if cols == 1 {
		right = rows
	}
	return matrix{transposed: true, ld: max(1, right, rows)}
}

// MatMul multiplies the matrices of the last two axes.
func (b *Backend) MatMul(dst, x, y tensor.View, add bool) error {
	k := len(dst.Shape)
	m, n, inner := dst.Shape[k-2], dst.Shape[k-1], x.Shape[k-1]
	if dst.Size() == 0 {
		return nil
	}
	if inner == 0 {
		if add {
			return nil
		}
		return b.Map(dst, &tensor.Program{Steps: []tensor.ProgramStep{{Op: "Const", Type: dst.DType}}})
	}
	mx, my, md := matrixOf(x), matrixOf(y), matrixOf(dst)
	g := driver.Gemm{
		TransA: mx.transposed, TransB: my.transposed, M: m, N: n, K: inner,
		Alpha: 1, LDA: mx.ld, LDB: my.ld, LDC: md.ld, Batch: 1,
	}
	if dst.DType == tensor.Float64 {
		g.Type = driver.Float64
	}
	if add {
		g.Beta = 1
	}
	batches := newLoop(operand{batchOf(dst), true}, operand{batchOf(x), false}, operand{batchOf(y), false})
	return b.do(func(c *driver.Ctx) error {
		blas, err := c.BLAS(0)
		if err != nil {
			return err
		}
		var base [3]driver.Ptr
		for i, v := range []tensor.View{dst, x, y} {
			buffer, err := v.Memory.(*memory).get()
			if err != nil {
				return err
			}
			base[i] = buffer.Ptr() + driver.Ptr(v.Offset*v.DType.Size())
		}
		return eachBatch(batches, func(at [3]int, count int, steps [3]int) error {
			h := g
			size := dst.DType.Size()
			h.C, h.A, h.B = base[0]+driver.Ptr(at[0]*size), base[1]+driver.Ptr(at[1]*size), base[2]+driver.Ptr(at[2]*size)
			h.Batch, h.StrideC, h.StrideA, h.StrideB = count, int64(steps[0]), int64(steps[1]), int64(steps[2])
			return blas.GemmRows(h)
		})
	})
}

// batchOf returns the first elements of a view's matrices.
func batchOf(v tensor.View) tensor.View {
	k := len(v.Shape) - 2
	v.Shape, v.Strides = v.Shape[:k], v.Strides[:k]
	return v
}

// eachBatch calls f with the products that lie evenly apart, many at a time: where the
// first begins, how many there are, how far apart.
func eachBatch(l *loop, f func(at [3]int, count int, steps [3]int) error) error {
	last := len(l.dims) - 1
	if last < 0 {
		return f([3]int{}, 1, [3]int{})
	}
	outer := 1
	for _, n := range l.dims[:last] {
		outer *= n
	}
	var steps [3]int
	for k := range steps {
		steps[k] = l.strides[k][last]
	}
	for r := range outer {
		var at [3]int
		rest := r
		for a := last - 1; a >= 0; a-- {
			for k := range at {
				at[k] += rest % l.dims[a] * l.strides[k][a]
			}
			rest /= l.dims[a]
		}
		if err := f(at, l.dims[last], steps); err != nil {
			return err
		}
	}
	return nil
}
