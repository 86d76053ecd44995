//go:build amd64 && !noasm

// Functions of one element: from slices to the assembly.

package kern

import "math"

func useFunctions(s *Set[float32]) {
	s.RSubScalar, s.DivScalar, s.RDivScalar = scaled(rsubScalarAVX2), scaled(divScalarAVX2), scaled(rdivScalarAVX2)
	s.Abs, s.Sqrt, s.Rsqrt = unary(absAVX2), unary(sqrtAVX2), unary(rsqrtAVX2)
	s.Neg = func(dst, x []float32) { s.MulScalar(dst, x, -1) }
	s.Recip = func(dst, x []float32) { s.RDivScalar(dst, x, 1) }
	s.Square = func(dst, x []float32) { s.Mul(dst, x, x) }
	s.Clamp, s.FMA3 = bounded(clampAVX2), ternary(fma3AVX2)
	s.Sin, s.Cos = trig(sinAVX2, math.Sin), trig(cosAVX2, math.Cos)
}

// trigBound is the largest argument the assembly reduces.
const trigBound = 1e5

// trig runs f, which stops before 8 elements of which one is beyond the bound.
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

//go:noescape
func absAVX2(dst, x *float32, n int)

//go:noescape
func sqrtAVX2(dst, x *float32, n int)

//go:noescape
func rsqrtAVX2(dst, x *float32, n int)

//go:noescape
func clampAVX2(dst, x *float32, n int, lo, hi float32)

//go:noescape
func rsubScalarAVX2(dst, x *float32, n int, c float32)

//go:noescape
func divScalarAVX2(dst, x *float32, n int, c float32)

//go:noescape
func rdivScalarAVX2(dst, x *float32, n int, c float32)

//go:noescape
func fma3AVX2(dst, a, b, c *float32, n int)

//go:noescape
func sinAVX2(dst, x *float32, n int) int

//go:noescape
func cosAVX2(dst, x *float32, n int) int
