package render

// Sums over all rows or edges: each group of a grid has partial sums, which a
// launch of its own adds in order.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// sum is a sum over rows or edges of a kernel.
type sum struct {
	*plan.Sum
	scope  scope
	offset int // among a group's partial sums
	size   int // of a result, for each type
	types  int

	covers    []cover  // of a total's operand
	registers []*elems // of an outer product that is summed in registers; nil if in memory
	names     []string // of registers
}

// inRegisters tells whether lanes keep the sum in registers while they meet rows.
func (s *sum) inRegisters() bool {
	return s.scope >= rowScope && s.Value.Attr.To == ir.Param && (s.Value.Op == ir.OpTotal || s.registers != nil)
}

// needSum asks for what a sum needs.
func (k *kernel) needSum(at scope, p *plan.Sum) {
	v := p.Value
	s := &sum{Sum: p, scope: at, offset: k.sumSize, size: v.Width(), types: 1}
	if to := v.Attr.To; to != ir.Param {
		s.types = k.plan.Program.Types.Of(to)
	}
	if s.size == 0 { // as of matrices without columns: nothing to add
		return
	}
	k.sumSize += s.size * s.types
	k.sums = append(k.sums, s)
	if v.Op == ir.OpTotal {
		s.covers = k.cover(v.Args[0], at)
		return
	}
	k.needRow(at, v.Args[0])
	k.needRow(at, v.Args[1])
	if s.size <= maxHeld*k.lanes {
		s.registers = k.elems.row(s.size)
	}
}

// together is how many groups have one partial sum of each: those of a warp, if lanes
// keep all of them in registers.
func (k *kernel) together() int {
	for _, s := range k.sums {
		if !s.inRegisters() {
			return 1
		}
	}
	return max(min(warp/k.threads(), k.groups), 1)
}

// partials is how many groups, or groups together, of a block have partial sums.
func (k *kernel) partials() int { return k.groups / k.together() }

// prepareSums makes room for partial sums.
func (k *kernel) prepareSums() {
	if k.sumSize > 0 {
		k.sumRegion = k.region(Region{})
	}
}

// beginSums writes what comes before the rows.
func (f *fn) beginSums(before Count) {
	if f.sumSize == 0 {
		return
	}
	threads, group := f.threads()*f.together(), "group"
	if f.together() > 1 {
		group = fmt.Sprintf("group / %d", f.together())
	}
	f.once.line("T *const sums = %s + ((i64)(%s + blockIdx.x) * %d + %s) * %d;", f.workspace(f.sumRegion), f.count("block0", before), f.partials(), group, f.sumSize)
	f.once.line("for (int i = threadIdx.x %% %d; i < %d; i += %d) sums[i] = 0;", threads, f.sumSize, threads)
	if threads > warp {
		f.once.line("__syncthreads();")
	} else {
		f.once.line("__syncwarp(%s);", f.maskOf("sums", threads))
	}
}

// sum writes that a row or edge is added.
func (f *fn) sum(s *sum) {
	if s.Value.Op == ir.OpTotal {
		f.addTotal(s)
	} else {
		f.addOuter(s)
	}
}

func (f *fn) addTotal(s *sum) {
	x, t := s.Value.Args[0], f.text(s.scope)
	s.names = nil
	for j, c := range s.covers {
		value := f.get(s.scope, x, c.elems)
		if s.inRegisters() {
			t.line("%s += %s;", f.register(s, j), value)
			continue
		}
		at := fmt.Sprint(s.offset)
		if s.Value.Attr.To != ir.Param {
			at += fmt.Sprintf(" + %s * %d", f.rowIndex(s.Value.Attr.To), s.size)
		}
		at += " + " + f.index(c.elems)
		if s.scope < rowScope {
			at += " + " + f.partBegin(s.scope, x)
		}
		t.line("%ssums[%s] += %s;", f.storeCondition(s.scope, c.by), at, value)
	}
}

// register declares register j of a sum.
func (f *fn) register(s *sum, j int) string {
	name := fmt.Sprintf("s%d_%d", s.Value.ID, j)
	f.once.line("T %s = 0;", name)
	s.names = append(s.names, name)
	return name
}

