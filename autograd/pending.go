// Element-wise operations that are put off, and the chains they become.

package autograd

import (
	"slices"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/asterias-ml/asterias/tensor"
)

const (
	// pendingElements is from how many elements on operations are put off on the CPU: below,
	// the intermediate results stay in the caches anyway. On a device, where only those of a Scope
	// are, a kernel less is worth it at any size.
	pendingElements = 1 << 14
	// maxChain is how many operations become one at most.
	maxChain = 32
	// maxHeld is how many times the memory of the result an operation keeps that is put off without
	// a Scope, which it may outlive otherwise.
	maxHeld = 4
	// smallShare is what a tensor that is copied for an operation to wait is of the result at most.
	smallShare = 16
)

// A pending is the operation whose result a Var will be when somebody wants it.
type pending struct {
	op     tensor.ChainOp
	c, d   float64
	shape  tensor.Shape
	dtype  tensor.DType
	device *tensor.Device
	scope  *scope // of the result; nil: none
	steps  int    // of the chain, at most: counted along every path
	held   int64  // bytes kept for it at most, counted likewise

	// over tells readers of what p reads that it does not wait: it was computed, or given up.
	over atomic.Bool

	// mu is locked with that of an operand's within, while the operands are noted and until it
	// is computed.
	mu    sync.Mutex
	a, b  operand        // b is the zero one for operations of one operand
	ran   bool           // computed already, in the chain of another result
	value *tensor.Tensor // once it was computed by itself
	later []reader       // that have p for an operand, and will read value
}

// An operand of an operation that is put off is a tensor, or what another one will give. It
// is no Var: SetTensor and the like may give that another tensor until then, as BatchNorm1d
// does its running estimates.
type operand struct {
	pending *pending
	value   *tensor.Tensor
}

// putOff returns the result of an element-wise operation as one to be computed when
// it is wanted; nil if it is to be computed now.
func (v *Var) putOff(op tensor.ChainOp, c, d float64) *Var {
	if v == nil || !v.mayWait() {
		return nil
	}
	return newPending(&pending{op: op, c: c, d: d}, v.region, v, nil)
}

// putOffWith is putOff for two operands.
func (v *Var) putOffWith(op tensor.ChainOp, w *Var) *Var {
	if v == nil || w == nil || !v.mayWait() && !w.mayWait() {
		return nil
	}
	return newPending(&pending{op: op}, v.region.join(w.region), v, w)
}

// mayWait tells most Vars apart on which no operation is put off.
func (v *Var) mayWait() bool {
	return v.inScope() || v.pending.Load() != nil || v.value != nil && !v.value.Freed() && v.value.Size() >= pendingElements
}

// putsOff returns from how many elements on operations in a region are put off on the CPU;
// 0: none are, anywhere. Nor are those of a function that is called again, which are to
// refuse operands that have changed.
func (r *region) putsOff(requires bool) int {
	switch {
	case r == nil && !requires:
		return pendingElements
	case r == nil || r.pass != nil || r.anomaly || r.since != 0 || r.records(requires):
		return 0
	case r.scope != nil && r.scope.isOpen():
		return r.scope.putsOff
	case *r == region{noGrad: true}:
		return pendingElements
	}
	return 0
}

