//go:build arm64 && !noasm

// Dropout with NEON: from 64-bit indices to the assembly's 32, in fours.

package kern

import "github.com/asterias-ml/asterias/internal/rng"

func useDropout(s *Set[float32]) {
	s.Dropout = dropoutFours
	s.DropoutRows = func(dst, x []float32, width int, ids []int32, seed, threshold uint64, scale float32) {
		if width != 1 || threshold>>32 != 0 {
			for e, id := range ids {
				at := e * width
				dropoutFours(dst[at:at+width], x[at:], seed, uint64(id)*uint64(width), threshold, scale)
			}
			return
		}
		fours := len(ids) &^ 3
		dst, x = dst[:len(ids)], x[:len(ids)]
		if fours > 0 {
			keys := rng.Keys(seed, 0)
			dropoutAtNEON(&dst[0], &x[0], fours, keys[0], keys[1], uint32(threshold), scale, &ids[0])
		}
		dropoutRows(dst[fours:], x[fours:], 1, ids[fours:], seed, threshold, scale)
	}
}

// dropoutFours cuts the indices where their upper half changes.
func dropoutFours(dst, x []float32, seed, first, threshold uint64, scale float32) {
	x = x[:len(dst)]
	if threshold>>32 != 0 { // more than any draw
		clear(dst)
		return
	}
	for len(dst) > 0 {
		n := int(min(uint64(len(dst)), 1<<32-first&(1<<32-1)))
		fours := n &^ 3
		if fours > 0 {
			keys := rng.Keys(seed, first)
			dropoutNEON(&dst[0], &x[0], fours, keys[0], keys[1], uint32(threshold), scale, uint32(first))
		}
		dropout(dst[fours:n], x[fours:n], seed, first+uint64(fours), threshold, scale)
		dst, x, first = dst[n:], x[n:], first+uint64(n)
	}
}

//go:noescape
func dropoutNEON(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, first uint32)

//go:noescape
func dropoutAtNEON(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
