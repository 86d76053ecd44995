//go:build (amd64 || arm64) && !noasm

// Sine and cosine: the assembly up to a bound, Go beyond.

package kern

// trigBound is the largest argument the assembly reduces.
const trigBound = 1e5

// trig runs f, which stops before a vector with an element beyond the bound, and returns
// how many it has done.
func trig(f func(dst, x *float32, n int) int, exact func(float64) float64) func(dst, x []float32) {
	return func(dst, x []float32) {
		x = x[:len(dst)]
		for len(dst) > 0 {
			done := f(&dst[0], &x[0], len(dst))
			dst, x = dst[done:], x[done:]
			if n := min(8, len(dst)); n > 0 {
				mixed(dst[:n], x[:n], f, exact)
				dst, x = dst[n:], x[n:]
			}
		}
	}
}

// mixed has the exact function compute up to 8 elements where they are beyond the
// bound. The others are f's, as they are wherever they stand.
func mixed(dst, x []float32, f func(dst, x *float32, n int) int, exact func(float64) float64) {
	var y [8]float32
	for i, v := range x {
		if !beyond(v) {
			y[i] = v
		}
	}
	f(&y[0], &y[0], 8)
	for i, v := range x {
		if beyond(v) {
			y[i] = float32(exact(float64(v)))
		}
	}
	copy(dst, y[:])
}

func beyond(v float32) bool { return v > trigBound || v < -trigBound }
