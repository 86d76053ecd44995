// A compiled expression graph: its operations in order, forward and backward,
// over numbered values.

package gorgonianode

import (
	"fmt"
	"math"
	"slices"
	"weak"

	"gorgonia.org/gorgonia"

	"github.com/asterias-ml/asterias/tensor"
)

// None of Gorgonia's machines runs the graph. They go forward and backward in one
// run, but the tape needs the result before it knows the result's gradient; they
// write values in place, which the tape's are not for; and they switch goroutines
// for each run. Executing the operations in order is all there is to do.

// program is a graph for inputs of given shapes and types.
type program struct {
	in        []signature
	out       signature
	slots     int        // values in a run; the inputs' are the first
	constants []constant // nodes that have a value and no operation
	steps     []step     // forward
	result    int        // slot of the result
	back      []step     // backward
	cotangent int        // slot of the result's gradient; -1: no gradient is wanted
	grads     []int      // slots of the inputs' gradients; -1: none
	used      uint64     // when an Expr applied it last, in its applications

	// Whose forward pass ran last. The recorded operation keeps it, for as long as it may be
	// gone back through: nobody else needs its values.
	latest weak.Pointer[record]
}

// step is one operation: values[to] = op(values[from]...).
type step struct {
	op   gorgonia.Op
	from []int
	to   int
}

// constant is a node with a value of its own.
type constant struct {
	node *gorgonia.Node
	slot int
}

// record is the values of one application.
type record struct{ values []gorgonia.Value }

func (p *program) inputs(r *record) []gorgonia.Value { return r.values[:len(p.in)] }

// forward runs the graph.
func (p *program) forward(inputs []gorgonia.Value) (*record, error) {
	r := &record{values: make([]gorgonia.Value, p.slots)}
	copy(r.values, inputs)
	for _, c := range p.constants {
		v := c.node.Value()
		if v == nil {
			return nil, fmt.Errorf("node %v has no value", c.node)
		}
		r.values[c.slot] = v
	}
	p.latest = weak.Make(r)
	return r, execute(p.steps, r.values)
}

// output returns the result of a forward pass, in memory of its own.
func (p *program) output(r *record) (*tensor.Tensor, error) {
	return own(r.values[p.result], p.out, p.inputs(r))
}

// backward returns the gradients of the inputs, nil where none is wanted.
func (p *program) backward(r *record, cotangent *tensor.Tensor) ([]*tensor.Tensor, error) {
	grads := make([]*tensor.Tensor, len(p.in))
	if p.cotangent < 0 {
		return grads, nil
	}
	if p.latest != weak.Make(r) {
		if err := p.restore(r); err != nil {
			return nil, err
		}
	}
	g, err := toValue(cotangent)
	if err != nil {
		return nil, err
	}
	r.values[p.cotangent] = g
	if err := execute(p.back, r.values); err != nil {
		return nil, err
	}
	others := append([]gorgonia.Value{g, r.values[p.result]}, p.inputs(r)...)
	for i, slot := range p.grads {
		if slot < 0 {
			continue
		}
		v := r.values[slot]
		if grads[i], err = own(v, p.in[i], others); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		others = append(others, v)
	}
	return grads, nil
}

// restore runs the graph again for a record that is not the latest. Some
// operations keep what their gradient needs in themselves, such as a max-pool the
// places of its maxima, and another application has overwritten that. The record
// takes over the new values, which such operations may know by identity, unless
// something random came out differently: the result that was handed out is the
// old one.
func (p *program) restore(r *record) error {
	again, err := p.forward(p.inputs(r))
	if err != nil {
		return err
	}
	p.latest = weak.Make(r)
	same, err := sameBits(again.values[p.result], r.values[p.result])
	if same {
		r.values = again.values
	}
	return err
}

func sameBits(a, b gorgonia.Value) (bool, error) {
	x, err := toTensor(a)
	if err != nil {
		return false, err
	}
	y, err := toTensor(b)
	if err != nil {
		return false, err
	}
	return slices.EqualFunc(x.Float64s(), y.Float64s(), func(v, w float64) bool {
		return math.Float64bits(v) == math.Float64bits(w)
	}), nil
}

// execute runs steps.
func execute(steps []step, values []gorgonia.Value) error {
	for _, s := range steps {
		operands := make([]gorgonia.Value, len(s.from))
		for i, slot := range s.from {
			operands[i] = values[slot]
		}
		v, err := guarded(func() (gorgonia.Value, error) { return s.op.Do(operands...) })
		if err != nil {
			return fmt.Errorf("%v: %w", s.op, err)
		}
		values[s.to] = v
	}
	return nil
}

// setTraining switches the operations that have modes.
func (p *program) setTraining(on bool) error {
	for _, s := range p.steps {
		op, ok := s.op.(gorgonia.TrainModeOp)
		if !ok {
			continue
		}
		if err := op.SetTraining(on); err != nil {
			return fmt.Errorf("%v: %w", s.op, err)
		}
	}
	return nil
}
