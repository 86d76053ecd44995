package cc

// Values in vectors of columns: where they are, and how they are read.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// value is a row of numbers in vectors: LANES of them in each, or one vector in
// every lane of which is the same number, for all columns. A row of one number is
// always of the second kind: who broadcasts it reads all lanes.
type value struct {
	regs    []string
	uniform bool
	masks   []string // of comparisons: where they hold
	in      *columns // the part that declares the vectors
}

// reg is the vector of columns j*LANES and following.
func (x value) reg(j int) string {
	if x.uniform {
		return x.regs[0]
	}
	return x.regs[j]
}

// columns is a part of a function's text whose values lie in vectors of columns:
// that of the function, of a row or of an edge.
type columns struct {
	*kernel
	outer  *columns
	text   *text
	have   map[*ir.Value]value
	index  map[string]bool // of the edge: which have been declared
	edge   bool
	spread map[string]string // numbers of this part's values in all lanes of a vector
	cast   map[stretch]value // this part's values in other shapes
}

// stretch is a value stretched to a shape.
type stretch struct{ reg, shape string }

func newColumns(k *kernel, outer *columns, t *text) *columns {
	return &columns{kernel: k, outer: outer, text: t, have: make(map[*ir.Value]value), index: make(map[string]bool), spread: make(map[string]string), cast: make(map[stretch]value)}
}

// value finds v, computing or reading it where it belongs if it is not there.
func (s *columns) value(v *ir.Value) value {
	v = s.base(v)
	for o := s; o != nil; o = o.outer {
		if x, ok := o.have[v]; ok {
			return x
		}
	}
	switch {
	case s.ready[v]:
		return s.fromScratch(v)
	case s.computed[v]:
		return s.compute(v)
	}
	return s.fromMemory(v)
}

// set names the vectors of v.
func (s *columns) set(v *ir.Value, uniform bool, exprs ...string) value {
	x := value{uniform: uniform, in: s}
	for j, e := range exprs {
		name := fmt.Sprintf("v%d_%d", v.ID, j)
		if uniform {
			name = fmt.Sprintf("v%d", v.ID)
		}
		s.text.line("const V %s = %s;", name, e)
		x.regs = append(x.regs, name)
	}
	s.have[v] = x
	return x
}

// number is a constant of type T.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "(T)NAN"
	case math.IsInf(x, 0):
		return fmt.Sprintf("(%cINF)", "+-"[b2i(x < 0)])
	case x == 0 && math.Signbit(x):
		return "(T)-0.0" // -0 would be an integer, whose zero has no sign
	}
	return fmt.Sprintf("(T)%s", strconv.FormatFloat(x, 'g', -1, 64))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// home is the part of the text in which an operand of a residency is read.
func (s *columns) home(res ir.Residency) *columns {
	switch {
	case res == ir.Param:
		return s.function
	case s.isOwn(res):
		return s.rows
	}
	return s
}

// isOwn tells whether all edges of a row read one row of the residency.
func (k *kernel) isOwn(res ir.Residency) bool {
	rows := k.step.Rows
	return res == ir.Param || res == rows || res == rows.TypeOf() && rows.IsVertex()
}

// fromMemory reads v, which the kernel does not compute.
func (s *columns) fromMemory(v *ir.Value) value {
	res, width, key := v.Res, v.Width(), v
	home := s.home(res)
	v = inMemory(v)
	if v.Op == ir.OpConst {
		return s.constant(v)
	}
	if x, ok := home.have[key]; ok {
		return x
	}
	buf := s.plan.BufferOf(v)
	if buf == nil {
		panic(fmt.Sprintf("BUG: cc: %v has no buffer", v))
	}
	p := home.pointer(buf, res, width)
	if buf.Type == ir.I32 {
		x := home.ids(fmt.Sprintf("v%d", key.ID), "loadi", p, width)
		home.have[key] = x
		return x
	}
	if width == 1 {
		return home.set(key, true, fmt.Sprintf("SPLAT(*(%s))", p))
	}
	var exprs []string
	for j := range s.vectors(width) {
		exprs = append(exprs, s.loaded(p, j, width))
	}
	return home.set(key, false, exprs...)
}

// inMemory is what holds the numbers of a value that the kernel does not compute: a buffer's
// value, or a constant.
func inMemory(v *ir.Value) *ir.Value {
	for v.Op == ir.OpReshape || v.Op.Info().Class == ir.Alias {
		v = v.Args[0]
	}
	return v
}

func (k *kernel) constant(v *ir.Value) value {
	return value{regs: []string{fmt.Sprintf("SPLAT(%s)", number(v.Attr.Num))}, uniform: true, in: k.function}
}

// ids reads a row of ids: with loadi from a buffer, with loadt from an array.
func (s *columns) ids(name, load, p string, width int) value {
	x := value{in: s, uniform: width == 1}
	for j := range s.vectors(width) {
		at := plus(p, j*s.lanes)
		expr := fmt.Sprintf("%s(%s)", load, at)
		switch {
		case x.uniform:
			expr = fmt.Sprintf("SPLATI(*(%s))", p)
		case load == "loadi":
			expr = fmt.Sprintf("loadi(%s, %d)", at, min(s.lanes, width-j*s.lanes))
		}
		reg := fmt.Sprintf("%s_%d", name, j)
		s.text.line("const VI %s = %s;", reg, expr)
		x.regs = append(x.regs, reg)
	}
	return x
}

