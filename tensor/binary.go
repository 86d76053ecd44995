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
	return calculate("Add", a, b, arithmetic[float32]{x.Add, x.AddGroups, true}, arithmetic[float64]{y.Add, y.AddGroups, true}, plus[int32], plus[int64])
}

// Sub returns a - b, broadcasting.
func Sub(a, b *Tensor) *Tensor {
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate("Sub", a, b, arithmetic[float32]{x.Sub, x.SubGroups, false}, arithmetic[float64]{y.Sub, y.SubGroups, false}, minus[int32], minus[int64])
}

// Mul returns the element-wise product a · b, broadcasting.
func Mul(a, b *Tensor) *Tensor {
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate("Mul", a, b, arithmetic[float32]{x.Mul, x.MulGroups, true}, arithmetic[float64]{y.Mul, y.MulGroups, true}, times[int32], times[int64])
}

// Div returns a / b of floats, broadcasting. Integers have no quotient of their own type:
// [FloorDiv] rounds it, [Tensor.To] makes floats of them first.
func Div(a, b *Tensor) *Tensor {
	const op = "Div"
	wantFractions(op, a)
	x, y := kern.For[float32](), kern.For[float64]()
	return calculate(op, a, b, arithmetic[float32]{x.Div, x.DivGroups, false}, arithmetic[float64]{y.Div, y.DivGroups, false}, nil, nil)
}

// calculate is binaryNumbers for arithmetic.
func calculate(op string, a, b *Tensor, f32 arithmetic[float32], f64 arithmetic[float64], i32 func(dst, a, b []int32), i64 func(dst, a, b []int64)) *Tensor {
	wantNumber(op, a)
	wantType(op, b, a.dtype)
	switch a.dtype {
	case Float32:
		return binaryWith(op, a, b, f32)
	case Float64:
		return binaryWith(op, a, b, f64)
	case Int32:
		return binaryTypes(op, a, b, i32)
	}
	return binaryTypes(op, a, b, i64)
}

func binaryWith[T Float](op string, a, b *Tensor, f arithmetic[T]) *Tensor {
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
	return binaryNumbers("Maximum", a, b, kern.For[float32]().Max, kern.For[float64]().Max, largest[int32], largest[int64])
}

// Minimum returns the smaller of a and b, broadcasting; NaN if either is.
func Minimum(a, b *Tensor) *Tensor {
	return binaryNumbers("Minimum", a, b, kern.For[float32]().Min, kern.For[float64]().Min, smallest[int32], smallest[int64])
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

// FloorDiv returns ⌊a/b⌋, Python's a // b, broadcasting: a is b·FloorDiv(a, b) +
// Remainder(a, b). To divide an integer by 0 is misuse, a *[ValueError]; of floats it is
// ±Inf or NaN. On a device it looks at integer divisors, and so waits for them.
func FloorDiv(a, b *Tensor) *Tensor {
	return divide("FloorDiv", a, b, floorDiv, quotients[int32], quotients[int64])
}

// Remainder returns a - b·⌊a/b⌋, which has the sign of b as in Python, broadcasting. Of
// integers b is as for [FloorDiv].
func Remainder(a, b *Tensor) *Tensor {
	return divide("Remainder", a, b, remainder, remainders[int32], remainders[int64])
}

// divide is elementwise2 for floats; of integers it looks at the divisors first.
func divide(op string, a, b *Tensor, f func(a, b float64) float64, i32 func(dst, a, b []int32), i64 func(dst, a, b []int64)) *Tensor {
	wantNumber(op, a)
	wantType(op, b, a.dtype)
	if a.dtype.IsFloat() {
		return elementwise2(op, a, b, f)
	}
	wantDivisors(op, a, b)
	return binaryNumbers(op, a, b, nil, nil, i32, i64)
}

// floorDiv is PyTorch's and Python's: a/b could round up to the next whole number, but b
// divides a - r.
func floorDiv(a, b float64) float64 {
	if b == 0 {
		return a / b
	}
	r := math.Mod(a, b)
	q := (a - r) / b
	if r != 0 && (r < 0) != (b < 0) {
		q--
	}
	if q == 0 {
		return math.Copysign(0, a/b)
	}
	whole := math.Floor(q)
	if q-whole > 0.5 {
		whole++
	}
	return whole
}

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
	wantNumber(op, dst)
	wantType(op, src, dst.dtype)
	if !dst.shape.Equal(src.shape) {
		panic(&ShapeError{Op: op, Detail: "shapes differ", Shapes: []Shape{dst.shape, src.shape}})
	}
	wantApart(op, dst)
	dst.changes()
	if dst.far != nil || src.far != nil {
		sameDevice(op, dst, src)
		farMapInto(op, dst, []ProgramStep{{Op: "Add", Type: dst.dtype, Args: [3]int{^0, ^1}}}, dst, src)
		return
	}
	switch dst.dtype {
	case Float32:
		addInto(dst, src, kern.For[float32]().Add)
	case Float64:
		addInto(dst, src, kern.For[float64]().Add)
	case Int32:
		addInto(dst, src, plus[int32])
	case Int64:
		addInto(dst, src, plus[int64])
	}
}

func addInto[T Element](dst, src *Tensor, add func(dst, a, b []T)) {
	if dst.strides == nil || dst.size == 0 {
		map2(dst, dst, src, add)
		return
	}
	axes := planWalk(nil, dst.shape, dst, src)
	if axes[0].step[0] != 1 || axes[0].step[1] != 1 || SharesMemory(dst, src) { // kernels want elements side by side
		total := Add(dst, src)
		copyElements(dst, total)
		total.Free()
		return
	}
	out, in := extent[T](dst), extent[T](src)
	walk(axes, func(row0, row1, lo, hi int) {
		for o := newOdometer(axes[1:], row0); o.r < row1; o.pass(1) {
			d := out[o.at[0]+lo : o.at[0]+hi]
			add(d, d, in[o.at[1]+lo:o.at[1]+hi])
		}
	})
}
