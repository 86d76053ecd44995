//go:build amd64 && !noasm

// Reductions: from slices to the assembly.

package kern

func useReductions(s *Set[float32]) {
	s.Dot, s.SumSquaredDev = dotBy(dotAVX2), sumSquaredDevBy(sumSquaredDevAVX2)
	s.SumSquares = func(x []float32) float32 { return s.Dot(x, x) }
	s.Sum, s.SumAbs = reduction(sumAVX2, 0), reduction(sumAbsAVX2, 0)
	s.MaxOf, s.MinOf = reduction(maxOfAVX2, maxOf[float32](nil)), reduction(minOfAVX2, minOf[float32](nil))
	s.ArgMax, s.ArgMin = argMaxBy(maxOfAVX2, indexOfAVX2), argMinBy(minOfAVX2, indexOfAVX2)
}

func useReductions64(s *Set[float64]) {
	s.Dot, s.SumSquaredDev = dotBy(dot64AVX2), sumSquaredDevBy(sumSquaredDev64AVX2)
	s.SumSquares = func(x []float64) float64 { return s.Dot(x, x) }
	s.Sum, s.SumAbs = reduction(sum64AVX2, 0), reduction(sumAbs64AVX2, 0)
	s.MaxOf, s.MinOf = reduction(maxOf64AVX2, maxOf[float64](nil)), reduction(minOf64AVX2, minOf[float64](nil))
	s.ArgMax, s.ArgMin = argMaxBy(maxOf64AVX2, indexOf64AVX2), argMinBy(minOf64AVX2, indexOf64AVX2)
}

func dotBy[T Float](f func(a, b *T, n int) T) func(a, b []T) T {
	return func(a, b []T) T {
		if len(a) == 0 {
			return 0
		}
		b = b[:len(a)]
		return f(&a[0], &b[0], len(a))
	}
}

func sumSquaredDevBy[T Float](f func(x *T, n int, mean T) T) func(x []T, mean T) T {
	return func(x []T, mean T) T {
		if len(x) == 0 {
			return 0
		}
		return f(&x[0], len(x), mean)
	}
}

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func sumAVX2(x *float32, n int) float32

//go:noescape
func sumAbsAVX2(x *float32, n int) float32

//go:noescape
func sumSquaredDevAVX2(x *float32, n int, mean float32) float32

//go:noescape
func maxOfAVX2(x *float32, n int) float32

//go:noescape
func minOfAVX2(x *float32, n int) float32

//go:noescape
func dot64AVX2(a, b *float64, n int) float64

//go:noescape
func sum64AVX2(x *float64, n int) float64

//go:noescape
func sumAbs64AVX2(x *float64, n int) float64

//go:noescape
func sumSquaredDev64AVX2(x *float64, n int, mean float64) float64

//go:noescape
func maxOf64AVX2(x *float64, n int) float64

//go:noescape
func minOf64AVX2(x *float64, n int) float64

// indexOfAVX2 returns the first index of v among the whole vectors, or else the number of
// their elements.
//
//go:noescape
func indexOfAVX2(x *float32, n int, v float32) int

//go:noescape
func indexOf64AVX2(x *float64, n int, v float64) int
