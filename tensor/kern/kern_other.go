//go:build !amd64 || noasm

// Without assembly the reference loops are the kernels.

package kern

func fastest32() (*Set[float32], string) { return reference[float32](), "go" }

// SecondCache is the bytes of a core's second cache, 0 if the processor does not tell.
func SecondCache() int { return 0 }

func fastestBounds() (rebase func(dst, offsets []int32), decreases func(bounds []int32) bool) {
	return rebaseGo, decreasesGo
}

func fastestLengths() func(dst []float32, bounds []int32) { return lengthsGo[float32] }
