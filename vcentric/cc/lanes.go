package cc

// Computing narrow edge values in vectors of edges. If the kernel has one head, each
// number of a value is a vector whose lanes are neighbouring edges of a row; if it has
// more, a value is one vector, in which the numbers of several edges stand side by
// side. Lanes beyond the row's last edge hold what belongs to other edges; nobody
// looks at them.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// lanes is the part of a function's text that has several edges at a time.
type lanes struct {
	*kernel
	text *text
	have map[*ir.Value][]string
	four []string // what lies side by side, if it has been read
}

// value finds the vectors of v's numbers.
func (s *lanes) value(v *ir.Value) []string {
	v = s.base(v)
	if x, ok := s.have[v]; ok {
		return x
	}
	switch {
	case s.ready[v]:
		exprs := make([]string, v.Width()/s.heads)
		for c := range exprs {
			exprs[c] = fmt.Sprintf("load(%s)", s.place(v, c))
		}
		return s.set(v, exprs)
	case s.isEdge(v):
		return s.compute(v)
	case s.computed[v], s.isOwn(v.Res), inMemory(v).Op == ir.OpConst:
		return s.ofRow(v)
	}
	return s.gathered(v)
}

func (s *lanes) set(v *ir.Value, exprs []string) []string {
	regs := make([]string, len(exprs))
	for c, e := range exprs {
		regs[c] = fmt.Sprintf("v%d_%d", v.ID, c)
		s.text.line("const V %s = %s;", regs[c], e)
	}
	s.have[v] = regs
	return regs
}

// ofRow is a value that all edges of the row share.
func (s *lanes) ofRow(v *ir.Value) []string {
	x := s.rows.value(v)
	if s.heads > 1 {
		s.have[v] = []string{s.repeated(x)}
		return s.have[v]
	}
	regs := make([]string, v.Width())
	for c := range regs {
		regs[c] = s.rows.inAllLanes(x, c)
	}
	s.have[v] = regs
	return regs
}

// repeated is a value of a row beside itself, for several edges.
func (s *lanes) repeated(x value) string {
	if x.uniform {
		return x.regs[0]
	}
	key := "repeated " + x.regs[0]
	name, ok := x.in.spread[key]
	if !ok {
		name = s.name("c")
		x.in.spread[key] = name
		x.in.text.line("const V %s = PICK(%s, %s);", name, x.regs[0], joined(s.renderer.lanes, func(l int) int { return l % s.heads }))
	}
	return name
}

// sideBySide reads rows of heads numbers, or of one that all heads share.
func (s *lanes) sideBySide(b, ids string, width int) string {
	edges := s.renderer.lanes / s.heads
	var join func(from, n int) string
	join = func(from, n int) string { // of edges from, from+1, ...
		if n == 1 {
			row := fmt.Sprintf("%s + (int64_t)%s[%s] * %d", b, ids, plus("at + i", from), width)
			if width == 1 {
				return fmt.Sprintf("SPLAT(*(%s))", row)
			}
			return s.loaded(row, 0, s.heads)
		}
		half := n / 2
		return fmt.Sprintf("PICK2(%s, %s, %s)", join(from, half), join(from+half, half), joined(s.renderer.lanes, func(l int) int {
			if l < half*s.heads {
				return l
			}
			return s.renderer.lanes + (l-half*s.heads)%s.renderer.lanes
		}))
	}
	return join(0, edges)
}

// gathered reads v from memory for each edge.
func (s *lanes) gathered(v *ir.Value) []string {
	key, res, width := v, v.Res, v.Width()
	buf := s.bufferOf(v)
	if column := slices.Index(s.out.Beside, buf.Index); column >= 0 && res.IsVertex() && s.heads == 1 {
		s.have[key] = []string{s.beside(column)}
		return s.have[key]
	}
	b := s.buffer(buf)
	if s.heads > 1 {
		ids := "neighbors"
		if res == ir.Edge {
			ids = s.edgeList(buf)
		}
		return s.set(key, []string{s.sideBySide(b, ids, width)})
	}
	exprs := make([]string, width)
	for c := range exprs {
		switch {
		case res == ir.Edge:
			exprs[c] = fmt.Sprintf("gather(%s, %s + at + i, %d, %d)", b, s.edgeList(buf), width, c)
		case res == ir.EdgeType:
			exprs[c] = fmt.Sprintf("gather(%s, a->types + at + i, %d, %d)", b, width, c)
		case res.IsVertex():
			exprs[c] = fmt.Sprintf("gather(%s, neighbors + at + i, %d, %d)", b, width, c)
		default:
			exprs[c] = fmt.Sprintf("gather_type(%s, a->other_types, neighbors + at + i, %d, %d)", b, width, c)
		}
	}
	return s.set(key, exprs)
}

