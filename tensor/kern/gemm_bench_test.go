// Benchmark of the tile kernels on operands in the caches.

package kern

import (
	"fmt"
	"testing"
)

func BenchmarkGemmPanel(b *testing.B) {
	benchmarkGemmPanel[float32](b, "f32")
	benchmarkGemmPanel[float64](b, "f64")
}

func benchmarkGemmPanel[T Float](b *testing.B, name string) {
	for _, g := range GemmKernels[T]() {
		for _, depth := range []int{16, 128, 256, 512} {
			b.Run(fmt.Sprintf("%s/%s/%d", name, g.Name, depth), func(b *testing.B) {
				rows, cols := 10*g.Rows, g.Cols
				x, y, c := make([]T, rows*depth), make([]T, depth*cols), make([]T, rows*cols)
				for b.Loop() {
					g.Panel(rows, cols, depth, x, depth, 1, y, cols, c, cols, nil, 0)
				}
				b.ReportMetric(2*float64(rows*cols*depth)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
