// Tests of operations that move rows and elements, and of the dense product.

package tensor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func forTypes(t *testing.T, f func(t *testing.T, dt DType)) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64} {
		t.Run(dt.String(), func(t *testing.T) { f(t, dt) })
	}
}

// counting returns 0, 1, 2, ... in a shape.
func counting(dt DType, shape ...int) *Tensor {
	x := Zeros(Int64, shape...)
	for i := range Data[int64](x) {
		Data[int64](x)[i] = int64(i)
	}
	return x.To(dt)
}

func TestConcatAndSliceAreInverse(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		for _, shape := range []Shape{{5}, {5, 4}, {3, 4, 5}, {0, 3}, {4, 0}} {
			x := counting(dt, shape...)
			for axis, n := range shape {
				for lo := 0; lo <= n; lo++ {
					for hi := lo; hi <= n; hi++ {
						parts := []*Tensor{x.Narrow(axis, 0, lo), x.Narrow(axis-len(shape), lo, hi), x.Narrow(axis, hi, n)}
						wantClose(t, "Concat of slices", Concat(axis, parts...), shape, x.Float64s(), 0)
						for _, idx := range indices(parts[1].Shape()) {
							from := append([]int{}, idx...)
							from[axis] += lo
							if got, want := parts[1].At(idx...), x.At(from...); got != want {
								t.Fatalf("Narrow(%v, %d, %d, %d) at %v is %v, want %v", shape, axis, lo, hi, idx, got, want)
							}
						}
					}
				}
			}
		}
	})
}

func TestTransposeSwapsIndices(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		for _, shape := range []Shape{{3, 5}, {1, 4}, {4, 1}, {33, 17}, {0, 3}, {3, 0}} {
			x := counting(dt, shape...)
			y := x.Transpose()
			if !y.Shape().Equal(Shape{shape[1], shape[0]}) {
				t.Fatalf("transpose of %v has shape %v", shape, y.Shape())
			}
			for _, idx := range indices(shape) {
				if y.At(idx[1], idx[0]) != x.At(idx...) {
					t.Fatalf("transpose of %v at [%d %d] is %v", shape, idx[1], idx[0], y.At(idx[1], idx[0]))
				}
			}
		}
	})
}

func TestIndexSelectPicksRows(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		x := counting(dt, 4, 3)
		got := IndexSelect(x, []int32{3, 0, 3})
		wantClose(t, "IndexSelect", got, Shape{3, 3}, []float64{9, 10, 11, 0, 1, 2, 9, 10, 11}, 0)
		wantClose(t, "IndexSelect of a vector", IndexSelect(counting(dt, 4), []int32{2, 2}), Shape{2}, []float64{2, 2}, 0)
		wantClose(t, "IndexSelect of nothing", IndexSelect(x, nil), Shape{0, 3}, nil, 0)
		wantClose(t, "IndexSelect of empty rows", IndexSelect(Zeros(dt, 4, 0), []int32{1}), Shape{1, 0}, nil, 0)
	})
}

func TestScatterAddRowsIsTheAdjointOfIndexSelect(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(5, 5))
		for _, shape := range []Shape{{0}, {6}, {9, 3}, {700, 33}, {5, 2, 3}, {4, 0}} {
			const n = 5
			x := random(r, dt, shape...)
			rows := make([]int32, shape[0])
			for i := range rows {
				rows[i] = int32(r.IntN(n - 1)) // the last row gets nothing
			}
			want := make([]float64, n*x.rowSize())
			for i, row := range rows {
				for k := range x.rowSize() {
					want[int(row)*x.rowSize()+k] += x.at(i*x.rowSize() + k)
				}
			}
			shape := append(Shape{n}, shape[1:]...)
			wantClose(t, "ScatterAddRows", ScatterAddRows(x, rows, n), shape, want, 100*tolerance(dt))
		}
		if got := ScatterAddRows(Zeros(dt, 0, 3), nil, 0).Shape(); !got.Equal(Shape{0, 3}) {
			t.Errorf("no rows into no rows has shape %v", got)
		}
	})
}

