//go:build amd64 && !noasm

// Reductions of every row, of both types: from slices to the assembly.

package kern

// shortRow is the length below which rows of float32 are reduced by a kernel of their own,
// of float64 below half of it; longer ones are worth a call each.
const shortRow = 32

func useEach(s *Set[float32]) { eachBy(s, sumEachAVX2, maxEachAVX2, minEachAVX2, shortRow) }

func useEach64(s *Set[float64]) { eachBy(s, sumEach64AVX2, maxEach64AVX2, minEach64AVX2, shortRow/2) }

func eachBy[T Float](s *Set[T], sum, largest, smallest func(dst, x *T, rows, n int), limit int) {
	s.SumEach = eachRow(sum, s.Sum, limit)
	s.MaxEach = eachRow(largest, s.MaxOf, limit)
	s.MinEach = eachRow(smallest, s.MinOf, limit)
}

func eachRow[T Float](short func(dst, x *T, rows, n int), long func(x []T) T, limit int) func(dst, x []T, n int) {
	return func(dst, x []T, n int) {
		rows := rowsOf(len(x), n)
		dst = dst[:rows]
		if n < limit && rows > 0 {
			short(&dst[0], &x[0], rows, n)
			return
		}
		for r := range dst {
			dst[r] = long(x[r*n : (r+1)*n])
		}
	}
}

//go:noescape
func sumEachAVX2(dst, x *float32, rows, n int)

//go:noescape
func sumEach64AVX2(dst, x *float64, rows, n int)

//go:noescape
func maxEachAVX2(dst, x *float32, rows, n int)

//go:noescape
func maxEach64AVX2(dst, x *float64, rows, n int)

//go:noescape
func minEachAVX2(dst, x *float32, rows, n int)

//go:noescape
func minEach64AVX2(dst, x *float64, rows, n int)