// addOuter adds the products of the columns of two rows: of each head, or of all.
func (f *fn) addOuter(s *sum) {
	v := s.Value
	x, y := v.Args[0], v.Args[1]
	rank := len(x.Shape)
	n, m, heads := x.Shape[rank-1], y.Shape[rank-1], 1
	if v.Attr.Heads {
		heads = v.Shape[0]
	}
	repeats := x.Shape[:rank-1].Size() / max(heads, 1)
	xs, ys := f.factor(s.scope, x), f.factor(s.scope, y)
	t := f.text(s.scope)
	repeat, nextX, nextY := "", "", ""
	if repeats != 1 {
		repeat, nextX, nextY = fmt.Sprintf("for (int j = 0; j < %d; j++) ", repeats), fmt.Sprintf(" + j * %d", heads*n), fmt.Sprintf(" + j * %d", heads*m)
	}
	term := func(atX, atY string) string { return xs(atX+nextX) + " * " + ys(atY+nextY) }
	s.names = nil
	if s.inRegisters() {
		for j, e := range s.registers {
			atX := f.index(f.elems.mapped(e, func(k int) int { return k/(n*m)*n + k/m%n }))
			atY := f.index(f.elems.mapped(e, func(k int) int { return k/(n*m)*m + k%m }))
			t.line("%s%s += %s;", repeat, f.register(s, j), term(atX, atY))
		}
		return
	}
	when := ""
	if s.scope == rowScope && f.slots > 1 {
		when = "if (slot == 0) "
	}
	to := fmt.Sprint(s.offset)
	if v.Attr.To != ir.Param {
		to = fmt.Sprintf("%d + %s * %d", s.offset, f.rowIndex(v.Attr.To), s.size)
	}
	t.open("%sfor (int i = lane; i < %d; i += %d)", when, s.size, f.lanes)
	t.line("const int atX = i / %d * %d + i / %d %% %d, atY = i / %d * %d + i %% %d;", n*m, n, m, n, n*m, m, m)
	t.line("T add = 0;")
	t.line("%sadd += %s;", repeat, term("atX", "atY"))
	t.line("sums[%s + i] += add;", to)
	t.close()
}

// factor gives C for the elements of a row of v, or for the constant that it has.
func (f *fn) factor(s scope, v *ir.Value) func(at string) string {
	if n := rowOrNumber(v); n.Op == ir.OpConst {
		return func(string) string { return literal(n.Attr.Num) }
	}
	row := f.rowPointer(s, v)
	return func(at string) string { return row + "[" + at + "]" }
}

// endSums writes what comes after the rows: registers to memory, those of groups together
// as one.
func (f *fn) endSums() {
	threads, when := f.threads()*f.together(), ""
	if f.together() > 1 {
		when = fmt.Sprintf("if (threadIdx.x %% %d < %d) ", threads, f.threads())
	}
	for _, s := range f.sums {
		if !s.inRegisters() {
			continue
		}
		for j, name := range s.names {
			c := cover{}
			if s.Value.Op == ir.OpTotal {
				c = s.covers[j]
			} else {
				c = cover{s.registers[j], s.registers[j].present()}
			}
			for by := f.threads(); by < threads; by *= 2 {
				f.end.line("%s += __shfl_xor_sync(%s, %s, %d);", name, f.maskOf("sums", threads), name, by)
			}
			f.end.line("%s%ssums[%s] = %s;", when, f.storeCondition(rowScope, c.by), joinSum(fmt.Sprint(s.offset), f.index(c.elems)), name)
		}
		s.names = nil
	}
}

// launchSums writes the entry points that add the partial sums.
func (k *kernel) launchSums() {
	if k.sumSize == 0 {
		return
	}
	k.out.Regions[k.sumRegion] = Region{Of: k.slices, Width: k.partials() * k.sumSize, Type: k.plan.Program.Type}
	for i, s := range k.sums {
		k.addSlices(fmt.Sprintf("sum%d", i+1), k.sumRegion, k.slices, k.partials(), k.sumSize, s.offset, s.size*s.types, s.Out)
	}
}

const sumThreads = 1024 // of a block that adds partial sums: 32 results, 32 parts of each

// addSlices writes an entry point that adds slices of a region, blocks*groups of
// them and stride numbers apart, from an offset on, into a buffer.
func (r *renderer) addSlices(part string, region int, blocks Count, groups, stride, offset, size int, out *plan.Buffer) {
	if size == 0 {
		return
	}
	name := r.entry(part)
	fmt.Fprintf(&r.unit, `
AST_KERNEL(%s)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + %d, blocks * %d, %d, %d, out);
}
`, name, offset, groups, stride, size)
	r.out.Launches = append(r.out.Launches, Launch{
		Name: name, Grid: constant((size + warp - 1) / warp), Block: sumThreads,
		Args: []Arg{{Kind: WorkspaceArg, Index: region}, {Kind: CountArg, Count: blocks}, {Kind: BufferArg, Index: out.Index}},
	})
}
