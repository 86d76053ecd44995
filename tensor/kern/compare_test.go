// Tests of comparisons and selection.

package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestComparisonsAreThoseOfGo(t *testing.T) {
	forSets(t, testComparisons[float32], testComparisons[float64])
}

func testComparisons[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(41, 42))
	cases := []struct {
		name string
		got  func(dst []bool, a, b []T)
		want func(a, b T) bool
	}{
		{"Equal", set.Equal, func(a, b T) bool { return a == b }},
		{"NotEqual", set.NotEqual, func(a, b T) bool { return a != b }},
		{"Less", set.Less, func(a, b T) bool { return a < b }},
		{"LessEqual", set.LessEqual, func(a, b T) bool { return a <= b }},
		{"Greater", set.Greater, func(a, b T) bool { return a > b }},
		{"GreaterEqual", set.GreaterEqual, func(a, b T) bool { return a >= b }},
	}
	for _, c := range cases {
		for _, n := range lengths {
			what := fmt.Sprintf("%s n=%d", c.name, n)
			a, b := newGuarded[T](n, n%8), newGuarded[T](n, n%5)
			fillRandom(r, a.s, true)
			fillRandom(r, b.s, true)
			for i := range n {
				if r.IntN(3) == 0 {
					b.s[i] = a.s[i]
				}
			}
			dst := make([]bool, n+2) // guarded by what no element of it becomes
			dst[n], dst[n+1] = true, true
			c.got(dst[:n], a.s, b.s)
			if !dst[n] || !dst[n+1] {
				t.Fatalf("%s: wrote beyond the end", what)
			}
			for i := range n {
				if dst[i] != c.want(a.s[i], b.s[i]) {
					t.Fatalf("%s: of %v and %v at %d is %v", what, a.s[i], b.s[i], i, dst[i])
				}
			}
		}
	}
}

func TestSelectTakesWhatTheMaskNames(t *testing.T) {
	forSets(t, testSelect[float32], testSelect[float64])
}

func testSelect[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, n := range lengths {
		what := fmt.Sprintf("Select n=%d", n)
		a, b, dst := newGuarded[T](n, n%8), newGuarded[T](n, n%5), newGuarded[T](n, n%3)
		fillRandom(r, a.s, true)
		fillRandom(r, b.s, true)
		mask, want := make([]bool, n), make([]T, n)
		for i := range mask {
			mask[i] = r.IntN(2) == 0
			if want[i] = b.s[i]; mask[i] {
				want[i] = a.s[i]
			}
		}
		set.Select(dst.s, mask, a.s, b.s)
		compare(t, what, dst, want)
		set.Select(a.s, mask, a.s, b.s)
		compare(t, what+" in place", a, want)
	}
}
