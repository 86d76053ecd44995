// Products of matrices and vectors on the Gorgonia engine.

package cpu

import (
	"fmt"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

var (
	_ gt.MatMuler    = Engine{}
	_ gt.MatVecMuler = Engine{}
	_ gt.OuterProder = Engine{}
	_ gt.InnerProder = Engine{}
)

// MatMul implements gt.MatMuler: prealloc = a·b of matrices. Operands may be
// transposed lazily (T without Transpose), which [MatMul] reads in place. What it
// does not cover (views, column-major results, other element types) goes to the
// standard engine.
func (e Engine) MatMul(a, b, prealloc gt.Tensor) error {
	switch a.Dtype() {
	case gt.Float32:
		if ok, err := matMul[float32](e, a, b, prealloc); ok || err != nil {
			return err
		}
	case gt.Float64:
		if ok, err := matMul[float64](e, a, b, prealloc); ok || err != nil {
			return err
		}
	}
	return e.StdEng.MatMul(a, b, prealloc)
}

// matMul reports whether it could do the product.
func matMul[T kern.Float](e Engine, a, b, c gt.Tensor) (bool, error) {
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
	e.count()
	if m == 0 || n == 0 {
		return true, nil
	}
	x, _ := elements[T](ad) // none if k is 0
	y, _ := elements[T](bd)
	z, _ := elements[T](cd)
	MatMul(RowMajor(z, m, n), asStored(x, m, k, transA), asStored(y, k, n, transB), Epilogue[T]{})
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

// asStored returns the matrix that data holds in row-major order, or whose transpose
// it does.
func asStored[T kern.Float](data []T, rows, cols int, transposed bool) Matrix[T] {
	if transposed {
		return RowMajor(data, cols, rows).T()
	}
	return RowMajor(data, rows, cols)
}

// MatVecMul implements gt.MatVecMuler: prealloc = a·b of a matrix, which may be
// transposed lazily, and a vector.
func (e Engine) MatVecMul(a, b, prealloc gt.Tensor) error {
	switch a.Dtype() {
	case gt.Float32:
		if matVecMul[float32](e, a, b, prealloc) {
			return nil
		}
	case gt.Float64:
		if matVecMul[float64](e, a, b, prealloc) {
			return nil
		}
	}
	return e.StdEng.MatVecMul(a, b, prealloc)
}

func matVecMul[T kern.Float](e Engine, a, b, c gt.Tensor) bool {
	d, trans, okA := operand(a)
	_, y, okB := plain[T](b)
	_, z, okC := plain[T](c)
	if !okA || !okB || !okC {
		return false
	}
	m, k := d.Shape()[0], d.Shape()[1]
	x, ok := elements[T](d)
	if !ok || len(y) != k || len(z) != m {
		return false
	}
	e.count()
	MatMul(RowMajor(z, m, 1), asStored(x, m, k, trans), RowMajor(y, k, 1), Epilogue[T]{})
	return true
}

// Outer implements gt.OuterProder: prealloc += a·bᵀ of vectors. Gorgonia clears
// prealloc before.
func (e Engine) Outer(a, b, prealloc gt.Tensor) error {
	switch a.Dtype() {
	case gt.Float32:
		if outer[float32](e, a, b, prealloc) {
			return nil
		}
	case gt.Float64:
		if outer[float64](e, a, b, prealloc) {
			return nil
		}
	}
	return e.StdEng.Outer(a, b, prealloc)
}

func outer[T kern.Float](e Engine, a, b, c gt.Tensor) bool {
	_, x, okA := plain[T](a)
	_, y, okB := plain[T](b)
	_, z, okC := plain[T](c)
	if !okA || !okB || !okC || len(z) != len(x)*len(y) {
		return false
	}
	e.count()
	axpy, n := kern.For[T]().Axpy, len(y)
	ParallelFor(len(x), max(1, engineGrain/n), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			axpy(z[i*n:(i+1)*n], y, x[i])
		}
	})
	return true
}

// Inner implements gt.InnerProder: the dot product of two vectors as a float32 or
// float64, summed in an order that depends on their length only.
func (e Engine) Inner(a, b gt.Tensor) (any, error) {
	switch a.Dtype() {
	case gt.Float32:
		if s, ok := inner[float32](e, a, b); ok {
			return s, nil
		}
	case gt.Float64:
		if s, ok := inner[float64](e, a, b); ok {
			return s, nil
		}
	}
	return e.StdEng.Inner(a, b)
}

func inner[T kern.Float](e Engine, a, b gt.Tensor) (T, bool) {
	_, x, okA := plain[T](a)
	_, y, okB := plain[T](b)
	if !okA || !okB || len(x) != len(y) {
		return 0, false
	}
	e.count()
	set := kern.For[T]()
	parts := make([]T, (len(x)+engineGrain-1)/engineGrain)
	ParallelFor(len(x), engineGrain, func(lo, hi int) { parts[lo/engineGrain] = set.Dot(x[lo:hi], y[lo:hi]) })
	return set.Sum(parts), true
}
