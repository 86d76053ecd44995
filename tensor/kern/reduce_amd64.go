//go:build amd64 && !noasm

// Reductions: from slices to the assembly.

package kern

func useReductions(s *Set[float32]) {
	s.SumSquares = func(x []float32) float32 { return s.Dot(x, x) }
	s.SumAbs = reduction(sumAbsAVX2, 0)
	s.MaxOf, s.MinOf = reduction(maxOfAVX2, maxOf[float32](nil)), reduction(minOfAVX2, minOf[float32](nil))
	s.SumSquaredDev = func(x []float32, mean float32) float32 {
		if len(x) == 0 {
			return 0
		}
		return sumSquaredDevAVX2(&x[0], len(x), mean)
	}
	s.ArgMax, s.ArgMin = argMaxBy(maxOfAVX2), argMinBy(minOfAVX2)
}

// indexNear returns an index before that of v, or its own, behind which v is near: the
// first among the whole eights, or else their number.
func indexNear(x *float32, n int, v float32) int { return indexOfAVX2(x, n, v) }

//go:noescape
func sumAbsAVX2(x *float32, n int) float32

//go:noescape
func sumSquaredDevAVX2(x *float32, n int, mean float32) float32

//go:noescape
func maxOfAVX2(x *float32, n int) float32

//go:noescape
func minOfAVX2(x *float32, n int) float32

//go:noescape
func indexOfAVX2(x *float32, n int, v float32) int
