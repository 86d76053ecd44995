// Comparisons, which give booleans.

package tensor

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Equal returns where a = b, as booleans, broadcasting. NaN equals nothing.
func Equal(a, b *Tensor) *Tensor {
	wantTensors("Equal", a, b)
	if a.dtype == Bool {
		return compareTypes("Equal", a, b, equal[bool])
	}
	return compare("Equal", a, b, kern.For[float32]().Equal, kern.For[float64]().Equal, equal[int32], equal[int64])
}

// NotEqual returns where a ≠ b, as booleans, broadcasting. NaN differs from
// everything.
func NotEqual(a, b *Tensor) *Tensor {
	wantTensors("NotEqual", a, b)
	if a.dtype == Bool {
		return compareTypes("NotEqual", a, b, notEqual[bool])
	}
	return compare("NotEqual", a, b, kern.For[float32]().NotEqual, kern.For[float64]().NotEqual, notEqual[int32], notEqual[int64])
}

// Less returns where a < b, as booleans, broadcasting.
func Less(a, b *Tensor) *Tensor {
	return compare("Less", a, b, kern.For[float32]().Less, kern.For[float64]().Less, less[int32], less[int64])
}

// LessEqual returns where a <= b, as booleans, broadcasting.
func LessEqual(a, b *Tensor) *Tensor {
	return compare("LessEqual", a, b, kern.For[float32]().LessEqual, kern.For[float64]().LessEqual, lessEqual[int32], lessEqual[int64])
}

// Greater returns where a > b, as booleans, broadcasting.
func Greater(a, b *Tensor) *Tensor {
	return compare("Greater", a, b, kern.For[float32]().Greater, kern.For[float64]().Greater, greater[int32], greater[int64])
}

// GreaterEqual returns where a >= b, as booleans, broadcasting.
func GreaterEqual(a, b *Tensor) *Tensor {
	return compare("GreaterEqual", a, b, kern.For[float32]().GreaterEqual, kern.For[float64]().GreaterEqual, greaterEqual[int32], greaterEqual[int64])
}

// EqualScalar returns where x = c. To compare with floats, c is converted to their
// type; integers, and booleans as 0 and 1, are compared with c itself, so that none
// equals a fraction, NaN or what its type does not hold.
func EqualScalar(x *Tensor, c float64) *Tensor {
	const op = "EqualScalar"
	wantTensors(op, x)
	return compareScalar(op, x, c, onlyWhole, Equal, outside{})
}

// NotEqualScalar returns where x ≠ c, which is compared as by [EqualScalar].
func NotEqualScalar(x *Tensor, c float64) *Tensor {
	const op = "NotEqualScalar"
	wantTensors(op, x)
	return compareScalar(op, x, c, onlyWhole, NotEqual, outside{below: true, above: true, unordered: true})
}

// LessScalar returns where x < c. To compare with floats, c is converted to their
// type; integers are compared with c itself: all are below +Inf, none below NaN.
func LessScalar(x *Tensor, c float64) *Tensor {
	const op = "LessScalar"
	wantNumber(op, x)
	return compareScalar(op, x, c, math.Ceil, Less, outside{above: true}) // a whole number below c is below the next one
}

// LessEqualScalar returns where x <= c, which is compared as by [LessScalar].
func LessEqualScalar(x *Tensor, c float64) *Tensor {
	const op = "LessEqualScalar"
	wantNumber(op, x)
	return compareScalar(op, x, c, math.Floor, LessEqual, outside{above: true})
}

// GreaterScalar returns where x > c, which is compared as by [LessScalar].
func GreaterScalar(x *Tensor, c float64) *Tensor {
	const op = "GreaterScalar"
	wantNumber(op, x)
	return compareScalar(op, x, c, math.Floor, Greater, outside{below: true})
}

// GreaterEqualScalar returns where x >= c, which is compared as by [LessScalar].
func GreaterEqualScalar(x *Tensor, c float64) *Tensor {
	const op = "GreaterEqualScalar"
	wantNumber(op, x)
	return compareScalar(op, x, c, math.Ceil, GreaterEqual, outside{below: true})
}

// An outside is what all elements answer about a number that has no place in their type:
// one below or above all that the type holds, or NaN, which is in no order with them.
type outside struct{ below, above, unordered bool }

// compareScalar compares x with c by f. If x holds no floats, whole makes of c the whole
// number that the elements are compared with in its place, or NaN.
func compareScalar(op string, x *Tensor, c float64, whole func(float64) float64, f func(a, b *Tensor) *Tensor, out outside) *Tensor {
	if x.dtype.IsFloat() {
		return f(x, Full(x.dtype, c))
	}
	c = whole(c)
	answer := out.unordered
	switch lo, end := rangeOf(x.dtype); {
	case lo <= c && c < end:
		return f(x, Full(x.dtype, c))
	case c < lo:
		answer = out.below
	case c >= end:
		answer = out.above
	}
	mask := zerosBeside(x, op, Bool, x.shape)
	if answer {
		mask.Fill(1)
	}
	return mask
}

