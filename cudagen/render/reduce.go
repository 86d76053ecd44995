package render

// Accumulators: what a group keeps of the edges of a row.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// accumulator is one number of an aggregate in each lane: of all edges, or, if it is a
// part, of those of the type that is met (nested.go). There are some of reductions over
// such parts, too. A maximum with types has a flag that says whether there was an edge;
// a winner has its id.
type accumulator struct {
	value *ir.Value
	elems *elems
	name  string
	extra string // of the int beside it, if it has one
	part  bool   // of the type that is met

	top    *accumulator   // the running maximum that a sum's weights are relative to
	scaled []*accumulator // the sums relative to a running maximum
}

// accumulators are those of loop i.
func (k *kernel) accumulators(i int) []*accumulator {
	var all []*accumulator
	for _, v := range k.spec.Loops[i].Reduce {
		s, part := k.partOf(i, v)
		for j, e := range k.needs[rowOf{s, v}] {
			a := &accumulator{value: v, elems: e, name: fmt.Sprintf("a%d_%d", v.ID, j), part: part}
			switch {
			case v.Op == ir.OpArgmax:
				a.extra = a.name + "_id"
			case v.Op == ir.OpMax && v.Attr.Typed:
				a.extra = a.name + "_any"
			}
			all = append(all, a)
		}
	}
	k.attach(k.spec.Loops[i], all)
	return all
}

// declare writes the accumulator of no edges.
func (a *accumulator) declare(t *code) {
	if a.value.Op == ir.OpSum || a.value.Op == ir.OpReduceTo {
		t.line("T %s = 0;", a.name)
		return
	}
	t.line("T %s = -AST_INF;", a.name)
	switch {
	case a.value.Op == ir.OpArgmax || a.value.Op == ir.OpFirstMax:
		t.line("int %s = -1;", a.extra)
	case a.extra != "":
		t.line("int %s = 0;", a.extra)
	}
}

// take writes that an edge is taken in.
func (f *fn) take(a *accumulator, s scope) {
	v := a.value
	x := v.Args[0]
	w := x.Width()
	from := f.get(s, x, f.elems.mapped(a.elems, func(i int) int { return i % w }))
	t := f.text(s)
	if f.running[v] {
		f.takeMaximum(a, from, t)
		return
	}
	if !v.Attr.Typed || a.part {
		switch {
		case v.Op == ir.OpSum:
			t.line("%s += %s;", a.name, from)
		case v.Op == ir.OpMax && a.part:
			t.line("%[1]s = op_maxof(%[2]s, %[1]s), %[3]s = 1;", a.name, from, a.extra)
		case v.Op == ir.OpMax:
			t.line("%s = op_maxof(%s, %s);", a.name, from, a.name)
		default:
			t.line("ast_argmax(&%s, &%s, %s, %s);", a.name, a.extra, from, f.edgeID())
		}
		return
	}
	mine := fmt.Sprintf("%s == %s", f.edgeType(), f.index(f.elems.mapped(a.elems, func(i int) int { return i / w })))
	switch v.Op {
	case ir.OpSum:
		t.line("%s += %s ? %s : (T)0;", a.name, mine, from)
	case ir.OpMax:
		t.line("if (%s) %s = op_maxof(%s, %s), %s = 1;", mine, a.name, from, a.name, a.extra)
	default:
		t.line("if (%s) ast_argmax(&%s, &%s, %s, %s);", mine, a.name, a.extra, from, f.edgeID())
	}
}

// merge writes that other edges' accumulator is taken in.
func (a *accumulator) merge(t *code, other, extra string) {
	switch {
	case a.value.Op == ir.OpSum:
		t.line("%s += %s;", a.name, other)
	case a.value.Op == ir.OpArgmax:
		t.line("ast_argmax(&%s, &%s, %s, %s);", a.name, a.extra, other, extra)
	default:
		t.line("%s = op_maxof(%s, %s);", a.name, other, a.name)
		if a.extra != "" {
			t.line("%s |= %s;", a.extra, extra)
		}
	}
}

// mergeSlots writes that the slots of a group take in each other's edges: in the
// end all have the same.
func (f *fn) mergeSlots(t *code, all []*accumulator) {
	for by := f.lanes; by < f.threads(); by *= 2 {
		for _, a := range all {
			other := fmt.Sprintf("__shfl_xor_sync(%s, %s, %d)", f.groupMask(), a.name, by)
			switch {
			case a.top != nil: // along with its maximum
				continue
			case a.scaled != nil:
				a.mergeMaximum(t, func(a *accumulator) string {
					return fmt.Sprintf("__shfl_xor_sync(%s, %s, %d)", f.groupMask(), a.name, by)
				})
				continue
			}
			if a.extra == "" {
				a.merge(t, other, "")
				continue
			}
			t.line("{")
			t.depth++
			t.line("const T other = %s;", other)
			t.line("const int extra = __shfl_xor_sync(%s, %s, %d);", f.groupMask(), a.extra, by)
			a.merge(t, "other", "extra")
			t.close()
		}
	}
}

// result names what the accumulator has come to; some is C for whether the row has
// edges.
func (f *fn) result(a *accumulator, some string) {
	n := number{scope: rowScope, value: a.value, elems: a.elems}
	switch a.value.Op {
	case ir.OpSum, ir.OpReduceTo, ir.OpMaxLast: // the latter of types, of which there are some
		f.names[n] = a.name
	case ir.OpArgmax:
		f.names[n] = a.extra
	default:
		delete(f.names, n) // of a running maximum
		if a.extra != "" {
			some = a.extra + " != 0"
		}
		f.pending[n] = func() { f.declare(n, fmt.Sprintf("%s ? %s : (T)0", some, a.name)) }
	}
}

