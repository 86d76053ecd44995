// The reference loop of repeated rows.

package kern

func repeatRows[T Float](dst, x []T, width int, bounds []int32) {
	for r := range len(bounds) - 1 {
		lo, hi := int(bounds[r]), int(bounds[r+1])
		if width == 1 {
			for e := lo; e < hi; e++ {
				dst[e] = x[r]
			}
			continue
		}
		row := x[r*width:][:width]
		for e := lo; e < hi; e++ {
			copy(dst[e*width:][:width], row)
		}
	}
}
