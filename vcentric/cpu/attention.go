package cpu

// Attention in one walk: the kernels that its passes become, forward and backward, have
// one instruction for tiles that have all edges of their rows, in the place of all that
// their loops have. Which kernels these are is seen from their values (GAT, Veličković et
// al. 2018; the backward pass is that of Seastar §5 with the sums taken apart).

import (
	"slices"

	"github.com/asterias-ml/asterias/graph"
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
}

// fewEdges is how many edges a row has on average where the instructions one by one, which
// take rows of one edge side by side, are as fast.
const fewEdges = 4

// attends returns the attention that the kernel computes at once on a graph; nil if there
// is none. Whether does not depend on the tile: what a row gets, must not either.
func (k *kernel[T]) attends(csr *graph.CSR, beside []T) *attentionWalk[T] {
	a := k.attention
	if a == nil || csr == nil || len(csr.Neighbors) < fewEdges*csr.NumRows() || a.four && beside == nil {
		return nil
	}
	return a
}

// attentionOperands is what both ways read and write.
type attentionOperands[T kern.Float] struct {
	x, own              operand[T] // rows at the other ends; the row's part of the scores
	slope               T
	bound, above, below T
	acc, sums           operand[T]
}

func (o *attentionOperands[T]) of(w *worker[T]) kern.Attention[T] {
	x, ids := w.indexed(&o.x)
	if n := kern.AttendScratch(w.edges); len(w.attending) < n {
		w.attending = make([]T, max(n, kern.AttendScratch(w.kernel.wholeEdges)))
	}
	return kern.Attention[T]{
		X: x, Width: o.x.width, IDs: ids, Bounds: w.segment[:w.rows+1], Own: w.own(&o.own),
		Slope: o.slope, Bound: o.bound, Above: o.above, Below: o.below,
		Acc: w.own(&o.acc), Sums: w.own(&o.sums), Past: w.past(&o.acc), Scratch: w.attending,
	}
}

// attend is attention's forward pass: softmax of scores, and the sums that it weighs.
type attend[T kern.Float] struct {
	attentionOperands[T]
	scores int // the buffer
	most   operand[T]
	least  T
	twice  bool // it computes what backward wants of the same rows
	second struct{ acc, sums operand[T] }
}

func (i *attend[T]) exec(w *worker[T]) {
	a := kern.AttendForward[T]{
		Attention: i.of(w), Scores: w.run.mem.Floats[i.scores], Most: w.own(&i.most), Least: i.least,
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
	w.set.SegmentAttendBack(kern.AttendBackward[T]{Attention: i.of(w), Quads: w.beside, Rows: w.own(&i.rows)})
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
		return c.attendsForward(k.loops, p.Loops[1].Post)
	}
	return nil
}

// attendsForward matches the instructions: scores are fetched, their softmax follows, and,
// for backward, a step; then come sums that the softmax weighs and the sum of it divides.
func (c *compiler[T]) attendsForward(loops []*loop[T], post []*ir.Value) *attentionWalk[T] {
	first, second := loops[0], loops[1]
	if len(first.fresh) != 2 || len(second.fresh) > 1 || len(first.ended.post) > 0 || !allFed(first.ended.reduce) || !allFed(second.ended.reduce) {
		return nil
	}
	f, ok := first.fresh[0].(*fetch[T])
	soft, ok2 := first.fresh[1].(*softmax[T])
	if !ok || !ok2 || f.dst.width != 1 || !f.dst.equal(&soft.max.sum.x) {
		return nil
	}
	i := &attend[T]{scores: f.buffer, most: soft.max.max.acc}
	i.own, i.slope, i.sums = soft.max.sum.own, soft.max.slope, soft.exp.sum.acc
	var sum *scaledSum[T]
	var by *operand[T]
	var done instr[T]
	for _, e := range second.ended.post {
		switch e := e.(type) {
		case *endedSum[T]:
			s, ok := e.sum.(*scaledSum[T])
			if !ok || done != nil || len(second.fresh) > 0 || len(second.ended.reduce) != 1 {
				return nil
			}
			sum, by, i.acc, done = s, &e.by, e.dst, e
		case *endedPair[T]:
			if done != nil || len(second.fresh) == 0 || len(second.ended.reduce) != 2 {
				return nil
			}
			step, ok := second.fresh[0].(*stepSum[T])
			if !ok || !soft.max.kept || !step.x.equal(&soft.max.sum.dst) || !step.y.equal(&soft.exp.dst) || !e.sums.second.weight.equal(&step.dst) {
				return nil
			}
			sum, by, i.acc, done = e.sums.scaledSum, &e.by, e.dst, e
			i.twice, i.second.acc, i.second.sums = true, e.dst2, step.sum.acc
			i.bound, i.above, i.below = step.bound, step.above, step.below
		}
	}
	if done == nil || sum.types > 0 || sum.x.place != otherBuffer || sum.group != sum.x.width || !sum.weight.equal(&soft.exp.dst) ||
		!c.prog.set.AttendsAtOnce(sum.x.width) {
		return nil
	}
	if i.least, ok = c.dividedBy(post, by, &i.sums); !ok {
		return nil
	}
	i.x = sum.x
	rest := slices.DeleteFunc(slices.Clone(second.ended.post), func(e instr[T]) bool { return e == done })
	return &attentionWalk[T]{walk: i, post: rest}
}

