//go:build amd64 && !noasm

// Rows of 2 to 16 words: from slices to the assembly.

package kern

// overlapping returns how many words the two moves of a row of some take each, 2, 4 or 8,
// and at which byte the second begins; 0 for rows that are no such rows.
func overlapping(words int) (each, second int) {
	for _, n := range []int{8, 4, 2} {
		if n <= words && words <= 2*n {
			return n, (words - n) * wordSize
		}
	}
	return 0, 0
}

// gatherSmallRows copies the rows that ids name, some, of 2 to 16 words.
func gatherSmallRows[T Float](dst, x []T, width, stride int, ids []int32) {
	words, bytes, each := width*wordsOf[T](), bytesOf[T](width), bytesOf[T](stride)
	dst = dst[:len(ids)*width]
	switch n, second := overlapping(words); n {
	case 2:
		gatherByTwosAVX(word(&dst[0]), word(&x[0]), bytes, second, each, &ids[0], len(ids))
	case 4:
		gatherByFoursAVX(word(&dst[0]), word(&x[0]), bytes, second, each, &ids[0], len(ids))
	case 8:
		gatherByEightsAVX(word(&dst[0]), word(&x[0]), bytes, second, each, &ids[0], len(ids))
	}
}

// repeatSmallRows copies each row of 2 to 16 words to its edges; there are some of either.
func repeatSmallRows[T Float](dst, x []T, width int, bounds []int32) {
	words, bytes, rows := width*wordsOf[T](), bytesOf[T](width), len(bounds)-1
	switch n, second := overlapping(words); n {
	case 2:
		repeatByTwosAVX(word(&dst[0]), word(&x[0]), bytes, second, &bounds[0], rows)
	case 4:
		repeatByFoursAVX(word(&dst[0]), word(&x[0]), bytes, second, &bounds[0], rows)
	case 8:
		repeatByEightsAVX(word(&dst[0]), word(&x[0]), bytes, second, &bounds[0], rows)
	}
}

//go:noescape
func gatherByTwosAVX(dst, x *float32, width, second, stride int, ids *int32, n int)

//go:noescape
func gatherByFoursAVX(dst, x *float32, width, second, stride int, ids *int32, n int)

//go:noescape
func gatherByEightsAVX(dst, x *float32, width, second, stride int, ids *int32, n int)

//go:noescape
func repeatByTwosAVX(dst, x *float32, width, second int, bounds *int32, rows int)

//go:noescape
func repeatByFoursAVX(dst, x *float32, width, second int, bounds *int32, rows int)

//go:noescape
func repeatByEightsAVX(dst, x *float32, width, second int, bounds *int32, rows int)
