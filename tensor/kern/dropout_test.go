// Tests of the dropout kernels.

package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
)

var thresholds = []uint64{0, 1, rng.Threshold(0.1), 1 << 31, 1<<31 + 1, rng.Threshold(0.6), 1<<32 - 1, 1 << 32}

func TestDropoutDrawsAsKeepDoes(t *testing.T) {
	forSets(t, testDropout[float32], testDropout[float64])
}

func testDropout[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, n := range lengths {
		// Indices that begin anywhere, cross 2^32 inside, and lie beyond it.
		for _, first := range []uint64{0, 3, 1<<31 - 9, 1<<32 - uint64(n/2), 1<<32 - 1, 5<<32 - 16, 1 << 41} {
			threshold, seed := thresholds[r.IntN(len(thresholds))], r.Uint64()
			what := fmt.Sprintf("Dropout n=%d first=%d threshold=%d", n, first, threshold)
			x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%5)
			fillRandom(r, x.s, n%2 == 1)
			want := make([]T, n)
			for i := range want {
				if rng.Keep(seed, first+uint64(i), threshold) {
					want[i] = x.s[i] * 2.5
				}
			}
			set.Dropout(dst.s, x.s, seed, first, threshold, 2.5)
			compare(t, what, dst, want)
			set.Dropout(x.s, x.s, seed, first, threshold, 2.5)
			compare(t, what+" in place", x, want)
		}
	}
}

func TestDropoutRowsDrawsAsKeepDoes(t *testing.T) {
	forSets(t, testDropoutRows[float32], testDropoutRows[float64])
}

func testDropoutRows[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, width := range []int{0, 1, 2, 3, 7, 8, 9, 16, 33, 64} {
		for _, n := range []int{0, 1, 2, 7, 8, 9, 16, 17, 40} {
			for _, threshold := range thresholds {
				seed := r.Uint64()
				what := fmt.Sprintf("DropoutRows width=%d ids=%d threshold=%d", width, n, threshold)
				ids := make([]int32, n)
				for e := range ids {
					ids[e] = int32(r.Uint32() >> (1 + r.IntN(2)*20)) // half of them large
				}
				x, dst := newGuarded[T](n*width, n%7), newGuarded[T](n*width, n%5)
				fillRandom(r, x.s, n%2 == 1)
				want := make([]T, n*width)
				for i := range want {
					index := uint64(ids[i/width])*uint64(width) + uint64(i%width)
					if rng.Keep(seed, index, threshold) {
						want[i] = x.s[i] * 1.25
					}
				}
				set.DropoutRows(dst.s, x.s, width, ids, seed, threshold, 1.25)
				compare(t, what, dst, want)
			}
		}
	}
}
