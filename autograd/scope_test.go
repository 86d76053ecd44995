// Scopes: what they compute, what they give back, and what they must not.

package autograd

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// long is the length of vectors on which operations are put off.
const long = pendingElements + 77

func longVector(seed uint64) *tensor.Tensor { return tensor.Randn(tensor.Float32, seed, long) }

// churnLong overwrites the memory that vectors gave back.
func churnLong() {
	var held []*tensor.Tensor
	for range 24 {
		held = append(held, tensor.Full(tensor.Float32, -99, long))
	}
	for _, t := range held {
		t.Free()
	}
}

// pointwise are operations that a scope may put off.
var pointwise = map[string]func(a, b *Var) *Var{
	"Add":        func(a, b *Var) *Var { return a.Add(b) },
	"Sub":        func(a, b *Var) *Var { return a.Sub(b) },
	"Mul":        func(a, b *Var) *Var { return a.Mul(b) },
	"Div":        func(a, b *Var) *Var { return a.Div(b.Square().AddScalar(1)) },
	"Maximum":    func(a, b *Var) *Var { return a.Maximum(b) },
	"Minimum":    func(a, b *Var) *Var { return a.Minimum(b) },
	"Neg":        func(a, _ *Var) *Var { return a.Neg() },
	"Sqrt":       func(a, _ *Var) *Var { return a.Abs().Sqrt() },
	"Rsqrt":      func(a, _ *Var) *Var { return a.Square().AddScalar(1).Rsqrt() },
	"Recip":      func(a, _ *Var) *Var { return a.Exp().AddScalar(1).Recip() },
	"Scale":      func(a, _ *Var) *Var { return a.Scale(0.3) },
	"AddScalar":  func(a, _ *Var) *Var { return a.AddScalar(-0.2) },
	"Clamp":      func(a, _ *Var) *Var { return a.Clamp(-0.4, 0.9) },
	"Log":        func(a, _ *Var) *Var { return a.Abs().AddScalar(0.1).Log() },
	"ReLU":       func(a, _ *Var) *Var { return a.ReLU() },
	"LeakyReLU":  func(a, _ *Var) *Var { return a.LeakyReLU(0.1) },
	"ELU":        func(a, _ *Var) *Var { return a.ELU(0.7) },
	"GELU":       func(a, _ *Var) *Var { return a.GELU() },
	"SiLU":       func(a, _ *Var) *Var { return a.SiLU() },
	"Sigmoid":    func(a, _ *Var) *Var { return a.Sigmoid() },
	"Tanh":       func(a, _ *Var) *Var { return a.Tanh() },
	"Softplus":   func(a, _ *Var) *Var { return a.Softplus() },
	"with a sum": func(a, b *Var) *Var { return a.Add(b.Mean()) },
	"with a row": func(a, b *Var) *Var {
		return a.Reshape(-1, 9).Sub(b.Slice(0, 0, 9)).Mul(b.Reshape(-1, 9)).Reshape(long)
	},
	"row of chains": func(a, b *Var) *Var { return Stack(0, a.Neg(), b).Mul(a.Exp()).Add(b.Tanh()).Sum(0) },
	"reshaped":      func(a, b *Var) *Var { return a.Reshape(1, long).Tanh().Reshape(long).Mul(b) },
	"detached":      func(a, b *Var) *Var { return a.Detach().Mul(NoGrad(b)) },
}

// atOnce returns v for computing by one operation after another.
func atOnce(v *Var) *Var {
	return &Var{value: v.value, requires: v.requires, region: &region{noGrad: true, met: new(atomic.Bool)}}
}

func wantSameBits(t *testing.T, what string, got, want *tensor.Tensor) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
	}
	w := bits32(want)
	for i, g := range bits32(got) {
		if g != w[i] && (g == g || w[i] == w[i]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g, w[i])
		}
	}
}

func TestOperationsInAScopeHaveTheSameBits(t *testing.T) {
	x, y := Constant(longVector(1)), Constant(longVector(2))
	for name, f := range pointwise {
		got := Scope(func(xs ...*Var) *Var { return f(xs[0], xs[1]) }, x, y)
		churnLong()
		wantSameBits(t, name, got.Tensor(), f(atOnce(x), atOnce(y)).Tensor())
	}
}

