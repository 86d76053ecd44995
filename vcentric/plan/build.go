package plan

// Building a plan: steps, loops, buffers and stores from the fused stages.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Build plans a program. Edge softmax must have been lowered (pass.Lower).
func Build(p *ir.Program) *Plan {
	b := &builder{
		plan:  &Plan{Program: p, bufferOf: make(map[*ir.Value]*Buffer)},
		fuse:  stages(p),
		needs: newReach(),
		group: make(map[kernelKey]*group),

		constants: make(map[*ir.Value]*Buffer),
	}
	b.fuse.ready = make(map[edgeIn]int) // stages have moved since
	b.inputs()
	b.assign()
	b.outputs()
	b.steps()
	b.stores()
	return b.plan
}

// group is a kernel in the making.
type group struct {
	rowValues  []*ir.Value // computed, in program order
	edgeStores []*ir.Value // edge values that must reach memory
	kernel     *Kernel
	level      map[*ir.Value]int // the loop that a row value waits for; 0 before all
}

type builder struct {
	plan    *Plan
	fuse    *fuser
	needs   *reach
	group   map[kernelKey]*group
	dense   []*ir.Value // products and totals, in program order
	storing []storing

	constants map[*ir.Value]*Buffer // those that dense steps read
}

// storing is a store waiting for its kernel.
type storing struct {
	key   kernelKey
	store Store
}

func (b *builder) at(k kernelKey) *group {
	g := b.group[k]
	if g == nil {
		g = &group{kernel: &Kernel{Rows: k.rows}, level: make(map[*ir.Value]int)}
		b.group[k] = g
	}
	return g
}

// key names the kernel that computes v, or that stores the edge value v.
func (b *builder) key(v *ir.Value) kernelKey {
	if v.Res == ir.Edge {
		return kernelKey{b.fuse.edgeReady(v, ir.Dst), ir.Dst}
	}
	return kernelKey{b.fuse.stage[v], domain(v)}
}

func (b *builder) inputs() {
	for _, v := range b.plan.Program.Inputs() {
		b.buffer(v, v.Attr.Name, Input, "bound by the caller")
	}
}

func (b *builder) buffer(v *ir.Value, name string, role Role, reason string) *Buffer {
	buf := &Buffer{Index: len(b.plan.Buffers), Name: name, Role: role, Res: v.Res, Type: v.Type, Shape: v.Shape, Reason: reason}
	b.plan.Buffers = append(b.plan.Buffers, buf)
	if b.plan.bufferOf[v] == nil && v.Op != ir.OpConst { // readers of a constant have its number
		b.plan.bufferOf[v] = buf
	}
	return buf
}

// assign puts every computed value into its kernel or among the dense steps.
func (b *builder) assign() {
	for _, v := range b.plan.Program.Values {
		switch {
		case v.Op.Info().Class == ir.EdgeNorm:
			panic(fmt.Sprintf("BUG: plan: %v is not lowered", v))
		case !isComputed(v):
		case inKernel(v):
			g := b.at(b.key(v))
			g.rowValues = append(g.rowValues, v)
		default:
			b.dense = append(b.dense, v)
		}
	}
}

// outputs gives each output its buffer, and says which kernel stores what no
// step would put there by itself.
func (b *builder) outputs() {
	for _, o := range b.plan.Program.Outputs {
		v := Row(o.Value)
		first := b.plan.bufferOf[v] == nil
		role, reason := Output, "result of the program"
		if strings.HasPrefix(o.Name, ir.SavedPrefix) {
			role, reason = Saved, "kept for backward, which could not recompute it row by row"
		}
		buf := b.buffer(v, o.Name, role, reason)
		buf.Shape = o.Value.Shape
		b.plan.Outputs = append(b.plan.Outputs, buf)
		switch {
		case isComputed(v) && !inKernel(v) && first: // its step writes the buffer
		case v.Res == ir.Edge:
			b.storeEdge(v, buf)
		case isComputed(v) && inKernel(v):
			b.storing = append(b.storing, storing{b.key(v), Store{v, buf}})
		default: // an input, a constant, a view, or a product that is two outputs
			b.storing = append(b.storing, storing{kernelKey{b.fuse.complete(v), v.Res}, Store{v, buf}})
		}
	}
	for _, o := range b.plan.Program.Outputs {
		if Row(o.Value).Op == ir.OpView {
			b.demand(o.Value, "read by the kernel of the other side")
		}
	}
}

func (b *builder) storeEdge(v *ir.Value, buf *Buffer) {
	key := b.key(v)
	g := b.at(key)
	g.edgeStores = append(g.edgeStores, v)
	b.storing = append(b.storing, storing{key, Store{v, buf}})
}

// demand makes sure that v is in memory.
func (b *builder) demand(v *ir.Value, reason string) *Buffer {
	v = resolve(v)
	if v.Op == ir.OpConst {
		return nil
	}
	if buf := b.plan.bufferOf[v]; buf != nil {
		return buf
	}
	buf := b.buffer(v, fmt.Sprintf("%%%d", v.ID), Temp, reason)
	switch {
	case isComputed(v) && !inKernel(v):
	case v.Res == ir.Edge:
		b.storeEdge(v, buf)
	default:
		b.storing = append(b.storing, storing{b.key(v), Store{v, buf}})
	}
	return buf
}

// operand puts what a dense step reads into memory, constants too.
func (b *builder) operand(v *ir.Value, reason string) {
	v = resolve(v)
	if v.Op != ir.OpConst {
		b.demand(v, reason)
	} else if b.constants[v] == nil {
		b.constants[v] = b.buffer(v, fmt.Sprintf("%%%d", v.ID), Temp, reason)
		b.storing = append(b.storing, storing{kernelKey{b.fuse.complete(v), v.Res}, Store{v, b.constants[v]}})
	}
}

