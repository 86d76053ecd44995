// Tests of the functions of float64: their accuracy over all of float64, in units in the last
// place, and powers.

package kern

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// sweep64 is float64 numbers of all magnitudes, and those around where the kernels change
// their ways.
func sweep64() []float64 {
	r := rand.New(rand.NewPCG(41, 42))
	var xs []float64
	for range 20000 {
		xs = append(xs, math.Float64frombits(r.Uint64()), r.NormFloat64(), r.Float64()*1520-760)
		xs = append(xs, math.Copysign(math.Pow(10, r.Float64()*330-330), r.NormFloat64()), 1+r.NormFloat64()*math.Pow(10, -r.Float64()*16))
	}
	for _, v := range []float64{0, math.Inf(1), math.NaN(), 1, 0.5, 2, math.Ln2, math.Ln2 / 2, 40, 80, 708.4, 709, 709.78, 710, 745.14, 746, 752, math.Sqrt2, math.Sqrt2 - 1, math.Sqrt(0.5), 0x1p-1022, 0x1p-1074, math.MaxFloat64} {
		for _, s := range []float64{v, -v} {
			xs = append(xs, s, math.Nextafter(s, 0), math.Nextafter(s, 2*s))
		}
	}
	return xs
}

func TestFunctionsOfFloat64AreAccurateEverywhere(t *testing.T) {
	ones := func(f func(dst, g, x []float64)) func(dst, x []float64) {
		return func(dst, x []float64) {
			g := make([]float64, len(x))
			for i := range g {
				g[i] = 1
			}
			f(dst, g, x)
		}
	}
	forSets(t, func(*testing.T, *Set[float32]) {}, func(t *testing.T, s *Set[float64]) {
		xs := sweep64()
		for _, f := range []struct {
			name string
			got  func(dst, x []float64)
			want func(x float64) float64
			ulps float64 // those of package math included
			from float64 // results below may be 0
		}{
			{"Exp", s.Exp, exact, 3, 0},
			{"ELU", func(dst, x []float64) { s.ELU(dst, x, 1) }, func(x float64) float64 {
				if x > 0 {
					return x
				}
				return math.Expm1(x)
			}, 3, 0},
			{"Sigmoid", s.Sigmoid, sigmoidOf, 5, 0x1p-1021},
			{"Tanh", s.Tanh, math.Tanh, 5, 0},
			{"Log", s.Log, logOf, 2.5, 0},
			{"Softplus", s.Softplus, softplusOf, 4, 0},
			{"SiLU", s.SiLU, siluOf, 5, 0x1p-1021},
			{"SoftplusGrad", ones(s.SoftplusGrad), sigmoidOf, 5, 0},
			{"GELU", func(dst, x []float64) { s.GELU(dst, nearer(x)) }, func(x float64) float64 { return geluOf(nearer([]float64{x})[0]) }, 6, 0},
			{"Erf", s.Erf, math.Erf, 2.5, 0},
			{"ErfGrad", ones(s.ErfGrad), erfSlope, 4, 0},
			{"Sin", s.Sin, func(x float64) float64 { return turned(x, 0) }, 2.5, 0},
			{"Cos", s.Cos, func(x float64) float64 { return turned(x, 1) }, 2.5, 0},
		} {
			dst := make([]float64, len(xs))
			f.got(dst, xs)
			worst, at := 0.0, 0.0
			for i, x := range xs {
				want := f.want(x)
				if want == dst[i] || want != want && dst[i] != dst[i] || math.Abs(want) < f.from && dst[i] == 0 {
					continue
				}
				_, e := math.Frexp(want)
				d := math.Abs(dst[i]-want) / math.Ldexp(1, max(e-53, -1074))
				if d != d {
					d = math.Inf(1) // NaN, or an infinity too much
				}
				if d > worst {
					worst, at = d, x
				}
			}
			if worst > f.ulps {
				t.Errorf("%s(%v) is %v ulp off, want at most %v", f.name, at, worst, f.ulps)
			}
			t.Logf("%s: at most %.3g ulp off, at %v", f.name, worst, at)
		}
	})
}

// exact is math.Exp, which some processors end early.
func exact(x float64) float64 {
	if x > 709 {
		half := math.Exp(x / 2)
		return half * half
	}
	return math.Exp(x)
}

// nearer leaves out where the tail of the normal distribution is a denormal number, of which a
// product has few digits.
func nearer(x []float64) []float64 {
	near := make([]float64, len(x))
	for i, v := range x {
		near[i] = v
		if v < -37 {
			near[i] = -37 - 1/v
		}
	}
	return near
}

