//go:build amd64 && !noasm

// The assembly kernels of the matrix product: choice, and slices to pointers.

package kern

import "golang.org/x/sys/cpu"

// The assembly is generated: gen is a module of its own.
//go:generate go -C gen run .

func gemmKernels32() []*GemmKernel[float32] {
	return gemmSupported(
		&GemmKernel[float32]{Name: "avx512", Rows: 14, Cols: 32, panel: gemmPointers(gemmAVX512F32)},
		&GemmKernel[float32]{Name: "avx2", Rows: 6, Cols: 16, panel: gemmPointers(gemmAVX2F32)},
	)
}

func gemmKernels64() []*GemmKernel[float64] {
	return gemmSupported(
		&GemmKernel[float64]{Name: "avx512", Rows: 14, Cols: 16, panel: gemmPointers(gemmAVX512F64)},
		&GemmKernel[float64]{Name: "avx2", Rows: 6, Cols: 8, panel: gemmPointers(gemmAVX2F64)},
	)
}

// gemmSupported returns the kernels that this processor runs, and the Go one.
func gemmSupported[T Float](avx512, avx2 *GemmKernel[T]) []*GemmKernel[T] {
	var all []*GemmKernel[T]
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL {
		all = append(all, avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, avx2)
	}
	return append(all, gemmGo[T]())
}

// gemmPointers calls f, which takes pointers, nil for an empty slice.
func gemmPointers[T Float](f func(rows, cols, depth int, a *T, aRow, aDepth int, b *T, bDepth int, c *T, cRow int, bias *T, mode int)) func(int, int, int, []T, int, int, []T, int, []T, int, []T, GemmMode) {
	return func(rows, cols, depth int, a []T, aRow, aDepth int, b []T, bDepth int, c []T, cRow int, bias []T, mode GemmMode) {
		var pa, pb, pBias *T
		if depth > 0 {
			pa, pb = &a[0], &b[0]
		}
		if bias != nil {
			pBias = &bias[0]
		}
		f(rows, cols, depth, pa, aRow, aDepth, pb, bDepth, &c[0], cRow, pBias, int(mode))
	}
}
