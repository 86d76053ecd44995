package plan

// Places: which values a kernel computes, and which are steps of their own. The
// named rules of a plan are the choices made here.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// The rules, each of which BuildWithout can leave out. The times are of 30 thousand
// vertices and a million edges, 64 columns, float32, two threads.
const (
	// FuseEdgeProduct computes a matrix product of edges inside the loops that
	// read it, a tile of edges at a time, and again in every other loop. A product
	// to memory and back takes twice the time of one in a loop (127 ms and 66 ms)
	// and a tensor with a row per edge (495 MB and 7 MB in all), so even computing
	// it twice costs no time; beyond that the memory saved is worth the time. A
	// product whose operand and result are both in memory anyway is a step.
	FuseEdgeProduct = "fuse-edge-product"
	// FuseTypedProduct is FuseEdgeProduct for products with a matrix for each type or
	// head.
	FuseTypedProduct = "fuse-typed-product"
	// FuseRowProduct computes a matrix product of vertices in the kernel that has
	// its operand, if the operand would go through memory for the product alone
	// and is wide (see wide).
	FuseRowProduct = "fuse-row-product"
	// FuseTotal sums over all rows or edges in a kernel that has an operand of the
	// sum (an outer product of edges in 72 ms for 232 ms), if not all operands are
	// in memory anyway: then a step is faster.
	FuseTotal = "fuse-total"
	// FuseRowOuter and FuseEdgeOuter are FuseTotal for outer products of vertices and of
	// edges: the gradient of a matrix that they are multiplied with, which is a matrix
	// product over all of them.
	FuseRowOuter  = "fuse-row-outer"
	FuseEdgeOuter = "fuse-edge-outer"
	// KeepEdgeValue stores an edge value that loops over in-edges and over out-edges
	// aggregate, if it is far narrower than rows of the other end which one of the two
	// would gather for nothing else (see keeper).
	KeepEdgeValue = "keep-edge-value"
)

// Decision is what a rule came to for a value to which it might apply.
type Decision struct {
	Rule   string
	Value  *ir.Value
	Taken  bool
	Reason string
}

func (d Decision) String() string {
	verb := "not "
	if d.Taken {
		verb = ""
	}
	return fmt.Sprintf("%s%s %%%d: %s", verb, d.Rule, d.Value.ID, d.Reason)
}

// place says where a value is computed.
type place uint8

const (
	nowhere  place = iota // inputs, constants, and what shares its operand's memory
	inLoop                // an edge value: in every loop that needs it
	inRow                 // a row value: in one kernel
	inTotals              // a sum over all rows or edges: along with one kernel
	ownStep               // a Product or a Total
)

// placer finds the place of every value of a program.
type placer struct {
	prog      *ir.Program
	off       []string
	edgeBytes int
	refused   map[*ir.Value]string // values that must be steps of their own, and why
	pinned    map[*ir.Value]bool   // products that must not leave the kernel of their operand
	place     map[*ir.Value]place
	kept      map[*ir.Value]ir.Residency // edge values in memory, and the rows whose loops compute them
	byType    map[*ir.Value]bool         // memo of isByType
	decisions []Decision
}

// assign places all values, given what has been refused so far.
func (c *placer) assign() {
	c.place = make(map[*ir.Value]place, len(c.prog.Values))
	c.decisions = nil
	for _, v := range c.prog.Values {
		c.place[v] = c.find(v)
	}
	c.keep()
}

func (c *placer) find(v *ir.Value) place {
	switch class := v.Op.Info().Class; {
	case class == ir.EdgeNorm:
		panic(fmt.Sprintf("BUG: plan: %v is not lowered", v))
	case class == ir.Alias, class == ir.Leaf && v.Op != ir.OpDegree:
		return nowhere
	case v.Op == ir.OpOuter, v.Op == ir.OpTotal:
		return c.total(v)
	case class == ir.Dense:
		return c.product(v)
	case v.Res == ir.Edge:
		return inLoop
	case v.Op == ir.OpReshape: // the same numbers in the same place
		return nowhere
	}
	return inRow
}

