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
	switch n { // of which a call for each row costs more than the products
	case 1:
		mulAVX2(&dst[0], &a[0], &b[0], rows)
		return
	case 2:
		for i := range dst {
			x, y := a[2*i:][:2], b[2*i:][:2]
			dst[i] = x[0]*y[0] + x[1]*y[1]
		}
		return
	case 3:
		for i := range dst {
			x, y := a[3*i:][:3], b[3*i:][:3]
			dst[i] = x[0]*y[0] + x[1]*y[1] + x[2]*y[2]
		}
		return
	}
	if 4 <= n && n <= 32 && bits.OnesCount(uint(n)) == 1 { // several rows in a register
		dotEachAVX512(&dst[0], &a[0], &b[0], len(a), bits.TrailingZeros(uint(n)))
		return
	}
	dotRowsAVX512(&dst[0], &a[0], &b[0], rows, n)
}

//go:noescape
func dotEachAVX512(dst, a, b *float32, n, fold int)

//go:noescape
func dotRowsAVX512(dst, a, b *float32, rows, n int)
