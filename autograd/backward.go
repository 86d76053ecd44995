// The backward pass: reverse topological order, one visit a node.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// A BackwardOption changes a backward pass.
type BackwardOption func(*backwardConfig)

type backwardConfig struct{ retain bool }

// RetainGraph keeps what the operations saved, so that another backward pass may
// run over the same graph. Without it the graph is freed as the pass goes.
func RetainGraph() BackwardOption { return func(c *backwardConfig) { c.retain = true } }

// Backward adds d v / d leaf to the gradient of every leaf that v was computed
// from and that requires one. v must have exactly one element; for others see
// [Var.BackwardWith].
//
// It panics with *[Error] if v does not require a gradient or its graph was
// freed by an earlier pass.
func (v *Var) Backward(opts ...BackwardOption) {
	v.check("Backward")
	if v.sparse == nil && v.value.Size() != 1 {
		misuse("Backward", "needs a result of one element; give a cotangent to BackwardWith", v.Shape())
	}
	v.checkBackward()
	backward(v, tensor.Full(v.DType(), 1, v.Shape()...), opts)
}

// BackwardWith is Backward for results of any shape: it adds the vector-Jacobian
// product cotangent · dv/dleaf. The cotangent has v's shape and dtype; it is
// only read.
func (v *Var) BackwardWith(cotangent *tensor.Tensor, opts ...BackwardOption) {
	v.check("BackwardWith")
	v.checkBackward()
	if cotangent == nil {
		misuse("BackwardWith", "the cotangent is nil")
	}
	if !cotangent.Shape().Equal(v.Shape()) {
		misuse("Backward", "the cotangent has another shape than the result", cotangent.Shape(), v.Shape())
	}
	if cotangent.DType() != v.DType() {
		misuse("Backward", fmt.Sprintf("the cotangent is %v, the result %v", cotangent.DType(), v.DType()))
	}
	backward(v, cotangent, opts)
}

func (v *Var) checkBackward() {
	if !v.requires {
		misuse("Backward", "the result does not require a gradient: no input of it was a Variable or Parameter", v.Shape())
	}
}

// backward runs the gradient rules in reverse topological order. Recording is
// off: rules see detached inputs, so what they compute leaves no nodes.
func backward(v *Var, cotangent *tensor.Tensor, opts []BackwardOption) {
	var cfg backwardConfig
	for _, o := range opts {
		o(&cfg)
	}
	if v.node == nil {
		v.accumulate(cotangent)
		return
	}
	order := postorder(v.node)
	sums := make(map[*node][]sum, len(order))
	for _, n := range order {
		if n.freed {
			misuse("Backward", "the graph was already freed by an earlier backward pass (at "+n.name()+"); pass RetainGraph() to that one")
		}
		sums[n] = make([]sum, n.outputs())
	}
	sums[v.node][v.output].add(cotangent)
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		grads := n.inputGrads(sums[n])
		for j, g := range grads {
			in := n.inputs[j]
			switch {
			case g == nil || !in.requires:
			case in.node == nil:
				in.accumulate(g)
			default:
				sums[in.node][in.output].add(g)
			}
		}
		delete(sums, n)
		if !cfg.retain {
			n.free()
		}
	}
}

// postorder lists the nodes reachable from root, inputs before users, in an
// order that follows from the graph alone. It is iterative: a long recurrence
// must not exhaust the stack.
func postorder(root *node) []*node {
	type frame struct {
		n    *node
		next int // next input to look at
	}
	var order []*node
	seen := map[*node]bool{root: true}
	stack := []frame{{n: root}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.n.inputs) {
			order = append(order, top.n)
			stack = stack[:len(stack)-1]
			continue
		}
		in := top.n.inputs[top.next]
		top.next++
		if in.requires && in.node != nil && !seen[in.node] {
			seen[in.node] = true
			stack = append(stack, frame{n: in.node})
		}
	}
	return order
}

// sum is the gradient gathered so far for one result. The first contribution is
// only borrowed, because a rule may hand the same tensor to several inputs.
type sum struct {
	total *tensor.Tensor
	owned bool
}

func (s *sum) add(g *tensor.Tensor) {
	switch {
	case s.total == nil:
		s.total = g
	case s.owned:
		tensor.AddInto(s.total, g)
	default:
		s.total, s.owned = tensor.Add(s.total, g), true
	}
}

// accumulate adds g to the gradient of a leaf, which owns its tensor.
func (v *Var) accumulate(g *tensor.Tensor) {
	if v.grad == nil {
		v.grad = g.Clone()
		return
	}
	tensor.AddInto(v.grad, g)
}

// inputGrads applies the node's gradient rule: one gradient per input, nil where
// none flows.
func (n *node) inputGrads(outs []sum) []*tensor.Tensor {
	grads := make([]*tensor.Tensor, len(outs))
	arrived := false
	for i := range outs {
		grads[i] = outs[i].total
		arrived = arrived || grads[i] != nil
	}
	if !arrived { // no gradient reached this node: nothing flows on
		return nil
	}
	if n.custom != nil {
		return n.custom.inputGrads(n.inputs, grads)
	}
	c := &context{attrs: n.attrs, in: make([]*Var, len(n.inputs)), out: Constant(n.out)}
	for i, in := range n.inputs {
		c.in[i] = in.Detach()
	}
	g := Constant(grads[0])
	gs := make([]*tensor.Tensor, len(n.inputs))
	for i, in := range n.inputs {
		if !in.requires {
			continue
		}
		d := table[n.op].grad(c, g, i)
		if d == nil {
			continue
		}
		if !d.Shape().Equal(in.Shape()) {
			panic(fmt.Sprintf("BUG: autograd: gradient rule of %s: input %d has shape %v, its gradient %v", n.name(), i, in.Shape(), d.Shape()))
		}
		gs[i] = d.value
	}
	return gs
}

// context is what a gradient rule sees of its operation.
type context struct {
	attrs
	in  []*Var // inputs, detached
	out *Var   // result, detached
}
