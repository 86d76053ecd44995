// A backward pass: reverse topological order, one visit a node.

package autograd

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor"
)

// A pass runs gradient rules over a graph. Unless it creates a graph itself, the
// rules see operands that belong to the pass (see region), so that nothing they
// compute is recorded, and the pass knows every tensor they make: it gives each
// back to the pool of buffers as soon as no gradient under way uses it.
type pass struct {
	retain, create bool
	targets        map[target]*Var // what Grad looks for; nil: the gradients of leaves
	cotangent      *tensor.Tensor  // the caller's, only read: it may be a gradient that this pass adds to
	outer          *pass           // the pass that a Checkpoint is visited by
	standIns       []*Var          // for the inputs of the Checkpoint
	region         region
	mark           uint64
	at             *node   // the node at work, or the last one that was
	temps          []*Var  // results of its rules
	context        context // of its rules
	anomaly        bool    // some node was in a region of DetectAnomaly

	// Leaves with hooks, and their gradients so far: hooks see the sum only.
	hooked   []*Var
	gathered map[*Var]*Var
}

// A target is a Var whose gradient Grad returns: a leaf, or a result of a node.
type target struct {
	leaf   *Var
	node   *node
	output int
}

func targetOf(v *Var) target {
	if v.node != nil {
		return target{node: v.node, output: v.output}
	}
	return target{leaf: v}
}

var passes atomic.Uint64

func newPass(op string, opts []BackwardOption) *pass {
	p := &pass{mark: passes.Add(1)}
	for i, o := range opts {
		wantOption(op, i, o != nil)
		o(p)
	}
	p.region.pass = p
	return p
}

// run sends the cotangent g of v back through the graph. It may be a gradient of another
// pass, the one that a Checkpoint is visited by: that one's memory then.
func (p *pass) run(v, g *Var) {
	if !p.create {
		g = &Var{value: g.value, region: &p.region, root: g.root}
	}
	if v.node == nil {
		p.deliver(v, g)
	} else {
		if v.node.where != "" && p.outer == nil {
			checkCotangentNaN(g)
		}
		p.walk([]*Var{v}, []*Var{g})
	}
	p.at = nil
	for _, leaf := range p.hooked {
		sum := p.gathered[leaf]
		g := p.applyHooks(leaf.hooks, 0, sum)
		if p.anomaly {
			checkHook(leaf, sum, g)
		}
		p.replace(&sum, g)
		p.arrive(leaf, sum)
		p.drop(sum)
	}
}

// walk visits the nodes behind results of operations, with their gradients.
func (p *pass) walk(results, grads []*Var) {
	order := p.postorder(results)
	for _, n := range order {
		if n.freed {
			misuse("Backward", "the graph was already freed by an earlier backward pass (at "+n.name()+"); pass RetainGraph() to that one")
		}
		n.pending = nil
		if n.custom != nil {
			n.others = make([]*Var, len(n.custom.shapes)-1)
		}
	}
	for k, v := range results {
		p.deposit(v.node.slot(v.output), grads[k])
	}
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		p.visit(n)
		n.pending, n.others = nil, nil
		if !p.retain {
			n.free()
		}
	}
}

// postorder lists the nodes reachable from results, inputs before users, in an
// order that follows from the graph alone. It is iterative: a long recurrence
// must not exhaust the stack.
func (p *pass) postorder(results []*Var) []*node {
	var order []*node
	for _, v := range results {
		if v.node.mark != p.mark {
			order = p.postorderOf(v.node, order)
		}
	}
	return order
}

// postorderOf appends the nodes reachable from root that are not marked yet.
func (p *pass) postorderOf(root *node, order []*node) []*node {
	type frame struct {
		n    *node
		next int // next input to look at
	}
	root.mark = p.mark
	stack := []frame{{n: root}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.n.inputs) {
			top.n.needed = p.isNeeded(top.n)
			order = append(order, top.n)
			stack = stack[:len(stack)-1]
			continue
		}
		in := top.n.inputs[top.next]
		top.next++
		if in.requires && in.node != nil && in.node.mark != p.mark {
			for o := p.outer; o != nil; o = o.outer {
				if in.node.mark == o.mark {
					misuse("Checkpoint", "the function uses a result of "+in.node.name()+" that is not among its inputs", in.Shape())
				}
			}
			in.node.mark = p.mark
			stack = append(stack, frame{n: in.node})
		}
	}
	return order
}

