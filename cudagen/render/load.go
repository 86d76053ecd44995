package render

// Memory: where rows of tensors are, loads, and stores.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// index is C for the element of a lane; what is more than a number is computed once
// a thread.
func (f *fn) index(e *elems) string {
	text := e.index()
	if _, err := strconv.Atoi(text); err == nil || text == "lane" {
		return text
	}
	if name, ok := f.indices[e]; ok {
		return name
	}
	name := f.temporary("k")
	f.indices[e] = name
	if text == "" {
		text = f.table(e) + "[lane]"
	}
	f.once.line("const int %s = %s;", name, text)
	return name
}

// table is the name of a table in constant memory.
func (k *kernel) table(e *elems) string {
	name, ok := k.tables[e]
	if !ok {
		name = k.entry(fmt.Sprintf("table%d", len(k.tables)))
		k.tables[e] = name
		fmt.Fprintf(&k.unit, "\nAST_CONST int %s[%d] = {%s};\n", name, len(e.of), e.table())
	}
	return name
}

// buffer is the name of the parameter for a buffer of the plan.
func (f *fn) buffer(b *plan.Buffer) string {
	name := fmt.Sprintf("b%d", b.Index)
	of := "T"
	if b.Type == ir.I32 {
		of = "int"
	}
	if !f.writes(b) {
		of = "const " + of
	}
	return f.param(Arg{Kind: BufferArg, Index: b.Index}, of+" *AST_RESTRICT "+name, name)
}

// tensor is the name of the parameter for the memory of v.
func (f *fn) tensor(v *ir.Value) string {
	b := f.plan.BufferOf(v)
	if b == nil {
		panic(fmt.Sprintf("BUG: render: %v is in no register and no buffer", v))
	}
	return f.buffer(b)
}

// rowIndex is C for the row of a tensor with the residency.
func (f *fn) rowIndex(res ir.Residency) string {
	rows := f.spec.Rows
	switch {
	case res == ir.Param:
		return "0"
	case res == rows:
		return f.r()
	case res == ir.Edge:
		return f.edgeID()
	case res == ir.EdgeType:
		return f.edgeType()
	case res.IsVertex():
		return f.neighbor()
	case res == rows.TypeOf():
		return f.declareIn("r_type", fmt.Sprintf("%s[%s]", f.array(Array{Name: TypeOf, Res: rows}), f.r()))
	}
	other := ir.Src + ir.Dst - rows
	return f.loadEdge("u_type", fmt.Sprintf("%s + %s", f.array(Array{Name: TypeOf, Res: other}), f.neighbor()))
}

// neighbor, edgeID and edgeType are C for what belongs to the edge of the loop.
func (f *fn) neighbor() string { return f.ofEdge("u", Neighbors) }
func (f *fn) edgeID() string   { return f.ofEdge("id", EdgeIDs) }
func (f *fn) edgeType() string { return f.ofEdge("e_type", EdgeTypes) }

func (f *fn) ofEdge(name string, array ArrayName) string {
	return f.loadEdge(name, fmt.Sprintf("%s + %s", f.array(Array{Name: array, Dir: f.dir}), f.inLoop().at))
}

func (f *fn) loadEdge(name, from string) string { return f.setEdge(name, "ast_load("+from+")") }

func (f *fn) setEdge(name, text string) string {
	l := f.inLoop()
	if l.names[name] == "" {
		l.names[name] = l.load("int", name, text)
	}
	return l.names[name]
}

// rowIn is C for the row of a buffer that a scope reads or writes with the residency. What
// only kernels read of edges lies in the order of those that write it (plan.Home), whose
// threads write one after another.
func (f *fn) rowIn(b *plan.Buffer, res ir.Residency) string {
	if res != ir.Edge {
		return f.rowIndex(res)
	}
	home, ok := f.plan.Home(b)
	switch {
	case !ok:
		return f.rowIndex(res)
	case ir.Over(home) == f.dir:
		return f.setEdge("position", f.inLoop().at)
	}
	return f.ofEdge("there", Across)
}

func (f *fn) inLoop() *edgeLoop {
	if f.edges == nil {
		panic("BUG: render: what belongs to an edge is read outside of a loop")
	}
	return f.edges
}

// declareIn declares an int of the row once.
func (f *fn) declareIn(name, text string) string {
	if !f.declared[name] {
		f.declared[name] = true
		f.row.line("const int %s = %s;", name, text)
	}
	return name
}

// memoryRow is C for a pointer to the row of v that a scope reads.
func (f *fn) memoryRow(v *ir.Value) pointer {
	p := pointer{name: f.tensor(v)}
	if row := f.rowIn(f.plan.BufferOf(v), v.Res); row != "0" {
		p.offset = linear("(i64)"+row, v.Width(), 0)
	}
	return p
}

// pointer is C for a pointer: a name, and how many elements on.
type pointer struct{ name, offset string }

// on is C for the pointer n elements on.
func (p pointer) on(n string) pointer {
	if p.offset == "" {
		p.offset = "0"
	}
	if p.offset = joinSum(p.offset, n); p.offset == "0" {
		p.offset = ""
	}
	return p
}

func (p pointer) String() string {
	if p.offset == "" {
		return p.name
	}
	return p.name + " + " + p.offset
}

// at is C for what is n elements on.
func (p pointer) at(n string) string {
	p = p.on(n)
	if p.offset == "" {
		p.offset = "0"
	}
	return p.name + "[" + p.offset + "]"
}

