package render

// Online softmax (Milakov and Gimelshein 2018): the loop that finds the maximum of a
// row's scores, and the next one, which sums numbers weighted by e^(score - maximum),
// become one loop. Whenever the maximum grows, the sums so far are scaled down.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// online merges loops where that can be done, and notes the maxima whose loops have
// become one with those that read them.
func (k *kernel) online() {
	spec := *k.spec
	spec.Loops = slices.Clone(spec.Loops)
	for i := 0; i+1 < len(spec.Loops); i++ {
		first, second := spec.Loops[i], spec.Loops[i+1]
		maxima := maximaOf(first, second)
		if maxima == nil {
			continue
		}
		spec.Loops = slices.Replace(spec.Loops, i, i+2, &plan.Loop{
			Edge: union(first.Edge, second.Edge), Reduce: slices.Concat(first.Reduce, second.Reduce), Post: second.Post,
		})
		for _, m := range maxima {
			k.running[m] = true
		}
		for _, v := range second.Edge {
			if isWeight(v, maxima) {
				k.weights[v] = plan.Row(v.Args[0].Args[1])
			}
		}
	}
	k.spec = &spec
}

// union is the values of two loops, operands first. The first loop may have some of its own:
// what maxima are of that no weight is relative to.
func union(first, second []*ir.Value) []*ir.Value {
	all := slices.Clone(first)
	for _, v := range second {
		if !slices.Contains(first, v) {
			all = append(all, v)
		}
	}
	return all
}

// maximaOf returns the maxima of a loop if the next one can run along with it; nil
// if not.
func maximaOf(first, second *plan.Loop) []*ir.Value {
	if len(first.Stores)+len(first.Totals)+len(first.Post)+len(second.Stores)+len(second.Totals) > 0 {
		return nil
	}
	for _, m := range first.Reduce {
		if m.Op != ir.OpMax || m.Attr.Typed {
			return nil
		}
	}
	used := false
	for _, v := range second.Reduce {
		switch {
		case !reads(second, v.Args[0], first.Reduce):
		case v.Op != ir.OpSum || v.Attr.Typed || weightOf(second, v.Args[0], first.Reduce) == nil:
			return nil
		default:
			used = true
		}
	}
	if !used {
		return nil
	}
	return first.Reduce
}

// reads tells whether an edge value of a loop is computed of one of the maxima.
func reads(l *plan.Loop, v *ir.Value, maxima []*ir.Value) bool {
	seen := make(map[*ir.Value]bool)
	var read func(v *ir.Value) bool
	read = func(v *ir.Value) bool {
		v = plan.Row(v)
		switch {
		case slices.Contains(maxima, v):
			return true
		case seen[v] || !slices.Contains(l.Edge, v):
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.Args, read)
	}
	return read(v)
}

// weightOf finds the e^(x - max x) to which v is proportional; nil if there is no
// such one, or v reads the maximum in other ways too.
func weightOf(l *plan.Loop, v *ir.Value, maxima []*ir.Value) *ir.Value {
	if isWeight(v, maxima) {
		return v
	}
	i := proportional(v, func(a *ir.Value) bool { return reads(l, a, maxima) })
	if i < 0 {
		return nil
	}
	return weightOf(l, v.Args[i], maxima)
}

// isWeight tells whether v is e^(x - max x), number by number.
func isWeight(v *ir.Value, maxima []*ir.Value) bool {
	if v.Op != ir.OpExp || v.Args[0].Op != ir.OpSub {
		return false
	}
	x, m := v.Args[0].Args[0], plan.Row(v.Args[0].Args[1])
	return slices.Contains(maxima, m) && m.Args[0] == x && m.Shape.Equal(x.Shape) && v.Shape.Equal(x.Shape)
}