// isNeeded reports whether a gradient that the pass looks for lies behind n.
func (p *pass) isNeeded(n *node) bool {
	for _, in := range n.inputs {
		if p.wants(in) {
			return true
		}
	}
	return n.custom != nil && n.custom.rerun != nil // what it captured is not known
}

// wants reports whether the pass needs the gradient of an operand, whose node
// comes earlier in the order.
func (p *pass) wants(in *Var) bool {
	switch {
	case !in.requires:
		return false
	case p.targets == nil:
		return true
	}
	_, is := p.targets[targetOf(in)]
	return is || in.node != nil && in.node.needed
}

// visit sends the gradients of a node's results on to its operands.
func (p *pass) visit(n *node) {
	p.at = n
	p.anomaly = p.anomaly || n.where != ""
	arrived := false
	for k := range 1 + len(n.others) {
		g := *n.slot(k)
		if g == nil {
			continue
		}
		if n.where != "" {
			checkGathered(n, k, g, "arose in the sum over its uses")
		}
		if len(n.hooks) > 0 {
			g = p.own(p.applyHooks(n.hooks, k, g))
			p.replace(n.slot(k), g)
			if n.where != "" {
				checkGathered(n, k, g, "a hook returned")
			}
		}
		if _, is := p.targets[target{node: n, output: k}]; is {
			p.hold(g)
			p.targets[target{node: n, output: k}] = g
		}
		arrived = true
	}
	if !arrived {
		return
	}
	start := len(p.temps)
	if n.needed {
		if n.custom != nil {
			p.visitCustom(n)
		} else {
			p.visitOp(n)
		}
	}
	for k := range 1 + len(n.others) {
		p.drop(*n.slot(k))
	}
	for _, t := range p.temps[start:] {
		t.freeUnlessHeld()
	}
	clear(p.temps[start:])
	p.temps = p.temps[:start]
}

func (p *pass) visitOp(n *node) {
	c := p.contextOf(n)
	if n.op == opEmbedding && n.lost(n.inputs[1]) { // attrs.rows may be in its memory
		n.refuse(1)
	}
	for i, in := range n.inputs {
		if !p.wants(in) {
			continue
		}
		if in.value != nil && in.value.Freed() {
			n.refuse(i)
		}
		if (n.op == opSlice || n.op == opIndexSelect || n.op == opEmbedding) && p.addPart(n, in) {
			continue
		}
		unshared := c.shared == nil
		d := table[n.op].grad(c, n.pending, i)
		if unshared && c.shared != nil {
			p.hold(c.shared) // for the rules of the other inputs, whoever gets d
			defer p.drop(c.shared)
		}
		if d == nil {
			continue
		}
		if !d.Shape().Equal(in.Shape()) {
			panic(fmt.Sprintf("BUG: autograd: gradient rule of %s: input %d has shape %v, its gradient %v", n.name(), i, in.Shape(), d.Shape()))
		}
		if n.where != "" {
			checkBackward(n, d.dense(n.name()), i)
		}
		p.deliver(in, d)
	}
}

// addPart adds the gradient of a Slice, an IndexSelect or an Embedding to that of its operand
// where the part is in it, if there is one that may be written to: else every slice of a
// recurrence's many, and every look-up in a table, would fill and add a tensor of the whole's size.
func (p *pass) addPart(n *node, in *Var) bool {
	if p.create || n.where != "" || n.attrs.onDevice {
		return false
	}
	var gathered *Var
	var sum *tensor.Tensor
	switch {
	case in.node != nil:
		gathered = *in.node.slot(in.output)
	case len(in.hooks) > 0:
		gathered = p.gathered[in]
	case p.targets != nil:
		gathered = p.targets[targetOf(in)]
	case in.grad != nil && p.mayWrite(in):
		sum = in.grad
	}
	if gathered != nil && gathered.isAlone() {
		sum = gathered.value
	}
	if sum == nil || !sum.IsContiguous() {
		return false
	}
	if n.op != opSlice {
		g, rows := n.attrs.withoutPadding(n.pending)
		tensor.ScatterAddRowsInto(sum, g.dense(n.name()), rows)
		return true
	}
	g := n.pending.dense(n.name())
	axis, from := n.attrs.axis, n.attrs.from
	tensor.AddInto(sum.Narrow(axis, from, from+g.Shape()[axis]), g)
	return true
}

// deliver hands a contribution to the gradient of an operand over: to the node
// it is a result of, or to the leaf.
func (p *pass) deliver(in, d *Var) {
	d = p.own(d)
	if in.node != nil {
		p.deposit(in.node.slot(in.output), d)
		return
	}
	if len(in.hooks) > 0 {
		p.gather(in, d)
		return
	}
	p.arrive(in, d)
}

