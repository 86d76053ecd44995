// Tests of the reductions of a slice to a number or a place.

package kern

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSumsOfTermsMatchFloat64(t *testing.T) {
	forSets(t, testSums[float32], testSums[float64])
}

func testSums[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(51, 52))
	const mean = 0.375
	kernels := []struct {
		name string
		got  func(x []T) T
		term func(x float64) float64
	}{
		{"SumAbs", set.SumAbs, math.Abs},
		{"SumSquares", set.SumSquares, func(x float64) float64 { return x * x }},
		{"SumSquaredDev", func(x []T) T { return set.SumSquaredDev(x, mean) }, func(x float64) float64 { return (x - mean) * (x - mean) }},
	}
	for _, k := range kernels {
		for _, n := range lengths {
			x := newGuarded[T](n, n%7)
			fillRandom(r, x.s, false)
			want := 0.0
			for _, v := range x.s {
				want += k.term(float64(v))
			}
			if got := float64(k.got(x.s)); math.Abs(got-want) > epsilon[T]()*float64(n/8+8)*want {
				t.Errorf("%s n=%d is %v, want %v", k.name, n, got, want)
			}
			for i := range x.s {
				old := x.s[i]
				for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					x.s[i] = T(v)
					if got := k.got(x.s); !same(got, T(math.Abs(v))) {
						t.Fatalf("%s n=%d with %v at %d is %v", k.name, n, v, i, got)
					}
				}
				x.s[i] = old
			}
		}
	}
}

func TestMinOfIsTheSmallestOrNaN(t *testing.T) {
	forSets(t, testMinOf[float32], testMinOf[float64])
}

func testMinOf[T Float](t *testing.T, set *Set[T]) {
	if got := set.MinOf(nil); got != T(math.Inf(1)) {
		t.Errorf("MinOf of nothing is %v", got)
	}
	for _, n := range lengths[1:] {
		x := newGuarded[T](n, n%7)
		for i := range x.s {
			for k := range x.s {
				x.s[k] = 2
			}
			for _, v := range []float64{1, -3, math.Inf(-1), math.NaN()} {
				x.s[i] = T(v)
				if got := set.MinOf(x.s); !same(got, T(v)) {
					t.Fatalf("MinOf n=%d with %v at %d is %v", n, v, i, got)
				}
			}
		}
	}
}

func TestArgMaxAndArgMinFindTheFirst(t *testing.T) {
	forSets(t, testArg[float32], testArg[float64])
}

func testArg[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(53, 54))
	sizes := append([]int{2047, 2048, 2049, 4096, 5000, 6151}, lengths...)
	for _, n := range sizes {
		for round := range 12 {
			x := newGuarded[T](n, n%7)
			for i := range x.s {
				switch round % 4 {
				case 0:
					x.s[i] = T(r.IntN(4)) // many ties
				case 1:
					x.s[i] = T(math.Inf(1 - r.IntN(2)*2))
				case 2:
					x.s[i] = T(r.NormFloat64())
				case 3:
					if x.s[i] = -5; r.IntN(n) < 2 { // few NaN
						x.s[i] = T(math.NaN())
					}
				}
			}
			largest, smallest := -1, -1
			for i, v := range x.s {
				if largest < 0 || v > x.s[largest] {
					largest = i
				}
				if smallest < 0 || v < x.s[smallest] {
					smallest = i
				}
				if v != v {
					largest, smallest = i, i
					break
				}
			}
			if got := set.ArgMax(x.s); got != largest {
				t.Fatalf("ArgMax n=%d round %d is %d, want %d", n, round, got, largest)
			}
			if got := set.ArgMin(x.s); got != smallest {
				t.Fatalf("ArgMin n=%d round %d is %d, want %d", n, round, got, smallest)
			}
		}
	}
}
