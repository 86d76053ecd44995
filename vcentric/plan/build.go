package plan

// Building a plan: kernels and steps from the fused stages, in order.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Build plans a program. Edge softmax must have been lowered, and products with a
// matrix per vertex or edge (pass.Forward and pass.Training do both).
func Build(p *ir.Program) *Plan { return BuildWithout(p) }

// BuildWithout is Build without the rules named in off: FuseEdgeProduct and its
// like. Other names, such as those of a pass's rules, mean nothing here.
//
// Whether a value has to be in memory is known only when all kernels are laid
// out; so the rules assume the best, look at the plan that comes of it, and give
// up what did not pay.
func BuildWithout(p *ir.Program, off ...string) *Plan { return BuildWith(p, Options{Off: off}) }

// Options change the decisions of a plan.
type Options struct {
	Off []string // rules that are left out
	// EdgeBytes is up to how many bytes of an edge, operands and result, products of edges
	// with a matrix, and sums of outer products of edges, those of types only if they are
	// very many, are steps over tensors with a row for each edge; 0 for none. It is for
	// devices whose library of products is much faster than their kernels, and have the
	// memory.
	EdgeBytes int
}

// BuildWith is Build with options.
func BuildWith(p *ir.Program, o Options) *Plan {
	places := &placer{prog: p, off: o.Off, edgeBytes: o.EdgeBytes, refused: make(map[*ir.Value]string), pinned: make(map[*ir.Value]bool), byType: make(map[*ir.Value]bool)}
	for {
		places.assign()
		plan := build(p, stages(places))
		if !places.revise(plan) {
			places.account(plan)
			plan.Decisions = places.decisions
			plan.order()
			return plan
		}
	}
}

type builder struct {
	plan    *Plan
	fuse    *fuser
	group   map[kernelKey]*group
	dense   []*ir.Value // products and totals that are steps, in program order
	storing []storing

	constants map[*ir.Value]*Buffer // those that steps read
}

// group is a kernel in the making.
type group struct {
	rowValues  []*ir.Value // computed, in program order
	edgeStores []*ir.Value // edge values that must reach memory
	sums       []*ir.Value // over all rows or edges
	kernel     *Kernel
	level      map[*ir.Value]int // the loop that a row value waits for; 0 before all
}

// storing is a store waiting for its kernel.
type storing struct {
	key   kernelKey
	store Store
}

func build(p *ir.Program, f *fuser) *Plan {
	b := &builder{
		plan:      &Plan{Program: p, bufferOf: make(map[*ir.Value]*Buffer)},
		fuse:      f,
		group:     make(map[kernelKey]*group),
		constants: make(map[*ir.Value]*Buffer),
	}
	b.inputs()
	b.assign()
	b.outputs()
	b.operands()
	b.layout()
	b.steps()
	b.stores()
	return b.plan
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
		home := b.fuse.edgeHome(v)
		return kernelKey{b.fuse.edgeReady(v, home), home}
	}
	return kernelKey{b.fuse.stage[v], b.fuse.domain(v)}
}

// assign puts every computed value into its kernel or among the steps.
func (b *builder) assign() {
	for _, v := range b.plan.Program.Values {
		switch b.fuse.place[v] {
		case inRow:
			g := b.at(b.key(v))
			g.rowValues = append(g.rowValues, v)
		case inTotals:
			g := b.at(b.key(v))
			g.sums = append(g.sums, v)
		case ownStep:
			b.dense = append(b.dense, v)
		}
	}
}

// operands puts what steps read and write into memory. It comes before the
// layout of kernels, which it may ask for edge stores.
func (b *builder) operands() {
	for _, v := range b.dense {
		for _, a := range v.Args {
			b.operand(a, "operand of "+v.Op.String())
		}
	}
	for _, v := range b.plan.Program.Values {
		if place := b.fuse.place[v]; (place == ownStep || place == inTotals) && b.plan.bufferOf[v] == nil {
			b.buffer(v, fmt.Sprintf("%%%d", v.ID), Temp, "result of "+v.Op.String())
		}
	}
	for _, v := range b.plan.Program.Values {
		if _, kept := b.fuse.kept[v]; kept {
			b.demand(v, "kept for the loops of the other side, which would gather rows for it")
		}
	}
	for _, s := range b.storing {
		b.at(s.key)
	}
}

// layout fills in the kernels.
func (b *builder) layout() {
	for _, k := range sortedKeys(b.group) {
		b.loops(b.group[k])
	}
}

// steps puts kernels and steps in the order of their stages.
func (b *builder) steps() {
	keys, last := sortedKeys(b.group), -1
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
				b.plan.Steps = append(b.plan.Steps, b.step(v))
			}
		}
	}
}

func (b *builder) step(v *ir.Value) Step {
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
