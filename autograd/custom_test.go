// Operations from outside the table.

package autograd

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestCustomTakesPartInTheBackwardPass(t *testing.T) {
	a, b := vec(2, 3), vec(4, 5)
	c := Constant(tensor.FromSlice([]float64{1, 1}, 2))
	f := func(xs ...*Var) *Var {
		x, y := xs[0].Tensor(), xs[1].Tensor()
		outs := Custom("mul and sum", []*Var{xs[0], xs[1], c}, []*tensor.Tensor{tensor.Mul(x, y), tensor.Add(x, y)},
			func(gs []*tensor.Tensor) []*tensor.Tensor {
				return []*tensor.Tensor{
					tensor.Add(tensor.Mul(gs[0], y), gs[1]),
					tensor.Add(tensor.Mul(gs[0], x), gs[1]),
					nil,
				}
			})
		return outs[0].Exp().Add(outs[1].Square())
	}
	if err := Gradcheck(f, []*Var{a, b}, GradcheckTolerance(1e-6, 1e-3)); err != nil {
		t.Error(err)
	}
}

func TestCustomGetsNilForResultsWithoutGradient(t *testing.T) {
	x := vec(1)
	var seen []*tensor.Tensor
	outs := Custom("two", []*Var{x}, []*tensor.Tensor{tensor.Zeros(tensor.Float64, 1), tensor.Zeros(tensor.Float64, 1)},
		func(gs []*tensor.Tensor) []*tensor.Tensor {
			seen = gs
			return []*tensor.Tensor{nil}
		})
	outs[1].Backward()
	if seen[0] != nil || seen[1] == nil {
		t.Errorf("gradients %v, want only the second", seen)
	}
	if x.Gradient() != nil {
		t.Error("x got a gradient that backward did not give")
	}
}

// The gradient lies in the memory of the one that backward was given, but is no view of it.
func TestCustomGradientMayBeASliceOfTheOneGiven(t *testing.T) {
	const n = 1000 // of the pool
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(i)
	}
	w := tensor.FromSlice(weights, n/10, 10)
	x := Variable(tensor.Zeros(tensor.Float64, n))
	for name, flat := range map[string]func(g *tensor.Tensor) *tensor.Tensor{
		"FromSlice": func(g *tensor.Tensor) *tensor.Tensor { return tensor.FromSlice(tensor.Data[float64](g), n) },
		"FromDense": func(g *tensor.Tensor) *tensor.Tensor {
			same, err := tensor.FromDense(g.Dense())
			if err != nil {
				t.Fatal(err)
			}
			return same.Reshape(n)
		},
	} {
		x.ZeroGrad()
		rows := Custom("rows", []*Var{x.Flip(0)}, []*tensor.Tensor{tensor.Zeros(tensor.Float64, n/10, 10)},
			func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{flat(gs[0])} })[0]
		rows.Mul(Constant(w)).Sum().Backward()
		for i, g := range x.Gradient().Float64s() {
			if want := weights[n-1-i]; g != want {
				t.Fatalf("%s: gradient %d is %v, want %v", name, i, g, want)
			}
		}
	}
}

func TestCustomIntegerOutputIsConstant(t *testing.T) {
	outs := Custom("argmax", []*Var{vec(1)}, []*tensor.Tensor{tensor.Zeros(tensor.Int64, 1)}, nil)
	if outs[0].RequiresGrad() {
		t.Error("an integer result requires a gradient")
	}
}

func TestCustomRejectsGradientsThatDoNotFit(t *testing.T) {
	run := func(gs ...*tensor.Tensor) func() {
		return func() {
			Custom("spmm", []*Var{vec(1, 2)}, []*tensor.Tensor{tensor.Zeros(tensor.Float64)},
				func([]*tensor.Tensor) []*tensor.Tensor { return gs })[0].Backward()
		}
	}
	wantMisuse(t, "autograd: spmm: backward returned 2 gradients for 1 inputs", run(nil, nil))
	wantMisuse(t, "autograd: spmm: backward: gradient of input 0 has another shape than the input: [3] x [2]", run(tensor.Zeros(tensor.Float64, 3)))
	wantMisuse(t, "gradient of input 0 is f32, want f64", run(tensor.Zeros(tensor.Float32, 2)))
}
