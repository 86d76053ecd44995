package explain

// Predicted work of a plan: flops and bytes of each step, from the plan alone.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// StepCost is what one step of a plan is predicted to compute and move.
//
// Every edge loop counts as a pass of its own, as the plan writes it: an
// executor that keeps edge values or neighbours' rows from one loop to the next
// does less. A row that a kernel reads of its own vertex is read once, however
// many loops use it.
type StepCost struct {
	Step int    // index in Plan.Steps; -1 for a sum of steps
	What string // the step in words

	Flops          int64 // additions, multiplications, comparisons and function values
	Transcendental int64 // those of Flops that are exponentials, logarithms, powers and what is made of them

	Streamed int64 // bytes of rows read in their order, once: own rows, edge rows, params
	Gathered int64 // bytes of rows read across edges: edges × width, as if no row were ever in a cache
	Index    int64 // bytes of graph structure: neighbours, edge ids, type ids, offsets
	Written  int64 // bytes of rows stored
	Distinct int64 // bytes of different memory among what is read: the least that memory must deliver
}

// Read is the number of bytes read when no gathered row is in a cache.
func (c StepCost) Read() int64 { return c.Streamed + c.Gathered + c.Index }

// Bytes is the number of bytes read and written when no gathered row is in a
// cache.
func (c StepCost) Bytes() int64 { return c.Read() + c.Written }

// Intensity is the number of flops a byte; 0 if nothing is moved.
func (c StepCost) Intensity() float64 {
	if c.Bytes() == 0 {
		return 0
	}
	return float64(c.Flops) / float64(c.Bytes())
}

// Sum adds up the costs of steps.
func Sum(costs []StepCost) StepCost {
	t := StepCost{Step: -1, What: "all steps"}
	for _, c := range costs {
		t.Flops += c.Flops
		t.Transcendental += c.Transcendental
		t.Streamed += c.Streamed
		t.Gathered += c.Gathered
		t.Index += c.Index
		t.Written += c.Written
		t.Distinct += c.Distinct
	}
	return t
}

// Cost predicts the work of each step of a plan on a graph of the given sizes.
// A flop is one number computed from numbers: element-wise values cost one an
// element, whatever the function; reductions one for each element taken in;
// matrix products 2·m·n·k; moving numbers costs none.
func Cost(p *plan.Plan, s plan.Sizes) []StepCost {
	costs := make([]StepCost, len(p.Steps))
	for i, step := range p.Steps {
		c := &counter{plan: p, sizes: s, met: make(map[string]int64)}
		switch step := step.(type) {
		case *plan.Kernel:
			c.kernel(step)
		case *plan.Product:
			c.whole(step.Value, step.Out, step.Level, step.A, step.B)
		case *plan.Total:
			c.whole(step.Value, step.Out, step.Level, step.In)
		default:
			panic(fmt.Sprintf("BUG: explain: step %T has no cost", step))
		}
		c.cost.Step, c.cost.What = i, Describe(step)
		for _, n := range c.met {
			c.cost.Distinct += n
		}
		costs[i] = c.cost
	}
	return costs
}

// Describe names a step in words.
func Describe(step plan.Step) string {
	switch s := step.(type) {
	case *plan.Kernel:
		text := fmt.Sprintf("kernel over %v rows", s.Rows)
		switch n := len(s.Loops); {
		case n == 1:
			text += fmt.Sprintf(", a loop over %v-edges", ir.Over(s.Rows))
		case n > 1:
			text += fmt.Sprintf(", %d loops over %v-edges", n, ir.Over(s.Rows))
		}
		return text
	case *plan.Product:
		return fmt.Sprintf("%v of %v rows", s.Value.Op, s.Level)
	case *plan.Total:
		return fmt.Sprintf("total of %v rows", s.Level)
	}
	panic(fmt.Sprintf("BUG: explain: step %T has no name", step))
}

// idSize is the number of bytes of a vertex, edge or type id, and of an offset.
const idSize = 4

// counter counts one step.
type counter struct {
	plan  *plan.Plan
	sizes plan.Sizes
	cost  StepCost
	met   map[string]int64 // of each tensor or index read, its bytes
}

func (c *counter) rows(r ir.Residency) int64 { return int64(c.sizes.Rows(r)) }

