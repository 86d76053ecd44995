// Sums in place, into views.

package tensor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSumsIntoViewsEqualLoops(t *testing.T) {
	s := rand.New(rand.NewPCG(1, 1))
	view := func(shape ...int) (x, whole *Tensor) { // a part of a tensor, its axes in any order
		wide := make([]int, len(shape))
		order := s.Perm(len(shape))
		for k, at := range order {
			wide[k] = shape[at] + s.IntN(3)
		}
		whole = Zeros(Float64, wide...)
		data := Data[float64](whole)
		for i := range data {
			data[i] = float64(s.IntN(100))
		}
		x = whole
		for k, at := range order {
			lo := s.IntN(wide[k] - shape[at] + 1)
			x = x.Narrow(k, lo, lo+shape[at])
		}
		back := make([]int, len(order))
		for k, at := range order {
			back[at] = k
		}
		return x.Transpose(back...), whole
	}
	shapes := [][]int{{3}, {1, 4}, {5, 1}, {4, 3, 2}, {0, 3}, {2, 0}, {300, 200}, {3, 40000}, {70, 30, 40}}
	for _, shape := range shapes {
		for range 12 {
			dst, whole := view(shape...)
			src, _ := view(shape...)
			if s.IntN(4) == 0 {
				src = Full(Float64, 3, 1).Expand(shape...)
			}
			want := make([]float64, dst.Size())
			x, y := dst.Float64s(), src.Float64s()
			for i := range want {
				want[i] = x[i] + y[i]
			}
			around := Sum(whole, false).Item() + Sum(src, false).Item()
			AddInto(dst, src)
			if !slices.Equal(dst.Float64s(), want) {
				t.Fatalf("%v %v += %v: wrong sum", shape, dst.Strides(), src.Strides())
			}
			if got := Sum(whole, false).Item(); got != around {
				t.Fatalf("%v %v: writes beside the view", shape, dst.Strides())
			}
		}
	}
	x := Arange(Float64, 0, 200, 1).Reshape(2, 100)
	AddInto(x.Narrow(1, 1, 100), x.Narrow(1, 0, 99)) // all are read before one is written
	for i, got := range Data[float64](x) {
		want := float64(2*i - 1)
		if i%100 == 0 {
			want = float64(i)
		}
		if got != want {
			t.Fatalf("a matrix plus itself moved by a column: element %d is %v, want %v", i, got, want)
		}
	}
}
