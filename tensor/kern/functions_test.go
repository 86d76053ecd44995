// Tests of the functions of one element and of their gradients, against float64.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// function is a kernel of one slice and what it computes, in float64.
type function[T Float] struct {
	name string
	got  func(dst, x []T)
	want func(x float64) float64
	ulps float64 // of float32, the most an element may be off
}

func functions[T Float](s *Set[T]) []function[T] {
	return []function[T]{
		{"Neg", s.Neg, func(x float64) float64 { return -x }, 0.5},
		{"Abs", s.Abs, math.Abs, 0.5},
		{"Square", s.Square, func(x float64) float64 { return x * x }, 0.5},
		{"Recip", s.Recip, func(x float64) float64 { return 1 / x }, 0.5},
		{"Sqrt", s.Sqrt, math.Sqrt, 0.5},
		{"Rsqrt", s.Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, 1.5},
		{"Clamp", func(dst, x []T) { s.Clamp(dst, x, -0.5, 2) }, func(x float64) float64 { return min(max(x, -0.5), 2) }, 0.5},
		{"RSubScalar", func(dst, x []T) { s.RSubScalar(dst, x, 0.75) }, func(x float64) float64 { return 0.75 - x }, 0.51},
		{"DivScalar", func(dst, x []T) { s.DivScalar(dst, x, -3) }, func(x float64) float64 { return x / -3 }, 0.51},
		{"RDivScalar", func(dst, x []T) { s.RDivScalar(dst, x, -3) }, func(x float64) float64 { return -3 / x }, 0.51},
		{"Log", s.Log, logOf, 1.5},
		{"Softplus", s.Softplus, softplusOf, 2},
		{"SiLU", s.SiLU, siluOf, 3.5},
		{"GELU", s.GELU, geluOf, 4},
		{"Erf", s.Erf, math.Erf, 1.5},
		{"Sin", s.Sin, math.Sin, 2},
		{"Cos", s.Cos, math.Cos, 2},
	}
}

// ulpOf is the distance between float32 numbers around v.
func ulpOf(v float64) float64 {
	_, e := math.Frexp(v)
	return math.Ldexp(1, max(e-24, -149))
}

// off returns how many units in the last place of float32 got is off want; an
// overflow to ±Inf counts as the first number beyond the range.
func off[T Float](got T, want float64) float64 {
	g := float64(got)
	if w := math.Abs(want); w > math.MaxFloat32 && !math.IsInf(want, 0) {
		want = math.Copysign(math.Inf(1), want)
	}
	switch {
	case g == want || g != g && want != want:
		return 0
	case math.IsInf(g, 0) && !math.IsInf(want, 0):
		g = math.Copysign(math.Ldexp(1, 128), g)
	case math.IsInf(want, 0) && !math.IsInf(g, 0):
		want = math.Copysign(math.Ldexp(1, 128), want)
	}
	if d := math.Abs(g-want) / ulpOf(want); d == d {
		return d
	}
	return math.Inf(1)
}

// sweep is a part of all float32 there are, evenly over their bits, with
// the neighbours of where the kernels change their ways.
func sweep() []float32 {
	step := uint64(4093)
	if testing.Short() {
		step *= 16
	}
	var xs []float32
	for b := uint64(0); b < 1<<32; b += step {
		xs = append(xs, math.Float32frombits(uint32(b)))
	}
	for _, v := range []float64{0, math.Inf(1), math.NaN(), 1, 0.5, 2, 1e5, 100001, 88.7228, 103.98, 13.2, 14.4, 3.92, 4, 7, 15, math.Pi, math.Pi / 2, math.Sqrt2, math.Sqrt2 - 1, math.Sqrt(0.5), 1e-38, 1e-45, math.MaxFloat32} {
		for _, s := range []float64{v, -v} {
			x := float32(s)
			xs = append(xs, x, math.Nextafter32(x, 0), math.Nextafter32(x, 2*x))
		}
	}
	for x := float32(-30); x < 30; x += 0.0017 {
		xs = append(xs, x)
	}
	return xs
}

// TestWidthsOfVectorsGiveTheSameBits: a result does not depend on the processor's
// vectors, for every kernel that has two.
func TestWidthsOfVectorsGiveTheSameBits(t *testing.T) {
	below, name := slower32()
	if below == nil {
		t.Skip("there is one width")
	}
	t.Run("float32", func(t *testing.T) { testWidths(t, For[float32](), below, name, sweep()) })
	below64, _ := slower64()
	t.Run("float64", func(t *testing.T) { testWidths(t, For[float64](), below64, name, sweep64()) })
}

