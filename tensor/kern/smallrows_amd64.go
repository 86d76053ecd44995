//go:build amd64 && !noasm

// Rows of 2 to 16 numbers: from slices to the assembly.

package kern

import "unsafe"

// overlapping returns how many numbers the two moves of a row take each, 2, 4 or 8, and at
// which byte the second begins; 0 for rows that are no such rows.
func overlapping(width int) (numbers, second int) {
	const size = int(unsafe.Sizeof(float32(0)))
	for _, n := range []int{8, 4, 2} {
		if n <= width && width <= 2*n {
			return n, (width - n) * size
		}
	}
	return 0, 0
}

// gatherSmallRows copies the rows that ids name, some, of 2 to 16 numbers.
func gatherSmallRows(dst, x []float32, width, stride int, ids []int32) {
	const size = int(unsafe.Sizeof(float32(0)))
	dst = dst[:len(ids)*width]
	switch numbers, second := overlapping(width); numbers {
	case 2:
		gatherByTwosAVX(&dst[0], &x[0], width*size, second, stride*size, &ids[0], len(ids))
	case 4:
		gatherByFoursAVX(&dst[0], &x[0], width*size, second, stride*size, &ids[0], len(ids))
	case 8:
		gatherByEightsAVX(&dst[0], &x[0], width*size, second, stride*size, &ids[0], len(ids))
	}
}

// repeatSmallRows copies each row of 2 to 16 numbers to its edges; there are some of either.
func repeatSmallRows(dst, x []float32, width int, bounds []int32) {
	const size = int(unsafe.Sizeof(float32(0)))
	rows := len(bounds) - 1
	switch numbers, second := overlapping(width); numbers {
	case 2:
		repeatByTwosAVX(&dst[0], &x[0], width*size, second, &bounds[0], rows)
	case 4:
		repeatByFoursAVX(&dst[0], &x[0], width*size, second, &bounds[0], rows)
	case 8:
		repeatByEightsAVX(&dst[0], &x[0], width*size, second, &bounds[0], rows)
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