// randomChain applies operations to earlier values, some of which it looks at as it
// goes, and returns the last and those.
func randomChain(seed uint64, names []string, xs []*Var) (last *Var, seen []*tensor.Tensor) {
	r := rng.NewStream(seed, 9)
	below := func(n int) int { return int(r.Uint64() % uint64(n)) }
	vs := slices.Clone(xs)
	for range 1 + below(60) {
		a, b := vs[len(vs)-1-below(min(3, len(vs)))], vs[below(len(vs))]
		vs = append(vs, pointwise[names[below(len(names))]](a, b).Clamp(-8, 8))
		if below(6) == 0 {
			seen = append(seen, vs[below(len(vs))].Tensor())
		}
	}
	return vs[len(vs)-1], seen
}

func TestRandomChainsInAScopeHaveTheSameBits(t *testing.T) {
	names := slices.Sorted(maps.Keys(pointwise))
	seeds := uint64(40)
	if testing.Short() {
		seeds = 12
	}
	xs := []*Var{Constant(longVector(1)), Constant(longVector(2))}
	for seed := range seeds {
		want, wantSeen := randomChain(seed, names, []*Var{atOnce(xs[0]), atOnce(xs[1])})
		var seen []*tensor.Tensor
		got := Scope(func(xs ...*Var) (y *Var) { y, seen = randomChain(seed, names, xs); return y }, xs...)
		churnLong()
		wantSameBits(t, fmt.Sprint("seed ", seed), got.Tensor(), want.Tensor())
		for i := range seen {
			wantSameBits(t, fmt.Sprint("seed ", seed, ", seen ", i), seen[i], wantSeen[i])
		}
	}
}

func TestScopeLeavesNothingButItsResult(t *testing.T) {
	x, y := Constant(longVector(1)), Constant(longVector(2))
	one := tensor.Empty(tensor.Float32, long).Bytes() * 9 / 8
	for name, f := range map[string]func(x, y *Var) *Var{
		"a chain":      func(x, y *Var) *Var { return x.Mul(y).Add(y).ReLU().Scale(0.5) },
		"reductions":   func(x, y *Var) *Var { return x.Softmax().Sub(LayerNorm(y, nil, nil, 1e-5)).Add(x.Sum()) },
		"a view":       func(x, y *Var) *Var { return x.Flip(0).Add(y.Flip(0)).Reshape(9, -1).Transpose() },
		"never wanted": func(x, y *Var) *Var { x.Exp().Tanh(); return y.Neg() },
		"an operand":   func(x, y *Var) *Var { x.Softmax(); return x },
		"another scope in": func(x, y *Var) *Var {
			return Scope(func(v ...*Var) *Var { return v[0].Softmax().Flip(0).Neg() }, x).Add(y)
		},
	} {
		x.Softmax().Tensor().Free() // scratch of the first use
		tensor.TrimMemory()
		before := tensor.MemoryStats().Live
		got := Scope(func(xs ...*Var) *Var { return f(xs[0], xs[1]) }, x, y)
		if more := tensor.MemoryStats().Live - before; more > one {
			t.Errorf("%s: %d bytes are left, more than the result's %d", name, more, one)
		}
		churnLong()
		wantSameBits(t, name, got.Tensor(), f(atOnce(x), atOnce(y)).Tensor())
	}
}

func TestChainInAScopeUsesNoMoreThanItsResult(t *testing.T) {
	x, y := Constant(longVector(1)), Constant(longVector(2))
	tensor.TrimMemory()
	before := tensor.MemoryStats().Live
	tensor.ResetPeakMemory()
	Scope(func(xs ...*Var) *Var { return xs[0].Mul(xs[1]).Add(xs[1]).ReLU().Scale(0.5).Tanh() }, x, y)
	if more, one := tensor.MemoryStats().Peak-before, x.Tensor().Bytes()*9/8; more > one {
		t.Errorf("%d bytes at once, the result has %d", more, one)
	}
}

