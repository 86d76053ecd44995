// Masks: comparisons with numbers and logic, by loops over elements; what has no gradient.

package autograd

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestComparisonsWithANumberAreConstantsOfTrueAndFalse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	values := []float64{-inf, -2, -0.5, math.Copysign(0, -1), 0, 0.5, 2, inf, nan}
	for name, c := range map[string]struct {
		f    func(v *Var, c float64) *Var
		want func(x, c float64) bool
	}{
		"EqualScalar":        {(*Var).EqualScalar, func(x, c float64) bool { return x == c }},
		"NotEqualScalar":     {(*Var).NotEqualScalar, func(x, c float64) bool { return x != c }},
		"LessScalar":         {(*Var).LessScalar, func(x, c float64) bool { return x < c }},
		"LessEqualScalar":    {(*Var).LessEqualScalar, func(x, c float64) bool { return x <= c }},
		"GreaterScalar":      {(*Var).GreaterScalar, func(x, c float64) bool { return x > c }},
		"GreaterEqualScalar": {(*Var).GreaterEqualScalar, func(x, c float64) bool { return x >= c }},
	} {
		for _, number := range values {
			check := func(v *Var) {
				t.Helper()
				y := c.f(v, number)
				var want []float64
				for _, x := range v.Tensor().Float64s() {
					want = append(want, oneIf(c.want(x, number)))
				}
				wantValues(t, name, y, want...)
				if y.RequiresGrad() || y.DType() != tensor.Bool || !y.Shape().Equal(v.Shape()) {
					t.Errorf("%s: %v, want a Bool constant %v", name, y, v.Shape())
				}
			}
			x := vec(values...)
			check(x)
			check(x.To(tensor.Float32))
			check(x.Reshape(3, 3).Transpose())
			check(ids(tensor.Shape{2, 2}, int32(-2), 0, 1, 2))
			check(ids(tensor.Shape{3}, int64(-2), 0, 1))
		}
		if y := c.f(NoGrad(vec(1)), 0); Recording(y, vec(1)) {
			t.Errorf("%s does not pass NoGrad on", name)
		}
	}
	wantValues(t, "booleans", mask(3).EqualScalar(1), 1, 0, 1)
	wantValues(t, "no booleans", mask(3).NotEqualScalar(0.5), 1, 1, 1)
	// 0.1 becomes a float32, which is not the float64.
	wantValues(t, "float32", Constant(tensor.FromSlice([]float32{0.1}, 1)).EqualScalar(0.1), 1)
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// coins returns random booleans as a constant.
func coins(r *rand.Rand, shape ...int) *Var {
	x := tensor.Zeros(tensor.Bool, shape...)
	for i := range tensor.Data[bool](x) {
		tensor.Data[bool](x)[i] = r.IntN(2) == 0
	}
	return Constant(x)
}

func TestLogicOnMasksIsThatOfTheirElements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, c := range map[string]struct {
		f    func(v, w *Var) *Var
		want func(a, b bool) bool
	}{
		"And": {(*Var).And, func(a, b bool) bool { return a && b }},
		"Or":  {(*Var).Or, func(a, b bool) bool { return a || b }},
		"Xor": {(*Var).Xor, func(a, b bool) bool { return a != b }},
		"Not": {func(v, w *Var) *Var { return v.BroadcastTo(tensor.Broadcast("Not", v.Shape(), w.Shape())...).Not() }, func(a, _ bool) bool { return !a }},
	} {
		for _, s := range [][3]tensor.Shape{
			{{}, {}, {}}, {{70}, {70}, {70}}, {{3, 1}, {5}, {3, 5}}, {{}, {2, 3}, {2, 3}}, {{4, 3}, {1, 3}, {4, 3}}, {{0, 3}, {3}, {0, 3}},
		} {
			v, w := coins(r, s[0]...), coins(r, s[1]...)
			y := c.f(v, w)
			a, b := v.BroadcastTo(s[2]...).Tensor().Float64s(), w.BroadcastTo(s[2]...).Tensor().Float64s()
			want := make([]float64, len(a))
			for i := range a {
				want[i] = oneIf(c.want(a[i] != 0, b[i] != 0))
			}
			wantValues(t, name, y, want...)
			if y.RequiresGrad() || y.DType() != tensor.Bool || !y.Shape().Equal(s[2]) {
				t.Errorf("%s: %v, want a Bool constant %v", name, y, s[2])
			}
		}
		if y := c.f(NoGrad(mask(1)), mask(1)); Recording(y, vec(1)) {
			t.Errorf("%s does not pass NoGrad on", name)
		}
	}
}

func TestAnyAndAllCountWhatIsTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for name, c := range map[string]struct {
		f    func(v *Var, axes ...int) *Var
		keep bool
		want func(count, of float64) bool
	}{
		"Any":     {(*Var).Any, false, func(count, _ float64) bool { return count > 0 }},
		"AnyKeep": {(*Var).AnyKeep, true, func(count, _ float64) bool { return count > 0 }},
		"All":     {(*Var).All, false, func(count, of float64) bool { return count == of }},
		"AllKeep": {(*Var).AllKeep, true, func(count, of float64) bool { return count == of }},
	} {
		for _, s := range []tensor.Shape{{2, 3, 2}, {1, 1, 1}, {2, 0, 3}} {
			for _, axes := range [][]int{nil, {0}, {-1}, {2, 0}, {0, 1, 2}} {
				v := coins(r, s...)
				sum, of := v.Sum(axes...), Constant(tensor.Ones(tensor.Int64, s...)).Sum(axes...)
				if c.keep {
					sum, of = v.SumKeep(axes...), Constant(tensor.Ones(tensor.Int64, s...)).SumKeep(axes...)
				}
				want := sum.Tensor().Float64s()
				for i, n := range of.Tensor().Float64s() {
					want[i] = oneIf(c.want(want[i], n))
				}
				y := c.f(v, axes...)
				wantValues(t, name, y, want...)
				if y.RequiresGrad() || y.DType() != tensor.Bool || !y.Shape().Equal(sum.Shape()) {
					t.Errorf("%s of %v over %v: %v, want a Bool constant %v", name, s, axes, y, sum.Shape())
				}
			}
		}
		if Recording(c.f(NoGrad(mask(1))), vec(1)) {
			t.Errorf("%s does not pass NoGrad on", name)
		}
	}
}

// What is chosen has a gradient, what chooses has none: a count of the chosen is a constant.
func TestNoGradientFlowsThroughAMask(t *testing.T) {
	x := vec(-3, -1, 0, 1, 3)
	inner := x.GreaterEqualScalar(-1).And(x.GreaterScalar(1).Not())
	x.Square().MaskedFill(inner.Not(), 0).Sum().Div(inner.To(tensor.Float64).Sum()).Backward()
	wantGrad(t, x, 0, -2./3, 0, 2./3, 0)
	if inner.To(tensor.Float64).Sum().RequiresGrad() {
		t.Error("a count has a gradient")
	}
}

// In a Scope the operand may be a chain that is put off.
func TestMasksInAScope(t *testing.T) {
	x := Constant(tensor.Arange(tensor.Float64, 0, 1<<16, 1))
	y := Scope(func(xs ...*Var) *Var {
		double := xs[0].Scale(2)
		return double.GreaterEqualScalar(100).And(double.LessScalar(1000)).Sum()
	}, x)
	wantValues(t, "count", y, 450)
}
