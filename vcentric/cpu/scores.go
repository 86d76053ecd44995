package cpu

// Superinstructions for scores: numbers of edges, one each, that are combined with a
// number of their row, of which the row wants the largest or a sum (attention). They
// walk the rows once, and nothing of a row is repeated for its edges first.

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// withOwn: dst[e] = x[e] combined by f with the number of e's row
type withOwn[T kern.Float] struct {
	op     ir.Op
	dst    operand[T]
	x, own operand[T]
	f      func(dst, x, own []T, bounds []int32)
}

func (i *withOwn[T]) exec(w *worker[T]) {
	i.f(w.dense(&i.dst), w.dense(&i.x), w.own(&i.own), w.segment[:w.rows+1])
}

// withOwn compiles an op of a number that the kernel has for each edge and one of its row,
// else it returns nil.
func (c *compiler[T]) withOwn(at level, v *ir.Value, x, y *argument[T], dst operand[T]) instr[T] {
	if at != overEdges || dst.width != 1 || x.cast.kind != same || y.cast.kind != same || v.Op == ir.OpSub && isOwn(&x.operand) {
		return nil
	}
	if isOwn(&x.operand) {
		x, y = y, x
	}
	if !x.isDense(at) || !isOwn(&y.operand) {
		return nil
	}
	i := &withOwn[T]{op: v.Op, dst: dst, x: x.operand, own: y.operand}
	set := c.prog.set
	switch v.Op {
	case ir.OpAdd:
		i.f = set.SegmentAdd
	case ir.OpSub:
		i.f = set.SegmentSub
	case ir.OpMul:
		i.f = set.SegmentMul
	default:
		return nil
	}
	return i
}

// scoreMax: dst = x + the row's own number, through a leaky rectifier if it has a slope
// other than 1; acc[r] = the largest of row r
type scoreMax[T kern.Float] struct {
	sum   *withOwn[T]
	kept  bool // others read the sum before the rectifier
	dst   operand[T]
	alone bool // one value reads it, besides the maximum
	slope T
	max   *maximum[T]
}

func (i *scoreMax[T]) exec(w *worker[T]) {
	if !w.more {
		i.max.start(w)
	}
	w.set.SegmentScoreMax(w.dense(&i.dst), i.before(w), w.own(&i.max.acc), w.dense(&i.sum.x), w.own(&i.sum.own), i.slope,
		w.segment[:w.rows+1], w.more)
}

// before is where the sum before the rectifier goes, nil if nothing reads it.
func (i *scoreMax[T]) before(w *worker[T]) []T {
	if i.kept {
		return w.dense(&i.sum.dst)
	}
	return nil
}

// expSum: dst = e^(x - the row's own number); acc[r] = Σ over the edges of row r
type expSum[T kern.Float] struct {
	less *withOwn[T]
	dst  operand[T]
	sum  *sum[T]
}

func (i *expSum[T]) exec(w *worker[T]) {
	if !w.more {
		i.sum.start(w)
	}
	w.set.SegmentExpSum(w.dense(&i.dst), w.own(&i.sum.acc), w.dense(&i.less.x), w.own(&i.less.own), w.segment[:w.rows+1])
}

// stepSum: dst = y times one of two numbers, by a comparison of x; acc[r] = Σ over the
// edges of row r
type stepSum[T kern.Float] struct {
	dst, y, x           operand[T]
	bound, above, below T
	sum                 *sum[T]
}

func (i *stepSum[T]) exec(w *worker[T]) {
	if !w.more {
		i.sum.start(w)
	}
	w.set.SegmentStepSum(w.dense(&i.dst), w.own(&i.sum.acc), w.dense(&i.y), w.dense(&i.x), i.bound, i.above, i.below, w.segment[:w.rows+1])
}

// softmax: a scoreMax, and the expSum of the scores less the row's maximum, which is in
// the next loop
type softmax[T kern.Float] struct {
	max *scoreMax[T]
	exp *expSum[T]
}

func (i *softmax[T]) exec(w *worker[T]) {
	m, e := i.max, i.exp
	w.set.SegmentSoftmax(w.dense(&e.dst), m.before(w), w.own(&m.max.acc), w.own(&e.sum.acc), w.dense(&m.sum.x), w.own(&m.sum.own), m.slope,
		w.segment[:w.rows+1])
}

