//go:build amd64 && !noasm

// Row kernels: from slices to the assembly.

package kern

func useGathers(s *Set[float32]) {
	s.GatherSum, s.GatherMax = gatherBy(gatherSumAVX2), gatherBy(gatherMaxAVX2)
	s.GatherScaleSum, s.GatherFactorSum = gatherScaleBy(gatherScaleSumAVX2), gatherFactorBy(gatherFactorSumAVX2)
	s.GatherDot = gatherDotBy(gatherDotAVX2)
}

func useGathers64(s *Set[float64]) {
	s.GatherSum, s.GatherMax = gatherBy(gatherSum64AVX2), gatherBy(gatherMax64AVX2)
	s.GatherScaleSum, s.GatherFactorSum = gatherScaleBy(gatherScaleSum64AVX2), gatherFactorBy(gatherFactorSum64AVX2)
	s.GatherDot = gatherDotBy(gatherDot64AVX2)
	s.GatherScaleSumHeads = func(acc, x []float64, stride int, ids []int32, w []float64, wstride, group int) {
		if len(acc) == 0 || len(ids) == 0 {
			return
		}
		_ = w[(len(ids)-1)*wstride+(len(acc)-1)/group]
		if group == 1 {
			for e, id := range ids {
				s.MulAdd(acc, w[e*wstride:], x[int(id)*stride:])
			}
			return
		}
		for at := 0; at < len(acc); at += group {
			gatherScaleSum64AVX2(&acc[at], min(group, len(acc)-at), &x[at], stride, &ids[0], len(ids), ahead(ids), &w[at/group], wstride)
		}
	}
	s.GatherDotHeads = func(out []float64, ostride int, row, x []float64, stride int, ids []int32, group int) {
		if group < 3 { // too few for a call
			gatherDotHeads(out, ostride, row, x, stride, ids, group)
			return
		}
		if len(row) == 0 || len(ids) == 0 {
			return
		}
		_ = out[(len(ids)-1)*ostride+len(row)/group-1]
		for at := 0; at < len(row); at += group {
			gatherDot64AVX2(&out[at/group], ostride, &row[at], group, &x[at], stride, &ids[0], len(ids), ahead(ids))
		}
	}
}

func gatherBy[T Float](f func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int)) func(acc, x []T, stride int, ids []int32) {
	return func(acc, x []T, stride int, ids []int32) {
		if len(acc) > 0 && len(ids) > 0 {
			f(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids))
		}
	}
}

func gatherScaleBy[T Float](f func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int, w *T, wstride int)) func(acc, x []T, stride int, ids []int32, w []T, wstride int) {
	return func(acc, x []T, stride int, ids []int32, w []T, wstride int) {
		if len(acc) > 0 && len(ids) > 0 {
			_ = w[(len(ids)-1)*wstride]
			f(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids), &w[0], wstride)
		}
	}
}

func gatherFactorBy[T Float](f func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int, c *T)) func(acc, x []T, stride int, ids []int32, c []T) {
	return func(acc, x []T, stride int, ids []int32, c []T) {
		if len(acc) > 0 && len(ids) > 0 {
			f(&acc[0], len(acc), &x[0], stride, &ids[0], len(ids), ahead(ids), &c[0])
		}
	}
}

func gatherDotBy[T Float](f func(out *T, ostride int, row *T, width int, x *T, stride int, ids *int32, n, ahead int)) func(out []T, ostride int, row, x []T, stride int, ids []int32) {
	return func(out []T, ostride int, row, x []T, stride int, ids []int32) {
		if len(ids) == 0 {
			return
		}
		_ = out[(len(ids)-1)*ostride]
		if len(row) == 0 {
			gatherDot(out, ostride, row, x, stride, ids)
			return
		}
		f(&out[0], ostride, &row[0], len(row), &x[0], stride, &ids[0], len(ids), ahead(ids))
	}
}

//go:noescape
func gatherSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherMaxAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherScaleSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherFactorSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, c *float32)

//go:noescape
func gatherDotAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherMax64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherScaleSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)

//go:noescape
func gatherFactorSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, c *float64)

//go:noescape
func gatherDot64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
