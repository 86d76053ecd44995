// Reference loops of the reductions that reference.go has not.

package kern

import "math"

func minOf[T Float](x []T) T {
	m := T(math.Inf(1))
	for _, v := range x {
		if v < m || v != v {
			m = v
		}
		if m != m {
			return m
		}
	}
	return m
}

func sumSquares[T Float](x []T) T { return dot(x, x) }

// sumAbs and sumSquaredDev keep four sums, as dot does.
func sumAbs[T Float](x []T) T {
	var s [4]T
	for len(x) >= 4 {
		for k := range s {
			s[k] += T(math.Abs(float64(x[k])))
		}
		x = x[4:]
	}
	for _, v := range x {
		s[0] += T(math.Abs(float64(v)))
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func sumSquaredDev[T Float](x []T, mean T) T {
	var s [4]T
	for len(x) >= 4 {
		for k := range s {
			d := x[k] - mean
			s[k] += d * d
		}
		x = x[4:]
	}
	for _, v := range x {
		d := v - mean
		s[0] += d * d
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func argMax[T Float](x []T) int {
	at := -1
	for i, v := range x {
		if v != v {
			return i
		}
		if at < 0 || v > x[at] {
			at = i
		}
	}
	return at
}

func argMin[T Float](x []T) int {
	at := -1
	for i, v := range x {
		if v != v {
			return i
		}
		if at < 0 || v < x[at] {
			at = i
		}
	}
	return at
}
