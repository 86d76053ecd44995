//go:build amd64 && !noasm

// Functions of one element: from slices to the assembly.

package kern

import "math"

func useFunctions(s *Set[float32]) {
	s.RSubScalar, s.DivScalar, s.RDivScalar = scaled(rsubScalarAVX2), scaled(divScalarAVX2), scaled(rdivScalarAVX2)
	s.Abs, s.Sqrt, s.Rsqrt = unary(absAVX2), unary(sqrtAVX2), unary(rsqrtAVX2)
	s.Neg = func(dst, x []float32) { s.MulScalar(dst, x, -1) }
	s.Clamp, s.FMA3 = bounded(clampAVX2), ternary(fmaAVX2)
	s.Sin, s.Cos = trig(sinAVX2, math.Sin, trigBound), trig(cosAVX2, math.Cos, trigBound)
}

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
func fmaAVX2(dst, a, b, c *float32, n int)

//go:noescape
func sinAVX2(dst, x *float32, n int) int

//go:noescape
func cosAVX2(dst, x *float32, n int) int