// proportional is the operand to which v is proportional, while the others do not
// depend on the maximum; -1 if there is none.
func proportional(v *ir.Value, depends func(a *ir.Value) bool) int {
	which := -1
	for i, a := range v.Args {
		if depends(a) {
			if which >= 0 {
				return -1
			}
			which = i
		}
	}
	switch v.Op {
	case ir.OpMul:
		return which
	case ir.OpNeg, ir.OpDropout, ir.OpAt, ir.OpReshape, ir.OpExpand, ir.OpDiv:
		if which == 0 {
			return 0
		}
	}
	return -1
}

// weightElems are the elements of the weight, and of its maximum, that elements of v
// are proportional to; nil if v does not depend on a running maximum.
func (k *kernel) weightElems(l *plan.Loop, v *ir.Value, e *elems) (*ir.Value, *elems) {
	var maxima []*ir.Value
	for _, m := range l.Reduce {
		if k.running[m] {
			maxima = append(maxima, m)
		}
	}
	if !reads(l, v, maxima) {
		return nil, nil
	}
	for !isWeight(v, maxima) {
		a := v.Args[proportional(v, func(a *ir.Value) bool { return reads(l, a, maxima) })]
		if v.Op != ir.OpReshape {
			e = k.elems.mapped(e, broadcast(a.Shape, v.Shape))
		}
		v = a
	}
	return plan.Row(v.Args[0].Args[1]), e
}

// attach notes the running maximum that each sum of a loop depends on.
func (k *kernel) attach(l *plan.Loop, all []*accumulator) {
	for _, a := range all {
		if k.running[a.value] {
			continue
		}
		m, e := k.weightElems(l, a.value.Args[0], a.elems)
		for _, b := range all {
			if m != nil && b.value == m && b.elems == e {
				a.top = b
				b.scaled = append(b.scaled, a)
			}
		}
		if m != nil && a.top == nil {
			panic(fmt.Sprintf("BUG: render: nothing keeps the maximum that %v depends on", a.value))
		}
	}
}

// takeMaximum writes that an edge is taken into a running maximum.
func (f *fn) takeMaximum(a *accumulator, x string, t *code) {
	f.names[number{scope: rowScope, value: a.value, elems: a.elems}] = a.name
	if len(a.scaled) == 0 {
		t.line("%s = op_maxof(%s, %s);", a.name, x, a.name)
		return
	}
	t.open("if (!(%s <= %s))", x, a.name)
	t.line("const T was = %s;", a.name)
	t.line("%s = op_maxof(%s, was);", a.name, x)
	t.line("const T scale = op_exp(was - %s);", a.name)
	for _, s := range a.scaled {
		t.line("%s *= scale;", s.name)
	}
	t.close()
}

// weight is the text of e^(x - m) at an edge. While there are only scores of -inf, it
// is 0 and not e^(-inf + inf).
func weight(x, difference string) string {
	return fmt.Sprintf("%s == -AST_INF ? (T)0 : op_exp(%s)", x, difference)
}

// mergeMaximum writes that other edges' maximum and sums are taken in; other gives
// C for an accumulator of theirs.
func (a *accumulator) mergeMaximum(t *code, other func(a *accumulator) string) {
	t.line("{")
	t.depth++
	t.line("const T other = %s;", other(a))
	t.line("const T top = op_maxof(other, %s);", a.name)
	t.line("const T mine = %[1]s == top ? (T)1 : op_exp(%[1]s - top), theirs = other == top ? (T)1 : op_exp(other - top);", a.name)
	for _, s := range a.scaled {
		t.line("%[1]s = %[1]s * mine + %[2]s * theirs;", s.name, other(s))
	}
	t.line("%s = top;", a.name)
	t.close()
}

// complete writes what is left to do when all edges are in: a row whose largest
// score is infinite has no softmax. some is C for whether the row has edges.
func complete(t *code, all []*accumulator, some string) {
	for _, a := range all {
		if a.top == nil {
			continue
		}
		when := ""
		if some != "true" {
			when = fmt.Sprintf("if (%s) ", some)
		}
		t.line("%s%s += %s - %s;", when, a.name, a.top.name, a.top.name)
	}
}
