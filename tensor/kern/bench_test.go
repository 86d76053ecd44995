// Benchmarks of the kernels, the Go loops beside them.

package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// forTwins benchmarks the chosen kernels beside the other assembly and the Go loops.
func forTwins[T Float](b *testing.B, name string, f func(b *testing.B, set *Set[T])) {
	b.Run(name+"/"+ISA(), func(b *testing.B) { f(b, For[T]()) })
	if below, isa := slower[T](); below != nil {
		b.Run(name+"/"+isa, func(b *testing.B) { f(b, below) })
	}
	b.Run(name+"/reference", func(b *testing.B) { f(b, Reference[T]()) })
}

// slower is the set that processors without AVX-512 get, nil where there is none.
func slower[T Float]() (*Set[T], string) {
	below, isa := slower32()
	if set, ok := any(below).(*Set[T]); ok {
		return set, isa
	}
	other, isa := slower64()
	return any(other).(*Set[T]), isa
}

func BenchmarkElementwise(b *testing.B) { elementwise[float32](b, 4096) }

// BenchmarkElementwise64 runs them over float64 numbers in the L1 cache and in memory.
func BenchmarkElementwise64(b *testing.B) {
	b.Run("L1", func(b *testing.B) { elementwise[float64](b, 1024) })
	b.Run("memory", func(b *testing.B) { elementwise[float64](b, 1<<22) })
}

