// Values and conventions of composed, choosing and reducing operations.

package autograd

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/tensor"
)

func TestComposedActivationsMatchTheirFormulas(t *testing.T) {
	softplus := func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
	xs := []float64{-1e4, -50, -3, -1, -1e-3, 0, 1e-3, 0.5, 2, 3, 40, 1e4, math.NaN(), math.Inf(1)}
	for name, c := range map[string]struct {
		f    func(v *Var) *Var
		want func(x float64) float64
	}{
		"LogSigmoid": {(*Var).LogSigmoid, func(x float64) float64 { return -softplus(-x) }},
		"Mish":       {(*Var).Mish, func(x float64) float64 { return x * math.Tanh(softplus(x)) }},
		"Softsign":   {(*Var).Softsign, func(x float64) float64 { return x / (1 + math.Abs(x)) }},
		"Hardswish":  {(*Var).Hardswish, func(x float64) float64 { return x * min(max(x+3, 0), 6) / 6 }},
		"PReLU": {func(v *Var) *Var { return v.PReLU(vec(0.25)) }, func(x float64) float64 {
			if x > 0 {
				return x
			}
			return 0.25 * x
		}},
		"SELU": {(*Var).SELU, func(x float64) float64 {
			if x > 0 {
				return 1.0507009873554805 * x
			}
			return 1.0507009873554805 * 1.6732632423543772 * math.Expm1(x)
		}},
	} {
		for i, got := range c.f(vec(xs...)).Tensor().Float64s() {
			want := c.want(xs[i])
			if !(math.Abs(got-want) <= 1e-14*(1+math.Abs(want)) || got == want || got != got && want != want) {
				t.Errorf("%s(%v) = %v, want %v", name, xs[i], got, want)
			}
		}
	}
	wantNear(t, "GLU", vec(1, 2, 0, math.Log(3)).GLU(0).Tensor().Float64s(), []float64{0.5, 1.5}, 1e-14)
}

func TestLerpIsExactAtItsEnds(t *testing.T) {
	a, b := vec(1e16, 0.1), vec(1, 0.3)
	wantValues(t, "weight 0", a.Lerp(b, 0), 1e16, 0.1)
	wantValues(t, "weight 1", a.Lerp(b, 1), 1, 0.3)
}

