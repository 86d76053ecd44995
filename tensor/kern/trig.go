//go:build (amd64 || arm64) && !noasm

// Sine and cosine: the assembly up to a bound, Go beyond.

package kern

// trigBound and trigBound64 are the largest arguments the assembly reduces.
const (
	trigBound   = 1e5
	trigBound64 = 1e9
)

// trig runs f, which stops before a vector with an element beyond the bound, and returns
// how many it has done.
func trig[T Float](f func(dst, x *T, n int) int, exact func(float64) float64, bound T) func(dst, x []T) {
	return func(dst, x []T) {
		x = x[:len(dst)]
		for len(dst) > 0 {
			done := f(&dst[0], &x[0], len(dst))
			dst, x = dst[done:], x[done:]
			if n := min(8, len(dst)); n > 0 {
				mixed(dst[:n], x[:n], f, exact, bound)
				dst, x = dst[n:], x[n:]
			}
		}
	}
}

// mixed has the exact function compute up to 8 elements where they are beyond the
// bound. The others are f's, as they are wherever they stand.
func mixed[T Float](dst, x []T, f func(dst, x *T, n int) int, exact func(float64) float64, bound T) {
	var y [8]T
	for i, v := range x {
		if !beyond(v, bound) {
			y[i] = v
		}
	}
	f(&y[0], &y[0], 8)
	for i, v := range x {
		if beyond(v, bound) {
			y[i] = T(exact(float64(v)))
		}
	}
	copy(dst, y[:])
}

func beyond[T Float](v, bound T) bool { return v > bound || v < -bound }
