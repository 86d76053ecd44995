//go:build amd64 && !noasm

// Rows copied to another matrix: from slices to the assembly, which takes whole vectors.

package kern

func useCopyRows512[T Float](s *Set[T]) {
	s.CopyRows = func(dst []T, step int, x []T, stride, width, rows int) {
		const vector = 16 // words
		size := wordsOf[T]()
		whole := width &^ (vector/size - 1)
		if rows <= 0 || whole == 0 {
			copyRows(dst, step, x, stride, width, rows)
			return
		}
		checkCopyRows(len(dst), step, len(x), stride, width, rows)
		const ahead = 512 // words
		copyRowsAVX512(word(&dst[0]), step*size, word(&x[0]), stride*size, whole*size, rows, max(ahead/(whole*size), 1))
		if whole < width {
			copyRows(dst[whole:], step, x[whole:], stride, width-whole, rows)
		}
	}
}

//go:noescape
func copyRowsAVX512(dst *float32, step int, x *float32, stride, width, rows, ahead int)
