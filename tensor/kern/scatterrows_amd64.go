//go:build amd64 && !noasm

// Rows written to where ids say: from slices to the assembly, which takes single words,
// rows of a vector or more, and whole lines of the cache to write past it.

package kern

import "unsafe"

func scatterRowsAVX[T Float](dst, x []T, width int, ids []int32, past bool) {
	const vector, line, lineBytes = 8, 16, 64
	n, words := len(ids), width*wordsOf[T]()
	if n == 0 || words != 1 && words < vector {
		scatterRows(dst, x, width, ids)
		return
	}
	checkScatterRows(len(x), width, n)
	if words == 1 {
		scatterOnesAMD64(word(&dst[0]), word(&x[0]), &ids[0], n)
		return
	}
	if past && words%line == 0 && uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%lineBytes == 0 {
		scatterRowsPastAVX(word(&dst[0]), word(&x[0]), words, &ids[0], n)
		return
	}
	scatterRowsNearAVX(word(&dst[0]), word(&x[0]), words, &ids[0], n)
}

//go:noescape
func scatterRowsNearAVX(dst, x *float32, width int, ids *int32, n int)

//go:noescape
func scatterRowsPastAVX(dst, x *float32, width int, ids *int32, n int)

//go:noescape
func scatterOnesAMD64(dst, x *float32, ids *int32, n int)
