package autograd_test

// Custom operations whose gradients belong to the tape.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// double is 2x with the given kind of custom operation; made gets every gradient
// that its backward function makes.
func double(custom func(string, []*autograd.Var, []*tensor.Tensor, func([]*tensor.Tensor) []*tensor.Tensor) []*autograd.Var, x *autograd.Var, made *[]*tensor.Tensor) *autograd.Var {
	return custom("double", []*autograd.Var{x}, []*tensor.Tensor{tensor.Add(x.Tensor(), x.Tensor())}, func(grads []*tensor.Tensor) []*tensor.Tensor {
		g := tensor.Add(grads[0], grads[0])
		*made = append(*made, g)
		return []*tensor.Tensor{g}
	})[0]
}

func TestLeafTakesOverFreshGradients(t *testing.T) {
	for _, c := range []struct {
		name   string
		custom func(string, []*autograd.Var, []*tensor.Tensor, func([]*tensor.Tensor) []*tensor.Tensor) []*autograd.Var
		shared bool
	}{{"Custom", autograd.Custom, false}, {"CustomFresh", autograd.CustomFresh, true}} {
		var made []*tensor.Tensor
		x := autograd.Variable(tensor.FromSlice([]float64{1, 2, 3}, 3))
		double(c.custom, x, &made).Sum().Backward()
		if got := tensor.SharesMemory(x.Gradient(), made[0]); got != c.shared {
			t.Errorf("%s: the leaf's gradient shares the memory of the made one: %v, want %v", c.name, got, c.shared)
		}
		double(c.custom, x, &made).Sum().Backward() // adds up
		for i, g := range tensor.Data[float64](x.Gradient()) {
			if g != 4 {
				t.Errorf("%s: gradient[%d] after two passes is %v, want 4", c.name, i, g)
			}
		}
	}
}

func TestFreshGradientsOfOneVarAddUp(t *testing.T) {
	var made []*tensor.Tensor
	x := autograd.Variable(tensor.FromSlice([]float64{1, 2, 3}, 3))
	y := x.Add(x).Add(x)
	sum := double(autograd.CustomFresh, y, &made).Add(double(autograd.CustomFresh, y, &made)).Add(y)
	for i, g := range autograd.Grad(sum.Sum(), []*autograd.Var{x, y}) {
		want := []float64{15, 5}[i] // y = 3x is read five times
		for k, got := range tensor.Data[float64](g.Tensor()) {
			if got != want {
				t.Errorf("gradient %d[%d] is %v, want %v", i, k, got, want)
			}
		}
	}
}
