// Reference loops of the sums and maxima of segments.

package kern

func segmentSum[T Float](s *Set[T], acc, x []T, width int, bounds []int32) {
	for r := range len(bounds) - 1 {
		lo, hi := int(bounds[r]), int(bounds[r+1])
		if width == 1 {
			acc[r] += s.Sum(x[lo:hi])
			continue
		}
		to := acc[r*width:][:width]
		for e := lo; e < hi; e++ {
			row := x[e*width:][:width]
			for k := range to { // too few columns for a call
				to[k] += row[k]
			}
		}
	}
}

func segmentMax[T Float](s *Set[T], acc, x []T, width int, bounds []int32, more bool) {
	for r := range len(bounds) - 1 {
		lo, hi := int(bounds[r]), int(bounds[r+1])
		if lo == hi {
			continue
		}
		to := acc[r*width:][:width]
		if !more {
			copy(to, x[lo*width:])
		}
		if width == 1 {
			if v := s.MaxOf(x[lo:hi]); v > to[0] || v != v {
				to[0] = v
			}
			continue
		}
		for e := lo; e < hi; e++ {
			row := x[e*width:][:width]
			for k, v := range to {
				if !(v > row[k] || v != v) {
					to[k] = row[k]
				}
			}
		}
	}
}
