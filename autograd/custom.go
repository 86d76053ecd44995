// Operations from outside the table.

package autograd

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// custom is what a node of Custom holds instead of a row of the table.
type custom struct {
	name     string
	shapes   []tensor.Shape // of the outputs
	dtypes   []tensor.DType
	backward func(grads []*tensor.Tensor) []*tensor.Tensor
	vars     varsFunc                // backward in operations of the tape, or nil; without backward, always
	rerun    func(p *pass, n *node)  // of Checkpoint, instead of backward
	redo     func(xs ...*Var) []*Var // what the operation computes, in operations of the tape; nil if it has none
	fresh    bool                    // what backward returns is held by nobody else
	owns     bool                    // nor are the outputs
	saved    []*tensor.Tensor        // of backward alone
}

// varsFunc is a backward function of operations of the tape. wanted tells which of the inputs'
// gradients are looked at.
type varsFunc func(grads []*Var, wanted []bool) []*Var

// Custom records an operation from outside the op table, such as a compiled
// vertex-centric program: outputs were computed from inputs, and backward gives
// the gradients of the inputs.
//
// backward gets one gradient per output, nil where none arrived, and returns one
// per input, nil where there is none (inputs that do not require a gradient are
// ignored). It must not keep or write its arguments. It runs once per backward
// pass and is released afterwards, so tensors it captures live no longer than
// the graph. Which inputs it reads is not known: that none of them was changed since the
// forward pass is for it to ask, by [Var.ChangedSince].
//
// Under [CreateGraph] the gradients are results that panic with *[Error] when they
// are differentiated in turn: how they depend on the inputs is not known. [CustomVars] is
// for operations that are differentiated more than once.
//
// Misuse, that is a gradient of another shape or dtype than its input, panics
// with *[Error] naming the operation.
func Custom(name string, inputs []*Var, outputs []*tensor.Tensor, backward func(grads []*tensor.Tensor) []*tensor.Tensor) []*Var {
	return recordCustom(&custom{name: name, backward: backward}, inputs, outputs)
}

// CustomFresh is [Custom] for a backward function that makes every gradient anew:
// nothing else holds the tensors it returns, and none is a view. The tape adds to
// them and reuses their memory instead of copying what it has to keep.
func CustomFresh(name string, inputs []*Var, outputs []*tensor.Tensor, backward func(grads []*tensor.Tensor) []*tensor.Tensor) []*Var {
	return recordCustom(&custom{name: name, backward: backward, fresh: true}, inputs, outputs)
}

// CustomVars is [Custom] for a backward function made of operations of the tape, which under
// [CreateGraph] are recorded: then its gradients can be differentiated in turn, with respect
// to what backward was given and to the inputs that it uses.
//
//	cube := autograd.CustomVars("Cube", []*autograd.Var{x}, []*tensor.Tensor{tensor.Pow(x.Tensor(), 3)},
//		func(grads []*autograd.Var) []*autograd.Var {
//			return []*autograd.Var{grads[0].Mul(x.Square()).Scale(3)}
//		})[0]
func CustomVars(name string, inputs []*Var, outputs []*tensor.Tensor, backward func(grads []*Var) []*Var) []*Var {
	c := custom{name: name}
	if backward != nil {
		c.vars = func(grads []*Var, _ []bool) []*Var { return backward(grads) }
	}
	return recordCustom(&c, inputs, outputs)
}

// CustomSaving is [CustomFresh] for an operation that saves tensors which backward
// needs and nobody else holds. The tape frees them (see tensor.Tensor.Free) when a
// backward pass has released the operation, or at once if there will be none. Nobody else holds
// the outputs either: a [Scope] gives them back like other results (see [Var.Operand]). Under
// [CreateGraph], again does what backward of [CustomVars] does, of those inputs whose gradient
// is wanted; nil says that it is not known.
func CustomSaving(name string, inputs []*Var, outputs, saved []*tensor.Tensor,
	backward func(grads []*tensor.Tensor) []*tensor.Tensor, again func(grads []*Var, wanted []bool) []*Var) []*Var {
	return recordCustom(&custom{name: name, backward: backward, vars: again, fresh: true, owns: true, saved: saved}, inputs, outputs)
}