func (c *placer) product(v *ir.Value) place {
	if w := v.Args[1].Res; w != ir.Param && !w.IsType() {
		panic(fmt.Sprintf("BUG: plan: %v is not lowered: its matrix has a row per %v", v, w))
	}
	x, rule, worthwhile := Row(v.Args[0]), FuseEdgeProduct, !c.throughMemory(v.Args[0], v)
	if w := v.Args[1]; w.Res != ir.Param || len(w.Shape) > 2 {
		rule, worthwhile = FuseTypedProduct, true
	}
	switch {
	case v.Res == ir.Edge && c.decide(rule, v, worthwhile, c.narrow()):
		return inLoop
	case v.Res.IsVertex() && x.Res == v.Res && c.place[x] == inRow && c.decide(FuseRowProduct, v, c.wide(x, v), widths(x, v)):
		return inRow
	}
	return ownStep
}

// wide tells whether a kernel had better multiply the operand x where it has it
// than write it to memory for a step. That saves the step 2·x.Width() numbers a
// row to be moved; the step has larger products to win time with, and moves the
// result as the kernel does. So the operand must have at least twice the bytes
// of the result, or be the aggregate of each edge type, which is wide on purpose.
// Measured with operands of 16 to 128 columns: the kernel is up to 12 % faster at
// twice the result's width or more, even at the same width, and slower below.
func (c *placer) wide(x, product *ir.Value) bool {
	return c.isByType(x) || rowBytes(x) >= 2*rowBytes(product)
}

// isByType tells whether x is an aggregate of each edge type, maybe times something.
func (c *placer) isByType(x *ir.Value) bool {
	is, ok := c.byType[x]
	if !ok {
		is = x.Attr.Typed && x.Op.Info().Class == ir.Aggregate ||
			x.Op == ir.OpMul && slices.ContainsFunc(x.Args, func(a *ir.Value) bool { return c.isByType(Row(a)) })
		c.byType[x] = is
	}
	return is
}

func widths(x, product *ir.Value) string {
	return fmt.Sprintf("an operand of %d B a row for a result of %d B", rowBytes(x), rowBytes(product))
}

func rowBytes(v *ir.Value) int { return v.Width() * v.Type.Size() }

func (c *placer) total(v *ir.Value) place {
	level := v.Level()
	inside := func(a *ir.Value) bool {
		if level == ir.Edge {
			return c.place[a] == inLoop
		}
		a = Row(a)
		return c.place[a] == inRow && a.Res == level
	}
	vertexOrEdge, rule, worthwhile, reason := level.IsVertex() || level == ir.Edge, FuseTotal, true, "summed where an operand is computed"
	ofMatrix := v.Op == ir.OpOuter && v.Attr.To == ir.Param && !v.Attr.Heads
	if ofMatrix {
		if rule = FuseRowOuter; level == ir.Edge {
			rule = FuseEdgeOuter
		}
	}
	if level == ir.Edge && (ofMatrix || c.manyApart(v)) && c.throughMemory(v.Args...) {
		worthwhile, reason = false, c.narrow()
	}
	if ofMatrix && level.IsVertex() && v.Args[0].Res == level && v.Args[1].Res == level && v.Width() > maxSum {
		worthwhile, reason = false, "threads have no room for a sum of so many numbers each"
	}
	if vertexOrEdge && slices.ContainsFunc(v.Args, inside) && c.decide(rule, v, worthwhile, reason) {
		return inTotals
	}
	return ownStep
}

// maxSum is how many numbers an outer product of vertices has, beyond which a kernel would be run
// by one thread: each has a sum of its own, and there is room for one. A step shares it out.
const maxSum = 1 << 21

