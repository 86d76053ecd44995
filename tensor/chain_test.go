// Tests of chains: the bits of the operations run one by one.

package tensor

import (
	"fmt"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
)

// singly are the operations of a chain as functions of whole tensors.
var singly = [numChainOps]func(a, b *Tensor, s ChainStep) *Tensor{
	ChainAdd:       func(a, b *Tensor, _ ChainStep) *Tensor { return Add(a, b) },
	ChainSub:       func(a, b *Tensor, _ ChainStep) *Tensor { return Sub(a, b) },
	ChainMul:       func(a, b *Tensor, _ ChainStep) *Tensor { return Mul(a, b) },
	ChainDiv:       func(a, b *Tensor, _ ChainStep) *Tensor { return Div(a, b) },
	ChainMaximum:   func(a, b *Tensor, _ ChainStep) *Tensor { return Maximum(a, b) },
	ChainMinimum:   func(a, b *Tensor, _ ChainStep) *Tensor { return Minimum(a, b) },
	ChainNeg:       func(a, _ *Tensor, _ ChainStep) *Tensor { return Neg(a) },
	ChainAbs:       func(a, _ *Tensor, _ ChainStep) *Tensor { return Abs(a) },
	ChainSquare:    func(a, _ *Tensor, _ ChainStep) *Tensor { return Square(a) },
	ChainRecip:     func(a, _ *Tensor, _ ChainStep) *Tensor { return Recip(a) },
	ChainSqrt:      func(a, _ *Tensor, _ ChainStep) *Tensor { return Sqrt(a) },
	ChainRsqrt:     func(a, _ *Tensor, _ ChainStep) *Tensor { return Rsqrt(a) },
	ChainScale:     func(a, _ *Tensor, s ChainStep) *Tensor { return Scale(a, s.C) },
	ChainAddScalar: func(a, _ *Tensor, s ChainStep) *Tensor { return AddScalar(a, s.C) },
	ChainClamp:     func(a, _ *Tensor, s ChainStep) *Tensor { return Clamp(a, s.C, s.D) },
	ChainExp:       func(a, _ *Tensor, _ ChainStep) *Tensor { return Exp(a) },
	ChainLog:       func(a, _ *Tensor, _ ChainStep) *Tensor { return Log(a) },
	ChainReLU:      func(a, _ *Tensor, _ ChainStep) *Tensor { return ReLU(a) },
	ChainLeakyReLU: func(a, _ *Tensor, s ChainStep) *Tensor { return LeakyReLU(a, s.C) },
	ChainELU:       func(a, _ *Tensor, s ChainStep) *Tensor { return ELU(a, s.C) },
	ChainGELU:      func(a, _ *Tensor, _ ChainStep) *Tensor { return GELU(a) },
	ChainSigmoid:   func(a, _ *Tensor, _ ChainStep) *Tensor { return Sigmoid(a) },
	ChainSiLU:      func(a, _ *Tensor, _ ChainStep) *Tensor { return SiLU(a) },
	ChainTanh:      func(a, _ *Tensor, _ ChainStep) *Tensor { return Tanh(a) },
	ChainSoftplus:  func(a, _ *Tensor, _ ChainStep) *Tensor { return Softplus(a) },
}

