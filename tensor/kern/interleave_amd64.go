//go:build amd64 && !noasm

// Interleaved columns: from slices to the assembly, which takes eight columns and four rows at a
// time, or sixteen of both.

package kern

func useInterleave(s *Set[float32]) {
	s.Interleave = func(dst []float32, step int, x []float32, stride, columns, n int) {
		const most, rows = 8, 4
		whole, from := n&^(rows-1), 0
		if whole > 0 && columns >= most {
			checkInterleave(len(dst), step, len(x), stride, columns, n)
			for ; from+most <= columns; from += most {
				interleaveAVX(&dst[from], step, &x[from*stride], stride, whole)
			}
		}
		interleaveRest(interleave, dst, step, x, stride, columns, n, from, whole)
	}
}

func useInterleave512(s *Set[float32]) {
	less := s.Interleave
	s.Interleave = func(dst []float32, step int, x []float32, stride, columns, n int) {
		const most = 16 // and rows
		whole, from := n&^(most-1), 0
		if whole > 0 && columns >= most {
			checkInterleave(len(dst), step, len(x), stride, columns, n)
			for ; from+most <= columns; from += most {
				interleaveAVX512(&dst[from], step, &x[from*stride], stride, whole)
			}
		}
		interleaveRest(less, dst, step, x, stride, columns, n, from, whole)
	}
}

// interleaveRest calls f for what is left of the first columns, which have whole rows, and for
// the columns behind them.
func interleaveRest(f func(dst []float32, step int, x []float32, stride, columns, n int), dst []float32, step int, x []float32, stride, columns, n, from, whole int) {
	if from > 0 && whole < n {
		f(dst[whole*step:], step, x[whole:], stride, from, n-whole)
	}
	if from < columns && n > 0 {
		f(dst[from:], step, x[from*stride:], stride, columns-from, n)
	}
}

//go:noescape
func interleaveAVX(dst *float32, step int, x *float32, stride, n int)

//go:noescape
func interleaveAVX512(dst *float32, step int, x *float32, stride, n int)
