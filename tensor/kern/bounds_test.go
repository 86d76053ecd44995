// Tests of the bounds of segments.

package kern

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBoundsAreOffsetsCountedFromTheFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	fast, _ := fastestBounds()
	for n := range 70 {
		offsets, want := make([]int32, n), make([]int32, n)
		at := int32(r.IntN(1000))
		for i := range offsets {
			offsets[i] = at
			want[i] = at - offsets[0]
			at += int32(r.IntN(3) * r.IntN(1000))
		}
		for name, f := range map[string]func(dst, offsets []int32){"fastest": fast, "reference": rebaseGo, "Bounds": Bounds} {
			dst := make([]int32, n+1)
			dst[n] = 77
			f(dst[:n], offsets)
			if !slices.Equal(dst[:n], want) || dst[n] != 77 {
				t.Fatalf("%s: %d offsets: got %v, want %v and 77", name, n, dst, want)
			}
			f(offsets[:n:n], slices.Clone(offsets))
			if !slices.Equal(offsets, want) {
				t.Fatalf("%s: in place: %d offsets: got %v, want %v", name, n, offsets, want)
			}
			copy(offsets, want) // from the first, for the next
		}
	}
}

func TestADecreaseIsFoundWhereverItIs(t *testing.T) {
	_, fast := fastestBounds()
	for name, f := range map[string]func([]int32) bool{"fastest": fast, "reference": decreasesGo} {
		for n := range 70 {
			bounds := make([]int32, n, n+1)
			for i := range bounds {
				bounds[i] = int32(i/3) - 5
			}
			if n > 0 {
				bounds[n-1] = math.MaxInt32
			}
			bounds[:n+1][n] = -100 // not of the slice
			if f(bounds) {
				t.Fatalf("%s: a decrease among %v", name, bounds)
			}
			for i := range n {
				old := bounds[i]
				bounds[i] = math.MinInt32
				if got := f(bounds); got != (i > 0) {
					t.Fatalf("%s: %v for a decrease at %d of %d", name, got, i, n)
				}
				bounds[i] = old
			}
		}
	}
}
