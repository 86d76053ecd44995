//go:build arm64 && !noasm

// Comparisons and selection: from slices to the assembly.

package kern

func useComparisons(s *Set[float32]) {
	s.Equal, s.NotEqual = comparison(equalNEON, equal[float32]), comparison(notEqualNEON, notEqual[float32])
	s.Less, s.LessEqual = comparison(lessNEON, less[float32]), comparison(lessEqualNEON, lessEqual[float32])
	s.Select = selection(selectNEON)
}

//go:noescape
func equalNEON(dst *bool, a, b *float32, n int)

//go:noescape
func notEqualNEON(dst *bool, a, b *float32, n int)

//go:noescape
func lessNEON(dst *bool, a, b *float32, n int)

//go:noescape
func lessEqualNEON(dst *bool, a, b *float32, n int)

//go:noescape
func selectNEON(dst *float32, mask *bool, a, b *float32, n int)
