// Tests of Blockwise against the same function applied at once.

package autograd

import (
	"fmt"
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

// A result that is an operand's own memory is not the scope's to free.
func TestScopeFreesOnlyWhatItsOperationsMade(t *testing.T) {
	s := new(scope)
	weight := Constant(randomTensor(1, nonzero, 100, 100)) // large enough to be pooled
	before := weight.value.Float64s()
	s.add(weight.value, []*Var{weight})
	made := randomTensor(2, nonzero, 100, 100)
	s.add(made, []*Var{weight})
	s.free()
	if made.Size() != 0 {
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
				c.f(Constant(x), Constant(y), Constant(z))
			}
		})
		b.Run(c.name+" with gradient", func(b *testing.B) {
			for b.Loop() {
				c.f(Variable(x), Constant(y), Variable(z)).BackwardWith(g)
			}
		})
	}
}
