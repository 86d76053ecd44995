//go:build amd64 && !noasm

// Rectified sums of picked rows and the row's own: from slices to the assembly, which has
// whole vectors of columns.

package kern

func useAddReLU(s *Set[float32]) {
	few := s.SegmentAddReLU
	s.AddsReLU = func(width int) bool { return width > 0 && width%8 == 0 }
	s.SegmentAddReLU = func(dst, x, own []float32, width int, ids, bounds []int32) {
		if !s.AddsReLU(width) || len(bounds) < 2 || bounds[0] == bounds[len(bounds)-1] {
			few(dst, x, own, width, ids, bounds)
			return
		}
		checkAddReLU(dst, own, width, ids, bounds)
		rows := len(bounds) - 1
		last := min(ahead(ids), int(bounds[rows]))
		for at := 0; at < width; {
			n, block := 8, segmentAddReLU8AVX2
			switch left := width - at; {
			case left >= 64:
				n, block = 64, segmentAddReLU64AVX2
			case left >= 32:
				n, block = 32, segmentAddReLU32AVX2
			case left >= 16:
				n, block = 16, segmentAddReLU16AVX2
			}
			block(&dst[at], &x[at], &own[at], width, &ids[0], &bounds[0], rows, last)
			at += n
		}
	}
}

//go:noescape
func segmentAddReLU8AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)

//go:noescape
func segmentAddReLU16AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)

//go:noescape
func segmentAddReLU32AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)

//go:noescape
func segmentAddReLU64AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)
