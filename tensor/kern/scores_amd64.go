//go:build amd64 && !noasm

// Scores: from slices to the assembly, which walks the rows once.

package kern

func useScores512(s *Set[float32]) {
	s.SegmentAdd = withOwn512(segmentAddAVX512)
	s.SegmentSub = withOwn512(segmentSubAVX512)
	s.SegmentMul = withOwn512(segmentMulAVX512)
	s.SegmentScoreMax = func(dst, pre, acc, x, own []float32, slope float32, bounds []int32, more bool) {
		if pre == nil {
			pre = dst
		}
		rows, first, ok := segmentTotals(shorter(acc, own), shorter(shorter(dst, pre), x), 1, bounds)
		if ok {
			segmentScoreMaxAVX512(&dst[first], &pre[first], &acc[0], &x[first], &own[0], &bounds[0], rows, slope, more)
		}
	}
	s.SegmentExpSum = func(dst, acc, x, own []float32, bounds []int32) {
		rows, first, ok := segmentTotals(shorter(acc, own), shorter(dst, x), 1, bounds)
		if ok {
			segmentExpSumAVX512(&dst[first], &acc[0], &x[first], &own[0], &bounds[0], rows)
		}
	}
	s.SegmentSoftmax = func(dst, pre, most, sums, x, own []float32, slope float32, bounds []int32) {
		if pre == nil {
			pre = dst
		}
		rows, first, ok := segmentTotals(shorter(shorter(most, sums), own), shorter(shorter(dst, pre), x), 1, bounds)
		if !ok {
			rows := max(len(bounds)-1, 0)
			clear(most[:rows])
			clear(sums[:rows])
		} else {
			segmentSoftmaxAVX512(&dst[first], &pre[first], &most[0], &sums[0], &x[first], &own[0], &bounds[0], rows, slope)
		}
	}
	s.SegmentStepSum = func(dst, acc, y, x []float32, bound, above, below float32, bounds []int32) {
		rows, first, ok := segmentTotals(acc, shorter(shorter(dst, y), x), 1, bounds)
		if ok {
			segmentStepSumAVX512(&dst[first], &acc[0], &y[first], &x[first], &bounds[0], rows, bound, above, below)
		}
	}
}

func withOwn512(f func(dst, x, own *float32, bounds *int32, rows int)) func(dst, x, own []float32, bounds []int32) {
	return func(dst, x, own []float32, bounds []int32) {
		if rows, first, ok := segmentTotals(own, shorter(dst, x), 1, bounds); ok {
			f(&dst[first], &x[first], &own[0], &bounds[0], rows)
		}
	}
}

func shorter(a, b []float32) []float32 {
	if len(a) < len(b) {
		return a
	}
	return b
}

//go:noescape
func segmentAddAVX512(dst, x, own *float32, bounds *int32, rows int)

//go:noescape
func segmentSubAVX512(dst, x, own *float32, bounds *int32, rows int)

//go:noescape
func segmentMulAVX512(dst, x, own *float32, bounds *int32, rows int)

//go:noescape
func segmentScoreMaxAVX512(dst, pre, acc, x, own *float32, bounds *int32, rows int, slope float32, more bool)

//go:noescape
func segmentExpSumAVX512(dst, acc, x, own *float32, bounds *int32, rows int)

//go:noescape
func segmentStepSumAVX512(dst, acc, y, x *float32, bounds *int32, rows int, bound, above, below float32)

//go:noescape
func segmentSoftmaxAVX512(dst, pre, most, sums, x, own *float32, bounds *int32, rows int, slope float32)
