//go:build amd64 && !noasm

// Pairs of rows picked by ids: from slices to the assembly, which has 8 columns or more.

package kern

func useGatherPairs(s *Set[float32]) {
	s.GatherAdd = pairs(gatherAddAVX2, s.Add)
	s.GatherSub = pairs(gatherSubAVX2, s.Sub)
	s.GatherRSub = pairs(gatherRSubAVX2, func(dst, x, y []float32) { s.Sub(dst, y, x) })
	s.GatherMul = pairs(gatherMulAVX2, s.Mul)
}

func pairs(eights func(dst, x, y *float32, width int, xs, ys *int32, n, ahead int),
	row func(dst, x, y []float32)) func(dst, x, y []float32, width int, xs, ys []int32) {
	return func(dst, x, y []float32, width int, xs, ys []int32) {
		if width < 8 || len(xs) == 0 {
			gatherPairs(dst, x, y, width, xs, ys, row)
			return
		}
		dst, ys = dst[:len(xs)*width], ys[:len(xs)]
		eights(&dst[0], &x[0], &y[0], width, &xs[0], &ys[0], len(xs), ahead(xs))
	}
}

//go:noescape
func gatherAddAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherSubAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherRSubAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherMulAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)