func testWidths[T Float](t *testing.T, set, below *Set[T], name string, xs []T) {
	got, want := make([]T, len(xs)), make([]T, len(xs))
	equal := func(what string) {
		t.Helper()
		for i := range got {
			if !same(got[i], want[i]) {
				t.Fatalf("%s of %v is %v, with %s %v", what, xs[i], got[i], name, want[i])
			}
		}
	}
	for i, f := range functions(set) {
		f.got(got, xs)
		functions(below)[i].got(want, xs)
		equal(f.name)
	}
	for name, f := range activations(set) {
		f.got(got, xs)
		activations(below)[name].got(want, xs)
		equal(name)
	}
	set.Exp(got, xs)
	below.Exp(want, xs)
	equal("Exp")
	for _, p := range []float64{2.5, -3, 4} {
		set.Pow(got, xs, p)
		below.Pow(want, xs, p)
		equal("Pow")
	}
	ones := make([]T, len(xs))
	for i := range ones {
		ones[i] = 1
	}
	for i, f := range gradients(set) {
		f.got(got, ones, xs)
		gradients(below)[i].got(want, ones, xs)
		equal(f.name)
	}
}

func TestFunctionsAreAccurateEverywhere(t *testing.T) {
	xs := sweep()
	for _, f := range functions(For[float32]()) {
		dst := make([]float32, len(xs))
		f.got(dst, xs)
		worst, at := 0.0, float32(0)
		for i, x := range xs {
			if d := off(dst[i], f.want(float64(x))); d > worst {
				worst, at = d, x
			}
		}
		if worst > f.ulps {
			t.Errorf("%s(%v) is %v ulp off, want at most %v", f.name, at, worst, f.ulps)
		}
		t.Logf("%s: at most %.3g ulp off, at %v", f.name, worst, at)
	}
}

// agree tells whether got is want up to some float32 ulps, or to 1e-13 in float64, where denormal
// numbers have few digits that are not those of the reference.
func agree[T Float](got T, want, ulps float64) bool {
	if _, ok := any(got).(float64); ok {
		g := float64(got)
		return g == want || g != g && want != want || math.Abs(g-want) <= 1e-13*math.Abs(want)+0x1p-1066
	}
	return off(got, want) <= ulps
}

func TestFunctionsTakeAnyLengthAndPlace(t *testing.T) {
	forSets(t, testFunctions[float32], testFunctions[float64])
}

func testFunctions[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, f := range functions(set) {
		for _, n := range lengths {
			what := fmt.Sprintf("%s n=%d", f.name, n)
			x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%5)
			fillRandom(r, x.s, n%2 == 1)
			f.got(dst.s, x.s)
			dst.check(t, what)
			for i, v := range x.s {
				if want := f.want(float64(v)); !agree(dst.s[i], want, f.ulps) {
					t.Fatalf("%s: of %v is %v, want %v", what, v, dst.s[i], want)
				}
			}
			f.got(x.s, x.s)
			compare(t, what+" in place", x, dst.s)
		}
	}
}

// TestLargeElementsDoNotDisturbTheirNeighbours: what an element becomes does not
// depend on where it stands, though kernels leave their straight way for large ones.
func TestLargeElementsDoNotDisturbTheirNeighbours(t *testing.T) {
	forSets(t, testLargeElements[float32], testLargeElements[float64])
}

func testLargeElements[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(33, 34))
	slope := func(dst, x []T) {
		ones := make([]T, len(x))
		for i := range ones {
			ones[i] = 1
		}
		set.GELUGrad(dst, ones, x)
	}
	for _, f := range []function[T]{
		{"Sin", set.Sin, math.Sin, 2}, {"Cos", set.Cos, math.Cos, 2},
		{"GELU", set.GELU, geluOf, 4}, {"slope of GELU", slope, geluSlope, 8},
	} {
		for _, n := range lengths {
			x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%5)
			for i := range x.s {
				x.s[i] = T(float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(12)))))
			}
			f.got(dst.s, x.s)
			dst.check(t, f.name)
			for i, v := range x.s {
				var alone [1]T
				if f.got(alone[:], x.s[i:i+1]); !same(alone[0], dst.s[i]) {
					t.Fatalf("%s(%v) is %v alone and %v at %d of %d", f.name, v, alone[0], dst.s[i], i, n)
				}
				want := f.want(float64(v))
				cancels := f.name == "slope of GELU" && math.Abs(float64(dst.s[i])-want) < 1e-15 // its terms do, near -0.75
				if !cancels && !agree(dst.s[i], want, f.ulps) {
					t.Fatalf("%s(%v) is %v, want %v", f.name, v, dst.s[i], want)
				}
			}
			f.got(x.s, x.s)
			compare(t, f.name+" in place", x, dst.s)
		}
	}
}