// softmaxes finds softmaxes of which a tile that has all edges of its rows needs nothing
// but the exponentials, the maxima and the sums: such a tile computes them in one walk.
func softmaxes[T kern.Float](loops []*loop[T]) {
	for n := 1; n < len(loops); n++ {
		before, l := loops[n-1], loops[n]
		for at, i := range before.fresh {
			m, ok := i.(*scoreMax[T])
			if !ok || !m.alone {
				continue
			}
			reads := func(i instr[T]) bool {
				e, ok := i.(*expSum[T])
				return ok && e.less.x.equal(&m.dst) && e.less.own.equal(&m.max.acc)
			}
			found := slices.IndexFunc(l.fresh, reads)
			if found < 0 {
				continue
			}
			e := l.fresh[found].(*expSum[T])
			before.fresh[at] = &softmax[T]{m, e}
			l.fresh = slices.Delete(l.fresh, found, found+1)
		}
	}
}

// scores finds the superinstructions of a loop: aggregates of numbers that it computes.
func (c *compiler[T]) scores(l *loop[T], reduce []*ir.Value, done map[*ir.Value]instr[T]) {
	for n, r := range reduce {
		v := r.Args[0]
		switch a := l.reduce[n].(type) {
		case *maximum[T]:
			if c.scoreMax(l, v, a, done) {
				l.reduce[n] = fed[T]{a}
			}
		case *sum[T]:
			if c.expSum(l, v, a, done) || c.stepSum(l, v, a, done) {
				l.reduce[n] = fed[T]{a}
			}
		}
	}
}

// scoreMax puts the superinstruction of a maximum of v, if there is one, in the place of
// the sum that it begins with. It tells whether there is.
func (c *compiler[T]) scoreMax(l *loop[T], v *ir.Value, m *maximum[T], done map[*ir.Value]instr[T]) bool {
	i := &scoreMax[T]{slope: 1, dst: m.x, alone: c.edgeReaders(v) == 2, max: m}
	sum := v
	if v.Op == ir.OpLeakyRelu {
		i.slope = T(v.Attr.Num)
		sum = v.Args[0]
		i.kept = c.uses[sum] > 1
	}
	var ok bool
	i.sum, ok = done[sum].(*withOwn[T])
	return ok && i.sum.op == ir.OpAdd && m.types == 0 && l.replace(i, done[sum], done[v])
}

// expSum puts the superinstruction of a sum of v, if there is one, in the place of the
// difference that it begins with.
func (c *compiler[T]) expSum(l *loop[T], v *ir.Value, s *sum[T], done map[*ir.Value]instr[T]) bool {
	if v.Op != ir.OpExp || s.types > 0 {
		return false
	}
	i := &expSum[T]{dst: s.x, sum: s}
	less := v.Args[0]
	var ok bool
	i.less, ok = done[less].(*withOwn[T])
	return ok && i.less.op == ir.OpSub && c.uses[less] == 1 && l.replace(i, done[less], done[v])
}

// stepSum puts the superinstruction of a sum of v, if there is one, in the place of v.
func (c *compiler[T]) stepSum(l *loop[T], v *ir.Value, s *sum[T], done map[*ir.Value]instr[T]) bool {
	if v.Op != ir.OpMul || s.types > 0 || v.Width() != 1 {
		return false
	}
	for n, step := range v.Args {
		y := c.base(v.Args[1-n])
		f, ok := done[step].(*unary[T])
		if !ok || step.Op != ir.OpSelect || c.uses[step] > 1 || done[y] == nil || f.x.cast.kind != same || !f.x.isDense(overEdges) {
			continue
		}
		gt := step.Args[0]
		i := &stepSum[T]{
			dst: s.x, y: c.operand(y), x: f.x.operand, sum: s,
			bound: T(gt.Args[1].Attr.Num), above: T(step.Args[1].Attr.Num), below: T(step.Args[2].Attr.Num),
		}
		if l.replace(i, done[v], done[step]) {
			return true
		}
	}
	return false
}

// replace puts i in the place of another instruction and leaves those out that it makes
// superfluous, if the loop is the first to run any of them. It tells whether it is.
func (l *loop[T]) replace(i, place instr[T], with ...instr[T]) bool {
	for _, old := range append(with, place) {
		if !slices.Contains(l.fresh, old) {
			return false
		}
	}
	in := func(list []instr[T]) []instr[T] {
		var out []instr[T]
		for _, old := range list {
			switch {
			case old == place:
				out = append(out, i)
			case !slices.Contains(with, old):
				out = append(out, old)
			}
		}
		return out
	}
	l.all, l.fresh = in(l.all), in(l.fresh)
	return true
}
