// Softmax over the last axis on the Gorgonia engine.

package cpu

import (
	"slices"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/kern"
)

var _ gt.SoftMaxer = Engine{}

// The options are Gorgonia's, which are not those of its other operations: the
// result goes to the tensor of WithReuse only if UseUnsafe is given too, else to a
// new one. Other axes than the last are the standard engine's.

// SoftMax implements gt.SoftMaxer: e^x / Σ e^x along an axis.
func (e Engine) SoftMax(x gt.Tensor, axis int, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok := rows(e, x, x, axis, opts, each2(kern.For[float32]().SoftmaxRows), each2(kern.For[float64]().SoftmaxRows)); ok {
		return r, nil
	}
	return e.StdEng.SoftMax(x, axis, opts...)
}

// LogSoftMax implements gt.SoftMaxer: the logarithm of SoftMax.
func (e Engine) LogSoftMax(x gt.Tensor, axis int, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok := rows(e, x, x, axis, opts, each2(kern.For[float32]().LogSoftmaxRows), each2(kern.For[float64]().LogSoftmaxRows)); ok {
		return r, nil
	}
	return e.StdEng.LogSoftMax(x, axis, opts...)
}

// SoftMaxB implements gt.SoftMaxer: the gradient of x, given SoftMax(x) and its
// gradient.
func (e Engine) SoftMaxB(output, grad gt.Tensor, axis int, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok := rows(e, grad, output, axis, opts, kern.For[float32]().SoftmaxGradRows, kern.For[float64]().SoftmaxGradRows); ok {
		return r, nil
	}
	return e.StdEng.SoftMaxB(output, grad, axis, opts...)
}

// LogSoftMaxB implements gt.SoftMaxer: the gradient of x, given LogSoftMax(x) and
// its gradient.
func (e Engine) LogSoftMaxB(output, grad gt.Tensor, axis int, opts ...gt.FuncOpt) (gt.Tensor, error) {
	if r, ok := rows(e, grad, output, axis, opts, kern.For[float32]().LogSoftmaxGradRows, kern.For[float64]().LogSoftmaxGradRows); ok {
		return r, nil
	}
	return e.StdEng.LogSoftMaxB(output, grad, axis, opts...)
}

// each2 makes a kernel of one operand one of two.
func each2[T kern.Float](f func(dst, x []T, n int)) func(dst, x, _ []T, n int) {
	return func(dst, x, _ []T, n int) { f(dst, x, n) }
}

// rows runs a kernel of rows. It reports false if the standard engine must do it.
func rows(e Engine, a, b gt.Tensor, axis int, opts []gt.FuncOpt, f32 func(dst, a, b []float32, n int), f64 func(dst, a, b []float64, n int)) (gt.Tensor, bool) {
	switch a.Dtype() {
	case gt.Float32:
		return rowsOf(e, a, b, axis, opts, f32)
	case gt.Float64:
		return rowsOf(e, a, b, axis, opts, f64)
	}
	return nil, false
}

func rowsOf[T kern.Float](e Engine, a, b gt.Tensor, axis int, opts []gt.FuncOpt, f func(dst, a, b []T, n int)) (gt.Tensor, bool) {
	da, x, okA := plain[T](a)
	db, y, okB := plain[T](b)
	if !okA || !okB || !slices.Equal(da.Shape(), db.Shape()) {
		return nil, false
	}
	shape := da.Shape()
	if rank := len(shape); (axis%rank+rank)%rank != rank-1 {
		return nil, false
	}
	o := gt.ParseFuncOpts(opts...)
	if o.Incr() != nil {
		return nil, false
	}
	var to *gt.Dense
	var dst []T
	if r := o.Reuse(); r != nil { // it must fit and is reshaped even if the result goes elsewhere
		var ok bool
		if to, dst, ok = plain[T](r); !ok {
			return nil, false
		}
		if !to.Shape().Eq(shape) && to.Reshape(shape...) != nil {
			return nil, false
		}
	}
	switch {
	case o.Safe():
		to, dst = newDense[T](da.Engine(), shape)
	case to == nil:
		return nil, false
	}
	e.count()
	n := shape[len(shape)-1]
	ParallelFor(len(x)/n, max(1, engineGrain/n), func(lo, hi int) {
		lo, hi = lo*n, hi*n
		f(dst[lo:hi], x[lo:hi], y[lo:hi], n)
	})
	return to, true
}
