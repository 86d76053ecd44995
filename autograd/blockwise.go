// Blockwise: a function of rows, a cache-sized block at a time.

package autograd

import (
	"slices"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// blockElements is how many elements of its largest operand a block has: its
// intermediate results stay in the L2 cache, and what an operation costs besides
// its elements is little beside them.
const blockElements = 1 << 14

// Blockwise returns f(xs...) for a function that treats every row (index of the
// first axis) alike and by itself: element-wise operations, activations,
// reductions and softmax within a row, products with a weight. f is called on
// blocks of rows that fit the cache, so that a chain of operations reads and
// writes memory once, not once an operation, and keeps no intermediate result for
// the backward pass, which computes them again:
//
//	y := autograd.Blockwise(func(v ...*autograd.Var) *autograd.Var {
//		return v[0].Mul(v[1]).Add(v[2]).SiLU()
//	}, a, b, c)
//
// Operands with the rank and the number of rows of the first one are cut into
// blocks; the others (weights, one row for all) are passed whole, and their
// gradients are added up in the order of the blocks. Everything that needs a
// gradient is to be among the xs: anything else panics with *[Error]. f must give a
// result with as many rows as its blocks have, must neither keep what it computes nor
// write to its operands, and is called by several goroutines at once. If it is
// element-wise operations alone, as above, the forward pass calls it once, to see
// them, and runs them as one [tensor.Chain]. Dropout inside would repeat its mask.
// Under [CreateGraph] f is called on the xs themselves, and what it computes is kept.
func Blockwise(f func(xs ...*Var) *Var, xs ...*Var) *Var {
	const op = "Blockwise"
	wantThere(op, "the function", f != nil)
	if len(xs) == 0 {
		misuse(op, "needs at least one operand")
	}
	b := &blockwise{f: f, xs: make([]*tensor.Tensor, len(xs))}
	largest := 1
	for i, x := range xs {
		b.xs[i] = x.dense(op).Contiguous()
		if len(x.Shape()) == 0 || x.Shape()[0] == 0 || i > 0 {
			continue
		}
		b.rows = x.Shape()[0]
	}
	if b.rows == 0 || xs[0].Device() != nil {
		return f(xs...) // a scalar or no rows, or no cache to keep to
	}
	for i, x := range b.xs {
		if b.isCut(i) {
			largest = max(largest, x.Size()/b.rows)
		}
	}
	b.height = max(1, blockElements/largest)
	if b.rows <= b.height {
		y := f(xs...)
		b.check(y, 0) // what fails on many blocks fails on one
		wantAmong(xs, y)
		return y
	}
	y := b.forward(xs)
	backward := func(grads []*tensor.Tensor) []*tensor.Tensor { return b.backward(xs, grads[0].Contiguous()) }
	return recordCustom(&custom{name: op, backward: backward, redo: oneResult(f), fresh: true, owns: true}, xs, []*tensor.Tensor{y})[0]
}

type blockwise struct {
	f      func(xs ...*Var) *Var
	xs     []*tensor.Tensor
	rows   int
	height int // rows of a block, fewer in the last
}

// isCut reports whether operand i is passed in blocks.
func (b *blockwise) isCut(i int) bool {
	return b.xs[i].Rank() == b.xs[0].Rank() && b.xs[i].Shape()[0] == b.rows
}

func (b *blockwise) blocks() int { return (b.rows + b.height - 1) / b.height }

// block returns the rows of block k.
func (b *blockwise) block(k int) (lo, hi int) {
	return k * b.height, min((k+1)*b.height, b.rows)
}

// operand returns block k of operand i.
func (b *blockwise) operand(i, k int) *tensor.Tensor {
	if !b.isCut(i) {
		return b.xs[i]
	}
	lo, hi := b.block(k)
	return b.xs[i].Narrow(0, lo, hi)
}

// forward computes the result. A function that does nothing but element-wise
// operations is run as one chain, which reads and writes memory once without making
// and copying blocks.
func (b *blockwise) forward(xs []*Var) *tensor.Tensor {
	s := &scope{putsOff: 1}
	defer s.end(new(Var), nil)
	reg := &region{scope: s, noGrad: true, met: new(atomic.Bool)}
	leaves := b.leaves(0, reg)
	v := b.f(leaves...)
	b.check(v, 0)
	if _, outside := inherited(xs); reg.met.Load() && (outside == nil || outside.records(true)) {
		notAmong()
	}
	if y := b.runChain(v, s, leaves); y != nil {
		return y
	}
	first := v.dense("Blockwise")
	y := tensor.Empty(first.DType(), append([]int{b.rows}, first.Shape()[1:]...)...)
	y.Narrow(0, 0, b.height).CopyFrom(first)
	cpu.ParallelFor(b.blocks()-1, 1, func(from, to int) {
		for k := from + 1; k <= to; k++ {
			t, release := b.compute(k)
			lo, hi := b.block(k)
			y.Narrow(0, lo, hi).CopyFrom(t)
			release()
		}
	})
	return y
}

// runChain returns the result if f, called on the leaves of a block in a scope, has put
// everything off and used nothing but the leaves; else nil. What f does with a block, it
// does with all rows: they are computed as one block.
func (b *blockwise) runChain(v *Var, s *scope, leaves []*Var) *tensor.Tensor {
	p := v.pending.Load()
	if p == nil || p.scope != s || s.hasMade() {
		return nil
	}
	shape := append(tensor.Shape{b.rows}, p.shape[1:]...)
	p.mu.Lock()
	defer p.mu.Unlock()
	c, whole := new(chain), false
	defer c.end()
	c.begin(p)
	xs := make([]*tensor.Tensor, len(c.xs))
	for i, x := range c.xs {
		k := slices.IndexFunc(leaves, func(l *Var) bool { return l.value == x })
		if k < 0 || !b.xs[k].Shape().RepeatsTo(shape) {
			return nil
		}
		xs[i] = b.xs[k]
		whole = whole || xs[i].Shape().Equal(shape)
	}
	if !whole {
		return nil
	}
	return tensor.Chain(xs, c.steps)
}

// leaves returns the operands of block k as Vars of a region.
func (b *blockwise) leaves(k int, reg *region) []*Var {
	vs := make([]*Var, len(b.xs))
	for i := range vs {
		vs[i] = &Var{value: b.operand(i, k), region: reg}
	}
	return vs
}

// compute calls f on block k without recording; release gives back what f made.
func (b *blockwise) compute(k int) (y *tensor.Tensor, release func()) {
	p := newPass("Blockwise", nil)
	v := b.f(b.leaves(k, &p.region)...)
	b.check(v, k)
	return v.dense("Blockwise"), func() {
		for _, t := range p.temps {
			t.freeUnlessHeld()
		}
	}
}

// check panics unless y has a row for each of block k. It asks for the shape alone,
// so what a scope has put off stays so.
func (b *blockwise) check(y *Var, k int) {
	lo, hi := b.block(k)
	if s := y.Shape(); len(s) == 0 || s[0] != hi-lo {
		misuse("Blockwise", "the function does not give a row for each row of its first operand", s, tensor.Shape{hi - lo})
	}
}

// wantAmong panics if the gradient of y flows to what is not among the operands. Blocks,
// which go back at the same time, cannot all add to it.
func wantAmong(xs []*Var, y *Var) {
	seen := map[*node]bool{}
	for stack := []*Var{y}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case !v.requires || slices.ContainsFunc(xs, func(x *Var) bool { return targetOf(x) == targetOf(v) }):
		case v.node == nil:
			notAmong()
		case !seen[v.node]:
			seen[v.node] = true
			stack = append(stack, v.node.inputs...)
		}
	}
}

