//go:build !amd64 || noasm

// What only amd64 has assembly for, or an instruction.

package kern

// SecondCache is the bytes of a core's second cache, 0 if the processor does not tell.
func SecondCache() int { return 0 }

// Fence has what GemmPast wrote past the caches seen before what is written next.
func Fence() {}

func fastestBounds() (rebase func(dst, offsets []int32), decreases func(bounds []int32) bool) {
	return rebaseGo, decreasesGo
}

func fastestLengths() func(dst []float32, bounds []int32) { return lengthsGo[float32] }
