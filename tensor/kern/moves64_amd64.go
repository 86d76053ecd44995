//go:build amd64 && !noasm

// Rows of float64 that are moved: to the assembly of float32 they are rows of twice as many.

package kern

import "unsafe"

func useMoves64(s *Set[float64]) {
	s.GatherColumns = func(dst, x []float64, width, stride int, ids []int32) {
		gatherColumnsAVX(halves(dst), halves(x), 2*width, 2*stride, ids)
	}
	s.GatherRows = func(dst, x []float64, width int, ids []int32) { s.GatherColumns(dst, x, width, width, ids) }
	s.ScatterRows = func(dst, x []float64, width int, ids []int32, past bool) {
		scatterRowsAVX(halves(dst), halves(x), 2*width, ids, past)
	}
	s.RepeatRows = func(dst, x []float64, width int, bounds []int32) {
		repeatRowsAVX(halves(dst), halves(x), 2*width, bounds)
	}
}

// halves are the words of x, which are moved and never computed with.
func halves(x []float64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}
