package render

// The text between the edges of one type and those of the next: see nested.go.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// partOf is the scope of the numbers that loop i has of one of its aggregates, and
// whether they are of the type that is met.
func (k *kernel) partOf(i int, v *ir.Value) (scope, bool) {
	if n := k.nests[-scope(i+1)]; n != nil && n.grown[v] {
		return n.scope(), true
	}
	return rowScope, false
}

// ofRows are the accumulators that a row has when loop i is over; all are those of its
// edges.
func (k *kernel) ofRows(i int, all []*accumulator) []*accumulator {
	n := k.nests[-scope(i+1)]
	if n == nil {
		return all
	}
	rows := n.reductions()
	for _, a := range all {
		if !a.part {
			rows = append(rows, a)
		}
	}
	return rows
}

// reductions are the accumulators of the reductions over the types.
func (n *nest) reductions() []*accumulator {
	var all []*accumulator
	for _, v := range n.folds {
		for j, e := range n.needs[rowOf{rowScope, v}] {
			all = append(all, &accumulator{value: v, elems: e, name: fmt.Sprintf("a%d_%d", v.ID, j)})
		}
	}
	return all
}

// winners are the accumulators of the first maximum over the types.
func (n *nest) winners() []*accumulator {
	var all []*accumulator
	for _, v := range n.firsts {
		for j, e := range n.elems.row(v.Width() / n.types) {
			name := fmt.Sprintf("a%d_%d", v.ID, j)
			all = append(all, &accumulator{value: v, elems: e, name: name, extra: name + "_type"})
		}
	}
	return all
}

// reduced is which elements of the part of v's operand the elements of v are the
// reductions of.
func (n *nest) reduced(v *ir.Value, e *elems) *elems {
	x := v.Args[0]
	if v.Op != ir.OpReduceTo { // over the last axis
		return n.elems.mapped(e, func(i int) int { return i * n.types })
	}
	first := make([]int, v.Width())
	for i, to := range ir.BroadcastIndex(v.Shape, x.Shape) {
		if n.typeOf(i, n.strides[plan.Row(x)]) == 0 {
			first[to] = i
		}
	}
	return n.elems.mapped(e, func(i int) int { return first[i] })
}

// met is the name of the type whose edges are met, and begun that of the position
// where they began.
func (n *nest) met() string   { return fmt.Sprintf("type%d", n.loop+1) }
func (n *nest) begun() string { return fmt.Sprintf("begun%d", n.loop+1) }

// partBegin is C for where the elements of the type that is met begin, from those of
// type 0.
func (f *fn) partBegin(s scope, v *ir.Value) string {
	n := f.nests[s]
	return linear(n.met(), n.strides[plan.Row(v)], 0)
}

// beginParts declares what goes from type to type, before the first edge, whose
// position is read if the numbers of edges are.
func (f *fn) beginParts(t *code, n *nest, begin string) {
	if n == nil {
		return
	}
	first := "-1" // none
	if n.every {
		first = "0"
	}
	t.line("int %s = %s;", n.met(), first)
	if n.counts {
		t.line("int %s = %s;", n.begun(), begin)
	}
	for _, a := range slices.Concat(n.reductions(), n.winners()) {
		a.declare(t)
	}
}

// nextPart writes that edges of a type come next, the first of them at a position.
func (f *fn) nextPart(t *code, n *nest, all []*accumulator, next, at string) {
	if n.every {
		t.line("AST_ROLLED")
		t.open("for (; %[1]s < %[2]s; %[1]s++)", n.met(), next)
		f.donePart(t, n, all, at)
		if n.counts {
			t.line("%s = %s;", n.begun(), at)
		}
		t.close()
		return
	}
	t.open("if (%s < %s)", n.met(), next)
	t.open("if (%s >= 0)", n.met())
	f.donePart(t, n, all, at)
	t.close()
	if n.counts {
		t.line("%s = %s;", n.begun(), at)
	}
	t.line("%s = %s;", n.met(), next)
	t.close()
}

