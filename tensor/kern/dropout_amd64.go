//go:build amd64 && !noasm

// Dropout: from 64-bit indices to the assembly's 32.

package kern

// dropoutAVX cuts the indices where their upper half changes.
func dropoutAVX(dst, x []float32, seed, first, threshold uint64, scale float32) {
	x = x[:len(dst)]
	if threshold>>32 != 0 { // more than any draw
		clear(dst)
		return
	}
	for len(dst) > 0 {
		n := int(min(uint64(len(dst)), 1<<32-first&(1<<32-1)))
		keys := keysOf(seed, first)
		dropoutAVX2(&dst[0], &x[0], n, keys[0], keys[1], uint32(threshold), scale, uint32(first))
		dst, x, first = dst[n:], x[n:], first+uint64(n)
	}
}

func dropoutRowsAVX(dst, x []float32, width int, ids []int32, seed, threshold uint64, scale float32) {
	if width != 1 || threshold>>32 != 0 {
		for e, id := range ids {
			at := e * width
			dropoutAVX(dst[at:at+width], x[at:], seed, uint64(id)*uint64(width), threshold, scale)
		}
		return
	}
	if n := len(ids); n > 0 { // the indices are the ids: their upper half is 0
		dst, x = dst[:n], x[:n]
		keys := keysOf(seed, 0)
		dropoutAtAVX2(&dst[0], &x[0], n, keys[0], keys[1], uint32(threshold), scale, &ids[0])
	}
}

//go:noescape
func dropoutAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, first uint32)

//go:noescape
func dropoutAtAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
