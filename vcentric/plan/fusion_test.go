package plan_test

// The rules: what they do to the programs they are for.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// programs that the rules are for.
var programs = map[string]string{
	// EdgeConv with an MLP of two layers on the edges (Wang et al. 2019).
	"edgemlp": `program edgemlp f64 {
		%0:src f64[4] = input name="h"
		%1:dst f64[4] = input name="h"
		%2:edge f64[4] = sub %0 %1
		%3:edge f64[8] = concat %1 %2
		%4:param f64[8 6] = input name="W1"
		%5:edge f64[6] = matmul %3 %4
		%6:edge f64[6] = relu %5
		%7:param f64[6 3] = input name="W2"
		%8:edge f64[3] = matmul %6 %7
		%9:dst f64[3] = max %8 dir=in
		output "out" %9
	}`,
	// R-GCN, aggregated before it is transformed (Schlichtkrull et al. 2018).
	"rgcn": `program rgcn f64 types=0,0,3 {
		%0:src f64[4] = input name="h"
		%1:dst f64[3 4] = sum %0 dir=in typed=true
		%2:dst f64[12] = reshape %1 shape=[12]
		%3:etype f64[4 8] = input name="W"
		%4:param f64[3 4 8] = stack %3
		%5:param f64[12 8] = reshape %4 shape=[12,8]
		%6:dst f64[8] = matmul %2 %5
		%7:dst f64[8] = relu %6
		output "out" %7
	}`,
	// The same with means, and a weight for the vertex itself.
	"rgcn with self": `program rgcn f64 types=0,0,3 {
		%0:src f64[4] = input name="h"
		%1:dst f64[3 4] = sum %0 dir=in typed=true
		%2:dst f64[3] = degree dir=in res=dst typed=true
		%3:dst f64[3] = recip %2
		%4:dst f64[3 1] = reshape %2 shape=[3,1]
		%5:dst f64[3 1] = reshape %3 shape=[3,1]
		%6:param f64[] = const num=0
		%7:dst f64[3 1] = select %4 %5 %6
		%8:dst f64[3 4] = mul %1 %7
		%9:dst f64[12] = reshape %8 shape=[12]
		%10:etype f64[4 16] = input name="W"
		%11:param f64[3 4 16] = stack %10
		%12:param f64[12 16] = reshape %11 shape=[12,16]
		%13:dst f64[16] = matmul %9 %12
		%14:dst f64[4] = input name="h"
		%15:param f64[4 16] = input name="W0"
		%16:dst f64[16] = matmul %14 %15
		%17:dst f64[16] = add %13 %16
		output "out" %17
	}`,
	// Attention whose weights are a result too, over both directions of the edges.
	"outputs": `program outputs f64 {
		%0:src f64[4] = input name="h"
		%1:dst f64[4] = input name="h"
		%2:param f64[4 2] = input name="W"
		%3:edge f64[4] = mul %0 %1
		%4:edge f64[4] = tanh %3
		%5:edge f64[2] = matmul %4 %2
		%6:edge f64[2] = softmax %5 dir=in
		%7:edge f64[2] = softmax %5 dir=out
		%8:dst f64[2] = sum %6 dir=in
		%9:edge f64[2] = mul %6 %7
		%10:src f64[2] = sum %9 dir=out
		output "dst" %8
		output "edge" %9
		output "src" %10
	}`,
}

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func trained(p *ir.Program) (forward, backward *ir.Program) {
	forward, backward, _ = pass.Training(p, pass.Options{Want: wantAll})
	return forward, backward
}

// taken counts the decisions of a rule that were and were not taken.
func taken(p *plan.Plan, rule string) (yes, no int) {
	for _, d := range p.Decisions {
		switch {
		case d.Rule != rule:
		case d.Taken:
			yes++
		default:
			no++
		}
	}
	return yes, no
}

// edgeBuffers are the buffers with a row per edge that a run allocates.
func edgeBuffers(p *plan.Plan) (n int) {
	for _, b := range p.Buffers {
		if b.Res == ir.Edge && b.Role != plan.Input {
			n++
		}
	}
	return n
}