// meet notes that bytes of a tensor or an index are read.
func (c *counter) meet(memory string, bytes int64) { c.met[memory] = max(c.met[memory], bytes) }

// index counts a read of graph structure.
func (c *counter) index(memory string, bytes int64) {
	c.cost.Index += bytes
	c.meet(memory, bytes)
}

// tensor names the memory of a buffer: an input of a homogeneous graph that is
// read from both sides is one tensor, as in ir.Program.Binding.
func tensor(p *plan.Plan, b *plan.Buffer) string {
	if b.Role == plan.Input && !p.Program.Bipartite {
		switch b.Res {
		case ir.Src, ir.Dst:
			return "vertex " + b.Name
		case ir.SrcType, ir.DstType:
			return "vertextype " + b.Name
		}
	}
	return fmt.Sprintf("buffer %d", b.Index)
}

// lap is what one pass over rows, or over their edges, has read so far.
type lap struct {
	level  ir.Residency          // what the pass runs over
	read   map[operand]int64     // bytes of a row
	across map[ir.Residency]bool // the ends of edges at which rows are looked up
	types  map[ir.Residency]bool // the types that are looked up
	ids    bool                  // the edges' ids are looked up
}

// operand is a buffer as it is read from one side.
type operand struct {
	buffer *plan.Buffer
	res    ir.Residency
}

func newLap(level ir.Residency) *lap {
	return &lap{level: level, read: make(map[operand]int64), across: make(map[ir.Residency]bool), types: make(map[ir.Residency]bool)}
}

// whole counts a step over materialised operands: a product or a total.
func (c *counter) whole(v *ir.Value, out *plan.Buffer, level ir.Residency, in ...*plan.Buffer) {
	l := newLap(level)
	for i, b := range in {
		c.read(v, plan.Row(v.Args[i]), b, l)
	}
	c.compute(v, l)
	for side := range l.across { // of each edge, in the order of ids
		c.index(fmt.Sprintf("endpoints %v", side), idSize*c.rows(level))
	}
	c.lookUps(l)
	c.cost.Written += out.Bytes(c.sizes)
}

// compute counts v at every row of a pass.
func (c *counter) compute(v *ir.Value, l *lap) {
	f := flops(v) * c.rows(l.level)
	c.cost.Flops += f
	if v.Op.Transcendental() {
		c.cost.Transcendental += f
	}
	switch v.Op {
	case ir.OpDropout, ir.OpWinner, ir.OpArgmax:
		l.ids = l.ids || l.level == ir.Edge
	}
	if v.Attr.Typed && l.level == ir.Edge || v.Op == ir.OpPick {
		l.types[ir.EdgeType] = true
	}
	if v.Attr.To.IsType() {
		l.types[v.Attr.To] = true
	}
}

// read counts the read of v's operand a at every row of a pass, unless the pass
// has read it before.
func (c *counter) read(v, a *ir.Value, b *plan.Buffer, l *lap) {
	width := a.Width()
	across := l.level == ir.Edge && a.Res.IsVertex()
	if across && (v.Op == ir.OpPick || v.Op == ir.OpWinner) {
		width = v.Width() // the part of one edge type
	}
	o, row := operand{b, a.Res}, int64(width)*int64(b.Type.Size())
	more := row - l.read[o]
	if more <= 0 {
		return
	}
	l.read[o] = row
	n := c.rows(a.Res)
	switch {
	case across:
		c.cost.Gathered += c.rows(l.level) * more
		n = min(n, c.rows(l.level))
		l.across[a.Res] = true
	case a.Res == ir.Param || a.Res == l.level:
		c.cost.Streamed += n * more
	default: // a row a type: a table that is small beside the graph, looked up by a type id
		c.cost.Streamed += n * more
		l.types[a.Res] = true
		if l.level == ir.Edge && a.Res != ir.EdgeType {
			l.across[a.Res] = true
		}
	}
	c.meet(tensor(c.plan, b), n*row)
}

// lookUps counts the type ids of a pass.
func (c *counter) lookUps(l *lap) {
	for t := range l.types {
		c.index(fmt.Sprintf("%v of %v", t, l.level), idSize*c.rows(l.level))
	}
}

// kernelCounter counts a kernel: its own rows once, each loop as a pass over the
// edges.
type kernelCounter struct {
	*counter
	kernel  *plan.Kernel
	own     *lap               // what is read once a row, or once a kernel
	have    map[*ir.Value]bool // computed so far
	offsets map[ir.Dir]bool    // read so far
}

