// What misuse panics with.

package tensor

import (
	"fmt"
	"strings"
)

// ShapeError is the panic of an operation whose operands' shapes do not fit.
type ShapeError struct {
	Op     string  // the operation, e.g. "MatMul"
	Detail string  // what does not fit
	Shapes []Shape // the operands' shapes, where they matter
}

// Error returns e.g. "tensor: MatMul: inner dimensions differ: [3 4] x [5 6]".
func (e *ShapeError) Error() string {
	text := fmt.Sprintf("tensor: %s: %s", e.Op, e.Detail)
	for i, s := range e.Shapes {
		text += []string{": ", " x "}[min(i, 1)] + s.String()
	}
	return text
}

// DTypeError is the panic of an operation on the wrong element type.
type DTypeError struct {
	Op     string
	Got    DType
	Want   []DType // the types that would do
	Detail string  // what to do instead, if there is more to say
}

// Error returns e.g. "tensor: Exp: element type i32, want f32 or f64".
func (e *DTypeError) Error() string {
	want := make([]string, len(e.Want))
	for i, d := range e.Want {
		want[i] = d.String()
	}
	text := fmt.Sprintf("tensor: %s: element type %v, want %s", e.Op, e.Got, strings.Join(want, " or "))
	if e.Detail != "" {
		text += "; " + e.Detail
	}
	return text
}

// ValueError is the panic of an operation on a number that it is not defined for: an
// integer divided by 0, or a scalar that the integers of a tensor do not hold.
type ValueError struct {
	Op     string
	Detail string
}

// Error returns e.g. "tensor: AddScalar: 0.5 is no whole number that i32 holds".
func (e *ValueError) Error() string { return "tensor: " + e.Op + ": " + e.Detail }

// IndexError is the panic of an index that is out of range.
type IndexError struct {
	Op    string
	At    int // position of the index in its list
	Index int
	Limit int // indices must lie in [0, Limit)
}

// Error returns e.g. "tensor: IndexSelect: index 3 is 40, out of range [0, 34)".
func (e *IndexError) Error() string {
	return fmt.Sprintf("tensor: %s: index %d is %d, out of range [0, %d)", e.Op, e.At, e.Index, e.Limit)
}

// NilError is the panic of an operation one of whose operands, or the receiver, is nil.
type NilError struct{ Op string }

// Error returns e.g. "tensor: Add: an operand is nil".
func (e *NilError) Error() string { return "tensor: " + e.Op + ": an operand is nil" }

// FreedError is the panic of an operation one of whose operands, or the receiver, was freed.
type FreedError struct{ Op string }

// Error returns e.g. "tensor: Add: an operand has been freed".
func (e *FreedError) Error() string { return "tensor: " + e.Op + ": an operand has been freed" }

// Misuse marks the error as the caller's fault, not the data's.
func (*FreedError) Misuse() {}

// Misuse marks the error as the caller's fault, not the data's.
func (*NilError) Misuse() {}

// Misuse marks the error as the caller's fault, not the data's.
func (*ShapeError) Misuse() {}

// Misuse marks the error as the caller's fault, not the data's.
func (*DTypeError) Misuse() {}

// Misuse marks the error as the caller's fault, not the data's.
func (*IndexError) Misuse() {}

// Misuse marks the error as the caller's fault, not the data's.
func (*ValueError) Misuse() {}

// wantTensor panics if an operand is nil or was freed. Methods ask it of their receiver: it is
// inlined, and leaves the short ones short enough to be inlined themselves.
func wantTensor(op string, t *Tensor) {
	if t == nil || t.dtype == freed {
		notThere(op, t)
	}
}

func notThere(op string, t *Tensor) {
	if t == nil {
		panic(&NilError{op})
	}
	panic(&FreedError{op})
}

// wantTensors panics if one of several operands is nil.
func wantTensors(op string, xs ...*Tensor) {
	for _, x := range xs {
		wantTensor(op, x)
	}
}

// wantSparse panics if a matrix is nil.
func wantSparse(op string, s *Sparse) {
	if s == nil {
		panic(&NilError{op})
	}
}

// wantFloat panics unless t is there and has floats.
func wantFloat(op string, t *Tensor) {
	if t == nil || !t.dtype.IsFloat() {
		badOperand(op, t, []DType{Float32, Float64})
	}
}

// wantNumber panics unless t is there and has numbers, not booleans.
func wantNumber(op string, t *Tensor) {
	if t == nil || t.dtype >= Bool { // or freed
		badOperand(op, t, []DType{Float32, Float64, Int32, Int64})
	}
}

// wantSame panics unless both are there and b has the element type of a, a float.
func wantSame(op string, a, b *Tensor) {
	wantFloat(op, a)
	wantType(op, b, a.dtype)
}

// wantType panics unless t is there and has the element type.
func wantType(op string, t *Tensor, dt DType) {
	if t == nil || t.dtype != dt {
		badOperand(op, t, []DType{dt})
	}
}

// badOperand panics with the error of an operand that is nil or has none of the types.
// Inlined, it would take room in every operation.
//
//go:noinline
func badOperand(op string, t *Tensor, want []DType) {
	wantTensor(op, t)
	panic(&DTypeError{Op: op, Got: t.dtype, Want: want})
}
