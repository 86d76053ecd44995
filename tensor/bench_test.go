// Benchmarks at the sizes of a GCN on Cora.

package tensor

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkSparseMatMul is the first layer of a GCN on Cora: features 1.3 % full.
func BenchmarkSparseMatMul(b *testing.B) {
	const vertices, features, hidden = 2708, 1433, 64
	r := rand.New(rand.NewPCG(1, 1))
	s := randomSparse(b, r, Float32, vertices, features, 23)
	w, g := random(r, Float32, features, hidden), random(r, Float32, vertices, hidden)
	b.Run("X·W", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			SparseMatMul(s, w, false)
		}
	})
	b.Run("Xᵀ·G", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			SparseMatMul(s, g, true)
		}
	})
}

func BenchmarkElementwise(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 2))
	x, y := random(r, Float32, 2708, 64), random(r, Float32, 2708, 64)
	row, column := random(r, Float32, 64), random(r, Float32, 2708, 1)
	mask, heads, whole, wholes := Less(x, y), random(r, Float32, 2708*8, 1), column.To(Int32), x.To(Int32)
	small, matrix := random(r, Float32, 4), random(r, Float32, 4, 4)
	for _, op := range []struct {
		name string
		run  func()
	}{
		{"Add/small", func() { Add(small, small) }},
		{"Add/small row", func() { Add(matrix, small) }},
		{"Scale/small", func() { Scale(small, 2) }},
		{"MatMul/small", func() { MatMul(matrix, matrix) }},
		{"Sum/small", func() { Sum(matrix, false) }},
		{"Add/equal", func() { Add(x, y) }},
		{"Add/row", func() { Add(x, row) }},
		{"Mul/column", func() { Mul(x, column) }},
		{"Less/column", func() { Less(x, column) }},
		{"Where/column", func() { Where(mask, column, x) }},
		{"Where/column of 8", func() { Where(mask.Reshape(-1, 8), heads, x.Reshape(-1, 8)) }},
		{"Where/column of integers", func() { Where(mask, whole, wholes) }},
		{"ReLU", func() { ReLU(x) }},
		{"Sigmoid", func() { Sigmoid(x) }},
		{"Sum/all", func() { Sum(x, false) }},
		{"Sum/columns", func() { Sum(x, false, 0) }},
		{"LogSoftmax", func() { LogSoftmax(x) }},
		{"Transpose", func() { x.Transpose().Contiguous() }},
	} {
		b.Run(op.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op.run()
			}
		})
	}
}