func checkChain(t *testing.T, what string, xs []*Tensor, steps []ChainStep) {
	t.Helper()
	var results []*Tensor
	value := func(i int) *Tensor {
		if i < 0 {
			return xs[^i]
		}
		return results[i]
	}
	for _, s := range steps {
		var b *Tensor
		if s.Op.takesTwo() {
			b = value(s.B)
		}
		results = append(results, singly[s.Op](value(s.A), b, s))
	}
	got, want := Chain(xs, steps), results[len(results)-1]
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		t.Fatalf("%s: %v%v, want %v%v", what, got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	w := want.Float64s()
	for i, g := range got.Float64s() {
		if math.Float64bits(g) != math.Float64bits(w[i]) && (g == g || w[i] == w[i]) {
			t.Fatalf("%s: element %d is %v, one by one %v; steps %+v", what, i, g, w[i], steps)
		}
	}
}

func TestChainOfOneStepHasTheBitsOfItsOperation(t *testing.T) {
	for _, dt := range []DType{Float32, Float64} {
		xs := []*Tensor{Randn(dt, 1, 3, 1500), Randn(dt, 2, 3, 1500)}
		xs[0].Narrow(1, 7, 8).Fill(math.NaN())
		xs[1].Narrow(1, 9, 10).Fill(math.Inf(-1))
		for op := range numChainOps {
			checkChain(t, fmt.Sprint(dt, " operation ", op), xs, []ChainStep{{Op: op, A: ^0, B: ^1, C: 0.3, D: 0.7}})
		}
	}
}

func TestChainsHaveTheBitsOfTheirOperationsOneByOne(t *testing.T) {
	for seed := range uint64(150) {
		r := rng.NewStream(seed, 3)
		below := func(n int) int { return int(r.Uint64() % uint64(n)) }
		dt, n := []DType{Float32, Float64}[seed%2], []int{0, 1, 7, chainTile, chainTile + 1, 3*elementGrain + 5}[below(6)]
		xs := make([]*Tensor, 1+below(4))
		for i := range xs {
			xs[i] = Randn(dt, seed*10+uint64(i), n)
		}
		steps := make([]ChainStep, 1+below(12))
		for i := range steps { // any earlier value, so results are read late and more than once
			steps[i] = ChainStep{
				Op: ChainOp(below(int(numChainOps))), A: below(i+len(xs)) - len(xs), B: below(i+len(xs)) - len(xs),
				C: -0.5, D: 0.75,
			}
			if steps[i].Op == ChainELU || steps[i].Op == ChainLeakyReLU {
				steps[i].C = 0.25
			}
		}
		checkChain(t, fmt.Sprint("seed ", seed), xs, steps)
	}
}

func TestChainTakesViewsAndLeavesItsOperandsAlone(t *testing.T) {
	x := Randn(Float32, 1, 50, 70)
	before := x.Float64s()
	checkChain(t, "views", []*Tensor{x.Transpose(), Randn(Float32, 2, 70, 1).Expand(70, 50)}, []ChainStep{
		{Op: ChainMul, A: ^0, B: ^1}, {Op: ChainExp, A: ^0}, {Op: ChainSub, A: 0, B: 1},
	})
	for i, v := range x.Float64s() {
		if v != before[i] {
			t.Fatalf("element %d of an operand became %v", i, v)
		}
	}
}

func TestChainRepeatsRowsAndScalars(t *testing.T) {
	steps := []ChainStep{{Op: ChainSub, A: ^0, B: ^1}, {Op: ChainMul, A: 0, B: 0}, {Op: ChainMul, A: ^2, B: 1}}
	for _, shape := range []Shape{{0, 7}, {9000, 1}, {5000, 7}, {3, 5, 11}, {300, 100}, {40, chainTile}, {11, chainTile + 1}, {5, 20000}, {1, 40000}} {
		last := shape[len(shape)-1]
		full := Randn(Float32, 1, shape...)
		for _, row := range []Shape{{last}, {1, last}, shape[len(shape)-2:], {1}, {}} {
			checkChain(t, fmt.Sprint("row ", row, " of ", shape), []*Tensor{full, Randn(Float32, 2, row...), Randn(Float32, 3)}, steps)
			checkChain(t, fmt.Sprint("row ", row, " first, of ", shape), []*Tensor{Randn(Float32, 2, row...), full, full}, steps)
		}
	}
}

func TestShapesThatRepeat(t *testing.T) {
	full := Shape{4, 1, 3}
	for _, c := range []struct {
		s    Shape
		want bool
	}{
		{Shape{}, true}, {Shape{1}, true}, {Shape{3}, true}, {Shape{1, 3}, true}, {Shape{1, 1, 3}, true}, {full, true},
		{Shape{4}, false}, {Shape{2}, false}, {Shape{4, 1, 1}, false}, {Shape{1, 4, 1, 3}, false}, {Shape{0}, false},
	} {
		if got := c.s.RepeatsTo(full); got != c.want {
			t.Errorf("%v repeats to %v: %v, want %v", c.s, full, got, c.want)
		}
	}
}

func TestChainRejectsWhatDoesNotFit(t *testing.T) {
	x, one := Ones(Float32, 4), []ChainStep{{Op: ChainNeg, A: ^0}}
	for name, f := range map[string]func(){
		"no tensor":              func() { Chain(nil, one) },
		"no step":                func() { Chain([]*Tensor{x}, nil) },
		"two shapes":             func() { Chain([]*Tensor{x, Ones(Float32, 5)}, one) },
		"a column":               func() { Chain([]*Tensor{Ones(Float32, 4, 4), Ones(Float32, 4, 1)}, one) },
		"rows that repeat by 2":  func() { Chain([]*Tensor{Ones(Float32, 4, 4), Ones(Float32, 2, 4)}, one) },
		"two types":              func() { Chain([]*Tensor{x, Ones(Float64, 4)}, one) },
		"integers":               func() { Chain([]*Tensor{Ones(Int32, 4)}, one) },
		"a tensor too many":      func() { Chain([]*Tensor{x}, []ChainStep{{Op: ChainNeg, A: ^1}}) },
		"a second too many":      func() { Chain([]*Tensor{x}, []ChainStep{{Op: ChainAdd, A: ^0, B: ^1}}) },
		"its own result":         func() { Chain([]*Tensor{x}, []ChainStep{{Op: ChainNeg, A: 0}}) },
		"an unknown operation":   func() { Chain([]*Tensor{x}, []ChainStep{{Op: numChainOps, A: ^0}}) },
		"a second of its own":    func() { Chain([]*Tensor{x}, []ChainStep{{Op: ChainAdd, A: ^0, B: 0}}) },
		"a result still to come": func() { Chain([]*Tensor{x}, []ChainStep{{Op: ChainNeg, A: 1}, {Op: ChainNeg, A: ^0}}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if _, misuse := recover().(interface{ Misuse() }); !misuse {
					t.Error("no misuse error")
				}
			}()
			f()
		})
	}
}
