//go:build arm64 && !noasm

// Functions made of the exponential and the logarithm, and their gradients, and sine and
// cosine: from slices to the assembly.

package kern

import "math"

func useFunctions(s *Set[float32]) {
	s.Exp, s.ELU, s.Sigmoid, s.Tanh = unary(expNEON), scaled(eluNEON), unary(sigmoidNEON), unary(tanhNEON)
	s.Log, s.Softplus, s.SiLU, s.Erf = unary(logNEON), unary(softplusNEON), unary(siluNEON), unary(erfNEON)
	s.GELU, s.GELUGrad = tabled(geluNEON, &tailRows), tabledBinary(geluGradNEON, &slopeRows)
	s.SoftplusGrad, s.SiLUGrad, s.ErfGrad = binary(softplusGradNEON), binary(siluGradNEON), binary(erfGradNEON)
	s.Sin, s.Cos = trig(sinNEON, math.Sin, trigBound), trig(cosNEON, math.Cos, trigBound)
}

//go:noescape
func expNEON(dst, x *float32, n int)

//go:noescape
func eluNEON(dst, x *float32, n int, c float32)

//go:noescape
func sigmoidNEON(dst, x *float32, n int)

//go:noescape
func tanhNEON(dst, x *float32, n int)

//go:noescape
func logNEON(dst, x *float32, n int)

//go:noescape
func softplusNEON(dst, x *float32, n int)

//go:noescape
func siluNEON(dst, x *float32, n int)

//go:noescape
func erfNEON(dst, x *float32, n int)

//go:noescape
func softplusGradNEON(dst, a, b *float32, n int)

//go:noescape
func siluGradNEON(dst, a, b *float32, n int)

//go:noescape
func erfGradNEON(dst, a, b *float32, n int)

//go:noescape
func geluNEON(dst, x *float32, n int, table *geluCoefficients)

//go:noescape
func geluGradNEON(dst, a, b *float32, n int, table *geluCoefficients)

//go:noescape
func sinNEON(dst, x *float32, n int) int

//go:noescape
func cosNEON(dst, x *float32, n int) int
