// Tests of the functions of float64: their accuracy over all of float64, in units in the last
// place, and powers.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
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
