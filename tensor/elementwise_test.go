// Tests of element-wise operations and broadcasting against their formulas.

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
)

// binaryOps are the broadcasting operations and their meaning.
var binaryOps = []struct {
	name string
	op   func(a, b *Tensor) *Tensor
	want func(a, b float64) float64
}{
	{"Add", Add, func(a, b float64) float64 { return a + b }},
	{"Sub", Sub, func(a, b float64) float64 { return a - b }},
	{"Mul", Mul, func(a, b float64) float64 { return a * b }},
	{"Div", Div, func(a, b float64) float64 { return a / b }},
	{"Maximum", Maximum, math.Max},
	{"Minimum", Minimum, math.Min},
	{"PowT", PowT, math.Pow},
	{"Atan2", Atan2, math.Atan2},
	{"Hypot", Hypot, math.Hypot},
	{"FloorDiv", FloorDiv, func(a, b float64) float64 { return math.Floor(a / b) }},
	{"Remainder", Remainder, func(a, b float64) float64 { return a - b*math.Floor(a/b) }},
	{"Equal", Equal, func(a, b float64) float64 { return oneIf(a == b) }},
	{"NotEqual", NotEqual, func(a, b float64) float64 { return oneIf(a != b) }},
	{"Less", Less, func(a, b float64) float64 { return oneIf(a < b) }},
	{"LessEqual", LessEqual, func(a, b float64) float64 { return oneIf(a <= b) }},
	{"Greater", Greater, func(a, b float64) float64 { return oneIf(a > b) }},
	{"GreaterEqual", GreaterEqual, func(a, b float64) float64 { return oneIf(a >= b) }},
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// element reads x at an index of the broadcast shape.
func element(x *Tensor, idx []int) float64 {
	own := make([]int, x.Rank())
	for k := range own {
		own[k] = idx[len(idx)-len(own)+k]
		if x.Shape()[k] == 1 {
			own[k] = 0
		}
	}
	return x.At(own...)
}

// indices returns every index of a shape, in row-major order.
func indices(s Shape) [][]int {
	all := [][]int{{}}
	for _, d := range s {
		var next [][]int
		for _, prefix := range all {
			for i := range d {
				next = append(next, append(append([]int{}, prefix...), i))
			}
		}
		all = next
	}
	return all
}

func checkBroadcast(t *testing.T, r *rand.Rand, dt DType, a, b, want Shape) {
	t.Helper()
	x, y := random(r, dt, a...), random(r, dt, b...)
	if x.Size() > 1 && y.Size() > 1 && dt == Float32 { // some ties
		Data[float32](x)[0] = Data[float32](y)[0]
	}
	for _, op := range binaryOps {
		var expected []float64
		for _, idx := range indices(want) {
			expected = append(expected, op.want(element(x, idx), element(y, idx)))
		}
		wantClose(t, fmt.Sprintf("%s %v %v", op.name, a, b), op.op(x, y), want, expected, tolerance(dt))
	}
}

func TestBroadcastingFollowsNumPy(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, c := range []struct{ a, b, want Shape }{
			{Shape{}, Shape{}, Shape{}},
			{Shape{5}, Shape{}, Shape{5}},
			{Shape{}, Shape{2, 3}, Shape{2, 3}},
			{Shape{4, 5}, Shape{4, 5}, Shape{4, 5}},
			{Shape{4, 5}, Shape{5}, Shape{4, 5}},
			{Shape{5}, Shape{4, 5}, Shape{4, 5}},
			{Shape{4, 5}, Shape{1, 5}, Shape{4, 5}},
			{Shape{4, 5}, Shape{4, 1}, Shape{4, 5}},
			{Shape{4, 1}, Shape{4, 5}, Shape{4, 5}},
			{Shape{4, 1}, Shape{1, 5}, Shape{4, 5}},
			{Shape{4, 1}, Shape{5}, Shape{4, 5}},
			{Shape{3, 2, 4}, Shape{3, 2, 1}, Shape{3, 2, 4}},
			{Shape{3, 2, 4}, Shape{2, 1}, Shape{3, 2, 4}},
			{Shape{3, 1, 4}, Shape{1, 2, 1}, Shape{3, 2, 4}},
			{Shape{2, 1, 3, 1}, Shape{4, 1, 5}, Shape{2, 4, 3, 5}},
			{Shape{1, 4, 1, 5}, Shape{3, 4, 2, 1}, Shape{3, 4, 2, 5}},
			{Shape{3, 1, 2, 1, 2}, Shape{3, 4, 1, 2, 1}, Shape{3, 4, 2, 2, 2}},
			{Shape{2, 1, 2, 1, 2, 1, 2}, Shape{1, 3, 1, 3, 1, 3, 1}, Shape{2, 3, 2, 3, 2, 3, 2}},
			{Shape{3, 700}, Shape{700}, Shape{3, 700}},
			{Shape{7, 3, 50}, Shape{7, 1, 50}, Shape{7, 3, 50}},
			{Shape{1, 1}, Shape{1}, Shape{1, 1}},
			{Shape{0}, Shape{1}, Shape{0}},
			{Shape{0, 3}, Shape{3}, Shape{0, 3}},
			{Shape{1, 0}, Shape{4, 1}, Shape{4, 0}},
			{Shape{3, 600}, Shape{3, 1}, Shape{3, 600}},
		} {
			checkBroadcast(t, r, dt, c.a, c.b, c.want)
		}
	})
}