// kernels, products and totals count the steps of a plan.
func steps(p *plan.Plan) (kernels, products, totals int) {
	for _, s := range p.Steps {
		switch s.(type) {
		case *plan.Kernel:
			kernels++
		case *plan.Product:
			products++
		case *plan.Total:
			totals++
		}
	}
	return kernels, products, totals
}

func TestProgramsOfTheRulesAgreeOnEveryGraph(t *testing.T) {
	for name, text := range programs {
		for i, g := range irtest.Graphs(false) {
			c := &irtest.Case{Seed: uint64(i), Program: parse(t, text), Graph: typed(g, 3)}
			for _, off := range [][]string{nil, rules[:1], rules[1:2], rules[2:3], rules[3:], rules} {
				if err := planned(c, nil, off...); err != nil {
					t.Errorf("%s on %s without %v: %v", name, g.Name, off, err)
				}
			}
		}
	}
}

// typed gives the edges of a graph types, the first of which no edge has.
func typed(g irtest.Graph, types int) irtest.Graph {
	g.Types.Edge = types
	g.EdgeTypes = make([]int32, len(g.Src))
	for e := range g.EdgeTypes {
		g.EdgeTypes[e] = int32(1 + e*e%(types-1))
	}
	return g
}

func TestAnMLPOnEdgesTrainsWithoutEdgeTensors(t *testing.T) {
	forward, backward := trained(parse(t, programs["edgemlp"]))
	for _, p := range []*ir.Program{forward, backward} {
		pl := plan.Build(p)
		if n := edgeBuffers(pl); n != 0 {
			t.Errorf("%d edge tensors\n%v", n, pl)
		}
		if yes, no := taken(pl, plan.FuseEdgeProduct); yes == 0 || no != 0 {
			t.Errorf("%d edge products fused, %d not\n%v", yes, no, pl)
		}
		for _, rule := range []string{plan.FuseEdgeProduct, plan.FuseTotal} {
			without := plan.BuildWithout(p, rule)
			yes, no := taken(without, rule)
			if yes != 0 {
				t.Errorf("%s is off and fired\n%v", rule, without)
			}
			if slices.ContainsFunc(pl.Decisions, func(d plan.Decision) bool { return d.Rule == rule && d.Taken }) && (no == 0 || edgeBuffers(without) == 0) {
				t.Errorf("without %s nothing is on edges\n%v", rule, without)
			}
		}
	}
	// The gradient of W2 is summed where its operands are.
	var outer int
	for _, s := range plan.Build(backward).Steps {
		if k, ok := s.(*plan.Kernel); ok {
			for _, lp := range k.Loops {
				for _, sum := range lp.Totals {
					if sum.Value.Op == ir.OpOuter && sum.Value.Shape.Equal(ir.Shape{6, 3}) {
						outer++
					}
				}
			}
		}
	}
	if outer != 1 {
		t.Errorf("the gradient of W2 is computed in %d loops\n%v", outer, plan.Build(backward))
	}
}

func TestTotalsOfAttentionAreSummedByItsKernels(t *testing.T) {
	_, backward := trained(irtest.Layer("gat"))
	p := plan.Build(backward)
	if yes, _ := taken(p, plan.FuseTotal); yes != 2 {
		t.Errorf("%d totals fused, want those of both attention vectors\n%v", yes, p)
	}
	if k, m, n := steps(p); k != 2 || m != 2 || n != 0 {
		t.Errorf("%d kernels, %d products, %d totals\n%v", k, m, n, p)
	}
	if k, _, n := steps(plan.BuildWithout(backward, plan.FuseTotal)); k != 2 || n != 2 {
		t.Errorf("without the rule: %d kernels, %d totals", k, n)
	}
}

// Threads have no room for a sum of their own of more than 2 Mi numbers: a step of its own is
// shared by them, a kernel would be run by one.
func TestLargeSumsOfOuterProductsAreStepsOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		in, out int
		fused   bool
	}{
		{1024, 2048, true}, {1024, 2049, false},
	} {
		b := ir.NewBuilder("large", ir.F32, false)
		x, y := b.Sum(ir.In, b.Input("x", ir.Src, ir.Shape{c.in})), b.Exp(b.Input("y", ir.Dst, ir.Shape{c.out}))
		b.Output("w", b.Op(ir.OpOuter, ir.Attr{Res: ir.Dst}, x, y))
		pl := plan.Build(b.Program())
		k, m, n := steps(pl)
		if fused := m+n == 0; fused != c.fused {
			t.Errorf("%+v: %d kernels, %d products, %d totals\n%v", c, k, m, n, pl)
		}
	}
}