// misuseOf returns the text of the misuse error that f panics with.
func misuseOf(f func()) string {
	var e *Error
	if errors.As(Try(f), &e) {
		return e.Error()
	}
	return ""
}

func TestVarsOfAnEndedScopePanic(t *testing.T) {
	x := Constant(longVector(1))
	var computed, put *Var
	y := Scope(func(xs ...*Var) *Var {
		computed, put = xs[0].Softmax(), xs[0].Exp()
		return xs[0].Neg()
	}, x)
	for name, f := range map[string]func(){
		"an operation":                 func() { computed.Add(y) },
		"an operation of a put off":    func() { put.Tanh() },
		"as the second operand":        func() { y.Add(put) },
		"Tensor":                       func() { computed.Tensor() },
		"Tensor of a put off":          func() { put.Tensor() },
		"Item":                         func() { computed.Item() },
		"Value":                        func() { computed.Value() },
		"Detach":                       func() { computed.Detach() },
		"in another scope":             func() { Scope(func(xs ...*Var) *Var { return xs[0].Mul(put) }, y) },
		"as an operand of a new scope": func() { Scope(func(xs ...*Var) *Var { return xs[0] }, computed) },
		"as its result":                func() { Scope(func(xs ...*Var) *Var { return computed }, y) },
		"no operands":                  func() { Scope(func(...*Var) *Var { return y }) },
	} {
		if misuseOf(f) == "" {
			t.Errorf("%s: no misuse error", name)
		}
	}
	wantSameBits(t, "the result", y.Exp().Tensor(), x.Neg().Exp().Tensor())
	Scope(func(xs ...*Var) *Var {
		var left *Var // of operands from both scopes
		Scope(func(inside ...*Var) *Var { left = xs[0].MatMul(inside[0]); return inside[0] }, xs[0])
		if misuseOf(func() { left.Neg() }) == "" {
			t.Error("a result of the inner scope outlives it")
		}
		return xs[0]
	}, Constant(tensor.Randn(tensor.Float32, 1, 8, 8)))
}

// buffersOf returns how many vectors f allocates.
func buffersOf(f func(x *Var) *Var) int {
	x := Constant(longVector(1))
	before := tensor.MemoryStats().Allocated
	Scope(func(xs ...*Var) *Var { return f(xs[0]) }, x)
	return int((tensor.MemoryStats().Allocated - before) / x.Tensor().Bytes())
}

func TestChainsComputeLittleTwice(t *testing.T) {
	if n := buffersOf(func(x *Var) *Var { return x.Exp().Tanh().Neg() }); n != 1 {
		t.Errorf("a chain makes %d vectors, want 1", n)
	}
	n := buffersOf(func(x *Var) *Var {
		d := x.Exp()
		for range 5 {
			d.Neg().Sum()
		}
		return x
	})
	if n != 6 { // five results, and d once it was wanted a second time
		t.Errorf("five results of one make %d vectors, want 6", n)
	}
	n = buffersOf(func(x *Var) *Var {
		for range 4 * maxChain {
			x = x.Neg()
		}
		return x
	})
	if n < 4 || n > 5 {
		t.Errorf("a chain of %d operations makes %d vectors, want it cut in 4 or 5", 4*maxChain, n)
	}
}

func TestAnomalyInAScopeIsFoundWhereItArises(t *testing.T) {
	var e *AnomalyError
	err := Try(func() {
		Scope(func(xs ...*Var) *Var { return DetectAnomaly(xs[0]).Log().ReLU().Mul(xs[0]) }, Constant(longVector(1)))
	})
	if !errors.As(err, &e) || e.Op != "Log" {
		t.Errorf("got %v, want an anomaly in Log", err)
	}
}

