// Reference loops of the dropout kernels.

package kern

import "github.com/asterias-ml/asterias/internal/rng"

func dropout[T Float](dst, x []T, seed, first, threshold uint64, scale T) {
	x = x[:len(dst)]
	keys := rng.Keys(seed, first)
	for i := range dst {
		index := first + uint64(i)
		if uint32(index) == 0 {
			keys = rng.Keys(seed, index)
		}
		if uint64(rng.Draw(keys, uint32(index))) >= threshold {
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
