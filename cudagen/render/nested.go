package render

// Inner and outer loops (Seastar section 6.3.5): the edges of a row come in order of
// their types, so an aggregate of each type needs the accumulators of one type. When
// the edges of a type are over, its part of the row is done: what is computed of the
// part alone is computed, it is stored or added to what is reduced over the types, and
// the accumulators begin anew.
//
// That is chosen where there are Tuning.Nest types or more, and everything that reads
// an aggregate reads it type by type: element-wise values, reductions over the types,
// stores and sums over rows. An aggregate that is read in another way, by a product,
// by the edges of a later loop or along with what its own loop comes to, has
// accumulators for all types, and an edge is compared with each.

import (
	"maps"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// nest is what a loop does when the edges of a type are over. A value with a part for
// each type has its elements of one type at a stride from those of the next: element
// i is of type i / stride % types. A part is named by its elements of type 0.
type nest struct {
	*kernel
	loop    int
	strides map[*ir.Value]int  // of values that are read part by part
	whole   map[*ir.Value]bool // values without parts that are read along with them
	grown   map[*ir.Value]bool // the aggregates, and what is computed of them
	folds   []*ir.Value        // reductions over the types: ReduceTo and MaxLast
	firsts  []*ir.Value        // FirstMax over the types, which is only stored
	every   bool               // whether a type without edges changes anything
	counts  bool               // whether the number of edges of a type is read

	refused map[way]bool         // what cannot be split, while another value is
	empty   map[*ir.Value]filled // parts of types without edges that were asked for
}

// way is a value, and a stride at which its parts may lie.
type way struct {
	value  *ir.Value
	stride int
}

// filled is the number that all elements of a part are, if it is known.
type filled struct {
	number float64
	known  bool
}

// scope is that of the values of a part.
func (n *nest) scope() scope { return -scope(n.loop + 1) }

// nestLoops finds the aggregates that have the accumulators of one type.
func (k *kernel) nestLoops() {
	if k.types = k.plan.Program.Types.Edge; k.tuning().Nest < 0 || k.types < k.tuning().Nest {
		return
	}
	for i, l := range k.spec.Loops {
		var roots []*ir.Value
		for _, v := range l.Reduce {
			if v.Attr.Typed && v.Width() > 0 {
				roots = append(roots, v)
			}
		}
		for len(roots) > 0 {
			n := &nest{
				kernel: k, loop: i, strides: make(map[*ir.Value]int), whole: make(map[*ir.Value]bool), grown: make(map[*ir.Value]bool),
				empty: make(map[*ir.Value]filled),
			}
			for _, v := range roots {
				n.strides[v], n.grown[v] = v.Width()/k.types, true
			}
			bad := n.follow()
			if bad == nil {
				n.foldMore()
				n.settle()
				k.nests[n.scope()] = n
				break
			}
			roots = slices.DeleteFunc(roots, func(v *ir.Value) bool { return k.depends(bad, v) })
		}
	}
	k.findInner()
}

// depends tells whether x is v or computed of it in the kernel.
func (k *kernel) depends(x, v *ir.Value) bool {
	seen := make(map[*ir.Value]bool)
	var find func(x *ir.Value) bool
	find = func(x *ir.Value) bool {
		x = plan.Row(x)
		sum := x.Op == ir.OpTotal || x.Op == ir.OpOuter
		if x == v || seen[x] || !k.computed[x] && !sum {
			return x == v
		}
		seen[x] = true
		return slices.ContainsFunc(x.Args, find)
	}
	return find(x)
}

// reads tells whether v has a part of the aggregates, or what is found along with them,
// among its operands.
func (n *nest) reads(v *ir.Value) bool {
	return slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return n.grown[plan.Row(a)] || slices.Contains(n.firsts, plan.Row(a)) })
}

