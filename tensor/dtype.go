// Element types.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// DType is the element type of a tensor.
type DType uint8

// The element types. The floats have all functions; the integers, which hold indices and
// counts, have sums, products, floored quotients and remainders, signs, extrema, limits and
// order, and wrap around where a result is too large, as Go's and PyTorch's do; what has
// fractions, and matrix products, are the floats' alone. Booleans are masks and the results
// of comparisons. Operands of one operation have one type: [Tensor.To] converts.
const (
	Float32 DType = iota
	Float64
	Int32
	Int64
	Bool
)

// freed is the type of what was freed: whatever wants one of the others finds it out.
const freed DType = 255

// Float is the Go types of the numbers that have fractions.
type Float = kern.Float

// Number is the Go types that are ordered and convert to each other.
type Number interface {
	float32 | float64 | int32 | int64
}

// Element is the Go types a tensor can hold.
type Element interface{ Number | bool }

// String returns "f32", "f64", "i32", "i64" or "bool".
func (d DType) String() string {
	switch d {
	case Float32:
		return "f32"
	case Float64:
		return "f64"
	case Int32:
		return "i32"
	case Int64:
		return "i64"
	case Bool:
		return "bool"
	}
	return fmt.Sprintf("DType(%d)", uint8(d))
}

// Size returns the bytes of one element. It panics with *DTypeError for a number that is
// none of the types.
func (d DType) Size() int {
	switch d {
	case Float32, Int32:
		return 4
	case Float64, Int64:
		return 8
	case Bool:
		return 1
	}
	panic(&DTypeError{Op: "DType.Size", Got: d, Want: []DType{Float32, Float64, Int32, Int64, Bool}})
}

// IsFloat reports whether the type's numbers have fractions, so that all functions are
// defined on them.
func (d DType) IsFloat() bool { return d == Float32 || d == Float64 }

// DTypeOf returns the element type that T is.
func DTypeOf[T Element]() DType {
	switch any(*new(T)).(type) {
	case float32:
		return Float32
	case float64:
		return Float64
	case int32:
		return Int32
	case int64:
		return Int64
	default:
		return Bool
	}
}
