//go:build amd64 && !noasm

// Dot products of many pairs of rows: from slices to the assembly.

package kern

import "math/bits"

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
func dotEachAVX512(dst, a, b *float32, n, fold int)

//go:noescape
func dotRowsAVX512(dst, a, b *float32, rows, n int)
