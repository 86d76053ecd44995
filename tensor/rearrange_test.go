// Tests of stacking, splitting, repeating, flipping, rolling and padding, and of
// tensors made from formulas.

package tensor

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestStackAddsAnAxisAnywhere(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		a, b := counting(dt, 2, 3), MaskedFill(counting(dt, 2, 3), Ones(Bool), 9)
		for axis := -3; axis <= 2; axis++ {
			k := axis
			if k < 0 {
				k += 3
			}
			got := Stack(axis, a, b, a)
			if want := slices.Insert(Shape{2, 3}, k, 3); !got.Shape().Equal(want) {
				t.Fatalf("Stack(%d) has shape %v, want %v", axis, got.Shape(), want)
			}
			for i, x := range []*Tensor{a, b, a} {
				wantClose(t, fmt.Sprint("part of Stack ", axis), got.Narrow(k, i, i+1).Squeeze(k), Shape{2, 3}, x.Float64s(), 0)
			}
		}
		wantClose(t, "Stack of scalars", Stack(0, Ones(dt), Zeros(dt)), Shape{2}, []float64{1, 0}, 0)
	})
	wantPanic[*ShapeError](t, "tensor: Stack: no tensors", func() { Stack(0) })
	wantPanic[*ShapeError](t, "tensor: Stack: no place 2 for an axis: [3]", func() { Stack(2, Zeros(Float32, 3)) })
	wantPanic[*ShapeError](t, "tensor: Stack: shapes differ: [3] x [1]", func() { Stack(0, Zeros(Float32, 3), Zeros(Float32, 1)) })
	wantPanic[*DTypeError](t, "tensor: Stack: element type f64, want f32", func() { Stack(0, Zeros(Float32, 3), Zeros(Float64, 3)) })
}

func TestSplitAndChunkGiveViewsThatConcatUndoes(t *testing.T) {
	x := counting(Float32, 3, 7)
	parts := Split(x, 1, 2, 0, 5)
	if len(parts) != 3 || !parts[1].Shape().Equal(Shape{3, 0}) || !SharesMemory(parts[2], x) {
		t.Errorf("Split gives %v", parts)
	}
	wantClose(t, "Concat of Split", Concat(1, parts...), Shape{3, 7}, x.Float64s(), 0)
	for n, lengths := range map[int][]int{1: {7}, 2: {4, 3}, 3: {3, 3, 1}, 4: {2, 2, 2, 1}, 5: {2, 2, 2, 1}, 7: {1, 1, 1, 1, 1, 1, 1}, 9: {1, 1, 1, 1, 1, 1, 1}} {
		var got []int
		chunks := Chunk(x, -1, n)
		for _, c := range chunks {
			got = append(got, c.Dim(1))
		}
		if !slices.Equal(got, lengths) {
			t.Errorf("%d chunks of 7 have lengths %v, want %v", n, got, lengths)
		}
		wantClose(t, "Concat of Chunk", Concat(1, chunks...), Shape{3, 7}, x.Float64s(), 0)
	}
	if empty := Chunk(Zeros(Float32, 0, 2), 0, 3); len(empty) != 3 || empty[0].Size() != 0 {
		t.Errorf("chunks of nothing are %v", empty)
	}
	wantPanic[*ShapeError](t, "tensor: Split: lengths [2 4] do not fill axis 1: [3 7]", func() { Split(x, 1, 2, 4) })
	wantPanic[*ShapeError](t, "tensor: Split: negative length", func() { Split(x, 1, 8, -1) })
	wantPanic[*ShapeError](t, "tensor: Chunk: 0 chunks: [3 7]", func() { Chunk(x, 1, 0) })
}

