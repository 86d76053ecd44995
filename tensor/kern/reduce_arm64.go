//go:build arm64 && !noasm

// Reductions: from slices to the assembly.

package kern

func useReductions(s *Set[float32]) {
	s.Sum, s.SumAbs = reduction(sumNEON, 0), reduction(sumAbsNEON, 0)
	s.SumSquaredDev = func(x []float32, mean float32) float32 {
		if len(x) == 0 {
			return 0
		}
		return sumSquaredDevNEON(&x[0], len(x), mean)
	}
	s.MaxOf, s.MinOf = reduction(maxOfNEON, maxOf[float32](nil)), reduction(minOfNEON, minOf[float32](nil))
	s.ArgMax, s.ArgMin = argMaxBy(maxOfNEON, sixteenNEON), argMinBy(minOfNEON, sixteenNEON)
	s.SumEach, s.MaxEach, s.MinEach = eachRow(sumEachNEON), eachRow(maxEachNEON), eachRow(minEachNEON)
}

func eachRow(f func(dst, x *float32, rows, n int)) func(dst, x []float32, n int) {
	return func(dst, x []float32, n int) {
		if rows := rowsOf(len(x), n); rows > 0 {
			dst = dst[:rows]
			f(&dst[0], &x[0], rows, n)
		}
	}
}

//go:noescape
func sumNEON(x *float32, n int) float32

//go:noescape
func sumEachNEON(dst, x *float32, rows, n int)

//go:noescape
func sumAbsNEON(x *float32, n int) float32

//go:noescape
func sumSquaredDevNEON(x *float32, n int, mean float32) float32

//go:noescape
func maxOfNEON(x *float32, n int) float32

//go:noescape
func maxEachNEON(dst, x *float32, rows, n int)

//go:noescape
func minOfNEON(x *float32, n int) float32

//go:noescape
func minEachNEON(dst, x *float32, rows, n int)

// sixteenNEON returns where the sixteen with v begins.
//
//go:noescape
func sixteenNEON(x *float32, n int, v float32) int
