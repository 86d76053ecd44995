package cpu

// A superinstruction of backward passes: rows gathered once for a dot product with the
// row's own (the gradient of a weight) and for a weighted sum (the gradient of what
// was weighed).

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// dotBlock is how many rows are picked for the dot products before the sum picks them
// again: they stay in the L1 cache.
const dotBlock = 32

// sharedWidth is the width from which that is worth calling kernels more often:
// narrower rows of a whole tile stay near enough.
const sharedWidth = 96

// dotSum is a dot product and a scaled sum over the same picked rows.
type dotSum[T kern.Float] struct {
	dot *dot[T]
	sum *scaledSum[T]
}

func (i *dotSum[T]) exec(w *worker[T]) {
	out, row, acc := w.dense(&i.dot.dst), w.own(&i.dot.x), w.own(&i.sum.acc)
	width, groups := i.dot.x.width, i.dot.dst.width
	weight := w.side(&i.sum.weight, overEdges, w.narrow)
	x, ids := w.indexed(&i.sum.x)
	for r := range w.rows {
		end := int(w.segment[r+1])
		for lo := int(w.segment[r]); lo < end; lo += dotBlock {
			hi := min(lo+dotBlock, end)
			i.dot.pick(w, out[lo*groups:], row[r*width:(r+1)*width], x, ids[lo:hi])
			i.sum.pick(w, acc[r*width:(r+1)*width], x, ids[lo:hi], weight[lo*groups:])
		}
	}
}

// summed is a reducer that an instruction feeds.
type summed[T kern.Float] struct{ *scaledSum[T] }

func (summed[T]) accumulate(*worker[T]) {}

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
		if !ok || !isOwn(&d.x) || d.x.width < sharedWidth {
			continue
		}
		later := c.dependents(plan.Edge, v)
		for j, r := range plan.Reduce {
			s, ok := l.reduce[j].(*scaledSum[T])
			if !ok || s.types > 0 || s.x.place != otherBuffer || s.x.buffer != d.y.buffer || d.y.place != otherBuffer ||
				d.y.types > 0 || s.group != d.group || s.weight.width != d.dst.width {
				continue
			}
			if _, weight, _ := scaled(c.product(r)); later[weight] {
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
			l.reduce[j] = summed[T]{s}
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