// halfPi is π/2 with more digits than numbers up to 1e9 can take from it.
var halfPi = func() *big.Float {
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798", 10, 300, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return pi.Quo(pi, big.NewFloat(2))
}()

// turned is sin(x + quarters·π/2), of arguments in the first quarters around 0 by package math.
func turned(x float64, quarters int64) float64 {
	if !(math.Abs(x) <= 1e9) {
		return [](func(float64) float64){math.Sin, math.Cos}[quarters](x)
	}
	exact := new(big.Float).SetPrec(300).SetFloat64(x)
	n := int64(math.Round(x / (math.Pi / 2)))
	whole := new(big.Float).SetPrec(300).SetInt64(n)
	r, _ := exact.Sub(exact, whole.Mul(whole, halfPi)).Float64()
	switch (n + quarters) & 3 {
	case 0:
		if x == 0 {
			return x
		}
		return math.Sin(r)
	case 1:
		return math.Cos(r)
	case 2:
		return -math.Sin(r)
	default:
		return -math.Cos(r)
	}
}

// Where sine or cosine is nearly 0, what is left of the argument are the last digits of π.
func TestSinesOfFloat64AreAccurateNearTheirZeros(t *testing.T) {
	forSets(t, func(*testing.T, *Set[float32]) {}, func(t *testing.T, s *Set[float64]) {
		if strings.HasSuffix(t.Name(), "reference") {
			return // package math reduces by fewer digits of π
		}
		r := rand.New(rand.NewPCG(49, 50))
		x, sines, cosines := make([]float64, 30000), make([]float64, 30000), make([]float64, 30000)
		for i := range x {
			x[i] = math.Round(math.Exp(r.Float64()*20)) * (math.Pi / 2)
		}
		s.Sin(sines, x)
		s.Cos(cosines, x)
		for i, v := range x {
			for quarters, got := range []float64{sines[i], cosines[i]} {
				want := turned(v, int64(quarters))
				if _, e := math.Frexp(want); math.Abs(got-want) > 2.5*math.Ldexp(1, e-53) {
					t.Fatalf("of %v, %d quarters on: %v, want %v", v, quarters, got, want)
				}
			}
		}
	})
}

// TestPowersOfFloat64AreWithinAUnit of the last place of what they are, by whole and half exponents,
// which have exact definitions: those that are whole numbers are exact.
func TestPowersOfFloat64AreWithinAUnit(t *testing.T) {
	forSets(t, func(*testing.T, *Set[float32]) {}, func(t *testing.T, s *Set[float64]) {
		r := rand.New(rand.NewPCG(45, 46))
		for _, twice := range []int{1, 5, -5, 6, 14, -9, 75, 200, -1000} {
			p := float64(twice) / 2
			x, dst := make([]float64, 4000), make([]float64, 4000)
			for i := range x {
				if x[i] = 1 + r.NormFloat64()*math.Pow(10, -r.Float64()*12); i%2 == 0 {
					x[i] = math.Exp((2*r.Float64() - 1) * 700 / max(math.Abs(p), 1))
				}
				x[i] = math.Abs(x[i])
			}
			s.Pow(dst, x, p)
			worst, at := 0.0, 0.0
			for i, v := range x {
				want := exactPower(v, twice)
				d, _ := new(big.Float).Sub(want, big.NewFloat(dst[i])).Float64()
				rounded, _ := want.Float64()
				if rounded == dst[i] {
					continue // ±Inf, for one
				}
				_, e := math.Frexp(rounded)
				if ulps := math.Abs(d) / math.Ldexp(1, max(e-53, -1074)); ulps > worst {
					worst, at = ulps, v
				}
			}
			limit := 1.0
			if strings.HasSuffix(t.Name(), "reference") {
				limit = 10 + math.Abs(p) // package math multiplies, and rounds each time
			}
			if worst > limit {
				t.Errorf("%v^%v is %v ulp off, want at most %v", at, p, worst, limit)
			}
			t.Logf("exponent %v: at most %.3g ulp off, at %v", p, worst, at)
		}
		for p := 3.0; p < 16; p++ {
			var x, want, dst [32]float64
			for i := range x {
				x[i], want[i] = float64(i-16), 1
				for range int(p) {
					want[i] *= x[i]
				}
			}
			s.Pow(dst[:], x[:], p)
			for i, v := range x {
				if dst[i] != want[i] && math.Abs(want[i]) < 1<<53 {
					t.Errorf("%v^%v is %v, want %v", v, p, dst[i], want[i])
				}
			}
		}
	})
}

