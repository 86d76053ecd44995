package cpu

// The Gorgonia engine against the standard engine: every overridden method, with
// all options, on operands that it takes and on such that it must hand on.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	gt "gorgonia.org/tensor"
)

// elementEngine is the element-wise methods, which both engines have.
type elementEngine interface {
	gt.Engine
	gt.Adder
	gt.Suber
	gt.Muler
	gt.Diver
	gt.Power
	gt.Neger
	gt.Inver
	gt.Squarer
	gt.Cuber
	gt.Exper
	gt.Tanher
	gt.Loger
	gt.Log2er
	gt.Log10er
	gt.Sqrter
	gt.Cbrter
	gt.InvSqrter
	gt.Signer
	gt.Abser
	gt.Clamper
}

type elementOp struct {
	name  string
	exact bool // the standard engine computes it in one rounding, or as we do
	f     func(e elementEngine, a, b gt.Tensor, opts ...gt.FuncOpt) (gt.Tensor, error)
}

// number returns c in the type of t's elements.
func number(t gt.Tensor, c float64) any {
	switch t.Dtype() {
	case gt.Float32:
		return float32(c)
	case gt.Float64:
		return c
	}
	return int(c)
}

func elementOps() []elementOp {
	ops := []elementOp{
		{"Add", true, func(e elementEngine, a, b gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) { return e.Add(a, b, o...) }},
		{"Sub", true, func(e elementEngine, a, b gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) { return e.Sub(a, b, o...) }},
		{"Mul", true, func(e elementEngine, a, b gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) { return e.Mul(a, b, o...) }},
		{"Div", true, func(e elementEngine, a, b gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) { return e.Div(a, b, o...) }},
		{"Pow", false, func(e elementEngine, a, b gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) { return e.Pow(a, b, o...) }},
		{"Clamp", true, func(e elementEngine, a, _ gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) {
			return e.Clamp(a, number(a, -0.5), number(a, 0.75), o...)
		}},
	}
	for _, u := range []struct {
		name  string
		exact bool
		f     func(elementEngine) func(a gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error)
	}{
		{"Neg", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Neg }},
		{"Inv", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Inv }},
		{"Square", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Square }},
		{"Cube", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Cube }},
		{"Exp", false, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Exp }},
		{"Tanh", false, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Tanh }},
		{"Log", false, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Log }},
		{"Log2", false, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Log2 }},
		{"Log10", false, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Log10 }},
		{"Sqrt", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Sqrt }},
		{"Cbrt", false, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Cbrt }},
		{"InvSqrt", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.InvSqrt }},
		{"Sign", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Sign }},
		{"Abs", true, func(e elementEngine) func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error) { return e.Abs }},
	} {
		ops = append(ops, elementOp{u.name, u.exact, func(e elementEngine, a, _ gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) {
			return u.f(e)(a, o...)
		}})
	}
	for _, left := range []bool{true, false} {
		for _, s := range []struct {
			name  string
			exact bool
			f     func(elementEngine) func(t gt.Tensor, s any, left bool, o ...gt.FuncOpt) (gt.Tensor, error)
		}{
			{"AddScalar", true, func(e elementEngine) func(gt.Tensor, any, bool, ...gt.FuncOpt) (gt.Tensor, error) { return e.AddScalar }},
			{"SubScalar", true, func(e elementEngine) func(gt.Tensor, any, bool, ...gt.FuncOpt) (gt.Tensor, error) { return e.SubScalar }},
			{"MulScalar", true, func(e elementEngine) func(gt.Tensor, any, bool, ...gt.FuncOpt) (gt.Tensor, error) { return e.MulScalar }},
			{"DivScalar", true, func(e elementEngine) func(gt.Tensor, any, bool, ...gt.FuncOpt) (gt.Tensor, error) { return e.DivScalar }},
			{"PowScalar", false, func(e elementEngine) func(gt.Tensor, any, bool, ...gt.FuncOpt) (gt.Tensor, error) { return e.PowScalar }},
		} {
			ops = append(ops, elementOp{fmt.Sprintf("%s(left tensor: %v)", s.name, left), s.exact,
				func(e elementEngine, a, _ gt.Tensor, o ...gt.FuncOpt) (gt.Tensor, error) {
					return s.f(e)(a, number(a, 1.7), left, o...)
				}})
		}
	}
	return ops
}

