// Hooks: functions that see gradients on their way back.

package autograd

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// A hook belongs to one result of a node, or to a leaf.
type hook struct {
	output  int
	f       func(g *Var) *Var
	removed bool
	retain  *Var // of RetainGrad, instead of f: comes after the others
}

// RegisterHook makes backward passes call f with the gradient of v, once all
// contributions to it are added up and before it flows on (for a leaf: before it
// is added to Gradient). If f returns a Var, of the same shape and type, that
// replaces the gradient; nil leaves it. Hooks run in the order they were
// registered. f may keep g but must not write to it. The function returned
// removes the hook. v must require a gradient.
func (v *Var) RegisterHook(f func(g *Var) *Var) (remove func()) {
	v.check("RegisterHook")
	if !v.requires {
		misuse("RegisterHook", "v does not require a gradient", v.Shape())
	}
	if f == nil {
		misuse("RegisterHook", "the function is nil", v.Shape())
	}
	h := &hook{output: v.output, f: f}
	if v.node != nil {
		v.node.hooks = addHook(v.node.hooks, h)
	} else {
		v.hooks = addHook(v.hooks, h)
	}
	leaf := v
	if v.node != nil {
		leaf = nil // the node's hooks go with it
	}
	return func() {
		h.removed, h.f = true, nil
		if leaf != nil { // a list of its own: a pass may be reading the old one
			leaf.hooks = slices.DeleteFunc(slices.Clone(leaf.hooks), func(o *hook) bool { return o == h })
		}
	}
}

// addHook adds h before those of RetainGrad. A pass may be reading the old list, where
// none may move.
func addHook(hooks []*hook, h *hook) []*hook {
	if i := slices.IndexFunc(hooks, func(o *hook) bool { return o.retain != nil }); i >= 0 && h.retain == nil {
		return slices.Insert(slices.Clone(hooks), i, h)
	}
	return append(hooks, h)
}

// RetainGrad makes Backward add the gradient of v, a result of an
// operation, to [Var.Gradient], as they do for leaves, after all hooks. Calls
// after the first change nothing; nor does one on a leaf.
func (v *Var) RetainGrad() {
	v.check("RetainGrad")
	if v.node == nil || v.retains {
		return
	}
	v.retains = true
	v.node.hooks = addHook(v.node.hooks, &hook{output: v.output, retain: v})
}

// accumulate adds g to a retained gradient, or starts it with a copy.
func (p *pass) accumulate(v *Var, g *tensor.Tensor) {
	if v.grad == nil {
		v.grad = g.Clone()
		return
	}
	p.addTo(v, g)
}

// applyHooks returns the gradient after the hooks of a result.
func (p *pass) applyHooks(hooks []*hook, output int, g *Var) *Var {
	for _, h := range hooks {
		if h.removed || h.output != output {
			continue
		}
		if h.retain != nil {
			if p.targets == nil { // Grad leaves every Gradient alone
				p.accumulate(h.retain, g.value)
			}
			continue
		}
		seen := g
		if !p.create { // the hook may keep it
			seen = Constant(g.Tensor())
		}
		r := h.f(seen)
		if r == nil || r == seen {
			continue
		}
		r.dense("RegisterHook")
		switch {
		case !r.Shape().Equal(g.Shape()):
			misuse("RegisterHook", "the hook returned a gradient of another shape", r.Shape(), g.Shape())
		case r.DType() != g.DType():
			misuse("RegisterHook", "the hook returned a gradient of type "+r.DType().String()+", want "+g.DType().String())
		default:
			g = r
		}
	}
	return g
}