// CustomFused is [CustomSaving] for an operation that could be written in operations of the
// tape, as f, but has a faster way: the outputs are those of f(inputs...), and backward gives
// the gradients. Under [CreateGraph] f is called, and gradients flow through what it records. As
// f may read all inputs, a backward pass panics with *[Error] if one was changed since; nothing
// else that requires a gradient may be used by f.
func CustomFused(name string, f func(xs ...*Var) []*Var, inputs []*Var, outputs, saved []*tensor.Tensor,
	backward func(grads []*tensor.Tensor) []*tensor.Tensor) []*Var {
	wantThere(name, "the function", f != nil)
	return recordCustom(&custom{name: name, backward: backward, redo: f, fresh: true, owns: true, saved: saved}, inputs, outputs)
}

// release frees what the operation saved.
func (c *custom) release() {
	for _, t := range c.saved {
		t.Free()
	}
	c.saved = nil
}

// recordCustom makes the results of a custom operation, and keeps a copy of c if they want gradients.
func recordCustom(c *custom, inputs []*Var, outputs []*tensor.Tensor) []*Var {
	name := c.name
	for _, in := range inputs {
		in.check(name)
	}
	for i, t := range outputs {
		if t == nil {
			misuse(name, fmt.Sprintf("output %d is nil", i))
		}
	}
	requires, reg := inherited(inputs)
	if reg != nil && reg.anomaly {
		for _, t := range outputs {
			checkForward(name, t, inputs)
		}
	}
	if reg != nil {
		reg.refuseChanged(name, inputs)
		requires = reg.records(requires)
		for i, t := range outputs {
			if reg.scope != nil && reg.pass == nil && c.ownsAlone(outputs, i) {
				reg.scope.add(t, inputs)
			}
		}
	}
	lender := func(out *tensor.Tensor) (leaf *Var) {
		for _, in := range inputs {
			if leaf == nil {
				leaf = in.lends(out)
			}
		}
		return leaf
	}
	if !requires {
		c.release()
		if len(outputs) == 1 && (reg == nil || reg.pass == nil) { // result and list are one object
			r := &struct {
				v    Var
				list [1]*Var
			}{v: Var{value: outputs[0], region: reg, lender: lender(outputs[0])}}
			r.list[0] = &r.v
			return r.list[:]
		}
		vs := make([]*Var, len(outputs))
		for i, t := range outputs {
			if reg != nil && reg.pass != nil && c.ownsAlone(outputs, i) {
				vs[i] = reg.pass.temporary(t, inputs...)
			} else {
				vs[i] = &Var{value: t, region: reg, lender: lender(t)}
			}
		}
		return vs
	}
	vs, kept := make([]*Var, len(outputs)), *c
	for _, t := range outputs {
		kept.shapes = append(kept.shapes, t.Shape().Clone())
		kept.dtypes = append(kept.dtypes, t.DType())
	}
	n := &node{op: opCustom, inputs: append([]*Var(nil), inputs...), custom: &kept, at: Now()}
	if reg != nil && reg.anomaly {
		n.where = caller()
	}
	for i, t := range outputs {
		isFloat := t.DType() == tensor.Float32 || t.DType() == tensor.Float64
		vs[i] = &Var{value: t, region: reg, lender: lender(t)}
		if isFloat {
			wantThere(name, "the backward function", c.backward != nil || c.vars != nil)
			vs[i].node, vs[i].output, vs[i].requires = n, i, true
		}
	}
	return vs
}

// ownsAlone tells whether an output has memory that nobody else holds, nor another output.
func (c *custom) ownsAlone(outputs []*tensor.Tensor, i int) bool {
	for k, t := range outputs {
		if k != i && c.owns && tensor.SharesMemory(t, outputs[i]) {
			return false
		}
	}
	return c.owns
}