// Aggregates of each edge type are multiplied where they are; but what backward
// needs is in memory, and a step multiplies it.
func TestWideOperandsAreMultipliedInTheirKernel(t *testing.T) {
	p, _ := pass.Forward(parse(t, programs["rgcn"]), pass.Options{Off: []string{"aggregate-first"}})
	pl := plan.Build(p)
	if k, m, _ := steps(pl); k != 1 || m != 0 {
		t.Errorf("%d kernels, %d products\n%v", k, m, pl)
	}
	if n := len(pl.Buffers); n != 3 {
		t.Errorf("%d buffers, want h, W and the result\n%v", n, pl)
	}
	saved, _ := ir.Parse(strings.Replace(programs["rgcn"], "output", "output \"saved %1\" %1\noutput", 1))
	pl = plan.Build(saved)
	if _, m, _ := steps(pl); m != 1 || pl.Decisions[0].Reason != "the operand is in memory anyway" {
		t.Errorf("%d products\n%v", m, pl)
	}
}

// What a loop sums waits for the rows that read it, which wait for another product: it is
// never in memory, however wide the result is.
func TestLoopsWaitForTheRowsThatReadThem(t *testing.T) {
	pl := plan.Build(parse(t, programs["rgcn with self"]))
	if k, m, _ := steps(pl); k != 1 || m != 1 {
		t.Errorf("%d kernels, %d products\n%v", k, m, pl)
	}
	if n := len(pl.Buffers); n != 6 {
		t.Errorf("%d buffers, want h from both sides, W, W0, h·W0 and the result\n%v", n, pl)
	}
}

// Loops that compute the same edge values as later ones wait for these, with all that follows
// from them: a product, a total, a result. Those that share nothing, or store edge values, do
// not.
func TestLoopsWaitForLoopsThatShareTheirWork(t *testing.T) {
	total := func(b *ir.Builder, sum *ir.Value) { b.Output("a", b.TotalTo(sum, ir.Dst, ir.Param)) }
	for _, c := range []struct {
		name   string
		first  func(b *ir.Builder, sum *ir.Value) // what follows from the first loop
		store  bool                               // the edge values are a result
		shares bool
		in     int // kernels over in-edges
	}{
		{"a product", func(b *ir.Builder, sum *ir.Value) {
			b.Output("a", b.MatMul(sum, b.Input("W", ir.Param, ir.Shape{4, 8})))
		}, false, true, 1},
		{"a total", total, false, true, 1},
		{"a result", func(b *ir.Builder, sum *ir.Value) { b.Output("a", b.Exp(sum)) }, false, true, 1},
		{"a stored edge value", total, true, true, 2},
		{"nothing shared", total, false, false, 2},
	} {
		b := ir.NewBuilder("p", ir.F64, false)
		h, g := b.Input("h", ir.Src, ir.Shape{4}), b.Input("g", ir.Dst, ir.Shape{4})
		x := b.Op(ir.OpTanh, ir.Attr{}, b.Mul(h, g))
		c.first(b, b.Sum(ir.In, x))
		if c.store {
			b.Output("x", x)
		}
		f := b.Sum(ir.Out, b.Input("f", ir.Edge, ir.Shape{4})) // the second loop reads it across the edges
		if c.shares {
			f = b.Mul(x, f)
		}
		b.Output("b", b.Sum(ir.In, f))
		p := plan.Build(b.Program())
		in := 0
		for _, s := range p.Steps {
			if k, ok := s.(*plan.Kernel); ok && k.Rows == ir.Dst && len(k.Loops) > 0 {
				in++
			}
		}
		if in != c.in {
			t.Errorf("%s: %d kernels over in-edges, want %d\n%v", c.name, in, c.in, p)
		}
		agreeEverywhere(t, b.Program())
	}
}

