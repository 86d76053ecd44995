// What a gradient rule sees.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// context is what a gradient rule sees of its operation. Unless the pass creates
// a graph, inputs and result belong to the pass.
type context struct {
	attrs
	in   []*Var // inputs
	out  *Var   // result
	pass *pass

	shared *Var // what the rules of several inputs have in common, once computed

	vars [4]Var // what in and out point to, if they fit
	few  [3]*Var
}

// contextOf returns the context of a node's rule; the next call overwrites it.
func (p *pass) contextOf(n *node) *context {
	c := &p.context
	*c = context{attrs: n.attrs, pass: p}
	if p.create {
		c.in, c.out = append(c.few[:0], n.inputs...), &Var{value: n.out, node: n, requires: true}
		for i, in := range c.in {
			if n.lost(in) { // and so never becomes an operand
				c.in[i] = &Var{value: in.value, sparse: in.sparse, stale: n}
			}
		}
		return c
	}
	c.vars[0] = Var{value: n.out, region: &p.region}
	c.out = &c.vars[0]
	c.in = c.few[:0]
	for i, in := range n.inputs {
		var w *Var
		if i < len(c.few) {
			w = &c.vars[1+i]
		} else {
			w = new(Var)
		}
		*w = Var{value: in.value, sparse: in.sparse, region: &p.region}
		if n.lost(in) {
			w.stale = n
		}
		c.in = append(c.in, w)
	}
	return c
}

// constant returns a tensor that a rule made as an operand without a gradient.
func (c *context) constant(t *tensor.Tensor) *Var {
	if c.pass.create {
		return Constant(t)
	}
	return c.pass.temporary(t)
}

// fused reports whether a rule may compute its gradient in one pass over memory:
// nobody wants the operations it is made of.
func (c *context) fused() bool { return !c.pass.create }
