package cc

// Aggregates of a row's edges.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// reducer writes the text of one aggregate: sum, max or argmax.
type reducer struct {
	*kernel
	v       *ir.Value
	inLanes bool
	sets    int // of accumulators
	regs    int // of each set
}

func (k *kernel) reducer(v *ir.Value, l *plan.Loop) reducer {
	r := reducer{kernel: k, v: v, inLanes: k.inLanes(v), sets: 1}
	if r.inLanes {
		r.regs = v.Width() / k.heads
		return r
	}
	r.regs = k.vectors(v.Width())
	if v.Attr.Typed {
		return r
	}
	work := 1 // vectors of the widest value of an edge
	for _, e := range l.Edge {
		if !k.lane[e] {
			work = max(work, k.vectors(e.Width()))
		}
	}
	for _, o := range l.Reduce {
		if o.Op == ir.OpArgmax {
			return r // which has no second set
		}
		work = max(work, k.vectors(o.Args[0].Width()))
	}
	const latency = 4 // of a sum, in vectors of work: that much has to be between two sums into one place
	r.sets = max(latency/work, 1)
	return r
}

// acc is the name of an accumulator.
func (r reducer) acc(set, j int) string { return fmt.Sprintf("a%d_%d_%d", r.v.ID, set, j) }

// id is the name of an accumulator of ids.
func (r reducer) id(j int) string { return fmt.Sprintf("i%d_%d", r.v.ID, j) }

func (r reducer) declare(t *text) {
	if r.v.Attr.Typed {
		r.declareTyped(t)
		return
	}
	start := "ZERO"
	if r.v.Op == ir.OpMax {
		start = "SPLAT(-INF)"
	}
	for set := range r.sets {
		for j := range r.regs {
			t.line("V %s = %s;", r.acc(set, j), start)
		}
	}
	if r.v.Op == ir.OpArgmax {
		for j := range r.regs {
			t.line("VI %s = SPLATI(-1);", r.id(j))
		}
	}
}

// block takes in LANES edges, of which "in" tells those of the row.
func (r reducer) block(s *lanes) {
	for c, x := range s.value(r.v.Args[0]) {
		if a := r.acc(0, c); r.v.Op == ir.OpSum {
			s.text.line("%s += SEL(in, %s, ZERO);", a, x)
		} else {
			s.text.line("%s = op_maxof(%s, SEL(in, %s, SPLAT(-INF)));", a, a, x)
		}
	}
}

// edge takes in one edge, into one of the sets of accumulators.
func (r reducer) edge(s *columns, set int) {
	if r.v.Attr.Typed {
		r.edgeTyped(s)
		return
	}
	x := s.value(r.v.Args[0])
	for j := range r.regs {
		a := r.acc(set, j)
		switch r.v.Op {
		case ir.OpSum:
			s.text.line("%s += %s;", a, x.reg(j))
		case ir.OpMax:
			s.text.line("%s = op_maxof(%s, %s);", a, a, x.reg(j))
		case ir.OpArgmax:
			s.text.line("argmax(&%s, &%s, %s, %s);", a, r.id(j), x.reg(j), s.row(ir.Edge))
		}
	}
}

// result is what the loop came to; 0 or -1 if the row has no edges.
func (r reducer) result(s *columns) value {
	switch {
	case r.v.Attr.Typed:
		return r.resultTyped(s)
	case r.v.Op == ir.OpArgmax:
		x := value{in: s, uniform: r.v.Width() == 1}
		for j := range r.regs {
			x.regs = append(x.regs, r.id(j))
		}
		return x
	case r.inLanes:
		across := fmt.Sprintf("sum_over(%%s, %d)", r.heads)
		if r.v.Op == ir.OpMax {
			across = fmt.Sprintf("begin == end ? ZERO : max_over(%%s, %d)", r.heads)
		}
		if r.regs == 1 {
			return s.set(r.v, r.heads == 1, fmt.Sprintf(across, r.acc(0, 0)))
		}
		parts := make([]value, r.regs)
		for c := range parts {
			name := s.name("p")
			s.text.line("const V %s = "+across+";", name, r.acc(0, c))
			parts[c] = value{regs: []string{name}, uniform: true, in: s}
		}
		return s.picked(r.regs, func(k int) (value, int) { return parts[k], 0 })
	}
	var exprs []string
	for j := range r.regs {
		expr := r.acc(0, j)
		for set := 1; set < r.sets; set++ {
			if r.v.Op == ir.OpSum {
				expr += " + " + r.acc(set, j)
			} else {
				expr = fmt.Sprintf("op_maxof(%s, %s)", expr, r.acc(set, j))
			}
		}
		if r.v.Op == ir.OpMax {
			expr = "begin == end ? ZERO : " + expr
		}
		exprs = append(exprs, expr)
	}
	return s.set(r.v, r.v.Width() == 1, exprs...)
}
