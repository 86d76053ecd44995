//go:build amd64 && !noasm

// Rows copied to another matrix: from slices to the assembly, which takes whole vectors.

package kern

func useCopyRows512(s *Set[float32]) {
	s.CopyRows = func(dst []float32, step int, x []float32, stride, width, rows int) {
		whole := width &^ 15
		if rows <= 0 || whole == 0 {
			copyRows(dst, step, x, stride, width, rows)
			return
		}
		checkCopyRows(len(dst), step, len(x), stride, width, rows)
		const ahead = 512 // elements
		copyRowsAVX512(&dst[0], step, &x[0], stride, whole, rows, max(ahead/whole, 1))
		if whole < width {
			copyRows(dst[whole:], step, x[whole:], stride, width-whole, rows)
		}
	}
}

//go:noescape
func copyRowsAVX512(dst *float32, step int, x *float32, stride, width, rows, ahead int)
