//go:build amd64 && !noasm

// Dropout: from 64-bit indices to the assembly's 32.

package kern

import "github.com/asterias-ml/asterias/internal/rng"

// dropoutAVX cuts the indices where their upper half changes.
func dropoutAVX(dst, x []float32, seed, first, threshold uint64, scale float32) {
	x = x[:len(dst)]
	if threshold>>32 != 0 { // more than any draw
		clear(dst)
		return
	}
	for len(dst) > 0 {
		n := int(min(uint64(len(dst)), 1<<32-first&(1<<32-1)))
		keys := rng.Keys(seed, first)
		dropoutAVX2(&dst[0], &x[0], n, keys[0], keys[1], uint32(threshold), scale, uint32(first))
		dst, x, first = dst[n:], x[n:], first+uint64(n)
	}
}

// dropoutRowsAVX takes rows of 1 and 8 elements together, others one by one.
func dropoutRowsAVX(dst, x []float32, width int, ids []int32, seed, threshold uint64, scale float32) {
	var f func(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
	switch width {
	case 1:
		f = dropoutAtAVX2
	case 8:
		f = dropoutEightsAVX2
	}
	if f == nil || len(ids) == 0 || threshold>>32 != 0 || !below32(ids, width) {
		for e, id := range ids {
			at := e * width
			dropoutAVX(dst[at:at+width], x[at:], seed, uint64(id)*uint64(width), threshold, scale)
		}
		return
	}
	n := len(ids) * width
	dst, x = dst[:n], x[:n]
	keys := rng.Keys(seed, 0)
	f(&dst[0], &x[0], len(ids), keys[0], keys[1], uint32(threshold), scale, &ids[0])
}

// below32 tells whether the indices of all rows have an upper half of 0.
func below32(ids []int32, width int) bool {
	var any int32
	for _, id := range ids {
		any |= id
	}
	return (uint64(any)+1)*uint64(width) <= 1<<32
}

//go:noescape
func dropoutAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, first uint32)

//go:noescape
func dropoutAtAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)

//go:noescape
func dropoutEightsAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