func TestMatMulTransposesAndTakesEmptyMatrices(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(6, 6))
		for _, d := range [][3]int{{2, 3, 4}, {65, 70, 130}, {0, 3, 4}, {2, 0, 4}, {2, 3, 0}} {
			m, n, k := d[0], d[1], d[2]
			a, b := random(r, dt, m, k), random(r, dt, k, n)
			want := make([]float64, m*n)
			for i := range m {
				for j := range n {
					for l := range k {
						want[i*n+j] += a.At(i, l) * b.At(l, j)
					}
				}
			}
			aT, bT := a.Transpose().Contiguous(), b.Transpose().Contiguous()
			wantClose(t, "A·B", MatMul(a, b), Shape{m, n}, want, 20*tolerance(dt))
			wantClose(t, "Aᵀ·B", MatMul(aT.Transpose(), b), Shape{m, n}, want, 20*tolerance(dt))
			wantClose(t, "A·Bᵀ", MatMul(a, bT.Transpose()), Shape{m, n}, want, 20*tolerance(dt))
			wantClose(t, "Aᵀ·Bᵀ", MatMul(aT.Transpose(), bT.Transpose()), Shape{m, n}, want, 20*tolerance(dt))
		}
	})
}

// TestRowsAreJoinedWhole has rows shorter and longer than a cache line, which a kernel moves.
func TestRowsAreJoinedWhole(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64, Bool} {
		for _, n := range []int{3, 7, 8, 15, 16, 17, 33, 64} {
			const rows = 600 // more than a grain of the longer ones
			x, y := Zeros(dt, rows, n), Zeros(dt, rows, n+1)
			at := func(i, k int) float64 { return float64((i*131+k*7)%251) + 1 }
			for i := range rows {
				for k := range n + 1 {
					if k < n {
						setAt(x, i*n+k, at(i, k))
					}
					setAt(y, i*(n+1)+k, at(i, k+n))
				}
			}
			joined := Concat(1, x, y)
			for i, v := range joined.Float64s() {
				want := at(i/(2*n+1), i%(2*n+1))
				if dt == Bool {
					want = 1
				}
				if v != want {
					t.Fatalf("%v, %d and %d columns: element %d is %v, want %v", dt, n, n+1, i, v, want)
				}
			}
			back := joined.Narrow(1, n, 2*n+1).Contiguous()
			if got, want := back.Float64s(), y.Float64s(); !slices.Equal(got, want) {
				t.Fatalf("%v: %d columns behind %d are not those that were joined", dt, n+1, n)
			}
		}
	}
}

// setAt sets an element of a contiguous tensor of any type.
func setAt(x *Tensor, i int, v float64) {
	switch x.DType() {
	case Float32:
		Data[float32](x)[i] = float32(v)
	case Float64:
		Data[float64](x)[i] = v
	case Int32:
		Data[int32](x)[i] = int32(v)
	case Int64:
		Data[int64](x)[i] = int64(v)
	case Bool:
		Data[bool](x)[i] = v != 0
	}
}

// TestManyShortRowsAreJoinedAsFew: large results are joined a block of rows at a time, the last of
// which is shorter.
func TestManyShortRowsAreJoinedAsFew(t *testing.T) {
	const rows = 3*elementGrain/8 + 5
	numbers := func(width int) *Tensor { return AddScalar(counting(Float64, rows, width), float64(width)/8) }
	x, y, swapped := numbers(3), numbers(5), numbers(4).Transpose().Contiguous().Transpose()
	joined, stacked := Concat(1, x, y, swapped), Stack(1, y, y)
	wantClose(t, "first of Concat", joined.Narrow(1, 0, 3), x.Shape(), x.Float64s(), 0)
	wantClose(t, "second of Concat", joined.Narrow(1, 3, 8), y.Shape(), y.Float64s(), 0)
	wantClose(t, "third of Concat", joined.Narrow(1, 8, 12), swapped.Shape(), swapped.Float64s(), 0)
	wantClose(t, "first of Stack", stacked.Narrow(1, 0, 1), Shape{rows, 1, 5}, y.Float64s(), 0)
	wantClose(t, "second of Stack", stacked.Narrow(1, 1, 2), Shape{rows, 1, 5}, y.Float64s(), 0)
}
