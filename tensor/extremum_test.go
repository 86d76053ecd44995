// Tests of where extrema are, of sorting and of running sums.

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestMaxAndArgmaxSeeNaNAndTakeTheFirstOfEquals(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		nan, inf := math.NaN(), math.Inf(-1)
		x := FromSlice([]float64{
			1, 3, 3, 2,
			1, nan, 5, nan,
			inf, inf, inf, inf,
			-1, -2, -3, -1,
		}, 4, 4).To(dt)
		got := Argmax(x)
		if got.DType() != Int64 {
			t.Errorf("Argmax has type %v", got.DType())
		}
		wantClose(t, "Argmax", got, Shape{4}, []float64{1, 1, 0, 0}, 0)
		wantClose(t, "Max by rows", Max(x, false, 1), Shape{4}, []float64{3, nan, inf, -1}, 0)
		wantClose(t, "Max by columns", Max(x, false, 0), Shape{4}, []float64{1, nan, 5, nan}, 0)
		wantClose(t, "Argmax of no rows", Argmax(Zeros(dt, 0, 3)), Shape{0}, nil, 0)
	})
}

// lines calls f with each line of a tensor along an axis and its index outside of
// the axis.
func lines(x *Tensor, axis int, f func(at []int, line []float64)) {
	outside := x.Shape().Clone()
	outside[axis] = min(1, outside[axis])
	for _, at := range indices(outside) {
		var line []float64
		for j := range x.Shape()[axis] {
			idx := slices.Clone(at)
			idx[axis] = j
			line = append(line, x.At(idx...))
		}
		f(at, line)
	}
}

// best returns the index of the first largest (or smallest) number, a NaN before all.
func best(line []float64, largest bool) int {
	at := 0
	for i, v := range line {
		b := line[at]
		if math.IsNaN(b) {
			break
		}
		if math.IsNaN(v) || largest && v > b || !largest && v < b {
			at = i
		}
	}
	return at
}

// tied returns small whole numbers, many of them equal, and for floats some NaN.
func tied(r *rand.Rand, dt DType, shape ...int) *Tensor {
	x := Zeros(Float64, shape...)
	for i := range Data[float64](x) {
		Data[float64](x)[i] = float64(r.IntN(7) - 3)
		if dt.IsFloat() && r.IntN(12) == 0 {
			Data[float64](x)[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(3)]
		}
	}
	return x.To(dt)
}

func TestExtremaAlongEveryAxis(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, shape := range []Shape{{6}, {1}, {4, 5}, {5, 1}, {3, 4, 5}, {2, 300, 3}, {3, 2, 300}, {0, 3}} {
			for axis := range shape {
				if shape[axis] == 0 {
					continue
				}
				x := tied(r, dt, shape...)
				for _, largest := range []bool{true, false} {
					values, ids := MaxAlong(x, axis, true)
					args := Argmax(x, axis-len(shape))
					dropped, _ := MaxAlong(x, axis, false)
					if !largest {
						values, ids = MinAlong(x, axis, true)
						args = Argmin(x, axis)
						dropped, _ = MinAlong(x, axis, false)
					}
					what := fmt.Sprintf("%v over %d, largest %v", shape, axis, largest)
					if ids.DType() != Int64 || values.DType() != dt {
						t.Fatalf("%s: types %v, %v", what, values.DType(), ids.DType())
					}
					lines(x, axis, func(at []int, line []float64) {
						want := best(line, largest)
						if got := ids.At(at...); got != float64(want) {
							t.Fatalf("%s at %v: index %v, want %d of %v", what, at, got, want, line)
						}
						if got := values.At(at...); got != line[want] && !math.IsNaN(line[want]) {
							t.Fatalf("%s at %v: %v, want %v", what, at, got, line[want])
						}
					})
					short := slices.Delete(shape.Clone(), axis, axis+1)
					wantClose(t, what+", Arg", args, short, ids.Float64s(), 0)
					wantClose(t, what+", values", dropped, short, values.Float64s(), 0)
				}
			}
		}
	})
}

// Many rows are compared in bands: the first of equals may be in any.
func TestExtremaOfManyRowsAreTheFirstWhereverTheyAre(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, s := range [][3]int{{1, 5000, 7}, {2, 3000, 40}, {1, 70000, 2}, {1, 40, 3000}} {
			for _, largest := range []bool{true, false} {
				outer, n, inner := s[0], s[1], s[2]
				x := Randn(Float64, 5, outer, n, inner)
				data, extreme, where := Data[float64](x), 100.0, make([]float64, outer*inner)
				if !largest {
					extreme = -100
				}
				for i := range where {
					first, second := r.IntN(n), r.IntN(n)
					v := extreme
					if i%5 == 0 {
						v = math.NaN()
					}
					for _, j := range []int{first, second} {
						data[(i/inner*n+j)*inner+i%inner] = v
					}
					where[i] = float64(min(first, second))
				}
				along := MaxAlong
				if !largest {
					along = MinAlong
				}
				values, indices := along(x.To(dt), 1, false)
				wantClose(t, fmt.Sprintf("%v, largest %v: indices", s, largest), indices, Shape{outer, inner}, where, 0)
				for i, v := range values.Float64s() {
					if v != extreme && !math.IsNaN(v) || math.IsNaN(v) != (i%5 == 0) {
						t.Fatalf("%v, largest %v: value %d is %v", s, largest, i, v)
					}
				}
			}
		}
	})
}