func TestRearrangementsMoveElementsByTheirDefinitions(t *testing.T) {
	mod := func(i, n int) int { return (i%n + n) % n }
	for _, c := range []struct {
		name  string
		op    func(x *Tensor) *Tensor
		shape Shape
		from  func(idx []int) []int // nil: the fill value 9
	}{
		{"Repeat", func(x *Tensor) *Tensor { return Repeat(x, 2, 3) }, Shape{4, 9}, func(i []int) []int { return []int{i[0] % 2, i[1] % 3} }},
		{"Repeat to more axes", func(x *Tensor) *Tensor { return Repeat(x, 4, 1, 2) }, Shape{4, 2, 6}, func(i []int) []int { return []int{i[1], i[2] % 3} }},
		{"Repeat never", func(x *Tensor) *Tensor { return Repeat(x, 0, 2) }, Shape{0, 6}, nil},
		{"Flip all", func(x *Tensor) *Tensor { return Flip(x) }, Shape{2, 3}, func(i []int) []int { return []int{1 - i[0], 2 - i[1]} }},
		{"Flip 1", func(x *Tensor) *Tensor { return Flip(x, -1) }, Shape{2, 3}, func(i []int) []int { return []int{i[0], 2 - i[1]} }},
		{"Roll", func(x *Tensor) *Tensor { return Roll(x, 1, 1) }, Shape{2, 3}, func(i []int) []int { return []int{i[0], mod(i[1]-1, 3)} }},
		{"Roll back", func(x *Tensor) *Tensor { return Roll(x, -7, -1) }, Shape{2, 3}, func(i []int) []int { return []int{i[0], mod(i[1]+7, 3)} }},
		{"Roll by nothing", func(x *Tensor) *Tensor { return Roll(x, 4, 0) }, Shape{2, 3}, func(i []int) []int { return i }},
		{"Pad", func(x *Tensor) *Tensor { return Pad(x, 9, []int{1, 0}, []int{0, 2}) }, Shape{3, 5}, func(i []int) []int {
			if i[0] < 1 || i[1] > 2 {
				return nil
			}
			return []int{i[0] - 1, i[1]}
		}},
		{"Tril", func(x *Tensor) *Tensor { return Add(Tril(x, 0), Scale(Triu(Ones(x.DType(), 2, 3), 1), 9)) }, Shape{2, 3}, func(i []int) []int {
			if i[1] > i[0] {
				return nil
			}
			return i
		}},
		{"Triu", func(x *Tensor) *Tensor { return Add(Triu(x, 1), Scale(Tril(Ones(x.DType(), 2, 3), 0), 9)) }, Shape{2, 3}, func(i []int) []int {
			if i[1] <= i[0] {
				return nil
			}
			return i
		}},
	} {
		forFloats(t, func(t *testing.T, dt DType) {
			x := AddScalar(counting(dt, 2, 3), 1)
			var want []float64
			for _, idx := range indices(c.shape) {
				if from := c.from(idx); from != nil {
					want = append(want, x.At(from...))
				} else {
					want = append(want, 9)
				}
			}
			wantClose(t, c.name, c.op(x), c.shape, want, 0)
		})
	}
	for _, dt := range []DType{Int32, Int64, Bool} {
		x := Eye(dt, 2, 3)
		wantClose(t, "Flip", Flip(x, 0), Shape{2, 3}, []float64{0, 1, 0, 1, 0, 0}, 0)
		wantClose(t, "Pad", Pad(x, 1, []int{0, 1}, []int{0, 0}), Shape{2, 4}, []float64{1, 1, 0, 0, 1, 0, 1, 0}, 0)
		wantClose(t, "Tril far below", Tril(x, -5), Shape{2, 3}, make([]float64, 6), 0)
		wantClose(t, "Triu far below", Triu(x, -5), Shape{2, 3}, x.Float64s(), 0)
		wantClose(t, "Roll of nothing", Roll(Zeros(dt, 0), 3, 0), Shape{0}, nil, 0)
	}
	if x := Ones(Float32); Flip(x) == x {
		t.Error("Flip of a scalar is the scalar itself")
	}
	wantPanic[*ShapeError](t, "tensor: Repeat: fewer counts than axes: [2 3] x [2]", func() { Repeat(Zeros(Float32, 2, 3), 2) })
	wantPanic[*ShapeError](t, "tensor: Pad: negative length: [-1]", func() { Pad(Zeros(Float32, 2), 0, []int{-1}, []int{0}) })
	wantPanic[*ShapeError](t, "tensor: Pad: not one length", func() { Pad(Zeros(Float32, 2, 2), 0, []int{1}, []int{0}) })
	wantPanic[*ShapeError](t, "tensor: Tril: 1 axes are no matrix: [2]", func() { Tril(Zeros(Float32, 2), 0) })
}

