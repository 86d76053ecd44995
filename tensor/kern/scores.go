// Reference loops of the kernels of scores: numbers of edges, combined with a number of
// their row.

package kern

// withOwn: dst[e] = x[e] combined by f with own[r]
func withOwn[T Float](s *Set[T], dst, x, own []T, bounds []int32, f func(dst, a, b []T)) {
	if len(bounds) < 2 {
		return
	}
	lo, hi := bounds[0], bounds[len(bounds)-1]
	s.RepeatRows(dst, own, 1, bounds)
	f(dst[lo:hi], x[lo:hi], dst[lo:hi])
}

func segmentScoreMax[T Float](s *Set[T], dst, pre, acc, x, own []T, slope T, bounds []int32, more bool) {
	if len(bounds) < 2 {
		return
	}
	if pre == nil {
		pre = dst
	}
	lo, hi := bounds[0], bounds[len(bounds)-1]
	withOwn(s, pre, x, own, bounds, s.Add)
	s.LeakyReLU(dst[lo:hi], pre[lo:hi], slope)
	s.SegmentMax(acc, dst, 1, bounds, more)
}

func segmentExpSum[T Float](s *Set[T], dst, acc, x, own []T, bounds []int32) {
	if len(bounds) < 2 {
		return
	}
	lo, hi := bounds[0], bounds[len(bounds)-1]
	withOwn(s, dst, x, own, bounds, s.Sub)
	s.Exp(dst[lo:hi], dst[lo:hi])
	s.SegmentSum(acc, dst, 1, bounds)
}

func segmentStepSum[T Float](s *Set[T], dst, acc, y, x []T, bound, above, below T, bounds []int32) {
	if len(bounds) < 2 {
		return
	}
	lo, hi := bounds[0], bounds[len(bounds)-1]
	s.Step(dst[lo:hi], x[lo:hi], bound, above, below)
	s.Mul(dst[lo:hi], y[lo:hi], dst[lo:hi])
	s.SegmentSum(acc, dst, 1, bounds)
}

// worthACall is how many edges a row has, at least, for which a kernel is called.
const worthACall = 8

func segmentSoftmax[T Float](s *Set[T], dst, pre, most, sums, x, own []T, slope T, bounds []int32) {
	if len(bounds) < 2 {
		return
	}
	segmentScoreMax(s, dst, pre, most, x, own, slope, bounds, false)
	for r := range len(bounds) - 1 {
		sums[r] = 0
		switch e := dst[bounds[r]:bounds[r+1]]; {
		case len(e) == 0:
			most[r] = 0
		case len(e) < worthACall:
			for i := range e {
				e[i] -= most[r]
			}
		default:
			s.AddScalar(e, e, -most[r])
		}
	}
	lo, hi := bounds[0], bounds[len(bounds)-1]
	s.Exp(dst[lo:hi], dst[lo:hi])
	s.SegmentSum(sums, dst, 1, bounds)
}
