// The reference loop of rows written to where ids say.

package kern

import "fmt"

func scatterRows[T Float](dst, x []T, width int, ids []int32) {
	checkScatterRows(len(x), width, len(ids))
	if width == 1 {
		x = x[:len(ids)]
		for e, id := range ids {
			dst[id] = x[e]
		}
		return
	}
	for e, id := range ids {
		copy(dst[int(id)*width:][:width], x[e*width:])
	}
}

// checkScatterRows panics if there are fewer rows than ids.
func checkScatterRows(x, width, ids int) {
	if width < 0 || x < ids*width {
		panic(fmt.Sprintf("BUG: kern: %d rows of %d elements exceed their slice of %d", ids, width, x))
	}
}