func TestDiagonalsAreViewsAndDiagEmbedTheirInverse(t *testing.T) {
	x := counting(Float64, 2, 3, 4)
	wantClose(t, "Diagonal", x.Diagonal(0), Shape{2, 3}, []float64{0, 5, 10, 12, 17, 22}, 0)
	wantClose(t, "Diagonal above", x.Diagonal(2), Shape{2, 2}, []float64{2, 7, 14, 19}, 0)
	wantClose(t, "Diagonal below", x.Diagonal(-2), Shape{2, 1}, []float64{8, 20}, 0)
	for _, offset := range []int{7, -7, math.MaxInt, math.MinInt + 1, math.MinInt} {
		wantClose(t, fmt.Sprint("Diagonal outside, ", offset), x.Diagonal(offset), Shape{2, 0}, nil, 0)
	}
	x.Diagonal(1).Fill(-1)
	wantClose(t, "written through", x.Narrow(0, 0, 1), Shape{1, 3, 4}, []float64{0, -1, 2, 3, 4, 5, -1, 7, 8, 9, 10, -1}, 0)
	y := counting(Float64, 2, 3)
	for offset := -2; offset <= 2; offset++ {
		m := DiagEmbed(y, offset)
		wantClose(t, "Diagonal of DiagEmbed", m.Diagonal(offset), Shape{2, 3}, y.Float64s(), 0)
		if got := Sum(m, false).Item(); got != 15 {
			t.Errorf("DiagEmbed(%d) sums to %v", offset, got)
		}
	}
	wantPanic[*ShapeError](t, "tensor: Diagonal: no matrix: [3]", func() { Zeros(Float32, 3).Diagonal(0) })
	for _, offset := range []int{math.MaxInt, math.MaxInt - 1, math.MinInt + 1, math.MinInt} {
		wantPanic[*ShapeError](t, fmt.Sprintf("tensor: DiagEmbed: diagonal %d of more elements than memory can hold: [2 3]", offset), func() { DiagEmbed(y, offset) })
	}
}

func TestTrianglesOfDiagonalsFarOutsideAreAllOrNothing(t *testing.T) {
	x := counting(Float64, 2, 3, 4)
	for far := range 4 {
		above, below := math.MaxInt-far, math.MinInt+far
		wantClose(t, fmt.Sprint("Tril ", above), Tril(x, above), x.Shape(), x.Float64s(), 0)
		wantClose(t, fmt.Sprint("Triu ", below), Triu(x, below), x.Shape(), x.Float64s(), 0)
		wantClose(t, fmt.Sprint("Tril ", below), Tril(x, below), x.Shape(), make([]float64, 24), 0)
		wantClose(t, fmt.Sprint("Triu ", above), Triu(x, above), x.Shape(), make([]float64, 24), 0)
	}
}

func TestRangesHitTheirEnds(t *testing.T) {
	wantClose(t, "Arange", Arange(Int64, 2, 5, 1), Shape{3}, []float64{2, 3, 4}, 0)
	wantClose(t, "Arange down", Arange(Float32, 1, -1, -0.5), Shape{4}, []float64{1, 0.5, 0, -0.5}, 0)
	wantClose(t, "Arange the wrong way", Arange(Float32, 1, 0, 1), Shape{0}, nil, 0)
	wantPanic[*ShapeError](t, "tensor: Arange: no finite number of steps of 0", func() { Arange(Float32, 0, 1, 0) })
	wantPanic[*ShapeError](t, "tensor: Arange: no finite number", func() { Arange(Float32, 0, math.Inf(1), 1) })
	for _, n := range []int{0, 1, 2, 3, 10, 11} {
		got := Linspace(Float64, -0.1, 0.7, n).Float64s()
		if len(got) != n {
			t.Fatalf("Linspace of %d has %d", n, len(got))
		}
		for i, v := range got {
			if want := -0.1 + 0.8*float64(i)/float64(max(n-1, 1)); math.Abs(v-want) > 1e-15 {
				t.Errorf("Linspace of %d: element %d is %v, want %v", n, i, v, want)
			}
		}
		if n > 1 && (got[0] != -0.1 || got[n-1] != 0.7) {
			t.Errorf("Linspace of %d runs from %v to %v", n, got[0], got[n-1])
		}
	}
}

