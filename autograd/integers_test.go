// Vars of integers: constants that arithmetic takes.

package autograd

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestIntegersAreConstantsOfArithmetic(t *testing.T) {
	type shape = tensor.Shape
	v, w := ids(shape{2, 3}, int32(7), -7, 0, 5, -1, 9), ids(shape{3}, int32(2), 2, -4)
	for name, c := range map[string]struct {
		got  *Var
		dt   tensor.DType
		want []float64
	}{
		"Add":       {v.Add(w), tensor.Int32, []float64{9, -5, -4, 7, 1, 5}},
		"Sub":       {v.Sub(w), tensor.Int32, []float64{5, -9, 4, 3, -3, 13}},
		"Mul":       {v.Mul(w), tensor.Int32, []float64{14, -14, 0, 10, -2, -36}},
		"FloorDiv":  {v.FloorDiv(w), tensor.Int32, []float64{3, -4, 0, 2, -1, -3}},
		"Remainder": {v.Remainder(w), tensor.Int32, []float64{1, 1, 0, 1, 1, -3}},
		"Maximum":   {v.Maximum(w), tensor.Int32, []float64{7, 2, 0, 5, 2, 9}},
		"Minimum":   {v.Minimum(w), tensor.Int32, []float64{2, -7, -4, 2, -1, -4}},
		"Neg":       {v.Neg(), tensor.Int32, []float64{-7, 7, 0, -5, 1, -9}},
		"Abs":       {v.Abs(), tensor.Int32, []float64{7, 7, 0, 5, 1, 9}},
		"Sign":      {v.Sign(), tensor.Int32, []float64{1, -1, 0, 1, -1, 1}},
		"Square":    {v.Square(), tensor.Int32, []float64{49, 49, 0, 25, 1, 81}},
		"Clamp":     {v.Clamp(-2, 6), tensor.Int32, []float64{6, -2, 0, 5, -1, 6}},
		"Scale":     {v.Scale(-2), tensor.Int32, []float64{-14, 14, 0, -10, 2, -18}},
		"AddScalar": {v.AddScalar(1), tensor.Int32, []float64{8, -6, 1, 6, 0, 10}},
		"Where":     {Where(v.Greater(w), v, w), tensor.Int32, []float64{7, 2, 0, 5, 2, 9}},
		"Scalars":   {v.GreaterScalar(-1.5).And(v.NotEqualScalar(0.5)), tensor.Bool, []float64{1, 0, 1, 1, 1, 1}},
		"Max":       {v.Max(1), tensor.Int32, []float64{7, 9}},
		"Min":       {v.Min(0, 1), tensor.Int32, []float64{-7}},
		"Sum":       {v.Sum(0), tensor.Int64, []float64{12, -8, 9}},
		"ProdKeep":  {v.AddScalar(1).ProdKeep(1), tensor.Int64, []float64{-48, 0}},
		"CumSum":    {v.CumSum(1), tensor.Int64, []float64{7, 0, 0, 5, 4, 13}},
	} {
		if c.got.RequiresGrad() || c.got.DType() != c.dt || !slices.Equal(c.got.Tensor().Float64s(), c.want) {
			t.Errorf("%s: %v, want %v %v", name, c.got.Tensor(), c.dt, c.want)
		}
	}
}

// A Scope puts off chains of floats; integers beside them are computed at once.
func TestIntegersInAScope(t *testing.T) {
	x := Constant(tensor.Arange(tensor.Int64, 0, 1<<16, 1))
	y := Scope(func(xs ...*Var) *Var { return xs[0].Scale(3).Add(xs[0].Neg()).Square().Sum() }, x)
	want := int64(0)
	for i := range int64(1 << 16) {
		want += 4 * i * i
	}
	if got := tensor.Data[int64](y.Tensor())[0]; got != want {
		t.Errorf("the sum is %d, want %d", got, want)
	}
}
