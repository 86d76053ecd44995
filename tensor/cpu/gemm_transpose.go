// Transposition by copying.

package cpu

// Transpose writes the transpose of the rows×cols matrix src to dst, which is
// cols×rows and must not overlap src.
func Transpose[E any](dst, src []E, rows, cols int) {
	const block = 16 // a block's cache lines fit the L1 cache on both sides
	dst, src = dst[:rows*cols], src[:rows*cols]
	ParallelFor((rows+block-1)/block, 16, func(lo, hi int) {
		for i0 := lo * block; i0 < min(hi*block, rows); i0 += block {
			i1 := min(i0+block, rows)
			for j0 := 0; j0 < cols; j0 += block {
				j1 := min(j0+block, cols)
				for i := i0; i < i1; i++ {
					for j := j0; j < j1; j++ {
						dst[j*rows+i] = src[i*cols+j]
					}
				}
			}
		}
	})
}
