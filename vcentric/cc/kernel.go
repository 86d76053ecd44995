package cc

// A kernel as a C function.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// kernel writes one function. Its text has three parts: what is done once, what is
// done for each row, and what ends a call.
type kernel struct {
	*renderer
	step *plan.Kernel
	out  *Kernel

	once, end text
	function  *columns // params, read once
	rows      *columns // values of the row

	computed  map[*ir.Value]bool // by the kernel
	lane      map[*ir.Value]bool // edge values that are computed in vectors of edges
	kept      map[*ir.Value]int  // edge values of scratch: the arrays before theirs
	arrays    int                // of scratch
	ready     map[*ir.Value]bool // kept values that scratch holds at this point of the text
	buffers   map[int]bool       // declared
	heads     int                // numbers of an edge side by side in a vector of edges
	allNarrow bool               // no loop has a value edge by edge
	offsets   map[*ir.Value]int  // of sums over all rows, in the partial sums
	sums      int                // numbers of the partial sums so far
	names     int                // of unnamed values
}

func (r *renderer) kernel(p *plan.Kernel, out *Kernel) string {
	k := &kernel{
		renderer: r, step: p, out: out,
		computed: make(map[*ir.Value]bool),
		kept:     make(map[*ir.Value]int),
		ready:    make(map[*ir.Value]bool),
		buffers:  make(map[int]bool),
		offsets:  make(map[*ir.Value]int),
	}
	k.once.depth, k.end.depth = 1, 1
	k.function = newColumns(k, nil, &k.once)
	k.rows = newColumns(k, k.function, &text{depth: 2})
	k.note()
	loops := k.schedule()
	row := k.rows.text
	k.declareGraph()
	for _, v := range p.Pre {
		k.rows.value(v)
	}
	for i, l := range p.Loops {
		k.loop(l, loops[i])
		for _, v := range l.Post {
			k.rows.value(v)
		}
	}
	for _, s := range p.Stores {
		k.rows.store(s.Value, s.Buffer, "r")
	}
	for _, s := range p.Totals {
		k.total(k.rows, s)
	}
	out.Sums = k.sums
	out.Scratch = k.arrays * blockEdges
	var t text
	t.line("/* A row of %v%s. */", p.Rows, plural(len(p.Loops)))
	t.open("KERNEL void %s(const struct args *a, int64_t lo, int64_t hi)", out.Name)
	t.add(&k.once)
	t.open("for (int64_t r = lo; r < hi; r++)")
	t.add(row)
	t.close()
	t.add(&k.end)
	t.close()
	return t.b.String()
}

func plural(loops int) string {
	switch loops {
	case 0:
		return ""
	case 1:
		return " and its edges"
	}
	return fmt.Sprintf(" and its edges, %d times", loops)
}

// note notes what the kernel computes.
func (k *kernel) note() {
	all := [][]*ir.Value{k.step.Pre}
	for _, l := range k.step.Loops {
		all = append(all, l.Edge, l.Reduce, l.Post)
	}
	for _, vs := range all {
		for _, v := range vs {
			k.computed[v] = true
		}
	}
}

func (k *kernel) declareGraph() {
	if len(k.step.Loops) == 0 {
		return
	}
	k.once.line("const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;")
	k.rows.text.line("const int64_t begin = offsets[r], end = offsets[r + 1];")
	if k.arrays > 0 {
		k.once.line("T *RESTRICT s = a->scratch;")
	}
}

// buffer is the name of a buffer's pointer.
func (k *kernel) buffer(b *plan.Buffer) string {
	name := fmt.Sprintf("b%d", b.Index)
	if !k.buffers[b.Index] {
		k.buffers[b.Index] = true
		of := "T"
		if b.Type == ir.I32 {
			of = "int32_t"
		}
		if !k.written(b) {
			of = "const " + of
		}
		k.once.line("%s *RESTRICT %s = a->buffer[%d];", of, name, b.Index)
	}
	return name
}

// edgeList is the list of the rows that edges have in a buffer: their ids, or where they
// stand in the order of its home.
func (k *kernel) edgeList(b *plan.Buffer) string {
	rows, ok := k.plan.Home(b)
	if !ok {
		return "ids"
	}
	dir := ir.Over(rows)
	name := fmt.Sprintf("%v_at", dir)
	if !k.out.Order[dir] {
		k.out.Order[dir] = true
		k.once.line("const int32_t *RESTRICT %[1]s = a->%[1]s;", name)
	}
	return name
}

func (k *kernel) written(b *plan.Buffer) bool {
	to := func(s plan.Store) bool { return s.Buffer == b }
	return slices.ContainsFunc(k.step.Stores, to) ||
		slices.ContainsFunc(k.step.Loops, func(l *plan.Loop) bool { return slices.ContainsFunc(l.Stores, to) })
}

// base is the value whose numbers v has: v itself unless it only reads them in
// another shape or at other rows.
func (k *kernel) base(v *ir.Value) *ir.Value {
	for v.Op == ir.OpReshape || v.Op == ir.OpAt && k.computed[v] {
		v = v.Args[0]
	}
	return v
}

// isEdge tells whether the loops compute v.
func (k *kernel) isEdge(v *ir.Value) bool { return v.Res == ir.Edge && k.computed[v] }

// vectors is the number of vectors that hold a row of the width.
func (k *kernel) vectors(width int) int { return (width + k.lanes - 1) / k.lanes }

// plus is the text of a pointer n elements on.
func plus(p string, n int) string {
	if n == 0 {
		return p
	}
	return fmt.Sprintf("%s + %d", p, n)
}

// times is the text of n times a row.
func times(row string, n int) string {
	if n == 1 {
		return row
	}
	return fmt.Sprintf("%s * %d", row, n)
}

// name returns a new name.
func (k *kernel) name(prefix string) string {
	k.names++
	return fmt.Sprintf("%s%d", prefix, k.names)
}

// site is where the keys of a dropout are; its mask is counted in 32 bits.
func (k *kernel) site(v *ir.Value) int {
	size := cpu.NativeMask{Res: v.Res, Width: v.Width()}
	if !slices.Contains(k.out.Masks, size) {
		k.out.Masks = append(k.out.Masks, size)
	}
	i := slices.Index(k.out.Sites, v.Attr.Site)
	if i < 0 {
		i = len(k.out.Sites)
		k.out.Sites = append(k.out.Sites, v.Attr.Site)
	}
	return i
}

// dropout is the text of a dropout of x whose elements have the index.
func (k *kernel) dropout(v *ir.Value, x, index string) string {
	threshold := rng.Threshold(v.Attr.Num)
	if threshold > 1<<32-1 { // nothing survives
		return "ZERO"
	}
	return fmt.Sprintf("op_dropout(%s, %s, a->keys + %d, %du, %s)", x, index, 2*k.site(v), threshold, number(ir.DropoutScale(v.Attr.Num)))
}
