//go:build amd64 && !noasm

// Pairs of rows picked by ids, of both types: from slices to the assembly, which has a
// vector of columns or more.

package kern

func useGatherPairs(s *Set[float32]) {
	gatherPairsBy(s, gatherAddAVX2, gatherSubAVX2, gatherRSubAVX2, gatherMulAVX2)
}

func useGatherPairs64(s *Set[float64]) {
	gatherPairsBy(s, gatherAdd64AVX2, gatherSub64AVX2, gatherRSub64AVX2, gatherMul64AVX2)
}

func gatherPairsBy[T Float](s *Set[T], add, sub, rsub, mul func(dst, x, y *T, width int, xs, ys *int32, n, ahead int)) {
	s.GatherAdd, s.GatherSub = pairs(add, gatherAdd[T]), pairs(sub, gatherSub[T])
	s.GatherRSub, s.GatherMul = pairs(rsub, gatherRSub[T]), pairs(mul, gatherMul[T])
}

// pairs has fewer columns in the loops, for which they are too few to call a kernel for each
// row.
func pairs[T Float](vectors func(dst, x, y *T, width int, xs, ys *int32, n, ahead int),
	loops func(dst, x, y []T, width int, xs, ys []int32)) func(dst, x, y []T, width int, xs, ys []int32) {
	return func(dst, x, y []T, width int, xs, ys []int32) {
		if width < vectorOf[T]() || len(xs) == 0 {
			loops(dst, x, y, width, xs, ys)
			return
		}
		dst, ys = dst[:len(xs)*width], ys[:len(xs)]
		vectors(&dst[0], &x[0], &y[0], width, &xs[0], &ys[0], len(xs), ahead(xs))
	}
}

//go:noescape
func gatherAddAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherAdd64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherSubAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherSub64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherRSubAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherRSub64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherMulAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherMul64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)
