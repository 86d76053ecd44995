//go:build amd64 && !noasm

// Two rows weighted and added: from slices to the assembly.

package kern

import "unsafe"

func useAxpby(s *Set[float32]) {
	s.Axpby = func(dst, x, y []float32, a, b float32, past bool) {
		const vector, block = 32, 32 // bytes, elements
		n := len(dst)
		x, y = x[:n], y[:n]
		if whole := n &^ (block - 1); past && whole > 0 && uintptr(unsafe.Pointer(&dst[0]))%vector == 0 {
			axpbyPastAVX2(&dst[0], &x[0], &y[0], whole, a, b)
			dst, x, y = dst[whole:], x[whole:], y[whole:]
		}
		if len(dst) > 0 {
			axpbyAVX2(&dst[0], &x[0], &y[0], len(dst), a, b)
		}
	}
}

//go:noescape
func axpbyAVX2(dst, x, y *float32, n int, a, b float32)

//go:noescape
func axpbyPastAVX2(dst, x, y *float32, n int, a, b float32)
