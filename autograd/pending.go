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
	a, b   *Var // b is nil for operations of one operand
	c, d   float64
	shape  tensor.Shape
	dtype  tensor.DType
	device *tensor.Device
	steps  int // of the chain, at most: counted along every path

	ran bool // computed already, in the chain of another result; wants the scope's lock
}

// putOff returns the result of an element-wise operation as one to be computed when
// it is wanted; nil if it is to be computed now.
func (v *Var) putOff(op tensor.ChainOp, c, d float64) *Var {
	if v == nil || v.region == nil || v.region.scope == nil {
		return nil
	}
	return newPending(&pending{op: op, a: v, c: c, d: d}, v.region)
}

// putOffWith is putOff for two operands.
func (v *Var) putOffWith(op tensor.ChainOp, w *Var) *Var {
	if v == nil || w == nil || v.region == nil && w.region == nil {
		return nil
	}
	return newPending(&pending{op: op, a: v, b: w}, v.region.join(w.region))
}

func newPending(p *pending, reg *region) *Var {
	requires := p.a.requires || p.b != nil && p.b.requires
	switch {
	case reg.scope == nil || reg.scope.putsOff == 0 || reg.pass != nil || reg.anomaly || reg.records(requires):
		return nil
	case !p.a.fitsChain() || p.b != nil && !p.b.fitsChain() || reg.scope.stateNow() != scopeOpen:
		return nil
	}
	p.shape, p.dtype, p.device = p.a.Shape(), p.a.DType(), p.a.Device()
	if p.b != nil {
		row := p.b.Shape()
		if p.shape.RepeatsTo(row) {
			p.shape, row = row, p.shape
		}
		if p.b.DType() != p.dtype || p.b.Device() != p.device || !row.RepeatsTo(p.shape) {
			return nil
		}
	}
	if p.device == nil && p.shape.Size() < reg.scope.putsOff {
		return nil
	}
	p.steps = 1 + p.a.stepsOf(p.shape, reg.scope)
	if p.b != nil {
		p.steps += p.b.stepsOf(p.shape, reg.scope)
	}
	if p.steps > maxChain {
		p.a.settle()
		if p.b != nil {
			p.b.settle()
		}
		p.steps = 1
	}
	v := &Var{region: reg}
	v.pending.Store(p)
	return v
}

// fitsChain reports whether v may be an operand of a chain.
func (v *Var) fitsChain() bool {
	return v.pending.Load() != nil || v.value != nil && v.value.IsContiguous() && v.value.DType().IsFloat()
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
	if v.pending.Load() == nil { // another goroutine was first
		return
	}
	if s.state == scopeEnded {
		misuse("Scope", "a result that was never wanted in a Scope is wanted after it has ended", v.pending.Load().shape)
	}
	c := newChain(v, s)
	v.value = tensor.Chain(c.xs, c.steps)
	s.list(v.value)
	v.pending.Store(nil) // after the value, for readers without the lock
}

// A chain is a program for tensor.Chain in the making.
type chain struct {
	scope   *scope
	xs      []*tensor.Tensor
	steps   []tensor.ChainStep
	numbers map[*Var]int // of the pending Vars that are steps already
}

// newChain returns the chain whose result is v, which s has put off. It wants the lock.
func newChain(v *Var, s *scope) *chain {
	c := &chain{scope: s, numbers: map[*Var]int{}}
	c.step(v, v.pending.Load())
	return c
}

// value returns the number of an operand.
func (c *chain) value(v *Var) int {
	if i, is := c.numbers[v]; is {
		return i
	}
	p := v.pending.Load()
	if p != nil && p.ran { // a second time: from now on it is kept
		v.settleLocked(c.scope)
		p = nil
	}
	if p == nil {
		i := slices.Index(c.xs, v.value)
		if i < 0 {
			i, c.xs = len(c.xs), append(c.xs, v.value)
		}
		return ^i
	}
	return c.step(v, p)
}

// step adds the operation of v, after those of its operands.
func (c *chain) step(v *Var, p *pending) int {
	step := tensor.ChainStep{Op: p.op, A: c.value(p.a), C: p.c, D: p.d}
	if p.b != nil {
		step.B = c.value(p.b)
	}
	p.ran = true
	c.steps = append(c.steps, step)
	c.numbers[v] = len(c.steps) - 1
	return c.numbers[v]
}
