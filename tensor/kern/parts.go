// The reference of picked rows taken apart.

package kern

func gatherParts[T Float](s *Set[T], dst [][]T, x []T, width, stride int, ids []int32) {
	if len(ids) == 0 {
		return
	}
	for p, d := range dst {
		s.GatherColumns(d, x[p*width:], width, stride, ids)
	}
}
