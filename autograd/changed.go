// Changes of values that a backward pass would read: what notices them.

package autograd

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor"
)

// A Moment is a time on the tape's clock, which goes on with every change of a value that it
// is told of.
type Moment uint64

var clock atomic.Uint64

// Now returns the time.
func Now() Moment { return 1 + Moment(clock.Load()) } // 0 is before all

// MarkChanged tells the tape that the value of a leaf was written to in place. Gradients of
// operations before that which need the value as it was are lost: a backward pass that comes
// to one panics with *[Error] naming it, where it would compute with the new value and be
// wrong. Optimisers, SetTensor, MoveTo and ConvertTo do so; whoever writes to what [Var.Tensor]
// has returned is to.
func (v *Var) MarkChanged() {
	const op = "MarkChanged"
	v.check(op)
	leaf := v.trained()
	switch {
	case leaf != nil:
	case v.node != nil:
		misuse(op, "v is a result of "+v.node.name()+"; only leaves can be changed", v.Shape())
	default:
		leaf = v
	}
	leaf.changed = 1 + Moment(clock.Add(1))
}

// ChangedSince reports whether the value was changed after a moment, or that of the leaf
// whose memory it lies in. It is for operations from outside the op table, whose backward
// functions read operands: see [Custom].
func (v *Var) ChangedSince(m Moment) bool {
	v.there("ChangedSince")
	return v.changed > m || v.lender != nil && v.lender.changed > m
}

// read returns the value of an operand to a rule that looks at it.
func (v *Var) read() *tensor.Tensor {
	if v.stale != nil {
		v.refuse()
	}
	return v.value
}

// refuse panics because a rule reads what stands for an operand that has changed.
func (v *Var) refuse() {
	n := v.stale
	n.refuse(slices.IndexFunc(n.inputs, func(in *Var) bool { return in.value == v.value && in.sparse == v.sparse }))
}

// lost reports whether the value that an operand had is no longer there.
func (n *node) lost(in *Var) bool {
	return in.ChangedSince(n.at) || in.value != nil && in.value.Freed()
}

// refuse panics because the gradient needs operand i as it was.
func (n *node) refuse(i int) {
	if v := n.inputs[i]; v.value != nil && v.value.Freed() {
		misuse(n.name(), fmt.Sprintf("operand %d has been freed before the backward pass", i))
	}
	misuse(n.name(), fmt.Sprintf("backward: operand %d was changed after the forward pass, by a step of an optimiser, say: go back through the graph before that, or compute it again", i), n.inputs[i].Shape())
}

// refuseChanged panics if an operand has changed, of an operation whose gradient needs all.
func (n *node) refuseChanged() {
	for i, in := range n.inputs {
		if in.ChangedSince(n.at) {
			n.refuse(i)
		}
	}
}

// refuseChanged panics if an operation of a function that is called again has an operand that
// is trained, and was changed since the first call.
func (r *region) refuseChanged(op string, operands []*Var) {
	if r.since == 0 {
		return
	}
	for i, v := range operands {
		if leaf := v.trained(); leaf != nil && leaf.changed > r.since {
			misuse(op, fmt.Sprintf("operand %d was changed between the calls of a function of Checkpoint, by a step of an optimiser, say", i), v.Shape())
		}
	}
}
