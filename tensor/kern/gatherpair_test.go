package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestGatheredPairsAreTheirRowsOneByOne holds the kernels to Add, Sub and Mul of each
// pair of rows, bit by bit, and in place where an operand is read in order.
func TestGatheredPairsAreTheirRowsOneByOne(t *testing.T) {
	forSets(t, testPairs[float32], testPairs[float64])
}

func testPairs[T Float](t *testing.T, set *Set[T]) {
	const rows = 70 // as many as ids at most
	r := rand.New(rand.NewPCG(41, 42))
	for _, k := range []struct {
		name string
		pair func(dst, x, y []T, width int, xs, ys []int32)
		row  func(dst, x, y []T)
	}{
		{"GatherAdd", set.GatherAdd, set.Add}, {"GatherSub", set.GatherSub, set.Sub}, {"GatherMul", set.GatherMul, set.Mul},
		{"GatherRSub", set.GatherRSub, func(dst, x, y []T) { set.Sub(dst, y, x) }},
	} {
		for _, width := range widths {
			for _, n := range idCounts {
				x, y := newGuarded[T](max(rows*width, 1), width%8), newGuarded[T](max(rows*width, 1), n%8)
				fillRandom(r, x.s, n%3 == 1)
				fillRandom(r, y.s, n%3 == 1)
				xs, ys, inOrder := idSlice(r, n, rows), idSlice(r, n, rows), make([]int32, n)
				dst, want := newGuarded[T](n*width, 3), make([]T, n*width)
				for e := range n {
					inOrder[e] = int32(e)
					k.row(want[e*width:][:width], x.s[int(xs[e])*width:], y.s[int(ys[e])*width:])
				}
				what := fmt.Sprintf("%s width=%d ids=%d", k.name, width, n)
				k.pair(dst.s, x.s, y.s, width, xs, ys)
				compare(t, what, dst, want)
				for e := range n {
					k.row(want[e*width:][:width], x.s[int(xs[e])*width:], dst.s[e*width:])
				}
				k.pair(dst.s, x.s, dst.s, width, xs, inOrder)
				compare(t, what+" in place", dst, want)
			}
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes fewer ys than xs", k.name)
				}
			}()
			k.pair(make([]T, 32), make([]T, 32), make([]T, 32), 8, []int32{0, 0, 0}, make([]int32, 2))
		}()
	}
}
