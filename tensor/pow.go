// Powers.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Pow returns x^p; see [PowT] for an exponent an element. For 0.5 and -0.5 it is [Sqrt]
// and [Rsqrt], as in PyTorch: NaN of -Inf.
func Pow(x *Tensor, p float64) *Tensor {
	const op = "Pow"
	wantTensors(op, x)
	if x.far != nil {
		return farPow(op, x, p)
	}
	switch p {
	case -1:
		return unary(op, x, kern.For[float32]().Recip, kern.For[float64]().Recip)
	case -0.5:
		return unary(op, x, kern.For[float32]().Rsqrt, kern.For[float64]().Rsqrt)
	case 0.5:
		return unary(op, x, kern.For[float32]().Sqrt, kern.For[float64]().Sqrt)
	case 1:
		wantFloat(op, x)
		return x.Clone()
	case 2:
		return unary(op, x, kern.For[float32]().Square, kern.For[float64]().Square)
	case 3:
		return unary(op, x, cube[float32], cube[float64])
	}
	return unaryGrain(op, x, costlyGrain,
		func(dst, x []float32) {
			for i, v := range x {
				dst[i] = float32(pow32(float64(v), p))
			}
		},
		func(dst, x []float64) { apply1(dst, x, func(v float64) float64 { return math.Pow(v, p) }) })
}

// pow32 is v^p of a float32 v as exactly as a float32 shows: e^(p ln v) with relative errors
// below 1e-11, in a fifth of the time of math.Pow.
func pow32(v, p float64) float64 {
	const sqrtHalf = 0x3fe6a09e667f3bcd // the bits of √½
	// Neither zero nor infinite, and of such powers neither; 1 to any power is 1.
	if !(v > 0 && v <= math.MaxFloat64) || v == 1 || !(math.Abs(p) <= 1e6) {
		return math.Pow(v, p)
	}
	// v = m·2^e with m in [√½, √2), and with s = (m-1)/(m+1), ln m = 2 artanh s.
	bits := math.Float64bits(v)
	e := int64(bits-sqrtHalf) >> 52
	m := math.Float64frombits(bits - uint64(e)<<52)
	s := (m - 1) / (m + 1)
	z := s * s
	artanh := s * (1 + z*(1.0/3+z*(1.0/5+z*(1.0/7+z*(1.0/9+z*(1.0/11+z*(1.0/13)))))))
	y := p * (float64(e)*math.Ln2 + 2*artanh)
	if !(math.Abs(y) < 700) {
		return math.Exp(y)
	}
	// e^y = 2^n·e^r with |r| <= ln(2)/2.
	n := math.Floor(y*math.Log2E + 0.5)
	r := y - n*math.Ln2
	t := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720+r*(1.0/5040+r*(1.0/40320+r*(1.0/362880)))))))))
	return math.Float64frombits(math.Float64bits(t) + uint64(int64(n))<<52)
}

// farPow is Pow on a device, with the same special cases.
func farPow(op string, x *Tensor, p float64) *Tensor {
	wantFloat(op, x)
	s := ProgramStep{Op: op, Type: x.dtype, C: p}
	switch p {
	case -1:
		s.Op = "Recip"
	case 1:
		return x.Clone()
	case 2:
		s.Op = "Square"
	case 3:
		s.Op = "Cube"
	case 0.5:
		s.Op = "Sqrt"
	case -0.5:
		s.Op = "Rsqrt"
	}
	return farUnary(op, x, s)
}
