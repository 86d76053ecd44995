//go:build (amd64 || arm64) && !noasm

// The place of an extremum, by the assembly that finds its value and looks for one.

package kern

// argMaxBy takes near too, which returns an index before that of v, or its own, behind which
// v is near.
func argMaxBy[T Float](maxOf func(x *T, n int) T, near func(x *T, n int, v T) int) func(x []T) int {
	return func(x []T) int {
		return argExtreme(x, argMax[T], maxOf, near, func(v, best T) bool { return v > best })
	}
}

func argMinBy[T Float](minOf func(x *T, n int) T, near func(x *T, n int, v T) int) func(x []T) int {
	return func(x []T) int {
		return argExtreme(x, argMin[T], minOf, near, func(v, best T) bool { return v < best })
	}
}

// argExtreme finds the block with the extremum, then its place there; a block is
// still in the cache when it is read again.
func argExtreme[T Float](x []T, short func([]T) int, extreme func(x *T, n int) T, near func(x *T, n int, v T) int, better func(v, best T) bool) int {
	const block = 2048
	if len(x) < 16 {
		return short(x)
	}
	best, at := extreme(&x[0], min(block, len(x))), 0
	for lo := block; lo < len(x) && best == best; lo += block {
		if v := extreme(&x[lo], min(block, len(x)-lo)); better(v, best) || v != v {
			best, at = v, lo
		}
	}
	return at + indexOf(x[at:min(at+block, len(x))], best, near)
}

// indexOf returns the first index of v, which is there; NaN equals NaN.
func indexOf[T Float](x []T, v T, near func(x *T, n int, v T) int) int {
	i := 0
	if v == v {
		i = near(&x[0], len(x), v)
	}
	for x[i] != v && (x[i] == x[i] || v == v) {
		i++
	}
	return i
}
