// Gorgonia: a tensor's storage is a Dense.

package tensor

import (
	"fmt"

	gt "gorgonia.org/tensor"

	// gorgonia.org/tensor refuses to start under a Go release that this package
	// does not vouch for; the version required in go.mod vouches for the present one.
	_ "go4.org/unsafe/assume-no-moving-gc"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// newDense returns a Dense over data on the CPU engine.
func newDense[T Element](data []T, shape Shape) *gt.Dense {
	return gt.New(gt.WithShape(shape...), gt.WithBacking(data), gt.WithEngine(cpu.Engine{}))
}

// Dense returns the tensor as Gorgonia's: same elements, no copy, the same
// *Dense at every call. Gorgonia operations on it run on cpu.Engine. Reshaping
// or transposing it in place is not seen by the tensor. Gorgonia itself
// mishandles some operations on empty tensors (its Data faults there), but holds
// them. Dense panics with a *ShapeError if the tensor is not contiguous, with a
// *DeviceError if it is not on the CPU.
func (t *Tensor) Dense() *gt.Dense {
	wantTensor("Dense", t)
	if d := t.dense.Load(); d != nil {
		return d
	}
	wantHere("Dense", t)
	wantContiguous("Dense", t)
	t.giveOut()
	var d *gt.Dense
	switch t.dtype {
	case Float32:
		d = newDense(elems[float32](t), t.shape)
	case Float64:
		d = newDense(elems[float64](t), t.shape)
	case Int32:
		d = newDense(elems[int32](t), t.shape)
	case Int64:
		d = newDense(elems[int64](t), t.shape)
	case Bool:
		d = newDense(elems[bool](t), t.shape)
	}
	if !t.dense.CompareAndSwap(nil, d) { // another goroutine was first
		return t.dense.Load()
	}
	return d
}

// FromDense returns a tensor over the elements of d, which it shares. It is an
// error if d is a view, masked, transposed, column-major, not in Go's memory, the
// clone of a view whose elements do not follow each other row by row, or of another
// element type than float32, float64, int32, int64 and bool.
func FromDense(d *gt.Dense) (*Tensor, error) {
	switch {
	case d == nil:
		return nil, fmt.Errorf("tensor: FromDense: nil")
	case !d.IsNativelyAccessible():
		return nil, fmt.Errorf("tensor: FromDense: memory is not accessible from Go")
	case d.IsView() || d.IsMaterializable():
		return nil, fmt.Errorf("tensor: FromDense: a view or transposed: materialize it first")
	case d.IsMasked() && len(d.Mask()) > 0:
		return nil, fmt.Errorf("tensor: FromDense: masked")
	case d.DataOrder().IsColMajor() && d.Dims() > 1:
		return nil, fmt.Errorf("tensor: FromDense: column-major")
	case !cpu.InRows(d):
		return nil, fmt.Errorf("tensor: FromDense: shape %v with strides %v: the clone of a view is laid out as that is; materialize the view instead", d.Shape(), d.Strides())
	}
	switch d.Dtype() {
	case gt.Float32:
		return fromDense(d, d.Float32s)
	case gt.Float64:
		return fromDense(d, d.Float64s)
	case gt.Int32:
		return fromDense(d, d.Int32s)
	case gt.Int64:
		return fromDense(d, d.Int64s)
	case gt.Bool:
		return fromDense(d, d.Bools)
	}
	return nil, fmt.Errorf("tensor: FromDense: element type %v", d.Dtype())
}

func fromDense[T Element](d *gt.Dense, elements func() []T) (*Tensor, error) {
	shape := Shape(d.Shape()).Clone()
	var data []T
	if shape.Size() > 0 { // Gorgonia cannot address the elements of an empty Dense
		data = elements()
	}
	if len(data) != shape.Size() {
		return nil, fmt.Errorf("tensor: FromDense: %d elements in shape %v", len(data), shape)
	}
	t := wrap(data, shape)
	t.dense.Store(d)
	return t, nil
}