// endParts writes that there are no more edges: the last one is before end.
func (f *fn) endParts(t *code, n *nest, all []*accumulator, end string) {
	if n == nil {
		return
	}
	var body code
	body.depth = t.depth + 1
	f.donePart(&body, n, all, end)
	if n.every {
		if n.counts {
			body.line("%s = %s;", n.begun(), end)
		}
		t.line("AST_ROLLED")
		t.open("for (; %[1]s < %[2]d; %[1]s++)", n.met(), n.types)
	} else {
		t.open("if (%s >= 0)", n.met())
	}
	t.add(&body)
	t.close()
	f.storeWinners(t, n)
}

// donePart writes what is done with the part of a type, whose accumulators then begin
// anew.
func (f *fn) donePart(t *code, n *nest, all []*accumulator, at string) {
	s := n.scope()
	f.done, f.doneAt = t, at
	for _, a := range all {
		if a.part {
			f.partResult(a, s)
		}
	}
	for i := range f.spec.Stores {
		if v := &f.spec.Stores[i]; f.partScope(v.Value) == s {
			f.store(s, v.Value, v.Buffer, f.covers[v])
		}
	}
	for _, v := range f.sums {
		if v.scope == s {
			f.sum(v)
		}
	}
	for _, a := range n.reductions() {
		x := f.get(s, a.value.Args[0], n.reduced(a.value, a.elems))
		if a.value.Op == ir.OpReduceTo {
			t.line("%s += %s;", a.name, x)
		} else {
			t.line("%s = op_maxof(%s, %s);", a.name, x, a.name)
		}
	}
	for _, a := range n.winners() {
		x := f.get(s, a.value.Args[0], n.reduced(a.value, a.elems))
		t.line("ast_argmax(&%s, &%s, %s, %s);", a.name, a.extra, x, n.met())
	}
	for _, a := range all {
		if a.part {
			a.reset(t)
		}
	}
	f.done = nil
	maps.DeleteFunc(f.names, func(x number, _ string) bool { return x.scope == s })
	maps.DeleteFunc(f.pending, func(x number, _ func()) bool { return x.scope == s })
}

// partResult names what the accumulator of a type has come to.
func (f *fn) partResult(a *accumulator, s scope) {
	x := number{scope: s, value: a.value, elems: a.elems}
	switch a.value.Op {
	case ir.OpSum:
		f.names[x] = a.name
	case ir.OpArgmax:
		f.names[x] = a.extra
	default:
		f.pending[x] = func() { f.declare(x, fmt.Sprintf("%s != 0 ? %s : (T)0", a.extra, a.name)) }
	}
}

// reset makes the accumulator of a type one of no edges.
func (a *accumulator) reset(t *code) {
	switch a.value.Op {
	case ir.OpSum:
		t.line("%s = 0;", a.name)
	case ir.OpArgmax:
		t.line("%s = -AST_INF, %s = -1;", a.name, a.extra)
	default:
		t.line("%s = -AST_INF, %s = 0;", a.name, a.extra)
	}
}

// storeWinners writes which type has the first maximum: 1 for it, 0 for the others.
func (f *fn) storeWinners(t *code, n *nest) {
	for _, s := range f.spec.Stores {
		v := plan.Row(s.Value)
		if !slices.Contains(n.firsts, v) {
			continue
		}
		to := pointer{name: f.buffer(s.Buffer), offset: linear("(i64)"+f.rowIndex(v.Res), v.Width(), 0)}
		for _, a := range n.winners() {
			if a.value == v {
				first := f.index(n.reduced(v, a.elems))
				t.line("%sfor (int j = 0; j < %d; j++) %s = j == %s ? (T)1 : (T)0;", f.storeCondition(rowScope, a.elems.present()), n.types, to.on(first).at("j"), a.extra)
			}
		}
	}
}