func TestSignsOfZeroSurvive(t *testing.T) {
	forSets(t, testSignsOfZero[float32], testSignsOfZero[float64])
}

func testSignsOfZero[T Float](t *testing.T, set *Set[T]) {
	zero := T(math.Copysign(0, -1))
	for name, f := range map[string]func(dst, x []T){"Sin": set.Sin, "Erf": set.Erf, "Sqrt": set.Sqrt, "SiLU": set.SiLU, "GELU": set.GELU} {
		x := []T{zero, 0}
		f(x, x)
		if x[0] != 0 || x[1] != 0 || !math.Signbit(float64(x[0])) || math.Signbit(float64(x[1])) {
			t.Errorf("%s of -0 and 0 is %v", name, x)
		}
	}
	x := []T{zero, 0}
	set.Neg(x, x)
	if math.Signbit(float64(x[0])) || !math.Signbit(float64(x[1])) {
		t.Errorf("Neg of -0 and 0 is %v", x)
	}
}

// TestZerosAndBoundsAreThoseOfTheReferenceLoops: which of two zeros a result is, and that a
// bound that is NaN is none, at every place of a vector and behind it.
func TestZerosAndBoundsAreThoseOfTheReferenceLoops(t *testing.T) {
	forSets(t, testZerosAndBounds[float32], testZerosAndBounds[float64])
}

func testZerosAndBounds[T Float](t *testing.T, set *Set[T]) {
	const n = 39
	nan, values := T(math.NaN()), []T{T(math.Copysign(0, -1)), 0, -2, 2, T(math.NaN())}
	a, b, got, want := make([]T, n), make([]T, n), make([]T, n), make([]T, n)
	for name, f := range map[string]func(s *Set[T], dst []T){
		"Max":                      func(s *Set[T], dst []T) { s.Max(dst, a, b) },
		"Min":                      func(s *Set[T], dst []T) { s.Min(dst, a, b) },
		"ReLU":                     func(s *Set[T], dst []T) { s.ReLU(dst, a) },
		"LeakyReLU negative slope": func(s *Set[T], dst []T) { s.LeakyReLU(dst, a, -2) },
		"Neg":                      func(s *Set[T], dst []T) { s.Neg(dst, a) },
		"Abs":                      func(s *Set[T], dst []T) { s.Abs(dst, a) },
		"Clamp to 0":               func(s *Set[T], dst []T) { s.Clamp(dst, a, 0, 0) },
		"Clamp to -0":              func(s *Set[T], dst []T) { s.Clamp(dst, a, values[0], values[0]) },
		"Clamp below":              func(s *Set[T], dst []T) { s.Clamp(dst, a, nan, 1) },
		"Clamp above":              func(s *Set[T], dst []T) { s.Clamp(dst, a, -1, nan) },
		"GateReLU":                 func(s *Set[T], dst []T) { s.GateReLU(dst, a, b) },
		"GateLeakyReLU":            func(s *Set[T], dst []T) { s.GateLeakyReLU(dst, a, b, 0.5) },
		"AbsGrad":                  func(s *Set[T], dst []T) { s.AbsGrad(dst, a, b) },
		"ClampGrad":                func(s *Set[T], dst []T) { s.ClampGrad(dst, a, b, -2, 2) },
		"AddRowReLU":               func(s *Set[T], dst []T) { s.AddRowReLU(dst, a, b) },
	} {
		for shift := range 25 {
			for i := range n {
				a[i], b[i] = values[(i+shift)%5], values[(i+shift)/5%5]
			}
			f(set, got)
			f(Reference[T](), want)
			for i := range n {
				if !same(got[i], want[i]) || want[i] == 0 && math.Signbit(float64(got[i])) != math.Signbit(float64(want[i])) {
					t.Fatalf("%s: element %d of (%v, %v) is %v, want %v", name, i, a[i], b[i], got[i], want[i])
				}
			}
		}
	}
}

