package cpu

// Sums of more than two terms over edges, such as (a_u - b_v) + c_v + bias: what is the
// same for all edges of a row is added up once a row, and an edge adds one number. And
// products to which a parameter is added: the matrix product does it as it ends.

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// term is a value that a sum adds or subtracts.
type term struct {
	value    *ir.Value
	negative bool
}

// affine is a sum of one value of each edge and several that its row reads in memory.
type affine struct {
	edge term
	row  []term
}

// absorbTerms finds the edge values of a loop that are such sums, and what each of them
// makes superfluous. Readers come before what they read.
func (c *compiler[T]) absorbTerms(values []*ir.Value) {
	for i := len(values) - 1; i >= 0; i-- {
		v := values[i]
		if c.inside[v] || v.Op != ir.OpAdd && v.Op != ir.OpSub || v.Width() < rowwise {
			continue
		}
		var a affine
		var within []*ir.Value
		edges := 0
		for _, t := range c.terms(v, false, &within) {
			if c.isOfRow(t.value) && t.value.Shape.Equal(v.Shape) {
				a.row = append(a.row, t)
			} else {
				a.edge = t
				edges++
			}
		}
		if edges != 1 || len(a.row) < 2 || !a.edge.value.Shape.Equal(v.Shape) {
			continue
		}
		c.affine[v] = &a
		for _, u := range within {
			c.inside[u] = true
		}
	}
}

// terms returns the terms of v in the order in which they are written, and adds the sums
// within it that nothing else reads to within.
func (c *compiler[T]) terms(v *ir.Value, negative bool, within *[]*ir.Value) []term {
	var out []term
	for i, a := range v.Args {
		n := negative != (i == 1 && v.Op == ir.OpSub)
		if (a.Op == ir.OpAdd || a.Op == ir.OpSub) && c.computed[a] && c.uses[a] == 1 && a.Res == ir.Edge && a.Shape.Equal(v.Shape) {
			*within = append(*within, a)
			out = append(out, c.terms(a, n, within)...)
		} else {
			out = append(out, term{a, n})
		}
	}
	return out
}

// isOfRow tells whether a row reads v in memory, the same for all of its edges.
func (c *compiler[T]) isOfRow(v *ir.Value) bool {
	if c.computed[c.base(v)] || v.Op == ir.OpConst {
		return false
	}
	at := c.placeOf(v.Res)
	return at == ownBuffer || at == paramBuffer
}

// affineOf compiles a sum that absorbTerms has found.
func (c *compiler[T]) affineOf(v *ir.Value, a *affine) instr[T] {
	row := operand[T]{place: ownRegister, width: v.Width(), offset: c.row}
	c.row += row.width
	c.widest[overRows] = max(c.widest[overRows], row.width)
	c.scratch[overRows] = max(c.scratch[overRows], row.width)
	sum := &rowTerms[T]{dst: row}
	for _, t := range a.row {
		sum.terms = append(sum.terms, c.operand(t.value))
		sum.negative = append(sum.negative, t.negative)
		c.charge(overRows, row.width)
	}
	c.beforeLoops = append(c.beforeLoops, sum)
	i := &pair[T]{x: c.operand(a.edge.value), y: row, f: c.prog.set.GatherAdd, adds: true}
	if a.edge.negative {
		i.f, i.adds = c.prog.set.GatherRSub, false
	}
	i.dst = c.register(overEdges, v)
	return i
}

// rowTerms: dst = the sum of terms, some of them negative, over rows
type rowTerms[T kern.Float] struct {
	dst      operand[T]
	terms    []operand[T]
	negative []bool
}

func (i *rowTerms[T]) exec(w *worker[T]) {
	dst := w.own(&i.dst)
	sum := w.side(&i.terms[0], overRows, dst) // so far
	if i.negative[0] {
		w.set.Neg(dst, sum)
		sum = dst
	}
	for k := 1; k < len(i.terms); k++ {
		t := &i.terms[k]
		switch {
		case i.negative[k]:
			w.set.Sub(dst, sum, w.side(t, overRows, w.scratch[0]))
		case t.place == paramBuffer && t.types == 0:
			w.set.AddRow(dst, sum, w.run.mem.Floats[t.buffer][:t.width])
		default:
			w.set.Add(dst, sum, w.side(t, overRows, w.scratch[0]))
		}
		sum = dst
	}
}

// absorbProduct finds out whether v adds a parameter to a product that nothing else
// reads.
func (c *compiler[T]) absorbProduct(v *ir.Value) {
	if v.Op != ir.OpAdd || c.inside[v] || c.affine[v] != nil {
		return
	}
	for i, m := range v.Args {
		bias := v.Args[1-i]
		if (m.Op != ir.OpMatMul && m.Op != ir.OpMatMulT) || !c.computed[m] || c.uses[m] != 1 || c.inside[m] || m.Res != v.Res {
			continue
		}
		w := m.Args[1]
		if w.Res == ir.Param && len(w.Shape) == 2 && len(m.Shape) == 1 && m.Width() > 0 && m.Shape.Equal(v.Shape) &&
			bias.Res == ir.Param && !c.computed[c.base(bias)] && bias.Shape.Equal(v.Shape) {
			c.inside[m] = true
			c.bias[v] = &withBias{m, bias, v}
			return
		}
	}
}

// withBias is a product, the parameter that is added to it, and the sum.
type withBias struct{ product, bias, sum *ir.Value }
