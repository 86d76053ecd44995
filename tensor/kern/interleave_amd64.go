//go:build amd64 && !noasm

// Interleaved columns: from slices to the assembly, which takes eight columns and four rows at a
// time, or sixteen of both.

package kern

func useInterleave(s *Set[float32]) { s.Interleave = interleaveBy(8, 4, interleaveAVX, interleave) }

func useInterleave512(s *Set[float32]) {
	s.Interleave = interleaveBy(16, 16, interleaveAVX512, s.Interleave)
}

// interleaveBy has block, which takes so many columns and a multiple of so many rows, do what it
// can, and less the rest.
func interleaveBy(most, rows int, block func(dst *float32, step int, x *float32, stride, n int), less func(dst []float32, step int, x []float32, stride, columns, n int)) func([]float32, int, []float32, int, int, int) {
	return func(dst []float32, step int, x []float32, stride, columns, n int) {
		whole, from := n-n%rows, 0
		if n >= rows && columns >= most {
			checkInterleave(len(dst), step, len(x), stride, columns, n)
			for ; from+most <= columns; from += most {
				block(&dst[from], step, &x[from*stride], stride, whole)
			}
		}
		if from > 0 && whole < n { // rows below
			less(dst[whole*step:], step, x[whole:], stride, from, n-whole)
		}
		if from < columns && n > 0 { // columns behind
			less(dst[from:], step, x[from*stride:], stride, columns-from, n)
		}
	}
}

//go:noescape
func interleaveAVX(dst *float32, step int, x *float32, stride, n int)

//go:noescape
func interleaveAVX512(dst *float32, step int, x *float32, stride, n int)
