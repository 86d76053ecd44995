//go:build noasm || (!amd64 && !arm64)

// Without assembly the reference loops are the kernels.

package kern

func fastest32() (*Set[float32], string) { return reference[float32](), "go" }

func fastest64() *Set[float64] { return reference[float64]() }