// inputGrads runs the backward function and checks what it returns.
func (c *custom) inputGrads(inputs []*Var, grads []*tensor.Tensor) []*tensor.Tensor {
	gs := c.backward(grads)
	c.wantCount(len(gs), inputs)
	for i, in := range inputs {
		if in.requires && gs[i] != nil {
			c.wantLike(i, in, gs[i].Shape(), gs[i].DType())
		}
	}
	return gs
}

func (c *custom) wantCount(n int, inputs []*Var) {
	if n != len(inputs) {
		misuse(c.name, fmt.Sprintf("backward returned %d gradients for %d inputs", n, len(inputs)))
	}
}

// wantLike panics unless a gradient of an input has its shape and type.
func (c *custom) wantLike(i int, in *Var, shape tensor.Shape, dtype tensor.DType) {
	if !shape.Equal(in.Shape()) {
		misuse(c.name, fmt.Sprintf("backward: gradient of input %d has another shape than the input", i), shape, in.Shape())
	}
	if dtype != in.DType() {
		misuse(c.name, fmt.Sprintf("backward: gradient of input %d is %v, want %v", i, dtype, in.DType()))
	}
}

// visitCustom runs the backward function of a custom op and hands out what it
// returns.
func (p *pass) visitCustom(n *node) {
	if n.custom.redo != nil {
		n.refuseChanged()
	}
	switch {
	case p.create && n.custom.redo != nil:
		p.redo(n)
		return
	case n.custom.rerun != nil:
		n.custom.rerun(p, n)
		return
	}
	outs := make([]*Var, 1+len(n.others))
	for k := range outs {
		outs[k] = *n.slot(k)
	}
	if c := n.custom; c.vars != nil && (p.create || c.backward == nil) {
		p.visitVars(n, outs)
		return
	}
	grads := make([]*tensor.Tensor, len(outs))
	for k, g := range outs {
		if g != nil {
			grads[k] = g.dense(n.name())
		}
	}
	for i, t := range n.custom.inputGrads(n.inputs, grads) {
		in := n.inputs[i]
		if t == nil || !p.wants(in) {
			continue
		}
		if n.where != "" {
			checkBackward(n, t, i)
		}
		p.deliver(in, p.customGradient(n, t, outs))
	}
}

// visitVars runs a backward function made of operations.
func (p *pass) visitVars(n *node, outs []*Var) {
	c, wanted := n.custom, make([]bool, len(n.inputs))
	for i, in := range n.inputs {
		wanted[i] = p.wants(in)
	}
	gs := c.vars(outs, wanted)
	c.wantCount(len(gs), n.inputs)
	for _, d := range gs { // one temporary, or views of it, may be the gradient of several inputs
		if d != nil {
			p.hold(d)
		}
	}
	for i, d := range gs {
		in := n.inputs[i]
		if d != nil && d.root != nil {
			d.root.holders-- // the last input that gets the memory may take it over
		}
		if d == nil || !wanted[i] {
			continue
		}
		d.check(c.name)
		c.wantLike(i, in, d.Shape(), d.DType())
		if n.where != "" {
			checkBackward(n, d.dense(n.name()), i)
		}
		p.deliver(in, d)
	}
}

// customGradient returns a gradient that a backward function made. It may be a
// view of one that the function was given. Its own derivative is not known.
func (p *pass) customGradient(n *node, t *tensor.Tensor, outs []*Var) *Var {
	if p.create {
		inputs := slices.Clone(n.inputs)
		for _, g := range outs {
			if g != nil {
				inputs = append(inputs, g)
			}
		}
		return Custom(n.name(), inputs, []*tensor.Tensor{t}, func([]*tensor.Tensor) []*tensor.Tensor {
			misuse(n.name(), "a gradient of its gradient is asked for, which this operation does not define")
			return nil
		})[0]
	}
	if n.custom.fresh {
		return p.temporary(t)
	}
	d := &Var{value: t, region: &p.region}
	for _, g := range outs {
		if g != nil && tensor.SharesMemory(t, g.value) {
			d.root = g.root
		}
	}
	return d
}
