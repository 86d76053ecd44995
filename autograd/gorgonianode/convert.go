// Gorgonia values as tensors and back.

package gorgonianode

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor"
)

// toTensor returns a value as a tensor: over the same memory if that is plain
// and row-major, else a copy. Gorgonia's int becomes int64.
func toTensor(v gorgonia.Value) (*tensor.Tensor, error) {
	switch v := v.(type) {
	case *gorgonia.F64:
		return tensor.FromSlice([]float64{float64(*v)}), nil
	case *gorgonia.F32:
		return tensor.FromSlice([]float32{float32(*v)}), nil
	case *gorgonia.I64:
		return tensor.FromSlice([]int64{int64(*v)}), nil
	case *gorgonia.I32:
		return tensor.FromSlice([]int32{int32(*v)}), nil
	case *gorgonia.I:
		return tensor.FromSlice([]int64{int64(*v)}), nil
	case *gorgonia.B:
		return tensor.FromSlice([]bool{bool(*v)}), nil
	case *gt.Dense:
		return denseToTensor(v)
	case nil:
		return nil, fmt.Errorf("no value")
	}
	return nil, fmt.Errorf("a value of type %T has no tensor", v)
}

func denseToTensor(d *gt.Dense) (*tensor.Tensor, error) {
	switch shape := tensor.Shape(d.Shape()); {
	case shape.Size() == 0: // Gorgonia cannot address the elements of an empty Dense
		dt, err := fromDtype(d.Dtype())
		if err != nil {
			return nil, err
		}
		return tensor.Zeros(dt, shape...), nil
	case len(d.Mask()) > 0:
		return nil, fmt.Errorf("a masked value has no tensor")
	case d.IsMaterializable():
		m, ok := d.Materialize().(*gt.Dense)
		if !ok {
			return nil, fmt.Errorf("a view that does not materialise")
		}
		d = m
	case d.DataOrder().IsColMajor() && d.Dims() > 1, !slices.Equal(d.Strides(), d.Shape().CalcStrides()):
		d = rowMajor(d) // the clone of a view has the view's strides
	}
	if d.Dtype() == gt.Int {
		ints := d.Ints() // Data of a scalar is no slice
		wide := make([]int64, len(ints))
		for i, n := range ints {
			wide[i] = int64(n)
		}
		return tensor.FromSlice(wide, d.Shape()...), nil
	}
	return tensor.FromDense(d)
}

// rowMajor copies a Dense of any strides, element by element: Gorgonia's own copies keep
// the order of the memory.
func rowMajor(d *gt.Dense) *gt.Dense {
	out := gt.New(gt.WithShape(d.Shape()...), gt.Of(d.Dtype()))
	to, it := 0, d.Iterator()
	for from, err := it.Next(); err == nil; from, err = it.Next() {
		out.Set(to, d.Get(from))
		to++
	}
	return out
}

// toValue returns a tensor as Gorgonia holds it: a Scalar if it has no axes,
// else a Dense with a header of its own, which Gorgonia may reshape and
// transpose, over the same memory.
func toValue(t *tensor.Tensor) (gorgonia.Value, error) {
	if t.Rank() > 0 {
		return t.Reshape(t.Shape()...).Dense(), nil
	}
	switch t.DType() {
	case tensor.Float32:
		return gorgonia.NewF32(tensor.Data[float32](t)[0]), nil
	case tensor.Float64:
		return gorgonia.NewF64(tensor.Data[float64](t)[0]), nil
	case tensor.Int32:
		return gorgonia.NewI32(tensor.Data[int32](t)[0]), nil
	case tensor.Int64:
		return gorgonia.NewI64(tensor.Data[int64](t)[0]), nil
	case tensor.Bool:
		return gorgonia.NewB(tensor.Data[bool](t)[0]), nil
	}
	return nil, fmt.Errorf("a scalar of %v has no Gorgonia value", t.DType())
}

// fromDtype returns the element type that toTensor makes of Gorgonia's.
func fromDtype(dt gt.Dtype) (tensor.DType, error) {
	switch dt {
	case gt.Float32:
		return tensor.Float32, nil
	case gt.Float64:
		return tensor.Float64, nil
	case gt.Int32:
		return tensor.Int32, nil
	case gt.Int64, gt.Int:
		return tensor.Int64, nil
	case gt.Bool:
		return tensor.Bool, nil
	}
	return 0, fmt.Errorf("element type %v", dt)
}

// toDtype returns Gorgonia's element type.
func toDtype(dt tensor.DType) gt.Dtype {
	switch dt {
	case tensor.Float32:
		return gt.Float32
	case tensor.Float64:
		return gt.Float64
	case tensor.Int32:
		return gt.Int32
	case tensor.Int64:
		return gt.Int64
	case tensor.Bool:
		return gt.Bool
	}
	panic(fmt.Sprintf("BUG: gorgonianode: element type %v", dt))
}

// overlap reports whether two values use the same memory.
func overlap(a, b gorgonia.Value) bool {
	if a.MemSize() == 0 || b.MemSize() == 0 { // no memory, so no address
		return false
	}
	pa, pb := a.Uintptr(), b.Uintptr()
	return pa < pb+b.MemSize() && pb < pa+a.MemSize()
}
