// Tests of the reductions of every row.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestReductionsOfEachRowHaveTheBitsOfThatOfOne(t *testing.T) {
	forSets(t, testEach[float32], testEach[float64])
}

func testEach[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(81, 82))
	for _, k := range []struct {
		name string
		each func(dst, x []T, n int)
		one  func(x []T) T
	}{{"SumEach", set.SumEach, set.Sum}, {"MaxEach", set.MaxEach, set.MaxOf}, {"MinEach", set.MinEach, set.MinOf}} {
		for n := 1; n <= 70; n++ {
			for _, rows := range []int{0, 1, 2, 9} {
				for _, special := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
					x, got := newGuarded[T](rows*n, n%8), newGuarded[T](rows, rows%8)
					fillRandom(r, x.s, false)
					if special != 0 && rows > 0 {
						x.s[r.IntN(len(x.s))] = T(special)
					}
					k.each(got.s, x.s, n)
					want := make([]T, rows)
					for i := range want {
						want[i] = k.one(x.s[i*n : (i+1)*n])
					}
					compare(t, fmt.Sprintf("%s of %d rows of %d with %v", k.name, rows, n, special), got, want)
				}
			}
		}
	}
}

func TestReductionsOfEachRowRejectWhatIsNoRows(t *testing.T) {
	forSets(t, testNoRows[float32], testNoRows[float64])
}

func testNoRows[T Float](t *testing.T, set *Set[T]) {
	long, short := make([]T, 12), make([]T, 3)
	for name, f := range map[string]func(){
		"a part of a row":   func() { set.SumEach(long, long, 5) },
		"rows of nothing":   func() { set.MaxEach(long, long, 0) },
		"too few results":   func() { set.MinEach(short, long, 3) },
		"too few long ones": func() { set.SumEach(nil, make([]T, 64), 64) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestDotEachMultipliesRowWithRow(t *testing.T) {
	forSets(t, testDotEach[float32], testDotEach[float64])
}

func testDotEach[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(83, 84))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 16, 24, 32, 64, 65, 128} {
		for _, rows := range []int{0, 1, 2, 3, 7, 16, 33} {
			a, b, got := newGuarded[T](rows*n, n%8), newGuarded[T](rows*n, 3), newGuarded[T](rows, rows%8)
			fillRandom(r, a.s, false)
			fillRandom(r, b.s, false)
			if rows > 1 {
				copy(a.s[n:], a.s[:n]) // row 1 is row 0
				copy(b.s[n:], b.s[:n])
			}
			if rows > 2 {
				a.s[2*n] = T(math.NaN()) // in row 2 alone
			}
			set.DotEach(got.s, a.s, b.s, n)
			got.check(t, "DotEach")
			for row, v := range got.s {
				dot, size := 0.0, 0.0
				for k := row * n; k < (row+1)*n; k++ {
					dot += float64(a.s[k]) * float64(b.s[k])
					size += math.Abs(float64(a.s[k]) * float64(b.s[k]))
				}
				if !near(float64(v), dot, epsilon[T]()*float64(n/8+8)*size) {
					t.Fatalf("n=%d: row %d of %d gives %v, want %v", n, row, rows, v, dot)
				}
			}
			if rows > 1 && got.s[0] != got.s[1] {
				t.Fatalf("n=%d: equal rows give %v and %v", n, got.s[0], got.s[1])
			}
		}
	}
}
