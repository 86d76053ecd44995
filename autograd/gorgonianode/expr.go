// Gorgonia operations and expression graphs as operations of our tape.

package gorgonianode

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"weak"

	"gorgonia.org/gorgonia"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// maxPrograms is how many graphs an Expr holds at most.
const maxPrograms = 128

// An Expr is a Gorgonia expression graph as an operation of the tape. It holds
// the graphs it has built, one for each combination of input shapes, element
// types and inputs that need gradients; keep it as long as the model. Of more than
// 128 it holds those used last, and builds another one again when it is needed.
//
// Its Apply is an operation like those of package autograd: it may be called any
// number of times before a backward pass, and by several goroutines, which then
// wait for each other.
type Expr struct {
	name  string
	build func(in gorgonia.Nodes) (*gorgonia.Node, error)

	shared bool // operations of the graph may also be used elsewhere

	mu       sync.Mutex
	eval     bool
	programs map[string]*program
	applied  uint64 // how often
}

// NewExpr returns the operation that build describes: given a node for each
// input, in a new graph, it returns the node of the result. It is called once
// for each combination of input shapes and types that the Expr holds.
//
//	softplus := gorgonianode.NewExpr("softplus", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
//		return gorgonia.Softplus(in[0])
//	})
//	y := softplus.Apply(x)
//
// Gradients come from Gorgonia's symbolic differentiation of that graph, and are
// as right as its operations' are: gorgonia.Dropout's, for one, divides by the
// wrong probability unless that is a half. Nodes with values that build makes
// itself are constants. It panics with an *[autograd.Error] if build is nil.
func NewExpr(name string, build func(in gorgonia.Nodes) (*gorgonia.Node, error)) *Expr {
	if build == nil {
		misuse(name, "the function that builds the graph is nil")
	}
	return &Expr{name: name, build: build, programs: make(map[string]*program)}
}

// Op applies one Gorgonia operation: a variable that is op of the inputs. It
// builds a small graph at each call and runs the operation again before its
// gradient; in a training loop hold an [Expr] instead.
// Misuse panics as in [Expr.Apply].
func Op(op gorgonia.Op, inputs ...*autograd.Var) *autograd.Var {
	if op == nil {
		misuse("Op", "the operation is nil")
	}
	e := NewExpr(op.String(), func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		return gorgonia.ApplyOp(op, in...)
	})
	e.shared = true
	return e.Apply(inputs...)
}

// SetTraining switches operations that behave differently in training, such as
// dropout, in the graphs built so far and later; training is the default. It has
// the form that nn.SetTraining looks for.
func (e *Expr) SetTraining(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.eval = !on
	for _, p := range e.programs {
		if err := p.setTraining(on); err != nil {
			misuse(e.name, err.Error())
		}
	}
}

// Apply computes the expression. Inputs without axes are Gorgonia scalars;
// tensors without elements do not exist in Gorgonia.
//
// It panics with an *[autograd.Error] if the graph cannot be built for these inputs or
// does not run, be it by a panic of what builds it, and if an input requires a gradient
// that an operation in the graph does not have; the error names that operation.
func (e *Expr) Apply(inputs ...*autograd.Var) *autograd.Var {
	if e == nil || e.build == nil {
		misuse("Expr", "the expression has no graph; make it with NewExpr")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	values, err := e.values(inputs)
	if err != nil {
		e.misuse(err, inputs)
	}
	p, err := e.program(inputs)
	if err != nil {
		e.misuse(err, inputs)
	}
	r, err := p.forward(values)
	if err != nil {
		e.misuse(err, inputs)
	}
	if e.shared {
		p.latest = weak.Pointer[record]{} // what an operation keeps in itself cannot be relied on
	}
	y, err := p.output(r)
	if err != nil {
		e.misuse(err, inputs)
	}
	now := autograd.Now()
	return autograd.Custom(e.name, inputs, []*tensor.Tensor{y}, func(grads []*tensor.Tensor) []*tensor.Tensor {
		e.mu.Lock()
		defer e.mu.Unlock()
		for i, in := range inputs {
			if in.ChangedSince(now) {
				e.misuse(fmt.Errorf("gradient: input %d was changed after the forward pass", i), inputs)
			}
		}
		gs, err := p.backward(r, grads[0])
		if err != nil {
			e.misuse(fmt.Errorf("gradient: %w", err), inputs)
		}
		return gs
	})[0]
}

// values returns the inputs as Gorgonia takes them.
func (e *Expr) values(inputs []*autograd.Var) ([]gorgonia.Value, error) {
	if len(inputs) == 0 {
		return nil, errors.New("needs an input")
	}
	values := make([]gorgonia.Value, len(inputs))
	for i, in := range inputs {
		switch {
		case in == nil || in.Tensor() == nil:
			return nil, fmt.Errorf("input %d is not a dense tensor", i)
		case in.Tensor().Size() == 0:
			return nil, fmt.Errorf("input %d has no elements", i)
		}
		var err error
		if values[i], err = toValue(in.Tensor()); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	return values, nil
}

// program returns the compiled graph for such inputs.
func (e *Expr) program(inputs []*autograd.Var) (*program, error) {
	var key strings.Builder
	wants := make([]bool, len(inputs))
	recording := autograd.Recording(inputs...)
	for i, in := range inputs {
		wants[i] = recording && in.RequiresGrad()
		fmt.Fprintf(&key, "%v%v%t ", in.DType(), in.Shape(), wants[i])
	}
	e.applied++
	if p := e.programs[key.String()]; p != nil {
		p.used = e.applied
		return p, nil
	}
	p, err := compile(e.build, inputs, wants)
	if err != nil {
		return nil, err
	}
	if err := p.setTraining(!e.eval); err != nil {
		return nil, err
	}
	p.used = e.applied
	e.programs[key.String()] = p
	if len(e.programs) > maxPrograms {
		e.dropOldest()
	}
	return p, nil
}

// dropOldest forgets the program that was not used for longest.
func (e *Expr) dropOldest() {
	oldest, used := "", e.applied
	for key, p := range e.programs {
		if p.used < used {
			oldest, used = key, p.used
		}
	}
	delete(e.programs, oldest)
}

// own returns a value as a tensor that shares no memory with others.
func own(v gorgonia.Value, want signature, others []gorgonia.Value) (*tensor.Tensor, error) {
	t, err := toTensor(v)
	if err != nil {
		return nil, err
	}
	if !want.is(t) {
		if t.DType() != want.dtype || t.Size() != 1 || want.shape.Size() != 1 {
			return nil, fmt.Errorf("the graph says %v, the value is %v%v", want, t.DType(), t.Shape())
		}
		t = t.Reshape(want.shape...) // Gorgonia takes [], [1] and [1 1] for one another
	}
	if slices.ContainsFunc(others, func(o gorgonia.Value) bool { return overlap(v, o) }) {
		t = t.Clone()
	}
	return t, nil
}

func (e *Expr) misuse(err error, inputs []*autograd.Var) {
	var shapes []tensor.Shape
	for _, in := range inputs {
		if in != nil && in.Tensor() != nil {
			shapes = append(shapes, in.Shape())
		}
	}
	misuse(e.name, err.Error(), shapes...)
}

func misuse(op, detail string, shapes ...tensor.Shape) {
	panic(&autograd.Error{Op: "gorgonia " + op, Detail: detail, Shapes: shapes})
}
