package tensor

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortOfAnyNumbers has rows of the lengths at which the way of sorting changes, of numbers
// of any bits, and of the ends of their range.
func TestSortOfAnyNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	inf, nan := math.Inf(1), math.NaN()
	testSortOf(t, func() float32 { return math.Float32frombits(r.Uint32()) },
		[]float32{0, float32(math.Copysign(0, -1)), float32(inf), float32(-inf), float32(nan), float32(math.Copysign(nan, -1)), math.MaxFloat32, -math.MaxFloat32, 1e-45, -1e-45})
	testSortOf(t, func() float64 { return math.Float64frombits(r.Uint64()) },
		[]float64{0, math.Copysign(0, -1), inf, -inf, nan, math.Copysign(nan, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324})
	testSortOf(t, func() int32 { return int32(r.Uint32()) }, []int32{0, math.MinInt32, math.MaxInt32, -1, 1})
	testSortOf(t, func() int64 { return int64(r.Uint64()) }, []int64{0, math.MinInt64, math.MaxInt64, -1, 1})
}

func testSortOf[T Number](t *testing.T, draw func() T, special []T) {
	r := rand.New(rand.NewPCG(7, 8))
	before := func(a, b T) int { // NaN is the largest
		if a != a || b != b {
			return cmp.Compare(b, a)
		}
		return cmp.Compare(a, b)
	}
	for _, n := range []int{1, 2, manyRanked - 1, manyRanked, manyRanked + 1, 300, 3000} {
		x := make([]T, n)
		for i := range x {
			if x[i] = draw(); r.IntN(4) == 0 {
				x[i] = special[r.IntN(len(special))]
			}
		}
		for _, down := range []bool{false, true} {
			want := make([]int, n)
			for i := range want {
				want[i] = i
			}
			slices.SortStableFunc(want, func(i, j int) int {
				if down {
					i, j = j, i
				}
				return before(x[i], x[j])
			})
			values, indices := Sort(FromSlice(slices.Clone(x), n), down)
			for i, at := range Data[int64](indices) {
				got := Data[T](values)[i]
				if int(at) != want[i] || got != x[at] && x[at] == x[at] {
					t.Fatalf("%T, %d elements, descending %v: place %d is %v from %d, want %v from %d", x, n, down, i, got, at, x[want[i]], want[i])
				}
			}
		}
	}
}