// steps orders kernels and dense steps by stage and fills in their operands.
func (b *builder) steps() {
	for _, v := range b.dense { // first: they may ask kernels for edge stores
		for _, a := range v.Args {
			b.operand(a, "operand of "+v.Op.String())
		}
		if b.plan.bufferOf[v] == nil {
			b.buffer(v, fmt.Sprintf("%%%d", v.ID), Temp, "result of "+v.Op.String())
		}
	}
	for _, s := range b.storing {
		b.at(s.key)
	}
	keys := sortedKeys(b.group)
	for _, k := range keys {
		b.loops(b.group[k])
	}
	last := -1
	for _, k := range keys {
		last = max(last, k.stage)
	}
	for _, v := range b.dense {
		last = max(last, b.fuse.stage[v])
	}
	for stage := 0; stage <= last; stage++ {
		for _, k := range keys {
			if k.stage == stage {
				b.plan.Steps = append(b.plan.Steps, b.group[k].kernel)
			}
		}
		for _, v := range b.dense {
			if b.fuse.stage[v] == stage {
				b.plan.Steps = append(b.plan.Steps, b.denseStep(v))
			}
		}
	}
}

func (b *builder) denseStep(v *ir.Value) Step {
	in := func(i int) *Buffer {
		a := resolve(v.Args[i])
		if buf := b.constants[a]; buf != nil {
			return buf
		}
		return b.plan.bufferOf[a]
	}
	out := b.plan.bufferOf[v]
	if v.Op == ir.OpTotal {
		return &Total{Value: v, In: in(0), Out: out, Level: v.Level()}
	}
	return &Product{Value: v, A: in(0), B: in(1), Out: out, Level: v.Level()}
}

// loops lays out a kernel: which row values come before, between and after its
// edge loops, and which edge values each loop needs.
func (b *builder) loops(g *group) {
	own := make(map[*ir.Value]bool, len(g.rowValues))
	for _, v := range g.rowValues {
		own[v] = true
	}
	wait := func(a *ir.Value) int { // the loop that must be over before a's edges can be met
		l := 0
		for c := range b.needs.edge(a, g.kernel.Rows) {
			if own[c] {
				l = max(l, g.level[c])
			}
		}
		return l
	}
	loop := func(l int) *Loop {
		for len(g.kernel.Loops) < l {
			g.kernel.Loops = append(g.kernel.Loops, &Loop{})
		}
		return g.kernel.Loops[l-1]
	}
	edgeRoots := make(map[*Loop][]*ir.Value)
	for _, v := range g.rowValues {
		if v.Op.Info().Class == ir.Aggregate {
			l := wait(v.Args[0]) + 1
			g.level[v] = l
			lp := loop(l)
			lp.Reduce = append(lp.Reduce, v)
			edgeRoots[lp] = append(edgeRoots[lp], v.Args[0])
			continue
		}
		l := 0
		for _, a := range v.Args {
			if a = Row(a); own[a] {
				l = max(l, g.level[a])
			}
		}
		g.level[v] = l
		if l == 0 {
			g.kernel.Pre = append(g.kernel.Pre, v)
		} else {
			loop(l).Post = append(loop(l).Post, v)
		}
	}
	for _, v := range g.edgeStores {
		lp := loop(wait(v) + 1)
		g.level[v] = wait(v) + 1
		edgeRoots[lp] = append(edgeRoots[lp], v)
	}
	for _, lp := range g.kernel.Loops {
		lp.Edge = edgeValues(edgeRoots[lp])
	}
}

// edgeValues lists the values that a loop computes to have the roots, operands
// first.
func edgeValues(roots []*ir.Value) []*ir.Value {
	seen := make(map[*ir.Value]bool)
	var out []*ir.Value
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] || v.Res != ir.Edge || v.Op == ir.OpInput || isComputed(v) {
			return
		}
		seen[v] = true
		for _, a := range v.Args {
			visit(a)
		}
		out = append(out, v)
	}
	for _, r := range roots {
		visit(r)
	}
	slices.SortFunc(out, func(x, y *ir.Value) int { return cmp.Compare(x.ID, y.ID) })
	return out
}

// stores finds what kernels read from memory, gives it buffers, and hangs all
// stores into their kernels.
func (b *builder) stores() {
	for _, s := range b.plan.Steps {
		k, ok := s.(*Kernel)
		if !ok {
			continue
		}
		have := make(map[*ir.Value]bool)
		read := func(vs []*ir.Value) {
			for _, v := range vs {
				for _, a := range v.Args {
					if a = Row(a); !have[a] {
						b.demand(a, reasonRead(a, k.Rows))
					}
				}
				have[v] = true
			}
		}
		// A value computed in a loop is a register there and in later loops of
		// the kernel; aggregates become readable when their loop has ended.
		read(k.Pre)
		for _, lp := range k.Loops {
			read(lp.Edge)
			read(lp.Reduce)
			read(lp.Post)
		}
	}
	for _, s := range b.storing {
		g := b.group[s.key]
		k := g.kernel
		if v := s.store.Value; v.Res == ir.Edge {
			lp := k.Loops[g.level[v]-1]
			lp.Stores = append(lp.Stores, s.store)
		} else {
			k.Stores = append(k.Stores, s.store)
		}
	}
}

func reasonRead(a *ir.Value, rows ir.Residency) string {
	switch {
	case a.Res == ir.Param:
		return "shared by all rows of a kernel"
	case a.Res == rows:
		return "crosses from one kernel to another"
	case a.Op == ir.OpView:
		return "read by the kernel of the other side"
	}
	return fmt.Sprintf("a %v value read across edges", a.Res)
}
