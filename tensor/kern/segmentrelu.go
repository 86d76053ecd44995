// The reference loop of rectified sums of picked rows and the row's own.

package kern

func segmentAddReLU[T Float](s *Set[T], dst, x, own []T, width int, ids, bounds []int32) {
	checkAddReLU(dst, own, width, ids, bounds)
	for r := range len(bounds) - 1 {
		for e := int(bounds[r]); e < int(bounds[r+1]); e++ {
			to := dst[e*width:][:width]
			s.Add(to, x[int(ids[e])*width:][:width], own[r*width:][:width])
			s.ReLU(to, to)
		}
	}
}

func checkAddReLU[T Float](dst, own []T, width int, ids, bounds []int32) {
	checkSegments(bounds, len(ids), width, len(own), width, len(dst), Ends[T]{})
}
