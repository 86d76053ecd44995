// Arithmetic of integers, which wraps around where a result is too large: plain loops, and
// what is asked of their operands.

package tensor

import (
	"fmt"
	"math"
)

// integer is the Go types of integers that a tensor can hold.
type integer interface{ int32 | int64 }

// The operands of loops are cut to the result's length, so that no index is checked.

func plus[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func minus[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func times[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

// quotients are rounded down. The least integer over -1 is itself.
func quotients[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		x, y := a[i], b[i]
		q := x / y
		if q*y != x && (x < 0) != (y < 0) {
			q--
		}
		dst[i] = q
	}
}

// remainders are those of quotients: of b's sign.
func remainders[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		y := b[i]
		r := a[i] % y
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		dst[i] = r
	}
}

func largest[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func smallest[T integer](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = min(a[i], b[i])
	}
}

func negate[T integer](dst, x []T) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = -v
	}
}

func absolute[T integer](dst, x []T) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = max(v, -v)
	}
}

func square[T integer](dst, x []T) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v * v
	}
}

// clampIntegers limits integers on the sides that have a bound.
func clampIntegers(op string, x *Tensor, lo, hi float64) *Tensor {
	low, high := !math.IsInf(lo, -1), !math.IsInf(hi, 1)
	switch {
	case low && high:
		least, most := whole(op, x.dtype, lo), whole(op, x.dtype, hi)
		y := Maximum(x, least)
		defer y.Free()
		return Minimum(y, most)
	case low:
		return Maximum(x, whole(op, x.dtype, lo))
	case high:
		return Minimum(x, whole(op, x.dtype, hi))
	}
	return x.clone(op)
}

// whole returns a number as a scalar of an integer type. It panics unless that holds it.
func whole(op string, dt DType, c float64) *Tensor {
	if lo, end := rangeOf(dt); c != math.Trunc(c) || c < lo || c >= end {
		panic(&ValueError{Op: op, Detail: fmt.Sprintf("%v is no whole number that %v holds", c, dt)})
	}
	return Full(dt, c)
}

// wantDivisors panics if an integer would be divided by 0.
func wantDivisors(op string, a, b *Tensor) {
	if Broadcast(op, a.shape, b.shape).Size() == 0 {
		return
	}
	divides := b.To(Bool)
	defer divides.Free()
	if All(divides, false).Item() == 0 {
		panic(&ValueError{Op: op, Detail: fmt.Sprintf("an integer is divided by 0: %v%v by %v%v", a.dtype, a.shape, b.dtype, b.shape)})
	}
}

// wantFractions panics with advice if t has integers, for an operation on floats alone.
func wantFractions(op string, t *Tensor) {
	if t != nil && (t.dtype == Int32 || t.dtype == Int64) {
		panic(&DTypeError{Op: op, Got: t.dtype, Want: []DType{Float32, Float64}, Detail: "FloorDiv divides integers, To makes floats of them"})
	}
	wantFloat(op, t)
}