func allFed[T kern.Float](reduce []reducer[T]) bool {
	return !slices.ContainsFunc(reduce, func(r reducer[T]) bool { _, ok := r.(fed[T]); return !ok })
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
// of which most, factor and less are numbers of the vertex at the other end.
func (c *compiler[T]) attendsBack(l *loop[T], p *plan.Loop) *attentionWalk[T] {
	if len(p.Reduce) != 2 || len(l.ended.reduce) != len(l.reduce) || c.fetchedWidth != 4 || len(c.fetchOrder) != 4 {
		return nil
	}
	for n, sum := range p.Reduce {
		if i := c.matchBack(sum, p.Reduce[1-n]); i != nil && c.prog.set.AttendsAtOnce(i.x.width) {
			return &attentionWalk[T]{walk: i, post: l.ended.post, four: true}
		}
	}
	return nil
}

// matchBack matches the sum of rows and the sum of slopes; nil if they are not that. All
// edge values of the loop are in them, for nothing else reads any.
func (c *compiler[T]) matchBack(sum, slope *ir.Value) *attendBack[T] {
	m := matcher{c.base}
	if sum.Op != ir.OpSum || slope.Op != ir.OpSum || sum.Attr.Typed || slope.Attr.Typed || sum.Width() <= 1 || slope.Width() != 1 {
		return nil
	}
	for _, weighed := range m.pairs(sum.Args[0], ir.OpMul) {
		rows, w := weighed[0], weighed[1]
		for _, factors := range m.pairs(w, ir.OpMul) {
			power, factor := factors[0], factors[1]
			less := m.args(power, ir.OpExp)
			if less == nil {
				continue
			}
			y := m.args(less[0], ir.OpSub)
			if y == nil {
				continue
			}
			rectified := m.args(y[0], ir.OpLeakyRelu)
			if rectified == nil {
				continue
			}
			for _, terms := range m.pairs(rectified[0], ir.OpAdd) {
				own, score := terms[0], terms[1]
				rest := m.slope(slope.Args[0], w, rows, power, rectified[0])
				if rest == nil {
					continue
				}
				if rest.own.Res == ir.Edge || !c.isFetched(score, 0) || !c.isFetched(y[1], 1) || !c.isFetched(factor, 2) || !c.isFetched(rest.less, 3) {
					continue
				}
				i := &attendBack[T]{}
				i.x, i.rows, i.own = c.operand(rows), c.operand(rest.own), c.operand(own)
				i.slope = T(m.base(y[0]).Attr.Num)
				i.bound, i.above, i.below = T(rest.bound), T(rest.above), T(rest.below)
				if i.x.place != otherBuffer || i.x.types > 0 || !isOwn(&i.rows) || !isOwn(&i.own) || i.own.width != 1 || i.rows.width != i.x.width ||
					c.place[sum] == nil || c.place[slope] == nil {
					continue
				}
				i.acc, i.sums = *c.place[sum], *c.place[slope]
				return i
			}
		}
	}
	return nil
}

// isFetched tells whether v is the kernel's fetch at a column, of one number.
func (c *compiler[T]) isFetched(v *ir.Value, column int) bool {
	f := c.fetchOrder[column]
	return !c.computed[v] && c.placeOf(v.Res) == otherBuffer && f.dst.width == 1 && f.column == column && c.fetched[f.buffer] == f && c.operandBuffer(v) == f.buffer
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

// slopeParts is what the gradient of a score reads besides.
type slopeParts struct {
	own, less           *ir.Value
	bound, above, below float64
}

// slope matches (w·(rows·own) - less·power)·step(x); nil if it is not that.
func (m matcher) slope(v, w, rows, power, x *ir.Value) *slopeParts {
	for _, p := range m.pairs(v, ir.OpMul) {
		difference, choice := m.args(p[0], ir.OpSub), m.args(p[1], ir.OpSelect)
		if difference == nil || choice == nil || choice[1].Op != ir.OpConst || choice[2].Op != ir.OpConst {
			continue
		}
		gt := m.args(choice[0], ir.OpGt)
		if gt == nil || gt[0] != x || gt[1].Op != ir.OpConst {
			continue
		}
		for _, dotted := range m.pairs(difference[0], ir.OpMul) {
			dot := m.args(dotted[1], ir.OpReduceTo)
			if dotted[0] != w || dot == nil {
				continue
			}
			for _, product := range m.pairs(dot[0], ir.OpMul) {
				for _, less := range m.pairs(difference[1], ir.OpMul) {
					if product[0] == rows && less[1] == power {
						return &slopeParts{product[1], less[0], gt[1].Attr.Num, choice[1].Attr.Num, choice[2].Attr.Num}
					}
				}
			}
		}
	}
	return nil
}