// load is elements of a row in memory, of v's or, if typed, of the part that belongs
// to the edge's type. If several numbers of a vector are needed, they are loaded
// together.
func (f *fn) load(n number) string {
	if name, ok := f.names[n]; ok {
		return name
	}
	from := f.memoryRow(n.value)
	width := n.value.Width()
	if n.typed {
		width /= f.plan.Program.Types.Edge
		from = from.on(linear(f.edgeType(), width, 0))
	}
	if n.scope < rowScope {
		width = f.nests[n.scope].strides[n.value] // of what lies side by side
		from = from.on(f.partBegin(n.scope, n.value))
	}
	v := vectorOf(width, n.value.Type)
	if all, _, ok := f.elems.vector(n.elems, v); ok && v > 1 && n.value.Type != ir.I32 {
		wanted := 0
		for _, e := range all {
			if f.needed[number{n.scope, n.value, e, n.typed}] {
				wanted++
			}
		}
		if wanted > 1 {
			name := f.declareLoad(n, fmt.Sprintf("T%d", v), fmt.Sprintf("ast_load%d(%s)", v, from.on(f.index(all[0]))))
			for j, e := range all {
				f.names[number{n.scope, n.value, e, n.typed}] = name + "." + "xyzw"[j:j+1]
			}
			return f.names[n]
		}
	}
	of := "T"
	if n.value.Type == ir.I32 {
		of = "int"
	}
	f.names[n] = f.declareLoad(n, of, fmt.Sprintf("ast_load(%s)", from.on(f.index(n.elems))))
	return f.names[n]
}

// declareLoad declares the register of a load.
func (f *fn) declareLoad(n number, of, text string) string {
	name := f.temporary(fmt.Sprintf("v%d_", n.value.ID))
	if n.scope > rowScope {
		return f.inLoop().load(of, name, text)
	}
	f.text(n.scope).line("const %s %s = %s;", of, name, text)
	return name
}

// rowPointer is C for a pointer to a row of v: in memory, or in shared memory, where
// the lanes put it first.
func (f *fn) rowPointer(s scope, v *ir.Value) string {
	v, s = f.place(v, s)
	if !f.computed[v] {
		p := f.memoryRow(v)
		if p.offset == "" {
			return p.name
		}
		return "(" + p.String() + ")"
	}
	key := rowOf{s, v}
	at, ok := f.stageAt[key]
	if !ok {
		panic(fmt.Sprintf("BUG: render: nobody asked for the row of %v", v))
	}
	name := stageName(at)
	if f.staged[key] {
		return name
	}
	f.staged[key] = true
	var puts []string
	for _, e := range f.elems.row(v.Width()) {
		put := fmt.Sprintf("%s[%s] = %s;", name, f.index(e), f.get(s, v, e))
		if in := condition(e.present()); in != "" {
			put = fmt.Sprintf("if (%s) %s", in, put)
		}
		puts = append(puts, put)
	}
	t := f.text(s)
	t.line("%s", f.sync())
	for _, p := range puts {
		t.line("%s", p)
	}
	t.line("%s", f.sync())
	return name
}

// stageName is C for a place in the shared memory of a group.
func stageName(at int) string {
	if at == 0 {
		return "stage"
	}
	return fmt.Sprintf("(stage + %d)", at)
}

// store writes the covered elements of v to the row of a buffer.
func (f *fn) store(s scope, v *ir.Value, b *plan.Buffer, covers []cover) {
	row := f.rowIn(b, v.Res)
	to := pointer{name: f.buffer(b)}
	if row != "0" {
		to.offset = linear("(i64)"+row, b.Width(), 0)
	}
	if s < rowScope {
		to = to.on(f.partBegin(s, v))
	}
	t := f.text(s)
	done := make(map[*elems]bool)
	for _, c := range covers {
		if done[c.elems] {
			continue
		}
		all := f.stored(s, v, c, covers)
		names := make([]string, len(all))
		for j, e := range all {
			done[e] = true
			names[j] = f.get(s, v, e)
		}
		when := f.storeCondition(s, c.by)
		if len(all) > 1 {
			t.line("%sast_store%d(%s, %s);", when, len(all), to.on(f.index(all[0])), strings.Join(names, ", "))
		} else {
			t.line("%s%s = %s;", when, to.at(f.index(all[0])), names[0])
		}
	}
}

// stored are the numbers that can be stored together with c's: those of its vector,
// if the same lanes store them, or c's alone.
func (f *fn) stored(s scope, v *ir.Value, c cover, covers []cover) []*elems {
	one := []*elems{c.elems}
	n := vectorOf(v.Width(), v.Type)
	if s < rowScope {
		n = vectorOf(f.nests[s].strides[plan.Row(v)], v.Type)
	}
	all, _, ok := f.elems.vector(c.elems, n)
	if !ok || n == 1 || v.Type == ir.I32 {
		return one
	}
	for _, e := range all {
		same := false
		for _, d := range covers {
			same = same || d.elems == e && equal(d.by, c.by)
		}
		if !same {
			return one
		}
	}
	return all
}

func equal(a, b []bool) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// storeCondition is C before a store by some lanes. All slots of a group have the
// values of the row.
func (f *fn) storeCondition(s scope, by []bool) string {
	var all []string
	if s == rowScope && f.slots > 1 {
		all = append(all, "slot == 0")
	}
	if in := condition(by); in != "" {
		all = append(all, in)
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("if (%s) ", all[0])
	}
	return fmt.Sprintf("if (%s && (%s)) ", all[0], all[1])
}
