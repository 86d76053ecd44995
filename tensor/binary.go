// Arithmetic of two tensors, with broadcasting.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Add returns a + b, broadcasting.
func Add(a, b *Tensor) *Tensor {
	return binary("Add", a, b, kern.For[float32]().Add, kern.For[float64]().Add)
}

// Sub returns a - b, broadcasting.
func Sub(a, b *Tensor) *Tensor {
	return binary("Sub", a, b, kern.For[float32]().Sub, kern.For[float64]().Sub)
}

// Mul returns the element-wise product a · b, broadcasting.
func Mul(a, b *Tensor) *Tensor {
	return binary("Mul", a, b, kern.For[float32]().Mul, kern.For[float64]().Mul)
}

// Div returns a / b, broadcasting.
func Div(a, b *Tensor) *Tensor {
	return binary("Div", a, b, kern.For[float32]().Div, kern.For[float64]().Div)
}

// Maximum returns the larger of a and b, broadcasting; NaN if either is.
func Maximum(a, b *Tensor) *Tensor {
	return binary("Maximum", a, b, kern.For[float32]().Max, kern.For[float64]().Max)
}

// Minimum returns the smaller of a and b, broadcasting; NaN if either is.
func Minimum(a, b *Tensor) *Tensor {
	return binary("Minimum", a, b, kern.For[float32]().Min, kern.For[float64]().Min)
}

// PowT returns a^b, broadcasting; see [Pow] for one exponent.
func PowT(a, b *Tensor) *Tensor {
	return binary("PowT", a, b,
		func(dst, a, b []float32) { apply2(dst, a, b, pow32) },
		func(dst, a, b []float64) { apply2(dst, a, b, math.Pow) })
}

// Atan2 returns the angle in (-π, π] of the point with the coordinates x and y,
// broadcasting.
func Atan2(y, x *Tensor) *Tensor { return elementwise2("Atan2", y, x, math.Atan2) }

// Hypot returns √(a² + b²) without overflow on the way, broadcasting.
func Hypot(a, b *Tensor) *Tensor { return elementwise2("Hypot", a, b, math.Hypot) }

// Remainder returns a - b·⌊a/b⌋, which has the sign of b as in Python,
// broadcasting.
func Remainder(a, b *Tensor) *Tensor { return elementwise2("Remainder", a, b, remainder) }

func remainder(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// AddInto adds src to dst, of the same shape, in place; into a view, to those elements of
// the tensor it was taken from. src may be dst, but not another view of its memory.
func AddInto(dst, src *Tensor) {
	const op = "AddInto"
	wantSame(op, dst, src)
	if !dst.shape.Equal(src.shape) {
		panic(&ShapeError{Op: op, Detail: "shapes differ", Shapes: []Shape{dst.shape, src.shape}})
	}
	wantApart(op, dst)
	if dst.far != nil || src.far != nil {
		sameDevice(op, dst, src)
		farMapInto(op, dst, []ProgramStep{{Op: "Add", Type: dst.dtype, Args: [3]int{^0, ^1}}}, dst, src)
		return
	}
	if dst.strides != nil { // kernels write side by side
		total := Add(dst, src)
		copyElements(dst, total)
		total.Free()
		return
	}
	if dst.dtype == Float32 {
		map2(dst, dst, src, kern.For[float32]().Add)
	} else {
		map2(dst, dst, src, kern.For[float64]().Add)
	}
}
