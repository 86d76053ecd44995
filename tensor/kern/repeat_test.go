package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestRepeatRowsBringsEachRowToItsEdges(t *testing.T) {
	forSets(t, testRepeat[float32], testRepeat[float64])
}

func testRepeat[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, width := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 33} {
		for _, rows := range []int{0, 1, 2, 3, 40} {
			x := newGuarded[T](rows*width, width%8)
			fillRandom(r, x.s, rows == 3)
			bounds := make([]int32, rows+1)
			bounds[0] = int32(rows % 2 * 5)
			var want []T
			for i := range rows {
				n := r.IntN(5) * r.IntN(9) // often none
				switch {
				case rows == 40 && i >= 3 && i < 23: // one each, side by side
					n = 1
				case rows == 40 && i >= 29 && i < 37: // as many, but not one each
					n = (i - 28) / 8 * 8
				}
				bounds[i+1] = bounds[i] + int32(n)
				for range n {
					want = append(want, x.s[i*width:(i+1)*width]...)
				}
			}
			first := int(bounds[0]) * width
			dst := newGuarded[T](first+len(want), 3)
			before := append([]T(nil), dst.s[:first]...)
			set.RepeatRows(dst.s, x.s, width, bounds)
			compare(t, fmt.Sprintf("RepeatRows width=%d rows=%d", width, rows), dst, append(before, want...))
		}
	}
}

func TestRepeatRowsRefusesBoundsThatDecrease(t *testing.T) {
	forSets(t, testRepeatDecreasing[float32], testRepeatDecreasing[float64])
}

func testRepeatDecreasing[T Float](t *testing.T, set *Set[T]) {
	for _, width := range []int{1, 3, 4, 8} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("width %d: no panic", width)
				}
			}()
			set.RepeatRows(make([]T, 80), make([]T, 80), width, []int32{0, 3, 2, 1 << 20})
		}()
	}
}
