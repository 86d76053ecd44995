//go:build amd64 && !noasm

// Functions made of the exponential and the logarithm, and their gradients: from
// slices to the assembly. Both widths give the same bits.

package kern

import "math"

func useActivations(s *Set[float32]) {
	s.Exp = unary(expAVX2)
	s.ELU = scaled(eluAVX2)
	s.Sigmoid = unary(sigmoidAVX2)
	s.Tanh = unary(tanhAVX2)
	s.Log = unary(logAVX2)
	s.Softplus = unary(softplusAVX2)
	s.SiLU = unary(siluAVX2)
	s.GELU = tabled(geluAVX2, &tailRows)
	s.Erf = unary(erfAVX2)
	s.SoftplusGrad = binary(softplusGradAVX2)
	s.SiLUGrad = binary(siluGradAVX2)
	s.GELUGrad = tabledBinary(geluGradAVX2, &slopeRows)
	s.ErfGrad = binary(erfGradAVX2)
	s.Pow, s.PowEach = powersBy(powAVX2), powersEachBy(powEachAVX2)
}

// useAVX512 replaces the kernels that 16 lanes make at least 1.2 times as fast in the
// L1 cache, measured on Zen 4, where the logarithm, sine and cosine gain less, or on Emerald
// Rapids. What is not bound by arithmetic gains nothing.
func useAVX512(s *Set[float32]) {
	s.Exp = unary(expAVX512)
	s.ELU = scaled(eluAVX512)
	s.Sigmoid = unary(sigmoidAVX512)
	s.Tanh = unary(tanhAVX512)
	s.Log = unary(logAVX512)
	s.Softplus = unary(softplusAVX512)
	s.SiLU = unary(siluAVX512)
	s.GELU = tabled(geluAVX512, &tailColumns)
	s.Erf = unary(erfAVX512)
	s.SoftplusGrad = binary(softplusGradAVX512)
	s.SiLUGrad = binary(siluGradAVX512)
	s.GELUGrad = tabledBinary(geluGradAVX512, &slopeColumns)
	s.ErfGrad = binary(erfGradAVX512)
	s.Pow, s.PowEach = powersBy(powAVX512), powersEachBy(powEachAVX512)
	s.Sin, s.Cos = trig(sinAVX512, math.Sin, trigBound), trig(cosAVX512, math.Cos, trigBound)
}

// The tables of GELU for AVX-512, which has whole columns in registers.
var (
	tailColumns  = tailRows.transposed()
	slopeColumns = slopeRows.transposed()
)

// transposed turns rows into columns.
func (rows *geluCoefficients) transposed() (columns geluCoefficients) {
	for q := range 32 {
		for i := range 8 {
			columns[32*i+q] = rows[8*q+i]
		}
	}
	return columns
}

//go:noescape
func expAVX2(dst, x *float32, n int)

//go:noescape
func eluAVX2(dst, x *float32, n int, c float32)

//go:noescape
func sigmoidAVX2(dst, x *float32, n int)

//go:noescape
func tanhAVX2(dst, x *float32, n int)

//go:noescape
func logAVX2(dst, x *float32, n int)

//go:noescape
func logAVX512(dst, x *float32, n int)

//go:noescape
func sinAVX512(dst, x *float32, n int) int

//go:noescape
func cosAVX512(dst, x *float32, n int) int

//go:noescape
func softplusAVX2(dst, x *float32, n int)

//go:noescape
func siluAVX2(dst, x *float32, n int)

//go:noescape
func geluAVX2(dst, x *float32, n int, table *geluCoefficients)

//go:noescape
func erfAVX2(dst, x *float32, n int)

//go:noescape
func softplusGradAVX2(dst, a, b *float32, n int)

//go:noescape
func siluGradAVX2(dst, a, b *float32, n int)

//go:noescape
func geluGradAVX2(dst, a, b *float32, n int, table *geluCoefficients)

//go:noescape
func erfGradAVX2(dst, a, b *float32, n int)

//go:noescape
func expAVX512(dst, x *float32, n int)

//go:noescape
func eluAVX512(dst, x *float32, n int, c float32)

//go:noescape
func sigmoidAVX512(dst, x *float32, n int)

//go:noescape
func tanhAVX512(dst, x *float32, n int)

//go:noescape
func softplusAVX512(dst, x *float32, n int)

//go:noescape
func siluAVX512(dst, x *float32, n int)

//go:noescape
func geluAVX512(dst, x *float32, n int, table *geluCoefficients)

//go:noescape
func erfAVX512(dst, x *float32, n int)

//go:noescape
func softplusGradAVX512(dst, a, b *float32, n int)

//go:noescape
func siluGradAVX512(dst, a, b *float32, n int)

//go:noescape
func geluGradAVX512(dst, a, b *float32, n int, table *geluCoefficients)

//go:noescape
func erfGradAVX512(dst, a, b *float32, n int)
