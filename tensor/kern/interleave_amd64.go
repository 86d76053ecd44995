//go:build amd64 && !noasm

// Interleaved columns: from slices to the assembly, which takes four rows at a time.

package kern

func useInterleave(s *Set[float32]) {
	s.Interleave = func(dst []float32, step int, x []float32, stride, n int) {
		if n <= 0 {
			return
		}
		checkInterleave(len(dst), step, len(x), stride, n)
		fours := n &^ 3
		if fours > 0 {
			interleaveAVX(&dst[0], step, &x[0], stride, fours)
		}
		for i := fours; i < n; i++ {
			for c := range InterleaveCols {
				dst[i*step+c] = x[c*stride+i]
			}
		}
	}
}

//go:noescape
func interleaveAVX(dst *float32, step int, x *float32, stride, n int)
