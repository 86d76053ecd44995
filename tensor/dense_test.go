// Tests of the way to Gorgonia and back.

package tensor

import (
	"slices"
	"testing"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

func TestDenseSharesStorageShapeAndEngine(t *testing.T) {
	for _, shape := range []Shape{{}, {1}, {3}, {1, 1}, {2, 3}, {3, 1}, {1, 3}, {2, 3, 4}, {0}, {0, 3}, {3, 0}} {
		x := Full(Float32, 1, shape...)
		d := x.Dense()
		if !Shape(d.Shape()).Equal(shape) || d.Dtype() != gt.Float32 {
			t.Errorf("Dense of %v has shape %v and type %v", shape, d.Shape(), d.Dtype())
		}
		if _, ok := d.Engine().(cpu.Engine); !ok {
			t.Errorf("Dense of %v is on %T", shape, d.Engine())
		}
		if shape.Size() == 0 {
			continue
		}
		d.Float32s()[0] = 5
		if got := Data[float32](x)[0]; got != 5 {
			t.Errorf("shape %v: the tensor holds %v after a write to its Dense", shape, got)
		}
		back, err := FromDense(d)
		if err != nil {
			t.Errorf("FromDense of %v: %v", shape, err)
			continue
		}
		Data[float32](back)[0] = 6
		if got := Data[float32](x)[0]; got != 6 || back.Dense() != d || !back.Shape().Equal(shape) {
			t.Errorf("shape %v: %v back from its Dense as %v", shape, x, back)
		}
	}
}

func TestFromDenseTakesEveryElementType(t *testing.T) {
	for _, d := range []*gt.Dense{
		gt.New(gt.WithBacking([]float32{1, 2}), gt.WithShape(2)),
		gt.New(gt.WithBacking([]float64{1, 2}), gt.WithShape(2)),
		gt.New(gt.WithBacking([]int32{1, 2}), gt.WithShape(2)),
		gt.New(gt.WithBacking([]int64{1, 2}), gt.WithShape(2)),
	} {
		x, err := FromDense(d)
		if err != nil {
			t.Errorf("%v: %v", d.Dtype(), err)
			continue
		}
		if !slices.Equal(x.Float64s(), []float64{1, 2}) {
			t.Errorf("%v: %v", d.Dtype(), x)
		}
	}
	x, err := FromDense(gt.New(gt.FromScalar(float32(3))))
	if err != nil || x.Rank() != 0 || x.Item() != 3 {
		t.Errorf("a scalar: %v, %v", x, err)
	}
}

func TestFromDenseRefusesWhatIsNotRowMajorStorage(t *testing.T) {
	matrix := func() *gt.Dense { return gt.New(gt.WithBacking([]float32{1, 2, 3, 4, 5, 6}), gt.WithShape(2, 3)) }
	view, err := matrix().Slice(nil, gt.S(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	transposed := matrix()
	if err := transposed.T(); err != nil {
		t.Fatal(err)
	}
	masked := matrix()
	masked.ResetMask(true)
	columns, err := transposed.Slice(gt.S(0, 3)) // all of it
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*gt.Dense{
		"nil":                                 nil,
		"view":                                view.(*gt.Dense),
		"transposed":                          transposed,
		"masked":                              masked,
		"clone of a view with gaps":           view.Clone().(*gt.Dense),
		"clone of a view of a transposed one": columns.Clone().(*gt.Dense),
		"column-major":                        gt.New(gt.Of(gt.Float32), gt.WithShape(2, 3), gt.AsFortran(nil)),
		"int8":                                gt.New(gt.WithBacking([]int8{1}), gt.WithShape(1)),
	} {
		if x, err := FromDense(d); err == nil {
			t.Errorf("%s: no error but %v", name, x)
		}
	}
}

func TestGorgoniaOperatesOnTensors(t *testing.T) {
	a := FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	b := FromSlice([]float32{1, 0, 0, 1, 1, 1}, 3, 2)
	c, err := gt.MatMul(a.Dense(), b.Dense())
	if err != nil {
		t.Fatal(err)
	}
	x, err := FromDense(c.(*gt.Dense))
	if err != nil {
		t.Fatal(err)
	}
	wantClose(t, "Gorgonia's MatMul", x, Shape{2, 2}, MatMul(a, b).Float64s(), 0)
	if _, ok := x.Dense().Engine().(cpu.Engine); !ok {
		t.Errorf("the product is on %T", x.Dense().Engine())
	}
}

func TestSharesMemoryKnowsTensorsOverElementsOfOthers(t *testing.T) {
	x := Zeros(Float64, 4, 3)
	data := Data[float64](x)
	dense, err := FromDense(x.Dense())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		y    *Tensor
		want bool
	}{
		"a view":                        {x.Narrow(0, 1, 2), true},
		"its Dense":                     {dense, true},
		"a slice of it":                 {FromSlice(data[5:7], 2), true},
		"a view of a slice of it":       {FromSlice(data[4:], 4, 2).Transpose(), true},
		"a copy":                        {x.Clone(), false},
		"nothing":                       {Zeros(Float64, 0), false},
		"what is left when it is freed": {Zeros(Float64, 4, 3), false},
	} {
		if name == "what is left when it is freed" {
			c.y.Free()
		}
		if SharesMemory(x, c.y) != c.want || SharesMemory(c.y, x) != c.want || SharesMemory(x.Transpose(), c.y) != c.want {
			t.Errorf("%s: shares memory is %v, want %v", name, !c.want, c.want)
		}
	}
}