func elementwise[T Float](b *testing.B, n int) {
	x, y, z := make([]T, n), make([]T, n), make([]T, n)
	fillRandom(rand.New(rand.NewPCG(1, 1)), x, false)
	fillRandom(rand.New(rand.NewPCG(2, 2)), y, false)
	var sink T
	mask := make([]bool, n)
	p, m, v := make([]T, n), make([]T, n), make([]T, n)
	type kernel struct {
		name string
		run  func(set *Set[T])
	}
	kernels := []kernel{
		{"Add", func(s *Set[T]) { s.Add(z, x, y) }},
		{"Max", func(s *Set[T]) { s.Max(z, x, y) }},
		{"Div", func(s *Set[T]) { s.Div(z, x, y) }},
		{"Axpy", func(s *Set[T]) { s.Axpy(z, x, 1e-9) }},
		{"ReLU", func(s *Set[T]) { s.ReLU(z, x) }},
		{"Exp", func(s *Set[T]) { s.Exp(z, x) }},
		{"ELU", func(s *Set[T]) { s.ELU(z, x, 1) }},
		{"Sigmoid", func(s *Set[T]) { s.Sigmoid(z, x) }},
		{"Tanh", func(s *Set[T]) { s.Tanh(z, x) }},
		{"Step", func(s *Set[T]) { s.Step(z, x, 0, 1, 0.2) }},
		{"Dropout", func(s *Set[T]) { s.Dropout(z, x, 1, 0, 1<<31, 2) }},
		{"Dot", func(s *Set[T]) { sink += s.Dot(x, y) }},
		{"Sum", func(s *Set[T]) { sink += s.Sum(x) }},
		{"MaxOf", func(s *Set[T]) { sink += s.MaxOf(x) }},
		{"FMA3", func(s *Set[T]) { s.FMA3(z, x, y, x) }},
		{"Less", func(s *Set[T]) { s.Less(mask, x, y) }},
		{"Select", func(s *Set[T]) { s.Select(z, mask, x, y) }},
		{"SumSquaredDev", func(s *Set[T]) { sink += s.SumSquaredDev(x, 1) }},
		{"ArgMax", func(s *Set[T]) { sink += T(s.ArgMax(x)) }},
		{"Adam", func(s *Set[T]) { s.Adam(p, x, m, v, AdamArgs{LR: 1e-9, BiasCorrection1: 1, BiasCorrection2: 1}) }},
		{"RMSprop", func(s *Set[T]) { s.RMSprop(p, x, v, nil, nil, RMSpropArgs{LR: 1e-9, Alpha: 0.5, Eps: 1}) }},
		{"Adagrad", func(s *Set[T]) { s.Adagrad(p, x, v, AdagradArgs{LR: 1e-9, Eps: 1}) }},
		{"Adadelta", func(s *Set[T]) { s.Adadelta(p, x, m, v, AdadeltaArgs{LR: 1e-9, Rho: 0.5, Eps: 1}) }},
		{"NAdam", func(s *Set[T]) {
			s.NAdam(p, x, m, v, NAdamArgs{StepM: 1e-9, Beta1: 0.5, Beta2: 0.5, Eps: 1, Shrink: 1, BiasCorrection2: 1})
		}},
		{"Lion", func(s *Set[T]) { s.Lion(p, x, m, LionArgs{LR: 1e-9, Beta1: 0.5, Beta2: 0.5}) }},
		{"SGD with momentum", func(s *Set[T]) { s.SGD(p, x, m, SGDArgs{LR: 1e-9, Momentum: 0.5}) }},
	}
	for _, k := range kernels {
		forTwins(b, k.name, func(b *testing.B, set *Set[T]) {
			for b.Loop() {
				k.run(set)
			}
			perElement(b, n)
		})
	}
	for i, f := range functions(For[T]()) {
		forTwins(b, f.name, func(b *testing.B, set *Set[T]) {
			f := functions(set)[i].got
			for b.Loop() {
				f(z, x)
			}
			perElement(b, n)
		})
	}
	for i, f := range gradients(For[T]()) {
		forTwins(b, f.name, func(b *testing.B, set *Set[T]) {
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
func BenchmarkRows(b *testing.B)   { rows[float32](b, 2048) }
func BenchmarkRows64(b *testing.B) { rows[float64](b, 1024) }

func rows[T Float](b *testing.B, size int) {
	for _, n := range []int{7, 16, 40, 128, 1000} {
		rows := size / n
		x, g, dst := make([]T, rows*n), make([]T, rows*n), make([]T, rows*n)
		row, sums, mean, rstd := make([]T, n), make([]T, n), make([]T, rows), make([]T, rows)
		r := rand.New(rand.NewPCG(4, 4))
		fillRandom(r, x, false)
		fillRandom(r, g, false)
		kernels := []struct {
			name string
			run  func(set *Set[T])
		}{
			{"Softmax", func(s *Set[T]) { s.SoftmaxRows(dst, x, n) }},
			{"LogSoftmax", func(s *Set[T]) { s.LogSoftmaxRows(dst, x, n) }},
			{"SoftmaxGrad", func(s *Set[T]) { s.SoftmaxGradRows(dst, g, x, n) }},
			{"LogSoftmaxGrad", func(s *Set[T]) { s.LogSoftmaxGradRows(dst, g, x, n) }},
			{"Norm", func(s *Set[T]) { s.NormRows(dst, x, mean, rstd, n, 1e-5) }},
			{"NormGrad", func(s *Set[T]) { s.NormGradRows(dst, g, x, mean, rstd, n) }},
			{"AddRow", func(s *Set[T]) { s.AddRow(dst, x, row) }},
			{"SumRowsInto", func(s *Set[T]) { s.SumRowsInto(row, x, n) }},
			{"MulGroups", func(s *Set[T]) { s.MulGroups(dst, x, rstd, n) }},
			{"SetGroups", func(s *Set[T]) { s.SetGroups(dst, rstd, n) }},
			{"ColumnMoments", func(s *Set[T]) { s.ColumnMoments(sums, sums, x, row) }},
			{"ColumnDots", func(s *Set[T]) { s.ColumnDots(sums, sums, g, x, row) }},
			{"ScaleColumns", func(s *Set[T]) { s.ScaleColumns(dst, x, row, row, row) }},
			{"GradColumns", func(s *Set[T]) { s.GradColumns(dst, g, x, row, row, row, row) }},
		}
		for _, k := range kernels {
			forTwins(b, fmt.Sprintf("%s/%d", k.name, n), func(b *testing.B, set *Set[T]) {
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
func BenchmarkGather(b *testing.B)   { gather[float32](b) }
func BenchmarkGather64(b *testing.B) { gather[float64](b) }

func gather[T Float](b *testing.B) {
	const edges, vertices = 4096, 2000
	r := rand.New(rand.NewPCG(3, 3))
	ids := make([]int32, edges)
	for e := range ids {
		ids[e] = int32(r.IntN(vertices))
	}
	w, out := make([]T, edges), make([]T, edges)
	fillRandom(r, w, false)
	for _, width := range []int{8, 16, 64, 128} {
		x, acc := make([]T, vertices*width), make([]T, width)
		fillRandom(r, x, false)
		heads := make([]T, edges*width/8)
		fillRandom(r, heads, false)
		kernels := []struct {
			name string
			run  func(set *Set[T])
		}{
			{"Sum", func(s *Set[T]) { s.GatherSum(acc, x, width, ids) }},
			{"ScaleSum", func(s *Set[T]) { s.GatherScaleSum(acc, x, width, ids, w, 1) }},
			{"Dot", func(s *Set[T]) { s.GatherDot(out, 1, acc, x, width, ids) }},
			{"ScaleSumHeads of 8", func(s *Set[T]) { s.GatherScaleSumHeads(acc, x, width, ids, heads, width/8, 8) }},
			{"DotHeads of 8", func(s *Set[T]) { s.GatherDotHeads(heads, width/8, acc, x, width, ids, 8) }},
		}
		for _, k := range kernels {
			forTwins(b, fmt.Sprintf("%s/%d", k.name, width), func(b *testing.B, set *Set[T]) {
				b.SetBytes(int64(unsafe.Sizeof(T(0))) * edges * int64(width))
				for b.Loop() {
					clear(acc)
					k.run(set)
				}
			})
		}
	}
}
