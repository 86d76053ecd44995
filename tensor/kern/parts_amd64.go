//go:build amd64 && !noasm

// Picked rows taken apart: from slices to the assembly, which has parts of 8 columns and
// four of one.

package kern

func useParts(s *Set[float32]) {
	s.GatherParts = func(dst [][]float32, x []float32, width, stride int, ids []int32) {
		parts, n := len(dst), len(ids)
		eights := width == 8 && parts >= 2 && parts <= 4
		if n == 0 || !eights && (width != 1 || parts != 4) {
			gatherParts(s, dst, x, width, stride, ids)
			return
		}
		var d [4]*float32
		for p, to := range dst {
			to = to[:n*width]
			d[p] = &to[0]
		}
		if eights {
			gatherEightsAVX2(d[0], d[1], d[2], d[3], parts, &x[0], stride, &ids[0], n, ahead(ids))
		} else {
			gatherFoursAVX(d[0], d[1], d[2], d[3], &x[0], stride, &ids[0], n)
		}
	}
}

//go:noescape
func gatherEightsAVX2(d0, d1, d2, d3 *float32, parts int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherFoursAVX(d0, d1, d2, d3 *float32, x *float32, stride int, ids *int32, n int)
