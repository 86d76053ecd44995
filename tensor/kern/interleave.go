// The reference loop of interleaved columns.

package kern

// InterleaveCols is how many columns Interleave takes.
const InterleaveCols = 8

func interleave[T Float](dst []T, step int, x []T, stride, n int) {
	if n <= 0 {
		return
	}
	checkInterleave(len(dst), step, len(x), stride, n)
	const half = InterleaveCols / 2
	for c := 0; c < InterleaveCols; c += half {
		x := x[c*stride:]
		to, a, b, c, d := dst[c:], x[:n], x[stride:][:n], x[2*stride:][:n], x[3*stride:][:n]
		for i := range a {
			row := (*[half]T)(to[i*step:])
			row[0], row[1], row[2], row[3] = a[i], b[i], c[i], d[i]
		}
	}
}

// checkInterleave panics if a slice is too short for n rows.
func checkInterleave(dst, step, x, stride, n int) {
	if step < InterleaveCols || stride < 0 || dst < (n-1)*step+InterleaveCols || x < (InterleaveCols-1)*stride+n {
		panic("BUG: kern: interleaved columns exceed their slices")
	}
}