// beside reads a column of what lies side by side.
func (s *lanes) beside(column int) string {
	if s.four == nil {
		for range cpu.BesideWidth {
			s.four = append(s.four, s.name("n"))
		}
		s.text.line("V %s;", strings.Join(s.four, ", "))
		s.text.line("gather4(a->beside, neighbors + at + i, &%s);", strings.Join(s.four, ", &"))
	}
	return s.four[column]
}

// chooseBeside finds the buffers that edges read a number of in vectors of edges, if
// there are several.
func (k *kernel) chooseBeside() {
	var found []int
	for _, l := range k.step.Loops {
		for _, v := range l.Edge {
			for _, a := range v.Args {
				if k.lane[v] && k.heads == 1 && k.readsOther(a) {
					found = append(found, k.bufferOf(a).Index)
				}
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if len(found) > 1 {
		k.out.Beside = found[:min(len(found), cpu.BesideWidth)]
	}
}

// readsOther tells whether a is a number of the vertices at the other ends, in memory.
func (k *kernel) readsOther(a *ir.Value) bool {
	return !k.computed[k.base(a)] && a.Res.IsVertex() && !k.isOwn(a.Res) && a.Width() == 1 && k.bufferOf(a).Type != ir.I32
}

// bufferOf is the buffer of a value that the kernel does not compute.
func (k *kernel) bufferOf(v *ir.Value) *plan.Buffer { return k.plan.BufferOf(inMemory(v)) }

// compute writes the text of v.
func (s *lanes) compute(v *ir.Value) []string {
	args := make([][]string, len(v.Args))
	for i, a := range v.Args {
		args[i] = s.value(a)
	}
	exprs := make([]string, v.Width()/s.heads)
	switch v.Op {
	case ir.OpDropout:
		for c := range exprs {
			index := fmt.Sprintf("loadu(ids + at + i) * %du + %du", v.Width(), c)
			if s.heads > 1 {
				index = fmt.Sprintf("elements(ids + at + i, %d)", s.heads)
			}
			exprs[c] = s.dropout(v, args[0][c], index)
		}
	case ir.OpExpand:
		for c, i := range ir.BroadcastIndex(v.Args[0].Shape, v.Shape) {
			exprs[c] = args[0][i]
		}
	case ir.OpReduceTo:
		for c, i := range ir.BroadcastIndex(v.Shape, v.Args[0].Shape) {
			if exprs[i] != "" {
				exprs[i] += " + "
			}
			exprs[i] += args[0][c]
		}
	case ir.OpConcat, ir.OpSlice, ir.OpPad, ir.OpPermute:
		for c, from := range movedFrom(v) {
			if exprs[c] = "ZERO"; from.arg >= 0 {
				exprs[c] = args[from.arg][from.at]
			}
		}
	default:
		index := make([][]int, len(args))
		for i, a := range v.Args {
			if index[i] = ir.BroadcastIndex(a.Shape, v.Shape); s.heads > 1 {
				index[i] = []int{0}
			}
		}
		for c := range exprs {
			regs := make([]string, len(args))
			for i := range args {
				regs[i] = args[i][index[i][c]]
			}
			if form, compares := comparisons[v.Op]; compares {
				exprs[c] = fmt.Sprintf("BOOL("+form+")", regs[0], regs[1])
			} else {
				exprs[c] = expression(v, "", regs...)
			}
		}
	}
	return s.set(v, exprs)
}
