// Variances, norms and the logarithm of a sum of exponentials over axes.

package tensor

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Var returns the variance over axes, which are given as for [Sum]: the squared
// distances from the mean divided by their number less the correction, 1 for the
// unbiased estimate of a sample, 0 for the population's. Where nothing is left to divide by
// it is what a division by 0 gives: +Inf, or NaN where no element is off the mean. The mean
// is taken first, so that no digits cancel.
func Var(x *Tensor, correction float64, keepDims bool, axes ...int) *Tensor {
	return variance("Var", x, correction, keepDims, axes)
}

func variance(op string, x *Tensor, correction float64, keepDims bool, axes []int) *Tensor {
	wantFloat(op, x)
	n := float64(countReduced(op, x.shape, axes))
	out := squaredDeviations(op, x, keepDims, axes)
	scaleInPlace(out, 1/max(n-correction, 0))
	return out
}

// Std returns the square root of [Var]. On the CPU its squares neither overflow nor vanish.
func Std(x *Tensor, correction float64, keepDims bool, axes ...int) *Tensor {
	const op = "Std"
	out := variance(op, x, correction, keepDims, axes)
	if out.dtype == Float32 && out.far == nil && slices.ContainsFunc(elems[float32](out), beyondSquares) {
		out.Free()
		wide := x.To(Float64)
		defer wide.Free()
		out = variance(op, wide, correction, keepDims, axes)
		rootInPlace(out)
		return out.To(Float32)
	}
	rootInPlace(out)
	return out
}

// beyondSquares reports whether a variance is not what squares of normal numbers give: they may have
// overflowed, or vanished in part.
func beyondSquares(v float32) bool { return v < 0x1p-100 || v > math.MaxFloat32 || v != v }

func rootInPlace(x *Tensor) {
	switch {
	case x.far != nil:
		farInPlace("Sqrt", x, ProgramStep{Op: "Sqrt", Type: x.dtype})
	case x.dtype == Float32:
		map1(x, x, elementGrain, kern.For[float32]().Sqrt)
	default:
		map1(x, x, elementGrain, kern.For[float64]().Sqrt)
	}
}

// squaredDeviations returns the sum of the squared distances from the mean. That
// was rounded, so what its error e adds, n·e², is taken off again (the corrected
// two-pass algorithm of Chan, Golub and LeVeque 1983).
func squaredDeviations(op string, x *Tensor, keepDims bool, axes []int) *Tensor {
	mean := Mean(x, true, axes...)
	if x.far == nil && x.strides == nil && x.size > 0 && x.size/mean.size <= elementGrain && onlyLast(op, x, axes) {
		if !keepDims {
			mean = dropAxis(mean, len(x.shape)-1)
		}
		if x.dtype == Float32 {
			deviationRows(elems[float32](mean), elems[float32](x))
		} else {
			deviationRows(elems[float64](mean), elems[float64](x))
		}
		return mean
	}
	d := Sub(x, mean)
	out := reduceFloats(op, d, keepDims, axes, &squares)
	rest := Sum(d, keepDims, axes...)
	d.Free()
	n := countReduced(op, x.shape, axes)
	if x.far != nil {
		return farCorrect(op, out, rest, n)
	}
	if x.dtype == Float32 {
		correctAll(elems[float32](out), elems[float32](rest), n)
	} else {
		correctAll(elems[float64](out), elems[float64](rest), n)
	}
	return out
}

// farCorrect is correctSquares on a device.
func farCorrect(op string, q, s *Tensor, n int) *Tensor {
	dt := q.dtype
	return farMap(op, q.shape, []ProgramStep{
		{Op: "Square", Type: dt, Args: [3]int{^1}},
		{Op: "Scale", Type: dt, Args: [3]int{0}, C: 1 / float64(n)},
		{Op: "Sub", Type: dt, Args: [3]int{^0, 1}},
		{Op: "Const", Type: dt},
		{Op: "Maximum", Type: dt, Args: [3]int{2, 3}},
	}, q, s)
}

func correctAll[T Float](q, s []T, n int) {
	for i := range q {
		q[i] = correctSquares(q[i], s[i], n)
	}
}

// correctSquares takes s²/n off a sum q of n squares, where s is the sum of what was
// squared.
func correctSquares[T Float](q, s T, n int) T {
	return T(max(0, float64(q)-float64(s)*float64(s)/float64(n)))
}

// onlyLast reports whether the last axis alone is reduced.
func onlyLast(op string, x *Tensor, axes []int) bool {
	var room [usualAxes]bool
	reduced := reducedAxes(op, room[:], x.shape, axes)
	for k, r := range reduced {
		if r != (k == len(reduced)-1) {
			return false
		}
	}
	return len(reduced) > 0
}

