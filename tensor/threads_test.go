// Tests that results do not depend on the number of threads.

package tensor

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// TestThreadCountDoesNotChangeABit runs every family of operations on sizes that
// span several chunks.
func TestThreadCountDoesNotChangeABit(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		x, y := random(r, dt, 3000, 37), random(r, dt, 3000, 37)
		row, column := random(r, dt, 37), random(r, dt, 3000, 1)
		long := random(r, dt, 200000)
		rows, wide := make([]int32, 3000), make([]int32, 3000)
		for i := range rows {
			rows[i], wide[i] = int32(r.IntN(50)), int32(r.IntN(4000))
		}
		s := randomSparse(t, r, dt, 2500, 3000, 20)
		z := random(r, dt, 2500, 37)
		ids := indexFor(r, Int64, 37, 3000, 37)
		mask := GreaterScalar(y, 0)
		ops := map[string]func() *Tensor{
			"Add transposed": func() *Tensor { return Add(x.Transpose(), y.Transpose()) },
			"Where":          func() *Tensor { return Where(mask, x, row) },
			"MaskedSelect":   func() *Tensor { return MaskedSelect(x, mask) },
			"NonZero":        func() *Tensor { return NonZero(mask) },
			"Min columns":    func() *Tensor { return Min(x, false, 0) },
			"Prod":           func() *Tensor { return Prod(AddScalar(Scale(long, 1e-3), 1), false) },
			"Var":            func() *Tensor { return Var(long, 1, false) },
			"Var columns":    func() *Tensor { return Var(x, 1, false, 0) },
			"LogSumExp":      func() *Tensor { return LogSumExp(x, false, 1) },
			"Norm 2":         func() *Tensor { return Norm(long, 2, false) },
			"Norm 3 columns": func() *Tensor { return Norm(x, 3, false, 0) },
			"Sum transposed": func() *Tensor { return Sum(x.Transpose(), false, 1) },
			"CumSum":         func() *Tensor { return CumSum(x, 0) },
			"Argmax columns": func() *Tensor { return Argmax(x, 0) },
			"Sort":           func() *Tensor { v, _ := Sort(x, true); return v },
			"Gather":         func() *Tensor { return Gather(x, 1, ids) },
			"Scatter":        func() *Tensor { return Scatter(x, 1, ids, y) },
			"ScatterAdd":     func() *Tensor { return ScatterAdd(x, 0, ids, y) },
			"MatMul batched": func() *Tensor { return MatMul(x.Reshape(30, 100, 37), y.Reshape(30, 100, 37).Transpose()) },
			"Linear":         func() *Tensor { return Linear(x, y.Narrow(0, 0, 37), row, true) },
			"Concat":         func() *Tensor { return Concat(1, x, y) },
			"Rand":           func() *Tensor { return Rand(dt, 3, 100, 1000) },
			"Add":            func() *Tensor { return Add(x, y) },
			"Mul row":        func() *Tensor { return Mul(x, row) },
			"Mul column":     func() *Tensor { return Mul(x, column) },
			"Exp":            func() *Tensor { return Exp(x) },
			"Dropout":        func() *Tensor { return Dropout(long, 5, 1<<31, 2) },
			"Tanh":           func() *Tensor { return Tanh(x) },
			"MatMul":         func() *Tensor { return MatMul(x.Transpose(), y) },
			"MatMul wide":    func() *Tensor { return MatMul(x.Narrow(0, 0, 300), y.Transpose()) },
			"Sum":            func() *Tensor { return Sum(long, false) },
			"Sum rows":       func() *Tensor { return Sum(x, false, 1) },
			"Sum columns":    func() *Tensor { return Sum(x, false, 0) },
			"Mean":           func() *Tensor { return Mean(x, false) },
			"Max":            func() *Tensor { return Max(x, false, 0) },
			"Softmax":        func() *Tensor { return Softmax(x) },
			"LogSoftmax":     func() *Tensor { return LogSoftmax(x) },
			"IndexSelect":    func() *Tensor { return IndexSelect(x, rows) },
			"ScatterAddRows": func() *Tensor { return ScatterAddRows(x, rows, 50) },
			"To some rows":   func() *Tensor { c := row.Expand(4000, 37).Clone(); ScatterAddRowsInto(c, x, wide); return c },
			"SparseMatMul":   func() *Tensor { return SparseMatMul(s, x, false) },
			"SparseMatMul T": func() *Tensor { return SparseMatMul(s, z, true) },
			"Transpose":      func() *Tensor { return x.Transpose().Contiguous() },
			"SumTo":          func() *Tensor { return SumTo(x, Shape{1, 37}) },
			"AddInto":        func() *Tensor { c := x.Clone(); AddInto(c, y); return c },
		}
		for name, op := range ops {
			withThreads(t, 1)
			want := op().Float64s()
			for _, n := range []int{2, 3, 8} {
				SetThreads(n)
				if got := op().Float64s(); !slices.Equal(got, want) {
					t.Errorf("%s: the bits differ between 1 and %d threads", name, n)
				}
			}
		}
	})
}

func TestSetThreadsReachesTheEngine(t *testing.T) {
	withThreads(t, 3)
	if Threads() != 3 {
		t.Errorf("Threads() is %d after SetThreads(3)", Threads())
	}
}

func TestParallelRowsTakesEveryRowOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, rows := range []int{0, 1, 5000} {
		for _, entries := range []int{0, 8, 3000} { // 0 and 8 put rows on the borders between ranges
			offsets := make([]int32, rows+1)
			for i := range rows {
				n := entries
				if entries > 8 {
					n = r.IntN(entries)
				}
				offsets[i+1] = offsets[i] + int32(n)
			}
			for _, width := range []int{0, 1, 8, 64, 100000} {
				seen := make([]atomic.Int32, rows)
				parallelRows(offsets, width, func(i int) { seen[i].Add(1) })
				for i := range seen {
					if n := seen[i].Load(); n != 1 {
						t.Fatalf("%d rows of %d entries, width %d: row %d was taken %d times", rows, entries, width, i, n)
					}
				}
			}
		}
	}
}
