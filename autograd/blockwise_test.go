// Tests of Blockwise against the same function applied at once.

package autograd

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestBlockwiseEqualsTheFunctionAppliedAtOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(xs ...*Var) *Var
		xs   []tensor.Shape
	}{
		{"chain", func(v ...*Var) *Var { return v[0].Mul(v[1]).Add(v[2]).SiLU().Scale(0.5) }, []tensor.Shape{{50000}, {50000}, {50000}}},
		{"bias and weight", func(v ...*Var) *Var { return v[0].MatMul(v[1]).Add(v[2]).Tanh() }, []tensor.Shape{{3000, 16}, {16, 8}, {8}}},
		{"softmax of rows", func(v ...*Var) *Var { return v[0].Mul(v[1]).Softmax() }, []tensor.Shape{{5000, 7}, {1, 7}}},
		{"a row reduced", func(v ...*Var) *Var { return v[0].Square().Sum(1) }, []tensor.Shape{{5000, 9}}},
		{"an operand used twice", func(v ...*Var) *Var { return v[0].Mul(v[0]).Sub(v[0]) }, []tensor.Shape{{40000}}},
		{"an operand returned", func(v ...*Var) *Var { return v[0] }, []tensor.Shape{{40000}}},
		{"a view returned", func(v ...*Var) *Var { return v[0].Slice(1, 1, 3) }, []tensor.Shape{{9000, 4}}},
		{"few rows", func(v ...*Var) *Var { return v[0].Exp() }, []tensor.Shape{{3, 4}}},
		{"no rows", func(v ...*Var) *Var { return v[0].Exp() }, []tensor.Shape{{0, 4}}},
		{"a scalar", func(v ...*Var) *Var { return v[0].Exp() }, []tensor.Shape{{}}},
	} {
		operands := func() []*Var {
			xs := make([]*Var, len(c.xs))
			for i, s := range c.xs {
				xs[i] = Variable(randomTensor(uint64(i+1), nonzero, s...))
			}
			return xs
		}
		run := func(f func(xs ...*Var) *Var) []*tensor.Tensor {
			xs := operands()
			y := f(xs...)
			y.BackwardWith(randomTensor(99, nonzero, y.Shape()...))
			out := []*tensor.Tensor{y.Tensor()}
			for _, x := range xs {
				out = append(out, x.Gradient())
			}
			return out
		}
		want := run(c.f)
		for _, threads := range []int{1, 3} {
			tensor.SetThreads(threads)
			got := run(func(xs ...*Var) *Var { return Blockwise(c.f, xs...) })
			for i := range want {
				closeTo(t, fmt.Sprintf("%s, %d threads, tensor %d", c.name, threads, i), got[i], want[i], 1e-10)
			}
		}
		tensor.SetThreads(0)
		xs := operands()
		for i := range xs {
			xs[i] = NoGrad(xs[i])
		}
		y := Blockwise(c.f, xs...)
		closeTo(t, c.name+" without gradients", y.Tensor(), want[0], 0)
		if y.RequiresGrad() {
			t.Errorf("%s: recorded under NoGrad", c.name)
		}
	}
}

