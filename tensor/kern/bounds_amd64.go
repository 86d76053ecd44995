//go:build amd64 && !noasm

// Bounds of segments: from slices to the assembly.

package kern

func fastestBounds() (rebase func(dst, offsets []int32), decreases func(bounds []int32) bool) {
	if !hasAVX512() {
		return rebaseGo, decreasesGo
	}
	return rebase512, decreases512
}

func rebase512(dst, offsets []int32) {
	if len(offsets) > 0 {
		rebaseAVX512(&dst[:len(offsets)][0], &offsets[0], len(offsets))
	}
}

func decreases512(bounds []int32) bool {
	return len(bounds) > 1 && decreasesAVX512(&bounds[0], len(bounds)-1)
}

func fastestLengths() func(dst []float32, bounds []int32) {
	if !hasAVX512() {
		return lengthsGo[float32]
	}
	return lengths512
}

func lengths512(dst []float32, bounds []int32) {
	if n := len(dst); n > 0 {
		lengthsAVX512(&dst[0], &bounds[:n+1][0], n)
	}
}

//go:noescape
func lengthsAVX512(dst *float32, bounds *int32, n int)

//go:noescape
func rebaseAVX512(dst, offsets *int32, n int)

//go:noescape
func decreasesAVX512(bounds *int32, n int) bool
