// The forward operation: what a machine executes for a node of Apply.

package gorgonianode

import (
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// op is a Func in an expression graph.
type op struct {
	id          uint64
	name        string
	f           Func
	params      []*autograd.Var // tied to the last inputs
	setTraining func(training bool)

	in    []signature // of the inputs, the parameters' included
	types []hm.Type
	wants []bool // which inputs get a gradient
	out   signature

	passes int  // backward passes of the graph: calls of SymDiff
	last   *run // of the latest Do
}

var (
	_ gorgonia.SDOp        = (*op)(nil)
	_ gorgonia.ADOp        = (*op)(nil)
	_ gorgonia.TrainModeOp = (*op)(nil)
)

// run is the record of one execution.
type run struct {
	xs  []*autograd.Var
	y   *autograd.Var
	out gorgonia.Value // what Gorgonia was given: it tells the run
}

// arguments returns how many of the inputs are the function's.
func (op *op) arguments() int { return len(op.in) - len(op.params) }

func (op *op) Arity() int { return len(op.in) }

// Type is concrete, input by input. Gorgonia recycles it, so it is made anew.
func (op *op) Type() hm.Type {
	return hm.NewFnType(append(slices.Clone(op.types), op.outType())...)
}

func (op *op) outType() hm.Type {
	if len(op.out.shape) == 0 {
		return toDtype(op.out.dtype)
	}
	return gorgonia.TensorType{Dims: len(op.out.shape), Of: toDtype(op.out.dtype)}
}

func (op *op) InferShape(...gorgonia.DimSizer) (gt.Shape, error) { return op.out.gorgoniaShape(), nil }

// ReturnsPtr lets a later operation write its result over ours.
func (op *op) ReturnsPtr() bool { return true }

// CallsExtern is false although work may run elsewhere: Gorgonia would wait for
// a BLAS that batches calls.
func (op *op) CallsExtern() bool { return false }

func (op *op) OverwritesInput() int { return -1 }

func (op *op) WriteHash(h hash.Hash) { fmt.Fprintf(h, "asterias %s %d", op.name, op.id) }

func (op *op) Hashcode() uint32 {
	h := fnv.New32a()
	op.WriteHash(h)
	return h.Sum32()
}

func (op *op) String() string { return op.name }

// SetTraining implements gorgonia.TrainModeOp.
func (op *op) SetTraining(training bool) error {
	if op.setTraining != nil {
		op.setTraining(training)
	}
	return nil
}

// Do runs the function and keeps the record for the gradient. It is recorded
// whoever runs it: the lisp machine does not say whether it will differentiate.
func (op *op) Do(values ...gorgonia.Value) (gorgonia.Value, error) {
	op.last = nil
	v, err := tried(func() (gorgonia.Value, error) { return op.do(values) })
	if err != nil {
		return nil, fmt.Errorf("gorgonianode: %s: %w", op.name, err)
	}
	return v, nil
}

// tried returns misuse by f as an error. Gorgonia's machines call us from goroutines of
// their own, where a panic ends the process.
func tried[T any](f func() (T, error)) (result T, err error) {
	if misuse := autograd.Try(func() { result, err = f() }); misuse != nil {
		return result, misuse
	}
	return result, err
}

func (op *op) do(values []gorgonia.Value) (gorgonia.Value, error) {
	if len(values) != len(op.in) {
		return nil, fmt.Errorf("%d inputs, want %d", len(values), len(op.in))
	}
	xs := make([]*autograd.Var, op.arguments())
	for i, v := range values {
		t, err := op.input(i, v)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		switch {
		case i >= len(xs):
			p := op.params[i-len(xs)]
			if overlap(p.Value(), v) {
				continue
			}
			p.SetTensor(t)
		default:
			xs[i] = op.variable(i, t)
		}
	}
	y, err := op.call(xs)
	if err != nil {
		return nil, err
	}
	if !op.out.is(y.Tensor()) {
		return nil, fmt.Errorf("the result is %v%v, the graph was built for %v", y.DType(), y.Shape(), op.out)
	}
	// A copy: Gorgonia may write its values in place, which neither the record
	// nor an input or parameter that the function returned would survive.
	out, err := toValue(y.Tensor().Clone())
	if err != nil {
		return nil, err
	}
	op.last = &run{xs: xs, y: y, out: out}
	return out, nil
}

// variable returns a value of input i as the function gets it.
func (op *op) variable(i int, t *tensor.Tensor) *autograd.Var {
	if op.wants[i] {
		return autograd.Variable(t)
	}
	return autograd.Constant(t)
}

// input returns the value of input i, which must be what the graph says.
func (op *op) input(i int, v gorgonia.Value) (*tensor.Tensor, error) {
	t, err := toTensor(v)
	if err != nil {
		return nil, err
	}
	if want := op.in[i]; !want.is(t) {
		if len(want.shape) == 0 && t.Size() == 1 && t.DType() == want.dtype {
			return t.Reshape(), nil // a scalar that Gorgonia keeps in a tensor
		}
		return nil, fmt.Errorf("the value is %v%v, the graph was built for %v", t.DType(), t.Shape(), want)
	}
	return t, nil
}

// call runs the function and checks that it returned a dense tensor of the CPU.
func (op *op) call(xs []*autograd.Var) (*autograd.Var, error) {
	y := op.f(xs...)
	if y == nil || y.Tensor() == nil {
		return nil, errors.New("the function returned no dense tensor")
	}
	if d := y.Device(); d != nil {
		return nil, fmt.Errorf("the result is on %v; Gorgonia reads Go's memory only", d)
	}
	return y, nil
}