// FuzzBroadcast draws shapes of up to four axes of 0 to 3.
func FuzzBroadcast(f *testing.F) {
	f.Add(uint64(1), uint16(0x1231), uint16(0x1131))
	f.Add(uint64(2), uint16(0x0021), uint16(0x0311))
	f.Fuzz(func(t *testing.T, seed uint64, code, drop uint16) {
		r := rand.New(rand.NewPCG(seed, 0))
		want := Shape{}
		for ; code > 0 && len(want) < 4; code >>= 4 {
			want = append(want, int(code&3))
		}
		thin := func(bits uint16) Shape {
			s := want.Clone()
			for k := range s {
				if bits>>k&1 != 0 {
					s[k] = 1
				}
			}
			return s
		}
		a, b := thin(drop), thin(drop>>4&^drop) // each axis stays in one of them
		for len(b) > 0 && b[0] == 1 && drop>>12 != 0 {
			b = b[1:]
		}
		checkBroadcast(t, r, Float64, a, b, want)
		checkBroadcast(t, r, Float32, b, a, want)
	})
}

// TestAcosHasAllDigitsNearOne: acos(1-d) is sqrt(2d)·(1 + d/12 + ...).
func TestAcosHasAllDigitsNearOne(t *testing.T) {
	for _, x := range []float64{0.9999999, 1 - 1e-10, 1 - 1e-13, 1 - 0x1p-53, 1} {
		d := 1 - x
		want := math.Sqrt(2*d) * (1 + d/12)
		if got := Acos(FromSlice([]float64{x}, 1)).Item(); math.Abs(got-want) > 1e-13*want {
			t.Errorf("Acos(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestUnaryOperationsMatchTheirFormulas(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	ops := []struct {
		name string
		op   func(x *Tensor) *Tensor
		want func(x float64) float64
	}{
		{"Neg", Neg, func(x float64) float64 { return -x }},
		{"Exp", Exp, math.Exp},
		{"Log", Log, math.Log},
		{"Expm1", Expm1, math.Expm1},
		{"Log1p", Log1p, math.Log1p},
		{"Log2", Log2, math.Log2},
		{"Log10", Log10, math.Log10},
		{"Sin", Sin, math.Sin},
		{"Cos", Cos, math.Cos},
		{"Tan", Tan, math.Tan},
		{"Asin", Asin, math.Asin},
		{"Acos", Acos, math.Acos},
		{"Atan", Atan, math.Atan},
		{"Sinh", Sinh, math.Sinh},
		{"Cosh", Cosh, math.Cosh},
		{"Asinh", Asinh, math.Asinh},
		{"Acosh", Acosh, math.Acosh},
		{"Atanh", Atanh, math.Atanh},
		{"Erfc", Erfc, math.Erfc},
		{"Floor", Floor, math.Floor},
		{"Ceil", Ceil, math.Ceil},
		{"Round", Round, math.RoundToEven},
		{"Trunc", Trunc, math.Trunc},
		{"Pow 2", func(x *Tensor) *Tensor { return Pow(x, 2) }, func(x float64) float64 { return x * x }},
		{"Pow 1", func(x *Tensor) *Tensor { return Pow(x, 1) }, func(x float64) float64 { return x }},
		{"Pow 0", func(x *Tensor) *Tensor { return Pow(x, 0) }, func(x float64) float64 { return 1 }},
		{"Sqrt", Sqrt, math.Sqrt},
		{"Rsqrt", Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }},
		{"Abs", Abs, math.Abs},
		{"Sign", Sign, func(x float64) float64 {
			if x == 0 || math.IsNaN(x) {
				return x
			}
			return math.Copysign(1, x)
		}},
		{"Step", Step, func(x float64) float64 { return oneIf(x > 0) }},
		{"Square", Square, func(x float64) float64 { return x * x }},
		{"Recip", Recip, func(x float64) float64 { return 1 / x }},
		{"ReLU", ReLU, func(x float64) float64 { return max(x, 0) }},
		{"LeakyReLU", func(x *Tensor) *Tensor { return LeakyReLU(x, 0.2) }, func(x float64) float64 { return max(x, 0) + 0.2*min(x, 0) }},
		{"ELU", func(x *Tensor) *Tensor { return ELU(x, 1.5) }, func(x float64) float64 { return max(x, 0) + 1.5*math.Expm1(min(x, 0)) }},
		{"GELU", GELU, func(x float64) float64 {
			if math.IsInf(x, -1) {
				return 0
			}
			return x / 2 * (1 + math.Erf(x/math.Sqrt2))
		}},
		{"Erf", Erf, math.Erf},
		{"Sigmoid", Sigmoid, sigmoid},
		{"SiLU", SiLU, func(x float64) float64 {
			if math.IsInf(x, -1) {
				return 0
			}
			return x * sigmoid(x)
		}},
		{"Tanh", Tanh, math.Tanh},
		{"Softplus", Softplus, func(x float64) float64 {
			if x > 40 {
				return x
			}
			return math.Log1p(math.Exp(x))
		}},
		{"Pow 3", func(x *Tensor) *Tensor { return Pow(x, 3) }, func(x float64) float64 { return x * x * x }},
		{"Pow 0.5", func(x *Tensor) *Tensor { return Pow(x, 0.5) }, math.Sqrt},
		{"Pow -0.5", func(x *Tensor) *Tensor { return Pow(x, -0.5) }, func(x float64) float64 { return 1 / math.Sqrt(x) }},
		{"Clamp", func(x *Tensor) *Tensor { return Clamp(x, -1, 0.5) }, func(x float64) float64 { return min(max(x, -1), 0.5) }},
		{"Scale", func(x *Tensor) *Tensor { return Scale(x, -2.5) }, func(x float64) float64 { return -2.5 * x }},
		{"AddScalar", func(x *Tensor) *Tensor { return AddScalar(x, 0.75) }, func(x float64) float64 { return x + 0.75 }},
	}
	forFloats(t, func(t *testing.T, dt DType) {
		values := []float64{0, 0.25, -0.25, 0.5, 1.5, 2.5, -7.5, 1, -1, 3.5, -3.5, 20, -20, 80, -80, 1e-10, -1e-10, math.Inf(1), math.Inf(-1), math.NaN()}
		for i := range 5000 { // more than one chunk
			values = append(values, float64(float32(math.Sin(float64(i))*6)))
		}
		for _, op := range ops {
			x := FromSlice(values, 4, len(values)/4).To(dt)
			want := make([]float64, len(values))
			for i, v := range values {
				want[i] = op.want(v)
				if dt == Float32 {
					want[i] = float64(float32(want[i]))
				}
			}
			before := x.Float64s()
			got := op.op(x)
			wantClose(t, op.name, got, x.Shape(), want, 3*tolerance(dt))
			wantClose(t, op.name+" changed its operand:", x, x.Shape(), before, 0)
			if empty := op.op(Zeros(dt, 0, 3)); !empty.Shape().Equal(Shape{0, 3}) {
				t.Errorf("%s of [0 3] has shape %v", op.name, empty.Shape())
			}
		}
	})
}

func TestAllFiniteFindsEveryNonFiniteElement(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		const n = 40000 // several chunks
		if !AllFinite(Zeros(dt, 0)) || !AllFinite(Full(dt, math.MaxFloat32, n)) {
			t.Error("finite elements are not AllFinite")
		}
		for _, at := range []int{0, 1, 16383, 16384, n - 1} {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				x := Zeros(Float64, n)
				Data[float64](x)[at] = v
				if AllFinite(x.To(dt)) {
					t.Errorf("%v at %d is not found", v, at)
				}
			}
		}
	})
}

