// Tests of sparse matrices.

package tensor

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// randomSparse has about perRow entries a row, some rows empty, one full of
// repeats, columns unordered.
func randomSparse(t testing.TB, r *rand.Rand, dt DType, rows, cols, perRow int) *Sparse {
	t.Helper()
	indptr, ids := []int32{0}, []int32{}
	for row := range rows {
		n := r.IntN(2*perRow + 1)
		if row%5 == 3 || cols == 0 {
			n = 0
		}
		for range n {
			ids = append(ids, int32(r.IntN(cols)))
		}
		indptr = append(indptr, int32(len(ids)))
	}
	s, err := NewSparse(rows, cols, indptr, ids, random(r, dt, len(ids)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSparseMatMulMatchesTheDenseProduct(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, d := range [][3]int{{0, 0, 0}, {0, 4, 3}, {4, 0, 3}, {5, 6, 0}, {1, 1, 1}, {7, 5, 1}, {30, 40, 16}, {40, 30, 65}, {3000, 20, 7}, {20, 3000, 8}} {
			s := randomSparse(t, r, dt, d[0], d[1], 6)
			dense := s.ToDense()
			x, y := random(r, dt, d[1], d[2]), random(r, dt, d[0], d[2])
			wantClose(t, "S·X", SparseMatMul(s, x, false), Shape{d[0], d[2]}, MatMul(dense, x).Float64s(), 200*tolerance(dt))
			wantClose(t, "Sᵀ·Y", SparseMatMul(s, y, true), Shape{d[1], d[2]}, MatMul(dense.Transpose(), y).Float64s(), 200*tolerance(dt))
			// Other values reuse the transposed structure, not the old values.
			w := s.WithValues(Scale(s.Values(), -2))
			wantClose(t, "(-2S)ᵀ·Y", SparseMatMul(w, y, true), Shape{d[1], d[2]}, Scale(MatMul(dense.Transpose(), y), -2).Float64s(), 400*tolerance(dt))
		}
	})
}

func TestSparseStructureIsSharedAndTypesConvert(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s := randomSparse(t, r, Float32, 10, 8, 3)
	for name, o := range map[string]*Sparse{"WithValues": s.WithValues(s.Values()), "To": s.To(Float64), "RowNormalize": s.RowNormalize()} {
		if o.pattern != s.pattern {
			t.Errorf("%s has a structure of its own", name)
		}
	}
	d := s.To(Float64)
	if d.DType() != Float64 || d.NNZ() != s.NNZ() {
		t.Errorf("To(Float64) has type %v and %d entries", d.DType(), d.NNZ())
	}
	wantClose(t, "To(Float64)", d.Values(), Shape{s.NNZ()}, s.Values().Float64s(), 0)
	if rows, cols := s.Dims(); rows != 10 || cols != 8 || len(s.Indptr()) != 11 || len(s.Indices()) != s.NNZ() {
		t.Errorf("Dims %d %d, %d row offsets, %d indices", rows, cols, len(s.Indptr()), len(s.Indices()))
	}
}

func TestRowNormalizeGivesRowsOfSumOne(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		s, err := NewSparse(4, 3, []int32{0, 2, 2, 4, 5}, []int32{0, 2, 1, 1, 0}, FromSlice([]float64{1, 3, 2, -2, 5}, 5).To(dt))
		if err != nil {
			t.Fatal(err)
		}
		want := []float64{0.25, 0, 0.75, 0, 0, 0, 0, 0, 0, 1, 0, 0} // row 1 is empty, row 2 sums to 0
		wantClose(t, "RowNormalize", s.RowNormalize().ToDense(), Shape{4, 3}, want, tolerance(dt))
	})
}

func TestRowsOfASparseMatrixAreThoseOfTheDenseOne(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		s := randomSparse(t, rand.New(rand.NewPCG(4, 4)), dt, 9, 6, 3)
		for _, rows := range [][]int32{nil, {3}, {8, 0, 8, 3, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8}} {
			wantClose(t, "IndexSelect", s.IndexSelect(rows).ToDense(), Shape{len(rows), 6}, IndexSelect(s.ToDense(), rows).Float64s(), 0)
		}
		for _, row := range []int32{-1, 9} {
			wantPanic[*IndexError](t, "IndexSelect", func() { s.IndexSelect([]int32{0, row}) })
		}
	})
	many, err := NewSparse(1, 1<<16, []int32{0, 1 << 16}, make([]int32, 1<<16), Ones(Float32, 1<<16))
	if err != nil {
		t.Fatal(err)
	}
	wantPanic[*ValueError](t, "IndexSelect: the first 32768 of 40000 rows have 2147483648 entries, at most 2147483647 fit", func() { many.IndexSelect(make([]int32, 40_000)) })
}