func (c *counter) kernel(k *plan.Kernel) {
	n := &kernelCounter{counter: c, kernel: k, own: newLap(k.Rows), have: make(map[*ir.Value]bool), offsets: make(map[ir.Dir]bool)}
	if len(k.Loops) > 0 {
		n.offset(ir.Over(k.Rows))
	}
	n.rowValues(k.Pre)
	for _, lp := range k.Loops {
		n.loop(lp)
		n.rowValues(lp.Post)
	}
	n.sums(k.Totals, n.own)
	n.stores(k.Stores, n.own)
	c.lookUps(n.own)
}

// offset counts where the edges of each row begin, once a kernel.
func (n *kernelCounter) offset(d ir.Dir) {
	if !n.offsets[d] {
		n.offsets[d] = true
		n.index(fmt.Sprintf("offsets %v", d), idSize*(n.rows(d.Rows())+1))
	}
}

// operands counts what v reads of args in a pass. What belongs to the kernel's
// own row is read once for all passes.
func (n *kernelCounter) operands(v *ir.Value, args []*ir.Value, l *lap) {
	for _, a := range args {
		a = plan.Row(a)
		if n.have[a] || a.Op == ir.OpConst {
			continue
		}
		b := n.plan.BufferOf(a)
		if b == nil {
			panic(fmt.Sprintf("BUG: explain: %v is read and has no buffer", a))
		}
		if a.Res.Within(n.kernel.Rows) {
			n.read(v, a, b, n.own)
		} else {
			l.ids = l.ids || a.Res == ir.Edge
			n.read(v, a, b, l)
		}
	}
}

func (n *kernelCounter) rowValues(vs []*ir.Value) {
	for _, v := range vs {
		n.operands(v, v.Args, n.own)
		n.compute(v, n.own)
		n.have[v] = true
		if v.Op == ir.OpDegree {
			n.offset(v.Attr.Dir)
		}
	}
}

func (n *kernelCounter) sums(sums []plan.Sum, l *lap) {
	for _, s := range sums {
		n.operands(s.Value, s.Value.Args, l)
		n.compute(s.Value, l)
		n.cost.Written += s.Out.Bytes(n.sizes)
	}
}

func (n *kernelCounter) stores(stores []plan.Store, l *lap) {
	for _, s := range stores {
		n.operands(s.Value, []*ir.Value{s.Value}, l)
		n.cost.Written += s.Buffer.Bytes(n.sizes)
		l.ids = l.ids || l.level == ir.Edge
	}
}

func (n *kernelCounter) loop(lp *plan.Loop) {
	l := newLap(ir.Edge)
	for _, v := range lp.Edge {
		n.operands(v, v.Args, l)
		n.compute(v, l)
		n.have[v] = true
	}
	for _, v := range lp.Reduce {
		n.operands(v, v.Args, l)
		n.compute(v, l)
	}
	n.sums(lp.Totals, l)
	n.stores(lp.Stores, l)
	for _, v := range lp.Reduce { // readable when the loop has ended
		n.have[v] = true
	}
	edges := n.rows(ir.Edge)
	if len(l.across) > 0 {
		n.index(fmt.Sprintf("neighbours of %v", n.kernel.Rows), idSize*edges)
	}
	if l.ids {
		n.index(fmt.Sprintf("edge ids of %v", n.kernel.Rows), idSize*edges)
	}
	n.lookUps(l)
}

// flops is the work of v for one row of its level.
func flops(v *ir.Value) int64 {
	switch v.Op.Info().Class {
	case ir.Leaf, ir.Alias:
		return 0
	case ir.Layout:
		switch taken := v.Args[0].Width(); {
		case v.Op == ir.OpReduceTo && taken > v.Width(), v.Op == ir.OpMaxLast, v.Op == ir.OpFirstMax:
			return int64(taken)
		}
		return 0
	case ir.Aggregate, ir.Reduction:
		return int64(v.Args[0].Width())
	case ir.Dense:
		columns := v.Shape[len(v.Shape)-1]
		return 2 * int64(v.Args[0].Width()) * int64(columns)
	}
	if v.Op == ir.OpAt || v.Op == ir.OpPick { // only reads
		return 0
	}
	return int64(v.Width())
}
