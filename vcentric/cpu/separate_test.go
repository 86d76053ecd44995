package cpu

// A planner for tests: every row value in a kernel of its own, through memory,
// and everything on edges computed anew in every loop that needs it, products
// and sums over all edges too.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// separate plans p.
func separate(p *ir.Program) *plan.Plan {
	pl := buffersOf(p)
	step := func(k *plan.Kernel) { pl.Steps = append(pl.Steps, k) }
	for i, v := range p.Values {
		if !isStep(v) {
			continue
		}
		buf := pl.BufferOf(v)
		stores, sums := []plan.Store{{Value: v, Buffer: buf}}, []plan.Sum{{Value: v, Out: buf}}
		switch c := v.Op.Info().Class; {
		case (c == ir.Reduction || v.Op == ir.OpOuter) && v.Attr.Res == ir.Edge:
			step(&plan.Kernel{Rows: ir.Src + ir.Residency(i%2), Loops: []*plan.Loop{{Edge: onEdges(v.Args...), Totals: sums}}})
		case c == ir.Reduction || v.Op == ir.OpOuter:
			step(&plan.Kernel{Rows: v.Attr.Res, Totals: sums})
		case c == ir.Aggregate:
			step(&plan.Kernel{Rows: v.Res, Loops: []*plan.Loop{{Edge: onEdges(v.Args[0]), Reduce: []*ir.Value{v}}}, Stores: stores})
		default:
			step(&plan.Kernel{Rows: v.Res, Pre: []*ir.Value{v}, Stores: stores})
		}
	}
	for i, o := range p.Outputs {
		v := o.Value
		stores := []plan.Store{{Value: v, Buffer: pl.Outputs[i]}}
		if v.Res == ir.Edge {
			step(&plan.Kernel{Rows: ir.Src + ir.Residency(i%2), Loops: []*plan.Loop{{Edge: onEdges(v), Stores: stores}}})
		} else {
			step(&plan.Kernel{Rows: v.Res, Stores: stores})
		}
	}
	return pl
}

// buffersOf is a plan without steps in which every input, every computed row value
// and every output has a buffer.
func buffersOf(p *ir.Program) *plan.Plan {
	leaves := *p
	leaves.Values, leaves.Outputs = nil, nil
	ops := make(map[*ir.Value]ir.Op)
	for _, v := range p.Values {
		if v.Op == ir.OpInput || isStep(v) {
			ops[v] = v.Op
			v.Op = ir.OpInput // the planner gives inputs buffers and no steps
			leaves.Values = append(leaves.Values, v)
		}
	}
	pl := plan.Build(&leaves)
	for v, op := range ops {
		v.Op = op
	}
	pl.Program = p
	for _, o := range p.Outputs {
		v := o.Value
		b := &plan.Buffer{Index: len(pl.Buffers), Name: o.Name, Role: plan.Output, Res: v.Res, Type: v.Type, Shape: v.Shape}
		pl.Buffers, pl.Outputs = append(pl.Buffers, b), append(pl.Outputs, b)
	}
	return pl
}

// isStep tells whether v is a row value that something must compute.
func isStep(v *ir.Value) bool {
	switch v.Op {
	case ir.OpInput, ir.OpConst, ir.OpReshape:
		return false
	}
	return v.Res != ir.Edge && v.Op.Info().Class != ir.Alias
}

// onEdges lists the edge values that are computed to have vs, operands first.
func onEdges(vs ...*ir.Value) (out []*ir.Value) {
	seen := make(map[*ir.Value]bool)
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] || v.Res != ir.Edge || v.Op == ir.OpInput {
			return
		}
		seen[v] = true
		for _, a := range v.Args {
			visit(a)
		}
		out = append(out, v)
	}
	for _, v := range vs {
		visit(v)
	}
	return out
}

// softmaxFree tells whether a plan can run p: softmax is lowered before planning.
func softmaxFree(p *ir.Program) bool {
	for _, v := range p.Values {
		if v.Op == ir.OpSoftmax {
			return false
		}
	}
	return true
}

// jumps tells whether rounding may change a result of p altogether.
func jumps(p *ir.Program) bool {
	return slices.ContainsFunc(p.Values, func(v *ir.Value) bool {
		switch v.Op {
		case ir.OpGt, ir.OpGe, ir.OpEq, ir.OpSign, ir.OpSelect, ir.OpArgmax, ir.OpFirstMax:
			return true
		}
		return false
	})
}

// isSteady tells whether comparisons go the same way if their operands are a little off, as where
// one executor has 1 for tanh 19 and the other the number before.
func isSteady(t testing.TB, c *irtest.Case) bool {
	t.Helper()
	b := ir.BuilderLike(c.Program)
	to := make(map[*ir.Value]*ir.Value)
	for _, v := range c.Program.Values {
		var args []*ir.Value
		for _, a := range v.Args {
			args = append(args, to[a])
		}
		switch v.Op {
		case ir.OpGt, ir.OpGe, ir.OpEq:
			args[0] = b.Mul(args[0], b.Const(1+1e-12))
		}
		to[v] = b.Copy(v, args)
	}
	for _, o := range c.Program.Outputs {
		b.Output(o.Name, to[o.Value])
	}
	var out [2]map[string][]float64
	for i, p := range []*ir.Program{c.Program, b.Program()} {
		var err error
		if out[i], err = ir.Interpret(p, &c.Graph.Structure, c.Inputs(p), c.Seed); err != nil {
			t.Fatal(err)
		}
	}
	return irtest.Diff(out[1], out[0], 1e-9) == ""
}

// checkPlanners runs a random program as both planners plan it.
func checkPlanners(t testing.TB, seed uint64) {
	c := irtest.New(seed)
	if !softmaxFree(c.Program) || jumps(c.Program) && !c.Ties && !isSteady(t, c) {
		return
	}
	g := c.Graph
	e := edges{
		name: g.Name, src: g.NumSrc, dst: g.NumDst, from: g.Src, to: g.Dst, bipartite: c.Program.Bipartite,
		types: g.Types, srcType: g.SrcTypes, dstType: g.DstTypes, ofTypes: g.EdgeTypes,
	}
	tol := 1e-4
	if jumps(c.Program) {
		tol = math.Inf(1)
	}
	in := c.Inputs(c.Program)
	mustAgreeAs(t, separate, c.Program, e, in, seed, tol)
	mustAgreeAs(t, plan.Build, c.Program, e, in, seed, tol)
}

func TestTypedAndUntypedProgramsAgreeWithTheInterpreter(t *testing.T) {
	n := uint64(2000)
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		checkPlanners(t, seed)
	}
}