// A product of rows is fused from an operand twice as wide as its result on.
func TestNarrowOperandsAreMultipliedByAStep(t *testing.T) {
	for _, c := range []struct{ in, out, products int }{{8, 4, 0}, {8, 5, 1}, {4, 8, 1}} {
		b := ir.NewBuilder("p", ir.F32, false)
		sum := b.Sum(ir.In, b.Input("h", ir.Src, ir.Shape{c.in}))
		b.Output("out", b.MatMul(sum, b.Input("W", ir.Param, ir.Shape{c.in, c.out})))
		p := plan.Build(b.Program())
		if _, n, _ := steps(p); n != c.products {
			t.Errorf("%d to %d columns: %d steps multiply\n%v", c.in, c.out, n, p)
		}
	}
}

// A fused product goes with its operand to the kernel that reads it, or, if the
// operand is held back, stays with it.
func TestAFusedProductIsWhereItsOperandIs(t *testing.T) {
	for _, c := range []struct {
		name string
		late func(b *ir.Builder, f *ir.Value) *ir.Value // read along with the product
		dst  int                                        // kernels over destinations
	}{
		{"both move", func(b *ir.Builder, f *ir.Value) *ir.Value { return b.Sum(ir.In, b.Sum(ir.Out, f)) }, 1},
		{"both stay", func(b *ir.Builder, f *ir.Value) *ir.Value { return b.Sum(ir.In, b.Sum(ir.Out, b.Sum(ir.In, f))) }, 2},
	} {
		b := ir.NewBuilder("p", ir.F64, false)
		product := b.MatMul(b.Sum(ir.In, b.Input("h", ir.Src, ir.Shape{8})), b.Input("W", ir.Param, ir.Shape{8, 4}))
		b.Output("out", b.Mul(product, c.late(b, b.Input("f", ir.Edge, ir.Shape{4}))))
		p := plan.Build(b.Program())
		kernels := 0
		for _, s := range p.Steps {
			if k, ok := s.(*plan.Kernel); ok && k.Rows == ir.Dst {
				kernels++
			}
		}
		if yes, no := taken(p, plan.FuseRowProduct); yes != 1 || no != 0 || kernels != c.dst {
			t.Errorf("%s: %d products fused, %d not, %d kernels over destinations\n%v", c.name, yes, no, kernels, p)
		}
		agreeEverywhere(t, b.Program())
	}
}

// A product whose operand and result are both in memory gains nothing in a loop.
func TestAProductFromEdgeInputToEdgeOutputIsAStep(t *testing.T) {
	b := ir.NewBuilder("p", ir.F32, false)
	b.Output("out", b.MatMul(b.Input("f", ir.Edge, ir.Shape{4}), b.Input("W", ir.Param, ir.Shape{4, 2})))
	p := plan.Build(b.Program())
	if k, n, _ := steps(p); k != 0 || n != 1 {
		t.Errorf("%d kernels, %d products\n%v", k, n, p)
	}
}

// A sum over edges joins the loops that have its operands: those over out-edges
// if only they do, and no new loop where an old one will do.
func TestSumsOverEdgesJoinTheLoopsThatHaveTheirOperands(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(b *ir.Builder, x *ir.Value)
		rows  ir.Residency
		loops int
	}{
		{"no loop", func(*ir.Builder, *ir.Value) {}, ir.Dst, 1},
		{"in-edges", func(b *ir.Builder, x *ir.Value) { b.Output("a", b.Sum(ir.In, x)) }, ir.Dst, 1},
		{"out-edges", func(b *ir.Builder, x *ir.Value) { b.Output("a", b.Sum(ir.Out, x)) }, ir.Src, 1},
		{"both", func(b *ir.Builder, x *ir.Value) { b.Output("a", b.Sum(ir.Out, x)); b.Output("b", b.Sum(ir.In, x)) }, ir.Dst, 1},
		{"the second of two loops", func(b *ir.Builder, x *ir.Value) {
			m := b.Max(ir.In, b.Input("f", ir.Edge, ir.Shape{2}))
			b.Output("a", b.Sum(ir.In, b.Mul(x, m)))
		}, ir.Dst, 2},
	} {
		b := ir.NewBuilder("p", ir.F64, false)
		x := b.Op(ir.OpTanh, ir.Attr{}, b.Add(b.Input("h", ir.Src, ir.Shape{2}), b.Input("h", ir.Dst, ir.Shape{2})))
		c.build(b, x)
		b.Output("outer", b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, x, b.Exp(x)))
		p := plan.Build(b.Program())
		var found *plan.Loop
		for _, s := range p.Steps {
			k := s.(*plan.Kernel)
			for _, lp := range k.Loops {
				if len(lp.Totals) == 1 {
					found = lp
					if k.Rows != c.rows || len(k.Loops) != c.loops || lp != k.Loops[c.loops-1] {
						t.Errorf("%s: summed over %v rows, %d loops\n%v", c.name, k.Rows, len(k.Loops), p)
					}
				}
			}
		}
		if found == nil {
			t.Errorf("%s: no loop sums\n%v", c.name, p)
		}
		agreeEverywhere(t, b.Program())
	}
}

