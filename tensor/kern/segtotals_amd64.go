//go:build amd64 && !noasm

// Sums and maxima of segments: from slices to the assembly, which has up to 16 columns.

package kern

func useSegmentTotals256(s *Set[float32]) {
	sum, most := s.SegmentSum, s.SegmentMax
	s.SegmentSum = func(acc, x []float32, width int, bounds []int32) {
		rows, first, ok := segmentTotals(acc, x, width, bounds)
		if !ok {
			sum(acc, x, width, bounds)
			return
		}
		sums := segmentSumTo16AVX2
		switch {
		case width == 1:
			segmentSumOnesAVX2(&acc[0], &x[first], &bounds[0], rows)
			return
		case width == 2:
			sums = segmentSum2AVX2
		case width == 4:
			sums = segmentSum4AVX2
		case width == 16:
			sums = segmentSum16AVX2
		case width == 8:
			sums = segmentSum8AVX2
		case width < 8:
			sums = segmentSumTo8AVX2
		}
		sums(&acc[0], &x[first*width], &bounds[0], rows, width, true)
	}
	s.SegmentMax = func(acc, x []float32, width int, bounds []int32, more bool) {
		rows, first, ok := segmentTotals(acc, x, width, bounds)
		if !ok {
			most(acc, x, width, bounds, more)
			return
		}
		maxima := segmentMaxTo16AVX2
		switch {
		case width == 1:
			segmentMaxOnesAVX2(&acc[0], &x[first], &bounds[0], rows, more)
			return
		case width == 2:
			maxima = segmentMax2AVX2
		case width == 4:
			maxima = segmentMax4AVX2
		case width == 16:
			maxima = segmentMax16AVX2
		case width == 8:
			maxima = segmentMax8AVX2
		case width < 8:
			maxima = segmentMaxTo8AVX2
		}
		maxima(&acc[0], &x[first*width], &bounds[0], rows, width, more)
	}
}

// useSegmentTotals64 has one column.
func useSegmentTotals64(s *Set[float64]) {
	sum, most := s.SegmentSum, s.SegmentMax
	s.SegmentSum = func(acc, x []float64, width int, bounds []int32) {
		rows, first, ok := segmentTotals(acc, x, width, bounds)
		if !ok || width > 1 {
			sum(acc, x, width, bounds)
			return
		}
		segmentSumOnes64AVX2(&acc[0], &x[first], &bounds[0], rows)
	}
	s.SegmentMax = func(acc, x []float64, width int, bounds []int32, more bool) {
		rows, first, ok := segmentTotals(acc, x, width, bounds)
		if !ok || width > 1 {
			most(acc, x, width, bounds, more)
			return
		}
		segmentMaxOnes64AVX2(&acc[0], &x[first], &bounds[0], rows, more)
	}
}

func useSegmentTotals512(s *Set[float32]) {
	sum, most := s.SegmentSum, s.SegmentMax
	s.SegmentSum = func(acc, x []float32, width int, bounds []int32) {
		rows, first, ok := segmentTotals(acc, x, width, bounds)
		switch {
		case !ok:
			sum(acc, x, width, bounds)
		case width == 1:
			segmentSumOnesAVX512(&acc[0], &x[first], &bounds[0], rows)
		default:
			segmentSumColumnsAVX512(&acc[0], &x[first*width], &bounds[0], rows, width)
		}
	}
	s.SegmentMax = func(acc, x []float32, width int, bounds []int32, more bool) {
		rows, first, ok := segmentTotals(acc, x, width, bounds)
		switch {
		case !ok:
			most(acc, x, width, bounds, more)
		case width == 1:
			segmentMaxOnesAVX512(&acc[0], &x[first], &bounds[0], rows, more)
		default:
			segmentMaxColumnsAVX512(&acc[0], &x[first*width], &bounds[0], rows, width, more)
		}
	}
}

// segmentTotals tells whether the assembly takes the segments, and where they begin.
func segmentTotals[T Float](acc, x []T, width int, bounds []int32) (rows, first int, ok bool) {
	rows = len(bounds) - 1
	if rows < 1 || width < 1 || width > 16 {
		return 0, 0, false
	}
	checkSegments(bounds, int(bounds[rows]), width, len(acc), width, len(x), Ends[T]{})
	first = int(bounds[0])
	return rows, first, first < int(bounds[rows])
}

//go:noescape
func segmentSumOnesAVX2(acc, x *float32, bounds *int32, rows int)

//go:noescape
func segmentSumOnes64AVX2(acc, x *float64, bounds *int32, rows int)

//go:noescape
func segmentMaxOnesAVX2(acc, x *float32, bounds *int32, rows int, more bool)

//go:noescape
func segmentMaxOnes64AVX2(acc, x *float64, bounds *int32, rows int, more bool)

//go:noescape
func segmentSumOnesAVX512(acc, x *float32, bounds *int32, rows int)

//go:noescape
func segmentMaxOnesAVX512(acc, x *float32, bounds *int32, rows int, more bool)

//go:noescape
func segmentSumColumnsAVX512(acc, x *float32, bounds *int32, rows, n int)

//go:noescape
func segmentMaxColumnsAVX512(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentMax2AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentMax4AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentMax8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentMaxTo8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentMax16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentMaxTo16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentSum2AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentSum4AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentSum8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentSumTo8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentSum16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)

//go:noescape
func segmentSumTo16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
