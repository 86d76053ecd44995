//go:build amd64 && !noasm

// Two rows weighted and added: from slices to the assembly.

package kern

func useAxpby(s *Set[float32]) {
	s.Axpby = func(dst, x, y []float32, a, b float32, past bool) {
		if n := len(dst); n > 0 {
			x, y = x[:n], y[:n]
			axpbyAVX2(&dst[0], &x[0], &y[0], n, a, b, past)
		}
	}
}

//go:noescape
func axpbyAVX2(dst, x, y *float32, n int, a, b float32, past bool)