// gather adds to the gradient that the hooks of a leaf will see.
func (p *pass) gather(leaf, d *Var) {
	if p.outer != nil && !slices.Contains(p.standIns, leaf) {
		p.outer.gather(leaf, d)
		return
	}
	sum := p.gathered[leaf]
	if sum == nil {
		if p.gathered == nil {
			p.gathered = map[*Var]*Var{}
		}
		p.hooked = append(p.hooked, leaf)
	}
	p.deposit(&sum, d)
	p.gathered[leaf] = sum
	p.checkSum(leaf, sum.value)
}

// arrive adds d to the gradient of a leaf.
func (p *pass) arrive(in, d *Var) {
	if p.targets != nil {
		t := targetOf(in)
		if sum, is := p.targets[t]; is {
			p.deposit(&sum, d)
			p.targets[t] = sum
			p.checkSum(in, sum.value)
		}
		return
	}
	switch {
	case in.grad != nil:
		p.addTo(in, d.value)
		p.checkSum(in, in.grad)
	case d.root == d && d.holders == 0 && d.value.IsContiguous():
		in.grad, d.root = d.value, nil // the leaf takes over what nobody else uses
	default:
		in.grad = d.value.Clone()
	}
}

// addTo adds d to the gradient of a leaf, or to one that is retained: in place, unless the
// gradient was shown, as a graph may be over it that is still to be gone back through.
func (p *pass) addTo(v *Var, d *tensor.Tensor) {
	if !p.mayWrite(v) {
		v.grad = tensor.Add(v.grad, d)
		v.gradShown.Store(false)
		return
	}
	tensor.AddInto(v.grad, d)
}

// mayWrite reports whether the gradient of a leaf, or a retained one, can be added to in place.
func (p *pass) mayWrite(v *Var) bool {
	return !v.gradShown.Load() && (p.cotangent == nil || !tensor.SharesMemory(v.grad, p.cotangent))
}

// own returns d as a Var of the pass: a rule may return an operand of its own,
// which is overwritten for the next node, and a hook what it likes.
func (p *pass) own(d *Var) *Var {
	if p.create || d.root != nil {
		return d
	}
	return &Var{value: d.value, region: &p.region}
}

// deposit adds d to the gradient gathered in a slot. The first contribution is
// only borrowed, because a rule may hand the same tensor to several operands.
func (p *pass) deposit(slot **Var, d *Var) {
	sum := *slot
	switch {
	case sum == nil:
		p.hold(d)
		*slot = d
	case p.create:
		*slot = sum.Add(d)
	case sum.isAlone() && sum.value.IsContiguous() && (d.value == sum.value || !tensor.SharesMemory(d.value, sum.value)):
		tensor.AddInto(sum.value, d.value)
	default:
		total := p.temporary(tensor.Add(sum.value, d.value))
		p.hold(total)
		p.drop(sum)
		*slot = total
	}
}

// isAlone reports whether the memory of what a slot holds is the pass's, and nothing else of
// it uses that.
func (v *Var) isAlone() bool { return v.root == v && v.holders == 1 }

// replace puts g in the place of the gradient in a slot.
func (p *pass) replace(slot **Var, g *Var) {
	if old := *slot; old != g {
		p.hold(g)
		p.drop(old)
		*slot = g
	}
}

// temporary returns a result of a gradient rule. It belongs to the pass unless
// it is a view of an operand, which then is what must stay.
func (p *pass) temporary(out *tensor.Tensor, operands ...*Var) *Var {
	v := &Var{value: out, region: &p.region}
	v.root = v
	for _, in := range operands {
		if in.value != nil && tensor.SharesMemory(in.value, out) {
			v.root = in.root
		}
	}
	if v.root == v {
		p.temps = append(p.temps, v)
	}
	return v
}

// hold keeps the memory of g until drop.
func (p *pass) hold(g *Var) {
	if g.root != nil {
		g.root.holders++
	}
}

func (p *pass) drop(g *Var) {
	if g != nil && g.root != nil {
		g.root.holders--
		g.root.freeUnlessHeld()
	}
}

// freeUnlessHeld gives the memory of a temporary back for reuse.
func (v *Var) freeUnlessHeld() {
	if v.root == v && v.holders == 0 {
		v.root = nil
		v.value.Free()
	}
}
