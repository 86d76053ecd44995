// Rows added in place to some rows of a tensor.

package tensor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

func TestScatterAddRowsIntoHasTheBitsOfAddInto(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, c := range []struct {
			n, picks int // of up to n rows
			row      Shape
		}{
			{1, 1, nil}, {7, 0, Shape{3}}, {7, 3, Shape{0}}, {0, 0, Shape{3}}, {7, 3, nil}, {7, 3, Shape{2, 3}}, {9, 8, Shape{5}}, {9, 9, Shape{5}}, {9, 30, Shape{5}},
			{5000, 2, Shape{33}}, {5000, 300, Shape{33}}, {5000, 3000, Shape{33}}, {200000, 150000, nil}, {3000, 20, Shape{10, 20}},
		} {
			if testing.Short() && c.picks > 10000 {
				continue // half of the time under the race detector; smaller ones are shared out, too
			}
			for _, among := range []int{c.n, (c.n + 2) / 3, min(c.n, 1)} { // how many rows are drawn from: the fewer, the more repeat
				rows := make([]int32, c.picks)
				for i := range rows {
					rows[i] = int32(c.n - 1 - r.IntN(among))
				}
				x, dst := random(r, dt, append(Shape{c.picks}, c.row...)...), random(r, dt, append(Shape{c.n}, c.row...)...)
				want := Add(dst, ScatterAddRows(x, rows, c.n)).Float64s()
				read := x.Float64s()
				what := fmt.Sprintf("%d rows of the last %d of %d %v", c.picks, among, c.n, c.row)
				for name, to := range map[string]*Tensor{"": dst, ", a part": part(dst)} {
					ScatterAddRowsInto(to, x, rows)
					if !slices.Equal(to.Float64s(), want) {
						t.Errorf("%s%s: wrong sums", what, name)
					}
				}
				if !slices.Equal(x.Float64s(), read) {
					t.Errorf("%s: the rows changed", what)
				}
			}
		}
	})
}

// part returns the elements of x as a part of a larger tensor.
func part(x *Tensor) *Tensor {
	shape := x.Shape().Clone()
	shape = append(shape, 3)
	whole := Zeros(x.DType(), shape...)
	y := whole.Narrow(x.Rank(), 1, 2).Squeeze(-1)
	y.CopyFrom(x)
	return y
}

func TestScatterAddRowsIntoReadsItsOwnRowsFirst(t *testing.T) {
	x := Arange(Float64, 0, 12, 1).Reshape(6, 2)
	ScatterAddRowsInto(x, x.Narrow(0, 1, 4), []int32{2, 3, 0})
	wantClose(t, "rows 1, 2 and 3 added to 2, 3 and 0", x, Shape{6, 2}, []float64{0 + 6, 1 + 7, 2, 3, 4 + 2, 5 + 3, 6 + 4, 7 + 5, 8, 9, 10, 11}, 0)
}

func TestScatterAddRowsIntoTakesNoMemoryOfTheWhole(t *testing.T) {
	dst, x := Zeros(Float32, 100000, 8), Ones(Float32, 50, 8)
	rows := make([]int32, 50) // all the same: they are added up in a tensor of their own
	before := MemoryStats().Allocated
	for range 10 {
		ScatterAddRowsInto(dst, x, rows)
	}
	if took := MemoryStats().Allocated - before; took > int64(4*dst.Size()) {
		t.Errorf("ten sums took %d bytes, the whole has %d", took, 4*dst.Size())
	}
	wantClose(t, "row 0", dst.Narrow(0, 0, 1), Shape{1, 8}, slices.Repeat([]float64{500}, 8), 0)
}

func TestScatterAddRowsIntoRunsBesideItself(t *testing.T) {
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(2, uint64(k)))
			for range 300 {
				n := 20 + r.IntN(200)
				rows := make([]int32, 1+r.IntN(15))
				for i := range rows {
					rows[i] = int32(r.IntN(n))
				}
				dst, x := Ones(Float32, n, 3), Ones(Float32, len(rows), 3)
				want := Add(dst, ScatterAddRows(x, rows, n))
				if ScatterAddRowsInto(dst, x, rows); All(Equal(dst, want), false).Item() == 0 {
					t.Errorf("wrong sums of %d rows of %d", len(rows), n)
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestMisuseOfScatterAddRowsInto(t *testing.T) {
	x, y, scalar := Zeros(Float32, 3, 4), Zeros(Float32, 5, 6), Zeros(Float32)
	for text, f := range map[string]func(){
		"rows, indices and destination do not fit: [3 4] x [2] x [3 4]": func() { ScatterAddRowsInto(x, x, []int32{0, 1}) },
		"rows, indices and destination do not fit: [5 6] x [5] x [3 4]": func() { ScatterAddRowsInto(x, y, make([]int32, 5)) },
		"rows, indices and destination do not fit: [] x [0] x [3 4]":    func() { ScatterAddRowsInto(x, scalar, nil) },
		"rows, indices and destination do not fit: [3 4] x [3] x []":    func() { ScatterAddRowsInto(scalar, x, make([]int32, 3)) },
		"writes to a view with strides [0 1]":                           func() { ScatterAddRowsInto(Zeros(Float32, 4).Expand(3, 4), x, make([]int32, 3)) },
	} {
		wantPanic[*ShapeError](t, "tensor: ScatterAddRowsInto: "+text, f)
	}
	wantPanic[*DTypeError](t, "tensor: ScatterAddRowsInto: element type i32, want f32 or f64", func() { ScatterAddRowsInto(Zeros(Int32, 3), x, nil) })
	wantPanic[*DTypeError](t, "tensor: ScatterAddRowsInto: element type f64, want f32", func() { ScatterAddRowsInto(x, x.To(Float64), make([]int32, 3)) })
	for _, dst := range []*Tensor{x, Zeros(Float32, 3, 40).Narrow(1, 0, 4)} {
		wantPanic[*IndexError](t, "tensor: ScatterAddRowsInto: index 1 is 3, out of range [0, 3)", func() { ScatterAddRowsInto(dst, x, []int32{0, 3, 1}) })
		wantPanic[*IndexError](t, "tensor: ScatterAddRowsInto: index 0 is -1, out of range [0, 3)", func() { ScatterAddRowsInto(dst, x.Narrow(0, 0, 1), []int32{-1}) })
	}
}
