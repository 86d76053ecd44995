// The reference loop of copied rows.

package kern

import "fmt"

func copyRows[T Float](dst []T, step int, x []T, stride, width, rows int) {
	if rows <= 0 || width <= 0 {
		return
	}
	checkCopyRows(len(dst), step, len(x), stride, width, rows)
	for i := range rows {
		copy(dst[i*step:][:width], x[i*stride:])
	}
}

// checkCopyRows panics if a slice is too short for the rows.
func checkCopyRows(dst, step, x, stride, width, rows int) {
	if step < 0 || stride < 0 || dst < (rows-1)*step+width || x < (rows-1)*stride+width {
		panic(fmt.Sprintf("BUG: kern: %d rows of %d elements exceed their slices: %d elements, a row each %d, from %d, each %d", rows, width, dst, step, x, stride))
	}
}