func TestScopeKeepsWhatTheUserHolds(t *testing.T) {
	x := Constant(longVector(1))
	var whole, part, outer *tensor.Tensor
	y := Scope(func(xs ...*Var) *Var {
		h := xs[0].Softmax()
		whole = h.Tensor()
		part = xs[0].Flip(0).Reshape(9, -1).Transpose().Tensor()
		return Scope(func(xs ...*Var) *Var { outer = xs[0].Tensor(); return xs[0].Neg() }, h.Add(h))
	}, x)
	churnLong()
	wantSameBits(t, "a tensor", whole, x.Softmax().Tensor())
	wantSameBits(t, "a tensor of the scope around", outer, x.Softmax().Scale(2).Tensor())
	wantSameBits(t, "a view", part, x.Flip(0).Reshape(9, -1).Transpose().Tensor())
	wantSameBits(t, "the result", y.Tensor(), x.Softmax().Scale(-2).Tensor())
}

// A graph that still waits for its backward pass is kept whole.
func TestBackwardAfterAScope(t *testing.T) {
	f := func(x, w *Var) *Var { return x.Mul(w).Tanh().Softmax().Mul(x).Sum() }
	for _, nested := range []bool{false, true} {
		x, w := Variable(longVector(1)), Variable(longVector(2))
		loss := Scope(func(xs ...*Var) *Var {
			if nested {
				return Scope(func(xs ...*Var) *Var { return f(xs[0], w) }, xs[0]).Scale(1)
			}
			return f(xs[0], w)
		}, x)
		churnLong()
		loss.Backward()
		x2, w2 := Variable(longVector(1)), Variable(longVector(2))
		f(x2, w2).Scale(1).Backward()
		wantSameBits(t, "gradient of an operand", x.Gradient(), x2.Gradient())
		wantSameBits(t, "gradient of another leaf", w.Gradient(), w2.Gradient())
		again := Grad(Scope(func(xs ...*Var) *Var { return f(xs[0], w) }, x), []*Var{x}, CreateGraph())[0]
		again.Square().Sum().Backward() // rules on the Vars of the scope
	}
}

// dissolved runs f on the inside of a Scope whose result waits for its backward pass, within
// depth others of which all but the outermost do, too; that one goes back. after gets what f gave
// when the inner scopes are over and the outermost is not.
func dissolved(x *Var, depth int, f func(x *Var) []*Var, after func(kept []*Var)) {
	w := Constant(longVector(8))
	var kept []*Var
	var nest func(depth int) func(xs ...*Var) *Var
	nest = func(depth int) func(xs ...*Var) *Var {
		return func(xs ...*Var) *Var {
			if depth == 0 {
				kept = f(xs[0])
				return xs[0].Mul(w).Tanh().Mul(w).Sum()
			}
			return Scope(nest(depth-1), xs...).Scale(1)
		}
	}
	Scope(func(xs ...*Var) *Var {
		loss := nest(depth)(xs...)
		after(kept)
		loss.Backward()
		return loss
	}, x)
}

func TestTensorsOfAScopeThatWaitsForBackwardOutliveTheScopeAround(t *testing.T) {
	for depth := 1; depth <= 3; depth++ {
		x := Variable(longVector(1))
		var early, late, put *tensor.Tensor
		dissolved(x, depth, func(x *Var) []*Var {
			h := x.Softmax()
			early = x.Tanh().Tensor()
			return []*Var{h, x.Detach().Exp()}
		}, func(kept []*Var) { late, put = kept[0].Tensor(), kept[1].Tensor() })
		churnLong()
		wantSameBits(t, "given out within", early, x.Tanh().Tensor())
		wantSameBits(t, "given out in the scope around", late, x.Softmax().Tensor())
		wantSameBits(t, "computed in the scope around", put, x.Exp().Tensor())
	}
}