// loaded is the vector of columns j*LANES and following of a row at p.
func (k *kernel) loaded(p string, j, width int) string {
	at, n := j*k.lanes, width-j*k.lanes
	p = plus(p, at)
	if n < k.lanes {
		return fmt.Sprintf("loadn(%s, %d)", p, n)
	}
	return fmt.Sprintf("load(%s)", p)
}

// pointer is where a row of a buffer is that has been read with a residency.
func (s *columns) pointer(b *plan.Buffer, res ir.Residency, width int) string {
	name := s.buffer(b)
	if res == ir.Param {
		return name
	}
	row := s.rowIn(b, res)
	if s.edge && width > 1 && row == "u" {
		s.prefetch(name, width)
	}
	return name + " + " + times(row, width)
}

// rowIn is the row of a buffer that is read or written with a residency.
func (s *columns) rowIn(b *plan.Buffer, res ir.Residency) string {
	if res == ir.Edge {
		if list := s.edgeList(b); list != "ids" {
			return s.declared("row_"+list, list+"[at + i]")
		}
	}
	return s.row(res)
}

// row is the row of an operand of a residency: a variable, which is declared when
// it is first asked for.
func (s *columns) row(res ir.Residency) string {
	rows := s.step.Rows
	name, expr := "", ""
	switch {
	case res == rows:
		return "r"
	case res == rows.TypeOf() && rows.IsVertex():
		name, expr = "type", "a->row_types[r]"
	case res == ir.Edge:
		name, expr = "id", "ids[at + i]"
	case res == ir.EdgeType:
		name, expr = "kind", "a->types[at + i]"
	case res.IsVertex():
		name, expr = "u", "neighbors[at + i]"
	default:
		name, expr = "utype", "a->other_types[neighbors[at + i]]"
	}
	return s.declared(name, expr)
}

// declared declares a variable when it is first asked for.
func (s *columns) declared(name, expr string) string {
	if !s.index[name] {
		s.index[name] = true
		s.text.line("const int64_t %s = %s;", name, expr)
	}
	return name
}

// prefetch asks for the row that is read some edges later.
func (s *columns) prefetch(buffer string, width int) {
	const ahead, line, most = 16, 64, 4 // the lists of edges have 32 more entries
	size := s.plan.Program.Type.Size()
	for i := range min((width*size+line-1)/line, most) {
		s.text.line("PREFETCH(%s);", plus(fmt.Sprintf("%s + (int64_t)neighbors[at + i + %d] * %d", buffer, ahead, width), i*line/size))
	}
}

// fromScratch reads what scratch holds for the edge.
func (s *columns) fromScratch(v *ir.Value) value {
	if v.Width() == 1 {
		return s.set(v, true, fmt.Sprintf("SPLAT(*(%s))", s.place(v, 0)))
	}
	if s.heads > 1 {
		return s.set(v, false, s.loaded(s.place(v, 0), 0, v.Width()))
	}
	var exprs []string
	for j := range s.vectors(v.Width()) {
		var lanes []string
		for c := j * s.lanes; c < min((j+1)*s.lanes, v.Width()); c++ {
			lanes = append(lanes, fmt.Sprintf("*(%s)", s.place(v, c)))
		}
		exprs = append(exprs, fmt.Sprintf("(V){%s}", strings.Join(lanes, ", ")))
	}
	return s.set(v, false, exprs...)
}

// inAllLanes is column c of a value in all lanes of a vector.
func (s *columns) inAllLanes(x value, c int) string {
	if x.uniform {
		return x.regs[0]
	}
	reg, lane := x.regs[c/s.lanes], c%s.lanes
	key := fmt.Sprintf("%s[%d]", reg, lane)
	name, ok := x.in.spread[key]
	if !ok {
		name = s.name("c")
		x.in.spread[key] = name
		x.in.text.line("const V %s = SPLAT(%s);", name, key)
	}
	return name
}

// store writes a value to its row of a buffer.
func (s *columns) store(v *ir.Value, b *plan.Buffer, row string) {
	x, width := s.value(v), v.Width()
	p := s.buffer(b) + " + " + times(row, width)
	for j := range s.vectors(width) {
		n, at := min(s.lanes, width-j*s.lanes), plus(p, j*s.lanes)
		switch {
		case b.Type == ir.I32:
			s.text.line("storei(%s, %s, %d);", at, x.reg(j), n)
		case width == 1:
			s.text.line("*(%s) = %s[0];", at, x.reg(j))
		case n < s.lanes:
			s.text.line("storen(%s, %s, %d);", at, x.reg(j), n)
		default:
			s.text.line("store(%s, %s);", at, x.reg(j))
		}
	}
}
