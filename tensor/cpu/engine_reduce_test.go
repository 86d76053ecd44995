package cpu

// Reductions and products on the Gorgonia engine, and numbers that are none.

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

func TestNaNInfAndZerosFollowIEEELikeTheStandardEngineExceptItsErrors(t *testing.T) {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 1e-40, 3.5e38, -2.5}
	var a, b []float64
	for _, x := range special {
		for _, y := range special {
			a, b = append(a, x), append(b, y)
		}
	}
	for _, op := range elementOps() {
		for _, dt := range []gt.Dtype{gt.Float32, gt.Float64} {
			call := func(e elementEngine) []float64 {
				make := func(x []float64) *gt.Dense {
					if dt == gt.Float64 {
						return gt.New(gt.WithShape(len(x)), gt.WithBacking(slices.Clone(x)), gt.WithEngine(e))
					}
					narrow := []float32{}
					for _, v := range x {
						narrow = append(narrow, float32(v))
					}
					return gt.New(gt.WithShape(len(x)), gt.WithBacking(narrow), gt.WithEngine(e))
				}
				r, err := op.f(e, make(a), make(b))
				if err != nil {
					t.Fatal(err)
				}
				return values(r.(*gt.Dense))
			}
			got, want := call(Engine{}), call(gt.StdEng{})
			for i := range want {
				switch {
				case op.name == "Div" && b[i] == 0:
					want[i] = a[i] / b[i] // always +Inf there
				case op.name == "DivScalar(left tensor: false)" && a[i] == 0:
					want[i] = 1 / a[i] // the same
				case op.name == "Log" && dt == gt.Float32 && a[i] == 1e-40:
					want[i] = math.Log(a[i]) // wrong there for such small numbers
				}
				if !sameNumbers(got[i:i+1], want[i:i+1], 1e-5) {
					t.Errorf("%s, %v: of %v and %v it is %v, the standard engine says %v", op.name, dt, a[i], b[i], got[i], want[i])
				}
			}
		}
	}
}

// reducer is the reductions, which both engines have.
type reducer interface {
	gt.Engine
	gt.Sumer
	gt.Maxer
	gt.Miner
}

var reductions = []struct {
	name string
	f    func(e reducer, a gt.Tensor, along ...int) (gt.Tensor, error)
	fold func(acc, v float64) float64
}{
	{"Sum", func(e reducer, a gt.Tensor, along ...int) (gt.Tensor, error) { return e.Sum(a, along...) }, func(acc, v float64) float64 { return acc + v }},
	{"Max", func(e reducer, a gt.Tensor, along ...int) (gt.Tensor, error) { return e.Max(a, along...) }, math.Max},
	{"Min", func(e reducer, a gt.Tensor, along ...int) (gt.Tensor, error) { return e.Min(a, along...) }, math.Min},
}

// folded is a reduction by definition.
func folded(x []float64, shape, along []int, fold func(acc, v float64) float64) []float64 {
	var order []int
	results := map[int]float64{}
	for i, v := range x {
		key, rest := 0, i
		for k := len(shape) - 1; k >= 0; k-- { // digits of the index, the reduced ones set to 0
			digit := rest % shape[k]
			rest /= shape[k]
			if len(along) > 0 && !slices.Contains(along, k) {
				step := 1
				for _, d := range shape[k+1:] {
					step *= d
				}
				key += digit * step
			}
		}
		if acc, ok := results[key]; ok {
			results[key] = fold(acc, v)
		} else {
			order = append(order, key)
			results[key] = v
		}
	}
	var out []float64
	for _, key := range order {
		out = append(out, results[key])
	}
	return out
}

