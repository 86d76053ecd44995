package vcentric

// Gradients that can be differentiated in turn: the gradient of a program is a program.

import (
	"fmt"
	"slices"
	"sync"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// derivative is the program of the gradients of a compiled one, made when they are first
// asked for under [autograd.CreateGraph]. It computes anew what backward plans are given
// from forward, so that it depends on what is bound and on the cotangents alone.
type derivative struct {
	p     *Program
	sig   *signature
	want  func(binding string) bool
	taped []int // the bindings that results take their need of a gradient from, Training not counted

	once sync.Once
	made *Program
	of   []int // of each result: which of taped it is the gradient of
	give []giving
}

// giving is how a cotangent is bound; without a name it is not read.
type giving struct {
	kind bindKind
	name string
}

// derive makes the program from the traced one.
func (d *derivative) derive(traced *ir.Program) {
	made := pass.Derive(traced, pass.Options{Off: d.p.off, Sizes: d.sig.sizes(), Want: d.want})
	d.made = &Program{
		name: d.p.name + " derived", f: function{derived: made.Program},
		off: d.p.off, native: d.p.native, compiled: make(map[string]*Compiled),
	}
	for _, binding := range made.Of {
		d.of = append(d.of, slices.IndexFunc(d.taped, func(i int) bool {
			b := Binding{kind: d.sig.bound[i].kind, name: d.sig.bound[i].name}
			return slices.ContainsFunc(traced.Inputs(), func(v *ir.Value) bool {
				return traced.Binding(v) == binding && b.name == v.Attr.Name && b.residencies(v.Res)
			})
		}))
	}
	for i, out := range traced.Outputs {
		d.give = append(d.give, giving{kindOf(out.Value.Res, traced.Bipartite), made.Given[i]})
	}
}

// kindOf is how a tensor of a residency's rows is bound.
func kindOf(r ir.Residency, bipartite bool) bindKind {
	switch {
	case r == ir.Edge:
		return edgeFeature
	case r == ir.EdgeType:
		return edgeTypeFeature
	case r == ir.Param:
		return param
	case r.IsVertex() && !bipartite:
		return vertexFeature
	case r == ir.Src:
		return srcFeature
	case r == ir.Dst:
		return dstFeature
	case !bipartite:
		return vertexTypeFeature
	case r == ir.SrcType:
		return srcTypeFeature
	}
	return dstTypeFeature
}

// derive is gradients as results of operations: from the cotangents of the results, nil where
// there is none, to the gradients of inputs, which are what is bound and taped.
func (r *run) derive(inputs, cotangents []*autograd.Var) []*autograd.Var {
	d := &r.c.derivative
	d.once.Do(func() { d.derive(r.c.Traced) })
	bindings := make([]Binding, 0, len(r.inputs)+len(cotangents)+1)
	for i, b := range d.sig.bound {
		bindings = append(bindings, Binding{kind: b.kind, name: b.name, v: autograd.Constant(r.inputs[i])})
	}
	for i, at := range d.taped {
		bindings[at].v = inputs[i]
	}
	for i, g := range d.give {
		if g.name == "" {
			continue
		}
		v := cotangents[i]
		if v == nil {
			b := r.c.Forward.Outputs[i]
			v = autograd.Constant(tensor.ZerosOn(r.device, dtypeOf(b.Type), r.shape(nil, b)...))
		}
		bindings = append(bindings, Binding{kind: g.kind, name: g.name, v: v})
	}
	if d.sig.training {
		bindings = append(bindings, Training(r.seed))
	}
	grads := make([]*autograd.Var, len(inputs))
	for i, g := range d.made.RunMany(r.g, bindings...) {
		if d.of[i] < 0 {
			panic(fmt.Sprintf("BUG: vcentric: %s: result %d is no gradient of an input", d.made.name, i))
		}
		grads[d.of[i]] = g
	}
	return grads
}
