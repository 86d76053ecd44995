//go:build amd64 && !noasm

// Functions of float64 made of the exponential and the logarithm, and their gradients: from
// slices to the assembly. Both widths give the same bits.

package kern

import "math"

func useActivations64(s *Set[float64]) {
	s.Exp = unary(exp64AVX2)
	s.ELU = scaled(elu64AVX2)
	s.Sigmoid = unary(sigmoid64AVX2)
	s.Tanh = unary(tanh64AVX2)
	s.Log = unary(log64AVX2)
	s.Softplus = unary(softplus64AVX2)
	s.SiLU = unary(silu64AVX2)
	s.GELU = unary(gelu64AVX2)
	s.Erf = unary(erf64AVX2)
	s.SoftplusGrad = binary(softplusGrad64AVX2)
	s.SiLUGrad = binary(siluGrad64AVX2)
	s.GELUGrad = binary(geluGrad64AVX2)
	s.ErfGrad = binary(erfGrad64AVX2)
	s.Pow, s.PowEach = powersBy(pow64AVX2), powersEachBy(powEach64AVX2)
}

func useActivations64by512(s *Set[float64]) {
	s.Exp = unary(exp64AVX512)
	s.ELU = scaled(elu64AVX512)
	s.Sigmoid = unary(sigmoid64AVX512)
	s.Tanh = unary(tanh64AVX512)
	s.Log = unary(log64AVX512)
	s.Softplus = unary(softplus64AVX512)
	s.SiLU = unary(silu64AVX512)
	s.GELU = unary(gelu64AVX512)
	s.Erf = unary(erf64AVX512)
	s.SoftplusGrad = binary(softplusGrad64AVX512)
	s.SiLUGrad = binary(siluGrad64AVX512)
	s.GELUGrad = binary(geluGrad64AVX512)
	s.ErfGrad = binary(erfGrad64AVX512)
	s.Pow, s.PowEach = powersBy(pow64AVX512), powersEachBy(powEach64AVX512)
	s.Sin, s.Cos = trig(sin64AVX512, math.Sin, trigBound64), trig(cos64AVX512, math.Cos, trigBound64)
}

//go:noescape
func exp64AVX2(dst, x *float64, n int)

//go:noescape
func elu64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func sigmoid64AVX2(dst, x *float64, n int)

//go:noescape
func tanh64AVX2(dst, x *float64, n int)

//go:noescape
func log64AVX2(dst, x *float64, n int)

//go:noescape
func softplus64AVX2(dst, x *float64, n int)

//go:noescape
func silu64AVX2(dst, x *float64, n int)

//go:noescape
func softplusGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func siluGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func gelu64AVX2(dst, x *float64, n int)

//go:noescape
func erf64AVX2(dst, x *float64, n int)

//go:noescape
func geluGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func erfGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func exp64AVX512(dst, x *float64, n int)

//go:noescape
func elu64AVX512(dst, x *float64, n int, c float64)

//go:noescape
func sigmoid64AVX512(dst, x *float64, n int)

//go:noescape
func tanh64AVX512(dst, x *float64, n int)

//go:noescape
func log64AVX512(dst, x *float64, n int)

//go:noescape
func softplus64AVX512(dst, x *float64, n int)

//go:noescape
func silu64AVX512(dst, x *float64, n int)

//go:noescape
func softplusGrad64AVX512(dst, a, b *float64, n int)

//go:noescape
func siluGrad64AVX512(dst, a, b *float64, n int)

//go:noescape
func gelu64AVX512(dst, x *float64, n int)

//go:noescape
func erf64AVX512(dst, x *float64, n int)

//go:noescape
func geluGrad64AVX512(dst, a, b *float64, n int)

//go:noescape
func erfGrad64AVX512(dst, a, b *float64, n int)

//go:noescape
func sin64AVX512(dst, x *float64, n int) int

//go:noescape
func cos64AVX512(dst, x *float64, n int) int
