package cc

// Aggregates of each edge type, and the parts of a row that belong to an edge's
// type. Such a row lies in an array, since the type is known at run time only.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// array is where the accumulators of an aggregate of each edge type are.
func (r reducer) array() string { return fmt.Sprintf("a%d", r.v.ID) }

// idArray is where the ids of an argmax of each edge type are.
func idArray(v *ir.Value) string { return fmt.Sprintf("ids%d", v.ID) }

// declareTyped declares the accumulators, with room for whole vectors, and for a
// maximum which types have edges.
func (r reducer) declareTyped(t *text) {
	n := (r.vectors(r.v.Width()) + 1) * r.lanes
	t.line("T %s[%d] = {0};", r.array(), n)
	switch r.v.Op {
	case ir.OpMax:
		t.line("int8_t met%d[%d] = {0};", r.v.ID, r.plan.Program.Types.Edge)
		t.line("for (int k = 0; k < %d; k++) %s[k] = -INF;", n, r.array())
	case ir.OpArgmax:
		t.line("TI %s[%d];", idArray(r.v), n)
		t.line("for (int k = 0; k < %d; k++) %s[k] = -1;", n, idArray(r.v))
	}
}

// edgeTyped takes in one edge.
func (r reducer) edgeTyped(s *columns) {
	arg := r.v.Args[0]
	x, kind, width := s.value(arg), s.row(ir.EdgeType), arg.Width()
	if r.v.Op == ir.OpMax {
		s.text.line("met%d[%s] = 1;", r.v.ID, kind)
	}
	for j := range s.vectors(width) {
		at, n := plus(r.array()+" + "+times(kind, width), j*s.lanes), width-j*s.lanes
		switch r.v.Op {
		case ir.OpSum:
			s.text.line("%s", s.added(at, x.reg(j), n))
		case ir.OpMax:
			s.text.line("%s", s.stored(at, fmt.Sprintf("op_maxof(%s, %s)", s.loaded(at, 0, n), x.reg(j)), n))
		case ir.OpArgmax:
			ids := plus(idArray(r.v)+" + "+times(kind, width), j*s.lanes)
			s.text.line("argmax_at(%s, %s, %s, %s, %d);", at, ids, x.reg(j), s.row(ir.Edge), min(n, s.lanes))
		}
	}
}

// resultTyped reads what the loop came to.
func (r reducer) resultTyped(s *columns) value {
	switch r.v.Op {
	case ir.OpMax:
		width := r.v.Args[0].Width()
		s.text.line("for (int k = 0; k < %d; k++) if (!met%d[k / %d]) %s[k] = 0;", r.v.Width(), r.v.ID, width, r.array())
	case ir.OpArgmax:
		return s.ids(s.name("p"), "loadt", idArray(r.v), r.v.Width())
	}
	return s.reloaded(r.v, r.array())
}

// typedDegree counts the row's edges of each type.
func (s *columns) typedDegree(v *ir.Value) value {
	t := s.name("t")
	s.text.line("T %s[%d] = {0};", t, s.vectors(v.Width())*s.lanes)
	s.text.line("for (int64_t e = a->%[1]v_offsets[r]; e < a->%[1]v_offsets[r + 1]; e++) %[2]s[a->%[1]v_types[e]] += 1;", v.Attr.Dir, t)
	return s.reloaded(v, t)
}

// part is the part of x's row that belongs to the type of the edge.
func (s *columns) part(x *ir.Value) value {
	x = s.base(x)
	types := s.plan.Program.Types.Edge
	width := x.Width() / types
	kind := s.row(ir.EdgeType)
	if s.computed[x] {
		if x.Type == ir.I32 { // typed ids of this kernel
			return s.ids(s.name("p"), "loadt", idArray(x)+" + "+times(kind, width), width)
		}
		array, ok := s.rows.spread[fmt.Sprint("array of ", x.ID)]
		if !ok {
			array = s.rows.spilled(s.rows.value(x), x.Width())
			s.rows.spread[fmt.Sprint("array of ", x.ID)] = array
		}
		return s.partAt(array+" + "+times(kind, width), width)
	}
	res := x.Res
	if x = inMemory(x); x.Op == ir.OpConst {
		return s.constant(x)
	}
	buf := s.plan.BufferOf(x)
	p := s.buffer(buf)
	switch {
	case res == ir.Param:
		p += " + " + times(kind, width)
	default:
		p += fmt.Sprintf(" + (%s * %d + %s) * %d", s.rowIn(buf, res), types, kind, width)
	}
	if buf.Type == ir.I32 {
		return s.ids(s.name("p"), "loadi", p, width)
	}
	return s.partAt(p, width)
}

// partAt reads a part of numbers.
func (s *columns) partAt(p string, width int) value {
	x := value{in: s, uniform: width == 1}
	for j := range s.vectors(width) {
		name := s.name("p")
		if x.uniform {
			s.text.line("const V %s = SPLAT(*(%s));", name, p)
		} else {
			s.text.line("const V %s = %s;", name, s.loaded(p, j, width))
		}
		x.regs = append(x.regs, name)
	}
	return x
}