func TestNewSparseNamesWhatIsWrong(t *testing.T) {
	v := Zeros(Float32, 2)
	for _, c := range []struct {
		rows, cols      int
		indptr, indices []int32
		values          *Tensor
		text            string
	}{
		{-1, 2, []int32{0}, nil, v, "-1 rows"},
		{2, -1, []int32{0, 0, 0}, nil, v, "-1 columns"},
		{math.MaxInt, 2, []int32{0}, nil, v, "out of range"},
		{2, 2, []int32{0, 2}, []int32{0, 1}, v, "indptr has 2 entries, want 3"},
		{0, 2, nil, nil, Zeros(Float32, 0), "indptr has 0 entries, want 1"},
		{2, 2, []int32{1, 1, 2}, []int32{0, 1}, v, "spans [1, 2), want [0, 2)"},
		{2, 2, []int32{0, 1, 1}, []int32{0, 1}, v, "spans [0, 1), want [0, 2)"},
		{3, 2, []int32{0, 2, 1, 2}, []int32{0, 1}, v, "decreases at row 1: 1 after 2"},
		{3, 2, []int32{0, 9, -4, 2}, []int32{0, 1}, v, "decreases at row 1"},
		{2, 2, []int32{0, 1, 2}, []int32{0, 2}, v, "entry 1: column 2 out of range [0, 2)"},
		{2, 2, []int32{0, 1, 2}, []int32{-1, 0}, v, "entry 0: column -1 out of range"},
		{2, 2, []int32{0, 1, 2}, []int32{0, 1}, Zeros(Float32, 3), "values have shape [3], want [2]"},
		{2, 2, []int32{0, 1, 2}, []int32{0, 1}, Zeros(Int32, 2), "not float32 or float64"},
		{2, 2, []int32{0, 1, 2}, []int32{0, 1}, nil, "not float32 or float64"},
	} {
		s, err := NewSparse(c.rows, c.cols, c.indptr, c.indices, c.values)
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("NewSparse(%d, %d, %v, %v): %v, %v; want an error with %q", c.rows, c.cols, c.indptr, c.indices, s, err, c.text)
		}
	}
}

func TestSparseMisusePanics(t *testing.T) {
	s := randomSparse(t, rand.New(rand.NewPCG(3, 3)), Float32, 4, 5, 2)
	wantPanic[*ShapeError](t, "tensor: SparseMatMul: inner dimensions differ: [4 5] x [4 2]", func() { SparseMatMul(s, Zeros(Float32, 4, 2), false) })
	wantPanic[*ShapeError](t, "inner dimensions differ (first transposed): [4 5] x [5 2]", func() { SparseMatMul(s, Zeros(Float32, 5, 2), true) })
	wantPanic[*ShapeError](t, "WithValues", func() { s.WithValues(Zeros(Float32, s.NNZ()+1)) })
	wantPanic[*DTypeError](t, "SparseMatMul: element type f64, want f32", func() { SparseMatMul(s, Zeros(Float64, 5, 2), false) })
	wantPanic[*DTypeError](t, "To: element type i32", func() { s.To(Int32) })
}

func TestTransposedStructureIsSafeToBuildConcurrently(t *testing.T) {
	s := randomSparse(t, rand.New(rand.NewPCG(4, 4)), Float32, 200, 100, 5)
	y := Full(Float32, 1, 200, 4)
	want := SparseMatMul(s.WithValues(s.Values()), y, true).Float64s()
	fresh, err := NewSparse(200, 100, s.Indptr(), s.Indices(), s.Values())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { wantCloseErr(t, SparseMatMul(fresh, y, true), want) })
	}
	wg.Wait()
}

// wantCloseErr is an exact wantClose for goroutines, which must not call Fatal.
func wantCloseErr(t *testing.T, got *Tensor, want []float64) {
	for i, g := range got.Float64s() {
		if g != want[i] {
			t.Errorf("element %d is %v, want %v", i, g, want[i])
			return
		}
	}
}
