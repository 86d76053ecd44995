package tensor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestColumnsAreBroadcastOverLongMatrices has shapes of more than a grain, whose columns are laid out
// for kernels.
func TestColumnsAreBroadcastOverLongMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	numbers := func(dt DType, shape ...int) *Tensor {
		x := Zeros(dt, shape...)
		for i := range x.Size() {
			v := float64(r.IntN(9) - 4)
			switch dt {
			case Float32:
				Data[float32](x)[i] = float32(v)
			case Float64:
				Data[float64](x)[i] = v
			default:
				Data[int32](x)[i] = int32(v)
			}
		}
		return x
	}
	for _, c := range []struct{ full, column Shape }{
		{Shape{9000, 2}, Shape{9000, 1}}, {Shape{4001, 5}, Shape{4001, 1}}, {Shape{3001, 8}, Shape{3001, 1}}, {Shape{2001, 16}, Shape{2001, 1}},
		{Shape{700, 33}, Shape{700, 1}}, {Shape{101, 200}, Shape{101, 1}}, {Shape{9, chainTile}, Shape{9, 1}}, {Shape{9, chainTile + 1}, Shape{9, 1}},
		{Shape{2, 9000}, Shape{2, 1}}, {Shape{401, 8, 8}, Shape{401, 8, 1}}, {Shape{401, 8, 8}, Shape{401, 1, 1}}, {Shape{401, 8, 8}, Shape{401, 1, 8}},
		{Shape{20_000, 1}, Shape{20_000, 1}}, {Shape{401, 64}, Shape{1, 1}},
	} {
		for _, dt := range []DType{Float32, Float64, Int32} {
			full, column := numbers(dt, c.full...), numbers(dt, c.column...)
			spread := column.Expand(c.full...).Contiguous()
			check := func(what string, got, want *Tensor) {
				if !got.Shape().Equal(want.Shape()) || !slices.Equal(got.Float64s(), want.Float64s()) {
					t.Errorf("%s of %v %v and %v is not that of the column spread", what, dt, c.full, c.column)
				}
			}
			if dt != Int32 {
				check("Add", Add(full, column), Add(full, spread))
				check("Sub", Sub(full, column), Sub(full, spread))
				check("Sub, column first", Sub(column, full), Sub(spread, full))
			}
			check("Less", Less(full, column).To(Float64), Less(full, spread).To(Float64))
			check("Less, column first", Less(column, full).To(Float64), Less(spread, full).To(Float64))
			check("Where", Where(Less(full, column), column, full), Where(Less(full, spread), spread, full))
		}
	}
}

func TestElementsAreRepeatedEach(t *testing.T) {
	testRepeatEach[bool](t)
	testRepeatEach[int32](t)
	testRepeatEach[float32](t)
	testRepeatEach[int64](t)
	testRepeatEach[float64](t)
}

func testRepeatEach[T Element](t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {1, 63}, {1, 64}, {2, 32}, {5, 40}, {3, 40}, {9, 40}, {128, 1}, {300, 2}, {2, 300}, {100, 7}, {1, 512}, {1, 100}, {256, 8}} {
		m, n := c[0], c[1]
		x := make([]T, m)
		for i := range x {
			FromSlice(x[i : i+1]).Fill(float64(i % 3))
		}
		d := make([]T, m*n+1)
		repeatEach(d, x, n)
		for i, v := range d[:m*n] {
			if v != x[i/n] {
				t.Fatalf("%T: %d elements %d times each: element %d is %v, want %v", v, m, n, i, v, x[i/n])
			}
		}
		if d[m*n] != *new(T) {
			t.Fatalf("%T: %d elements %d times each: written behind the end", d[0], m, n)
		}
	}
}

func TestShapesThatAreTheBeginningOfOthers(t *testing.T) {
	full := Shape{4, 3, 2}
	for _, c := range []struct {
		s    Shape
		want bool
	}{
		{Shape{4, 3, 2}, true}, {Shape{4, 3, 1}, true}, {Shape{4, 1, 1}, true}, {Shape{1, 1, 1}, true},
		{Shape{4, 1, 2}, false}, {Shape{1, 3, 1}, false}, {Shape{4, 3}, false}, {Shape{4, 1}, false}, {Shape{}, false}, {Shape{1, 4, 3, 2}, false}, {Shape{2, 1, 1}, false},
	} {
		if got := c.s.headsOf(full); got != c.want {
			t.Errorf("%v heads of %v: %v, want %v", c.s, full, got, c.want)
		}
	}
}
