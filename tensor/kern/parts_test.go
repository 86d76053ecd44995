// Tests of picked rows taken apart.

package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestGatherPartsTakesRowsApart(t *testing.T) {
	forSets(t, testParts[float32], testParts[float64])
}

func testParts[T Float](t *testing.T, set *Set[T]) {
	const rows = 19
	r := rand.New(rand.NewPCG(99, 100))
	for _, width := range []int{1, 2, 3, 8, 9} {
		for parts := 1; parts <= 5; parts++ {
			for _, n := range append([]int{3, 4, 5, 6}, idCounts...) {
				stride := width*parts + n%2*3
				x := newGuarded[T](rows*stride, width%8)
				fillRandom(r, x.s, false)
				ids := idSlice(r, n, rows)
				var dst [][]T
				var all []*guarded[T]
				for range parts {
					g := newGuarded[T](n*width, n%8)
					all, dst = append(all, g), append(dst, g.s)
				}
				set.GatherParts(dst, x.s, width, stride, ids)
				for p, g := range all {
					var want []T
					for _, id := range ids {
						want = append(want, x.s[int(id)*stride+p*width:][:width]...)
					}
					compare(t, fmt.Sprintf("GatherParts width=%d parts=%d ids=%d: part %d", width, parts, n, p), g, want)
				}
			}
		}
	}
}
