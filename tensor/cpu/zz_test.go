package cpu

import (
	"fmt"
	"testing"
)

func BenchmarkZZ(b *testing.B) {
	for _, d := range []int{16, 64, 128} {
		w := make([]float32, d*d)
		p := Pack(RowMajor(w, d, d), make([]float32, PackedSize[float32](d, d)))
		for _, rows := range []int{12, 24, 48, 96, 144, 288, 576} {
			a, c := make([]float32, rows*d), make([]float32, rows*d)
			b.Run(fmt.Sprint(d, "/", rows), func(b *testing.B) {
				for b.Loop() {
					p.Multiply(RowMajor(c, rows, d), RowMajor(a, rows, d), Epilogue[float32]{})
				}
				b.ReportMetric(2*float64(rows*d*d)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