func TestReductionsFoldTheAxes(t *testing.T) {
	for _, r := range reductions {
		for _, dt := range []gt.Dtype{gt.Float32, gt.Float64} {
			for _, c := range []struct {
				shape []int
				along [][]int
			}{
				{[]int{6}, [][]int{nil, {0}}},
				{[]int{3, 4}, [][]int{nil, {0}, {1}, {0, 1}, {1, 0}}},
				{[]int{1, 4}, [][]int{nil, {0}, {1}}},
				{[]int{4, 1}, [][]int{nil, {0}, {1}}},
				{[]int{2, 3, 4}, [][]int{nil, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {2, 1}, {0, 1, 2}}},
				{[]int{2, 3, 2, 5}, [][]int{{1}, {2}, {1, 3}, {0, 2}}},
				{[]int{700, 130}, [][]int{nil, {0}, {1}}},
			} {
				for _, along := range c.along {
					what := fmt.Sprintf("%s, %v%v along %v", r.name, dt, c.shape, along)
					var ran atomic.Int64
					a, _ := newOperand(Engine{}, "plain", dt, 3, c.shape...)
					x := values(a)
					got, err := r.f(Engine{ran: &ran}, a, slices.Clone(along)...)
					if err != nil {
						t.Errorf("%s: %v", what, err)
						continue
					}
					want := folded(x, c.shape, along, r.fold)
					if !sameNumbers(values(got.(*gt.Dense)), want, 1e-4) {
						t.Errorf("%s: %v, want %v", what, head(values(got.(*gt.Dense))), head(want))
					}
					if ran.Load() != 1 {
						t.Errorf("%s did not run here", what)
					}
					std, err := r.f(gt.StdEng{}, a, slices.Clone(along)...)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.Shape(), std.Shape()) || got.IsScalar() != std.IsScalar() {
						t.Errorf("%s: shape %v, the standard engine's %v", what, got.Shape(), std.Shape())
					}
					if r.name == "Sum" && !sameNumbers(values(got.(*gt.Dense)), values(std.(*gt.Dense)), 1e-4) {
						t.Errorf("%s: %v, the standard engine's %v", what, head(values(got.(*gt.Dense))), head(values(std.(*gt.Dense))))
					}
				}
			}
		}
	}
}

func TestReductionsHandOnWhatTheyDoNotTake(t *testing.T) {
	for _, r := range reductions {
		for _, c := range []struct {
			kind  string
			dt    gt.Dtype
			along []int
		}{
			{"plain", gt.Int, []int{0}},
			{"plain", gt.Float32, []int{2}},
			{"plain", gt.Float64, []int{0, 0}},
			{"transposed", gt.Float32, []int{1}},
			{"view", gt.Float64, []int{0}},
		} {
			what := fmt.Sprintf("%s of %s %v along %v", r.name, c.kind, c.dt, c.along)
			var ran atomic.Int64
			call := func(e reducer) outcome {
				a, _ := newOperand(e, c.kind, c.dt, 3, 3, 4)
				return observe(func() (gt.Tensor, error) { return r.f(e, a, slices.Clone(c.along)...) }, []string{"a"}, []*gt.Dense{a})
			}
			if d := call(Engine{ran: &ran}).differs(call(gt.StdEng{}), 0); d != "" {
				t.Errorf("%s: %s", what, d)
			}
			if ran.Load() != 0 {
				t.Errorf("%s ran here", what)
			}
		}
	}
}

func TestMaximaAndMinimaPassOnNaN(t *testing.T) {
	nan := math.NaN()
	for _, x := range [][]float64{{nan, 1, 2, 3}, {1, nan, 2, 3}, {1, 2, 3, nan}} {
		a := gt.New(gt.WithShape(2, 2), gt.WithBacking(x), gt.WithEngine(Engine{}))
		for _, r := range reductions {
			for _, along := range [][]int{nil, {0}, {1}} {
				got, err := r.f(Engine{}, a, along...)
				if err != nil {
					t.Fatal(err)
				}
				if want := folded(x, []int{2, 2}, along, r.fold); !sameNumbers(values(got.(*gt.Dense)), want, 0) {
					t.Errorf("%s of %v along %v is %v, want %v", r.name, x, along, values(got.(*gt.Dense)), want)
				}
			}
		}
	}
}

func TestReductionsAndDotProductsAreTheSameBitsForAnyThreads(t *testing.T) {
	a, _ := newOperand(Engine{}, "plain", gt.Float32, 4, 3, 40000)
	v, _ := newOperand(Engine{}, "plain", gt.Float32, 5, 120000)
	var first [][]float64
	for _, n := range []int{1, 2, 5} {
		withThreads(t, n)
		var got [][]float64
		for _, along := range [][]int{nil, {0}, {1}} {
			s, err := Engine{}.Sum(a, along...)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, values(s.(*gt.Dense)))
		}
		dot, err := Engine{}.Inner(v, v)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, []float64{float64(dot.(float32))})
		if first == nil {
			first = got
		}
		for i := range got {
			if !slices.Equal(got[i], first[i]) {
				t.Errorf("%d threads: result %d differs", n, i)
			}
		}
	}
}

func TestProductsMatchTheStandardEngine(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testProducts[float32](t, gt.Float32, 1e-4) })
	t.Run("float64", func(t *testing.T) { testProducts[float64](t, gt.Float64, 1e-12) })
}

