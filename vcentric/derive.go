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

// derivatives are the programs of the gradients of a compiled one, each made when its
// gradients are first asked for under [autograd.CreateGraph].
type derivatives struct {
	p     *Program
	sig   *signature
	taped []int // the bindings that results take their need of a gradient from, Training not counted

	mu   sync.Mutex
	made map[string]*derivative // by what is wanted, and given
}

// derivative is the program of those gradients of a compiled one that are wanted, through those
// of its results whose cotangents are given. It computes anew what backward plans are given from
// forward, so that it depends on what is bound and on the cotangents alone; of gradients that
// nobody wants, and of results that nobody reads, it has nothing that could become NaN.
type derivative struct {
	p    *Program
	of   []int    // of each result: which of taped it is the gradient of
	give []giving // of each result of the compiled program
}

// giving is how a cotangent is bound; without a name it is not read.
type giving struct {
	kind bindKind
	name string
}

// of is the program of the gradients that are wanted, of taped, through the results that are
// given, from the traced one.
func (d *derivatives) of(traced *ir.Program, wanted, given []bool) *derivative {
	key := fmt.Sprint(wanted, given)
	d.mu.Lock()
	defer d.mu.Unlock()
	made := d.made[key]
	if made == nil {
		if d.made == nil {
			d.made = make(map[string]*derivative)
		}
		made = d.derive(traced, wanted, given)
		d.made[key] = made
	}
	return made
}

func (d *derivatives) derive(traced *ir.Program, wanted, given []bool) *derivative {
	bound, names := d.bindings(), []string{}
	for _, b := range bound {
		names = append(names, b.name)
	}
	at := make(map[string]int) // binding -> which of taped
	for _, v := range traced.Inputs() {
		at[traced.Binding(v)] = slices.Index(d.taped, find(bound, v))
	}
	want := func(binding string) bool {
		i, ok := at[binding]
		return ok && i >= 0 && wanted[i]
	}
	through := *traced
	through.Outputs = nil
	for i, o := range traced.Outputs {
		if given[i] {
			through.Outputs = append(through.Outputs, o)
		}
	}
	made := pass.Derive(&through, pass.Options{Off: d.p.off, Sizes: d.sig.sizes(), Want: want}, names...)
	out := &derivative{p: d.p.uncompiled()}
	out.p.name, out.p.f = d.p.name+" derived", function{derived: made.Program}
	for _, binding := range made.Of {
		out.of = append(out.of, at[binding])
	}
	out.give = make([]giving, len(given))
	next := 0
	for i, o := range traced.Outputs {
		if given[i] {
			out.give[i] = giving{kindOf(o.Value.Res, traced.Bipartite), made.Given[next]}
			next++
		}
	}
	return out
}

// bindings are those of the compiled program but Training, without their tensors.
func (d *derivatives) bindings() []Binding {
	out := make([]Binding, len(d.sig.bound))
	for i, b := range d.sig.bound {
		out[i] = Binding{kind: b.kind, name: b.name}
	}
	return out
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
// there is none, to the gradients that are wanted of inputs, which are what is bound and taped.
func (r *run) derive(inputs, cotangents []*autograd.Var, wanted []bool) []*autograd.Var {
	r.unchanged()
	all := &r.c.derivatives
	given := make([]bool, len(cotangents))
	for i, v := range cotangents {
		given[i] = v != nil
	}
	d := all.of(r.c.Traced, wanted, given)
	bindings := all.bindings()
	for i := range bindings {
		bindings[i].v = autograd.Constant(r.inputs[i])
	}
	for i, at := range all.taped {
		bindings[at].v = inputs[i]
	}
	for i, g := range d.give {
		if g.name != "" {
			bindings = append(bindings, Binding{kind: g.kind, name: g.name, v: cotangents[i]})
		}
	}
	if all.sig.training {
		bindings = append(bindings, Training(r.seed))
	}
	grads := make([]*autograd.Var, len(inputs))
	if len(d.of) > 0 {
		for i, g := range d.p.RunMany(r.g, bindings...) {
			grads[d.of[i]] = g
		}
	}
	for _, i := range r.c.backwardOutputs { // of what only other results depend on
		if x := inputs[i]; wanted[i] && grads[i] == nil {
			grads[i] = autograd.Constant(tensor.ZerosOn(r.c.device, x.DType(), x.Shape()...))
		}
	}
	return grads
}

// through is the gradients of some results: where their other factors may be infinite, zeros do
// not do as cotangents of the rest.
func (r *run) through(cotangents []*tensor.Tensor) []*tensor.Tensor {
	inputs, wanted := make([]*autograd.Var, len(r.c.taped)), make([]bool, len(r.c.taped))
	for i, at := range r.c.derivatives.taped {
		inputs[i] = autograd.Constant(r.inputs[at])
	}
	for _, i := range r.c.backwardOutputs {
		wanted[i] = true
	}
	given := make([]*autograd.Var, len(cotangents))
	for i, t := range cotangents {
		if t != nil {
			given[i] = autograd.Constant(t.Contiguous())
		}
	}
	grads := make([]*tensor.Tensor, len(inputs))
	for i, g := range r.derive(inputs, given, wanted) {
		if g != nil {
			grads[i] = g.Tensor()
		}
	}
	return grads
}