func TestAbsGradIsZeroAtZeroWhateverArrives(t *testing.T) {
	forSets(t, testAbsGradAtZero[float32], testAbsGradAtZero[float64])
}

func testAbsGradAtZero[T Float](t *testing.T, set *Set[T]) {
	g, x, dst := make([]T, 39), make([]T, 39), make([]T, 39) // at every place of a vector and behind it
	arrives := []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1}
	for i := range x {
		g[i], x[i] = T(arrives[i%4]), T(math.Copysign(0, float64(i%3-1)))
	}
	set.AbsGrad(dst, g, x)
	for i, d := range dst {
		if d != 0 {
			t.Fatalf("element %d of (%v, %v) is %v, want 0", i, g[i], x[i], d)
		}
	}
}

func TestFMA3AddsAProduct(t *testing.T) {
	forSets(t, testFMA3[float32], testFMA3[float64])
}

func testFMA3[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(35, 36))
	for _, n := range lengths {
		what := fmt.Sprintf("FMA3 n=%d", n)
		var s [3]*guarded[T]
		for k := range s {
			s[k] = newGuarded[T](n, (n+k)%8)
			fillRandom(r, s[k].s, n%2 == 1)
			tame(s[k].s)
		}
		dst := newGuarded[T](n, n%3)
		set.FMA3(dst.s, s[0].s, s[1].s, s[2].s)
		dst.check(t, what)
		for i := range dst.s {
			a, b, c := float64(s[0].s[i]), float64(s[1].s[i]), float64(s[2].s[i])
			if !near(float64(dst.s[i]), a*b+c, epsilon[T]()*(math.Abs(a*b)+math.Abs(c))) {
				t.Fatalf("%s: %v*%v + %v is %v", what, a, b, c, dst.s[i])
			}
		}
		for k := range s { // in place of any operand
			in := [3][]T{s[0].s, s[1].s, s[2].s}
			out := newGuarded[T](n, 1)
			copy(out.s, in[k])
			in[k] = out.s
			set.FMA3(out.s, in[0], in[1], in[2])
			compare(t, what+" in place", out, dst.s)
		}
	}
}

func TestAxpbyAddsTwoProducts(t *testing.T) {
	forSets(t, testAxpby[float32], testAxpby[float64])
}

func testAxpby[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(37, 38))
	for _, n := range lengths {
		for _, past := range []bool{false, true} {
			for offset := range 8 {
				what := fmt.Sprintf("Axpby n=%d past=%v offset=%d", n, past, offset)
				x, y, dst := newGuarded[T](n, 1), newGuarded[T](n, 2), newGuarded[T](n, offset)
				fillRandom(r, x.s, n%2 == 1)
				fillRandom(r, y.s, n%2 == 1)
				tame(x.s)
				tame(y.s)
				const a, b = 0.75, -1.5
				set.Axpby(dst.s, x.s, y.s, a, b, past)
				dst.check(t, what)
				for i := range dst.s {
					p, q := a*float64(x.s[i]), b*float64(y.s[i])
					if !near(float64(dst.s[i]), p+q, epsilon[T]()*(math.Abs(p)+math.Abs(q))) {
						t.Fatalf("%s: %v·%v + %v·%v is %v", what, a, x.s[i], b, y.s[i], dst.s[i])
					}
				}
				if set.Axpby(x.s, x.s, y.s, a, b, past); n > 0 {
					compare(t, what+" in place", x, dst.s)
				}
			}
		}
	}
}

// gradient is a kernel of two slices and what it computes, in float64.
type gradient[T Float] struct {
	name          string
	got           func(dst, g, x []T)
	want          func(g, x float64) float64
	relative, abs float64 // tolerances in ulps: of the result, and of g
}

