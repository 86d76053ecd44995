//go:build amd64 && !noasm

// Rows repeated: from slices to the assembly, which has rows of up to 16 words.

package kern

func repeatRowsAVX[T Float](dst, x []T, width int, bounds []int32) {
	rows, words := len(bounds)-1, width*wordsOf[T]()
	if rows < 1 || words < 1 || words > 16 {
		repeatRows(dst, x, width, bounds)
		return
	}
	if decreases(bounds) {
		panic("BUG: kern: bounds of repeated rows decrease")
	}
	last := int(bounds[rows])
	dst, x = dst[int(bounds[0])*width:last*width], x[:rows*width]
	if len(dst) == 0 {
		return
	}
	switch words {
	case 1:
		repeatOnesAVX2(word(&dst[0]), word(&x[0]), &bounds[0], rows)
	case 8:
		repeatEightsAVX2(word(&dst[0]), word(&x[0]), &bounds[0], rows)
	default:
		repeatSmallRows(dst, x, width, bounds)
	}
}

//go:noescape
func repeatOnesAVX2(dst, x *float32, bounds *int32, rows int)

//go:noescape
func repeatEightsAVX2(dst, x *float32, bounds *int32, rows int)