// newOperand returns a tensor of a kind on an engine, and whether our operations
// work on that kind. The elements follow from the seed.
func newOperand(e gt.Engine, kind string, dt gt.Dtype, seed uint64, shape ...int) (d *gt.Dense, plain bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	backing := func(n int) any {
		switch dt {
		case gt.Float32:
			return random[float32](r, n)
		case gt.Float64:
			return random[float64](r, n)
		}
		x := make([]int, n)
		for i := range x {
			x[i] = r.IntN(9) + 1
		}
		return x
	}
	n := gt.Shape(shape).TotalSize()
	isFloat := dt == gt.Float32 || dt == gt.Float64
	switch kind {
	case "transposed":
		back := slices.Clone(shape)
		slices.Reverse(back)
		d = gt.New(gt.WithShape(back...), gt.WithBacking(backing(n)), gt.WithEngine(e))
		if err := d.T(); err != nil {
			panic(err)
		}
		return d, false
	case "view":
		wide := slices.Clone(shape)
		wide[len(wide)-1] += 2
		whole := gt.New(gt.WithShape(wide...), gt.WithBacking(backing(gt.Shape(wide).TotalSize())), gt.WithEngine(e))
		slices := make([]gt.Slice, len(shape))
		slices[len(shape)-1] = gt.S(1, 1+shape[len(shape)-1])
		v, err := whole.Slice(slices...)
		if err != nil {
			panic(err)
		}
		return v.(*gt.Dense), false
	case "masked":
		mask := make([]bool, n)
		mask[0] = true
		return gt.New(gt.WithShape(shape...), gt.WithBacking(backing(n), mask), gt.WithEngine(e)), false
	case "column-major":
		return gt.New(gt.WithShape(shape...), gt.AsFortran(backing(n)), gt.WithEngine(e)), false
	}
	return gt.New(gt.WithShape(shape...), gt.WithBacking(backing(n)), gt.WithEngine(e)), isFloat
}

// outcome is what a call did.
type outcome struct {
	err      string
	panicked bool
	shape    []int
	values   []float64
	is       string      // which of the call's tensors the result is
	after    [][]float64 // the call's tensors afterwards
}

func values(d *gt.Dense) (x []float64) {
	add := func(v any) {
		switch v := v.(type) {
		case float32:
			x = append(x, float64(v))
		case float64:
			x = append(x, v)
		case int:
			x = append(x, float64(v))
		}
	}
	if d.IsScalar() {
		add(d.ScalarValue())
		return x
	}
	if _, f, ok := plain[float32](d); ok {
		for _, v := range f {
			x = append(x, float64(v))
		}
		return x
	}
	if _, f, ok := plain[float64](d); ok {
		return slices.Clone(f)
	}
	it := d.Iterator()
	for i, err := it.Next(); err == nil; i, err = it.Next() {
		add(d.Get(i))
	}
	return x
}

// observe makes a call whose tensors are named.
func observe(f func() (gt.Tensor, error), names []string, tensors []*gt.Dense) (o outcome) {
	func() {
		defer func() {
			if recover() != nil {
				o.panicked = true
			}
		}()
		r, err := f()
		if err != nil {
			o.err = err.Error()
			return
		}
		d := r.(*gt.Dense)
		o.shape, o.values, o.is = slices.Clone(d.Shape()), values(d), "new"
		for i, t := range tensors {
			if t == d {
				o.is = names[i]
			}
		}
	}()
	if o.panicked {
		return o
	}
	for _, t := range tensors {
		o.after = append(o.after, values(t))
	}
	return o
}

func sameNumbers(a, b []float64, tol float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || x != x && y != y || !math.IsInf(x, 0) && math.Abs(x-y) <= tol*max(1, math.Abs(x))
	})
}

func (o outcome) differs(want outcome, tol float64) string {
	switch {
	case o.panicked != want.panicked:
		return fmt.Sprintf("panicked %v, want %v", o.panicked, want.panicked)
	case o.err != want.err:
		return fmt.Sprintf("error %q, want %q", o.err, want.err)
	case o.is != want.is || !slices.Equal(o.shape, want.shape):
		return fmt.Sprintf("result is %s of shape %v, want %s of %v", o.is, o.shape, want.is, want.shape)
	case !sameNumbers(o.values, want.values, tol):
		return fmt.Sprintf("values %v, want %v", head(o.values), head(want.values))
	}
	for i := range want.after {
		if !sameNumbers(o.after[i], want.after[i], tol) {
			return fmt.Sprintf("tensor %d is %v afterwards, want %v", i, head(o.after[i]), head(want.after[i]))
		}
	}
	return ""
}

func head(x []float64) []float64 { return x[:min(len(x), 8)] }

// option makes the options of a call and says which further tensor they name.
type option struct {
	name string
	make func(e gt.Engine, a, b *gt.Dense) (opts []gt.FuncOpt, extra *gt.Dense, plain bool)
}

