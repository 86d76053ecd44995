//go:build amd64 && !noasm

// Bounds of segments: from slices to the assembly.

package kern

import "golang.org/x/sys/cpu"

func fastestBounds() (rebase func(dst, offsets []int32), decreases func(bounds []int32) bool) {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512DQ {
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

//go:noescape
func rebaseAVX512(dst, offsets *int32, n int)

//go:noescape
func decreasesAVX512(bounds *int32, n int) bool