func TestVarsOfAScopeThatWaitsForBackwardEndWithTheScopeAround(t *testing.T) {
	for depth := 1; depth <= 3; depth++ {
		var kept []*Var
		x := Variable(longVector(1))
		dissolved(x, depth, func(x *Var) []*Var {
			return []*Var{x.Softmax(), x.Detach().Exp(), x.Detach().Softmax()}
		}, func(inside []*Var) {
			kept = inside
			if err := Try(func() { kept[0].Add(kept[2]).Neg().Tensor() }); err != nil {
				t.Errorf("before its end: %v", err)
			}
		})
		y := Constant(longVector(2))
		for i, v := range kept {
			for name, f := range map[string]func(){
				"Tensor": func() { v.Tensor() }, "an operation": func() { v.Neg() }, "as the second operand": func() { y.Add(v) },
				"in another scope": func() { Scope(func(xs ...*Var) *Var { return xs[0].Mul(v).Exp() }, y).Tensor() },
			} {
				if misuseOf(f) == "" {
					t.Errorf("depth %d, Var %d, %s: no misuse error", depth, i, name)
				}
			}
		}
	}
}

func TestScopeMayReturnAVarOfOneThatDissolvedIntoIt(t *testing.T) {
	x, w := Variable(longVector(1)), Constant(longVector(2))
	inner := func(xs ...*Var) *Var {
		var h *Var
		loss := Scope(func(xs ...*Var) *Var { h = xs[0].Softmax(); return h.Mul(w).Sum() }, xs[0])
		loss.Backward()
		return h.Detach()
	}
	want := x.Softmax().Tensor()
	for name, y := range map[string]*Var{
		"in one":            Scope(inner, x),
		"in one in a third": Scope(func(xs ...*Var) *Var { return Scope(inner, xs[0]).Scale(1) }, x),
	} {
		churnLong()
		wantSameBits(t, name, y.Scale(1).Tensor(), want)
	}
}

// What is put off is computed from the tensors that its operands had then.
func TestPutOffOperationsKeepTheTensorsOfTheirOperands(t *testing.T) {
	x, r := Constant(longVector(1)), longVector(2)
	for name, c := range map[string]struct {
		f    func(x, r *Var) *Var
		want func(x, r *Var) *Var
	}{
		"of a leaf": {func(x, r *Var) *Var {
			y := x.Add(r)
			r.SetTensor(longVector(3))
			return y
		}, func(x, r *Var) *Var { return x.Add(r) }},
		"of a leaf that is converted": {func(x, r *Var) *Var {
			y := r.Mul(x).Exp()
			r.ConvertTo(tensor.Float64)
			return y
		}, func(x, r *Var) *Var { return r.Mul(x).Exp() }},
		"of an operand": {func(x, r *Var) *Var {
			y := x.Exp()
			x.SetTensor(longVector(3))
			return y.Add(x).Sub(x)
		}, func(x, r *Var) *Var { z := Constant(longVector(3)); return x.Exp().Add(z).Sub(z) }},
		"of one that was put off": {func(x, r *Var) *Var {
			h := x.Exp()
			y := h.Neg()
			h.SetTensor(longVector(3))
			return y.Add(h)
		}, func(x, r *Var) *Var { return x.Exp().Neg().Add(Constant(longVector(3))) }},
	} {
		t.Run(name, func(t *testing.T) {
			got := Scope(func(xs ...*Var) *Var { return c.f(xs[0], Constant(r)) }, x)
			wantSameBits(t, "result", got.Tensor(), c.want(x, Constant(r)).Tensor())
		})
	}
}

