//go:build amd64 && !noasm

// Reductions of every row: from slices to the assembly.

package kern

// shortRow is the length below which rows are reduced by a kernel of their own; longer
// ones are worth a call each.
const shortRow = 32

func useEach(s *Set[float32]) {
	s.SumEach = eachRow(sumEachAVX2, s.Sum)
	s.MaxEach = eachRow(maxEachAVX2, s.MaxOf)
	s.MinEach = eachRow(minEachAVX2, s.MinOf)
}

func eachRow(short func(dst, x *float32, rows, n int), long func(x []float32) float32) func(dst, x []float32, n int) {
	return func(dst, x []float32, n int) {
		rows := rowsOf(len(x), n)
		dst = dst[:rows]
		if n < shortRow && rows > 0 {
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
