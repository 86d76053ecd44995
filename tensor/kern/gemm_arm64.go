//go:build arm64 && !noasm

// The NEON kernels of the matrix product, which every arm64 processor runs.

package kern

func gemmKernels32() []*GemmKernel[float32] {
	neon := &GemmKernel[float32]{Name: "neon", Rows: 6, Cols: 16, panel: gemmPointers(gemmNEONF32, 0, 0)}
	return []*GemmKernel[float32]{neon, gemmGo[float32]()}
}

func gemmKernels64() []*GemmKernel[float64] {
	neon := &GemmKernel[float64]{Name: "neon", Rows: 6, Cols: 8, panel: gemmPointers(gemmNEONF64, 0, 0)}
	return []*GemmKernel[float64]{neon, gemmGo[float64]()}
}