// maxApart is how many numbers sums of outer products have, those of all types together, beyond
// which kernels of devices are bad at them: each group of threads has its own, and of those of
// 300 types of 16×16 numbers there is room for one block's.
const maxApart = 1 << 14

// manyApart tells whether v is a sum of outer products for each of so many types.
func (c *placer) manyApart(v *ir.Value) bool {
	return v.Op == ir.OpOuter && v.Attr.To != ir.Param && c.prog.Types.Of(v.Attr.To)*v.Width() > maxApart
}

// throughMemory tells whether the rows of an edge are so narrow that a product of them had
// better be a step, if products of edges may be.
func (c *placer) throughMemory(rows ...*ir.Value) bool {
	bytes := 0
	for _, v := range rows {
		bytes += rowBytes(v)
	}
	return c.edgeBytes > 0 && bytes <= c.edgeBytes
}

// narrow is the reason of that.
func (c *placer) narrow() string {
	return fmt.Sprintf("rows of an edge of up to %d B go through memory", c.edgeBytes)
}

// decide tells whether a rule that may apply to v does, and notes it.
func (c *placer) decide(rule string, v *ir.Value, worthwhile bool, reason string) bool {
	taken := worthwhile
	if why := c.refused[v]; why != "" {
		taken, reason = false, why
	}
	if slices.Contains(c.off, rule) {
		taken, reason = false, "turned off"
	}
	c.decisions = append(c.decisions, Decision{rule, v, taken, reason})
	return taken
}

// account says what the products that loops compute cost, and what they save.
func (c *placer) account(p *Plan) {
	loops := make(map[*ir.Value]int)
	for _, s := range p.Steps {
		if k, ok := s.(*Kernel); ok {
			for _, lp := range k.Loops {
				for _, v := range lp.Edge {
					loops[v]++
				}
			}
		}
	}
	for i, d := range c.decisions {
		if d.Taken && ofEdges(d) {
			c.decisions[i].Reason = fmt.Sprintf("%d multiplications an edge in %d loops, instead of %d B an edge in memory", work(d.Value), loops[d.Value], rowBytes(d.Value))
		}
	}
}

// revise looks at the plan that the places led to and refuses what does not pay
// there; it tells whether it changed anything. What is refused stays so, so this
// comes to an end. A product that moved to the kernel that reads it, and left its
// operand to go through memory, is pinned first.
func (c *placer) revise(p *Plan) bool {
	before := len(c.refused) + len(c.pinned)
	inMemory := func(a *ir.Value) bool {
		a = resolve(a)
		return a.Op == ir.OpConst || p.bufferOf[a] != nil
	}
	for _, d := range c.decisions {
		v := d.Value
		switch {
		case !d.Taken:
		case ofEdges(d) && v.Args[0].Res == ir.Edge && inMemory(v) && inMemory(v.Args[0]):
			c.refused[v] = "operand and result are in memory anyway"
		case d.Rule == FuseRowProduct && inMemory(v.Args[0]) && !c.pinned[v]:
			c.pinned[v] = true
		case d.Rule == FuseRowProduct && inMemory(v.Args[0]):
			c.refused[v] = "the operand is in memory anyway"
		case isSum(v) && !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !inMemory(a) }):
			c.refused[v] = "all operands are in memory anyway"
		}
	}
	return len(c.refused)+len(c.pinned) > before
}

// ofEdges tells whether a decision is about a product of edges.
func ofEdges(d Decision) bool { return d.Rule == FuseEdgeProduct || d.Rule == FuseTypedProduct }

// isSum tells whether v is a sum over rows or edges.
func isSum(v *ir.Value) bool { return v.Op == ir.OpTotal || v.Op == ir.OpOuter }

// Rules are the names of all rules.
func Rules() []string {
	return []string{FuseEdgeProduct, FuseTypedProduct, FuseRowProduct, FuseTotal, FuseRowOuter, FuseEdgeOuter, KeepEdgeValue}
}