func TestSortIsStableAndTakesNaNForTheLargest(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(2, 2))
		for _, shape := range []Shape{{9}, {1}, {0}, {3, 0}, {4, 6}, {0, 4}, {3, 2, 50}, {2, 3000}} {
			x := tied(r, dt, shape...)
			n, last := shape[len(shape)-1], len(shape)-1
			for _, descending := range []bool{false, true} {
				values, ids := Sort(x, descending)
				wantClose(t, "ArgSort", ArgSort(x, descending), shape, ids.Float64s(), 0)
				lines(x, last, func(at []int, line []float64) {
					order := make([]int, len(line))
					for i := range order {
						order[i] = i
					}
					before := func(a, b float64) bool { return a < b || !math.IsNaN(a) && math.IsNaN(b) }
					sort.SliceStable(order, func(i, j int) bool {
						a, b := line[order[i]], line[order[j]]
						if descending {
							return before(b, a)
						}
						return before(a, b)
					})
					for i, want := range order {
						idx := append(slices.Clone(at[:last]), i)
						if got := ids.At(idx...); got != float64(want) {
							t.Fatalf("Sort of %v, descending %v: place %d is %v, want %d", line, descending, i, got, want)
						}
						if got := values.At(idx...); got != line[want] && !math.IsNaN(got) {
							t.Fatalf("Sort of %v: place %d is %v", line, i, got)
						}
					}
				})
				for _, k := range []int{0, 1, 2, 33, n} {
					if k > n {
						continue
					}
					v, i := TopK(x, k, descending)
					wantClose(t, "TopK", v, v.Shape(), values.Narrow(-1, 0, k).Float64s(), 0)
					wantClose(t, "where TopK", i, v.Shape(), ids.Narrow(-1, 0, k).Float64s(), 0)
				}
			}
		}
		wantPanic[*ShapeError](t, "tensor: TopK: no 4 of the last axis: [2 3]", func() { TopK(Zeros(dt, 2, 3), 4, true) })
	})
	wantPanic[*DTypeError](t, "tensor: Sort: element type bool", func() { Sort(Zeros(Bool, 3), false) })
}

func TestRunningSumsAndProductsAlongEveryAxis(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64, Bool} {
		r := rand.New(rand.NewPCG(3, 3))
		for _, shape := range []Shape{{6}, {0}, {4, 5}, {3, 4, 5}, {2, 0, 3}, {2, 3, 300}} {
			for axis := range shape {
				x := Floor(Scale(random(r, Float64, shape...), 2)).To(dt)
				sums, products := CumSum(x, axis), CumProd(x, axis-len(shape))
				want := dt
				if !dt.IsFloat() {
					want = Int64
				}
				if sums.DType() != want || products.DType() != want || !sums.Shape().Equal(shape) {
					t.Fatalf("CumSum of %v%v is %v, CumProd %v", dt, shape, sums, products)
				}
				if dt.IsFloat() {
					wantClose(t, "CumSumGrad", CumSumGrad(x, axis), shape, Flip(CumSum(Flip(x, axis), axis), axis).Float64s(), 0)
				}
				lines(x, axis, func(at []int, line []float64) {
					s, p := 0.0, 1.0
					for j, v := range line {
						s, p = s+v, p*v
						idx := slices.Clone(at)
						idx[axis] = j
						if sums.At(idx...) != s || products.At(idx...) != p {
							t.Fatalf("%v%v over %d at %v: %v, %v, want %v, %v", dt, shape, axis, idx, sums.At(idx...), products.At(idx...), s, p)
						}
					}
				})
			}
		}
	}
}

func TestCumSumRoundsOnce(t *testing.T) {
	x := Full(Float32, 0.1, 1_000_000)
	if got, want := CumSum(x, 0).At(999_999), float64(float32(1e6*float64(float32(0.1)))); math.Abs(got-want) > 0.01 {
		t.Errorf("a million tenths are %v, want %v", got, want)
	}
	if got := CumSum(FromSlice([]float64{1, math.Inf(1), math.Inf(-1), 1}, 4), 0).Float64s(); !math.IsInf(got[1], 1) || !math.IsNaN(got[3]) {
		t.Errorf("sums over infinities are %v", got)
	}
}