func testProducts[T kern.Float](t *testing.T, dt gt.Dtype, tol float64) {
	for _, d := range [][2]int{{1, 1}, {3, 4}, {4, 3}, {1, 5}, {5, 1}, {300, 170}} {
		m, n := d[0], d[1]
		for _, c := range []struct {
			name string
			f    func(e gt.Engine) (any, error)
			ours bool
		}{
			{"MatVecMul", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "plain", dt, 1, m, n)
				x, _ := newOperand(e, "plain", dt, 2, n)
				return a.MatVecMul(x)
			}, true},
			{"MatVecMul of a transposed matrix", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "transposed", dt, 1, m, n)
				x, _ := newOperand(e, "plain", dt, 2, n)
				return a.MatVecMul(x)
			}, true},
			{"MatVecMul into a tensor", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "plain", dt, 1, m, n)
				x, _ := newOperand(e, "plain", dt, 2, n)
				y, _ := newOperand(e, "plain", dt, 3, m)
				return a.MatVecMul(x, gt.WithReuse(y))
			}, true},
			{"MatVecMul added to a tensor", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "plain", dt, 1, m, n)
				x, _ := newOperand(e, "plain", dt, 2, n)
				y, _ := newOperand(e, "plain", dt, 3, m)
				return a.MatVecMul(x, gt.WithIncr(y))
			}, true},
			{"Outer", func(e gt.Engine) (any, error) {
				x, _ := newOperand(e, "plain", dt, 1, m)
				y, _ := newOperand(e, "plain", dt, 2, n)
				return x.Outer(y)
			}, true},
			{"Inner", func(e gt.Engine) (any, error) {
				x, _ := newOperand(e, "plain", dt, 1, m*n)
				y, _ := newOperand(e, "plain", dt, 2, m*n)
				return x.Inner(y)
			}, true},
			{"Inner of a column", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "plain", dt, 1, m, n)
				col, err := a.Slice(nil, gt.S(0))
				if err != nil {
					return nil, err
				}
				x, _ := newOperand(e, "plain", dt, 2, m)
				return gt.Inner(gt.Materialize(col), x)
			}, true},
			{"MatMul added to a tensor", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "plain", dt, 1, m, n)
				b, _ := newOperand(e, "plain", dt, 2, n, 2)
				y, _ := newOperand(e, "plain", dt, 3, m, 2)
				return a.MatMul(b, gt.WithIncr(y))
			}, true},
			{"MatMul of a view", func(e gt.Engine) (any, error) {
				a, _ := newOperand(e, "view", dt, 1, m, n)
				b, _ := newOperand(e, "plain", dt, 2, n, 2)
				return gt.MatMul(gt.Materialize(a), b)
			}, true},
		} {
			if m == 1 && c.name == "Inner of a column" || n == 1 && c.name == "MatMul of a view" {
				continue // Gorgonia drops the axis of the slice
			}
			what := fmt.Sprintf("%s, %dx%d", c.name, m, n)
			numbers := func(e gt.Engine) []float64 {
				r, err := c.f(e)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				switch r := r.(type) {
				case *gt.Dense:
					return values(r)
				case T:
					return []float64{float64(r)}
				}
				t.Fatalf("%s is a %T", what, r)
				return nil
			}
			var ran atomic.Int64
			got, want := numbers(Engine{ran: &ran}), numbers(gt.StdEng{})
			if !sameNumbers(got, want, tol*math.Sqrt(float64(m*n))) {
				t.Errorf("%s: %v, want %v", what, head(got), head(want))
			}
			if (ran.Load() > 0) != c.ours {
				t.Errorf("%s: %d operations ran here; ours: %v", what, ran.Load(), c.ours)
			}
		}
	}
}

func BenchmarkEngine(b *testing.B) {
	const n = 1 << 20
	for _, engine := range []struct {
		name string
		e    elementEngine
	}{{"ours", Engine{}}, {"standard", gt.StdEng{}}} {
		x, _ := newOperand(engine.e, "plain", gt.Float32, 1, n)
		y, _ := newOperand(engine.e, "plain", gt.Float32, 2, n)
		for _, op := range elementOps() {
			switch op.name {
			case "Add", "Div", "Exp", "Tanh", "Sqrt", "Log", "MulScalar(left tensor: true)":
				b.Run(op.name+"/"+engine.name, func(b *testing.B) {
					for b.Loop() {
						if _, err := op.f(engine.e, x, y); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		for _, along := range [][]int{nil, {0}, {1}} {
			m, _ := newOperand(engine.e, "plain", gt.Float32, 1, 1024, 1024)
			b.Run(fmt.Sprintf("Sum%v/%s", along, engine.name), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Sum(along...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