// Optimisers write the memory of what they train, whoever has put an operation on it off.
func TestPutOffOperationsKeepTheNumbersOfWhatIsTrainedMeanwhile(t *testing.T) {
	const rows, columns = 300, 64
	large := func() *tensor.Tensor { return tensor.Randn(tensor.Float32, 5, rows, columns) }
	row := func() *tensor.Tensor { return tensor.Randn(tensor.Float32, 6, columns) }
	x := Constant(tensor.Randn(tensor.Float32, 7, rows, columns))
	frozen := Parameter(row())
	frozen.SetRequiresGrad(false)
	for name, c := range map[string]struct {
		w *Var
		f func(x, w *Var) *Var
	}{
		"a row":            {Parameter(row()), func(x, w *Var) *Var { return NoGrad(x).Mul(w) }},
		"a row first":      {Parameter(row()), func(x, w *Var) *Var { return w.Sub(NoGrad(x)) }},
		"a row of a chain": {Parameter(row()), func(x, w *Var) *Var { return NoGrad(x).Exp().Add(w).Tanh().Mul(w) }},
		"a number":         {Parameter(tensor.Ones(tensor.Float32)), func(x, w *Var) *Var { return NoGrad(x).Mul(w) }},
		"as large":         {Parameter(large()), func(x, w *Var) *Var { return NoGrad(x).Mul(w) }},
		"with a row":       {Parameter(large()), func(x, w *Var) *Var { return NoGrad(w).Mul(x.Slice(0, 3, 4).Reshape(columns)) }},
		"alone":            {Parameter(large()), func(x, w *Var) *Var { return NoGrad(w).Exp() }},
		"detached":         {Parameter(row()), func(x, w *Var) *Var { return x.Mul(w.Detach()) }},
		"a view":           {Parameter(large()), func(x, w *Var) *Var { return NoGrad(x).Add(w.Slice(0, 3, 4).Reshape(columns)) }},
		"a view of NoGrad": {Parameter(large()), func(x, w *Var) *Var { return NoGrad(w).Slice(0, 3, 4).Reshape(columns).Mul(x) }},
		"NoGrad of a view": {Parameter(large()), func(x, w *Var) *Var { return NoGrad(w.Slice(0, 3, 4).Reshape(columns)).Mul(x) }},
		"a variable":       {Variable(row()), func(x, w *Var) *Var { return NoGrad(x).Mul(w) }},
		"frozen":           {frozen, func(x, w *Var) *Var { return x.Mul(w) }},
	} {
		want := c.f(x, c.w).Tensor().Clone()
		trained := c.w.Tensor().Clone()
		for how, inside := range map[string]func(xs []*Var) *Var{
			"captured": func([]*Var) *Var { return c.w }, "given": func(xs []*Var) *Var { return xs[1] },
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				got := Scope(func(xs ...*Var) *Var {
					y := c.f(xs[0], inside(xs))
					c.w.Tensor().Fill(-99)
					return y
				}, x, c.w)
				c.w.Tensor().CopyFrom(trained)
				wantSameBits(t, "result", got.Tensor(), want)
			})
		}
	}
}

func TestScopeKeepsNothingOfWhatIsTrainedMeanwhile(t *testing.T) {
	x, w := NoGrad(Constant(tensor.Randn(tensor.Float32, 7, 9, 5000))), Parameter(tensor.Randn(tensor.Float32, 6, 5000))
	step := func() { Scope(func(xs ...*Var) *Var { return xs[0].Mul(w).Add(w).Sum() }, x) }
	step()
	tensor.TrimMemory()
	before := tensor.MemoryStats().Live
	step()
	if more := tensor.MemoryStats().Live - before; more > 0 {
		t.Errorf("%d bytes are left", more)
	}
}

// Whole steps of training in a scope, over random programs: the gradients are the
// same, and what was held stays.
func TestTrainingStepsInAScope(t *testing.T) {
	n := uint64(40)
	if testing.Short() {
		n = 12
	}
	for seed := range n {
		code := randomProgram(seed, 3+int(seed%14))
		truth := newRandomGraph(code, true)
		truth.loss().Backward()
		leaves := newLeaves()
		var h held
		loss := Scope(func(xs ...*Var) *Var {
			r := &randomGraph{leaves: xs, captured: leaves[0]}
			r.run(code, true)
			for i, v := range r.results {
				if i%3 == 0 {
					h.keep(fmt.Sprint("value ", i), v.Tensor())
				}
			}
			loss := r.loss()
			loss.Backward()
			return loss
		}, leaves...)
		churn()
		if err := h.check(); err != nil {
			t.Errorf("program %d: %v", seed, err)
		}
		if got, want := loss.Tensor().Item(), truth.loss().Tensor().Item(); got != want {
			t.Errorf("program %d: loss %v, want %v", seed, got, want)
		}
		for i, l := range leaves {
			if (l.Gradient() == nil) != (truth.leaves[i].Gradient() == nil) {
				t.Fatalf("program %d: gradient %v of leaf %d, want %v", seed, l.Gradient(), i, truth.leaves[i].Gradient())
			}
			if l.Gradient() == nil {
				continue
			}
			want := truth.leaves[i].Gradient().Float64s()
			for k, g := range l.Gradient().Float64s() { // contributions are added in another order
				if !(math.Abs(g-want[k]) <= 1e-4*(1+math.Abs(want[k]))) {
					t.Fatalf("program %d: gradient of leaf %d, element %d: %v, want %v", seed, i, k, g, want[k])
				}
			}
		}
	}
}

