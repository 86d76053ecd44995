package render

// Which numbers a kernel computes: from what it stores back to what it loads.
// Every value is asked for the elements that its readers need in each lane, and
// asks its operands in turn, so that lanes compute what they need themselves
// wherever that takes no exchange.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// scope is where a value is computed or loaded: once a row, or in a loop over its
// edges, which are counted from 1; -1 is where the edges of a type are over in loop 1.
type scope int

const rowScope scope = 0

// number is an element of a value for each lane, in a register.
type number struct {
	scope scope
	value *ir.Value
	elems *elems
	typed bool // of the part of the row that belongs to the edge's type, in memory
}

// rowOf is a value in a scope.
type rowOf struct {
	scope scope
	value *ir.Value
}

// cover says which of a value's numbers are stored, and by which lanes.
type cover struct {
	elems *elems
	by    []bool
}

// note notes what the kernel computes, and where.
func (k *kernel) note() {
	for _, v := range k.spec.Pre {
		k.computed[v] = true
	}
	for i, l := range k.spec.Loops {
		for _, v := range slices.Concat(l.Edge, l.Reduce, l.Post) {
			k.computed[v] = true
		}
		for _, v := range l.Reduce {
			k.loopOf[v] = scope(i + 1)
		}
	}
}

// width is the width of the widest row that the kernel spreads over lanes.
func (k *kernel) width() int {
	w := 1
	see := func(v *ir.Value) {
		if v.Op.Info().Class == ir.Aggregate && v.Attr.Typed {
			w = max(w, v.Args[0].Width())
		}
		if r := plan.Row(v); k.nestOf(r) != nil { // which reads a type at a time
			w = max(w, r.Args[0].Width()/k.types)
			return
		}
		w = max(w, k.spread(v))
		switch v.Op.Info().Class {
		case ir.Elementwise, ir.Layout:
			for _, a := range v.Args {
				if k.readsParts(v, a) {
					w = max(w, a.Width()/k.types)
				} else {
					w = max(w, a.Width())
				}
			}
		case ir.Dense:
			w = max(w, v.Args[0].Width())
		}
	}
	for _, v := range k.spec.Pre {
		see(v)
	}
	for _, s := range k.spec.Stores {
		if !k.isWinner(s.Value) {
			w = max(w, k.spread(s.Value))
		}
	}
	for _, l := range k.spec.Loops {
		for _, v := range slices.Concat(l.Edge, l.Reduce, l.Post) {
			see(v)
		}
		for _, s := range l.Totals {
			w = max(w, k.sumWidth(s.Value))
		}
	}
	for _, s := range k.spec.Totals {
		w = max(w, k.sumWidth(s.Value))
	}
	return w
}

// sumWidth is the width of what a sum over rows takes in.
func (k *kernel) sumWidth(v *ir.Value) int {
	w := 1
	for _, a := range v.Args {
		w = max(w, k.spread(a))
	}
	return w
}

// outerSize is the size of the largest outer product that is summed over rows or edges.
func (k *kernel) outerSize() int {
	n := 0
	see := func(sums []plan.Sum) {
		for _, s := range sums {
			if s.Value.Op == ir.OpOuter && s.Value.Attr.To == ir.Param {
				n = max(n, s.Value.Width())
			}
		}
	}
	see(k.spec.Totals)
	for _, l := range k.spec.Loops {
		see(l.Totals)
	}
	return n
}

// place is the value whose registers or memory v has, and the scope it has them in,
// as a reader in a scope sees it.
func (k *kernel) place(v *ir.Value, s scope) (*ir.Value, scope) {
	v = rowOrNumber(v)
	switch {
	case s < rowScope && k.nests[s].strides[v] > 0:
	case s < rowScope:
		s = rowScope
	case k.computed[v] && v.Res != ir.Edge, !k.computed[v] && k.ofRow(v.Res):
		s = rowScope
	}
	return v, s
}

// rowOrNumber is the value whose row v is, or the constant whose number it has.
func rowOrNumber(v *ir.Value) *ir.Value {
	n := v
	for n.Op == ir.OpReshape || n.Op.Info().Class == ir.Alias {
		n = n.Args[0]
	}
	if n.Op == ir.OpConst {
		return n
	}
	return plan.Row(v)
}

