// Reference loops of comparisons and selection.

package kern

func equal[T Float](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] == b[i]
	}
}

func notEqual[T Float](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] != b[i]
	}
}

func less[T Float](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] < b[i]
	}
}

func lessEqual[T Float](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] <= b[i]
	}
}

func greater[T Float](dst []bool, a, b []T) { less(dst, b, a) }

func greaterEqual[T Float](dst []bool, a, b []T) { lessEqual(dst, b, a) }

func selectWhere[T Float](dst []T, mask []bool, a, b []T) {
	mask, a, b = mask[:len(dst)], a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if mask[i] {
			dst[i] = a[i]
		} else {
			dst[i] = b[i]
		}
	}
}