// What is one chain of element-wise operations is run on all rows at once; everything
// else, block by block. The bits are those of the function applied at once.
func TestBlockwiseRunsAChainInOnePiece(t *testing.T) {
	const width, height, blocks = 10, blockElements / 10, 5
	const rows = blocks * height
	row, long := Constant(randomTensor(7, nonzero, width)), Constant(randomTensor(8, nonzero, rows, width))
	full, bias := tensor.Shape{rows, width}, tensor.Shape{1, width}
	for _, c := range []struct {
		name  string
		chain bool
		f     func(xs ...*Var) *Var
		xs    []tensor.Shape
	}{
		{"one operation", true, func(v ...*Var) *Var { return v[0].Exp() }, []tensor.Shape{full}},
		{"branches", true, func(v ...*Var) *Var { a := v[0].Mul(v[1]); return a.Tanh().Sub(a.Maximum(v[0])).Scale(3) }, []tensor.Shape{full, full}},
		{"a row for all", true, func(v ...*Var) *Var { return v[1].Add(v[0].Sigmoid()) }, []tensor.Shape{full, bias}},
		{"a result that nobody wants", true, func(v ...*Var) *Var { v[0].Softplus(); return v[0].ReLU() }, []tensor.Shape{full}},
		{"an operand from outside", false, func(v ...*Var) *Var { return v[0].Add(row).Exp() }, []tensor.Shape{full}},
		{"a row computed with", false, func(v ...*Var) *Var { return v[0].Add(v[1].Exp()) }, []tensor.Shape{full, bias}},
		{"a column", false, func(v ...*Var) *Var { return v[0].Mul(v[1]).Neg() }, []tensor.Shape{full, {rows, 1}}},
		{"a reduction at the end", false, func(v ...*Var) *Var { return v[0].Exp().Sum(1) }, []tensor.Shape{full}},
		{"a reduction on the way", false, func(v ...*Var) *Var { return v[0].Exp().Softmax().Neg() }, []tensor.Shape{full}},
		{"a view on the way", false, func(v ...*Var) *Var { return v[0].Slice(1, 0, 4).Exp() }, []tensor.Shape{full}},
		{"another value looked at", false, func(v ...*Var) *Var { v[0].Exp().Tensor(); return v[0].Neg() }, []tensor.Shape{full}},
		{"a value looked at", false, func(v ...*Var) *Var { a := v[0].Exp(); a.Tensor(); return a.Neg() }, []tensor.Shape{full}},
		{"longer than a chain may be", false, func(v ...*Var) *Var {
			y := v[0]
			for range maxChain + 1 {
				y = y.AddScalar(1)
			}
			return y
		}, []tensor.Shape{full}},
		{"a scope inside", false, func(v ...*Var) *Var {
			return Scope(func(v ...*Var) *Var { return v[0].Exp().Neg() }, v...).Abs()
		}, []tensor.Shape{full}},
		{"nothing", false, func(v ...*Var) *Var { return v[0] }, []tensor.Shape{full, full}},
	} {
		xs := make([]*Var, len(c.xs))
		for i, s := range c.xs {
			xs[i] = Constant(randomTensor(uint64(i+1), nonzero, s...))
		}
		want := c.f(xs...).Tensor()
		for range 2 { // the second time in memory that the first gave back
			var calls atomic.Int32
			got := Blockwise(func(v ...*Var) *Var { calls.Add(1); return c.f(v...) }, xs...)
			closeTo(t, c.name, got.Tensor(), want, 0)
			if n := int(calls.Load()); c.chain && n != 1 || !c.chain && n != blocks {
				t.Errorf("%s: the function was called %d times", c.name, n)
			}
		}
	}
	add := func(v ...*Var) *Var { return v[0].Add(v[1]) }
	x, block := Constant(randomTensor(1, nonzero, full...)), Constant(randomTensor(2, nonzero, height, width))
	repeated := Stack(0, block, block, block, block, block).Reshape(rows, width)
	closeTo(t, "an operand like a block", Blockwise(add, x, block).Tensor(), add(x, repeated).Tensor(), 0)
	if err := Try(func() { Blockwise(func(v ...*Var) *Var { return v[0].Add(long) }, x) }); err == nil {
		t.Error("an operand from outside with more rows than a block: no error")
	}
}

// A tensor that f gave out in the first block, which a chain is looked for in, is not freed.
func TestBlockwiseKeepsTensorsThatTheFunctionGaveOut(t *testing.T) {
	x := randomTensor(1, nonzero, 40000)
	var mu sync.Mutex
	var out []*tensor.Tensor
	y := Blockwise(func(v ...*Var) *Var {
		a := v[0].Exp()
		mu.Lock()
		defer mu.Unlock()
		out = append(out, a.Tensor())
		return a.Neg()
	}, Constant(x))
	for range 20 {
		randomTensor(2, nonzero, blockElements) // would take freed memory
	}
	sum, want := 0.0, -tensor.Sum(y.Tensor(), false).Float64s()[0]
	for _, a := range out {
		sum += tensor.Sum(a, false).Float64s()[0]
	}
	if d := (sum - want) / want; !(d < 1e-12 && d > -1e-12) {
		t.Errorf("the tensors given out sum to %v, want %v", sum, want)
	}
}

// The gradients are made once, not once more for the operands to keep.
func TestBlockwiseHandsItsGradientsOver(t *testing.T) {
	const n, size = 1 << 20, 4 << 20
	operand := func(seed uint64) *tensor.Tensor { return randomTensor(seed, nonzero, n).To(tensor.Float32) }
	x, y, g := Variable(operand(1)), Variable(operand(2)), operand(3)
	tensor.TrimMemory()
	before := tensor.MemoryStats().Live
	tensor.ResetPeakMemory()
	Blockwise(func(v ...*Var) *Var { return v[0].Mul(v[1]).Tanh() }, x, y).BackwardWith(g)
	most := int64(3*size + size/2 + tensor.Threads()*12*4*blockElements)
	if peak := tensor.MemoryStats().Peak - before; peak > most {
		t.Errorf("a result and two gradients of 4 MiB took %.1f MiB", float64(peak)/(1<<20))
	}
	runtime.KeepAlive(g)
}

func closeTo(t *testing.T, what string, got, want *tensor.Tensor, tol float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
	}
	g, w := got.Float64s(), want.Float64s()
	for i := range w {
		if bound := tol * max(1, w[i], -w[i]); !(g[i]-w[i] <= bound && w[i]-g[i] <= bound) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g[i], w[i])
		}
	}
}