// deviationRows replaces the mean of each row of x by its squared deviations.
func deviationRows[T Float](mean, x []T) {
	k, n := kern.For[T](), len(x)/len(mean)
	cpu.ParallelFor(len(mean), max(1, elementGrain/n), func(lo, hi int) {
		d := make([]T, n)
		for r := lo; r < hi; r++ {
			k.AddScalar(d, x[r*n:(r+1)*n], -mean[r])
			mean[r] = correctSquares(k.SumSquares(d), k.Sum(d), n)
		}
	})
}

// Norm returns the p-norm (Σ|x|^p)^(1/p) over axes, which are given as for [Sum].
// p = +Inf is the largest magnitude, -Inf the smallest, 0 the number of elements
// that are not 0. An empty norm is 0, and NaN for p < 0.
func Norm(x *Tensor, p float64, keepDims bool, axes ...int) *Tensor {
	const op = "Norm"
	wantFloat(op, x)
	none := countReduced(op, x.shape, axes) == 0
	switch {
	case p == 2:
		out := reduceFloats(op, x, keepDims, axes, &squares)
		rootInPlace(out)
		return out
	case p == 1:
		return reduceFloats(op, x, keepDims, axes, &magnitudes)
	case p < 0 && none:
		return FullLike(Sum(x, keepDims, axes...), math.NaN())
	case p == 0:
		return Sum(NotEqualScalar(x, 0), keepDims, axes...).To(x.dtype)
	}
	a := Abs(x)
	defer a.Free()
	switch {
	case math.IsInf(p, -1):
		return Min(a, keepDims, axes...)
	case math.IsInf(p, 1):
		a = Max(a, keepDims, axes...)
		return Maximum(a, zeros(a.dtype, nil)) // of no elements 0
	}
	powers := Pow(a, p)
	defer powers.Free()
	return Pow(Sum(powers, keepDims, axes...), 1/p)
}

var (
	squares    = folds{squaresOf[float32](), squaresOf[float64]()}
	magnitudes = folds{magnitudesOf[float32](), magnitudesOf[float64]()}
)

func squaresOf[T Float]() fold[T] {
	k, sum := kern.For[T](), sumOf[T]()
	return fold[T]{name: "SumSquares", one: k.SumSquares, into: func(acc, row []T) { k.MulAdd(acc, row, row) }, again: &sum}
}

func magnitudesOf[T Float]() fold[T] {
	k, sum := kern.For[T](), sumOf[T]()
	return fold[T]{
		name: "SumAbs",
		one:  k.SumAbs,
		into: func(acc, row []T) {
			for i, v := range row {
				acc[i] += T(math.Abs(float64(v)))
			}
		},
		again: &sum,
	}
}

// LogSumExp returns ln Σ e^x over axes, which are given as for [Sum], shifted by
// the maximum so that nothing overflows. Of no elements it is -Inf.
func LogSumExp(x *Tensor, keepDims bool, axes ...int) *Tensor {
	const op = "LogSumExp"
	wantFloat(op, x)
	if x.far == nil && x.strides == nil && x.size > 0 && onlyLast(op, x, axes) && x.shape[len(x.shape)-1] <= elementGrain {
		out := empty(x.dtype, x.shape[:len(x.shape)-1])
		if x.dtype == Float32 {
			logSumExpRows(elems[float32](out), elems[float32](x))
		} else {
			logSumExpRows(elems[float64](out), elems[float64](x))
		}
		if keepDims {
			return out.Unsqueeze(-1)
		}
		return out
	}
	m := reduceFloats(op, x, true, axes, &maxima)
	shift := Where(IsInf(m), zeros(m.dtype, nil), m) // Inf - Inf would be NaN
	e := Sub(x, shift)
	defer e.Free()
	if e.far != nil {
		farInPlace(op, e, ProgramStep{Op: "Exp", Type: e.dtype})
	} else if e.dtype == Float32 {
		map1(e, e, elementGrain, kern.For[float32]().Exp)
	} else {
		map1(e, e, elementGrain, kern.For[float64]().Exp)
	}
	out := Log(Sum(e, keepDims, axes...))
	AddInto(out, shift.Reshape(out.shape...))
	return out
}

func logSumExpRows[T Float](out, x []T) {
	k, n := kern.For[T](), len(x)/len(out)
	cpu.ParallelFor(len(out), rowsGrain(n), func(lo, hi int) {
		scratch := empty(DTypeOf[T](), Shape{(hi - lo) * (n + 1)})
		defer scratch.Free()
		e, shift := elems[T](scratch)[:(hi-lo)*n], elems[T](scratch)[(hi-lo)*n:]
		for r := range shift {
			shift[r] = 0
			row := x[(lo+r)*n : (lo+r+1)*n]
			if m := k.MaxOf(row); m-m == 0 { // Inf - Inf would be NaN
				shift[r] = m
			}
			k.AddScalar(e[r*n:(r+1)*n], row, -shift[r])
		}
		k.Exp(e, e)
		for r := range shift {
			out[lo+r] = k.Sum(e[r*n : (r+1)*n])
		}
		k.Log(out[lo:hi], out[lo:hi])
		k.Add(out[lo:hi], out[lo:hi], shift)
	})
}
