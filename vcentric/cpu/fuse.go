package cpu

// Superinstructions: a product whose only reader is a sum is computed inside
// the sum, by a row kernel that keeps its accumulators in registers; a comparison
// whose only reader selects one of two numbers, inside the selection.

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// absorb finds out whether v computes its product operand itself.
func (c *compiler[T]) absorb(v *ir.Value) {
	switch v.Op {
	case ir.OpSum:
		if m := c.product(v); m != nil && m.Res == ir.Edge {
			if _, _, group := scaled(m); group > 0 && !c.isNarrow(m) {
				c.inside[m] = true
			}
		}
	case ir.OpReduceTo:
		if m := c.product(v); m != nil && m.Res == v.Res {
			_, _, rows, _, _ := matrixOf(v, m)
			c.inside[m] = rows > 0 || isDot(v, m)
		}
	case ir.OpSelect:
		if gt := v.Args[0]; c.isStep(v) || c.isGate(v) {
			c.inside[gt] = true
		}
	}
}

// isNarrow tells whether m has few columns, and its factors are edge values that the
// kernel computes: then there are no rows to pick for it.
func (c *compiler[T]) isNarrow(m *ir.Value) bool {
	for _, a := range m.Args {
		if b := c.base(a); b.Res != ir.Edge || !c.computed[b] || a.Width() != m.Width() {
			return false
		}
	}
	return m.Width() <= rowwise
}

// isStep tells whether v selects one of two numbers by a comparison with a third
// that nothing else reads: the slope of a rectifier.
func (c *compiler[T]) isStep(v *ir.Value) bool {
	gt := v.Args[0]
	return gt.Op == ir.OpGt && c.computed[gt] && c.uses[gt] == 1 && gt.Res == v.Res &&
		gt.Args[1].Op == ir.OpConst && v.Args[1].Op == ir.OpConst && v.Args[2].Op == ir.OpConst
}

// isGate tells whether v is x where another edge value is positive, and 0 elsewhere, by a
// comparison that nothing else reads: the gradient of a rectifier.
func (c *compiler[T]) isGate(v *ir.Value) bool {
	gt, x := v.Args[0], v.Args[1]
	isZero := func(a *ir.Value) bool { return a.Op == ir.OpConst && a.Attr.Num == 0 }
	return gt.Op == ir.OpGt && c.computed[gt] && c.uses[gt] == 1 && v.Res == ir.Edge && gt.Res == v.Res &&
		isZero(gt.Args[1]) && isZero(v.Args[2]) && x.Op != ir.OpConst &&
		c.computed[c.base(gt.Args[0])] && gt.Args[0].Shape.Equal(v.Shape) && x.Shape.Equal(v.Shape)
}

// gate compiles what isGate has found. Where the loop has the rectifier's result, it is
// positive where its operand is, which then may have no other reader.
func (c *compiler[T]) gate(at level, v *ir.Value) instr[T] {
	by := v.Args[0].Args[0]
	if loops := c.plan.Loops; len(loops) == 1 {
		for _, r := range loops[0].Edge {
			if r.Op == ir.OpRelu && r.Args[0] == by && c.place[r] != nil {
				c.uses[by]--
				by = r
				break
			}
		}
	}
	set, least := c.prog.set, leastPositive[T]()
	f := func(dst, x, y []T) { set.ClampGrad(dst, x, y, least, T(math.Inf(1))) }
	return &binary[T]{at: at, x: c.argument(v.Args[1], v.Shape), y: c.argument(by, v.Shape), dst: c.register(at, v), f: f}
}

// leastPositive is the least number above 0.
func leastPositive[T kern.Float]() T {
	if _, ok := any(T(0)).(float64); ok {
		return T(math.SmallestNonzeroFloat64)
	}
	least := float32(math.SmallestNonzeroFloat32)
	return T(least)
}

// product is v's operand if that is a product that the kernel computes for v
// alone, else nil.
func (c *compiler[T]) product(v *ir.Value) *ir.Value {
	m := v.Args[0]
	for c.isAlias(m) && c.uses[m] == 1 {
		m = m.Args[0]
	}
	if m.Op == ir.OpMul && c.computed[m] && c.uses[m] == 1 && m.Width() > 0 {
		return m
	}
	return nil
}

// scaled sees a product as rows x whose groups of neighbouring columns are
// scaled with one weight each, or whose columns are with a row of edge values;
// group is 0 where it is no such product.
func scaled(m *ir.Value) (x, weight *ir.Value, group int) {
	a, b := newCast(m.Args[0].Shape, m.Shape), newCast(m.Args[1].Shape, m.Shape)
	switch {
	case a.kind == same && b.kind == inner:
		return m.Args[0], m.Args[1], b.group
	case a.kind == inner && b.kind == same:
		return m.Args[1], m.Args[0], a.group
	case a.kind != same || b.kind != same || m.Width() == 1:
	case m.Args[1].Res == ir.Edge:
		return m.Args[0], m.Args[1], 1
	case m.Args[0].Res == ir.Edge:
		return m.Args[1], m.Args[0], 1
	}
	return nil, nil, 0
}

