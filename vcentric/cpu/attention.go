package cpu

// Attention in one walk: the kernels that its passes become, forward and backward, have
// one instruction for tiles that have all edges of their rows, in the place of all that
// their loops have. Which kernels these are is seen from their values (GAT, Veličković et
// al. 2018; the backward pass is that of Seastar §5 with the sums taken apart).

import (
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// attentionWalk is what a kernel that computes attention does with a tile: at once what its
// loops do, and then what follows them.
type attentionWalk[T kern.Float] struct {
	walk instr[T]
	post []instr[T]
	four bool // it reads four numbers of each vertex, side by side
	from int  // edges that rows have on average at least, or their instructions one by one are as fast

	factors *factoring[T] // what it wants of vertices in the place of what the kernel fetches; nil for nothing
}

// attends returns the attention that the kernel computes at once on a graph; nil if there
// is none. Whether does not depend on the tile: what a row gets, must not either.
func (k *kernel[T]) attends(csr *graph.CSR, beside []T, apart bool) *attentionWalk[T] {
	switch a := k.attention; {
	case !k.attendsOn(csr), a.factors != nil && !apart, a.four && a.factors == nil && beside == nil:
		return nil
	default:
		return a
	}
}

// attendsOn tells whether the kernel computes attention at once on a graph, if what it reads
// of vertices lies side by side.
func (k *kernel[T]) attendsOn(csr *graph.CSR) bool {
	a := k.attention
	return a != nil && csr != nil && len(csr.Neighbors) >= a.from*csr.NumRows()
}

// attentionOperands is what both ways read and write.
type attentionOperands[T kern.Float] struct {
	x, own              operand[T] // rows at the other ends; the row's part of the scores, a number a head
	slope               T
	bound, above, below T
	acc, sums           operand[T]
	drop                *ir.Value // the dropout of weights, nil for none
}

func (o *attentionOperands[T]) of(w *worker[T]) kern.Attention[T] {
	x, ids := w.indexed(&o.x)
	heads := o.own.width
	if n := kern.AttendScratch(heads, w.edges, w.rows); len(w.attending) < n {
		w.attending = make([]T, max(n, kern.AttendScratch(heads, w.kernel.wholeEdges, w.rows)))
	}
	return kern.Attention[T]{
		X: x, Width: o.x.width, Heads: heads, IDs: ids, Bounds: w.segment[:w.rows+1], Own: w.own(&o.own),
		Slope: o.slope, Bound: o.bound, Above: o.above, Below: o.below, Masks: o.masks(w),
		Apart: w.factors.apart, Centre: w.factors.centre,
		Acc: w.own(&o.acc), Sums: w.own(&o.sums), Past: w.past(&o.acc), Scratch: w.attending,
	}
}

// masks are what dropout leaves of ones, for the tile's edges.
func (o *attentionOperands[T]) masks(w *worker[T]) []T {
	if o.drop == nil {
		return nil
	}
	heads := o.own.width
	if n := kern.AttendMasks(heads, w.edges); len(w.masking) < n {
		w.masking = make([]T, max(n, kern.AttendMasks(heads, w.kernel.wholeEdges)))
	}
	masks := w.masking[:kern.AttendMasks(heads, w.edges)]
	fill(masks, 1)
	p := o.drop.Attr.Num
	ones := masks[:w.edges*heads]
	w.set.DropoutRows(ones, ones, heads, w.edgeIDs, ir.DropoutSeed(w.run.Seed, o.drop.Attr.Site), rng.Threshold(p), T(ir.DropoutScale(p)))
	return masks
}

// attend is attention's forward pass: softmax of scores, and the sums that it weighs.
type attend[T kern.Float] struct {
	attentionOperands[T]
	scores int // the buffer
	most   operand[T]
	least  T
	twice  bool // it computes what backward wants of the same rows
	second struct{ acc, sums operand[T] }
	alone  bool // nobody reads most and sums, nor what is made of them
}

func (i *attend[T]) exec(w *worker[T]) {
	a := kern.AttendForward[T]{
		Attention: i.of(w), Scores: w.run.mem.Floats[i.scores], Powers: w.factors.rows, Most: w.own(&i.most), Least: i.least,
	}
	if i.alone {
		a.Most, a.Sums = nil, nil
	}
	if i.twice {
		a.Acc2, a.Sums2 = w.own(&i.second.acc), w.own(&i.second.sums)
		a.Past = a.Past && w.past(&i.second.acc)
	}
	w.set.SegmentAttend(a)
}

// attendBack is the backward pass: the gradients of the rows and of their scores.
type attendBack[T kern.Float] struct {
	attentionOperands[T]
	rows operand[T]
}

func (i *attendBack[T]) exec(w *worker[T]) {
	w.set.SegmentAttendBack(kern.AttendBackward[T]{Attention: i.of(w), Quads: w.beside, Factors: w.factors.rows, Rows: w.own(&i.rows)})
}

// attentionOf finds the attention of a compiled kernel.
func (c *compiler[T]) attentionOf(k *kernel[T], p *plan.Kernel) *attentionWalk[T] {
	for _, l := range k.loops {
		if l.only != nil || len(l.stores)+len(l.totals) > 0 {
			return nil
		}
	}
	switch len(k.loops) {
	case 1:
		return c.attendsBack(k.loops[0], p.Loops[0])
	case 2:
		return c.attendsForward(k.loops, p)
	}
	return nil
}

// attendsForward matches the values of two loops. With the score x of an edge they are
//
//	most = the largest leakyrelu(x), power = e^(leakyrelu(x) - most), Σ power,
//	rows weighed by power, as the instruction that sums them and divides by max(least, Σ power),
//
// and for backward the same of power·step, where step is one of two numbers by a comparison of x.
// Rows may be weighed by what dropout leaves of power.
func (c *compiler[T]) attendsForward(loops []*loop[T], k *plan.Kernel) *attentionWalk[T] {
	p := k.Loops
	if len(p[0].Reduce) != 1 || len(loops[0].ended.post) > 0 {
		return nil
	}
	i := &attend[T]{}
	i.above = 1 // if there is no step
	var sums [2]*scaledSum[T]
	var by *operand[T]
	var done instr[T]
	for _, e := range loops[1].ended.post {
		switch e := e.(type) {
		case *endedSum[T]:
			s, ok := e.sum.(*scaledSum[T])
			if !ok || done != nil {
				return nil
			}
			sums[0], by, i.acc, done = s, &e.by, e.dst, e
		case *endedPair[T]:
			if done != nil {
				return nil
			}
			sums, by, i.acc, done = [2]*scaledSum[T]{e.sums.scaledSum, e.sums.second}, &e.by, e.dst, e
			i.twice, i.second.acc = true, e.dst2
		}
	}
	if done == nil || len(p[1].Reduce) != 2 && !i.twice || len(p[1].Reduce) != 4 && i.twice {
		return nil
	}
	most := p[0].Reduce[0]
	for _, sum := range p[1].Reduce {
		power := c.base(sum.Args[0])
		if sum.Op != ir.OpSum || sum.Attr.Typed || power.Op != ir.OpExp {
			continue
		}
		weight := c.valueAt(p[1].Edge, &sums[0].weight)
		if i.drop = c.droppedFrom(weight, power); weight != power && i.drop == nil {
			return nil
		}
		y := matcher{c.base}.args(power.Args[0], ir.OpSub)
		if y == nil || most.Op != ir.OpMax || most.Attr.Typed || y[1] != most || c.base(most.Args[0]) != y[0] {
			return nil
		}
		score := c.scoreOf(y[0])
		if score == nil || !c.isFetched(score.other, 0, len(c.fetchOrder)) {
			return nil
		}
		i.own, i.slope, i.scores = c.operand(score.own), T(score.slope), c.fetchOrder[0].buffer
		i.most, i.sums = *c.place[most], *c.place[sum]
		if i.sums.width != i.own.width || i.most.width != i.own.width { // each score less the maxima of all heads
			return nil
		}
		if i.twice && !c.stepped(i, c.valueAt(p[1].Edge, &sums[1].weight), weight, power, score.x, p[1].Reduce) {
			return nil
		}
		var ok bool
		if i.least, ok = c.dividedBy(p[1].Post, by, &i.sums); !ok {
			return nil
		}
		i.x = sums[0].x
		attends := c.prog.set.Attends(sum.Width(), i.x.width, i.drop != nil)
		if sums[0].types > 0 || i.x.place != otherBuffer || !attends.AtOnce || attends.Apart && (!i.separable() || i.least > 1) {
			return nil
		}
		made, read := c.madeOf(k, most, sum, &i.acc)
		i.alone = attends.Apart && !i.twice && !read
		rest := slices.DeleteFunc(slices.Clone(loops[1].ended.post), func(e instr[T]) bool {
			return e == done || i.alone && slices.Contains(made, e)
		})
		a := &attentionWalk[T]{walk: i, post: rest, from: attends.From}
		if attends.Apart {
			a.factors = &factoring[T]{slope: i.slope, among: i.scores, perVertex: 4}
			if i.alone && i.drop == nil {
				a.factors.perVertex = 2
			}
		}
		return a
	}
	return nil
}

// madeOf returns the instructions for what is made of the largest score and of the sum of powers,
// but for the rows at acc, which are divided by it; and whether something that is stored depends on
// these otherwise than through those rows.
func (c *compiler[T]) madeOf(k *plan.Kernel, most, sum *ir.Value, acc *operand[T]) (made []instr[T], read bool) {
	of := map[*ir.Value]bool{most: true, sum: true}
	reads := func(args ...*ir.Value) bool {
		return slices.ContainsFunc(args, func(v *ir.Value) bool { return of[c.base(v)] })
	}
	for _, v := range k.Loops[len(k.Loops)-1].Post {
		if !c.isAt(v, acc) && reads(v.Args...) {
			of[v] = true
			made = append(made, c.made[v])
		}
	}
	for _, s := range k.Stores {
		read = read || reads(s.Value)
	}
	for _, s := range k.Totals {
		read = read || reads(s.Value.Args...)
	}
	return made, read
}

// valueAt finds the edge value that the kernel computes at o.
func (c *compiler[T]) valueAt(edge []*ir.Value, o *operand[T]) *ir.Value {
	for _, v := range edge {
		if c.isAt(v, o) {
			return v
		}
	}
	return nil
}

// droppedFrom returns v if it is what dropout leaves of x, else nil.
func (c *compiler[T]) droppedFrom(v, x *ir.Value) *ir.Value {
	if v == nil || v.Op != ir.OpDropout || v.Attr.Res != ir.Edge || c.base(v.Args[0]) != x {
		return nil
	}
	return v
}

// scoreParts is a score before the rectifier, the row's part of it and that of the other end,
// and the rectifier's slope, 1 for none.
type scoreParts struct {
	x, own, other *ir.Value
	slope         float64
}

// scoreOf takes a score, which a rectifier may have changed, apart; nil if it is something else.
func (c *compiler[T]) scoreOf(y *ir.Value) *scoreParts {
	x, slope := y, 1.0
	if y.Op == ir.OpLeakyRelu {
		x, slope = c.base(y.Args[0]), y.Attr.Num
	}
	for _, terms := range (matcher{c.base}).pairs(x, ir.OpAdd) {
		if terms[0].Res == ir.Edge || !terms[0].Shape.Equal(x.Shape) || terms[1].Width() != x.Width() {
			continue
		}
		if o := c.operand(terms[0]); isOwn(&o) {
			return &scoreParts{x, terms[0], terms[1], slope}
		}
	}
	return nil
}

// stepped tells whether the weights of a second sum are the first's times a step by x, and
// finds the sum of power times the step.
func (c *compiler[T]) stepped(i *attend[T], second, first, power, x *ir.Value, reduce []*ir.Value) bool {
	step := c.stepOf(second, first, x)
	if step == nil {
		return false
	}
	for _, sum := range reduce {
		if sum.Op != ir.OpSum || sum.Attr.Typed {
			continue
		}
		if s := c.stepOf(sum.Args[0], power, x); s != nil && *s == *step && sum.Width() == power.Width() {
			i.bound, i.above, i.below = T(step.bound), T(step.above), T(step.below)
			i.second.sums = *c.place[sum]
			return true
		}
	}
	return false
}

// stepOf is the step by x that v is w times; nil if it is not that.
func (c *compiler[T]) stepOf(v, w, x *ir.Value) *stepParts {
	m := matcher{c.base}
	if v == nil {
		return nil
	}
	for _, factors := range m.pairs(v, ir.OpMul) {
		if step := m.step(factors[1], x); factors[0] == w && step != nil {
			return step
		}
	}
	return nil
}

// dividedBy finds among the values that follow a loop the one at by, 1/max(least, sum).
func (c *compiler[T]) dividedBy(post []*ir.Value, by, sum *operand[T]) (least T, ok bool) {
	for _, v := range post {
		if v.Op != ir.OpRecip || !c.isAt(v, by) {
			continue
		}
		m := c.base(v.Args[0])
		if m.Op != ir.OpMaxOf {
			continue
		}
		for n, a := range m.Args {
			if a.Op == ir.OpConst && c.isAt(c.base(m.Args[1-n]), sum) {
				return T(a.Attr.Num), true
			}
		}
	}
	return 0, false
}

// isAt tells whether the kernel computes v at o.
func (c *compiler[T]) isAt(v *ir.Value, o *operand[T]) bool {
	return c.place[v] != nil && c.place[v].equal(o)
}

// attendsBack matches the values of a loop. With the score x of an edge, the rest are
//
//	power = e^(leakyrelu(x) - most), w = power·factor, Σ w·rows, and
//	Σ (w·(rows·own) - less·power)·step, where step is one of two numbers by a comparison of x
//
// of which most, factor and less are numbers of the vertex at the other end. Dropout may take
// from what weighs rows and from rows·own.
func (c *compiler[T]) attendsBack(l *loop[T], p *plan.Loop) *attentionWalk[T] {
	if len(p.Reduce) != 2 || len(l.ended.reduce) != len(l.reduce) {
		return nil
	}
	for n, sum := range p.Reduce {
		i := c.matchBack(sum, p.Reduce[1-n])
		if i == nil {
			continue
		}
		attends := c.prog.set.Attends(i.own.width, i.x.width, i.drop != nil)
		if !attends.AtOnce {
			continue
		}
		a := &attentionWalk[T]{walk: i, post: l.ended.post, four: true, from: attends.From}
		if attends.Apart {
			if !i.separable() || i.own.place != ownBuffer {
				return nil
			}
			a.factors = &factoring[T]{slope: i.slope, among: i.own.buffer, perVertex: 4}
			for _, f := range c.fetchOrder {
				a.factors.of = append(a.factors.of, f.buffer)
			}
		}
		return a
	}
	return nil
}

// matchBack matches the sum of rows and the sum of slopes; nil if they are not that. All
// edge values of the loop are in them, for nothing else reads any.
func (c *compiler[T]) matchBack(sum, slope *ir.Value) *attendBack[T] {
	const parts = 4
	m := matcher{c.base}
	if sum.Op != ir.OpSum || slope.Op != ir.OpSum || sum.Attr.Typed || slope.Attr.Typed || c.place[sum] == nil || c.place[slope] == nil {
		return nil
	}
	for _, weighed := range m.pairs(sum.Args[0], ir.OpMul) {
		rows, w := weighed[0], weighed[1]
		for _, factors := range m.pairs(w, ir.OpMul) {
			power, factor, drop := factors[0], factors[1], (*ir.Value)(nil)
			if power.Op == ir.OpDropout && power.Attr.Res == ir.Edge {
				power, drop = c.base(power.Args[0]), power
			}
			less := m.args(power, ir.OpExp)
			if less == nil {
				continue
			}
			y := m.args(less[0], ir.OpSub)
			if y == nil {
				continue
			}
			score := c.scoreOf(y[0])
			if score == nil {
				continue
			}
			rest := c.slope(slope.Args[0], rows, power, factor, drop, score.x)
			if _, _, group := scaled(c.base(sum.Args[0])); rest == nil || rest.own.Res == ir.Edge || group <= 1 {
				continue
			}
			if !c.isFetched(score.other, 0, parts) || !c.isFetched(y[1], 1, parts) || !c.isFetched(factor, 2, parts) || !c.isFetched(rest.less, 3, parts) {
				continue
			}
			i := &attendBack[T]{}
			i.x, i.rows, i.own, i.slope = c.operand(rows), c.operand(rest.own), c.operand(score.own), T(score.slope)
			i.bound, i.above, i.below = T(rest.bound), T(rest.above), T(rest.below)
			if i.x.place != otherBuffer || i.x.types > 0 || !isOwn(&i.rows) || i.own.width != slope.Width() || i.own.width != w.Width() || i.rows.width != i.x.width {
				continue
			}
			i.acc, i.sums, i.drop = *c.place[sum], *c.place[slope], drop
			return i
		}
	}
	return nil
}

// isFetched tells whether v is the n-th of so many fetches of the kernel, all as wide.
func (c *compiler[T]) isFetched(v *ir.Value, n, of int) bool {
	if n >= of || len(c.fetchOrder) != of || c.fetchedWidth != of*v.Width() || c.computed[v] || c.placeOf(v.Res) != otherBuffer {
		return false
	}
	return c.operandBuffer(v) == c.fetchOrder[n].buffer
}

// operandBuffer is the buffer from which the kernel fetches v, -1 for none.
func (c *compiler[T]) operandBuffer(v *ir.Value) int {
	for v.Op == ir.OpReshape || v.Op.Info().Class == ir.Alias {
		v = v.Args[0]
	}
	if b := c.prog.plan.BufferOf(v); b != nil {
		return b.Index
	}
	return -1
}

// matcher matches values of edges against ops.
type matcher struct {
	base func(v *ir.Value) *ir.Value // what a value reads
}

// args returns what v reads if it is an op of edges, else nil.
func (m matcher) args(v *ir.Value, op ir.Op) []*ir.Value {
	v = m.base(v)
	if v.Op != op || v.Res != ir.Edge {
		return nil
	}
	args := slices.Clone(v.Args)
	for n := range args {
		args[n] = m.base(args[n])
	}
	return args
}

// pairs returns both orders of what v reads if it is a commutative op of edges.
func (m matcher) pairs(v *ir.Value, op ir.Op) [][2]*ir.Value {
	a := m.args(v, op)
	if a == nil {
		return nil
	}
	return [][2]*ir.Value{{a[0], a[1]}, {a[1], a[0]}}
}

// stepParts is one of two numbers by a comparison.
type stepParts struct{ bound, above, below float64 }

// step matches a choice between two numbers by whether x is greater than a third; nil if v is
// not that.
func (m matcher) step(v, x *ir.Value) *stepParts {
	choice := m.args(v, ir.OpSelect)
	if choice == nil || choice[1].Op != ir.OpConst || choice[2].Op != ir.OpConst {
		return nil
	}
	gt := m.args(choice[0], ir.OpGt)
	if gt == nil || gt[0] != x || gt[1].Op != ir.OpConst {
		return nil
	}
	return &stepParts{gt[1].Attr.Num, choice[1].Attr.Num, choice[2].Attr.Num}
}

// slopeParts is what the gradient of a score reads besides.
type slopeParts struct {
	own, less *ir.Value
	*stepParts
}

// slope matches (power·factor·(rows·own) - less·power)·step(x), where rows·own is dropped out
// as drop is, if there is one; nil if it is not that.
func (c *compiler[T]) slope(v, rows, power, factor, drop, x *ir.Value) *slopeParts {
	m := matcher{c.base}
	for _, p := range m.pairs(v, ir.OpMul) {
		difference, step := m.args(p[0], ir.OpSub), m.step(p[1], x)
		if difference == nil || step == nil {
			continue
		}
		for _, dotted := range m.pairs(difference[0], ir.OpMul) {
			w, dot := dotted[0], dotted[1]
			if drop != nil {
				if dot.Op != ir.OpDropout || dot.Attr.Res != ir.Edge || dot.Attr.Site != drop.Attr.Site || dot.Attr.Num != drop.Attr.Num {
					continue
				}
				dot = c.base(dot.Args[0])
			}
			product := m.args(dot, ir.OpReduceTo)
			if !slices.Contains(m.pairs(w, ir.OpMul), [2]*ir.Value{power, factor}) || product == nil || product[0].Op != ir.OpMul || !isDot(dot, product[0]) || dot.Width() != w.Width() {
				continue
			}
			for _, terms := range m.pairs(product[0], ir.OpMul) {
				for _, less := range m.pairs(difference[1], ir.OpMul) {
					if terms[0] == rows && less[1] == power {
						return &slopeParts{terms[1], less[0], step}
					}
				}
			}
		}
	}
	return nil
}
