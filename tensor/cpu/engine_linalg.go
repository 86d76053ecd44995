// Products of matrices and vectors on the Gorgonia engine.

package cpu

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

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
	x, _ := elements[T](ad) // none if there are none
	y, _ := elements[T](bd)
	z, _ := elements[T](cd)
	apart(z, x, y, func(z []T) {
		MatMul(RowMajor(z, m, n), asStored(x, m, k, transA), asStored(y, k, n, transB), Epilogue[T]{})
	})
	return true, nil
}

// apart computes a product into z, and by way of other memory if z is where an operand
// is, which f may read after it began to write.
func apart[T kern.Float](z, x, y []T, f func(z []T)) {
	if !overlap(z, x) && !overlap(z, y) {
		f(z)
		return
	}
	other := slices.Clone(z) // a product may be added to what is there
	f(other)
	copy(z, other)
}

func overlap[T kern.Float](a, b []T) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	pa, pb, size := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0])), unsafe.Sizeof(a[0])
	return pa < pb+uintptr(len(b))*size && pb < pa+uintptr(len(a))*size
}

// operand says whether t is a whole matrix in Go's memory and whether its
// storage is the row-major transpose of its shape.
func operand(t gt.Tensor) (d *gt.Dense, transposed, ok bool) {
	d, ok = t.(*gt.Dense)
	if !ok || d.IsView() || d.IsMasked() && len(d.Mask()) > 0 || !d.IsNativelyAccessible() || d.Dims() != 2 {
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
	y, okB := vector[T](b)
	z, okC := vector[T](c)
	if !okA || !okB || !okC {
		return false
	}
	m, k := d.Shape()[0], d.Shape()[1]
	if len(y) != k || len(z) != m {
		return false
	}
	e.count()
	x, _ := elements[T](d) // none if there are none
	apart(z, x, y, func(z []T) {
		MatMul(RowMajor(z, m, 1), asStored(x, m, k, trans), RowMajor(y, k, 1), Epilogue[T]{})
	})
	return true
}

// vector is [plain] for products, which tensors without elements have too.
func vector[T kern.Float](t gt.Tensor) ([]T, bool) {
	if d, ok := t.(*gt.Dense); ok && d != nil && d.Dims() > 0 && d.DataSize() == 0 {
		return nil, d.Dtype().Type == reflect.TypeFor[T]()
	}
	_, x, ok := plain[T](t)
	return x, ok
}

// Outer implements gt.OuterProder: prealloc += a·bᵀ of vectors. Gorgonia clears
// prealloc before.
func (e Engine) Outer(a, b, prealloc gt.Tensor) error {
	switch a.Dtype() {
	case gt.Float32:
		if ok, err := outer[float32](e, a, b, prealloc); ok || err != nil {
			return err
		}
	case gt.Float64:
		if ok, err := outer[float64](e, a, b, prealloc); ok || err != nil {
			return err
		}
	}
	return e.StdEng.Outer(a, b, prealloc)
}

func outer[T kern.Float](e Engine, a, b, c gt.Tensor) (bool, error) {
	x, okA := vector[T](a)
	y, okB := vector[T](b)
	z, okC := vector[T](c)
	if !okA || !okB || !okC {
		return false, nil
	}
	if !slices.Equal(c.Shape(), gt.Shape{len(x), len(y)}) {
		return false, fmt.Errorf("cpu: Outer: shapes do not fit: %v x %v -> %v", a.Shape(), b.Shape(), c.Shape())
	}
	e.count()
	axpy, n := kern.For[T]().Axpy, len(y)
	apart(z, x, y, func(z []T) {
		ParallelFor(len(x), max(1, engineGrain/max(1, n)), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				axpy(z[i*n:(i+1)*n], y, x[i])
			}
		})
	})
	return true, nil
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
	x, okA := vector[T](a)
	y, okB := vector[T](b)
	if !okA || !okB || len(x) != len(y) {
		return 0, false
	}
	e.count()
	set := kern.For[T]()
	parts := make([]T, (len(x)+engineGrain-1)/engineGrain)
	ParallelFor(len(x), engineGrain, func(lo, hi int) { parts[lo/engineGrain] = set.Dot(x[lo:hi], y[lo:hi]) })
	return set.Sum(parts), true
}
