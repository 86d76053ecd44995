// The reference loop of interleaved columns.

package kern

func interleave[T Float](dst []T, step int, x []T, stride, columns, n int) {
	if n <= 0 || columns <= 0 {
		return
	}
	checkInterleave(len(dst), step, len(x), stride, columns, n)
	const some = 4
	from := 0
	for ; from+some <= columns; from += some {
		x := x[from*stride:]
		to, a, b, c, d := dst[from:], x[:n], x[stride:][:n], x[2*stride:][:n], x[3*stride:][:n]
		for i := range a {
			row := (*[some]T)(to[i*step:])
			row[0], row[1], row[2], row[3] = a[i], b[i], c[i], d[i]
		}
	}
	for ; from < columns; from++ {
		for i, v := range x[from*stride:][:n] {
			dst[i*step+from] = v
		}
	}
}

// checkInterleave panics if a slice is too short for n rows of so many columns.
func checkInterleave(dst, step, x, stride, columns, n int) {
	if step < columns || stride < 0 || dst < (n-1)*step+columns || x < (columns-1)*stride+n {
		panic("BUG: kern: interleaved columns exceed their slices")
	}
}
