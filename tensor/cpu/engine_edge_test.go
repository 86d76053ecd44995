package cpu

// Products and softmax on the Gorgonia engine at the edges: without elements, into
// memory of an operand, into tensors that do not fit.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	gt "gorgonia.org/tensor"
)

func TestReductionsLeaveTheCallersAxesAlone(t *testing.T) {
	for _, r := range reductions {
		a, _ := newOperand(Engine{}, "plain", gt.Float32, 1, 2, 3)
		axes := []int{7, 8, 9}
		if _, err := r.f(Engine{}, a, axes[:0]...); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(axes, []int{7, 8, 9}) {
			t.Errorf("%s: what is behind the axes became %v", r.name, axes)
		}
	}
}

// operandT returns a lazily transposed operand without elements, too.
func operandT(t *testing.T, dt gt.Dtype, shape ...int) *gt.Dense {
	t.Helper()
	back := slices.Clone(shape)
	slices.Reverse(back)
	d := gt.New(gt.WithShape(back...), gt.Of(dt), gt.WithEngine(Engine{}))
	if err := d.T(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestProductsWithoutElements(t *testing.T) {
	for _, dt := range []gt.Dtype{gt.Float32, gt.Float64} {
		of := func(shape ...int) *gt.Dense {
			return gt.New(gt.WithShape(shape...), gt.Of(dt), gt.WithEngine(Engine{}))
		}
		ones := func(shape ...int) *gt.Dense {
			d := of(shape...)
			if err := d.Memset(number(d, 1)); err != nil {
				t.Fatal(err)
			}
			return d
		}
		for _, c := range []struct {
			name string
			f    func(e Engine, to *gt.Dense) error
			to   *gt.Dense
			want float64
		}{
			{"MatMul [2 0]x[0 3]", func(e Engine, to *gt.Dense) error { return e.MatMul(of(2, 0), of(0, 3), to) }, ones(2, 3), 0},
			{"MatMul [2 0]x[0 3], transposed", func(e Engine, to *gt.Dense) error {
				return e.MatMul(operandT(t, dt, 2, 0), operandT(t, dt, 0, 3), to)
			}, ones(2, 3), 0},
			{"MatMul [0 2]x[2 3]", func(e Engine, to *gt.Dense) error { return e.MatMul(of(0, 2), ones(2, 3), to) }, of(0, 3), 0},
			{"MatMul [2 3]x[3 0]", func(e Engine, to *gt.Dense) error { return e.MatMul(ones(2, 3), of(3, 0), to) }, of(2, 0), 0},
			{"MatVecMul [2 0]x[0]", func(e Engine, to *gt.Dense) error { return e.MatVecMul(of(2, 0), of(0), to) }, ones(2), 0},
			{"MatVecMul [0 2]x[2]", func(e Engine, to *gt.Dense) error { return e.MatVecMul(of(0, 2), ones(2), to) }, of(0), 0},
			{"Outer [0]x[2]", func(e Engine, to *gt.Dense) error { return e.Outer(of(0), ones(2), to) }, of(0, 2), 0},
			{"Outer [2]x[0]", func(e Engine, to *gt.Dense) error { return e.Outer(ones(2), of(0), to) }, of(2, 0), 0},
			{"Inner [0]x[0]", func(e Engine, to *gt.Dense) error {
				s, err := e.Inner(of(0), of(0))
				if err == nil && s != number(to, 0) {
					return fmt.Errorf("it is %v", s)
				}
				return err
			}, of(0), 0},
		} {
			var ran atomic.Int64
			if err := c.f(Engine{ran: &ran}, c.to); err != nil {
				t.Errorf("%v, %s: %v", dt, c.name, err)
			}
			if ran.Load() != 1 {
				t.Errorf("%v, %s did not run here", dt, c.name)
			}
			if c.to.DataSize() > 0 && slices.ContainsFunc(values(c.to), func(v float64) bool { return v != 0 }) {
				t.Errorf("%v, %s: %v, want zeros", dt, c.name, values(c.to))
			}
		}
		r, err := of(2, 0).MatMul(of(0, 2))
		if err != nil {
			t.Fatal(err)
		}
		if got := values(r); !slices.Equal(got, make([]float64, 4)) {
			t.Errorf("%v: as a method of a tensor MatMul gives %v", dt, got)
		}
	}
}

// A product into the memory of an operand is what it is into other memory.
func TestProductsIntoAnOperand(t *testing.T) {
	for _, dt := range []gt.Dtype{gt.Float32, gt.Float64} {
		for _, n := range []int{3, 70} {
			for _, c := range []struct {
				name  string
				shape [2][]int
				into  int // which operand is the result
				f     func(e Engine, a, b, to gt.Tensor) error
			}{
				{"MatMul into a", [2][]int{{n, n}, {n, n}}, 0, Engine.MatMul},
				{"MatMul into b", [2][]int{{n, n}, {n, n}}, 1, Engine.MatMul},
				{"MatVecMul into the vector", [2][]int{{n, n}, {n}}, 1, Engine.MatVecMul},
			} {
				operands := func() [2]*gt.Dense {
					a, _ := newOperand(Engine{}, "plain", dt, 1, c.shape[0]...)
					b, _ := newOperand(Engine{}, "plain", dt, 2, c.shape[1]...)
					return [2]*gt.Dense{a, b}
				}
				x := operands()
				want := gt.New(gt.WithShape(c.shape[c.into]...), gt.Of(dt), gt.WithEngine(Engine{}))
				if err := c.f(Engine{}, x[0], x[1], want); err != nil {
					t.Fatal(err)
				}
				if err := c.f(Engine{}, x[0], x[1], x[c.into]); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(values(x[c.into]), values(want)) {
					t.Errorf("%v, %s, n = %d: %v, want %v", dt, c.name, n, head(values(x[c.into])), head(values(want)))
				}
			}
		}
	}
	// The second row of what is added to is an operand.
	memory := []float64{1, 2, 3, 4}
	y := gt.New(gt.WithShape(2), gt.WithBacking(memory[2:]), gt.WithEngine(Engine{}))
	x := gt.New(gt.WithShape(2), gt.WithBacking([]float64{10, 100}), gt.WithEngine(Engine{}))
	if err := (Engine{}).Outer(x, y, gt.New(gt.WithShape(2, 2), gt.WithBacking(memory), gt.WithEngine(Engine{}))); err != nil {
		t.Fatal(err)
	}
	if want := []float64{31, 42, 303, 404}; !slices.Equal(memory, want) {
		t.Errorf("Outer added to an operand: %v, want %v", memory, want)
	}
}

func TestOuterRefusesAResultOfAnotherShape(t *testing.T) {
	a, _ := newOperand(Engine{}, "plain", gt.Float64, 1, 2)
	b, _ := newOperand(Engine{}, "plain", gt.Float64, 2, 3)
	for _, shape := range [][]int{{3, 2}, {6}, {2, 2}, {2, 3, 1}} {
		to, _ := newOperand(Engine{}, "plain", gt.Float64, 3, shape...)
		before := values(to)
		err := Engine{}.Outer(a, b, to)
		if err == nil || !strings.Contains(err.Error(), "cpu: Outer: shapes do not fit") {
			t.Errorf("into %v: error is %v", shape, err)
		}
		if !slices.Equal(values(to), before) {
			t.Errorf("into %v: it is written", shape)
		}
	}
}

// Bounds that are not in order, or no numbers, mean what they mean to the standard engine.
func TestClampBetweenBoundsThatAreNotInOrder(t *testing.T) {
	nan := math.NaN()
	for _, dt := range []gt.Dtype{gt.Float32, gt.Float64} {
		for _, bounds := range [][2]float64{{0.5, -0.5}, {nan, 0.5}, {-0.5, nan}, {nan, nan}} {
			call := func(e elementEngine) outcome {
				a, _ := newOperand(e, "plain", dt, 1, 3, 7)
				return observe(func() (gt.Tensor, error) {
					return e.Clamp(a, number(a, bounds[0]), number(a, bounds[1]))
				}, []string{"a"}, []*gt.Dense{a})
			}
			if d := call(Engine{}).differs(call(gt.StdEng{}), 0); d != "" {
				t.Errorf("%v between %v: %s", dt, bounds, d)
			}
		}
	}
}

// cloneOfTransposed returns a Dense of shape 3 x 2 that is no view and not transposed, but
// lies column by column.
func cloneOfTransposed(t *testing.T, e gt.Engine) *gt.Dense {
	t.Helper()
	d := gt.New(gt.WithShape(2, 3), gt.WithBacking([]float64{1, 2, 3, 4, 5, 6}), gt.WithEngine(e))
	if err := d.T(); err != nil {
		t.Fatal(err)
	}
	v, err := d.Slice(gt.S(0, 3))
	if err != nil {
		t.Fatal(err)
	}
	return v.Clone().(*gt.Dense)
}

func TestClonesOfViewsOfTransposedTensorsAreReadAsTheyLie(t *testing.T) {
	e := Engine{}
	for _, c := range []struct {
		name string
		f    func(d *gt.Dense) (gt.Tensor, error)
		want []float64
	}{
		{"Add", func(d *gt.Dense) (gt.Tensor, error) { return e.Add(d, d) }, []float64{2, 8, 4, 10, 6, 12}},
		{"Neg", func(d *gt.Dense) (gt.Tensor, error) { return e.Neg(d) }, []float64{-1, -4, -2, -5, -3, -6}},
		{"AddScalar", func(d *gt.Dense) (gt.Tensor, error) { return e.AddScalar(d, 1.0, true) }, []float64{2, 5, 3, 6, 4, 7}},
	} {
		r, err := c.f(cloneOfTransposed(t, e))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []float64
		for i := range 3 {
			for j := range 2 {
				v, err := r.(*gt.Dense).At(i, j)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v.(float64))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
