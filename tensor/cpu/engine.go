// The Gorgonia engine of our tensors.

package cpu

import (
	"fmt"

	gt "gorgonia.org/tensor"
)

// Engine is the standard Gorgonia engine with the matrix product on [Gemm], so
// that gorgonia.org/tensor operations on our tensors use our kernels and
// threads. The zero value is ready to use.
type Engine struct{ gt.StdEng }

// MatMul implements gorgonia.org/tensor's MatMuler: prealloc = a·b. Operands
// may be transposed lazily (T without Transpose), which Gemm reads in place.
// What Gemm does not cover (views, column-major results, other element types)
// goes to the standard engine.
func (e Engine) MatMul(a, b, prealloc gt.Tensor) error {
	switch a.Dtype() {
	case gt.Float32:
		if ok, err := matMul(a, b, prealloc, (*gt.Dense).Float32s); ok || err != nil {
			return err
		}
	case gt.Float64:
		if ok, err := matMul(a, b, prealloc, (*gt.Dense).Float64s); ok || err != nil {
			return err
		}
	}
	return e.StdEng.MatMul(a, b, prealloc)
}

// matMul reports whether it could do the product.
func matMul[T float32 | float64](a, b, c gt.Tensor, data func(*gt.Dense) []T) (bool, error) {
	ad, transA, okA := operand(a)
	bd, transB, okB := operand(b)
	cd, transC, okC := operand(c)
	if !okA || !okB || !okC || transC || b.Dtype() != a.Dtype() || c.Dtype() != a.Dtype() {
		return false, nil
	}
	m, k, n := a.Shape()[0], a.Shape()[1], b.Shape()[1]
	if b.Shape()[0] != k || c.Shape()[0] != m || c.Shape()[1] != n {
		return false, fmt.Errorf("cpu: MatMul: shapes do not fit: %v x %v -> %v", a.Shape(), b.Shape(), c.Shape())
	}
	if m == 0 || n == 0 {
		return true, nil
	}
	var av, bv []T
	if k > 0 {
		av, bv = data(ad), data(bd)
	}
	Gemm(data(cd), av, bv, m, n, k, transA, transB)
	return true, nil
}

// operand says whether t is a whole matrix in Go's memory and whether its
// storage is the row-major transpose of its shape.
func operand(t gt.Tensor) (d *gt.Dense, transposed, ok bool) {
	d, ok = t.(*gt.Dense)
	if !ok || d.IsView() || d.IsMasked() || !d.IsNativelyAccessible() || d.Dims() != 2 {
		return nil, false, false
	}
	rows, cols := d.Shape()[0], d.Shape()[1]
	switch s := d.Strides(); {
	case len(s) != 2:
		return nil, false, false
	case s[0] == cols && s[1] == 1:
		return d, false, true
	case s[0] == 1 && s[1] == rows:
		return d, true, true
	}
	return nil, false, false
}