// ofRow tells whether the row of a tensor with the residency is the same for all
// edges of a row of the kernel.
func (k *kernel) ofRow(res ir.Residency) bool {
	return res == ir.Param || res == k.spec.Rows || res == k.spec.Rows.TypeOf()
}

// needAll finds everything that the kernel needs.
func (k *kernel) needAll() {
	for i, l := range k.spec.Loops {
		for j := range l.Totals {
			k.needSum(scope(i+1), &l.Totals[j])
		}
	}
	for j := range k.spec.Totals {
		k.needSum(k.partScope(k.spec.Totals[j].Value.Args[0]), &k.spec.Totals[j])
	}
	for i := range k.spec.Loops {
		if n := k.nests[-scope(i+1)]; n != nil {
			for _, a := range n.winners() {
				k.need(n.scope(), a.value.Args[0], n.reduced(a.value, a.elems))
			}
		}
	}
	type store struct {
		scope scope
		*plan.Store
	}
	var stores []store
	for j := range k.spec.Stores {
		if v := k.spec.Stores[j].Value; !k.isWinner(v) {
			stores = append(stores, store{k.partScope(v), &k.spec.Stores[j]})
		}
	}
	for i, l := range k.spec.Loops {
		for j := range l.Stores {
			stores = append(stores, store{scope(i + 1), &l.Stores[j]})
		}
	}
	// Wide ones first: what they need of narrow values can be stored from there.
	slices.SortStableFunc(stores, func(x, y store) int { return cmp.Compare(y.Value.Width(), x.Value.Width()) })
	for _, s := range stores {
		k.covers[s.Store] = k.cover(s.Value, s.scope)
	}
}

// cover finds lanes that have the elements of a row of v, or makes them.
func (k *kernel) cover(v *ir.Value, s scope) []cover {
	v, at := k.place(v, s)
	want := k.rowOrPart(at, v)
	if all := k.covering(want, k.needs[rowOf{at, v}]); all != nil || v.Width() == 0 {
		return all
	}
	found := k.likeOthers(v.Width())
	if at < rowScope {
		found = nil
		for _, e := range k.elems.row(len(want)) {
			found = append(found, k.elems.mapped(e, func(i int) int { return want[i] }))
		}
	}
	for _, e := range found {
		k.need(s, v, e)
	}
	return k.covering(want, found)
}

// rowOrPart lists the elements of v that a scope has.
func (k *kernel) rowOrPart(s scope, v *ir.Value) []int {
	if s < rowScope {
		return k.nests[s].part(v)
	}
	return upTo(v.Width())
}

// upTo lists the numbers from 0 to below n.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// likeOthers spreads a row as other rows of the width are spread already, whose lanes
// have what it is computed of; else each element has a lane of its own.
func (k *kernel) likeOthers(width int) []*elems {
	best, most := k.elems.row(width), 0
	count := make(map[*elems]int)
	for _, v := range k.plan.Program.Values {
		if v.Width() != width || !k.computed[v] {
			continue
		}
		for s := range scope(len(k.spec.Loops) + 1) {
			found := k.needs[rowOf{s, v}]
			if len(found) == 0 || k.covering(upTo(width), found) == nil {
				continue
			}
			if count[found[0]]++; count[found[0]] > most {
				best, most = found, count[found[0]]
			}
		}
	}
	return best
}

// covering picks one lane and register for each of the elements; nil if there is one
// that none has.
func (k *kernel) covering(want []int, found []*elems) []cover {
	if len(want) == 0 {
		return nil
	}
	var all []cover
	have, n := make([]bool, slices.Max(want)+1), 0
	for _, e := range found {
		c, any := cover{e, make([]bool, k.lanes)}, false
		for l, x := range e.of {
			if x >= 0 && !have[x] {
				have[x], c.by[l], any = true, true, true
				n++
			}
		}
		if any {
			all = append(all, c)
		}
	}
	if n < len(want) {
		return nil
	}
	return all
}

