// Reference loops of the dropout kernels.

package kern

// draw is 32 bits of the counter-based stream of internal/rng, which this
// package cannot import: draw(keysOf(seed, index), uint32(index)) is
// rng.Bits(seed, index), and a test holds them together.
func draw(keys [2]uint32, low uint32) uint32 { return mix32(mix32(low^keys[0]) ^ keys[1]) }

// keysOf are the keys of all indices that share the upper half.
func keysOf(seed, index uint64) [2]uint32 {
	z := seed + (index>>32+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return [2]uint32{uint32(z), uint32(z >> 32)}
}

func mix32(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

func dropout[T Float](dst, x []T, seed, first, threshold uint64, scale T) {
	x = x[:len(dst)]
	keys := keysOf(seed, first)
	for i := range dst {
		index := first + uint64(i)
		if uint32(index) == 0 {
			keys = keysOf(seed, index)
		}
		if uint64(draw(keys, uint32(index))) >= threshold {
			dst[i] = x[i] * scale
		} else {
			dst[i] = 0
		}
	}
}

func dropoutRows[T Float](dst, x []T, width int, ids []int32, seed, threshold uint64, scale T) {
	for e, id := range ids {
		at := e * width
		dropout(dst[at:at+width], x[at:], seed, uint64(id)*uint64(width), threshold, scale)
	}
}
