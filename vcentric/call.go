package vcentric

// Programs that call programs: a vertex function inside another, with values of
// the outer one in the place of its features.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Let names a value that a called program reads as a vertex feature.
type Let struct {
	Name  string
	Value Value
}

// Call computes the program's value of the vertex v inside another program, as
// part of it: both are traced, fused and differentiated as one. What the lets
// name stands for the called program's vertex features of those names, read from
// the centre and from its neighbours, also by programs that it calls in turn; all
// else it reads is bound to the outer program. With Let, layers stack inside one
// program:
//
//	two := vc.Compile("two hops", func(v vc.Vertex) vc.Value {
//		h := hop.Call(v)
//		return hop.Call(v, vc.Let{Name: "h", Value: h})
//	})
//
// It panics with *ir.Error if a let is not a value of the centre, if the program has
// several results, or if programs call each other without end.
func (p *Program) Call(v Vertex, lets ...Let) Value {
	p.want("Call")
	fail := func(format string, args ...any) {
		panic(&ir.Error{Op: "call of " + p.name, Detail: fmt.Sprintf(format, args...), Pos: callerLine()})
	}
	if v.t == nil {
		fail("the vertex belongs to no program")
	}
	v.t.centre("call of "+p.name, v)
	if len(v.t.lets) >= maxCalls {
		fail("calls are nested deeper than %d: does a program call itself?", maxCalls)
	}
	if p.f.one == nil {
		fail("a program of several results has no one value")
	}
	scope := make(map[string]Value, len(lets))
	for _, l := range lets {
		switch {
		case l.Value.t == nil && l.Value.later == nil:
			fail("%q is the zero Value", l.Name)
		case v.t.sig.bipartite && l.Value.t != nil:
			fail("%q: on a bipartite graph no value belongs to sources and destinations alike", l.Name)
		}
		if l.Value.edges != noEdges || l.Value.in(v.t).Res == ir.Edge {
			fail("%q is a value of edges; want one of the centre", l.Name)
		}
		if _, twice := scope[l.Name]; twice {
			fail("%q is given twice", l.Name)
		}
		scope[l.Name] = l.Value
	}
	v.t.lets = append(v.t.lets, scope)
	defer func() { v.t.lets = v.t.lets[:len(v.t.lets)-1] }()
	return p.f.one(v)
}

// maxCalls bounds how deep calls nest: a program that calls itself never ends.
const maxCalls = 64

// let is what calls have put in a feature's place, the innermost that names it: what a
// called program reads by way of another that it calls is a feature of its own as well.
func (t *tracer) let(name string) (x Value, ok bool) {
	for _, scope := range slices.Backward(t.lets) {
		if x, ok = scope[name]; ok {
			break
		}
	}
	return x, ok
}

// seen is a value of the centre as the vertex v has it.
func (t *tracer) seen(x Value, v Vertex) Value {
	value := x.in(t)
	if value.Res == ir.Param {
		return Value{t: t, v: value, edges: v.edges}
	}
	side := v.res
	if value.Res.IsType() {
		side = side.TypeOf()
	}
	if value.Res != side {
		value = t.at(callerLine()).b.View(value, side)
	}
	return Value{t: t, v: value, edges: v.edges}
}