// follow goes from the aggregates to what reads them, and returns what does not read
// them type by type, if there is any.
func (n *nest) follow() *ir.Value {
	for i, l := range n.spec.Loops {
		for _, v := range slices.Concat(l.Edge, l.Reduce) {
			if n.reads(v) {
				return v
			}
		}
		for _, s := range l.Totals {
			if n.reads(s.Value) {
				return s.Value
			}
		}
		if i < n.loop {
			continue
		}
		for _, v := range l.Post {
			if v != plan.Row(v) || !n.reads(v) {
				continue
			}
			switch {
			case n.reduces(v):
				n.folds = append(n.folds, v)
			case n.wins(v):
				n.firsts = append(n.firsts, v)
			case n.split(v):
				n.grown[v] = true
			default:
				return v
			}
		}
	}
	for _, s := range n.spec.Totals {
		// The launch that merges the chunks of another loop than the last has no sums.
		if n.reads(s.Value) && (s.Value.Op != ir.OpTotal || !n.grown[plan.Row(s.Value.Args[0])] || n.loop < len(n.spec.Loops)-1) {
			return s.Value
		}
	}
	return nil
}

// reduces tells whether v reduces its operand, which has parts, over the types and
// nothing else.
func (n *nest) reduces(v *ir.Value) bool {
	if v.Op != ir.OpReduceTo {
		return v.Op == ir.OpMaxLast && n.lastIsTypes(v)
	}
	x := v.Args[0]
	stride := n.strides[plan.Row(x)]
	if stride == 0 || v.Width()*n.types != x.Width() {
		return false
	}
	into := ir.BroadcastIndex(v.Shape, x.Shape)
	for i := range into {
		if n.typeOf(i, stride) < n.types-1 && into[i+stride] != into[i] {
			return false
		}
	}
	return true
}

// wins tells whether v says which of the types is the first with the maximum.
func (n *nest) wins(v *ir.Value) bool { return v.Op == ir.OpFirstMax && n.lastIsTypes(v) }

// lastIsTypes tells whether the last axis of v's operand is the types.
func (n *nest) lastIsTypes(v *ir.Value) bool {
	x := v.Args[0]
	return n.strides[plan.Row(x)] == 1 && x.Shape[len(x.Shape)-1] == n.types
}

// typeOf is the type that an element belongs to.
func (n *nest) typeOf(i, stride int) int { return i / stride % n.types }

// part lists the elements of a part of v, those of type 0.
func (n *nest) part(v *ir.Value) []int {
	var all []int
	for i := range v.Width() {
		if n.typeOf(i, n.strides[v]) == 0 {
			all = append(all, i)
		}
	}
	return all
}

// split finds the stride at which the parts of v lie, if each is computed of the parts
// of one type alone.
func (n *nest) split(v *ir.Value) bool {
	n.refused = make(map[way]bool)
	return n.splits(v)
}

// splits is split of v and what it is computed of. What cannot be split at a stride is not
// tried again: it would be as often as there are ways from v to it.
func (n *nest) splits(v *ir.Value) bool {
	switch {
	case n.strides[v] > 0:
		return true
	case v.Op == ir.OpDegree && v.Attr.Typed:
		n.strides[v] = 1
		return true
	}
	class := v.Op.Info().Class
	if class != ir.Elementwise && v.Op != ir.OpPermute && v.Op != ir.OpExpand && v.Op != ir.OpSlice || v.Width() == 0 {
		return false
	}
	stride := v.Width()
	for _, size := range v.Shape {
		stride /= size
		if at := (way{v, stride}); size == n.types && !n.refused[at] {
			if n.splitAt(v, stride) {
				n.strides[v] = stride
				return true
			}
			n.refused[at] = true
		}
	}
	return false
}

// splitAt tells whether v's operands suit a stride of v.
func (n *nest) splitAt(v *ir.Value, stride int) bool {
	strides, whole := maps.Clone(n.strides), maps.Clone(n.whole)
	for i, a := range v.Args {
		from := broadcast(a.Shape, v.Shape)
		if v.Op.Info().Class != ir.Elementwise {
			from = source(v, i)
		}
		if !n.fits(plan.Row(a), v.Width(), stride, from) {
			n.strides, n.whole = strides, whole
			return false
		}
	}
	return true
}