// need asks for elements of v, read in a scope.
func (k *kernel) need(s scope, v *ir.Value, e *elems) {
	v, s = k.place(v, s)
	n := number{scope: s, value: v, elems: e}
	if v.Op == ir.OpConst || k.needed[n] {
		return
	}
	k.needed[n] = true
	k.needs[rowOf{s, v}] = append(k.needs[rowOf{s, v}], e)
	if !k.computed[v] || v.Op == ir.OpDegree {
		return
	}
	if f := k.nestOf(v); f != nil {
		k.need(f.scope(), v.Args[0], f.reduced(v, e))
		return
	}
	switch v.Op.Info().Class {
	case ir.Elementwise:
		for _, a := range v.Args {
			k.need(s, a, k.elems.mapped(e, broadcast(a.Shape, v.Shape)))
		}
	case ir.Aggregate:
		w := v.Args[0].Width()
		k.need(k.loopOf[v], v.Args[0], k.elems.mapped(e, func(i int) int { return i % w }))
	case ir.EdgePick:
		for _, a := range v.Args {
			k.needPart(s, v, a, e)
		}
	case ir.Dense:
		k.needRow(s, v.Args[0])
	default:
		if moves(v) {
			for i, a := range v.Args {
				if from := k.moved(v, i, e); from != nil {
					k.need(s, a, from)
				}
			}
			return
		}
		k.needCrossing(s, v, e)
	}
}

// needPart asks for the operand a of a pick or winner.
func (k *kernel) needPart(s scope, v, a *ir.Value, e *elems) {
	if !ofType(v) {
		k.need(s, a, e)
		return
	}
	x, _ := k.place(a, s)
	if x.Op == ir.OpConst {
		return
	}
	if !k.computed[x] {
		if n := (number{s, x, e, true}); !k.needed[n] {
			k.needed[n] = true
		}
		return
	}
	w := v.Width()
	for t := range k.plan.Program.Types.Edge {
		k.need(s, x, k.elems.mapped(e, func(i int) int { return t*w + i }))
	}
}

// ofType tells whether a pick or winner reads the part of its operands that belongs
// to the edge's type.
func ofType(v *ir.Value) bool { return v.Op == ir.OpPick || v.Attr.Typed }

// needRow asks for a whole row of v in one place: in memory where it is there, else
// in shared memory.
func (k *kernel) needRow(s scope, v *ir.Value) {
	v, s = k.place(v, s)
	key := rowOf{s, v}
	if _, done := k.stageAt[key]; done || !k.computed[v] {
		return
	}
	k.stageAt[key] = k.stage
	k.stage += v.Width()
	for _, e := range k.elems.row(v.Width()) {
		k.need(s, v, e)
	}
}

// moves tells whether v only puts elements of its operands elsewhere.
func moves(v *ir.Value) bool {
	switch v.Op {
	case ir.OpReshape, ir.OpExpand, ir.OpConcat, ir.OpSlice, ir.OpPad, ir.OpPermute:
		return true
	}
	return false
}

// moved is which elements of operand i the elements of v are; nil if they are none
// of its.
func (k *kernel) moved(v *ir.Value, i int, e *elems) *elems {
	f := source(v, i)
	from := k.elems.mapped(e, f)
	if !slices.Contains(from.present(), true) {
		return nil
	}
	return from
}

// source gives the element of operand i that an element of v is, or -1, for values
// that only move elements.
func source(v *ir.Value, i int) func(k int) int {
	a := v.Args[i].Shape
	switch v.Op {
	case ir.OpExpand:
		return broadcast(a, v.Shape)
	case ir.OpPermute:
		idx := ir.PermuteIndex(a, v.Attr.Shape)
		return func(k int) int { return idx[k] }
	case ir.OpReshape:
		return func(k int) int { return k }
	}
	n, cols := a[len(a)-1], v.Shape[len(v.Shape)-1]
	lo := columnsBefore(v, i)
	return func(k int) int {
		if c := k%cols - lo; c >= 0 && c < n {
			return k/cols*n + c
		}
		return -1
	}
}

// columnsBefore is the columns of v that stand before those of operand i of a
// concatenation, slice or padding.
func columnsBefore(v *ir.Value, i int) int {
	switch v.Op {
	case ir.OpSlice:
		return -v.Attr.Lo
	case ir.OpPad:
		return v.Attr.Lo
	}
	n := 0
	for _, a := range v.Args[:i] {
		n += a.Shape[len(a.Shape)-1]
	}
	return n
}
