// Sums, means, products and extrema over axes.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Sum returns the sum over the given axes, over all if none is given. Reduced
// axes vanish, or stay with length 1 if keepDims. An empty sum is 0. The sum of
// integers, and of booleans as 0 and 1, is Int64, as in PyTorch, and wraps around.
func Sum(x *Tensor, keepDims bool, axes ...int) *Tensor {
	wantTensors("Sum", x)
	if !x.dtype.IsFloat() {
		return reduceAxes("Sum", x.To(Int64), keepDims, axes, &fold[int64]{name: "Sum", one: addUp[int64], into: addTo[int64]})
	}
	return reduceFloats("Sum", x, keepDims, axes, &sums)
}

// Mean returns the mean over axes, which are given as for Sum. An empty mean is NaN.
func Mean(x *Tensor, keepDims bool, axes ...int) *Tensor {
	const op = "Mean"
	s := reduceFloats(op, x, keepDims, axes, &sums)
	scaleInPlace(s, 1/float64(countReduced(op, x.shape, axes))) // 0·Inf is NaN
	return s
}

// Prod returns the product over axes, which are given as for Sum, as is the type of the
// result. An empty product is 1.
func Prod(x *Tensor, keepDims bool, axes ...int) *Tensor {
	const op = "Prod"
	wantTensors(op, x)
	if !x.dtype.IsFloat() {
		return reduceAxes(op, x.To(Int64), keepDims, axes, &fold[int64]{name: op, nothing: 1, one: multiplyUp[int64], into: multiplyBy[int64]})
	}
	return reduceFloats(op, x, keepDims, axes, &products)
}

// Max returns the maximum over axes, which are given as for Sum: NaN if any
// element is NaN, -Inf for an empty maximum. Integers work too, but have no empty
// maximum. See [MaxAlong] for where it is.
func Max(x *Tensor, keepDims bool, axes ...int) *Tensor {
	const op = "Max"
	wantNumber(op, x)
	switch x.dtype {
	case Int32:
		return extremumOfIntegers(op, x, keepDims, axes, math.MinInt32, larger[int32])
	case Int64:
		return extremumOfIntegers(op, x, keepDims, axes, math.MinInt64, larger[int64])
	}
	return reduceFloats(op, x, keepDims, axes, &maxima)
}

// Min returns the minimum over axes, as Max does the maximum.
func Min(x *Tensor, keepDims bool, axes ...int) *Tensor {
	const op = "Min"
	wantNumber(op, x)
	switch x.dtype {
	case Int32:
		return extremumOfIntegers(op, x, keepDims, axes, math.MaxInt32, smaller[int32])
	case Int64:
		return extremumOfIntegers(op, x, keepDims, axes, math.MaxInt64, smaller[int64])
	}
	return reduceFloats(op, x, keepDims, axes, &minima)
}

// SumTo returns x summed over the axes along which shape was broadcast to x's
// shape: the adjoint of broadcasting. Sums of integers and booleans are Int64, as of [Sum].
func SumTo(x *Tensor, shape Shape) *Tensor {
	const op = "SumTo"
	wantTensors(op, x)
	if !x.dtype.IsFloat() {
		x = x.To(Int64)
	}
	if x.shape.Equal(shape) {
		return x.Clone()
	}
	lead := x.Rank() - len(shape)
	if lead < 0 || !Broadcast(op, x.shape, shape).Equal(x.shape) {
		panic(&ShapeError{Op: op, Detail: "the second shape does not broadcast to the first", Shapes: []Shape{x.shape, shape}})
	}
	axes := make([]int, 0, x.Rank())
	for k, d := range x.shape {
		if k < lead || shape[k-lead] == 1 && d != 1 {
			axes = append(axes, k)
		}
	}
	if len(axes) == 0 {
		return x.Reshape(shape...).Clone()
	}
	return Sum(x, true, axes...).Reshape(shape...)
}

func scaleInPlace(x *Tensor, c float64) {
	switch {
	case x.far != nil:
		farInPlace("Scale", x, ProgramStep{Op: "Scale", Type: x.dtype, C: c})
	case x.dtype == Float32:
		mapWith(x, x, float32(c), kern.For[float32]().MulScalar)
	default:
		mapWith(x, x, c, kern.For[float64]().MulScalar)
	}
}

var (
	sums     = folds{sumOf[float32](), sumOf[float64]()}
	products = folds{prodOf[float32](), prodOf[float64]()}
	maxima   = folds{maxOf[float32](), maxOf[float64]()}
	minima   = folds{minOf[float32](), minOf[float64]()}
)

func sumOf[T Float]() fold[T] {
	k := kern.For[T]()
	return fold[T]{name: "Sum", one: k.Sum, into: func(acc, row []T) { k.Add(acc, acc, row) }, rows: func(acc, x []T) { k.SumRowsInto(acc, x, len(acc)) }, each: k.SumEach}
}

func prodOf[T Float]() fold[T] {
	k := kern.For[T]()
	return fold[T]{name: "Prod", nothing: 1, one: multiplyUp[T], into: func(acc, row []T) { k.Mul(acc, acc, row) }}
}

func maxOf[T Float]() fold[T] {
	k := kern.For[T]()
	return fold[T]{name: "Max", nothing: T(math.Inf(-1)), one: k.MaxOf, each: k.MaxEach, into: func(acc, row []T) { k.Max(acc, acc, row) }}
}

func minOf[T Float]() fold[T] {
	k := kern.For[T]()
	return fold[T]{name: "Min", nothing: T(math.Inf(1)), one: k.MinOf, each: k.MinEach, into: func(acc, row []T) { k.Min(acc, acc, row) }}
}

// multiplyUp keeps four products, merged pairwise: the chain of one is what bounds
// the speed of the plain loop.
func multiplyUp[T Number](x []T) T {
	p := [4]T{1, 1, 1, 1}
	for len(x) >= 4 {
		p[0] *= x[0]
		p[1] *= x[1]
		p[2] *= x[2]
		p[3] *= x[3]
		x = x[4:]
	}
	for _, v := range x {
		p[0] *= v
	}
	return (p[0] * p[1]) * (p[2] * p[3])
}

func addUp[T Number](x []T) (sum T) {
	for _, v := range x {
		sum += v
	}
	return sum
}

func addTo[T Number](acc, row []T) {
	for i, v := range row {
		acc[i] += v
	}
}

func multiplyBy[T Number](acc, row []T) {
	for i, v := range row {
		acc[i] *= v
	}
}

func larger[T Number](a, b T) T  { return max(a, b) }
func smaller[T Number](a, b T) T { return min(a, b) }

func extremumOfIntegers[T Number](op string, x *Tensor, keepDims bool, axes []int, worst T, better func(a, b T) T) *Tensor {
	if countReduced(op, x.shape, axes) == 0 {
		panic(&ShapeError{Op: op, Detail: "no integer is the extremum of none", Shapes: []Shape{x.shape}})
	}
	f := fold[T]{
		name:    op,
		nothing: worst,
		one: func(x []T) T {
			m := worst
			for _, v := range x {
				m = better(m, v)
			}
			return m
		},
		into: func(acc, row []T) {
			for i, v := range row {
				acc[i] = better(acc[i], v)
			}
		},
	}
	return reduceAxes(op, x, keepDims, axes, &f)
}