// An optimiser leaves a parameter without a gradient alone; one with a gradient of 0 decays.
func TestBlockwiseGivesNoGradientToWhatTheFunctionLeavesOut(t *testing.T) {
	for _, rows := range []int{3, 2 * blockElements} { // one block, and several
		x, cut, whole := Variable(tensor.Ones(tensor.Float32, rows)), Variable(tensor.Ones(tensor.Float32, rows)), Variable(tensor.Ones(tensor.Float32, 1))
		Blockwise(func(v ...*Var) *Var { return v[0].Exp().Add(v[1].Detach()).Add(v[2].Detach()) }, x, cut, whole).Sum().Backward()
		if x.Gradient() == nil || cut.Gradient() != nil || whole.Gradient() != nil {
			t.Errorf("%d rows: gradients %v, %v, %v, want only the first", rows, x.Gradient(), cut.Gradient(), whole.Gradient())
		}
	}
}

func TestBlockwiseRefusesAFunctionThatDoesNotKeepTheRows(t *testing.T) {
	for _, n := range []int{50000, 5} { // many blocks, one
		x := Variable(randomTensor(1, nonzero, n))
		err := Try(func() { Blockwise(func(v ...*Var) *Var { return v[0].Sum() }, x) })
		if e, ok := err.(*Error); !ok || e.Op != "Blockwise" {
			t.Errorf("%d rows: error %v, want one of Blockwise", n, err)
		}
	}
	if err := Try(func() { Blockwise(func(v ...*Var) *Var { return nil }) }); err == nil {
		t.Error("no operands: no error")
	}
}

// Blocks would add to its gradient at the same time.
func TestBlockwiseRefusesAGradientOfWhatIsNotAmongItsOperands(t *testing.T) {
	w := Parameter(randomTensor(2, nonzero, 3))
	scale := func(v ...*Var) *Var { return v[0].Mul(w.Tanh()) }
	for _, n := range []int{50000, 5} { // many blocks, one
		x := randomTensor(1, nonzero, n, 3)
		for _, v := range []*Var{Variable(x), Constant(x)} {
			err := Try(func() { Blockwise(scale, v) })
			if e, ok := err.(*Error); !ok || e.Op != "Blockwise" {
				t.Errorf("%d rows of a %v: error %v, want one of Blockwise", n, v, err)
			}
		}
		// Nothing is wrong where there is no gradient.
		got := Blockwise(scale, NoGrad(Variable(x)))
		wantNear(t, "NoGrad", got.Tensor().Float64s(), scale(Constant(x)).Tensor().Float64s(), 0)
	}
}

// A result that is an operand's own memory is not the scope's to free.
func TestScopeFreesOnlyWhatItsOperationsMade(t *testing.T) {
	s := new(scope)
	weight := Constant(randomTensor(1, nonzero, 100, 100)) // large enough to be pooled
	before := weight.value.Float64s()
	s.add(weight.value, []*Var{weight})
	made := randomTensor(2, nonzero, 100, 100)
	s.add(made, []*Var{weight})
	s.free()
	if !made.Freed() {
		t.Error("a result of the scope was not freed")
	}
	closeTo(t, "the operand", weight.value, tensor.FromSlice(before, 100, 100), 0)
}

func BenchmarkChain1M(b *testing.B) {
	operand := func(seed uint64) *tensor.Tensor { return randomTensor(seed, nonzero, 1<<20).To(tensor.Float32) }
	x, y, z, g := operand(1), operand(2), operand(3), operand(4)
	chain := func(v ...*Var) *Var { return v[0].Mul(v[1]).Add(v[2]).ReLU().Scale(0.5) }
	blocks := func(v ...*Var) *Var { return Blockwise(chain, v...) }
	for _, c := range []struct {
		name string
		f    func(v ...*Var) *Var
	}{{"plain", chain}, {"blockwise", blocks}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.f(Constant(x), Constant(y), Constant(z)).Tensor()
			}
		})
		b.Run(c.name+" with gradient", func(b *testing.B) {
			for b.Loop() {
				c.f(Variable(x), Constant(y), Variable(z)).BackwardWith(g)
			}
		})
	}
}

func TestGradientsOfGradientsGoThroughBlocks(t *testing.T) {
	const rows = 3000 // of many blocks
	x, y, w := Variable(randomTensor(1, nonzero, rows, 8)), Variable(randomTensor(2, nonzero, rows, 8)), Variable(randomTensor(3, nonzero, 8))
	f := func(xs ...*Var) *Var { return xs[0].Mul(xs[1]).Tanh().Mul(xs[2]).Add(xs[0].Square()) }
	second := func(in func(xs ...*Var) *Var) []*Var {
		z := x.Scale(0.5)
		xs := []*Var{x, y, w}
		d := Grad(in(z, y.Mul(z), w).Square().Sum(), xs, CreateGraph())
		return Grad(d[0].Mul(d[1]).Sum().Add(d[2].Square().Sum()), xs)
	}
	blocks := func(xs ...*Var) *Var { return Blockwise(f, xs...) }
	got, want := second(blocks), second(f)
	for i := range want {
		wantNear(t, fmt.Sprint("gradient ", i), got[i].Tensor().Float64s(), want[i].Tensor().Float64s(), 1e-9)
	}
}
