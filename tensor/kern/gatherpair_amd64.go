//go:build amd64 && !noasm

// Pairs of rows picked by ids: from slices to the assembly, which has a vector of columns or more.

package kern

import "unsafe"

func useGatherPairs(s *Set[float32]) {
	s.GatherAdd = pairs(gatherAddAVX2, s.Add)
	s.GatherSub = pairs(gatherSubAVX2, s.Sub)
	s.GatherRSub = pairs(gatherRSubAVX2, func(dst, x, y []float32) { s.Sub(dst, y, x) })
	s.GatherMul = pairs(gatherMulAVX2, s.Mul)
}

func useGatherPairs64(s *Set[float64]) {
	s.GatherAdd = pairs(gatherAdd64AVX2, s.Add)
	s.GatherSub = pairs(gatherSub64AVX2, s.Sub)
	s.GatherRSub = pairs(gatherRSub64AVX2, func(dst, x, y []float64) { s.Sub(dst, y, x) })
	s.GatherMul = pairs(gatherMul64AVX2, s.Mul)
}

func pairs[T Float](vectors func(dst, x, y *T, width int, xs, ys *int32, n, ahead int),
	row func(dst, x, y []T)) func(dst, x, y []T, width int, xs, ys []int32) {
	vector := 32 / int(unsafe.Sizeof(T(0)))
	return func(dst, x, y []T, width int, xs, ys []int32) {
		if width < vector || len(xs) == 0 {
			gatherPairs(dst, x, y, width, xs, ys, row)
			return
		}
		dst, ys = dst[:len(xs)*width], ys[:len(xs)]
		vectors(&dst[0], &x[0], &y[0], width, &xs[0], &ys[0], len(xs), ahead(xs))
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

//go:noescape
func gatherAdd64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherSub64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherRSub64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)

//go:noescape
func gatherMul64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)
