//go:build amd64 && !noasm

// Powers by a number: from slices to the assembly.

package kern

import "math"

// powersBy leaves exponents that make a constant of some bases to the reference loop: it takes
// a product of a logarithm.
func powersBy(f func(dst, x *float32, n int, p float64, flip, nan uint32)) func(dst, x []float32, p float64) {
	const lanes = 8
	return func(dst, x []float32, p float64) {
		x = x[:len(dst)]
		if p == 0 || p-p != 0 {
			powers(dst, x, p)
			return
		}
		var flip, nan uint32
		switch whole := math.Trunc(p); {
		case whole != p:
			nan = math.MaxUint32
		case math.Mod(p, 2) != 0:
			flip = 1 << 31
		}
		n := len(dst) &^ (lanes - 1)
		if n > 0 {
			f(&dst[0], &x[0], n, p, flip, nan)
		}
		if n < len(dst) {
			var rest [lanes]float32
			copy(rest[:], x[n:])
			f(&rest[0], &rest[0], lanes, p, flip, nan)
			copy(dst[n:], rest[:])
		}
	}
}

//go:noescape
func powAVX2(dst, x *float32, n int, p float64, flip, nan uint32)

//go:noescape
func powAVX512(dst, x *float32, n int, p float64, flip, nan uint32)
