// Tests of the sums and maxima of segments.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestSegmentTotalsAreThoseOfTheirEdges(t *testing.T) {
	forSets(t, testSegmentTotals[float32], testSegmentTotals[float64])
}

func testSegmentTotals[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(95, 96))
	for _, width := range []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33} {
		for _, rows := range []int{0, 1, 2, 5, 30, 33} {
			for _, special := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
				bounds := someBounds(r, rows, rows%3)
				n := int(bounds[rows])
				what := fmt.Sprintf("width=%d rows=%d special=%v", width, rows, special)
				x, acc := newGuarded[T](n*width, width%8), newGuarded[T](rows*width, rows%8)
				fillRandom(r, x.s, false)
				fillRandom(r, acc.s, false)
				for i := range x.s {
					if special != 0 && r.IntN(20) == 0 {
						x.s[i] = T(special)
					}
				}
				if special != special && rows > 2 && width > 0 {
					acc.s[0] = T(special) // stays, if there is more
				}
				start := append([]T(nil), acc.s...)
				each := func(f func(i int, edges []T)) { // of every element of acc
					for i := range acc.s {
						var edges []T
						for e := int(bounds[i/width]); e < int(bounds[i/width+1]); e++ {
							edges = append(edges, x.s[e*width+i%width])
						}
						f(i, edges)
					}
				}
				for _, more := range []bool{false, true} {
					copy(acc.s, start)
					set.SegmentMax(acc.s, x.s, width, bounds, more)
					want := append([]T(nil), start...)
					each(func(i int, edges []T) {
						if len(edges) == 0 {
							return
						}
						if more {
							edges = append(edges, start[i])
						}
						want[i] = maxOf(edges)
					})
					compare(t, fmt.Sprintf("SegmentMax %s more=%v", what, more), acc, want)
				}
				copy(acc.s, start)
				set.SegmentSum(acc.s, x.s, width, bounds)
				acc.check(t, what)
				each(func(i int, edges []T) {
					sum, size := float64(start[i]), math.Abs(float64(start[i]))
					for _, v := range edges {
						sum += float64(v)
						size += math.Abs(float64(v))
					}
					if !near(float64(acc.s[i]), sum, epsilon[T]()*size*float64(2+len(edges))) {
						t.Fatalf("SegmentSum %s: element %d is %v, want %v", what, i, acc.s[i], sum)
					}
				})
			}
		}
	}
}

// TestSegmentSumsOfARowDoNotDependOnItsPlace has rows of the same numbers.
func TestSegmentSumsOfARowDoNotDependOnItsPlace(t *testing.T) {
	forSets(t, testSumPlace[float32], testSumPlace[float64])
}

func testSumPlace[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(97, 98))
	const rows = 21
	for _, edges := range []int{1, 7, 16, 20, 45} {
		row := make([]T, edges)
		fillRandom(r, row, false)
		var x []T
		bounds := []int32{0}
		for range rows {
			x = append(x, row...)
			bounds = append(bounds, int32(len(x)))
		}
		acc := make([]T, rows)
		set.SegmentSum(acc, x, 1, bounds)
		for i, v := range acc {
			if v != acc[0] {
				t.Errorf("%d edges: row %d gives %v, row 0 %v", edges, i, v, acc[0])
			}
		}
	}
}

func TestRectifiedSumsAreThoseOfTheirTerms(t *testing.T) {
	forSets(t, testAddReLU[float32], testAddReLU[float64])
}

func testAddReLU[T Float](t *testing.T, set *Set[T]) {
	const tableRows = 9
	r := rand.New(rand.NewPCG(93, 94))
	for _, width := range []int{0, 1, 7, 8, 16, 20, 24, 32, 64, 120, 128, 136} {
		for _, rows := range []int{0, 1, 2, 30} {
			bounds := someBounds(r, rows, rows%3)
			n := int(bounds[rows])
			what := fmt.Sprintf("width=%d rows=%d", width, rows)
			ids := idSlice(r, n, tableRows)
			x, own, dst := newGuarded[T](tableRows*width, width%8), newGuarded[T](rows*width, rows%8), newGuarded[T](n*width, 0)
			fillRandom(r, x.s, true)
			fillRandom(r, own.s, false)
			fillRandom(r, dst.s, false)
			want := append([]T(nil), dst.s...) // stays before the first bound
			for row := range rows {
				for e := int(bounds[row]); e < int(bounds[row+1]); e++ {
					for k := range width {
						v := x.s[int(ids[e])*width+k] + own.s[row*width+k]
						if v < 0 {
							v = 0
						}
						want[e*width+k] = v
					}
				}
			}
			set.SegmentAddReLU(dst.s, x.s, own.s, width, ids, bounds)
			compare(t, "SegmentAddReLU "+what, dst, want)
		}
	}
}
