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
	made map[string]*derivative // by what is wanted
}

// derivative is the program of those gradients of a compiled one that are wanted. It computes
// anew what backward plans are given from forward, so that it depends on what is bound and on
// the cotangents alone; of gradients that nobody wants it has nothing that could become NaN.
type derivative struct {
	p    *Program
	of   []int // of each result: which of taped it is the gradient of
	give []giving
}

// giving is how a cotangent is bound; without a name it is not read.
type giving struct {
	kind bindKind
	name string
}

// of is the program of the gradients that are wanted, of taped, from the traced one.
func (d *derivatives) of(traced *ir.Program, wanted []bool) *derivative {
	key := fmt.Sprint(wanted)
	d.mu.Lock()
	defer d.mu.Unlock()
	made := d.made[key]
	if made == nil {
		if d.made == nil {
			d.made = make(map[string]*derivative)
		}
		made = d.derive(traced, wanted)
		d.made[key] = made
	}
	return made
}

func (d *derivatives) derive(traced *ir.Program, wanted []bool) *derivative {
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
	made := pass.Derive(traced, pass.Options{Off: d.p.off, Sizes: d.sig.sizes(), Want: want}, names...)
	out := &derivative{p: d.p.uncompiled()}
	out.p.name, out.p.f = d.p.name+" derived", function{derived: made.Program}
	for _, binding := range made.Of {
		out.of = append(out.of, at[binding])
	}
	for i, o := range traced.Outputs {
		out.give = append(out.give, giving{kindOf(o.Value.Res, traced.Bipartite), made.Given[i]})
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
	all := &r.c.derivatives
	d := all.of(r.c.Traced, wanted)
	bindings := all.bindings()
	for i := range bindings {
		bindings[i].v = autograd.Constant(r.inputs[i])
	}
	for i, at := range all.taped {
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
	if all.sig.training {
		bindings = append(bindings, Training(r.seed))
	}
	grads := make([]*autograd.Var, len(inputs))
	for i, g := range d.p.RunMany(r.g, bindings...) {
		grads[d.of[i]] = g
	}
	return grads
}
