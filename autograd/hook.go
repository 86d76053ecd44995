// Hooks: functions that see gradients on their way back.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// A hook belongs to one result of a node, or to a leaf.
type hook struct {
	output  int
	f       func(g *Var) *Var
	removed bool
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
	h := &hook{output: v.output, f: f}
	if v.node != nil {
		v.node.hooks = append(v.node.hooks, h)
	} else {
		v.hooks = append(v.hooks, h)
	}
	return func() { h.removed = true }
}

// RetainGrad makes backward passes keep the gradient of v, a result of an
// operation, in [Var.Gradient], as they do for leaves.
func (v *Var) RetainGrad() {
	if v.node == nil {
		return
	}
	v.RegisterHook(func(g *Var) *Var {
		v.accumulate(g.value)
		return nil
	})
}

// accumulate adds a copy of g to the gradient, or starts it with one.
func (v *Var) accumulate(g *tensor.Tensor) {
	if v.grad == nil {
		v.grad = g.Clone()
		return
	}
	tensor.AddInto(v.grad, g)
}

// applyHooks returns the gradient after the hooks of a result.
func applyHooks(hooks []*hook, output int, g *Var) *Var {
	for _, h := range hooks {
		if h.removed || h.output != output {
			continue
		}
		seen := g
		if g.region != nil && g.region.pass != nil { // the hook may keep it
			seen = Constant(g.Tensor())
		}
		switch r := h.f(seen); {
		case r == nil || r == seen:
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
