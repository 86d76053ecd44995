// Checkpointing: compute again instead of keeping.

package autograd

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor"
)

// Checkpoint returns f(xs...) without keeping what f computes on the way; the
// backward pass calls f again and goes back through that. Memory for
// intermediate results is traded for a second forward computation (Chen et al.
// 2016, "Training deep nets with sublinear memory cost").
//
// f must compute the same again: a random mask inside must come from a seed that
// f itself fixes (nn.Checkpoint does so for modules). Besides the xs it may use
// parameters and other leaves, whose gradients arrive as usual, but no results of
// recorded operations: those are to be among the xs. The first call runs under
// [NoGrad], so f may register hooks only where RequiresGrad says so. Under [CreateGraph]
// what the second call computes is kept, like everything else.
func Checkpoint(f func(xs ...*Var) *Var, xs ...*Var) *Var {
	const op = "Checkpoint"
	for _, x := range xs {
		x.check(op)
	}
	wantThere(op, "the function", f != nil)
	requires, reg := inherited(xs)
	if reg != nil && (reg.noGrad || reg.pass != nil) {
		return f(xs...)
	}
	met := new(atomic.Bool)
	once := make([]*Var, len(xs))
	for i, x := range xs {
		once[i] = &Var{value: x.value, sparse: x.sparse, region: reg.join(&region{noGrad: true, met: met}), lender: x.trained()}
	}
	y := f(once...)
	t := y.dense(op)
	// y requires a gradient itself if f computes it from captured leaves alone.
	if !requires && !met.Load() && !y.requires || !t.DType().IsFloat() {
		return &Var{value: t, region: reg, lender: y.trained()}
	}
	c := &custom{name: op, redo: oneResult(f), shapes: []tensor.Shape{t.Shape().Clone()}, dtypes: []tensor.DType{t.DType()}}
	c.rerun = func(p *pass, n *node) { p.rerun(f, n, reg) }
	n := &node{op: opCustom, inputs: append([]*Var(nil), xs...), custom: c, at: Now()}
	if reg != nil && reg.anomaly {
		n.where = caller()
	}
	return &Var{value: t, node: n, requires: true, region: reg, lender: y.trained()}
}

// rerun calls f on leaves that stand for the inputs of a Checkpoint and sends its
// gradient back through what f computed.
func (p *pass) rerun(f func(xs ...*Var) *Var, n *node, reg *region) {
	leaves, reg := make([]*Var, len(n.inputs)), reg.join(&region{since: n.at})
	for i, in := range n.inputs {
		leaves[i] = &Var{value: in.value, sparse: in.sparse, region: reg, requires: p.wants(in), lender: in.trained()}
	}
	y := f(leaves...)
	n.custom.wantAgain(y)
	if !y.requires {
		return
	}
	inner := newPass(n.custom.name, nil)
	inner.outer, inner.standIns, inner.targets, inner.cotangent = p, leaves, p.targets, p.cotangent
	if p.targets != nil {
		for _, l := range leaves {
			if l.requires {
				p.targets[targetOf(l)] = nil
			}
		}
	}
	inner.run(y, n.pending)
	for i, in := range n.inputs {
		if d := p.adopt(leaves[i], n.pending); d != nil {
			p.deliver(in, d)
		}
	}
}

// oneResult returns f as a function of several results.
func oneResult(f func(xs ...*Var) *Var) func(xs ...*Var) []*Var {
	return func(xs ...*Var) []*Var { return []*Var{f(xs...)} }
}

// wantAgain panics unless ys have the shapes that the operation's results had.
func (c *custom) wantAgain(ys ...*Var) {
	if len(ys) != len(c.shapes) {
		misuse(c.name, fmt.Sprintf("the function gives %d results, the operation %d", len(ys), len(c.shapes)))
	}
	for k, y := range ys {
		if !y.Shape().Equal(c.shapes[k]) {
			misuse(c.name, "the function gives another shape the second time", c.shapes[k], y.Shape())
		}
	}
}

// redo records what an operation computes, which it did not when it was run, in a pass that makes
// a graph, and goes on through that: the pass has met everything before it.
func (p *pass) redo(n *node) {
	c := n.custom
	ys := c.redo(n.inputs...)
	c.wantAgain(ys...)
	seen := map[*node]bool{}
	for stack := slices.Clone(ys); len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case !v.requires || v.node == nil || seen[v.node]:
		case v.node.mark != p.mark:
			seen[v.node] = true
			stack = append(stack, v.node.inputs...)
		case !slices.ContainsFunc(n.inputs, func(in *Var) bool { return targetOf(in) == targetOf(v) }):
			misuse(c.name, "the function uses a result of "+v.node.name()+" that is not among its inputs", v.Shape())
		}
	}
	var results, grads []*Var
	for k, y := range ys {
		switch g := *n.slot(k); {
		case !y.requires || g == nil:
		case y.node == nil || y.node.mark == p.mark: // an input itself
			p.deliver(y, g)
		default:
			results, grads = append(results, y), append(grads, g)
		}
	}
	p.walk(results, grads)
}

// adopt takes the gradient of a stand-in over from the pass that went back
// through a checkpoint, with its memory if nothing else uses that.
func (p *pass) adopt(l, cotangent *Var) *Var {
	if p.targets == nil {
		g := l.grad
		l.grad = nil
		switch {
		case g == nil:
			return nil
		case l.gradShown.Load():
			return &Var{value: g, region: &p.region}
		}
		return p.temporary(g)
	}
	g := p.targets[targetOf(l)]
	delete(p.targets, targetOf(l))
	switch {
	case g == nil:
		return nil
	case g.root == g && g.holders == 1:
		g.root = nil
		return p.temporary(g.value)
	}
	d := &Var{value: g.value, region: &p.region}
	if tensor.SharesMemory(g.value, cotangent.value) { // which p holds
		d.root = cotangent.root
		p.drop(g)
	}
	return d
}