func TestAddIntoAddsInPlace(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(2, 2))
		x, y := random(r, dt, 7, 9), random(r, dt, 7, 9)
		want := Add(x, y)
		view := x.Reshape(63)
		AddInto(x, y)
		wantClose(t, "AddInto", view, Shape{63}, want.Float64s(), 0)
	})
}

func TestAddIntoAViewAddsToTheTensorItWasTakenFrom(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		for name, view := range map[string]func(x *Tensor) *Tensor{
			"columns":   func(x *Tensor) *Tensor { return x.Narrow(1, 2, 5) },
			"transpose": func(x *Tensor) *Tensor { return x.Transpose() },
			"diagonal":  func(x *Tensor) *Tensor { return x.Diagonal(1) },
		} {
			r := rand.New(rand.NewPCG(2, 3))
			x := random(r, dt, 300, 200) // of more than one piece of work
			y := random(r, dt, view(x).Shape()...)
			want := x.Clone()
			view(want).CopyFrom(Add(view(x), y))
			AddInto(view(x), y)
			wantClose(t, name, x, x.Shape(), want.Float64s(), 0)
			AddInto(view(x), view(x)) // itself
			view(want).CopyFrom(Add(view(want), view(want)))
			wantClose(t, name+" to itself", x, x.Shape(), want.Float64s(), 0)
		}
		wantPanic[*ShapeError](t, "tensor: AddInto: writes to a view with strides [0 1], whose elements are not all apart: [3 4]", func() {
			AddInto(Zeros(dt, 4).Expand(3, 4), Zeros(dt, 3, 4))
		})
	})
}

