// Benchmarks of the kernels, the Go loops beside them.

package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// forTwins benchmarks the chosen kernels beside the Go loops.
func forTwins(b *testing.B, name string, f func(b *testing.B, set *Set[float32])) {
	b.Run(name+"/"+ISA(), func(b *testing.B) { f(b, For[float32]()) })
	b.Run(name+"/reference", func(b *testing.B) { f(b, Reference[float32]()) })
}

func BenchmarkElementwise(b *testing.B) {
	const n = 4096
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	fillRandom(rand.New(rand.NewPCG(1, 1)), x, false)
	fillRandom(rand.New(rand.NewPCG(2, 2)), y, false)
	var sink float32
	kernels := []struct {
		name string
		run  func(set *Set[float32])
	}{
		{"Add", func(s *Set[float32]) { s.Add(z, x, y) }},
		{"Max", func(s *Set[float32]) { s.Max(z, x, y) }},
		{"Div", func(s *Set[float32]) { s.Div(z, x, y) }},
		{"Axpy", func(s *Set[float32]) { s.Axpy(z, x, 1e-9) }},
		{"ReLU", func(s *Set[float32]) { s.ReLU(z, x) }},
		{"Exp", func(s *Set[float32]) { s.Exp(z, x) }},
		{"ELU", func(s *Set[float32]) { s.ELU(z, x, 1) }},
		{"Sigmoid", func(s *Set[float32]) { s.Sigmoid(z, x) }},
		{"Tanh", func(s *Set[float32]) { s.Tanh(z, x) }},
		{"Step", func(s *Set[float32]) { s.Step(z, x, 0, 1, 0.2) }},
		{"Dropout", func(s *Set[float32]) { s.Dropout(z, x, 1, 0, 1<<31, 2) }},
		{"Dot", func(s *Set[float32]) { sink += s.Dot(x, y) }},
		{"Sum", func(s *Set[float32]) { sink += s.Sum(x) }},
		{"MaxOf", func(s *Set[float32]) { sink += s.MaxOf(x) }},
	}
	for _, k := range kernels {
		forTwins(b, k.name, func(b *testing.B, set *Set[float32]) {
			b.SetBytes(4 * n)
			for b.Loop() {
				k.run(set)
			}
		})
	}
}

// BenchmarkGather sums rows of a matrix that fits the L2 cache; MB/s counts the
// rows read.
func BenchmarkGather(b *testing.B) {
	const edges, vertices = 4096, 2000
	r := rand.New(rand.NewPCG(3, 3))
	ids := make([]int32, edges)
	for e := range ids {
		ids[e] = int32(r.IntN(vertices))
	}
	w, out := make([]float32, edges), make([]float32, edges)
	fillRandom(r, w, false)
	for _, width := range []int{8, 16, 64, 128} {
		x, acc := make([]float32, vertices*width), make([]float32, width)
		fillRandom(r, x, false)
		heads := make([]float32, edges*width/8)
		fillRandom(r, heads, false)
		kernels := []struct {
			name string
			run  func(set *Set[float32])
		}{
			{"Sum", func(s *Set[float32]) { s.GatherSum(acc, x, width, ids) }},
			{"ScaleSum", func(s *Set[float32]) { s.GatherScaleSum(acc, x, width, ids, w, 1) }},
			{"Dot", func(s *Set[float32]) { s.GatherDot(out, 1, acc, x, width, ids) }},
			{"ScaleSumHeads of 8", func(s *Set[float32]) { s.GatherScaleSumHeads(acc, x, width, ids, heads, width/8, 8) }},
			{"DotHeads of 8", func(s *Set[float32]) { s.GatherDotHeads(heads, width/8, acc, x, width, ids, 8) }},
		}
		for _, k := range kernels {
			forTwins(b, fmt.Sprintf("%s/%d", k.name, width), func(b *testing.B, set *Set[float32]) {
				b.SetBytes(4 * edges * int64(width))
				for b.Loop() {
					clear(acc)
					k.run(set)
				}
			})
		}
	}
}
