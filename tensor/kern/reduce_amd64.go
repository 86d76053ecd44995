//go:build amd64 && !noasm

// Reductions of both types: from slices to the assembly.

package kern

// reducing is the assembly of the reductions of a type.
type reducing[T Float] struct {
	sum, sumAbs, maxOf, minOf func(x *T, n int) T
	sumSquaredDev             func(x *T, n int, mean T) T
	indexOf                   func(x *T, n int, v T) int // the first index of v in whole vectors, or else how many numbers these have
}

// A dot product is that of a short row as a rule, for which a call by way of a table would take
// a tenth of the time or more.
func useReductions(s *Set[float32]) {
	s.Dot = func(a, b []float32) float32 {
		if len(a) == 0 {
			return 0
		}
		b = b[:len(a)]
		return dotAVX2(&a[0], &b[0], len(a))
	}
	reduceBy(s, reducing[float32]{sumAVX2, sumAbsAVX2, maxOfAVX2, minOfAVX2, sumSquaredDevAVX2, indexOfAVX2})
}

func useReductions64(s *Set[float64]) {
	s.Dot = func(a, b []float64) float64 {
		if len(a) == 0 {
			return 0
		}
		b = b[:len(a)]
		return dot64AVX2(&a[0], &b[0], len(a))
	}
	reduceBy(s, reducing[float64]{sum64AVX2, sumAbs64AVX2, maxOf64AVX2, minOf64AVX2, sumSquaredDev64AVX2, indexOf64AVX2})
}

func reduceBy[T Float](s *Set[T], by reducing[T]) {
	sumSquaredDev := by.sumSquaredDev
	s.Sum, s.SumAbs = reduction(by.sum, 0), reduction(by.sumAbs, 0)
	s.SumSquaredDev = func(x []T, mean T) T {
		if len(x) == 0 {
			return 0
		}
		return sumSquaredDev(&x[0], len(x), mean)
	}
	s.MaxOf, s.MinOf = reduction(by.maxOf, maxOf[T](nil)), reduction(by.minOf, minOf[T](nil))
	s.ArgMax, s.ArgMin = argMaxBy(by.maxOf, by.indexOf), argMinBy(by.minOf, by.indexOf)
}

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func dot64AVX2(a, b *float64, n int) float64

//go:noescape
func sumAVX2(x *float32, n int) float32

//go:noescape
func sum64AVX2(x *float64, n int) float64

//go:noescape
func sumAbsAVX2(x *float32, n int) float32

//go:noescape
func sumAbs64AVX2(x *float64, n int) float64

//go:noescape
func sumSquaredDevAVX2(x *float32, n int, mean float32) float32

//go:noescape
func sumSquaredDev64AVX2(x *float64, n int, mean float64) float64

//go:noescape
func maxOfAVX2(x *float32, n int) float32

//go:noescape
func maxOf64AVX2(x *float64, n int) float64

//go:noescape
func minOfAVX2(x *float32, n int) float32

//go:noescape
func minOf64AVX2(x *float64, n int) float64

//go:noescape
func indexOfAVX2(x *float32, n int, v float32) int

//go:noescape
func indexOf64AVX2(x *float64, n int, v float64) int