func TestDropoutKeepsTheElementsThatRngSaysItDoes(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, shape := range []Shape{{}, {0, 3}, {7}, {elementGrain + 5, 3}} {
			for _, p := range []float64{0, 0.3, 1} {
				x, threshold := random(r, dt, shape...), rng.Threshold(p)
				got := Dropout(x, 9, threshold, 1.5)
				if !got.Shape().Equal(shape) {
					t.Fatalf("shape %v, want %v", got.Shape(), shape)
				}
				kept := Scale(x, 1.5).Float64s()
				for i, v := range got.Float64s() {
					want := 0.0
					if rng.Keep(9, uint64(i), threshold) {
						want = kept[i]
					}
					if v != want {
						t.Fatalf("shape %v, p %v: element %d is %v, want %v", shape, p, i, v, want)
					}
				}
			}
		}
	})
	defer func() {
		if _, ok := recover().(*DTypeError); !ok {
			t.Error("Dropout of integers does not panic with a *DTypeError")
		}
	}()
	Dropout(Zeros(Int32, 3), 1, 1<<31, 2)
}

// Large operands take ways of their own, for rows on either side.
func TestLargeTensorsBroadcastRowsOnEitherSide(t *testing.T) {
	for _, n := range []int{1, 3, 16, 1000, chainTile, chainTile + 1} {
		rows := 3*elementGrain/n + 1
		x, row := Randn(Float32, 1, rows, n), Randn(Float32, 2, n)
		xs, rs := Data[float32](x), Data[float32](row)
		left, right := Data[float32](Sub(row, x)), Data[float32](Sub(x, row))
		less := Data[bool](Less(row, x))
		for i, v := range xs {
			r := rs[i%n]
			if left[i] != r-v || right[i] != v-r || less[i] != (r < v) {
				t.Fatalf("rows of %d, element %d: %v, %v and %v of %v and %v", n, i, left[i], right[i], less[i], r, v)
			}
		}
	}
}

