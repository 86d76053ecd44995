//go:build amd64 && !noasm

// Row kernels of both types: from slices to the assembly.

package kern

// gathering is the assembly of the sums and dot products of picked rows of a type.
type gathering[T Float] struct {
	sum, largest func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int)
	scaleSum     func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int, w *T, wstride int)
	factorSum    func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int, c *T)
	dot          func(out *T, ostride int, row *T, width int, x *T, stride int, ids *int32, n, ahead int)
}

func useGathers(s *Set[float32]) {
	gatherBy(s, gathering[float32]{gatherSumAVX2, gatherMaxAVX2, gatherScaleSumAVX2, gatherFactorSumAVX2, gatherDotAVX2})
}

func useGathers64(s *Set[float64]) {
	gatherBy(s, gathering[float64]{gatherSum64AVX2, gatherMax64AVX2, gatherScaleSum64AVX2, gatherFactorSum64AVX2, gatherDot64AVX2})
}

func gatherBy[T Float](s *Set[T], by gathering[T]) {
	sum, largest, scaleSum, factorSum, dot := by.sum, by.largest, by.scaleSum, by.factorSum, by.dot
	s.GatherRows = func(dst, x []T, width int, ids []int32) { gatherColumnsAVX(dst, x, width, width, ids) }
	s.GatherColumns = gatherColumnsAVX[T]
	s.GatherSum = func(acc, x []T, stride int, ids []int32) {
		if len(acc) > 0 && len(ids) > 0 {
			sum(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids))
		}
	}
	s.GatherMax = func(acc, x []T, stride int, ids []int32) {
		if len(acc) > 0 && len(ids) > 0 {
			largest(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids))
		}
	}
	s.GatherScaleSum = func(acc, x []T, stride int, ids []int32, w []T, wstride int) {
		if len(acc) > 0 && len(ids) > 0 {
			_ = w[(len(ids)-1)*wstride]
			scaleSum(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids), &w[0], wstride)
		}
	}
	s.GatherFactorSum = func(acc, x []T, stride int, ids []int32, c []T) {
		if len(acc) > 0 && len(ids) > 0 {
			factorSum(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids), &c[0])
		}
	}
	s.GatherDot = func(out []T, ostride int, row, x []T, stride int, ids []int32) {
		if len(ids) == 0 {
			return
		}
		_ = out[(len(ids)-1)*ostride]
		if len(row) == 0 {
			gatherDot(out, ostride, row, x, stride, ids)
			return
		}
		dot(&out[0], ostride, &row[0], len(row), &x[0], stride, &ids[0], len(ids), ahead(ids))
	}
}

// gatherColumnsAVX copies words: single ones, those of small rows in two moves, others a
// vector at a time.
func gatherColumnsAVX[T Float](dst, x []T, width, stride int, ids []int32) {
	n, size := len(ids)*width, wordsOf[T]()
	switch words := width * size; {
	case n == 0:
	case words == 1:
		dst = dst[:n]
		gatherOnesAVX2(word(&dst[0]), word(&x[0]), stride, &ids[0], len(ids))
	case words < 16 && words != 8:
		gatherSmallRows(dst, x, width, stride, ids)
	default:
		dst = dst[:n]
		gatherRowsAVX2(word(&dst[0]), word(&x[0]), words, stride*size, &ids[0], len(ids), ahead(ids))
	}
}

// ahead is the number of ids behind which there is one more after a distance that the
// assembly prefetches: within the slice or, behind its end, within its capacity.
func ahead(ids []int32) int { return min(max(cap(ids)-aheadIDs, 0), len(ids)) }

const aheadIDs = 32 // AHEAD in gather_amd64.h

//go:noescape
func gatherRowsAVX2(dst *float32, x *float32, width, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherOnesAVX2(dst *float32, x *float32, stride int, ids *int32, n int)

//go:noescape
func gatherSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherMaxAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherMax64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherScaleSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherScaleSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)

//go:noescape
func gatherFactorSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, c *float32)

//go:noescape
func gatherFactorSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, c *float64)

//go:noescape
func gatherDotAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDot64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
