package cpu

// Superinstructions that multiply a sum over edges with a number of the row, such as
// 1/Σ of a softmax, as the sum ends, so that the tile's rows are written once. Where a
// tile has all edges of its rows, such a sum waits until that number is known, and is
// computed in the place of the product.

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// endedSums is the aggregates of a loop, and what follows them, where some sums are
// computed with what follows.
type endedSums[T kern.Float] struct {
	reduce []reducer[T]
	post   []instr[T]
}

// endedSum: dst = sum times a number for each group of columns
type endedSum[T kern.Float] struct {
	sum     wholeSum[T]
	dst, by operand[T]
	group   int
}

// wholeSum is a sum that can be computed anywhere while the tile has all edges of its rows.
type wholeSum[T kern.Float] interface {
	reducer[T]
	into(w *worker[T], acc []T, group int, ends kern.Ends[T])
	register() *operand[T]
}

func (i *endedSum[T]) exec(w *worker[T]) {
	i.sum.into(w, w.own(&i.dst), i.group, kern.Ends[T]{By: w.side(&i.by, overRows, w.scratch[1]), Past: w.past(&i.dst)})
}

// endedPair is two scaled sums of the same rows that end alike.
type endedPair[T kern.Float] struct {
	dst, dst2, by operand[T]
	sums          *scaledSums[T]
}

func (i *endedPair[T]) exec(w *worker[T]) {
	i.sums.into(w, w.own(&i.dst), w.own(&i.dst2), kern.Ends[T]{By: w.side(&i.by, overRows, w.scratch[1]), Past: w.past(&i.dst) && w.past(&i.dst2)})
}

// endSums finds the products of a loop's sums that nothing else reads.
func (c *compiler[T]) endSums(l *loop[T], p *plan.Loop) {
	l.ended = &endedSums[T]{slices.Clone(l.reduce), slices.Clone(l.post)}
	if l.only != nil {
		return
	}
	products := make(map[int]*scale[T]) // by the sum
	for n, v := range p.Reduce {
		if v.Op == ir.OpSum && c.uses[v] == 1 {
			if m := c.ending(l.post, c.place[v]); m != nil {
				products[n] = m
			}
		}
	}
	for n, m := range products {
		var i instr[T]
		switch s := l.reduce[n].(type) {
		case *sum[T]:
			if s.x.width%m.group != 0 || s.x.width <= 1 || s.isNarrow() {
				continue
			}
			i = &endedSum[T]{s, m.dst, m.y.operand, m.group}
		case *scaledSum[T]:
			if s.group != m.group {
				continue
			}
			i = &endedSum[T]{s, m.dst, m.y.operand, m.group}
		case *scaledSums[T]:
			other := slices.IndexFunc(l.reduce, func(r reducer[T]) bool { return r == reducer[T](fed[T]{s.second}) })
			m2 := products[other]
			if m2 == nil || s.group != m.group || s.group != m2.group || !m.y.operand.equal(&m2.y.operand) {
				continue
			}
			first, second := slices.Index(l.post, instr[T](m)), slices.Index(l.post, instr[T](m2))
			i = &endedPair[T]{m.dst, m2.dst, m.y.operand, s}
			l.ended.post[min(first, second)], l.ended.post[max(first, second)] = i, nil
			l.ended.reduce[n], l.ended.reduce[other] = nil, nil
			continue
		default:
			continue
		}
		l.ended.post[slices.Index(l.post, instr[T](m))] = i
		l.ended.reduce[n] = nil
	}
	l.ended.reduce = slices.DeleteFunc(l.ended.reduce, func(r reducer[T]) bool { return r == nil })
	l.ended.post = slices.DeleteFunc(l.ended.post, func(i instr[T]) bool { return i == nil })
}

// ending finds the product with numbers of the row that reads a sum's register.
func (c *compiler[T]) ending(post []instr[T], sum *operand[T]) *scale[T] {
	for _, i := range post {
		if m, ok := i.(*scale[T]); ok && m.x.equal(sum) && m.x.cast.kind == same {
			return m
		}
	}
	return nil
}