func TestShapeOperationsMoveElements(t *testing.T) {
	v := vec(1, 2, 3, 4, 5, 6).Reshape(2, 3)
	parts, chunks := v.Split(1, 1, 2), vec(1, 2, 3, 4, 5).Chunk(0, 3)
	for name, c := range map[string]struct {
		got   *Var
		shape tensor.Shape
		want  []float64
	}{
		"Stack":         {Stack(-1, v, v), tensor.Shape{2, 3, 2}, []float64{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}},
		"Split 0":       {parts[0], tensor.Shape{2, 1}, []float64{1, 4}},
		"Split 1":       {parts[1], tensor.Shape{2, 2}, []float64{2, 3, 5, 6}},
		"Chunk 0":       {chunks[0], tensor.Shape{2}, []float64{1, 2}},
		"Chunk 2":       {chunks[2], tensor.Shape{1}, []float64{5}},
		"fewer chunks":  {vec(1, 2, 3, 4).Chunk(0, 3)[1], tensor.Shape{2}, []float64{3, 4}},
		"empty chunk":   {zeros(0, 2).Chunk(0, 3)[2], tensor.Shape{0, 2}, []float64{}},
		"Pad":           {v.Pad(1, 1, 0, 9), tensor.Shape{2, 4}, []float64{9, 1, 2, 3, 9, 4, 5, 6}},
		"Pad 0":         {v.Pad(0, 0, 1, 0), tensor.Shape{3, 3}, []float64{1, 2, 3, 4, 5, 6, 0, 0, 0}},
		"Roll":          {v.Roll(1, -1), tensor.Shape{2, 3}, []float64{3, 1, 2, 6, 4, 5}},
		"Roll back":     {v.Roll(-4, 1), tensor.Shape{2, 3}, []float64{2, 3, 1, 5, 6, 4}},
		"Flip":          {v.Flip(0, 1), tensor.Shape{2, 3}, []float64{6, 5, 4, 3, 2, 1}},
		"Flip all":      {v.Flip(), tensor.Shape{2, 3}, []float64{6, 5, 4, 3, 2, 1}},
		"Repeat":        {vec(1, 2).Repeat(2, 2), tensor.Shape{2, 4}, []float64{1, 2, 1, 2, 1, 2, 1, 2}},
		"Flatten":       {v.Unsqueeze(0).Flatten(0, 1), tensor.Shape{2, 3}, []float64{1, 2, 3, 4, 5, 6}},
		"scalar":        {zeros().Flatten(0, -1), tensor.Shape{1}, []float64{0}},
		"CumSum":        {v.CumSum(0), tensor.Shape{2, 3}, []float64{1, 2, 3, 5, 7, 9}},
		"IndexSelect":   {v.IndexSelectAlong(1, []int32{2, 0}), tensor.Shape{2, 2}, []float64{3, 1, 6, 4}},
		"Gather":        {v.Gather(1, ids(tensor.Shape{2, 1}, int64(2), 0)), tensor.Shape{2, 1}, []float64{3, 4}},
		"ScatterAdd":    {v.ScatterAdd(0, ids(tensor.Shape{2, 1}, int32(1), 1), vec(10, 20).Reshape(2, 1)), tensor.Shape{2, 3}, []float64{1, 2, 3, 34, 5, 6}},
		"Tril":          {v.Tril(0), tensor.Shape{2, 3}, []float64{1, 0, 0, 4, 5, 0}},
		"Triu":          {v.Triu(1), tensor.Shape{2, 3}, []float64{0, 2, 3, 0, 0, 6}},
		"Outer":         {vec(1, 2).Outer(vec(3, 4)), tensor.Shape{2, 2}, []float64{3, 4, 6, 8}},
		"Dot":           {vec(1, 2).Dot(vec(3, 4)), tensor.Shape{}, []float64{11}},
		"MatVec":        {v.MatVec(vec(1, 0, -1)), tensor.Shape{2}, []float64{-2, -2}},
		"OneHot":        {OneHot(ids(tensor.Shape{2}, int32(1), 0), 3, tensor.Float64), tensor.Shape{2, 3}, []float64{0, 1, 0, 1, 0, 0}},
		"MaskedFill":    {v.MaskedFill(mask(3), -1), tensor.Shape{2, 3}, []float64{-1, 2, -1, -1, 5, -1}},
		"MaskedSelect":  {v.MaskedSelect(mask(3)), tensor.Shape{4}, []float64{1, 3, 4, 6}},
		"none selected": {vec(1, 2).MaskedSelect(vec(3, 3).Less(vec(1, 1))), tensor.Shape{0}, []float64{}},
		"To":            {v.Greater(v.Flip(1)).To(tensor.Float64), tensor.Shape{2, 3}, []float64{0, 0, 1, 0, 0, 1}},
		"Prod":          {v.Prod(1), tensor.Shape{2}, []float64{6, 120}},
		"ProdKeep":      {v.ProdKeep(0), tensor.Shape{1, 3}, []float64{4, 10, 18}},
		"empty Prod":    {zeros(0, 2).Prod(0), tensor.Shape{2}, []float64{1, 1}},
		"Variance":      {v.Variance(1, 1), tensor.Shape{2}, []float64{1, 1}},
		"Std of itself": {v.Std(0, 0), tensor.Shape{3}, []float64{1.5, 1.5, 1.5}},
		"Norm":          {vec(3, -4).Norm(2), tensor.Shape{}, []float64{5}},
		"Norm Inf":      {vec(3, -4).NormKeep(math.Inf(1)), tensor.Shape{1}, []float64{4}},
		"LogSumExp":     {vec(1000, math.Inf(-1)).LogSumExp(), tensor.Shape{}, []float64{1000}},
		"Max":           {v.Max(1), tensor.Shape{2}, []float64{3, 6}},
		"MinKeep":       {v.MinKeep(0, 1), tensor.Shape{1, 1}, []float64{1}},
		"empty Max":     {zeros(0, 2).Max(0), tensor.Shape{2}, []float64{math.Inf(-1), math.Inf(-1)}},
		"Argmax":        {v.Neg().Argmax(1), tensor.Shape{2}, []float64{0, 0}},
		"Argmin":        {v.Neg().Argmin(0), tensor.Shape{3}, []float64{1, 1, 1}},
		"Any":           {v.GreaterScalar(4).Any(1), tensor.Shape{2}, []float64{0, 1}},
		"AnyKeep":       {v.GreaterScalar(4).AnyKeep(0), tensor.Shape{1, 3}, []float64{0, 1, 1}},
		"All":           {v.LessScalar(5).All(-2), tensor.Shape{3}, []float64{1, 0, 0}},
		"AllKeep":       {v.LessEqualScalar(6).AllKeep(), tensor.Shape{1, 1}, []float64{1}},
		"Any of none":   {mask(0, 2).Any(0), tensor.Shape{2}, []float64{0, 0}},
		"All of none":   {mask(0, 2).All(), tensor.Shape{}, []float64{1}},
		"count":         {v.GreaterScalar(2).Sum(1), tensor.Shape{2}, []float64{1, 3}},
		"SoftmaxAlong":  {vec(0, 5, 0, 5).Reshape(2, 2).SoftmaxAlong(0), tensor.Shape{2, 2}, []float64{0.5, 0.5, 0.5, 0.5}},
	} {
		if !c.got.Shape().Equal(c.shape) || !slices.Equal(c.got.Tensor().Float64s(), c.want) {
			t.Errorf("%s: %v, want %v%v", name, c.got.Tensor(), c.shape, c.want)
		}
	}
	values, indices := vec(2, 3, 1).TopK(2, true)
	wantValues(t, "TopK", values, 3, 2)
	wantValues(t, "places of TopK", indices, 1, 0)
	values, indices = vec(2, 3, 1).Sort(false)
	wantValues(t, "Sort", values, 1, 2, 3)
	wantValues(t, "places of Sort", indices, 2, 0, 1)
}