// fits tells whether an operand has parts of the types, or is the same for all of
// them, where a value with a width and a stride reads it.
func (n *nest) fits(a *ir.Value, width, stride int, from func(i int) int) bool {
	if a.Op == ir.OpConst {
		return true
	}
	step := n.strides[a]
	if step == 0 && n.types > 1 {
		step = from(stride) - from(0)
	}
	if step < 0 || step == 0 && !n.ready(a) || step > 0 && n.whole[a] {
		return false
	}
	for i := range width {
		at, typ := from(i), n.typeOf(i, stride)
		if typ < n.types-1 && from(i+stride) != at+step || step > 0 && n.typeOf(at, step) != typ {
			return false
		}
	}
	switch {
	case step == 0:
		n.whole[a] = true
		return true
	case n.strides[a] > 0:
		return true
	case !n.computed[a]:
		n.strides[a] = step
		return n.ofRow(a.Res)
	}
	return n.splits(a) && n.strides[a] == step
}

// ready tells whether a row's value is there before the loop is over.
func (n *nest) ready(v *ir.Value) bool {
	for w, at := range n.loopOf {
		if at > scope(n.loop) && n.depends(v, w) {
			return false
		}
	}
	return true
}

// foldMore finds reductions over the types of values that are known without the edges,
// such as the number of types that a row has edges of, where nothing reads them before
// the loop is over. Those that are found are not ready for the parts of another.
func (n *nest) foldMore() {
	for _, v := range n.folds {
		n.loopOf[v] = scope(n.loop + 1)
	}
	for _, v := range n.rowValues() {
		if _, found := n.loopOf[v]; found || v.Op != ir.OpReduceTo || !n.ready(v) || n.readEarly(v) {
			continue
		}
		x := plan.Row(v.Args[0])
		strides, whole := maps.Clone(n.strides), maps.Clone(n.whole)
		if n.computed[x] && n.split(x) && n.reduces(v) {
			n.folds = append(n.folds, v)
			n.loopOf[v] = scope(n.loop + 1)
		} else {
			n.strides, n.whole = strides, whole
		}
	}
}

// readEarly tells whether the edges or the parts, of this loop or one before, depend on v.
func (n *nest) readEarly(v *ir.Value) bool {
	reads := func(a *ir.Value) bool { return n.depends(a, v) }
	for _, l := range n.spec.Loops[:n.loop+1] {
		for _, e := range slices.Concat(l.Edge, l.Reduce) {
			if slices.ContainsFunc(e.Args, reads) {
				return true
			}
		}
		for _, s := range l.Totals {
			if reads(s.Value) {
				return true
			}
		}
		for _, s := range l.Stores {
			if reads(s.Value) {
				return true
			}
		}
	}
	for _, m := range append(slices.Collect(maps.Values(n.nests)), n) {
		for w := range m.whole {
			if reads(w) {
				return true
			}
		}
	}
	return false
}

// rowValues are the values of rows that the kernel computes, but for aggregates and
// reshapes.
func (k *kernel) rowValues() []*ir.Value {
	all := slices.Clone(k.spec.Pre)
	for _, l := range k.spec.Loops {
		all = append(all, l.Post...)
	}
	return slices.DeleteFunc(all, func(v *ir.Value) bool { return v != plan.Row(v) })
}

// settle notes which types matter.
func (n *nest) settle() {
	n.every = len(n.firsts) > 0
	for _, v := range n.folds {
		none := 0.0
		if v.Op == ir.OpMaxLast {
			none = math.Inf(-1)
		}
		n.every = n.every || !n.absent(v.Args[0], none)
	}
	for _, s := range n.spec.Totals {
		if n.reads(s.Value) {
			n.every = n.every || !n.absent(s.Value.Args[0], 0)
		}
	}
	for _, s := range n.spec.Stores {
		n.every = n.every || n.grown[plan.Row(s.Value)]
	}
	for v := range n.strides {
		n.counts = n.counts || n.isCount(v)
	}
}

// isCount tells whether v is the number of the row's edges of each type.
func (n *nest) isCount(v *ir.Value) bool { return v.Op == ir.OpDegree && v.Attr.Dir == n.dir }

// absent tells whether the part of v of a type without edges is known to be x.
func (n *nest) absent(v *ir.Value, x float64) bool {
	p := n.withoutEdges(v)
	return p.known && p.number == x
}

