// Exponentials, logarithms and trigonometric functions.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Exp returns e^x.
func Exp(x *Tensor) *Tensor {
	return unary("Exp", x, kern.For[float32]().Exp, kern.For[float64]().Exp)
}

// Expm1 returns e^x - 1, with all digits near 0.
func Expm1(x *Tensor) *Tensor { return elementwise("Expm1", x, math.Expm1) }

// Log returns the natural logarithm of x.
func Log(x *Tensor) *Tensor {
	return unary("Log", x, kern.For[float32]().Log, kern.For[float64]().Log)
}

// Log1p returns ln(1 + x), with all digits near 0.
func Log1p(x *Tensor) *Tensor { return elementwise("Log1p", x, math.Log1p) }

// Log2 returns the logarithm of x to base 2.
func Log2(x *Tensor) *Tensor { return elementwise("Log2", x, log2) }

// Log10 returns the logarithm of x to base 10.
func Log10(x *Tensor) *Tensor { return elementwise("Log10", x, log10) }

// Sin returns the sine of x, in radians.
func Sin(x *Tensor) *Tensor {
	return unary("Sin", x, kern.For[float32]().Sin, kern.For[float64]().Sin)
}

// Cos returns the cosine of x, in radians.
func Cos(x *Tensor) *Tensor {
	return unary("Cos", x, kern.For[float32]().Cos, kern.For[float64]().Cos)
}

// Tan returns the tangent of x, in radians.
func Tan(x *Tensor) *Tensor { return elementwise("Tan", x, math.Tan) }

// Asin returns the arcsine of x; NaN outside [-1, 1].
func Asin(x *Tensor) *Tensor { return elementwise("Asin", x, math.Asin) }

// Acos returns the arccosine of x; NaN outside [-1, 1].
func Acos(x *Tensor) *Tensor { return elementwise("Acos", x, acos) }

// Atan returns the arctangent of x.
func Atan(x *Tensor) *Tensor { return elementwise("Atan", x, math.Atan) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x *Tensor) *Tensor { return elementwise("Sinh", x, sinh) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x *Tensor) *Tensor { return elementwise("Cosh", x, cosh) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *Tensor) *Tensor {
	return unary("Tanh", x, kern.For[float32]().Tanh, kern.For[float64]().Tanh)
}

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x *Tensor) *Tensor { return elementwise("Asinh", x, math.Asinh) }

// Acosh returns the inverse hyperbolic cosine of x; NaN below 1.
func Acosh(x *Tensor) *Tensor { return elementwise("Acosh", x, math.Acosh) }

// Atanh returns the inverse hyperbolic tangent of x; NaN outside [-1, 1].
func Atanh(x *Tensor) *Tensor { return elementwise("Atanh", x, math.Atanh) }

// Erf returns the error function of x.
func Erf(x *Tensor) *Tensor {
	return unary("Erf", x, kern.For[float32]().Erf, kern.For[float64]().Erf)
}

// Erfc returns 1 - erf(x), with all digits where erf is near 1.
func Erfc(x *Tensor) *Tensor { return elementwise("Erfc", x, math.Erfc) }

// Functions of package math that are wrong, on some machines, where numbers end: its
// logarithms and powers of denormal numbers are those of larger ones, and what it makes of
// e^x overflows too early.

// log2 takes the logarithm of a number between √½ and √2, so that no digits cancel near 1.
func log2(x float64) float64 {
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, e = 2*f, e-1
	}
	return float64(e) + math.Log(f)*math.Log2E
}

func log10(x float64) float64 { return log2(x) * (math.Ln2 / math.Ln10) }

func sinh(x float64) float64 {
	if math.Abs(x) > 700 {
		return math.Copysign(cosh(x), x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if a := math.Abs(x); a > 700 {
		root := math.Exp(a / 2)
		return root / 2 * root
	}
	return math.Cosh(x)
}

// atan2 has the sign of y, also where y/x is too small a number.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// acos is math.Acos, but near 1, where that takes nearly equal numbers from each other.
func acos(x float64) float64 {
	if x > 0.5 {
		return 2 * math.Asin(math.Sqrt((1-x)/2))
	}
	return math.Acos(x)
}