func TestComparisonsAreConstantsOfTrueAndFalse(t *testing.T) {
	v := vec(1, 2, math.NaN())
	w := vec(2)
	for name, c := range map[string]struct {
		f    func(v, w *Var) *Var
		want []float64
	}{
		"Equal": {(*Var).Equal, []float64{0, 1, 0}}, "NotEqual": {(*Var).NotEqual, []float64{1, 0, 1}},
		"Less": {(*Var).Less, []float64{1, 0, 0}}, "LessEqual": {(*Var).LessEqual, []float64{1, 1, 0}},
		"Greater": {(*Var).Greater, []float64{0, 0, 0}}, "GreaterEqual": {(*Var).GreaterEqual, []float64{0, 1, 0}},
	} {
		y := c.f(v, w)
		wantValues(t, name, y, c.want...)
		if y.RequiresGrad() || y.DType() != tensor.Bool {
			t.Errorf("%s: %v, want a Bool constant", name, y)
		}
		integers := c.f(ids(tensor.Shape{1}, int64(1)), ids(tensor.Shape{1}, int64(2)))
		wantValues(t, name, integers, c.want[0])
		if Recording(c.f(NoGrad(v), w), w) {
			t.Errorf("%s does not pass NoGrad on", name)
		}
	}
}

// What was not chosen reaches neither the result nor the gradient.
func TestWhereKeepsNaNOfTheOtherSideOut(t *testing.T) {
	x := vec(0, 4)
	positive := x.GreaterScalar(0)
	y := Where(positive, x, Constant(tensor.Full(tensor.Float64, 1))).Sqrt()
	y = Where(positive, y, Constant(tensor.Zeros(tensor.Float64)))
	wantValues(t, "values", y, 0, 2)
	y.Sum().Backward()
	wantGrad(t, x, 0, 0.25)
}

func TestTiesOfMaxAndMin(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(x *Var) *Var
		want []float64
	}{
		{"one axis: the first winner", func(x *Var) *Var { return x.Max(1) }, []float64{0, 1, 0, 1, 0, 0}},
		{"one axis, kept", func(x *Var) *Var { return x.MaxKeep(-1) }, []float64{0, 1, 0, 1, 0, 0}},
		{"all: evenly", func(x *Var) *Var { return x.Max() }, []float64{0, 0.5, 0.5, 0, 0, 0}},
		{"several axes: evenly", func(x *Var) *Var { return x.MinKeep(0, 1) }, []float64{0.25, 0, 0, 0.25, 0.25, 0.25}},
		{"Min of one axis", func(x *Var) *Var { return x.Min(1) }, []float64{1, 0, 0, 1, 0, 0}},
		{"Norm Inf", func(x *Var) *Var { return x.Norm(math.Inf(1)) }, []float64{0, 0.5, 0.5, 0, 0, 0}},
	} {
		x := vec(1, 3, 3, 1, 1, 1)
		c.f(x.Reshape(2, 3)).Sum().Backward()
		t.Run(c.name, func(t *testing.T) { wantGrad(t, x, c.want...) })
	}
}

