//go:build amd64 && !noasm

// Bounds of segments: from slices to the assembly.

package kern

import "golang.org/x/sys/cpu"

func fastestBounds() (rebase func(dst, offsets []int32), decreases func(bounds []int32) bool) {
	switch {
	case hasAVX512():
		return rebaseBy(rebaseAVX512), decreasesBy(decreasesAVX512)
	case cpu.X86.HasAVX2:
		return rebaseBy(rebaseAVX2), decreasesBy(decreasesAVX2)
	}
	return rebaseGo, decreasesGo
}

func rebaseBy(f func(dst, offsets *int32, n int)) func(dst, offsets []int32) {
	return func(dst, offsets []int32) {
		if len(offsets) > 0 {
			f(&dst[:len(offsets)][0], &offsets[0], len(offsets))
		}
	}
}

func decreasesBy(f func(bounds *int32, n int) bool) func(bounds []int32) bool {
	return func(bounds []int32) bool {
		return len(bounds) > 1 && f(&bounds[0], len(bounds)-1)
	}
}

func fastestLengths() func(dst []float32, bounds []int32) {
	switch {
	case hasAVX512():
		return lengthsBy(lengthsAVX512)
	case cpu.X86.HasAVX2:
		return lengthsBy(lengthsAVX2)
	}
	return lengthsGo[float32]
}

func lengthsBy(f func(dst *float32, bounds *int32, n int)) func(dst []float32, bounds []int32) {
	return func(dst []float32, bounds []int32) {
		if n := len(dst); n > 0 {
			f(&dst[0], &bounds[:n+1][0], n)
		}
	}
}

//go:noescape
func lengthsAVX512(dst *float32, bounds *int32, n int)

//go:noescape
func lengthsAVX2(dst *float32, bounds *int32, n int)

//go:noescape
func rebaseAVX512(dst, offsets *int32, n int)

//go:noescape
func rebaseAVX2(dst, offsets *int32, n int)

//go:noescape
func decreasesAVX512(bounds *int32, n int) bool

//go:noescape
func decreasesAVX2(bounds *int32, n int) bool
