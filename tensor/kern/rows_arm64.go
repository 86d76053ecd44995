//go:build arm64 && !noasm

// Row kernels with NEON.

package kern

func useRowsNEON(s *Set[float32]) {}
