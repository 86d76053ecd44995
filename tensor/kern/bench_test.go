// Benchmarks of the kernels, the Go loops beside them.

package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// forTwins benchmarks the chosen kernels beside the other assembly and the Go loops.
func forTwins(b *testing.B, name string, f func(b *testing.B, set *Set[float32])) {
	b.Run(name+"/"+ISA(), func(b *testing.B) { f(b, For[float32]()) })
	if below, isa := slower32(); below != nil {
		b.Run(name+"/"+isa, func(b *testing.B) { f(b, below) })
	}
	b.Run(name+"/reference", func(b *testing.B) { f(b, Reference[float32]()) })
}

func BenchmarkElementwise(b *testing.B) {
	const n = 4096
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	fillRandom(rand.New(rand.NewPCG(1, 1)), x, false)
	fillRandom(rand.New(rand.NewPCG(2, 2)), y, false)
	var sink float32
	mask := make([]bool, n)
	p, m, v := make([]float32, n), make([]float32, n), make([]float32, n)
	type kernel struct {
		name string
		run  func(set *Set[float32])
	}
	kernels := []kernel{
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
		{"FMA3", func(s *Set[float32]) { s.FMA3(z, x, y, x) }},
		{"Less", func(s *Set[float32]) { s.Less(mask, x, y) }},
		{"Select", func(s *Set[float32]) { s.Select(z, mask, x, y) }},
		{"SumSquaredDev", func(s *Set[float32]) { sink += s.SumSquaredDev(x, 1) }},
		{"ArgMax", func(s *Set[float32]) { sink += float32(s.ArgMax(x)) }},
		{"Adam", func(s *Set[float32]) { s.Adam(p, x, m, v, AdamArgs{LR: 1e-9, BiasCorrection1: 1, BiasCorrection2: 1}) }},
		{"RMSprop", func(s *Set[float32]) { s.RMSprop(p, x, v, nil, nil, RMSpropArgs{LR: 1e-9, Alpha: 0.5, Eps: 1}) }},
		{"Adagrad", func(s *Set[float32]) { s.Adagrad(p, x, v, AdagradArgs{LR: 1e-9, Eps: 1}) }},
		{"Adadelta", func(s *Set[float32]) { s.Adadelta(p, x, m, v, AdadeltaArgs{LR: 1e-9, Rho: 0.5, Eps: 1}) }},
		{"NAdam", func(s *Set[float32]) {
			s.NAdam(p, x, m, v, NAdamArgs{StepM: 1e-9, Beta1: 0.5, Beta2: 0.5, Eps: 1, Shrink: 1, BiasCorrection2: 1})
		}},
		{"Lion", func(s *Set[float32]) { s.Lion(p, x, m, LionArgs{LR: 1e-9, Beta1: 0.5, Beta2: 0.5}) }},
		{"SGD with momentum", func(s *Set[float32]) { s.SGD(p, x, m, SGDArgs{LR: 1e-9, Momentum: 0.5}) }},
	}
	for _, k := range kernels {
		forTwins(b, k.name, func(b *testing.B, set *Set[float32]) {
			for b.Loop() {
				k.run(set)
			}
			perElement(b, n)
		})
	}
	for i, f := range functions(For[float32]()) {
		forTwins(b, f.name, func(b *testing.B, set *Set[float32]) {
			f := functions(set)[i].got
			for b.Loop() {
				f(z, x)
			}
			perElement(b, n)
		})
	}
	for i, f := range gradients(For[float32]()) {
		forTwins(b, f.name, func(b *testing.B, set *Set[float32]) {
			f := gradients(set)[i].got
			for b.Loop() {
				f(z, x, y)
			}
			perElement(b, n)
		})
	}
}

// perElement reports the time of one of the n elements of an iteration.
func perElement(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
}

// BenchmarkRows runs the kernels of rows over a matrix that fits the L1 cache.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{7, 16, 40, 128, 1000} {
		rows := 2048 / n
		x, g, dst := make([]float32, rows*n), make([]float32, rows*n), make([]float32, rows*n)
		row, mean, rstd := make([]float32, n), make([]float32, rows), make([]float32, rows)
		r := rand.New(rand.NewPCG(4, 4))
		fillRandom(r, x, false)
		fillRandom(r, g, false)
		kernels := []struct {
			name string
			run  func(set *Set[float32])
		}{
			{"Softmax", func(s *Set[float32]) { s.SoftmaxRows(dst, x, n) }},
			{"LogSoftmax", func(s *Set[float32]) { s.LogSoftmaxRows(dst, x, n) }},
			{"SoftmaxGrad", func(s *Set[float32]) { s.SoftmaxGradRows(dst, g, x, n) }},
			{"LogSoftmaxGrad", func(s *Set[float32]) { s.LogSoftmaxGradRows(dst, g, x, n) }},
			{"Norm", func(s *Set[float32]) { s.NormRows(dst, x, mean, rstd, n, 1e-5) }},
			{"NormGrad", func(s *Set[float32]) { s.NormGradRows(dst, g, x, mean, rstd, n) }},
			{"AddRow", func(s *Set[float32]) { s.AddRow(dst, x, row) }},
			{"SumRowsInto", func(s *Set[float32]) { s.SumRowsInto(row, x, n) }},
		}
		for _, k := range kernels {
			forTwins(b, fmt.Sprintf("%s/%d", k.name, n), func(b *testing.B, set *Set[float32]) {
				for b.Loop() {
					k.run(set)
				}
				perElement(b, rows*n)
			})
		}
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
