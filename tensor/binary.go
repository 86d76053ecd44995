// Arithmetic of two tensors, with broadcasting.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// arithmetic is an operation that has kernels for a matrix with a column, too.
type arithmetic[T Float] struct {
	elements func(dst, a, b []T)
	groups   func(dst, x, y []T, group int)
	commutes bool // then the column may come first
}

// Add returns a + b, broadcasting.
func Add(a, b *Tensor) *Tensor {
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate("Add", a, b, arithmetic[float32]{x.Add, x.AddGroups, true}, arithmetic[float64]{y.Add, y.AddGroups, true})
}

// Sub returns a - b, broadcasting.
func Sub(a, b *Tensor) *Tensor {
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate("Sub", a, b, arithmetic[float32]{x.Sub, x.SubGroups, false}, arithmetic[float64]{y.Sub, y.SubGroups, false})
}

// Mul returns the element-wise product a · b, broadcasting.
func Mul(a, b *Tensor) *Tensor {
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate("Mul", a, b, arithmetic[float32]{x.Mul, x.MulGroups, true}, arithmetic[float64]{y.Mul, y.MulGroups, true})
}

// Div returns a / b, broadcasting.
func Div(a, b *Tensor) *Tensor {
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate("Div", a, b, arithmetic[float32]{x.Div, x.DivGroups, false}, arithmetic[float64]{y.Div, y.DivGroups, false})
}

// calculate is binary for arithmetic.
func calculate(op string, a, b *Tensor, f32 arithmetic[float32], f64 arithmetic[float64]) *Tensor {
	if a == nil || a.dtype == Float32 {
		return binaryWith(op, a, b, f32)
	}
	return binaryWith(op, a, b, f64)
}

func binaryWith[T Float](op string, a, b *Tensor, f arithmetic[T]) *Tensor {
	wantSame(op, a, b)
	if a.far != nil || b.far != nil {
		return farBinary(op, a, b, ProgramStep{Op: op, Type: a.dtype})
	}
	out := emptyCommon(op, a.dtype, a, b)
	switch {
	case inGroups(b, a, out):
		mapGroups(elems[T](out), elems[T](a), elems[T](b), f.groups)
	case f.commutes && inGroups(a, b, out):
		mapGroups(elems[T](out), elems[T](b), elems[T](a), f.groups)
	default:
		map2(out, a, b, f.elements)
	}
	return out
}

// inGroups reports whether dst is large, and column has one element for each row of x, of
// whole vectors.
func inGroups(column, x, dst *Tensor) bool {
	return dst.size > elementGrain && isColumnOf(column, x, dst) && dst.size/column.size%8 == 0
}

// mapGroups runs a kernel over the rows of x and the elements of column.
func mapGroups[T Float](dst, x, column []T, f func(dst, x, y []T, group int)) {
	n := len(dst) / len(column)
	cpu.ParallelFor(len(column), max(1, elementGrain/n), func(lo, hi int) {
		f(dst[lo*n:hi*n], x[lo*n:hi*n], column[lo:hi], n)
	})
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
	return binary("PowT", a, b, kern.For[float32]().PowEach, kern.For[float64]().PowEach)
}

// Atan2 returns the angle in (-π, π] of the point with the coordinates x and y,
// broadcasting.
func Atan2(y, x *Tensor) *Tensor { return elementwise2("Atan2", y, x, atan2) }

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