func TestConstantsOfEveryType(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64, Bool} {
		wantClose(t, "Ones", Ones(dt, 2, 2), Shape{2, 2}, []float64{1, 1, 1, 1}, 0)
		wantClose(t, "ZerosLike", ZerosLike(Ones(dt, 3)), Shape{3}, []float64{0, 0, 0}, 0)
		x := FullLike(Zeros(dt, 2, 1), 1)
		if x.DType() != dt {
			t.Errorf("FullLike has type %v", x.DType())
		}
		wantClose(t, "FullLike", x, Shape{2, 1}, []float64{1, 1}, 0)
		wantClose(t, "Eye", Eye(dt, 2, 3), Shape{2, 3}, []float64{1, 0, 0, 0, 1, 0}, 0)
		wantClose(t, "Eye of no columns", Eye(dt, 2, 0), Shape{2, 0}, nil, 0)
		wantClose(t, "Fill of many", Sum(Full(dt, 1, 50_000), false).To(Float64), Shape{}, []float64{50_000}, 0)
		for _, idt := range []DType{Int32, Int64} {
			ids := FromSlice([]int64{2, 0}, 2, 1).To(idt)
			got := OneHot(ids, 3, dt)
			if got.DType() != dt {
				t.Errorf("OneHot has type %v", got.DType())
			}
			wantClose(t, "OneHot", got, Shape{2, 1, 3}, []float64{0, 0, 1, 1, 0, 0}, 0)
			wantPanic[*IndexError](t, "tensor: OneHot: index 0 is 2, out of range [0, 2)", func() { OneHot(ids, 2, dt) })
		}
	}
	wantPanic[*DTypeError](t, "tensor: OneHot: element type f32", func() { OneHot(Zeros(Float32, 2), 2, Bool) })
}

func TestRandomNumbersAreTheSeedsAndTheDistributions(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		const n = 100_000
		for name, c := range map[string]struct {
			draw                func(dt DType, seed uint64, shape ...int) *Tensor
			mean, variance, tol float64
		}{"Rand": {Rand, 0.5, 1.0 / 12, 0.005}, "Randn": {Randn, 0, 1, 0.02}} {
			x := c.draw(dt, 7, n)
			if m := Mean(x, false).Item(); math.Abs(m-c.mean) > c.tol {
				t.Errorf("%s has mean %v", name, m)
			}
			if v := Var(x, 1, false).Item(); math.Abs(v-c.variance) > c.tol {
				t.Errorf("%s has variance %v", name, v)
			}
			if !All(Equal(x, c.draw(dt, 7, 100, 1000).Reshape(-1)), false).item() {
				t.Errorf("%s of one seed differs", name)
			}
			if Any(Equal(x, c.draw(dt, 8, n)), false).item() && dt == Float64 {
				t.Errorf("%s of two seeds has equal numbers", name)
			}
			if name == "Rand" && !(Min(x, false).Item() >= 0 && Max(x, false).Item() < 1) {
				t.Errorf("Rand lies in [%v, %v]", Min(x, false), Max(x, false))
			}
		}
	})
	wantPanic[*DTypeError](t, "tensor: Randn: element type i32", func() { Randn(Int32, 1, 2) })
}

// item returns a boolean scalar.
func (t *Tensor) item() bool { return t.Item() != 0 }

func TestWritesThroughViewsReachTheirTensor(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64, Bool} {
		x := Zeros(dt, 3, 4)
		x.Narrow(1, 1, 3).Fill(1)
		wantClose(t, "Fill of a view", x, Shape{3, 4}, []float64{0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0}, 0)
		x.Transpose().Narrow(1, 1, 2).Zero()
		wantClose(t, "Zero of a view", x, Shape{3, 4}, []float64{0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0}, 0)
		x.Transpose().CopyFrom(Ones(dt, 4, 3))
		wantClose(t, "CopyFrom into a view", x, Shape{3, 4}, Ones(dt, 12).Float64s(), 0)
		wantPanic[*ShapeError](t, "tensor: CopyFrom: writes to a view with strides [0], whose elements are not all apart: [3]", func() { Zeros(dt).Expand(3).CopyFrom(Zeros(dt, 3)) })
		wantPanic[*ShapeError](t, "whose elements are not all apart", func() { Zeros(dt).Expand(3).Fill(1) })
	}
}

// Large matrices are turned in blocks, by a kernel where elements have four bytes.
func TestLargeTransposedMatricesAreCopiedWhole(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Bool} {
		for _, s := range []Shape{{200, 300}, {64, 1031}, {1031, 64}, {7, 5000}, {5000, 3}, {3, 129, 97}, {2, 3, 70, 71}} {
			x := Zeros(Int64, s.Size())
			for i := range Data[int64](x) {
				Data[int64](x)[i] = int64(i*2654435761>>7) % 1000 % int64(2+998*oneIf(dt != Bool))
			}
			x = x.To(dt).Reshape(s...)
			m, n, want := s[len(s)-2], s[len(s)-1], x.Float64s()
			for i, v := range x.Transpose().Contiguous().Float64s() {
				block, j, k := i/(m*n), i%(m*n)/m, i%m
				if from := want[block*m*n+k*n+j]; v != from {
					t.Fatalf("%v of %v: element %d is %v, want %v", s, dt, i, v, from)
				}
			}
		}
	}
}
