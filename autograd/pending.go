// Element-wise operations that a Scope puts off, and the chains they become.

package autograd

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

const (
	// pendingElements is from how many elements on operations of a Scope are put off on
	// the CPU: below, the intermediate results stay in the caches anyway. On a device a kernel less
	// is worth it at any size.
	pendingElements = 1 << 14
	// maxChain is how many operations become one at most.
	maxChain = 32
)

// A pending is the operation whose result a Var will be when somebody wants it.
type pending struct {
	op     tensor.ChainOp
	a, b   operand // b is the zero one for operations of one operand
	c, d   float64
	shape  tensor.Shape
	dtype  tensor.DType
	device *tensor.Device
	steps  int // of the chain, at most: counted along every path

	// What wants the scope's lock.
	ran   bool           // computed already, in the chain of another result
	value *tensor.Tensor // once it was computed by itself
}

// An operand of an operation that is put off is a tensor, or what another one will give. It
// is no Var: SetTensor and the like may give that another tensor until then, as BatchNorm1d
// does its running estimates.
type operand struct {
	pending *pending
	value   *tensor.Tensor
}

// operandOf returns v as an operand of what s puts off. Until that is computed, an optimiser
// may have written what it trains: of that it is a copy.
func operandOf(v *Var, s *scope) operand {
	if p := v.pending.Load(); p != nil {
		return operand{pending: p}
	}
	if !v.isTrained() {
		return operand{value: v.value}
	}
	t := v.value.Clone()
	s.add(t, nil)
	return operand{value: t}
}

// putOff returns the result of an element-wise operation as one to be computed when
// it is wanted; nil if it is to be computed now.
func (v *Var) putOff(op tensor.ChainOp, c, d float64) *Var {
	if v == nil || v.region == nil || v.region.scope == nil {
		return nil
	}
	return newPending(&pending{op: op, c: c, d: d}, v.region, v, nil)
}

// putOffWith is putOff for two operands.
func (v *Var) putOffWith(op tensor.ChainOp, w *Var) *Var {
	if v == nil || w == nil || v.region == nil && w.region == nil {
		return nil
	}
	return newPending(&pending{op: op}, v.region.join(w.region), v, w)
}

// newPending puts p off, an operation on a and, unless it is nil, b.
func newPending(p *pending, reg *region, a, b *Var) *Var {
	requires := a.requires || b != nil && b.requires
	switch {
	case reg.scope == nil || reg.scope.putsOff == 0 || reg.pass != nil || reg.anomaly || reg.records(requires):
		return nil
	case !a.fitsChain() || b != nil && !b.fitsChain() || !reg.scope.isOpen():
		return nil
	}
	p.shape, p.dtype, p.device = a.Shape(), a.DType(), a.Device()
	if b != nil {
		row := b.Shape()
		if p.shape.RepeatsTo(row) {
			p.shape, row = row, p.shape
		}
		if b.DType() != p.dtype || b.Device() != p.device || !row.RepeatsTo(p.shape) {
			return nil
		}
	}
	if p.device == nil && p.shape.Size() < reg.scope.putsOff {
		return nil
	}
	if a.isTrainedOf(p.shape) || b != nil && b.isTrainedOf(p.shape) { // a copy is no less than the result
		return nil
	}
	p.steps = 1 + a.stepsOf(p.shape, reg.scope)
	if b != nil {
		p.steps += b.stepsOf(p.shape, reg.scope)
	}
	if p.steps > maxChain {
		a.settle()
		if b != nil {
			b.settle()
		}
		p.steps = 1
	}
	if p.a = operandOf(a, reg.scope); b != nil {
		p.b = operandOf(b, reg.scope)
	}
	v := &Var{region: reg}
	v.pending.Store(p)
	return v
}

// fitsChain reports whether v may be an operand of a chain.
func (v *Var) fitsChain() bool {
	return v.pending.Load() != nil || v.value != nil && !v.value.Freed() && v.value.IsContiguous() && v.value.DType().IsFloat()
}

// isTrainedOf reports whether v is trained and has a shape.
func (v *Var) isTrainedOf(shape tensor.Shape) bool {
	return v.isTrained() && v.value.Shape().Equal(shape)
}

// stepsOf returns how many steps v adds to a chain of a scope whose results have a
// shape. What another scope put off is settled, and what is repeated in the chain.
func (v *Var) stepsOf(shape tensor.Shape, s *scope) int {
	p := v.pending.Load()
	switch {
	case p == nil:
		return 0
	case v.region.scope != s || !p.shape.Equal(shape):
		v.settle()
		return 0
	}
	return p.steps
}

// settle computes what was put off, if v was.
func (v *Var) settle() {
	if v.pending.Load() == nil {
		return
	}
	s := v.region.scope
	s.mu.Lock()
	defer s.mu.Unlock()
	v.settleLocked(s)
}

func (v *Var) settleLocked(s *scope) {
	p := v.pending.Load()
	if p == nil { // another goroutine was first
		return
	}
	if s.endedLocked() {
		misuse("Scope", "a result that was never wanted in a Scope is wanted after it has ended", p.shape)
	}
	p.compute(s)
	v.value = p.value
	v.pending.Store(nil) // after the value, for readers without the lock
}

// compute runs the operation, unless it was. It wants the scope's lock.
func (p *pending) compute(s *scope) {
	if p.value != nil {
		return
	}
	c := newChain(p, s)
	p.value = tensor.Chain(c.xs, c.steps)
	p.a, p.b = operand{}, operand{} // whose memory those that wait for this one do not need
	s.list(p.value)
}

// A chain is a program for tensor.Chain in the making.
type chain struct {
	scope   *scope
	xs      []*tensor.Tensor
	steps   []tensor.ChainStep
	numbers map[*pending]int // of the steps
}

// newChain returns the chain whose result is that of p, which s has put off. It wants the lock.
func newChain(p *pending, s *scope) *chain {
	c := &chain{scope: s, numbers: map[*pending]int{}}
	c.step(p)
	return c
}

// number returns the number of an operand.
func (c *chain) number(o operand) int {
	x := o.value
	if p := o.pending; p != nil {
		if i, is := c.numbers[p]; is {
			return i
		}
		if p.ran { // a second time: from now on it is kept
			p.compute(c.scope)
		}
		if p.value == nil {
			return c.step(p)
		}
		x = p.value
	}
	i := slices.Index(c.xs, x)
	if i < 0 {
		i, c.xs = len(c.xs), append(c.xs, x)
	}
	return ^i
}

// step adds an operation, after those of its operands.
func (c *chain) step(p *pending) int {
	step := tensor.ChainStep{Op: p.op, A: c.number(p.a), C: p.c, D: p.d}
	if p.b != (operand{}) {
		step.B = c.number(p.b)
	}
	p.ran = true
	c.steps = append(c.steps, step)
	c.numbers[p] = len(c.steps) - 1
	return c.numbers[p]
}