func agreeEverywhere(t *testing.T, p *ir.Program) {
	t.Helper()
	for i, g := range irtest.Graphs(p.Bipartite) {
		c := &irtest.Case{Seed: uint64(i), Program: p, Graph: g}
		if _, err := agree(c, p, c.Inputs(p)); err != nil {
			t.Errorf("on %s: %v", g.Name, err)
		}
	}
}

// A sum of outer products for each of very many types is a device's step, if the rows of an
// edge are narrow enough.
func TestOuterProductsOfManyTypesAreStepsOfDevices(t *testing.T) {
	for _, c := range []struct {
		types, bytes int
		step         bool
	}{{3, 1 << 10, false}, {64, 1 << 10, false}, {65, 1 << 10, true}, {65, 128, false}, {65, 0, false}} {
		_, backward := trained(parse(t, fmt.Sprintf(`program many f64 types=0,0,%d {
			%%0:src f64[16] = input name="h"
			%%1:dst f64[16] = input name="h"
			%%2:edge f64[16] = mul %%0 %%1
			%%3:edge f64[16] = tanh %%2
			%%4:etype f64[16 16] = input name="W"
			%%5:edge f64[16] = matmul %%3 %%4
			%%6:dst f64[16] = max %%5 dir=in
			output "out" %%6
		}`, c.types)))
		pl := plan.BuildWith(backward, plan.Options{EdgeBytes: c.bytes})
		steps := 0
		for _, s := range pl.Steps {
			if p, ok := s.(*plan.Product); ok && p.Value.Op == ir.OpOuter {
				steps++
			}
		}
		if (steps == 1) != c.step || steps > 1 {
			t.Errorf("%d types, %d B: %d steps in\n%v", c.types, c.bytes, steps, pl)
		}
	}
}

// Devices want products of edges as steps where the rows of an edge are narrow enough.
func TestProductsOfEdgesAreStepsUpToSoManyBytesAnEdge(t *testing.T) {
	forward, backward := trained(parse(t, programs["edgemlp"]))
	for _, p := range []*ir.Program{forward, backward} {
		fused := plan.Build(p)
		for _, bytes := range []int{0, 1 << 20} {
			pl := plan.BuildWith(p, plan.Options{EdgeBytes: bytes})
			for _, d := range pl.Decisions {
				if d.Rule != plan.FuseEdgeProduct && d.Rule != plan.FuseEdgeOuter {
					continue
				}
				if bytes > 0 && d.Taken {
					t.Errorf("%d B: %v", bytes, d)
				}
			}
			if bytes == 0 && pl.String() != fused.String() {
				t.Errorf("without bytes the plan is\n%v\nnot\n%v", pl, fused)
			}
			if bytes > 0 && edgeBuffers(pl) == 0 {
				t.Errorf("%d B: nothing is on edges\n%v", bytes, pl)
			}
		}
	}
	// The widest products of the forward plan stay in their loops first.
	narrow, most := 0, 0
	for bytes := 4; bytes <= 1<<10; bytes *= 2 {
		_, no := taken(plan.BuildWith(forward, plan.Options{EdgeBytes: bytes}), plan.FuseEdgeProduct)
		if no < most {
			t.Errorf("%d B: %d products are steps, and %d with fewer", bytes, no, most)
		}
		if no > 0 && narrow == 0 {
			narrow = bytes
		}
		most = no
	}
	if narrow <= 4 || most == 0 {
		t.Errorf("products are steps from %d B on, %d of them in the end", narrow, most)
	}
}
