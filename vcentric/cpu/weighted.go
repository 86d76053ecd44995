package cpu

// Sums and differences of two rows, each times a constant, such as (1-α)·Σ + α·x: one walk
// over both, and a result that is not read soon goes past the caches.

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// axpby is what a row value is the sum of: a·x + b·y.
type axpby struct {
	x, y *ir.Value
	a, b float64
	any  bool // is not 1
}

// absorbWeights finds out whether v, a row value, is such a sum, and what it makes
// superfluous.
func (c *compiler[T]) absorbWeights(v *ir.Value) {
	if v.Op != ir.OpAdd && v.Op != ir.OpSub || v.Res == ir.Edge || v.Width() < rowwise || c.inside[v] || c.bias[v] != nil {
		return
	}
	x, a := c.withoutWeight(v.Args[0])
	y, b := c.withoutWeight(v.Args[1])
	if !x.Shape.Equal(v.Shape) || !y.Shape.Equal(v.Shape) {
		return
	}
	s := &axpby{x, y, a, b, x != v.Args[0] || y != v.Args[1]}
	for n, u := range []*ir.Value{x, y} {
		if u != v.Args[n] {
			c.inside[v.Args[n]] = true
		}
	}
	if v.Op == ir.OpSub {
		s.b = -b
	}
	c.axpby[v] = s
}

// withoutWeight returns x and a if v is a·x that nothing else reads, else v and 1.
func (c *compiler[T]) withoutWeight(v *ir.Value) (*ir.Value, float64) {
	if v.Op != ir.OpMul || !c.computed[v] || c.uses[v] != 1 || c.inside[v] {
		return v, 1
	}
	for n, a := range v.Args {
		if x := v.Args[1-n]; a.Op == ir.OpConst && x.Op != ir.OpConst && x.Shape.Equal(v.Shape) {
			return x, a.Attr.Num
		}
	}
	return v, 1
}

// weightedSum compiles a sum that absorbWeights has found; it returns nil if there is
// nothing to win.
func (c *compiler[T]) weightedSum(at level, v *ir.Value) instr[T] {
	s := c.axpby[v]
	if s == nil || !s.any && (c.place[v] == nil || c.place[v].place != ownBuffer) {
		return nil
	}
	for _, u := range []*ir.Value{v, s.x, s.y} {
		c.spread(at, u)
	}
	return &weightedSum[T]{x: c.operand(s.x), y: c.operand(s.y), a: T(s.a), b: T(s.b), dst: c.register(at, v)}
}

// weightedSum: dst = a·x + b·y over rows
type weightedSum[T kern.Float] struct {
	dst, x, y operand[T]
	a, b      T
}

func (i *weightedSum[T]) exec(w *worker[T]) {
	x, y := w.side(&i.x, overRows, w.scratch[0]), w.side(&i.y, overRows, w.scratch[1])
	w.set.Axpby(w.own(&i.dst), x, y, i.a, i.b, w.past(&i.dst))
}