func options(dt gt.Dtype) []option {
	reuse := func(kind string, reshape func(n int, shape []int) []int, f func(*gt.Dense) []gt.FuncOpt) func(gt.Engine, *gt.Dense, *gt.Dense) ([]gt.FuncOpt, *gt.Dense, bool) {
		return func(e gt.Engine, a, _ *gt.Dense) ([]gt.FuncOpt, *gt.Dense, bool) {
			shape := reshape(a.Shape().TotalSize(), slices.Clone(a.Shape()))
			r, plain := newOperand(e, kind, dt, 7, shape...)
			return f(r), r, plain && r.Shape().TotalSize() == a.Shape().TotalSize()
		}
	}
	same := func(_ int, s []int) []int { return s }
	flat := func(n int, _ []int) []int { return []int{n} }
	bigger := func(n int, _ []int) []int { return []int{n + 1} }
	with := func(r *gt.Dense) []gt.FuncOpt { return []gt.FuncOpt{gt.WithReuse(r)} }
	incr := func(r *gt.Dense) []gt.FuncOpt { return []gt.FuncOpt{gt.WithIncr(r)} }
	return []option{
		{"no options", func(gt.Engine, *gt.Dense, *gt.Dense) ([]gt.FuncOpt, *gt.Dense, bool) { return nil, nil, true }},
		{"UseUnsafe", func(gt.Engine, *gt.Dense, *gt.Dense) ([]gt.FuncOpt, *gt.Dense, bool) {
			return []gt.FuncOpt{gt.UseUnsafe()}, nil, true
		}},
		{"AsSameType", func(gt.Engine, *gt.Dense, *gt.Dense) ([]gt.FuncOpt, *gt.Dense, bool) {
			return []gt.FuncOpt{gt.AsSameType()}, nil, true
		}},
		{"WithReuse", reuse("plain", same, with)},
		{"WithReuse of another shape", reuse("plain", flat, with)},
		{"WithReuse of another size", reuse("plain", bigger, with)},
		{"WithReuse of a view", reuse("view", same, with)},
		{"WithReuse(a)", func(_ gt.Engine, a, _ *gt.Dense) ([]gt.FuncOpt, *gt.Dense, bool) { return with(a), nil, true }},
		{"WithIncr", reuse("plain", same, incr)},
		{"WithIncr of another shape", reuse("plain", flat, incr)},
		{"WithIncr of a view", reuse("view", same, incr)},
		{"WithIncr and UseUnsafe", reuse("plain", same, func(r *gt.Dense) []gt.FuncOpt {
			return []gt.FuncOpt{gt.WithIncr(r), gt.UseUnsafe()}
		})},
	}
}

// roundsOnce tells whether Go rounds a·b + c once, as on arm64, where the processor has an
// instruction for it.
//
//go:noinline
func roundsOnce(a, b, c float64) bool { return a*b+c != float64(a*b)+c }

// fusedTol is how far x + a·b may then be from the standard engine's. Sums that cancel are as far
// apart as that is of their terms.
var fusedTol = map[gt.Dtype]float64{gt.Float32: 2e-6, gt.Float64: 4e-15}

func TestElementwiseMethodsDoWhatTheStandardEngineDoes(t *testing.T) {
	const a = 1 + 0x1p-30 // whose square has a digit more than float64
	fused := roundsOnce(a, a, -1-0x1p-29)
	for _, op := range elementOps() {
		for _, dt := range []gt.Dtype{gt.Float32, gt.Float64, gt.Int} {
			tol := 0.0
			if !op.exact {
				tol = map[gt.Dtype]float64{gt.Float32: 2e-5, gt.Float64: 1e-13}[dt]
			}
			shapes := [][]int{{5}, {3, 4}, {2, 3, 4}, {1, 7}, {7, 1}, {1}, {1, 1}}
			if op.name == "Sub" && dt == gt.Float32 {
				shapes = append(shapes, []int{2*engineGrain + 3}) // several goroutines
			}
			for _, shape := range shapes {
				for _, kind := range []string{"plain", "transposed", "view", "masked", "column-major"} {
					if kind != "plain" && (len(shape) != 2 || min(shape[0], shape[1]) == 1) {
						continue
					}
					for _, o := range options(dt) {
						what := fmt.Sprintf("%s, %v%v, %s, %s", op.name, dt, shape, kind, o.name)
						var ran atomic.Int64
						fast := true
						call := func(e elementEngine) outcome {
							a, plainA := newOperand(e, kind, dt, 1, shape...)
							b, plainB := newOperand(e, "plain", dt, 2, shape...)
							opts, extra, plain := o.make(e, a, b)
							fast = plainA && plainB && plain && a.Shape().TotalSize() > 1
							names, tensors := []string{"a", "b"}, []*gt.Dense{a, b}
							if extra != nil {
								names, tensors = append(names, "extra"), append(tensors, extra)
							}
							return observe(func() (gt.Tensor, error) { return op.f(e, a, b, opts...) }, names, tensors)
						}
						want := call(gt.StdEng{})
						got := call(Engine{ran: &ran})
						within := tol
						if fused && strings.HasPrefix(o.name, "WithIncr") {
							within = max(tol, fusedTol[dt])
						}
						if d := got.differs(want, within); d != "" {
							t.Errorf("%s: %s", what, d)
						}
						if (ran.Load() == 1) != fast {
							t.Errorf("%s: %d operations ran here; ours: %v", what, ran.Load(), fast)
						}
					}
				}
			}
		}
	}
}