// withoutEdges is the part of v of a type without edges.
func (n *nest) withoutEdges(v *ir.Value) filled {
	v = plan.Row(v)
	p, found := n.empty[v]
	if !found {
		p = n.emptyPart(v)
		n.empty[v] = p
	}
	return p
}

// emptyPart is withoutEdges of a value that was not asked for before.
func (n *nest) emptyPart(v *ir.Value) filled {
	info := v.Op.Info()
	switch {
	case v.Op == ir.OpConst:
		return filled{v.Attr.Num, true}
	case n.strides[v] == 0 || !n.computed[v] || v.Op == ir.OpArgmax:
		return filled{}
	case info.Class == ir.Aggregate || n.isCount(v):
		return filled{0, true}
	case info.Class == ir.Layout:
		return n.withoutEdges(v.Args[0])
	case v.Op == ir.OpSelect:
		switch p := n.withoutEdges(v.Args[0]); {
		case !p.known:
			return filled{}
		case p.number != 0:
			return n.withoutEdges(v.Args[1])
		}
		return n.withoutEdges(v.Args[2])
	}
	var args []float64
	for _, a := range v.Args {
		p := n.withoutEdges(a)
		if !p.known {
			return filled{}
		}
		args = append(args, p.number)
	}
	switch {
	case len(args) == 1 && info.Unary != nil:
		return filled{info.Unary(&v.Attr, args[0]), true}
	case len(args) == 2 && info.Binary != nil:
		return filled{info.Binary(args[0], args[1]), true}
	}
	return filled{}
}

// findInner finds the values that are there part by part only.
func (k *kernel) findInner() {
	for _, n := range k.nests {
		for v := range n.strides {
			k.inner[v] = k.computed[v]
		}
	}
	for _, s := range k.spec.Stores {
		if v := plan.Row(s.Value); k.partScope(v) == rowScope {
			delete(k.inner, v)
		}
	}
	var outside []*ir.Value
	for _, l := range k.spec.Loops {
		for _, v := range slices.Concat(l.Edge, l.Reduce) {
			outside = append(outside, v.Args...)
		}
		for _, s := range l.Totals {
			outside = append(outside, s.Value.Args...)
		}
	}
	for _, s := range k.spec.Totals {
		if k.partScope(s.Value.Args[0]) == rowScope {
			outside = append(outside, s.Value.Args...)
		}
	}
	for _, v := range outside {
		delete(k.inner, plan.Row(v))
	}
	rows := k.rowValues()
	for _, v := range slices.Backward(rows) { // what reads a value comes after it
		if !k.inner[v] && k.nestOf(v) == nil {
			for _, a := range v.Args {
				delete(k.inner, plan.Row(a))
			}
		}
	}
}

// nestOf is the nest that reduces over the types into v, or finds the first maximum of
// them; nil if there is none.
func (k *kernel) nestOf(v *ir.Value) *nest {
	for _, n := range k.nests {
		if slices.Contains(n.folds, v) || slices.Contains(n.firsts, v) {
			return n
		}
	}
	return nil
}

// isWinner tells whether v says which type has the first maximum, and is found along
// with the reductions over the types.
func (k *kernel) isWinner(v *ir.Value) bool {
	n := k.nestOf(plan.Row(v))
	return n != nil && slices.Contains(n.firsts, plan.Row(v))
}

// partScope is the scope of the parts of v if it is computed of aggregates that have
// the accumulators of one type; else that of rows.
func (k *kernel) partScope(v *ir.Value) scope {
	for s, n := range k.nests {
		if n.grown[plan.Row(v)] {
			return s
		}
	}
	return rowScope
}

// spread is the number of elements of v that a kernel has at a time: those of a part
// if it is read part by part.
func (k *kernel) spread(v *ir.Value) int {
	if k.inner[plan.Row(v)] {
		return v.Width() / k.types
	}
	return v.Width()
}

// readsParts tells whether v is there part by part only and reads parts of a.
func (k *kernel) readsParts(v, a *ir.Value) bool {
	v, a = plan.Row(v), plan.Row(a)
	for _, n := range k.nests {
		if k.inner[v] && n.strides[v] > 0 && n.strides[a] > 0 {
			return true
		}
	}
	return false
}
