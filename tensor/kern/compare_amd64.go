//go:build amd64 && !noasm

// Comparisons and selection: from slices to the assembly.

package kern

func useComparisons(s *Set[float32]) {
	s.Equal = comparison(equalAVX2, equal[float32])
	s.NotEqual = comparison(notEqualAVX2, notEqual[float32])
	s.Less = comparison(lessAVX2, less[float32])
	s.LessEqual = comparison(lessEqualAVX2, lessEqual[float32])
	s.Select = selection(selectAVX2)
}

func useComparisons64(s *Set[float64]) {
	s.Equal = comparison(equal64AVX2, equal[float64])
	s.NotEqual = comparison(notEqual64AVX2, notEqual[float64])
	s.Less = comparison(less64AVX2, less[float64])
	s.LessEqual = comparison(lessEqual64AVX2, lessEqual[float64])
	s.Select = selection(select64AVX2)
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

//go:noescape
func equal64AVX2(dst *bool, a, b *float64, n int)

//go:noescape
func notEqual64AVX2(dst *bool, a, b *float64, n int)

//go:noescape
func less64AVX2(dst *bool, a, b *float64, n int)

//go:noescape
func lessEqual64AVX2(dst *bool, a, b *float64, n int)

//go:noescape
func select64AVX2(dst *float64, mask *bool, a, b *float64, n int)