// exactPower is x^(twice/2) with 300 bits.
func exactPower(x float64, twice int) *big.Float {
	power := new(big.Float).SetPrec(300).SetInt64(1)
	base := new(big.Float).SetPrec(300).SetFloat64(x)
	for n := max(twice, -twice); n > 0; n >>= 1 {
		if n&1 == 1 {
			power.Mul(power, base)
		}
		base.Mul(base, base)
	}
	if twice < 0 {
		power.Quo(new(big.Float).SetPrec(300).SetInt64(1), power)
	}
	return power.Sqrt(power)
}

// TestPowersAreThoseOfPackageMath, up to a unit in the last place of float32.
func TestPowersAreThoseOfPackageMath(t *testing.T) {
	forSets(t, testPowers[float32], testPowers[float64])
}

func testPowers[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, p := range []float64{2.5, -2.5, 4, 5, -3, 1.0 / 3, 0, 37.7, 1e300, -1e300, 0x1p53, 0x1p53 - 1, math.Inf(1), math.Inf(-1), math.NaN()} {
		for _, n := range lengths {
			what := fmt.Sprintf("Pow %v n=%d", p, n)
			x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%5)
			fillRandom(r, x.s, n%2 == 1)
			set.Pow(dst.s, x.s, p)
			dst.check(t, what)
			for i, v := range x.s {
				if want := powOf(float64(v), p); !agree(dst.s[i], want, 1) {
					t.Fatalf("%s: of %v is %v, want %v", what, v, dst.s[i], want)
				} else if want == 0 && math.Signbit(want) != math.Signbit(float64(dst.s[i])) {
					t.Fatalf("%s: of %v is %v, want %v", what, v, dst.s[i], want)
				}
			}
			set.Pow(x.s, x.s, p)
			compare(t, what+" in place", x, dst.s)
		}
	}
}

func TestPowersOfEachAreThoseOfPackageMath(t *testing.T) {
	forSets(t, testPowersOfEach[float32], testPowersOfEach[float64])
}

func testPowersOfEach[T Float](t *testing.T, set *Set[T]) {
	tiny, huge := T(1e-30), T(1e30) // whose powers leave the range
	least, odd, even := T(1e-45), T(1<<24-1), T(1<<24+2)
	if _, ok := any(tiny).(float64); ok {
		// Through variables: as constants they would not do for float32.
		a, b, c, d, e := 1e-200, 1e200, 5e-324, float64(1<<53-1), float64(1<<53+2)
		tiny, huge, least, odd, even = T(a), T(b), T(c), T(d), T(e)
	}
	inf, nan := T(math.Inf(1)), T(math.NaN())
	negativeZero := T(math.Copysign(0, -1))
	special := []T{0, negativeZero, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 2.5, -2.5, 7, -8, tiny, -tiny, huge, -huge, least, -least, odd, -odd, even, inf, -inf, nan}
	r := rand.New(rand.NewPCG(47, 48))
	same := func(what string, got, a, b T) {
		t.Helper()
		want := powOf(float64(a), float64(b))
		if !agree(got, want, 1) || want == 0 && math.Signbit(want) != math.Signbit(float64(got)) {
			t.Fatalf("%s: %v^%v is %v, want %v", what, a, b, got, want)
		}
	}
	var as, bs []T
	for _, a := range special {
		for _, b := range special {
			as, bs = append(as, a), append(bs, b)
		}
	}
	for range 2000 {
		as = append(as, T(r.NormFloat64()), T(math.Exp(3*r.NormFloat64())))
		bs = append(bs, T(r.IntN(9)-4), T(5*r.NormFloat64()))
	}
	dst := make([]T, len(as))
	set.PowEach(dst, as, bs)
	for i := range dst {
		same("PowEach", dst[i], as[i], bs[i])
	}
	for _, n := range lengths {
		what := fmt.Sprintf("PowEach n=%d", n)
		a, b, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%3), newGuarded[T](n, n%5)
		for i := range n {
			at := r.IntN(len(as))
			a.s[i], b.s[i] = as[at], bs[at]
		}
		set.PowEach(dst.s, a.s, b.s)
		dst.check(t, what)
		for i := range n {
			same(what, dst.s[i], a.s[i], b.s[i])
		}
		other := newGuarded[T](n, 3)
		copy(other.s, b.s)
		set.PowEach(other.s, a.s, other.s)
		compare(t, what+" in place of b", other, dst.s)
		set.PowEach(a.s, a.s, b.s)
		compare(t, what+" in place of a", a, dst.s)
	}
}
