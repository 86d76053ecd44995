//go:build amd64 && !noasm

// Reductions: from slices to the assembly.

package kern

func useReductions(s *Set[float32]) {
	s.SumSquares = func(x []float32) float32 { return s.Dot(x, x) }
	s.SumAbs = func(x []float32) float32 {
		if len(x) == 0 {
			return 0
		}
		return sumAbsAVX2(&x[0], len(x))
	}
	s.SumSquaredDev = func(x []float32, mean float32) float32 {
		if len(x) == 0 {
			return 0
		}
		return sumSquaredDevAVX2(&x[0], len(x), mean)
	}
	s.MaxOf = func(x []float32) float32 {
		if len(x) == 0 {
			return maxOf(x)
		}
		return maxOfAVX2(&x[0], len(x))
	}
	s.MinOf = func(x []float32) float32 {
		if len(x) == 0 {
			return minOf(x)
		}
		return minOfAVX2(&x[0], len(x))
	}
	s.ArgMax = func(x []float32) int {
		return argExtreme(x, argMax[float32], maxOfAVX2, func(v, best float32) bool { return v > best })
	}
	s.ArgMin = func(x []float32) int {
		return argExtreme(x, argMin[float32], minOfAVX2, func(v, best float32) bool { return v < best })
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
		i = indexOfAVX2(&x[0], len(x), v)
	}
	for x[i] != v && (x[i] == x[i] || v == v) {
		i++
	}
	return i
}

//go:noescape
func sumAbsAVX2(x *float32, n int) float32

//go:noescape
func sumSquaredDevAVX2(x *float32, n int, mean float32) float32

//go:noescape
func maxOfAVX2(x *float32, n int) float32

//go:noescape
func minOfAVX2(x *float32, n int) float32

//go:noescape
func indexOfAVX2(x *float32, n int, v float32) int