// newPending puts p off, an operation on a and, unless it is nil, b.
func newPending(p *pending, reg *region, a, b *Var) *Var {
	least := reg.putsOff(a.requires || b != nil && b.requires)
	if least == 0 || !a.fitsChain() || b != nil && !b.fitsChain() {
		return nil
	}
	if reg != nil {
		p.scope = reg.scope
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
	if p.device == nil && p.shape.Size() < least || p.device != nil && p.scope == nil {
		return nil
	}
	p.shape = p.shape.Clone() // a tensor's own is in the tensor, which it would keep
	if p.extend(a); b != nil {
		p.extend(b)
	}
	if p.steps++; p.steps > maxChain || p.holdsMuch() {
		a.settle()
		if p.steps, p.held = 1, p.kept(a.value); b != nil {
			b.settle()
			p.held += p.kept(b.value)
		}
	}
	if p.holdsMuch() || !p.take(a, b) {
		return nil
	}
	v := &Var{region: reg}
	v.pending.Store(p)
	return v
}

// waiting returns the operation that is to give v; nil if there is none, or it was of a Scope that
// has ended.
func (v *Var) waiting() *pending {
	if v == nil || v.pending.Load() == nil { // nearly always, and inlined
		return nil
	}
	return v.waitingStill()
}

func (v *Var) waitingStill() *pending {
	p := v.pending.Load()
	if p != nil && p.scope != nil && p.scope.hasEnded() {
		return nil
	}
	return p
}

// fitsChain reports whether v may be an operand of a chain. What has ended with its Scope is
// refused by name.
func (v *Var) fitsChain() bool {
	if v.hasEndedWithScope() {
		return false
	}
	return v.pending.Load() != nil || v.value != nil && v.stale == nil && !v.value.Freed() && v.value.IsContiguous() && v.value.DType().IsFloat()
}

// extend counts what v adds to the chain of p. What another scope put off is settled, and
// what is repeated in the chain.
func (p *pending) extend(v *Var) {
	q := v.pending.Load()
	if q != nil && (q.scope != p.scope || !q.shape.Equal(p.shape)) {
		v.settle()
		q = nil
	}
	if q != nil {
		p.steps, p.held = p.steps+q.steps, p.held+q.held
	} else {
		p.held += p.kept(v.value)
	}
}

// bytes returns the memory of the result.
func (p *pending) bytes() int64 { return int64(p.shape.Size()) * int64(p.dtype.Size()) }

// holdsMuch reports whether p would keep too much to be put off.
func (p *pending) holdsMuch() bool { return p.scope == nil && p.held > maxHeld*p.bytes() }

// kept returns how many bytes p keeps of an operand: all that it views, unless it is copied.
func (p *pending) kept(t *tensor.Tensor) int64 {
	if p.copiesView(t) {
		return t.Bytes()
	}
	return t.BytesKept()
}

// isSmall reports whether an operand may be copied for p to wait.
func (p *pending) isSmall(t *tensor.Tensor) bool { return t.Size()*smallShare <= p.shape.Size() }

// copiesView reports whether an operand is copied since it is small, but a view of much.
func (p *pending) copiesView(t *tensor.Tensor) bool {
	return p.isSmall(t) && t.BytesKept() > p.bytes()
}

// take gives p its operands, b unless it is nil. It reports whether p can wait for them.
func (p *pending) take(a, b *Var) bool {
	if p.scope != nil {
		return p.takeScoped(&p.a, a) && (b == nil || p.takeScoped(&p.b, b)) && p.scope.putOff(p)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a = operandOf(a); b != nil {
		p.b = operandOf(b)
	}
	taken := p.notedAt(&p.a) && (b == nil || p.notedAt(&p.b))
	p.over.Store(!taken)
	return taken
}

// isFreed reports whether what o, or a chain that is to give it, reads was freed.
func (o operand) isFreed() bool {
	q := o.pending
	if q == nil {
		return o.value != nil && o.value.Freed()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return operand{value: q.value}.isFreed() || q.a.isFreed() || q.b.isFreed()
}

// operandOf returns v as an operand of what is put off.
func operandOf(v *Var) operand {
	if q := v.pending.Load(); q != nil {
		return operand{pending: q}
	}
	return operand{value: v.value}
}

// takeScoped makes v an operand of p, which a scope puts off: others do not write to what it
// uses. Until p is computed, an optimiser may have written what it trains: of that it is a copy,
// unless that is no less than the result.
func (p *pending) takeScoped(o *operand, v *Var) bool {
	if *o = operandOf(v); o.pending == nil && v.isTrained() {
		if o.value.Size() == p.shape.Size() {
			return false
		}
		o.value = o.value.Clone()
		p.scope.add(o.value, nil)
	}
	return true
}

// outlive makes p wait on when its scope is dissolved: from now on others may write to what it
// uses. Of what was freed in the scope nobody may want it.
func (p *pending) outlive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over.Load() || p.a.isFreed() || p.b.isFreed():
	case !p.notedAt(&p.a) || p.b != (operand{}) && !p.notedAt(&p.b):
		p.compute()
	}
}

// notedAt reports whether p will be run before an operand changes: or, in place of
// a small one that may change unnoticed, or is a view of much, it takes a copy.
func (p *pending) notedAt(o *operand) bool {
	r := reader{weak.Make(p)}
	if q := o.pending; q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.value == nil {
			if len(q.later) == cap(q.later) {
				q.later = slices.DeleteFunc(q.later, func(r reader) bool { return !r.Waits() })
			}
			q.later = append(q.later, r)
			return true
		}
		*o = operand{value: q.value}
	}
	if !p.copiesView(o.value) && o.value.WillRead(r) {
		return true
	}
	if !p.isSmall(o.value) {
		return false
	}
	o.value = o.value.Clone()
	return true
}