func notAmong() {
	misuse("Blockwise", "the function uses a Var that requires a gradient and is not among the operands")
}

// backward returns the gradients of the operands that want one.
func (b *blockwise) backward(xs []*Var, g *tensor.Tensor) []*tensor.Tensor {
	grads := make([]*tensor.Tensor, len(xs))
	reached := make([]atomic.Bool, len(xs))      // those that are cut, by the gradient of some block
	partial := make([][]*tensor.Tensor, len(xs)) // of operands that are passed whole, by block
	for i, x := range xs {
		switch {
		case !x.requires:
		case b.isCut(i):
			grads[i] = tensor.Empty(x.DType(), x.Shape()...)
		default:
			partial[i] = make([]*tensor.Tensor, b.blocks())
		}
	}
	cpu.ParallelFor(b.blocks(), 1, func(from, to int) {
		for k := from; k < to; k++ {
			b.backwardBlock(k, xs, g, grads, reached, partial)
		}
	})
	for i, t := range grads {
		if t != nil && !reached[i].Load() { // f does not depend on it
			t.Free()
			grads[i] = nil
		}
	}
	for i, parts := range partial {
		for _, t := range parts {
			switch {
			case t == nil:
			case grads[i] == nil:
				grads[i] = t
			default:
				tensor.AddInto(grads[i], t)
				t.Free()
			}
		}
	}
	return grads
}

// backwardBlock records f on block k and goes back through it.
func (b *blockwise) backwardBlock(k int, xs []*Var, g *tensor.Tensor, grads []*tensor.Tensor, reached []atomic.Bool, partial [][]*tensor.Tensor) {
	lo, hi := b.block(k)
	made := new(scope)
	leaves := make([]*Var, len(xs))
	for i, x := range xs {
		leaves[i] = &Var{value: b.operand(i, k), requires: x.requires, region: &region{scope: made}}
	}
	y := b.f(leaves...)
	if y.requires {
		newPass("Blockwise", nil).run(y, Constant(g.Narrow(0, lo, hi)))
	}
	made.free()
	for i, l := range leaves {
		switch {
		case grads[i] != nil && l.grad != nil:
			grads[i].Narrow(0, lo, hi).CopyFrom(l.grad)
			l.grad.Free()
			reached[i].Store(true)
		case grads[i] != nil:
			grads[i].Narrow(0, lo, hi).Zero()
		case l.grad != nil:
			partial[i][k] = l.grad
		}
	}
}
