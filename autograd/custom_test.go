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
