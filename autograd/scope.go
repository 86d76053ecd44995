// Scope: a function whose intermediate results end with it.

package autograd

import (
	"sync"
	"weak"

	"github.com/asterias-ml/asterias/tensor"
)

// Scope returns f(xs...) and gives the memory of everything else that was computed
// from the xs in f back at once, for the next operation to use while it is still in
// the caches. Without, it returns with the next garbage collection. A step of
// training in a scope makes no garbage that counts:
//
//	loss := autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
//		loss := autograd.CrossEntropy(model.Forward(xs[0]), labels, nil)
//		loss.Backward()
//		return loss
//	}, x)
//
// Chains of element-wise operations on large operands of one shape, and rows of it, that are
// not recorded are put off in f as outside, but also on devices and where they read memory that the
// caller has slices of. So f must not write to the memory of tensors that it has used, but for
// optimisers that train parameters.
//
// The Vars made from the xs in f are not to be used after f but for its result: that
// panics with *[Error]. Tensors that [Var.Tensor] gave out stay what they are. If the
// result still waits for its backward pass, nothing is given back and all Vars stay
// usable, if the scope is within another one until that one ends.
func Scope(f func(xs ...*Var) *Var, xs ...*Var) *Var {
	const op = "Scope"
	wantThere(op, "the function", f != nil)
	if len(xs) == 0 {
		misuse(op, "needs at least one operand")
	}
	for _, x := range xs {
		x.check(op)
	}
	_, outside := inherited(xs)
	if outside != nil && outside.pass != nil {
		return f(xs...) // the pass gives memory back
	}
	s := &scope{putsOff: pendingElements}
	if outside != nil && outside.scope != nil {
		s.depth = outside.scope.depth + 1
	}
	reg, inside := &region{scope: s}, make([]*Var, len(xs))
	for i, x := range xs {
		inside[i] = x.admitTo(reg)
	}
	y := f(inside...)
	y.check(op)
	s.end(y, outside)
	return y
}

// A scope lists the results of operations whose memory is given back together, by a
// caller who knows that nobody else has them.
type scope struct {
	depth   int // how many scopes are around it
	putsOff int // from how many elements on operations are put off on the CPU; 0: none are, anywhere

	mu    sync.Mutex
	state scopeState
	heir  *scope // that a dissolved scope has left what it made to, if there was one around it
	made  []*tensor.Tensor
	given []*tensor.Tensor        // to the user
	later []weak.Pointer[pending] // what was put off, for when s is dissolved
}

type scopeState uint8

const (
	scopeOpen      scopeState = iota
	scopeDissolved            // what it made is left to its heir, or to the garbage collector
	scopeEnded                // what it made is given back
)

// admitTo returns x as an operand of a function that is run in a region.
func (x *Var) admitTo(reg *region) *Var {
	reg = x.region.join(reg)
	if !x.requires {
		return &Var{value: x.value, sparse: x.sparse, region: reg, lender: x.trained()}
	}
	v := x.Reshape(x.Shape()...) // through which the gradient flows
	v.region = reg
	return v
}

// add lists a result, unless it has its memory from an operand.
func (s *scope) add(out *tensor.Tensor, operands []*Var) {
	for _, v := range operands {
		if v.value != nil && tensor.SharesMemory(v.value, out) {
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == scopeOpen {
		s.made = append(s.made, out)
	}
}

// hasMade reports whether s has listed a result.
func (s *scope) hasMade() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.made) > 0
}

// give notes that the user has a tensor.
func (s *scope) give(t *tensor.Tensor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.heir != nil:
		s.heir.give(t)
	case s.state == scopeOpen && t != nil:
		s.given = append(s.given, t)
	}
}

// putOff lists an operation that s puts off, and reports whether s is still open.
func (s *scope) putOff(p *pending) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == scopeOpen {
		s.later = append(s.later, weak.Make(p))
	}
	return s.state == scopeOpen
}

func (v *Var) inScope() bool { return v.region != nil && v.region.scope != nil }

// hasEndedWithScope reports whether v is of a scope that has ended.
func (v *Var) hasEndedWithScope() bool { return v.inScope() && v.region.scope.hasEnded() }

// enterScope panics if v is of a scope that has ended.
func (v *Var) enterScope(op string) {
	if v.hasEndedWithScope() {
		misuse(op, "an operand was computed in a Scope that has ended; return it from there, or take its Tensor")
	}
}

func (s *scope) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == scopeOpen
}

// hasEnded reports whether what s made is given back, be it by an heir.
func (s *scope) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.endedLocked()
}

// endedLocked is hasEnded. It wants the lock; those of heirs are taken after it.
func (s *scope) endedLocked() bool {
	return s.state == scopeEnded || s.heir != nil && s.heir.hasEnded()
}

// leftTo reports whether what s made is o's: s is o, or o is among its heirs.
func (s *scope) leftTo(o *scope) bool {
	for s != nil && s != o {
		s.mu.Lock()
		heir := s.heir
		s.mu.Unlock()
		s = heir
	}
	return s == o
}

// end gives the memory back that is not y's. What y keeps belongs to the scope
// outside, if there is one.
func (s *scope) end(y *Var, outside *region) {
	s.mu.Lock()
	made, given, later := s.made, s.given, s.later
	s.made, s.given, s.later, s.state = nil, nil, nil, scopeEnded
	if y.requires && y.node != nil && !y.node.freed {
		s.state = scopeDissolved
		if outside != nil {
			s.heir = outside.scope
		}
	}
	dissolved := s.state == scopeDissolved
	s.mu.Unlock()
	if y.region != nil && y.region.scope.leftTo(s) {
		y.region = y.region.leave(outside)
	}
	for _, t := range made {
		switch {
		case dissolved || y.value != nil && tensor.SharesMemory(t, y.value):
			if outside != nil && outside.scope != nil {
				outside.scope.add(t, nil)
			}
		case !isShared(t, given):
			t.Free()
		}
	}
	if outside != nil && outside.scope != nil {
		for _, t := range given {
			outside.scope.give(t)
		}
	}
	if !dissolved {
		return
	}
	for _, w := range later {
		if p := w.Value(); p != nil && (s.heir == nil || !s.heir.putOff(p)) {
			p.outlive()
		}
	}
}

// leave returns the region of a result of a scope for those outside it. What f has added,
// such as NoGrad, stays.
func (r *region) leave(outside *region) *region {
	left := *r
	left.scope = nil
	if outside != nil {
		left.scope = outside.scope
	}
	switch {
	case left == region{}:
		return nil
	case outside != nil && left == *outside:
		return outside
	}
	return &left
}

// isShared reports whether a tensor shares memory with one of others.
func isShared(t *tensor.Tensor, others []*tensor.Tensor) bool {
	for _, o := range others {
		if tensor.SharesMemory(t, o) {
			return true
		}
	}
	return false
}

// free gives everything back, whoever holds it.
func (s *scope) free() {
	for _, t := range s.made {
		t.Free()
	}
}

// inner returns which of two scopes the results of operands from both belong to.
func inner(a, b *scope) *scope {
	switch {
	case a == nil || b != nil && (b.depth > a.depth || !a.isOpen()):
		return b
	default:
		return a
	}
}
