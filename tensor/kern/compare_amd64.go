//go:build amd64 && !noasm

// Comparisons and selection: the assembly takes whole eights, the reference the rest.

package kern

func useComparisons(s *Set[float32]) {
	s.Equal = comparison(equalAVX2, equal[float32])
	s.NotEqual = comparison(notEqualAVX2, notEqual[float32])
	s.Less = comparison(lessAVX2, less[float32])
	s.LessEqual = comparison(lessEqualAVX2, lessEqual[float32])
	s.Greater = func(dst []bool, a, b []float32) { s.Less(dst, b, a) }
	s.GreaterEqual = func(dst []bool, a, b []float32) { s.LessEqual(dst, b, a) }
	s.Select = func(dst []float32, mask []bool, a, b []float32) {
		mask, a, b = mask[:len(dst)], a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ 7
		if n > 0 {
			selectAVX2(&dst[0], &mask[0], &a[0], &b[0], n)
		}
		selectWhere(dst[n:], mask[n:], a[n:], b[n:])
	}
}

func comparison(f func(dst *bool, a, b *float32, n int), rest func(dst []bool, a, b []float32)) func(dst []bool, a, b []float32) {
	return func(dst []bool, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ 7
		if n > 0 {
			f(&dst[0], &a[0], &b[0], n)
		}
		rest(dst[n:], a[n:], b[n:])
	}
}

//go:noescape
func equalAVX2(dst *bool, a, b *float32, n int)

//go:noescape
func notEqualAVX2(dst *bool, a, b *float32, n int)

//go:noescape
func lessAVX2(dst *bool, a, b *float32, n int)

//go:noescape
func lessEqualAVX2(dst *bool, a, b *float32, n int)

//go:noescape
func selectAVX2(dst *float32, mask *bool, a, b *float32, n int)
