package explain

import (
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// total is the sum of the costs of a program's plan.
func total(t *testing.T, text string) StepCost {
	t.Helper()
	return Sum(Cost(plan.Build(parse(t, text)), sizes))
}

func compare(t *testing.T, name string, got, want StepCost) {
	t.Helper()
	got.Step, got.What = want.Step, want.What
	if got != want {
		t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
	}
}

func TestCostOfGCNByHand(t *testing.T) {
	const src, dst, edges, row = 80, 100, 1000, 16 * 4
	costs := Cost(plan.Build(parse(t, gcnText)), sizes)
	if len(costs) != 2 {
		t.Fatalf("%d steps", len(costs))
	}
	compare(t, "n_u h_u", costs[0], StepCost{
		Flops: src * 16, Streamed: src * (row + 4), Written: src * row, Distinct: src * (row + 4),
	})
	compare(t, "their sum, times n_v", costs[1], StepCost{
		Flops:    edges*16 + dst*16,
		Streamed: dst * 4,
		Gathered: edges * row,
		Index:    4*(dst+1) + 4*edges, // offsets, neighbours
		Written:  dst * row,
		Distinct: src*row + dst*4 + 4*(dst+1) + 4*edges,
	})
}

func TestCostOfGATByHand(t *testing.T) {
	const src, dst, edges = 80, 100, 1000
	const score, row = 3 * 4, 15 * 4
	compare(t, "gat", total(t, gatText), StepCost{
		Flops: edges*3*(1+1+1) + // add, leakyrelu, max
			edges*3*(1+1+1+1+1) + edges*15*2 + // add, leakyrelu, sub, exp, sum again; mul and sum of 15
			dst*15, // div
		Transcendental: edges * 3,
		Streamed:       dst * score,                   // er_v, for both loops
		Gathered:       edges*score*2 + edges*row,     // el_u in each loop, h_u in the second
		Index:          4*(dst+1) + 4*edges + 4*edges, // offsets once, neighbours for each loop
		Written:        dst * row,
		Distinct:       dst*score + src*score + src*row + 4*(dst+1) + 4*edges,
	})
}

func TestCostCountsEachKindOfStepAndRead(t *testing.T) {
	const src, dst, edges = 80, 100, 1000
	const inOffsets, outOffsets = 4 * (dst + 1), 4 * (src + 1)
	for _, c := range []struct {
		name, text string
		want       StepCost
	}{
		{"edge values are read at the edge's id", `program p f32 bipartite {
			%0:edge f32[2] = input name="w"
			%1:dst f32[2] = sum %0 dir=in
			output "out" %1
		}`, StepCost{Flops: edges * 2, Streamed: edges * 8, Index: inOffsets + 4*edges, Written: dst * 8, Distinct: edges*8 + inOffsets + 4*edges}},
		{"an edge output needs ids; float64 is 8 bytes", `program p f64 bipartite {
			%0:src f64[] = input name="x"
			%1:src f64[] = exp %0
			%2:edge f64[] = dropout %1 num=0.5 site=0 res=edge
			output "out" %2
		}`, StepCost{Flops: 80 + edges, Transcendental: 80, Streamed: src * 8, Gathered: edges * 8, Index: inOffsets + 8*edges, Written: src*8 + edges*8, Distinct: src*16 + inOffsets + 8*edges}},
		{"a maximum's winners are ids", `program p f32 bipartite {
			%0:src f32[2] = input name="x"
			%1:dst i32[2] = argmax %0 dir=in
			output "out" %1
		}`, StepCost{Flops: edges * 2, Gathered: edges * 8, Index: inOffsets + 8*edges, Written: dst * 8, Distinct: src*8 + inOffsets + 8*edges}},
		{"sums over out-edges; degrees come from offsets", `program p f32 bipartite {
			%0:dst f32[2] = input name="x"
			%1:src f32[2] = sum %0 dir=out
			%2:src f32[] = degree dir=out res=src
			%3:src f32[2] = div %1 %2
			output "out" %3
		}`, StepCost{Flops: edges*2 + src*2, Gathered: edges * 8, Index: outOffsets + 4*edges, Written: src * 8, Distinct: dst*8 + outOffsets + 4*edges}},
		{"a product of rows with a matrix", `program p f32 bipartite {
			%0:src f32[3 8] = input name="h"
			%1:param f32[8 5] = input name="W"
			%2:src f32[3 5] = matmul %0 %1
			output "out" %2
		}`, StepCost{Flops: 2 * src * 3 * 8 * 5, Streamed: src*96 + 160, Written: src * 60, Distinct: src*96 + 160}},
		{"a total", `program p f32 bipartite {
			%0:src f32[3] = input name="h"
			%1:param f32[3] = total %0 res=src
			output "out" %1
		}`, StepCost{Flops: src * 3, Streamed: src * 12, Written: 12, Distinct: src * 12}},
		{"layout moves numbers, reduceto adds them", `program p f32 bipartite {
			%0:src f32[3 4] = input name="h"
			%1:src f32[12] = reshape %0 shape=[12]
			%2:src f32[6] = slice %1 lo=0 hi=6
			%3:src f32[9] = pad %2 lo=0 hi=3
			%4:src f32[1] = reduceto %3 shape=[1]
			output "out" %4
		}`, StepCost{Flops: src * 9, Streamed: src * 48, Written: src * 4, Distinct: src * 48}},
		{"the maximum of a row takes in the row", `program p f32 bipartite {
			%0:src f32[3 4] = input name="h"
			%1:src f32[3 1] = maxlast %0
			output "out" %1
		}`, StepCost{Flops: src * 12, Streamed: src * 48, Written: src * 12, Distinct: src * 48}},
		{"what a maximum sends back is picked by ids", `program p f32 bipartite {
			%0:dst i32[2] = input name="winners"
			%1:dst f32[2] = input name="g"
			%2:edge f32[2] = winner %0 %1 dir=in
			%3:src f32[2] = sum %2 dir=out
			output "out" %3
		}`, StepCost{Flops: edges * 4, Gathered: edges * 16, Index: outOffsets + 8*edges, Written: src * 8, Distinct: dst*16 + outOffsets + 8*edges}},
		{"reading a row elsewhere computes nothing", `program p f32 bipartite {
			%0:src f32[2] = input name="h"
			%1:edge f32[2] = at %0 res=edge
			%2:dst f32[2] = sum %1 dir=in
			output "out" %2
		}`, StepCost{Flops: edges * 2, Gathered: edges * 8, Index: inOffsets + 4*edges, Written: dst * 8, Distinct: src*8 + inOffsets + 4*edges}},
		{"a row is stored as another output", `program p f32 bipartite {
			%0:src f32[3] = input name="h"
			output "out" %0
		}`, StepCost{Streamed: src * 12, Written: src * 12, Distinct: src * 12}},
	} {
		compare(t, c.name, total(t, c.text), c.want)
	}
}

func TestATensorReadFromBothSidesIsDistinctOnce(t *testing.T) {
	p := plan.Build(parse(t, `program p f32 {
		%0:src f32[4] = input name="h"
		%1:dst f32[4] = input name="h"
		%2:edge f32[4] = mul %0 %1
		%3:dst f32[4] = sum %2 dir=in
		output "out" %3
	}`))
	const n, edges = 10, 1000
	compare(t, "both sides", Sum(Cost(p, plan.Sizes{NumSrc: n, NumDst: n, NumEdges: edges})), StepCost{
		Flops: edges * 8, Streamed: n * 16, Gathered: edges * 16, Index: 4*(n+1) + 4*edges, Written: n * 16,
		Distinct: n*16 + 4*(n+1) + 4*edges,
	})
}

// steps replaces the steps of a program's plan by ones written by hand; the buffers
// stay.
func steps(t *testing.T, text string, hand func(v []*ir.Value, out []*plan.Buffer) []plan.Step) StepCost {
	t.Helper()
	p := plan.Build(parse(t, text))
	p.Steps = hand(p.Program.Values, p.Outputs)
	return Sum(Cost(p, sizes))
}

func TestCostOfProductsAndTotalsInsideAKernel(t *testing.T) {
	const src, dst, edges = 80, 100, 1000
	got := steps(t, `program p f32 bipartite {
		%0:src f32[8] = input name="h"
		%1:edge f32[] = input name="w"
		%2:param f32[8 5] = input name="W"
		%3:dst f32[5] = input name="g"
		%4:edge f32[8] = mul %0 %1
		%5:edge f32[5] = matmul %4 %2
		%6:dst f32[5] = sum %5 dir=in
		%7:param f32[8 5] = outer %4 %3 res=edge
		%8:param f32[5] = total %6 res=dst
		output "out" %6
		output "W" %7
		output "b" %8
	}`, func(v []*ir.Value, out []*plan.Buffer) []plan.Step {
		return []plan.Step{&plan.Kernel{
			Rows: ir.Dst,
			Loops: []*plan.Loop{{
				Edge: []*ir.Value{v[4], v[5]}, Reduce: []*ir.Value{v[6]}, Totals: []plan.Sum{{Value: v[7], Out: out[1]}},
			}},
			Totals: []plan.Sum{{Value: v[8], Out: out[2]}},
			Stores: []plan.Store{{Value: v[6], Buffer: out[0]}},
		}}
	})
	compare(t, "kernel", got, StepCost{
		Flops:    edges*8 + edges*2*8*5 + edges*5 + edges*2*8*5 + dst*5,
		Streamed: edges*4 + 160 + dst*20,
		Gathered: edges * 32,
		Index:    4*(dst+1) + 4*edges + 4*edges,
		Written:  dst*20 + 160 + 20,
		Distinct: src*32 + edges*4 + 160 + dst*20 + 4*(dst+1) + 8*edges,
	})
}

// A value of a type is a row of a table, found by the type of an edge or vertex.
func TestCostOfTypedValues(t *testing.T) {
	const src, dst, edges = 80, 100, 1000
	const weights, biases = 3 * 8 * 5 * 4, 2 * 5 * 4 // of each edge type, of each type of sources
	got := steps(t, `program p f32 bipartite types=2,4,3 {
		%0:src f32[8] = input name="h"
		%1:etype f32[8 5] = input name="W"
		%2:dst f32[3 5] = input name="k"
		%3:edge f32[5] = matmul %0 %1
		%4:edge f32[5] = pick %2
		%5:edge f32[5] = mul %3 %4
		%6:dst f32[3 5] = sum %5 dir=in typed=true
		output "out" %6
	}`, func(v []*ir.Value, out []*plan.Buffer) []plan.Step {
		return []plan.Step{&plan.Kernel{
			Rows:   ir.Dst,
			Loops:  []*plan.Loop{{Edge: []*ir.Value{v[3], v[4], v[5]}, Reduce: []*ir.Value{v[6]}}},
			Stores: []plan.Store{{Value: v[6], Buffer: out[0]}},
		}}
	})
	compare(t, "over in-edges", got, StepCost{
		Flops:    edges*2*8*5 + edges*5 + edges*5, // product, mul, sum: pick only reads
		Streamed: weights + dst*60,
		Gathered: edges * 32,
		Index:    4*(dst+1) + 4*edges + 4*edges, // offsets, neighbours, edge types
		Written:  dst * 60,
		Distinct: weights + dst*60 + src*32 + 4*(dst+1) + 8*edges,
	})

	got = steps(t, `program p f32 bipartite types=2,4,3 {
		%0:dst f32[3 5] = input name="k"
		%1:edge f32[5] = pick %0
		%2:src f32[5] = sum %1 dir=out
		%3:srctype f32[5] = input name="b"
		%4:src f32[5] = add %2 %3
		output "out" %4
	}`, func(v []*ir.Value, out []*plan.Buffer) []plan.Step {
		return []plan.Step{&plan.Kernel{
			Rows:   ir.Src,
			Loops:  []*plan.Loop{{Edge: []*ir.Value{v[1]}, Reduce: []*ir.Value{v[2]}, Post: []*ir.Value{v[4]}}},
			Stores: []plan.Store{{Value: v[4], Buffer: out[0]}},
		}}
	})
	compare(t, "over out-edges", got, StepCost{
		Flops:    edges*5 + src*5,
		Streamed: biases,
		Gathered: edges * 20,                            // of a row of three types' numbers, one's
		Index:    4*(src+1) + 4*edges + 4*edges + 4*src, // offsets, neighbours, edge types, types of rows
		Written:  src * 20,
		Distinct: biases + dst*20 + 4*(src+1) + 8*edges + 4*src,
	})
}

func TestCostOfTypedSumsAndTotals(t *testing.T) {
	const src, dst, edges = 80, 100, 1000
	const table = 4 * 5 * 4 // of each type of destinations
	got := steps(t, `program p f32 bipartite types=2,4,3 {
		%0:edge f32[5] = input name="w"
		%1:dsttype f32[5] = input name="b"
		%2:edge f32[5] = mul %0 %1
		%3:src f32[3 5] = sum %2 dir=out typed=true
		output "out" %3
	}`, func(v []*ir.Value, out []*plan.Buffer) []plan.Step {
		return []plan.Step{&plan.Kernel{
			Rows:   ir.Src,
			Loops:  []*plan.Loop{{Edge: []*ir.Value{v[2]}, Reduce: []*ir.Value{v[3]}}},
			Stores: []plan.Store{{Value: v[3], Buffer: out[0]}},
		}}
	})
	compare(t, "typed sum", got, StepCost{
		Flops:    edges * 10,
		Streamed: edges*20 + table,
		Index:    4*(src+1) + 16*edges, // offsets; neighbours and their types, edge ids, edge types
		Written:  src * 60,
		Distinct: edges*20 + table + 4*(src+1) + 16*edges,
	})

	got = steps(t, `program p f32 bipartite types=2,4,3 {
		%0:dst f32[5] = input name="h"
		%1:dsttype f32[5] = total %0 res=dst to=dsttype
		output "out" %1
	}`, func(v []*ir.Value, out []*plan.Buffer) []plan.Step {
		return []plan.Step{&plan.Total{Value: v[1], In: &plan.Buffer{Res: ir.Dst, Shape: ir.Shape{5}}, Out: out[0], Level: ir.Dst}}
	})
	compare(t, "typed total", got, StepCost{Flops: dst * 5, Streamed: dst * 20, Index: dst * 4, Written: table, Distinct: dst * 24})
}

// A gradient of a weight of edges, over materialised rows: a source's row is
// looked up for each edge.
func TestCostOfAProductOverEdges(t *testing.T) {
	const src, edges = 80, 1000
	got := steps(t, `program p f32 bipartite {
		%0:src f32[8] = input name="h"
		%1:edge f32[5] = input name="g"
		%2:param f32[8 5] = outer %0 %1 res=edge
		output "out" %2
	}`, func(v []*ir.Value, out []*plan.Buffer) []plan.Step {
		h, g := &plan.Buffer{Res: ir.Src, Shape: ir.Shape{8}}, &plan.Buffer{Index: 1, Res: ir.Edge, Shape: ir.Shape{5}}
		return []plan.Step{&plan.Product{Value: v[2], A: h, B: g, Out: out[0], Level: ir.Edge}}
	})
	compare(t, "outer", got, StepCost{
		Flops: edges * 2 * 8 * 5, Streamed: edges * 20, Gathered: edges * 32, Index: edges * 4, Written: 160, Distinct: edges*24 + src*32,
	})
}

func TestFewEdgesReachFewRows(t *testing.T) {
	c := Cost(plan.Build(parse(t, gcnText)), plan.Sizes{NumSrc: 80, NumDst: 100, NumEdges: 3})[1]
	if want := int64(3*64 + 100*4 + 101*4 + 3*4); c.Distinct != want || c.Gathered != 3*64 {
		t.Errorf("%d B distinct, %d gathered; want %d, %d", c.Distinct, c.Gathered, want, 3*64)
	}
}

// Every buffer that is no input is written once, whatever the program, and no
// memory is read less often than once.
func TestCostWritesEveryBufferOnce(t *testing.T) {
	check := func(p *ir.Program) {
		t.Helper()
		pl := plan.Build(p)
		s := plan.Sizes{NumSrc: 7, NumDst: 7, NumEdges: 40, Types: p.Types}
		if p.Bipartite {
			s.NumDst = 5
		}
		costs := Cost(pl, s)
		if len(costs) != len(pl.Steps) {
			t.Fatalf("%d costs of %d steps", len(costs), len(pl.Steps))
		}
		var want int64
		for _, b := range pl.Buffers {
			if b.Role != plan.Input {
				want += b.Bytes(s)
			}
		}
		sum := Sum(costs)
		if sum.Written != want {
			t.Errorf("%d B written, the buffers have %d\n%v", sum.Written, want, pl)
		}
		for _, c := range costs {
			if c.Distinct > c.Read() || c.Transcendental > c.Flops || min(c.Flops, c.Transcendental, c.Streamed, c.Gathered, c.Index, c.Written, c.Distinct) < 0 {
				t.Errorf("%+v\n%v", c, pl)
			}
		}
	}
	both := func(p *ir.Program) {
		forward, backward, _ := pass.Training(p, pass.Options{Want: func(string) bool { return true }})
		check(forward)
		check(backward)
	}
	for _, p := range irtest.Layers() {
		both(p)
	}
	for seed := range uint64(200) {
		both(irtest.New(seed).Program)
	}
}

func TestIntensityOfNothingIsZero(t *testing.T) {
	if x := (StepCost{}).Intensity(); x != 0 {
		t.Errorf("%v flops a byte", x)
	}
	if x := (StepCost{Flops: 30, Gathered: 8, Written: 2}).Intensity(); x != 3 {
		t.Errorf("%v flops a byte, want 3", x)
	}
}
