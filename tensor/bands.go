// Sums over the rows of a matrix that are gathered on the way, a band of rows at a time.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// rowBands returns into how many bands of how many rows a matrix of rows of n elements
// is cut for sums over its columns. At most 64 bands bound the extra memory to 64 rows; at
// least 8 rows a band make the bands fewer than the rows. It depends on no number of
// threads, so neither do the sums.
func rowBands(rows, n int) (band, bands int) {
	band = max(elementGrain/max(1, n), (rows+63)/64, 8)
	return band, (rows + band - 1) / band
}

// blockRows is how many rows of n elements stay in the caches and are added up in their
// own type, not too many for float32: what comes of blocks is put together in float64.
func blockRows(n int) int { return min(max(1, elementGrain/max(1, n)), 1024) }

// sumBands runs f over rows of n elements of type dt, a tile at a time and the bands in
// parallel, and writes to each of outs, of n elements, the sums that f adds to. f gets
// scratch as large as the tile, its rows, and where to add.
func sumBands[T Float](dt DType, rows, n int, outs []*Tensor, f func(scratch []T, lo, hi int, sums [][]T)) {
	band, bands := rowBands(rows, n)
	block, tile, width := blockRows(n), tileRows(n), len(outs)*n
	parts := make([]float64, bands*width)
	cpu.ParallelFor(bands, 1, func(first, last int) {
		t := empty(dt, Shape{tile*n + width})
		defer t.Free()
		scratch, all := elems[T](t)[:tile*n], elems[T](t)[tile*n:]
		sums := make([][]T, len(outs))
		for i := range sums {
			sums[i] = all[i*n : (i+1)*n]
		}
		for p := first; p < last; p++ {
			own, end := parts[p*width:(p+1)*width], min((p+1)*band, rows)
			for at := p * band; at < end; at += block {
				clear(all)
				for lo, stop := at, min(at+block, end); lo < stop; lo += tile {
					hi := min(lo+tile, stop)
					f(scratch[:(hi-lo)*n], lo, hi, sums)
				}
				for i, v := range all {
					own[i] += float64(v)
				}
			}
		}
	})
	total := make([]float64, width)
	for p := range bands {
		for i, v := range parts[p*width : (p+1)*width] {
			total[i] += v
		}
	}
	for i, out := range outs {
		for k, dst := 0, elems[T](out); k < n; k++ {
			dst[k] = T(total[i*n+k])
		}
	}
}
