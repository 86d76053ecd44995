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
	set := For[float32]()
	long, short := make([]float32, 12), make([]float32, 3)
	for name, f := range map[string]func(){
		"a part of a row":   func() { set.SumEach(long, long, 5) },
		"rows of nothing":   func() { set.MaxEach(long, long, 0) },
		"too few results":   func() { set.MinEach(short, long, 3) },
		"too few long ones": func() { set.SumEach(nil, make([]float32, 64), 64) },
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
