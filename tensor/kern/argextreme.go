//go:build (amd64 || arm64) && !noasm

// The place of an extremum, by the assembly that finds its value and looks for one.

package kern

func argMaxBy(maxOf func(x *float32, n int) float32) func(x []float32) int {
	return func(x []float32) int {
		return argExtreme(x, argMax[float32], maxOf, func(v, best float32) bool { return v > best })
	}
}

func argMinBy(minOf func(x *float32, n int) float32) func(x []float32) int {
	return func(x []float32) int {
		return argExtreme(x, argMin[float32], minOf, func(v, best float32) bool { return v < best })
	}
}

// argExtreme finds the block with the extremum, then its place there; a block is
// still in the cache when it is read again.
func argExtreme(x []float32, short func([]float32) int, extreme func(x *float32, n int) float32, better func(v, best float32) bool) int {
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
	return at + indexOf(x[at:min(at+block, len(x))], best)
}

// indexOf returns the first index of v, which is there; NaN equals NaN.
func indexOf(x []float32, v float32) int {
	i := 0
	if v == v {
		i = indexNear(&x[0], len(x), v)
	}
	for x[i] != v && (x[i] == x[i] || v == v) {
		i++
	}
	return i
}