func TestPowersOfFloat32AreRounded(t *testing.T) {
	bases := []float32{0, 1e-45, 1e-38, 0.1, 0.999, 1, 1.001, 2, 3, 10, 1e20, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN()), -1, -2.5, float32(math.Inf(-1)), float32(math.Copysign(0, -1))}
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 2000 {
		if bases = append(bases, math.Float32frombits(r.Uint32())); i%2 == 0 {
			bases = append(bases, float32(0.1+3*r.Float64()))
		}
	}
	for _, p := range []float64{0, 0.5, 2.5, -0.5, 3, 4, -3, 1.0 / 3, 37.7, -37.7, 0.01, -200, 1e300, math.Inf(1), math.Inf(-1), math.NaN()} {
		x := FromSlice(slices.Clone(bases), len(bases))
		exponents := Full(Float32, p, len(bases))
		for what, got := range map[string][]float32{"Pow": Data[float32](Pow(x, p)), "PowT": Data[float32](PowT(x, exponents))} {
			for i, v := range got {
				e := p
				if what == "PowT" {
					e = float64(float32(p))
				}
				want := float32(math.Pow(float64(bases[i]), e))
				if root := 1 / math.Sqrt(float64(bases[i])); what == "Pow" && p == -0.5 {
					want = float32(root) // -Inf of -0, NaN of -Inf
				} else if what == "Pow" && p == 0.5 {
					want = float32(1 / root)
				}
				next := math.Nextafter32(want, v) // one unit in the last place from it
				if v != want && v != next && !(v != v && want != want) {
					t.Errorf("%s: %v^%v is %v, want %v", what, bases[i], e, v, want)
				}
			}
		}
	}
}

// Expected values by mpmath.
func TestFunctionsOfFloat64WhereNumbersEnd(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	inf, nan := math.Inf(1), math.NaN()
	one := func(f func(x *Tensor) *Tensor, x float64) float64 { return f(FromSlice([]float64{x}, 1)).At(0) }
	two := func(f func(a, b *Tensor) *Tensor, a, b float64) float64 {
		return f(FromSlice([]float64{a}, 1), FromSlice([]float64{b}, 1)).At(0)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"Exp(709.7)", one(Exp, 709.7), 1.6549840276802644e308},
		{"Exp(709.79)", one(Exp, 709.79), inf},
		{"Exp(+Inf)", one(Exp, inf), inf},
		{"Log2 of the least", one(Log2, least), -1074},
		{"Log2(8)", one(Log2, 8), 3},
		{"Log2(1 + 2^-40)", one(Log2, 1+0x1p-40), 1.3121234959619936e-12},
		{"Log2(1 - 2^-40)", one(Log2, 1-0x1p-40), -1.312123495963187e-12},
		{"Log2(0)", one(Log2, 0), -inf},
		{"Log2(-1)", one(Log2, -1), nan},
		{"Log2(+Inf)", one(Log2, inf), inf},
		{"Log2(-Inf)", one(Log2, -inf), nan},
		{"Log10 of the least", one(Log10, least), -323.3062153431158},
		{"Log10(0)", one(Log10, 0), -inf},
		{"Log10(-1)", one(Log10, -1), nan},
		{"Cosh(-710)", one(Cosh, -710), 1.1169973830808557e308},
		{"Cosh(711)", one(Cosh, 711), inf},
		{"Sinh(-710)", one(Sinh, -710), -1.1169973830808557e308},
		{"Sinh(-Inf)", one(Sinh, -inf), -inf},
		{"Pow of the least to 1/3", one(func(x *Tensor) *Tensor { return Pow(x, 1.0/3) }, least), 1.7031839360032837e-108},
		{"PowT of the least to -1/2", two(PowT, least, -0.5), 4.4989137945431964e161},
		{"PowT of minus the least to -0.5", two(PowT, -least, -0.5), nan},
		{"PowT of the least to -Inf", two(PowT, least, -inf), inf},
		{"Atan2(-1e-310, -1e300)", two(Atan2, -1e-310, -1e300), -math.Pi},
		{"Atan2(1e-310, -1e300)", two(Atan2, 1e-310, -1e300), math.Pi},
		{"Atan2(0, -1)", two(Atan2, 0, -1), math.Pi},
	} {
		if !(math.Abs(c.got-c.want) <= 2e-14*math.Abs(c.want)) && c.got != c.want && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
}