func gradients[T Float](s *Set[T]) []gradient[T] {
	gate := func(g, x float64) float64 {
		if x <= 0 {
			return 0
		}
		return g // at NaN, too
	}
	leaky := func(g, x float64) float64 {
		if x > 0 {
			return g
		}
		return 0.25 * g
	}
	elu := func(g, y float64) float64 {
		if y > 0 {
			return g
		}
		return g * (y + 0.75)
	}
	clamped := func(g, x float64) float64 {
		if x >= -0.5 && x <= 1 {
			return g
		}
		return 0 // at NaN, too
	}
	signed := func(g, x float64) float64 {
		if x == 0 || x != x {
			return x
		}
		return math.Copysign(1, x) * g
	}
	times := func(f func(float64) float64) func(g, x float64) float64 {
		return func(g, x float64) float64 { return g * f(x) }
	}
	return []gradient[T]{
		{"GateReLU", s.GateReLU, gate, 0, 0},
		{"GateLeakyReLU", func(dst, g, x []T) { s.GateLeakyReLU(dst, g, x, 0.25) }, leaky, 0.5, 0},
		{"GateLeakyReLU slope 0", func(dst, g, x []T) { s.GateLeakyReLU(dst, g, x, 0) }, gate, 0, 0},
		{"ELUGrad", func(dst, g, y []T) { s.ELUGrad(dst, g, y, 0.75) }, elu, 1, 1},
		{"SigmoidGrad", s.SigmoidGrad, func(g, y float64) float64 { return g * (y * (1 - y)) }, 3, 0},
		{"TanhGrad", s.TanhGrad, func(g, y float64) float64 { return g * (1 - y*y) }, 2, 1},
		{"SoftplusGrad", s.SoftplusGrad, times(sigmoidOf), 4, 0},
		{"SiLUGrad", s.SiLUGrad, times(siluSlope), 4, 4},
		{"GELUGrad", s.GELUGrad, times(geluSlope), 4, 4},
		{"ErfGrad", s.ErfGrad, times(erfSlope), 4, 0},
		{"AbsGrad", s.AbsGrad, signed, 0, 0},
		{"SqrtGrad", s.SqrtGrad, func(g, y float64) float64 { return g / (2 * y) }, 0.51, 0},
		{"ClampGrad", func(dst, g, x []T) { s.ClampGrad(dst, g, x, -0.5, 1) }, clamped, 0, 0},
	}
}

func (f gradient[T]) check(t *testing.T, what string, got, g, x T) {
	t.Helper()
	want := f.want(float64(g), float64(x))
	if rounded := float64(T(want)); math.IsInf(rounded, 0) {
		want = rounded
	}
	tol := epsilon[T]() * (f.relative*math.Abs(want) + f.abs*math.Abs(float64(g)))
	if !near(float64(got), want, tol+3e-45) {
		t.Fatalf("%s: of g = %v at %v is %v, want %v", what, g, x, got, want)
	}
}

func TestGradientsMatchTheirDerivatives(t *testing.T) {
	forSets(t, testGradients[float32], testGradients[float64])
}

func testGradients[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(37, 38))
	for _, f := range gradients(set) {
		for _, n := range lengths {
			what := fmt.Sprintf("%s n=%d", f.name, n)
			g, x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%4), newGuarded[T](n, n%5)
			fillRandom(r, g.s, n%2 == 1)
			fillRandom(r, x.s, n%3 == 1)
			tame(g.s)
			tame(x.s)
			f.got(dst.s, g.s, x.s)
			dst.check(t, what)
			for i := range dst.s {
				f.check(t, what, dst.s[i], g.s[i], x.s[i])
			}
			other := newGuarded[T](n, 3)
			copy(other.s, x.s)
			f.got(other.s, g.s, other.s)
			compare(t, what+" in place of x", other, dst.s)
			f.got(g.s, g.s, x.s)
			compare(t, what+" in place of g", g, dst.s)
		}
	}
}

// TestGradientsAreRightFarOut includes where exponentials under- and overflow.
func TestGradientsAreRightFarOut(t *testing.T) {
	forSets(t, testGradientsFarOut[float32], testGradientsFarOut[float64])
}

func testGradientsFarOut[T Float](t *testing.T, set *Set[T]) {
	far, step, least, most := T(150), T(0.013), T(1e-44), T(1e18)
	if _, ok := any(far).(float64); ok {
		// Through a variable: as constants they would not do for float32.
		tiny, huge := 1e-320, 1e150
		far, step, least, most = 800, 0.07, T(tiny), T(huge)
	}
	for _, f := range gradients(set) {
		var xs []T
		for x := -far; x < far; x += step {
			xs = append(xs, x)
		}
		for x := least; x < most; x *= 1.7 {
			xs = append(xs, x, -x)
		}
		g, dst := make([]T, len(xs)), make([]T, len(xs))
		for i := range g {
			g[i] = 1.5
		}
		f.got(dst, g, xs)
		for i, x := range xs {
			f.check(t, f.name, dst[i], g[i], x)
		}
	}
}
