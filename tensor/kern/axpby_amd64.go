//go:build amd64 && !noasm

// Two rows weighted and added: from slices to the assembly.

package kern

import "unsafe"

// axpbyBy writes with past where dst is aligned, whole registers four at a time.
func axpbyBy[T Float](near, past func(dst, x, y *T, n int, a, b T)) func(dst, x, y []T, a, b T, large bool) {
	return func(dst, x, y []T, a, b T, large bool) {
		const register = 32 // bytes
		block := 4 * register / int(unsafe.Sizeof(a))
		n := len(dst)
		x, y = x[:n], y[:n]
		if whole := n &^ (block - 1); large && whole > 0 && uintptr(unsafe.Pointer(&dst[0]))%register == 0 {
			past(&dst[0], &x[0], &y[0], whole, a, b)
			dst, x, y = dst[whole:], x[whole:], y[whole:]
		}
		if len(dst) > 0 {
			near(&dst[0], &x[0], &y[0], len(dst), a, b)
		}
	}
}

//go:noescape
func axpbyAVX2(dst, x, y *float32, n int, a, b float32)

//go:noescape
func axpbyPastAVX2(dst, x, y *float32, n int, a, b float32)

//go:noescape
func axpby64AVX2(dst, x, y *float64, n int, a, b float64)

//go:noescape
func axpbyPast64AVX2(dst, x, y *float64, n int, a, b float64)
