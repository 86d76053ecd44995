// The Gorgonia engine of our tensors: what all its operations share.

package cpu

import (
	"slices"
	"sync/atomic"
	"unsafe"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// Engine is a Gorgonia engine on our kernels, memory and threads, so that
// gorgonia.org/tensor operations on our tensors, or on any Dense made
// with gt.WithEngine(cpu.Engine{}), use them. To run a whole expression graph on
// it, give it to the machine: gorgonia.WithEngine(cpu.Engine{}). The zero value is
// ready to use.
//
// Arithmetic, with a scalar too, functions of one operand, sums, minima and
// maxima, softmax over the last axis, and products of matrices and vectors run
// here if the operands are float32 or float64, row-major and contiguous, without a
// mask, in Go's memory; products also read lazily transposed operands. Everything
// else is the standard engine's, which is embedded. The options WithReuse, WithIncr
// and UseUnsafe mean the same on both. Results are those of the standard engine, up
// to rounding where that involves more than one operation, except where that engine
// departs from IEEE: 0/0 and -1/0 are +Inf there, minima and maxima pass over NaN,
// and the products of a matrix drop 0·NaN.
type Engine struct {
	gt.StdEng
	ran *atomic.Int64 // counts the operations that ran here, in tests
}

// count notes in tests that an operation ran here.
func (e Engine) count() {
	if e.ran != nil {
		e.ran.Add(1)
	}
}

// engineGrain is how many elements of an element-wise operation one goroutine
// takes at a time.
const engineGrain = 1 << 15

// plain returns the elements of a tensor with axes, and true if the operations of
// this engine can work on it.
func plain[T kern.Float](t gt.Tensor) (d *gt.Dense, x []T, ok bool) {
	d, ok = t.(*gt.Dense)
	if !ok || d == nil || d.Dims() == 0 || !d.IsNativelyAccessible() || d.IsMaterializable() || d.IsMasked() || d.RequiresIterator() || !d.DataOrder().IsRowMajor() {
		return nil, nil, false
	}
	if x, ok = elements[T](d); !ok || len(x) != d.Shape().TotalSize() || !InRows(d) {
		return nil, nil, false
	}
	return d, x, true
}

// InRows reports whether the elements of a Dense that is no view follow each other row by row.
// Those of a clone of a view of a transposed one do not: it has the view's strides.
func InRows(d *gt.Dense) bool {
	if d.Shape().TotalSize() == 0 {
		return true
	}
	strides, step := d.Strides(), 1
	for k, n := range slices.Backward(d.Shape()) {
		if k >= len(strides) || n != 1 && strides[k] != step {
			return false
		}
		step *= n
	}
	return true
}

// elements returns the memory of a Dense that holds elements of type T.
func elements[T kern.Float](d *gt.Dense) (x []T, ok bool) {
	if d.DataSize() == 0 { // Gorgonia cannot address the elements of an empty Dense
		return nil, false
	}
	switch d.Dtype() {
	case gt.Float32:
		x, ok = any(d.Float32s()).([]T)
	case gt.Float64:
		x, ok = any(d.Float64s()).([]T)
	}
	return x, ok
}

// target is where the result of an element-wise operation goes.
type target[T kern.Float] struct {
	tensor gt.Tensor
	data   []T
	incr   bool // the result is added to what is there
}

// targetOf reads the options of an operation whose result has the shape of its
// operand a. It reports false, and has changed nothing, if the standard engine
// must do the operation.
func targetOf[T kern.Float](a *gt.Dense, x []T, opts []gt.FuncOpt) (to target[T], ok bool, err error) {
	if len(x) == 1 { // Gorgonia has rules of its own, which take it for a scalar
		return to, false, nil
	}
	reuse, incr, safe := gt.Tensor(nil), false, true
	if len(opts) > 0 {
		o := gt.ParseFuncOpts(opts...)
		reuse, incr = o.IncrReuse()
		safe = o.Safe()
	}
	switch {
	case reuse != nil:
		d, data, ok := plain[T](reuse)
		if !ok || len(data) != len(x) {
			return to, false, nil
		}
		if !d.Shape().Eq(a.Shape()) { // Gorgonia's rule: [n], [1 n] and [n 1] are equal
			err = d.Reshape(a.Shape()...)
		}
		return target[T]{d, data, incr}, true, err
	case !safe:
		return target[T]{a, x, false}, true, nil
	}
	d, data := newDense[T](a.Engine(), a.Shape())
	return target[T]{d, data, false}, true, nil
}

// newDense returns a Dense whose elements hold anything.
func newDense[T kern.Float](e gt.Engine, shape gt.Shape) (*gt.Dense, []T) {
	n := shape.TotalSize()
	p, _ := Alloc(n * int(unsafe.Sizeof(T(0))))
	data := unsafe.Slice((*T)(p), n)
	return gt.New(gt.WithShape(shape...), gt.WithBacking(data), gt.WithEngine(e)), data
}

// fill computes the target: f writes the elements lo to hi-1 of the result to dst.
func (to target[T]) fill(f func(dst []T, lo, hi int)) {
	if !to.incr {
		ParallelFor(len(to.data), engineGrain, func(lo, hi int) { f(to.data[lo:hi], lo, hi) })
		return
	}
	const block = 1024 // stays in the L1 cache between the two kernels
	add := kern.For[T]().Add
	ParallelFor(len(to.data), engineGrain, func(lo, hi int) {
		sum := make([]T, min(block, hi-lo))
		for ; lo < hi; lo += block {
			end := min(lo+block, hi)
			part, dst := sum[:end-lo], to.data[lo:end]
			f(part, lo, end)
			add(dst, dst, part)
		}
	})
}
