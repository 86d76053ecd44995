//go:build amd64 && !noasm

// Powers by a number and by a number each: from slices to the assembly.

package kern

import "math"

// powersBy leaves exponents that make a constant of some bases to the reference loop: it takes
// a product of a logarithm. The signs are masks of the bits that an element has.
func powersBy[T Float, Bits uint32 | uint64](f func(dst, x *T, n int, p float64, flip, nan Bits)) func(dst, x []T, p float64) {
	const lanes = 8
	return func(dst, x []T, p float64) {
		x = x[:len(dst)]
		if p == 0 || p-p != 0 {
			powers(dst, x, p)
			return
		}
		var flip, nan Bits
		switch whole := math.Trunc(p); {
		case whole != p:
			nan = ^nan
		case math.Mod(p, 2) != 0:
			flip = ^(^flip >> 1)
		}
		n := len(dst) &^ (lanes - 1)
		if n > 0 {
			f(&dst[0], &x[0], n, p, flip, nan)
		}
		if n < len(dst) {
			var rest [lanes]T
			copy(rest[:], x[n:])
			f(&rest[0], &rest[0], lanes, p, flip, nan)
			copy(dst[n:], rest[:])
		}
	}
}

// powersEachBy has the assembly compute whole vectors, and a vector with the rest.
func powersEachBy[T Float](f func(dst, a, b *T, n int)) func(dst, a, b []T) {
	const lanes = 8
	return func(dst, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ (lanes - 1)
		if n > 0 {
			f(&dst[0], &a[0], &b[0], n)
		}
		if n < len(dst) {
			var restA, restB [lanes]T
			copy(restA[:], a[n:])
			copy(restB[:], b[n:])
			f(&restA[0], &restA[0], &restB[0], lanes)
			copy(dst[n:], restA[:])
		}
	}
}

//go:noescape
func powAVX2(dst, x *float32, n int, p float64, flip, nan uint32)

//go:noescape
func powAVX512(dst, x *float32, n int, p float64, flip, nan uint32)

//go:noescape
func pow64AVX2(dst, x *float64, n int, p float64, flip, nan uint64)

//go:noescape
func pow64AVX512(dst, x *float64, n int, p float64, flip, nan uint64)

//go:noescape
func powEachAVX2(dst, a, b *float32, n int)

//go:noescape
func powEach64AVX2(dst, a, b *float64, n int)

//go:noescape
func powEachAVX512(dst, a, b *float32, n int)

//go:noescape
func powEach64AVX512(dst, a, b *float64, n int)
