package cpu

// Superinstructions that gather rows once for two purposes: in backward passes for a
// dot product with the row's own (the gradient of a weight) and for a weighted sum (the
// gradient of what was weighed), in forward passes for two weighted sums (one of which
// backward wants).

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// dotSum is a dot product and a scaled sum over the same picked rows.
type dotSum[T kern.Float] struct {
	dot *dot[T]
	sum *scaledSum[T]
}

func (i *dotSum[T]) exec(w *worker[T]) {
	out, row, acc := w.dense(&i.dot.dst), w.own(&i.dot.x), w.own(&i.sum.acc)
	weight := w.side(&i.sum.weight, overEdges, w.narrow)
	x, ids := w.indexed(&i.sum.x)
	w.set.SegmentDotScaleSum(out, acc, row, x, i.sum.x.width, ids, w.segment[:w.rows+1], weight, i.sum.group, kern.Ends[T]{More: w.more, Past: w.past(&i.sum.acc)}, w.next())
}

// fed is a reducer that another instruction feeds.
type fed[T kern.Float] struct{ merger[T] }

func (fed[T]) accumulate(*worker[T]) {}

// scaledSums is two scaled sums over the same picked rows.
type scaledSums[T kern.Float] struct {
	*scaledSum[T]
	second *scaledSum[T] // which another reducer starts
}

func (s *scaledSums[T]) accumulate(w *worker[T]) {
	s.into(w, w.own(&s.acc), w.own(&s.second.acc), kern.Ends[T]{More: w.more, Past: w.past(&s.acc) && w.past(&s.second.acc)})
}

func (s *scaledSums[T]) into(w *worker[T], acc, acc2 []T, ends kern.Ends[T]) {
	weight, weight2 := w.side(&s.weight, overEdges, w.narrow), w.side(&s.second.weight, overEdges, w.scratch[0])
	x, ids := w.indexed(&s.x)
	w.set.SegmentScaleSums(acc, acc2, x, s.x.width, ids, w.segment[:w.rows+1], weight, weight2, s.group, ends, w.next())
}

// pairSums makes one of two scaled sums of the same rows.
func pairSums[T kern.Float](l *loop[T]) {
	for i, r := range l.reduce {
		a, ok := r.(*scaledSum[T])
		if !ok || a.types > 0 {
			continue
		}
		for j := i + 1; j < len(l.reduce); j++ {
			b, ok := l.reduce[j].(*scaledSum[T])
			if ok && b.types == 0 && b.group == a.group && b.x.equal(&a.x) {
				l.reduce[i], l.reduce[j] = &scaledSums[T]{a, b}, fed[T]{b}
				break
			}
		}
	}
}

// shareRows finds, in the only loop of a kernel, a dot product and a scaled sum over
// the same picked rows whose weights do not depend on the product, and makes them
// one instruction, which comes after the weights and before what reads the product.
func (c *compiler[T]) shareRows(k *kernel[T], done map[*ir.Value]instr[T]) {
	if len(k.loops) != 1 {
		return
	}
	l, plan := k.loops[0], c.plan.Loops[0]
	for _, v := range plan.Edge {
		d, ok := done[v].(*dot[T])
		if !ok || !isOwn(&d.x) {
			continue
		}
		later := c.dependents(plan.Edge, v)
		for j, r := range plan.Reduce {
			s, ok := l.reduce[j].(*scaledSum[T])
			if !ok || s.types > 0 || s.x.place != otherBuffer || s.x.buffer != d.y.buffer || d.y.place != otherBuffer ||
				d.y.types > 0 || s.group != d.group || s.weight.width != d.dst.width {
				continue
			}
			if _, weight, _ := scaled(c.product(r)); later[weight] || c.base(weight) == v {
				continue
			}
			before, after := []instr[T]{}, []instr[T]{&dotSum[T]{dot: d, sum: s}}
			moved := make(map[instr[T]]bool)
			for u := range later {
				moved[done[u]] = true
			}
			for _, i := range l.all {
				switch {
				case i == instr[T](d):
				case moved[i]:
					after = append(after, i)
				default:
					before = append(before, i)
				}
			}
			l.all = append(before, after...)
			l.fresh = l.all
			l.reduce[j] = fed[T]{s}
			return
		}
	}
}

// dependents returns those of some values, operands first, that depend on v.
func (c *compiler[T]) dependents(values []*ir.Value, v *ir.Value) map[*ir.Value]bool {
	out := make(map[*ir.Value]bool)
	for _, u := range values {
		for _, a := range u.Args {
			if a == v || out[a] {
				out[u] = true
			}
		}
	}
	return out
}

// equal tells whether two operands are the same rows.
func (o *operand[T]) equal(p *operand[T]) bool {
	return o.place == p.place && o.place != constant && o.width == p.width && o.types == p.types &&
		o.offset == p.offset && o.buffer == p.buffer
}
