// Sums, minima and maxima along axes on the Gorgonia engine.

package cpu

import (
	"slices"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

var (
	_ gt.Sumer = Engine{}
	_ gt.Maxer = Engine{}
	_ gt.Miner = Engine{}
)

// Sum implements gt.Sumer: the sum along the given axes, all of them if none is
// given, in an order that depends on the shape only.
func (e Engine) Sum(a gt.Tensor, along ...int) (gt.Tensor, error) {
	r32 := reduction[float32]{kern.For[float32]().Sum, kern.For[float32]().Add}
	r64 := reduction[float64]{kern.For[float64]().Sum, kern.For[float64]().Add}
	if r, ok := reduce(e, a, along, r32, r64); ok {
		return r, nil
	}
	return e.StdEng.Sum(a, along...)
}

// Max implements gt.Maxer: the maximum along the given axes, all of them if none
// is given; NaN where there is one.
func (e Engine) Max(a gt.Tensor, along ...int) (gt.Tensor, error) {
	r32 := reduction[float32]{kern.For[float32]().MaxOf, kern.For[float32]().Max}
	r64 := reduction[float64]{kern.For[float64]().MaxOf, kern.For[float64]().Max}
	if r, ok := reduce(e, a, along, r32, r64); ok {
		return r, nil
	}
	return e.StdEng.Max(a, along...)
}

// Min implements gt.Miner: the minimum along the given axes, all of them if none
// is given; NaN where there is one.
func (e Engine) Min(a gt.Tensor, along ...int) (gt.Tensor, error) {
	r32 := reduction[float32]{kern.For[float32]().MinOf, kern.For[float32]().Min}
	r64 := reduction[float64]{kern.For[float64]().MinOf, kern.For[float64]().Min}
	if r, ok := reduce(e, a, along, r32, r64); ok {
		return r, nil
	}
	return e.StdEng.Min(a, along...)
}

// reduction is an associative operation that combines many numbers into one.
type reduction[T kern.Float] struct {
	all  func(x []T) T       // of one run of numbers, at least one
	pair func(dst, a, b []T) // element by element
}

// reduce reports false if the standard engine must do it.
func reduce(e Engine, a gt.Tensor, along []int, r32 reduction[float32], r64 reduction[float64]) (gt.Tensor, bool) {
	switch a.Dtype() {
	case gt.Float32:
		return reduceOf(e, a, along, r32)
	case gt.Float64:
		return reduceOf(e, a, along, r64)
	}
	return nil, false
}

func reduceOf[T kern.Float](e Engine, a gt.Tensor, along []int, r reduction[T]) (gt.Tensor, bool) {
	d, x, ok := plain[T](a)
	if !ok {
		return nil, false
	}
	shape := d.Shape()
	if along = axes(along, len(shape)); along == nil {
		return nil, false
	}
	e.count()
	if len(along) == len(shape) {
		return gt.New(gt.FromScalar(r.total(x)), gt.WithEngine(d.Engine())), true
	}
	// The last axis first: the places of the others stay.
	for _, axis := range slices.Backward(along) {
		x, shape = r.axis(x, shape, axis)
	}
	return gt.New(gt.WithShape(shape...), gt.WithBacking(x), gt.WithEngine(d.Engine())), true
}

// axes returns the axes in order, all of them if there are none, and nil if one
// does not exist or appears twice.
func axes(along []int, rank int) []int {
	if len(along) == 0 {
		all := make([]int, rank) // along may have room, which is the caller's
		for k := range all {
			all[k] = k
		}
		return all
	}
	along = slices.Sorted(slices.Values(along))
	if along[0] < 0 || along[len(along)-1] >= rank || len(slices.Compact(slices.Clone(along))) < len(along) {
		return nil
	}
	return along
}

// total reduces everything: runs of a fixed length, then their results.
func (r reduction[T]) total(x []T) T {
	if len(x) <= engineGrain {
		return r.all(x)
	}
	parts := make([]T, (len(x)+engineGrain-1)/engineGrain)
	ParallelFor(len(x), engineGrain, func(lo, hi int) { parts[lo/engineGrain] = r.all(x[lo:hi]) })
	return r.all(parts)
}

// axis reduces one axis of a row-major tensor and returns what is left and its
// shape.
func (r reduction[T]) axis(x []T, shape gt.Shape, axis int) ([]T, gt.Shape) {
	outer, n, inner := shape[:axis].TotalSize(), shape[axis], shape[axis+1:].TotalSize()
	if axis == 0 {
		outer = 1 // Gorgonia's size of no axes is not reliable
	}
	if axis == len(shape)-1 {
		inner = 1
	}
	out := make([]T, outer*inner)
	if inner == 1 {
		ParallelFor(outer, max(1, engineGrain/n), func(lo, hi int) {
			for o := lo; o < hi; o++ {
				out[o] = r.all(x[o*n : (o+1)*n])
			}
		})
	} else {
		// Columns are split, not rows: each sum is one goroutine's, in one order.
		width := min(inner, max(64, engineGrain/n))
		blocks := (inner + width - 1) / width
		ParallelFor(outer*blocks, max(1, engineGrain/(n*width)), func(lo, hi int) {
			for t := lo; t < hi; t++ {
				o, j := t/blocks, t%blocks*width
				end := min(j+width, inner)
				from := x[o*n*inner:]
				acc := out[o*inner+j : o*inner+end]
				copy(acc, from[j:end])
				for i := 1; i < n; i++ {
					r.pair(acc, acc, from[i*inner+j:i*inner+end])
				}
			}
		})
	}
	return out, slices.Delete(shape.Clone(), axis, axis+1)
}