// isDot tells whether the reduction v of the product m is a dot product of
// groups of neighbouring columns.
func isDot(v, m *ir.Value) bool {
	return newCast(v.Shape, v.Args[0].Shape).kind == inner &&
		newCast(m.Args[0].Shape, m.Shape).kind == same && newCast(m.Args[1].Shape, m.Shape).kind == same
}

func (c *compiler[T]) reduceTo(at level, v *ir.Value) instr[T] {
	cast := newCast(v.Shape, v.Args[0].Shape)
	switch m := c.product(v); {
	case m == nil || !c.inside[m]:
	case !isDot(v, m):
		return c.rowMatrix(at, v, m)
	default:
		x, y := c.operand(m.Args[0]), c.operand(m.Args[1])
		c.charge(at, m.Width())
		if y.place == paramBuffer || at == overEdges && !isOwn(&x) && x.place != paramBuffer {
			x, y = y, x
		}
		if at == overRows || !isOwn(&x) && !(y.isDense(at) && (x.isDense(at) || x.place == paramBuffer && x.types == 0)) {
			c.scratch[at] = max(c.scratch[at], m.Width()) // to lay them side by side
		}
		return &dot[T]{at: at, x: x, y: y, dst: c.register(at, v), group: cast.group}
	}
	c.scratch[at] = max(c.scratch[at], v.Args[0].Width())
	return &reduction[T]{at: at, x: c.operand(v.Args[0]), dst: c.register(at, v), cast: cast}
}

// dot: dst[g] = Σ over the columns k of group g of x[k]*y[k]
type dot[T kern.Float] struct {
	at    level
	dst   operand[T]
	x, y  operand[T] // if one is a parameter, or over edges the row's own, it is x
	group int
}

func (i *dot[T]) exec(w *worker[T]) {
	dst, width, groups := w.dense(&i.dst), i.x.width, i.dst.width
	if i.at == overRows && i.x.place == paramBuffer {
		y := w.side(&i.y, i.at, w.scratch[1])
		w.set.GatherDotHeads(dst, groups, w.run.mem.Floats[i.x.buffer], y, width, w.run.prog.iota[:w.rows], i.group)
		return
	}
	if i.at == overRows {
		x, y := w.side(&i.x, i.at, w.scratch[0]), w.side(&i.y, i.at, w.scratch[1])
		w.set.DotEach(dst, x[:len(dst)*i.group], y, i.group)
		return
	}
	switch {
	case i.x.isDense(i.at) && i.y.isDense(i.at):
		w.set.DotEach(dst, w.dense(&i.x), w.dense(&i.y), i.group)
		return
	case i.y.isDense(i.at) && i.x.place == paramBuffer && i.x.types == 0:
		w.set.GatherDotHeads(dst, groups, w.run.mem.Floats[i.x.buffer], w.dense(&i.y), width, w.run.prog.iota[:w.edges], i.group)
		return
	}
	if !isOwn(&i.x) {
		x, y := w.side(&i.x, i.at, w.scratch[0]), w.side(&i.y, i.at, w.scratch[1])
		w.set.DotEach(dst, x[:len(dst)*i.group], y, i.group)
		return
	}
	y, ys := w.indexed(&i.y)
	x := w.own(&i.x)
	for r := range w.rows {
		lo, hi := int(w.segment[r]), int(w.segment[r+1])
		i.pick(w, dst[lo*groups:], x[r*width:(r+1)*width], y, ys[lo:hi])
	}
}

// pick multiplies a row with those of y that ids picks.
func (i *dot[T]) pick(w *worker[T], dst, row, y []T, ids []int32) {
	switch {
	case len(ids) == 0:
	case i.dst.width == 1:
		w.set.GatherDot(dst, 1, row, y, len(row), ids)
	default:
		w.set.GatherDotHeads(dst, i.dst.width, row, y, len(row), ids, i.group)
	}
}

// reducer compiles an aggregate.
func (c *compiler[T]) reducer(v *ir.Value) reducer[T] {
	types := 0
	if v.Attr.Typed {
		types = c.prog.plan.Program.Types.Edge
	}
	c.charge(overEdges, v.Args[0].Width())
	if m := c.product(v); v.Op == ir.OpSum && m != nil && c.inside[m] {
		x, weight, group := scaled(m)
		c.scratch[overEdges] = max(c.scratch[overEdges], weight.Width())
		s := &scaledSum[T]{x: c.operand(x), weight: c.operand(weight), acc: c.register(overRows, v), group: group, types: types}
		s.ofGraph = c.weightOfGraph(s, weight)
		return s
	}
	x := c.operand(v.Args[0])
	switch v.Op {
	case ir.OpSum:
		if x.width == 1 { // read side by side
			c.scratch[overEdges] = max(c.scratch[overEdges], x.width)
		}
		return &sum[T]{x: x, acc: c.register(overRows, v), types: types, listed: c.listing.reads(v.Args[0])}
	case ir.OpMax:
		return &maximum[T]{x: x, acc: c.register(overRows, v), types: types}
	case ir.OpArgmax:
		best := operand[T]{place: ownRegister, width: v.Width(), offset: c.row}
		c.row += v.Width()
		return &argmax[T]{x: x, best: best, acc: c.register(overRows, v), types: types}
	}
	panic(fmt.Sprintf("BUG: cpu: no aggregate for %v", v))
}