// A reader is a pending in the lists of what it reads, which keep nothing that nobody else wants.
type reader struct{ weak.Pointer[pending] }

func (r reader) Waits() bool {
	p := r.Value()
	return p != nil && !p.over.Load()
}

func (r reader) Run() {
	if p := r.Value(); p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.compute()
	}
}

// settle computes what was put off, if v was; its Scope has not ended. It is inlined.
func (v *Var) settle() {
	if p := v.pending.Load(); p != nil {
		p.giveTo(v)
	}
}

// giveTo gives v, whose operation p is, its value.
func (p *pending) giveTo(v *Var) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.compute()
	if v.pending.Load() != nil { // another goroutine may have been first
		v.value = p.value
		v.pending.Store(nil) // after the value, for readers without the lock
	}
}

// compute runs the operation, unless it was. It wants the lock.
func (p *pending) compute() {
	if p.over.Load() {
		return
	}
	c := new(chain)
	defer c.end()
	c.begin(p)
	p.value = tensor.Chain(c.xs, c.steps)
	p.a, p.b = operand{}, operand{} // whose memory those that wait for this one do not need
	p.over.Store(true)
	for _, r := range p.later {
		p.value.WillRead(r)
	}
	if p.later = nil; p.scope != nil {
		p.scope.add(p.value, nil)
	}
}

// A chain is a program for tensor.Chain in the making.
type chain struct {
	xs    []*tensor.Tensor
	steps []tensor.ChainStep
	of    []*pending // whose operations the steps are
	uses  []tensor.Use

	roomForXs    [4]*tensor.Tensor
	roomForUses  [4]tensor.Use
	roomForSteps [8]tensor.ChainStep
	roomForOf    [8]*pending
}

// begin makes it the one whose result is that of p, whose lock is held. Its tensors do not
// change until it ends.
func (c *chain) begin(p *pending) {
	c.xs, c.steps, c.of, c.uses = c.roomForXs[:0], c.roomForSteps[:0], c.roomForOf[:0], c.roomForUses[:0]
	c.step(p)
}

// end lets its tensors change, also where something has panicked.
func (c *chain) end() {
	for _, u := range c.uses {
		u.End()
	}
}

// number returns the number of an operand. Who changes its value runs the operation that has
// it for an operand first, and so waits for the lock of that, which is held.
func (c *chain) number(o operand) int {
	x := o.value
	if q := o.pending; q != nil {
		if i := slices.Index(c.of, q); i >= 0 {
			return i
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		switch {
		case q.value != nil:
		case !q.ran:
			q.ran = true
			return c.step(q)
		default: // it was computed in the chain of another result before: it is kept from now on
			q.compute()
		}
		x = q.value
	}
	i := slices.Index(c.xs, x)
	if i < 0 {
		i, c.xs, c.uses = len(c.xs), append(c.xs, x), append(c.uses, x.Use())
	}
	return ^i
}

// step adds the operation of p, after those of its operands.
func (c *chain) step(p *pending) int {
	step := tensor.ChainStep{Op: p.op, A: c.number(p.a), C: p.c, D: p.d}
	if p.b != (operand{}) {
		step.B = c.number(p.b)
	}
	c.steps, c.of = append(c.steps, step), append(c.of, p)
	return len(c.steps) - 1
}
