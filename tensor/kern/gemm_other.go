//go:build noasm || (!amd64 && !arm64)

// Without assembly the plain Go kernel is the only one.

package kern

func gemmKernels32() []*GemmKernel[float32] { return []*GemmKernel[float32]{gemmGo[float32]()} }
func gemmKernels64() []*GemmKernel[float64] { return []*GemmKernel[float64]{gemmGo[float64]()} }
