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
func Log2(x *Tensor) *Tensor { return elementwise("Log2", x, math.Log2) }

// Log10 returns the logarithm of x to base 10.
func Log10(x *Tensor) *Tensor { return elementwise("Log10", x, math.Log10) }

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
func Acos(x *Tensor) *Tensor { return elementwise("Acos", x, math.Acos) }

// Atan returns the arctangent of x.
func Atan(x *Tensor) *Tensor { return elementwise("Atan", x, math.Atan) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x *Tensor) *Tensor { return elementwise("Sinh", x, math.Sinh) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x *Tensor) *Tensor { return elementwise("Cosh", x, math.Cosh) }

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