func TestNaNWinsMaxAndMin(t *testing.T) {
	x := vec(1, math.NaN(), 3)
	for name, y := range map[string]*Var{"Max": x.Max(), "Max of an axis": x.Max(0), "Min": x.Min(), "Min of an axis": x.Min(0)} {
		if !math.IsNaN(y.Tensor().Item()) {
			t.Errorf("%s: %v, want NaN", name, y.Tensor())
		}
	}
	x.Max(0).Backward()
	wantGrad(t, x, 0, 1, 0)
}

func TestReductionsWithoutAGradientAtTheirKinks(t *testing.T) {
	for name, f := range map[string]func(x *Var) *Var{
		"Std of equals": func(x *Var) *Var { return x.Std(0) },
		"Norm of zeros": func(x *Var) *Var { return x.Norm(2) },
		"1-norm":        func(x *Var) *Var { return x.Norm(1) },
		"3-norm":        func(x *Var) *Var { return x.Norm(3) },
		"1.5-norm":      func(x *Var) *Var { return x.Norm(1.5) },
	} {
		x := vec(0, 0)
		f(x).Backward()
		t.Run(name, func(t *testing.T) { wantGrad(t, x, 0, 0) })
	}
	x := vec(math.Inf(-1), math.Inf(-1))
	x.LogSumExp().Backward()
	wantGrad(t, x, 0, 0)
}

// What follows makes the gradient that arrives infinite or NaN, where there is none to pass on.
func TestNoGradientIsNoneWhateverArrives(t *testing.T) {
	norm := func(p float64) func(x *Var) *Var { return func(x *Var) *Var { return x.Norm(p) } }
	then := map[string]func(y *Var) *Var{
		"Sqrt": (*Var).Sqrt, "Log": (*Var).Log, "Recip": (*Var).Recip, "Exp Sqrt": func(y *Var) *Var { return y.Exp().Sqrt() },
	}
	steep := []string{"Sqrt", "Log", "Recip"}
	for name, c := range map[string]struct {
		f     func(x *Var) *Var
		at    float64
		thens []string
	}{
		"norm 2": {norm(2), 0, steep}, "norm 1": {norm(1), 0, steep},
		"norm 3": {norm(3), 0, steep}, "norm 1.5": {norm(1.5), 0, steep},
		"norm 0.5": {norm(0.5), 0, steep}, "norm Inf": {norm(math.Inf(1)), 0, steep},
		"Std":        {func(x *Var) *Var { return x.Std(1) }, 3, steep},
		"StdKeep":    {func(x *Var) *Var { return x.StdKeep(0, 0) }, 3, steep},
		"sum of |x|": {func(x *Var) *Var { return x.Abs().Sum() }, 0, steep},
		"LogSumExp":  {func(x *Var) *Var { return x.LogSumExp() }, math.Inf(-1), []string{"Exp Sqrt"}},
	} {
		for _, after := range c.thens {
			t.Run(name+", "+after, func(t *testing.T) {
				for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
					x := Variable(tensor.Full(dt, c.at, 19)) // vectors, and what is left of them
					y := then[after](c.f(x)).Sum()
					g := Grad(y, []*Var{x}, CreateGraph())[0]
					wantFull(t, "gradient", Grad(y, []*Var{x}, RetainGraph())[0].Tensor(), 0)
					wantFull(t, "gradient that can be differentiated", g.Tensor(), 0)
					if !math.IsInf(c.at, 0) {
						wantFull(t, "second derivative", Grad(g.Sum(), []*Var{x})[0].Tensor(), 0)
					}
				}
			})
		}
	}
}

func TestGradientOfAProductIsExactAtZeros(t *testing.T) {
	x := vec(2, 0, 3, 5, 7)
	x.Prod().Backward()
	wantGrad(t, x, 0, 210, 0, 0, 0)
	x = vec(0, 2, 0)
	x.Prod().Backward()
	wantGrad(t, x, 0, 0, 0)
}

