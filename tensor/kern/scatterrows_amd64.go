//go:build amd64 && !noasm

// Rows written to where ids say: from slices to the assembly, which takes single numbers,
// rows of a vector or more, and whole lines of the cache to write past it.

package kern

import "unsafe"

func scatterRowsAVX(dst, x []float32, width int, ids []int32, past bool) {
	const vector, line, lineBytes = 8, 16, 64
	n := len(ids)
	if n == 0 || width != 1 && width < vector {
		scatterRows(dst, x, width, ids)
		return
	}
	checkScatterRows(len(x), width, n)
	if width == 1 {
		scatterOnesAMD64(&dst[0], &x[0], &ids[0], n)
		return
	}
	if past && width%line == 0 && uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%lineBytes == 0 {
		scatterRowsPastAVX(&dst[0], &x[0], width, &ids[0], n)
		return
	}
	scatterRowsNearAVX(&dst[0], &x[0], width, &ids[0], n)
}

//go:noescape
func scatterRowsNearAVX(dst, x *float32, width int, ids *int32, n int)

//go:noescape
func scatterRowsPastAVX(dst, x *float32, width int, ids *int32, n int)

//go:noescape
func scatterOnesAMD64(dst, x *float32, ids *int32, n int)