func TestTrainingStepInAScopeLeavesNoMemoryBehind(t *testing.T) {
	x := Constant(tensor.Randn(tensor.Float32, 1, 300, 64))
	w := Parameter(tensor.Randn(tensor.Float32, 2, 64, 64))
	step := func(xs ...*Var) *Var {
		h := xs[0].MatMul(w).Tanh().MatMul(w).Softmax().Add(xs[0])
		loss := LayerNorm(h, nil, nil, 1e-5).Square().Mean()
		loss.Backward()
		return loss
	}
	Scope(step, x)
	before := tensor.MemoryStats().Live
	for range 5 {
		Scope(step, x)
	}
	if more := tensor.MemoryStats().Live - before; more > 1<<10 {
		t.Errorf("five steps left %d bytes to the garbage collector", more)
	}
}

func TestBlockwiseAndAnomalyInAScope(t *testing.T) {
	x := Constant(longVector(1).Reshape(long, 1))
	f := func(xs ...*Var) *Var { return xs[0].Exp().Tanh().Mul(xs[0]) }
	got := Scope(func(xs ...*Var) *Var {
		shared := xs[0].Scale(2).Tanh() // put off, and wanted by several goroutines at once
		y := Blockwise(func(v ...*Var) *Var { return f(v[0]).Add(shared.Slice(0, 0, 1).Sum()) }, xs[0].Neg())
		return y.Add(DetectAnomaly(xs[0]).Exp().Log())
	}, x)
	now := atOnce(x)
	want := f(now.Neg()).Add(now.Scale(2).Tanh().Slice(0, 0, 1).Sum()).Add(now.Exp().Log())
	wantSameBits(t, "result", got.Tensor(), want.Tensor())
}

func TestGoroutinesShareWhatWasPutOff(t *testing.T) {
	x := Constant(longVector(1))
	want := atOnce(x).Exp().Neg().Tensor()
	Scope(func(xs ...*Var) *Var {
		put := xs[0].Exp()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { wantSameBits(t, "in a goroutine", put.Neg().Tensor(), want) })
		}
		wg.Wait()
		return put
	}, x)
}

// A gradient that is differentiated in turn may have been put off on its way.
func TestGradientsOfGradientsInAScope(t *testing.T) {
	x, c := Variable(longVector(1)), Constant(longVector(2))
	for name, f := range map[string]func(v *Var) *Var{
		"ReLU":      (*Var).ReLU,
		"LeakyReLU": func(v *Var) *Var { return v.LeakyReLU(0.1) },
		"ELU":       func(v *Var) *Var { return v.ELU(0.7) },
		"Pad":       func(v *Var) *Var { return v.Pad(0, 1, 0, 0).Slice(0, 0, long) },
		"Anomaly":   func(v *Var) *Var { return DetectAnomaly(v).Square() },
		"Custom": func(v *Var) *Var {
			y := []*tensor.Tensor{tensor.Scale(v.Tensor(), 3)}
			return Custom("triple", []*Var{v}, y, func(grads []*tensor.Tensor) []*tensor.Tensor {
				return []*tensor.Tensor{tensor.Scale(grads[0], 3)}
			})[0]
		},
	} {
		gradient := func(v, c *Var) *tensor.Tensor {
			return GradWith(f(v).Neg().Mul(c), c.Detach(), []*Var{x}, CreateGraph())[0].Tensor()
		}
		t.Run(name, func(t *testing.T) {
			want := gradient(x, c)
			Scope(func(xs ...*Var) *Var {
				wantSameBits(t, "gradient", gradient(xs[0], xs[1]), want)
				return xs[0].Sum()
			}, x, c)
		})
	}
}