func TestPowVarAtZero(t *testing.T) {
	v, w := vec(0, 0, 2, 0), vec(0, 2, 0, 1)
	y := v.PowVar(w)
	wantValues(t, "0^0, 0^2, 2^0, 0^1", y, 1, 0, 1, 0)
	y.Sum().Backward()
	wantGrad(t, v, 0, 0, 0, 1)
	wantGrad(t, w, 0, 0, math.Log(2), 0)
}

func TestVarianceOfTooFewIsNotANumber(t *testing.T) {
	if y := vec(3).Variance(1).Tensor().Item(); !math.IsNaN(y) {
		t.Errorf("variance of one number: %v, want NaN", y)
	}
}

func TestItemIsTheOneElementOfAnyTypeShapeAndPlace(t *testing.T) {
	strided := tensor.FromSlice([]float32{1, 2, 3, 4}, 2, 2).Transpose().Narrow(0, 1, 2).Narrow(1, 0, 1)
	for name, c := range map[string]struct {
		v    *Var
		want float64
	}{
		"a scalar":    {Constant(tensor.FromSlice([]float64{1.1})), 1.1},
		"a matrix":    {Parameter(tensor.FromSlice([]float32{0.5}, 1, 1)), 0.5},
		"a view":      {Constant(strided), 2},
		"an integer":  {Constant(tensor.FromSlice([]int64{-7}, 1)), -7},
		"a boolean":   {Constant(tensor.FromSlice([]bool{true})), 1},
		"a sum":       {zeros(2, 3).AddScalar(2).Sum(), 12},
		"on a device": {Constant(tensor.FromSlice([]float32{3}, 1).ToDevice(densetest.Device(t))).Square(), 9},
	} {
		if got := c.v.Item(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	within := 0.0
	Scope(func(xs ...*Var) *Var { within = xs[0].Exp().Item(); return xs[0] }, Constant(tensor.Zeros(tensor.Float32, 1)))
	if within != 1 {
		t.Errorf("of what a scope puts off: %v", within)
	}
	wantMisuse(t, "autograd: Item: v is sparse", func() { SparseConstant(exampleSparse()).Item() })
}

func TestConversionsPassTheGradientBetweenFloats(t *testing.T) {
	for _, d := range []*tensor.Device{nil, densetest.Device(t)} {
		x := Variable(tensor.FromSlice([]float32{0.5, -3, 2, 7}, 2, 2).ToDevice(d))
		y := x.Transpose().To(tensor.Float64)
		if got := y.Square().Tensor(); got.DType() != tensor.Float64 || !slices.Equal(got.Float64s(), []float64{0.25, 4, 9, 49}) {
			t.Errorf("on %v: %v", d, got)
		}
		if x.To(tensor.Float32) != x {
			t.Error("a copy was made")
		}
		y.Square().Mul(y).Sum().Backward() // 3x²
		if g := x.Gradient(); g.DType() != tensor.Float32 || !slices.Equal(g.Float64s(), []float64{0.75, 27, 12, 147}) {
			t.Errorf("on %v: gradient %v", d, g)
		}
		g := Grad(x.To(tensor.Float64).Square().Sum(), []*Var{x}, CreateGraph())[0]
		if gg := Grad(g.Square().Sum(), []*Var{x})[0]; g.DType() != tensor.Float32 || !slices.Equal(gg.Tensor().Float64s(), []float64{4, -24, 16, 56}) { // (2x)², so 8x
			t.Errorf("on %v: gradient of the gradient %v", d, gg.Tensor())
		}
		for _, dt := range []tensor.DType{tensor.Int32, tensor.Int64, tensor.Bool} {
			if n := x.To(dt); n.RequiresGrad() || n.DType() != dt || n.Device() != d {
				t.Errorf("%v: %v", dt, n)
			}
		}
		whole := x.To(tensor.Int64)
		if f := whole.To(tensor.Float32); f.RequiresGrad() || !slices.Equal(f.Tensor().Float64s(), []float64{0, -3, 2, 7}) {
			t.Errorf("of integers: %v", f.Tensor())
		}
	}
	wantMisuse(t, "autograd: To: ", func() { SparseConstant(exampleSparse()).To(tensor.Float64) })
	within := Scope(func(xs ...*Var) *Var { return xs[0].Exp().To(tensor.Float64).AddScalar(1) }, Constant(tensor.Zeros(tensor.Float32, 2)))
	wantValues(t, "in a scope", within, 2, 2)
}
