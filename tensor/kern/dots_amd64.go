//go:build amd64 && !noasm

// Dot products of many pairs of rows: from slices to the assembly.

package kern

import "math/bits"

// eachDot takes rows of a few numbers in Go.
func eachDot[T Float](dots func(dst, a, b *T, rows, n int)) func(dst, a, b []T, n int) {
	return func(dst, a, b []T, n int) {
		rows := rowsOf(len(a), n)
		dst, b = dst[:rows], b[:len(a)]
		if n < 4 || rows == 0 {
			dotFew(dst, a, b, n)
			return
		}
		dots(&dst[0], &a[0], &b[0], rows, n)
	}
}

func dotEach512(dst, a, b []float32, n int) {
	rows := rowsOf(len(a), n)
	if rows == 0 {
		return
	}
	b, dst = b[:len(a)], dst[:rows]
	if n < 4 {
		dotFew(dst, a, b, n)
		return
	}
	if n <= 32 && bits.OnesCount(uint(n)) == 1 { // several rows in a register
		dotEachAVX512(&dst[0], &a[0], &b[0], len(a), bits.TrailingZeros(uint(n)))
		return
	}
	dotRowsAVX512(&dst[0], &a[0], &b[0], rows, n)
}

//go:noescape
func dotRowsAVX2(dst, a, b *float32, rows, n int)

//go:noescape
func dotRows64AVX2(dst, a, b *float64, rows, n int)

//go:noescape
func dotEachAVX512(dst, a, b *float32, n, fold int)

//go:noescape
func dotRowsAVX512(dst, a, b *float32, rows, n int)
