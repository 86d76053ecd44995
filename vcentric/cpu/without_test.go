package cpu

// Plans without some of the planner's rules: what kernels would keep to themselves goes
// through memory, also what only reshapes a value of edges.

import (
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// unfused is a plan without the rules that are bits of off.
func unfused(p *ir.Program, off uint64) *plan.Plan {
	var names []string
	for i, r := range plan.Rules() {
		if off>>i&1 == 1 {
			names = append(names, r)
		}
	}
	return plan.BuildWithout(p, names...)
}

// withGradients is a program with its gradients, before it is split in two.
func withGradients(p *ir.Program) (joint *ir.Program) {
	pass.Training(p, pass.Options{
		Want: func(string) bool { return true },
		Watch: func(s pass.Stage) {
			if s.Program.Name == p.Name {
				joint = s.Program
			}
		},
	})
	return joint
}

func TestProgramsWithGradientsAgreeWithTheInterpreterWithoutRulesOfThePlanner(t *testing.T) {
	n := uint64(2000)
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		unfusedWithGradients(t, irtest.New(seed))
	}
}

// Programs of gradients have sums over all rows, and winners, among what they compute forward.
func TestProgramsOfGradientsWithTheirGradientsAgreeWithTheInterpreter(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		c := irtest.New(160_000 + seed)
		if d := pass.Derive(c.Program, pass.Options{Want: func(string) bool { return true }}); len(d.Of) > 0 {
			c.Program = d.Program
			unfusedWithGradients(t, c)
		}
	}
}

// unfusedWithGradients runs a program and its gradients, with some decisions of the planner left out.
func unfusedWithGradients(t *testing.T, c *irtest.Case) {
	g, p := c.Graph, withGradients(c.Program)
	if jumps(p) {
		return
	}
	e := edges{
		name: g.Name, src: g.NumSrc, dst: g.NumDst, from: g.Src, to: g.Dst, bipartite: p.Bipartite,
		types: g.Types, srcType: g.SrcTypes, dstType: g.DstTypes, ofTypes: g.EdgeTypes,
	}
	mustAgreeAs(t, func(p *ir.Program) *plan.Plan { return unfused(p, c.Seed>>1) }, p, e, c.Inputs(p), c.Seed, 1e-4)
}

func TestStepsReadReshapesOfEdgesFromMemory(t *testing.T) {
	wide, long := ir.Shape{2, 3}, ir.Shape{6}
	e := random("random", rand.New(rng.NewStream(5)), 30, 30, 200, false)
	for _, c := range []struct {
		name string
		f    func(b *ir.Builder, x *ir.Value) *ir.Value // of a reshape, [2 3]
	}{
		{"outer product", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, x, b.Input("y", ir.Edge, ir.Shape{2, 4}))
		}},
		{"outer products of heads", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge, Heads: true}, b.Input("y", ir.Edge, wide), x)
		}},
		{"outer product with itself", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, x, x)
		}},
		{"product", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.MatMul(x, b.Input("w", ir.Param, ir.Shape{3, 4}))
		}},
		{"product of heads", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.MatMul(x, b.Input("w", ir.Param, ir.Shape{2, 3, 4}))
		}},
		{"product, and a sum of what is reshaped", func(b *ir.Builder, x *ir.Value) *ir.Value {
			b.Output("sum", b.Sum(ir.Out, x.Args[0]))
			return b.MatMul(x, b.Input("w", ir.Param, ir.Shape{2, 3, 4}))
		}},
		{"product, and the reshape as a result", func(b *ir.Builder, x *ir.Value) *ir.Value {
			b.Output("x", x)
			return b.MatMul(x, b.Input("w", ir.Param, ir.Shape{2, 3, 4}))
		}},
		{"product of a reshape of a product", func(b *ir.Builder, x *ir.Value) *ir.Value {
			y := b.MatMul(x, b.Input("w", ir.Param, ir.Shape{2, 3, 4}))
			return b.MatMul(b.Reshape(y, ir.Shape{4, 2}), b.Input("w2", ir.Param, ir.Shape{4, 2, 5}))
		}},
	} {
		for off := range uint64(16) {
			b := ir.NewBuilder(c.name, ir.F64, false)
			x := b.Reshape(b.Add(b.Input("u", ir.Src, long), b.Input("v", ir.Dst, long)), wide)
			b.Output("out", c.f(b, x))
			p := b.Program()
			mustAgreeAs(t, func(p *ir.Program) *plan.Plan { return unfused(p, off) }, p, e, inputsOf(p, e.structure(), 3), 3, 1e-4)
		}
	}
}
