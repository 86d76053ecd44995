//go:build amd64 && !noasm

// Picked rows taken apart: from slices to the assembly, which has parts of 8 words and
// four of one.

package kern

func useParts[T Float](s *Set[T]) {
	s.GatherParts = func(dst [][]T, x []T, width, stride int, ids []int32) {
		parts, n, size := len(dst), len(ids), wordsOf[T]()
		words := width * size
		eights := words == 8 && parts >= 2 && parts <= 4
		if n == 0 || !eights && (words != 1 || parts != 4) {
			gatherParts(s, dst, x, width, stride, ids)
			return
		}
		var d [4]*float32
		for p, to := range dst {
			to = to[:n*width]
			d[p] = word(&to[0])
		}
		if eights {
			gatherEightsAVX2(d[0], d[1], d[2], d[3], parts, word(&x[0]), stride*size, &ids[0], n, ahead(ids))
		} else {
			gatherFoursAVX(d[0], d[1], d[2], d[3], word(&x[0]), stride, &ids[0], n)
		}
	}
}

//go:noescape
func gatherEightsAVX2(d0, d1, d2, d3 *float32, parts int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherFoursAVX(d0, d1, d2, d3 *float32, x *float32, stride int, ids *int32, n int)