func TestResultOfAScopeStaysInTheRegionItWasComputedIn(t *testing.T) {
	w := Parameter(tensor.Ones(tensor.Float64, 2))
	inside := func(into func(v *Var) *Var) *Var {
		return Scope(func(xs ...*Var) *Var { return into(xs[0]).Mul(w) }, vec(1, -1))
	}
	if Recording(inside(NoGrad), w) {
		t.Error("NoGrad does not pass out of a Scope")
	}
	if !Recording(inside((*Var).Detach), w) {
		t.Error("a Scope without NoGrad keeps what comes after it from being recorded")
	}
	var e *AnomalyError
	if err := Try(func() { inside(DetectAnomaly).Log() }); !errors.As(err, &e) {
		t.Errorf("%v, want an *AnomalyError", err)
	}
}

func TestShapesOutliveTheirScope(t *testing.T) {
	var hidden tensor.Shape
	Scope(func(xs ...*Var) *Var {
		h := xs[0].Exp()
		hidden = h.Shape()
		return h.Sum()
	}, Constant(tensor.Zeros(tensor.Float64, 3, 4)))
	if !hidden.Equal(tensor.Shape{3, 4}) {
		t.Errorf("the shape has become %v", hidden)
	}
}

// Results of operations that give their operand back lie in its memory, which an optimiser writes.
func TestPutOffOperationsKnowWhatLiesInTheMemoryOfParameters(t *testing.T) {
	const rows, columns = 300, 64
	identity := func(xs ...*Var) *Var { return xs[0] }
	view := func(xs ...*Var) *Var { return xs[0].Reshape(columns, rows) }
	custom := func(x *Var) *Var {
		return CustomVars("identity", []*Var{x}, []*tensor.Tensor{x.Tensor()}, func(gs []*Var) []*Var { return gs })[0]
	}
	x := Constant(tensor.Ones(tensor.Float32, 1))
	for name, f := range map[string]func(w *Var) *Var{
		"a checkpoint":                    func(w *Var) *Var { return NoGrad(Checkpoint(identity, w)).Scale(2) },
		"a checkpoint of a view":          func(w *Var) *Var { return Checkpoint(view, w).Detach().Scale(2) },
		"a checkpoint under NoGrad":       func(w *Var) *Var { return Checkpoint(identity, NoGrad(w)).Scale(2) },
		"a checkpoint of what is cut off": func(w *Var) *Var { return Checkpoint(identity, w.Detach()).Scale(2) },
		"a checkpoint that captures":      func(w *Var) *Var { return Checkpoint(func(...*Var) *Var { return w.Detach() }, x).Scale(2) },
		"a custom operation":              func(w *Var) *Var { return NoGrad(custom(w)).Scale(2) },
		"a custom operation under NoGrad": func(w *Var) *Var { return custom(NoGrad(w)).Scale(2) },
	} {
		t.Run(name, func(t *testing.T) {
			w := Parameter(tensor.Randn(tensor.Float32, 5, rows, columns))
			want := tensor.Scale(w.Tensor(), 2)
			got := Scope(func(xs ...*Var) *Var {
				y := f(xs[1])
				w.Tensor().Fill(-99)
				return y
			}, x, w)
			wantSameBits(t, "result", got.Tensor().Reshape(rows, columns), want)
		})
	}
	// In the second call of a checkpoint's function, whose operands stand for the first one's.
	w := Parameter(tensor.Randn(tensor.Float32, 5, rows, columns))
	v := Parameter(tensor.Full(tensor.Float32, 3, rows, columns))
	var seen *Var
	Scope(func(xs ...*Var) *Var {
		y := Checkpoint(func(xs ...*Var) *Var { seen = xs[0].Scale(2); return xs[1].Scale(3) }, xs[1].Detach(), xs[2]).Sum()
		y.Backward()
		want := tensor.Scale(w.Tensor(), 2)
		w.Tensor().Fill(-99)
		wantSameBits(t, "the second call's", seen.Tensor(), want)
		return y
	}, x, w, v)
}
