//go:build amd64 && !noasm

// Reductions of every row: from slices to the assembly.

package kern

// shortRow is the length below which rows are reduced by a kernel of their own; longer
// ones are worth a call each.
const (
	shortRow   = 32
	shortRow64 = 16
)

func useEach(s *Set[float32]) {
	s.SumEach = eachRow(sumEachAVX2, s.Sum, shortRow)
	s.MaxEach = eachRow(maxEachAVX2, s.MaxOf, shortRow)
	s.MinEach = eachRow(minEachAVX2, s.MinOf, shortRow)
}

func useEach64(s *Set[float64]) {
	s.SumEach = eachRow(sumEach64AVX2, s.Sum, shortRow64)
	s.MaxEach = eachRow(maxEach64AVX2, s.MaxOf, shortRow64)
	s.MinEach = eachRow(minEach64AVX2, s.MinOf, shortRow64)
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
func maxEachAVX2(dst, x *float32, rows, n int)

//go:noescape
func minEachAVX2(dst, x *float32, rows, n int)

//go:noescape
func sumEach64AVX2(dst, x *float64, rows, n int)

//go:noescape
func maxEach64AVX2(dst, x *float64, rows, n int)

//go:noescape
func minEach64AVX2(dst, x *float64, rows, n int)
