// What recurrent layers over packed sequences share.

package tensor

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Steps says how sequences of several lengths lie in the rows of a matrix, as in PyTorch's
// PackedSequence: step by step, the sequences in the same order, the longest first.
type Steps struct {
	// Rows is how many sequences have each step: none more than the one before.
	Rows []int
	// Reverse goes from the last step to the first: each sequence begins at its own end.
	Reverse bool
}

// check panics unless the rows of x are those of so many sequences.
func (s Steps) check(op string, x *Tensor, sequences int) {
	total, last := 0, sequences
	for t, n := range s.Rows {
		if n < 0 || n > last {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("step %d has %d sequences after %d", t, n, last), Shapes: []Shape{x.shape}})
		}
		total, last = total+n, n
	}
	if total != x.shape[0] {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("steps of %d rows together", total), Shapes: []Shape{x.shape}})
	}
}

// Walk calls f with the rows [lo, hi) of each step, in the order in which they are computed.
// The sequences of the step are the first hi-lo.
func (s Steps) Walk(f func(lo, hi int)) {
	if !s.Reverse {
		lo := 0
		for _, n := range s.Rows {
			f(lo, lo+n)
			lo += n
		}
		return
	}
	hi := 0
	for _, n := range s.Rows {
		hi += n
	}
	for _, n := range slices.Backward(s.Rows) {
		f(hi-n, hi)
		hi -= n
	}
}

// back returns the steps in the opposite order, that of gradients.
func (s Steps) back() Steps { return Steps{Rows: s.Rows, Reverse: !s.Reverse} }

// wantRecurrent panics unless gates [R k·H], weight [k·H H] and states [N H] fit; it returns
// the states' shape.
func wantRecurrent(op string, k int, s Steps, gates, weight *Tensor, states ...*Tensor) Shape {
	wantSame(op, gates, weight)
	for _, h := range states {
		wantSame(op, gates, h)
	}
	first := states[0]
	for _, h := range states {
		if h.Rank() != 2 || !h.shape.Equal(first.shape) {
			panic(&ShapeError{Op: op, Detail: "states are no matrices of one shape", Shapes: []Shape{first.shape, h.shape}})
		}
	}
	n, hidden := first.shape[0], first.shape[1]
	if gates.Rank() != 2 || gates.shape[1] != k*hidden || !weight.shape.Equal(Shape{k * hidden, hidden}) {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("%d gates, weight and state do not fit", k), Shapes: []Shape{gates.shape, weight.shape, first.shape}})
	}
	if !gates.IsContiguous() {
		panic(&ShapeError{Op: op, Detail: "writes to a strided view of the gates", Shapes: []Shape{gates.shape}})
	}
	s.check(op, gates, n)
	for _, x := range append(states, gates, weight) {
		if x.far != nil {
			panic(&DeviceError{Op: op, Detail: "takes operands on the CPU", Devices: []*Device{x.far.device}})
		}
	}
	return first.shape.Clone()
}

// wantGrad panics unless g is nil or like a result of that shape.
func wantGrad(op string, g *Tensor, dt DType, shape Shape) {
	if g == nil {
		return
	}
	if wantType(op, g, dt); !g.shape.Equal(shape) {
		panic(&ShapeError{Op: op, Detail: "a gradient of another shape than the result", Shapes: []Shape{g.shape, shape}})
	}
}

// wantWeight panics unless a weight is like that of a run.
func wantWeight(op string, weight *Tensor, dt DType, shape Shape) {
	if wantType(op, weight, dt); !weight.shape.Equal(shape) {
		panic(&ShapeError{Op: op, Detail: "the weight has another shape than that of the run", Shapes: []Shape{weight.shape, shape}})
	}
}

// startGrad returns what a gradient of a state begins with: a copy of that of its last value, 0
// if there is none.
func startGrad(op string, g *Tensor, dt DType, shape Shape) *Tensor {
	if wantGrad(op, g, dt, shape); g == nil {
		return zeros(dt, shape)
	}
	return g.Clone()
}

// timesRows writes a·b to the rows of c, or adds it.
func timesRows[T Float](c, a []T, rows int, b cpu.Matrix[T], add bool) {
	cpu.MatMul(cpu.RowMajor(c, rows, b.Cols), cpu.RowMajor(a, rows, b.Rows), b, cpu.Epilogue[T]{Accumulate: add})
}

// forSequences calls f for each of n sequences of a step, of which each has width elements.
func forSequences(n, width int, f func(i int)) {
	cpu.ParallelFor(n, rowsGrain(width), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f(i)
		}
	})
}