// onlyWhole returns a whole number as it is, NaN for others, which no integer equals.
func onlyWhole(c float64) float64 {
	if c != math.Trunc(c) {
		return math.NaN()
	}
	return c
}

// rangeOf returns the least number of a type that holds no floats and the end of its
// range, which is exact where the greatest number is not.
func rangeOf(dt DType) (least, end float64) {
	switch dt {
	case Int32:
		return math.MinInt32, 1 << 31
	case Int64:
		return math.MinInt64, 1 << 63
	}
	return 0, 2 // Bool
}

// IsNaN returns where x is not a number.
func IsNaN(x *Tensor) *Tensor {
	return test("IsNaN", x, isNaN[float32], isNaN[float64])
}

// IsInf returns where x is +Inf or -Inf.
func IsInf(x *Tensor) *Tensor {
	return test("IsInf", x, isInf[float32], isInf[float64])
}

// AllClose reports whether all elements of a and b, broadcast, are as good as equal, as
// torch.allclose does: |a - b| <= atol + rtol·|b|, of elements of one type; booleans are
// equal. Infinities equal themselves only, NaN nothing. PyTorch's tolerances are 1e-5 and 1e-8.
func AllClose(a, b *Tensor, rtol, atol float64) bool {
	const op = "AllClose"
	wantTensors(op, a)
	wantType(op, b, a.dtype)
	Broadcast(op, a.shape, b.shape)
	if !(rtol >= 0 && atol >= 0) {
		panic(&ValueError{Op: op, Detail: fmt.Sprintf("the tolerances are %v and %v", rtol, atol)})
	}
	if a.dtype == Bool {
		return All(Equal(a, b), false).Item() != 0
	}
	x, y := a.To(Float64), b.To(Float64) // in which differences and tolerances of float32 are exact enough
	off := Abs(Sub(x, y))
	if a.dtype == Int64 { // neighbours are one number in float64; far ones overflow in int64
		off = Where(LessScalar(off, 1<<62), Abs(Sub(a, b)).To(Float64), off)
	}
	near := LessEqual(off, AddScalar(Scale(Abs(y), rtol), atol))
	return All(Or(Equal(a, b), And(near, IsFinite(off))), false).Item() != 0
}

// IsFinite returns where x is neither NaN nor ±Inf.
func IsFinite(x *Tensor) *Tensor {
	return test("IsFinite", x, isFinite[float32], isFinite[float64])
}

func isNaN[T Float](dst []bool, x []T) {
	for i, v := range x {
		dst[i] = v != v
	}
}

func isInf[T Float](dst []bool, x []T) {
	for i, v := range x {
		dst[i] = math.IsInf(float64(v), 0)
	}
}

func isFinite[T Float](dst []bool, x []T) {
	for i, v := range x {
		dst[i] = v-v == 0
	}
}

func equal[T Element](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] == b[i]
	}
}

func notEqual[T Element](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] != b[i]
	}
}

func less[T Number](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] < b[i]
	}
}

func lessEqual[T Number](dst []bool, a, b []T) {
	for i := range dst {
		dst[i] = a[i] <= b[i]
	}
}

func greater[T Number](dst []bool, a, b []T) { less(dst, b, a) }

func greaterEqual[T Number](dst []bool, a, b []T) { lessEqual(dst, b, a) }

func test(op string, x *Tensor, f32 func([]bool, []float32), f64 func([]bool, []float64)) *Tensor {
	wantFloat(op, x)
	if x.far != nil {
		return farUnary(op, x, ProgramStep{Op: op, Type: Bool})
	}
	out := empty(Bool, x.shape)
	if x.dtype == Float32 {
		map1(out, x, elementGrain, f32)
	} else {
		map1(out, x, elementGrain, f64)
	}
	return out
}

func compare(op string, a, b *Tensor, f32 func([]bool, []float32, []float32), f64 func([]bool, []float64, []float64),
	i32 func([]bool, []int32, []int32), i64 func([]bool, []int64, []int64)) *Tensor {
	wantNumber(op, a)
	switch a.dtype {
	case Float32:
		return compareTypes(op, a, b, f32)
	case Float64:
		return compareTypes(op, a, b, f64)
	case Int32:
		return compareTypes(op, a, b, i32)
	}
	return compareTypes(op, a, b, i64)
}

func compareTypes[T Element](op string, a, b *Tensor, f func(dst []bool, a, b []T)) *Tensor {
	wantType(op, b, a.dtype)
	if a.far != nil || b.far != nil {
		return farBinary(op, a, b, ProgramStep{Op: op, Type: Bool})
	}
	out := emptyCommon(op, Bool, a, b)
	map2(out, a, b, f)
	return out
}