// kept is where the accumulators of a loop are kept between the launches for hubs:
// those of an item (a chunk or a hub) side by side, each of all lanes.
type kept struct {
	floats, ints   int // regions; -1 for none
	nFloat, nExtra int // of an item
}

// keep makes the regions for the accumulators of so many items.
func (k *kernel) keep(all []*accumulator, items Count) kept {
	p := kept{floats: -1, ints: -1, nFloat: len(all)}
	for _, a := range all {
		if a.extra != "" {
			p.nExtra++
		}
	}
	if p.nFloat > 0 {
		p.floats = k.region(Region{Of: items, Width: p.nFloat * k.lanes, Type: k.plan.Program.Type})
	}
	if p.nExtra > 0 {
		p.ints = k.region(Region{Of: items, Width: p.nExtra * k.lanes, Type: ir.I32})
	}
	return p
}

// spot is C for where accumulator i of all is kept for an item, and the int beside it.
func (f *fn) spot(p kept, item string, all []*accumulator, i int) (at, extra string) {
	in := func(region, count, i int) string {
		return fmt.Sprintf("%s[(%s) * %d + lane]", f.workspace(region), linear("(i64)"+item, count, i), f.lanes)
	}
	at = in(p.floats, p.nFloat, i)
	if all[i].extra != "" {
		n := 0 // of the ints before
		for _, a := range all[:i] {
			if a.extra != "" {
				n++
			}
		}
		extra = in(p.ints, p.nExtra, n)
	}
	return at, extra
}

// save writes the accumulators of an item to memory.
func (f *fn) save(t *code, p kept, item string, all []*accumulator) {
	when := ""
	if f.slots > 1 {
		when = "if (slot == 0) "
	}
	for i, a := range all {
		at, extra := f.spot(p, item, all, i)
		t.line("%s%s = %s;", when, at, a.name)
		if extra != "" {
			t.line("%s%s = %s;", when, extra, a.extra)
		}
	}
}

// restore names the results of a loop, which are read from memory if anything reads
// them.
func (f *fn) restore(p kept, item string, all []*accumulator) {
	for i, a := range all {
		n := number{scope: rowScope, value: a.value, elems: a.elems}
		f.pending[n] = func() {
			at, extra := f.spot(p, item, all, i)
			switch {
			case a.value.Op == ir.OpArgmax:
				at = extra
			case extra != "":
				at = fmt.Sprintf("%s != 0 ? %s : (T)0", extra, at)
			}
			f.declare(n, at)
		}
	}
}

// mergeChunks writes the loop that merges the chunks of hub h of loop i in order, and
// completes them. Several chunks are read at once, and slots share them: the largest hub
// has hundreds, and nothing else runs by then.
func (f *fn) mergeChunks(i int, p kept, all []*accumulator) {
	if len(all) == 0 {
		return
	}
	t, n := &f.row, f.nests[-scope(i+1)]
	array := func(name ArrayName) string { return f.array(Array{Name: name, Dir: f.dir}) }
	rowBegin, rowEnd := "", ""
	if n != nil && n.counts {
		rowBegin = fmt.Sprintf("%s[%s]", array(Offsets), f.r())
		rowEnd = fmt.Sprintf("%s[%s + 1]", array(Offsets), f.r())
	}
	if n != nil {
		f.beginParts(t, n, rowBegin)
	}
	batch := max(min(8, 32/len(all)), 1)
	if n != nil {
		batch = min(batch, 4) // what is done between types is there for each of them
	}
	var declared, reads, merges code
	declared.depth, reads.depth, merges.depth = t.depth+1, t.depth+2, t.depth+3
	read := func(of, name, text string) string {
		declared.line("%s %s[%d];", of, name, batch)
		reads.line("%s[q] = %s;", name, text)
		return name + "[q]"
	}
	if n != nil {
		read("int", "begins", array(ChunkBegin)+"[k]")
		read("int", "typed", array(EdgeTypes)+"[begins[q]]")
		f.nextPart(&merges, n, all, "typed[q]", "begins[q]")
	}
	others := make(map[*accumulator]string)
	extras := make(map[*accumulator]string)
	for i, a := range all {
		at, extra := f.spot(p, "k", all, i)
		others[a] = read("T", fmt.Sprintf("o%d", i), at)
		if extra != "" {
			extras[a] = read("int", fmt.Sprintf("x%d", i), extra)
		}
	}
	for _, a := range all {
		switch {
		case a.top != nil: // along with its maximum
		case a.scaled != nil:
			a.mergeMaximum(&merges, func(a *accumulator) string { return others[a] })
		default:
			a.merge(&merges, others[a], extras[a])
		}
	}
	first, from, step := array(HubFirst), "", batch
	if n == nil && f.slots > 1 {
		from, step = fmt.Sprintf(" + slot * %d", batch), batch*f.slots
	}
	t.open("for (int c = %[1]s[h]%[2]s, last = %[1]s[h + 1]; c < last; c += %[3]d)", first, from, step)
	t.add(&declared)
	round := fmt.Sprintf("for (int q = 0; q < %d; q++)", batch)
	t.line("AST_UNROLL")
	t.open("%s", round)
	t.line("const int k = c + q < last ? c + q : last - 1;")
	t.add(&reads)
	t.close()
	t.line("AST_UNROLL")
	t.open("%s", round)
	t.open("if (c + q < last)")
	t.add(&merges)
	t.close()
	t.close()
	t.close()
	if n == nil {
		f.mergeSlots(t, all)
	}
	f.endParts(t, n, all, rowEnd)
	complete(t, all, "true")
}
