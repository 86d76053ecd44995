// Powers.

package tensor

import "github.com/asterias-ml/asterias/tensor/kern"

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
		func(dst, x []float32) { kern.For[float32]().Pow(dst, x, p) },
		func(dst, x []float64) { kern.For[float64]().Pow(dst, x, p) })
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
