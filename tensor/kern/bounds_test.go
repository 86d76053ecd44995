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

func TestLengthsAreThoseBetweenBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(123, 124))
	for n := range 70 {
		bounds := []int32{math.MaxInt32 - 200_000}
		want32, want64 := make([]float32, n+1), make([]float64, n+1)
		for i := range n {
			length := r.IntN(3) * r.IntN(900)
			want32[i], want64[i] = float32(length), float64(length)
			bounds = append(bounds, bounds[i]+int32(length))
		}
		want32[n], want64[n] = 77, 77
		for name, f := range map[string]func([]float32, []int32){"fastest": fastestLengths(), "reference": lengthsGo[float32], "Lengths": Lengths[float32]} {
			dst := make([]float32, n+1)
			dst[n] = 77
			if f(dst[:n], slices.Clip(bounds)); !slices.Equal(dst, want32) {
				t.Fatalf("%s: of %v: got %v, want %v", name, bounds, dst, want32)
			}
		}
		dst := make([]float64, n+1)
		dst[n] = 77
		if Lengths(dst[:n], bounds); !slices.Equal(dst, want64) {
			t.Fatalf("of %v: got %v, want %v", bounds, dst, want64)
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
