package cpu

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// hub has a row of more edges than the registers of any kernel hold, both ways.
func hub() edges {
	e := edges{name: "hub", src: 1100, dst: 1100}
	for i := range int32(5 * maxWholeEdges / 2) {
		e.from = append(e.from, i%1000, 3)
		e.to = append(e.to, 3, (i*7)%1000)
	}
	return e
}

// large has several chunks of work even for narrow kernels.
func large() edges {
	return random("large", rand.New(rng.NewStream(5)), 3000, 3000, 60_000, false)
}

// attention is a GAT layer with softmax lowered by hand: max, exp, sum, divide,
// weigh. rows and other are the sides of its aggregation.
func attention(heads, cols int, d ir.Dir) *ir.Program {
	rows, other := ir.Dst, ir.Src
	if d == ir.Out {
		rows, other = ir.Src, ir.Dst
	}
	text := `program attention f64 {
  %0:OTHER f64[H D] = input name="h"
  %1:OTHER f64[H 1] = input name="el"
  %2:ROWS f64[H 1] = input name="er"
  %3:edge f64[H 1] = add %1 %2
  %4:edge f64[H 1] = leakyrelu %3 num=0.2
  %5:ROWS f64[H 1] = max %4 dir=DIR
  %6:edge f64[H 1] = sub %4 %5
  %7:edge f64[H 1] = exp %6
  %8:ROWS f64[H 1] = sum %7 dir=DIR
  %9:edge f64[H 1] = div %7 %8
  %10:edge f64[H D] = mul %9 %0
  %11:ROWS f64[H D] = sum %10 dir=DIR
  output "out" %11
  output "weights" %9
}`
	return mustParse(strings.NewReplacer("ROWS", rows.String(), "OTHER", other.String(), "DIR", d.String(),
		"H", fmt.Sprint(heads), "D", fmt.Sprint(cols)).Replace(text))
}

func mustParse(text string) *ir.Program {
	p, err := ir.Parse(text)
	if err != nil {
		panic(err)
	}
	return p
}

// rowKernels uses every superinstruction in the given width.
func rowKernels(width int) *ir.Program {
	return mustParse(strings.ReplaceAll(`program rowkernels f64 {
  %0:src f64[W] = input name="h"
  %1:edge f64[] = input name="w"
  %2:dst f64[W] = input name="q"
  %3:dst f64[W] = sum %0 dir=in
  %4:edge f64[W] = mul %0 %1
  %5:dst f64[W] = sum %4 dir=in
  %6:edge f64[W] = mul %2 %0
  %7:edge f64[1] = reduceto %6 shape=[1]
  %8:dst f64[1] = sum %7 dir=in
  %9:edge f64[1] = exp %7
  %10:edge f64[W] = mul %2 %9
  %11:src f64[W] = sum %10 dir=out
  %12:edge f64[W] = add %0 %2
  %13:edge f64[W] = relu %12
  %14:dst f64[W] = max %13 dir=in
  %15:src f64[W] = sum %13 dir=out
  output "sum" %3
  output "weighted" %5
  output "dots" %8
  output "back" %11
  output "max" %14
  output "messages" %15
  output "edges" %13
}`, "W", fmt.Sprint(width)))
}

func TestSoftmaxLoweredByHandAgreesWithTheInterpreter(t *testing.T) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, hd := range [][2]int{{1, 1}, {1, 64}, {3, 5}, {8, 8}, {8, 1}} {
			p := attention(hd[0], hd[1], d)
			for _, e := range append(graphs(), bipartiteGraphs()...) {
				p.Bipartite = e.bipartite
				mustAgree(t, p, e, 5)
			}
		}
	}
}

func TestRowsLargerThanTheRegistersAgreeWithTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("the interpreter is slow on hubs")
	}
	mustAgree(t, attention(1, 7, ir.In), hub(), 5)
	mustAgree(t, attention(1, 7, ir.Out), hub(), 5)
	mustAgree(t, rowKernels(9), hub(), 5)
	b := ir.NewBuilder("picks", ir.F64, false)
	x := b.Input("x", ir.Edge, ir.Shape{2})
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		arg := b.Op(ir.OpArgmax, ir.Attr{Dir: d}, b.Neg(x))
		b.Output("arg"+d.String(), arg)
		b.Output("max"+d.String(), b.Max(d, x))
		b.Output("win"+d.String(), b.Op(ir.OpWinner, ir.Attr{Dir: d}, arg, b.Sum(d, x)))
		b.Output("drop"+d.String(), b.Sum(d, b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Res: ir.Edge}, b.Degree(d, d.Rows()))))
	}
	mustAgree(t, b.Program(), hub(), 5)
}

func TestEveryWidthAgreesWithTheInterpreter(t *testing.T) {
	for _, width := range []int{0, 1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 128, 257} {
		p := rowKernels(width)
		for _, e := range append(graphs(), bipartiteGraphs()...) {
			if testing.Short() && (width > 64 || e.name == "star" && width%8 != 1) {
				continue
			}
			p.Bipartite = e.bipartite
			mustAgree(t, p, e, 6)
		}
	}
}

func TestManyChunksAgreeWithTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("the interpreter is slow on a large graph")
	}
	mustAgree(t, attention(2, 8, ir.In), large(), 7)
	b := ir.NewBuilder("dense", ir.F64, false)
	x, w := b.Input("x", ir.Dst, ir.Shape{2, 33}), b.Input("w", ir.Param, ir.Shape{33, 65})
	e := b.Input("e", ir.Edge, ir.Shape{3})
	y := b.MatMul(x, w)
	b.Output("product", y)
	b.Output("transposed", b.Op(ir.OpMatMulT, ir.Attr{}, y, w))
	b.Output("outer", b.Op(ir.OpOuter, ir.Attr{Res: ir.Dst}, x, y))
	b.Output("total", b.Total(y, ir.Dst))
	b.Output("edges", b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, e, b.Input("s", ir.Src, ir.Shape{4})))
	mustAgree(t, b.Program(), large(), 7)
}

func TestNaNAndInfinityPropagateAsInTheInterpreter(t *testing.T) {
	b := ir.NewBuilder("nan", ir.F64, false)
	for i, s := range []ir.Shape{{}, {3}, {17}} {
		for _, r := range []ir.Residency{ir.Src, ir.Dst, ir.Edge} {
			x := b.Input(fmt.Sprint("x", i, r), r, s)
			y := b.Input(fmt.Sprint("y", i, r), ir.Dst, s)
			c := b.Input(fmt.Sprint("c", i, r), ir.Edge, ir.Shape{})
			for _, op := range []ir.Op{
				ir.OpRelu, ir.OpLeakyRelu, ir.OpSigmoid, ir.OpExp, ir.OpRsqrt, ir.OpSign, ir.OpSoftplus, ir.OpLog, ir.OpSqrt, ir.OpAbs,
				ir.OpNeg, ir.OpSquare, ir.OpRecip, ir.OpTanh, ir.OpErf, ir.OpClamp, ir.OpPow, ir.OpElu, ir.OpSin, ir.OpCos,
			} {
				b.Output(fmt.Sprint(len(b.Program().Outputs)), b.Op(op, ir.Attr{Num: 0.5, Num2: 1}, x))
			}
			for _, op := range []ir.Op{ir.OpMaxOf, ir.OpMinOf, ir.OpGt, ir.OpGe, ir.OpEq, ir.OpMul, ir.OpDiv, ir.OpPowOf} {
				b.Output(fmt.Sprint(len(b.Program().Outputs)), b.Op(op, ir.Attr{}, x, y))
			}
			for _, d := range []ir.Dir{ir.In, ir.Out} {
				for _, v := range []*ir.Value{b.Sum(d, x), b.Max(d, x), b.Max(d, b.Neg(x)), b.Op(ir.OpArgmax, ir.Attr{Dir: d}, x), b.Sum(d, b.Mul(c, x))} {
					b.Output(fmt.Sprint(len(b.Program().Outputs)), v)
				}
			}
			b.Output(fmt.Sprint(len(b.Program().Outputs)), b.Select(c, x, y))
			b.Output(fmt.Sprint(len(b.Program().Outputs)), b.ReduceTo(b.Mul(x, y), heads(s)))
		}
	}
	p := b.Program()
	for _, e := range graphs() {
		in := inputsOf(p, e.structure(), 8)
		poison(in)
		mustAgreeOn(t, p, e, in, 8)
	}
}

// poison puts NaN and infinities among the inputs.
func poison(in map[string][]float64) {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 1}
	r := rand.New(rng.NewStream(8))
	for _, key := range slices.Sorted(maps.Keys(in)) {
		for i := range in[key] {
			if r.IntN(4) == 0 {
				in[key][i] = special[r.IntN(len(special))]
			}
		}
	}
}

func TestRunsOfOneProgramMayOverlap(t *testing.T) {
	e := large()
	p := typed(t, attention(2, 8, ir.In), ir.F32)
	pl, g, s := plan.Build(p), e.build(t), e.structure()
	x := Compile[float32](pl)
	in := inputsOf(p, s, 9)
	want := memoryOf[float32](pl, s, in)
	x.Run(g, want, Options{Threads: 1})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			got := memoryOf[float32](pl, s, in)
			x.Run(g, got, Options{Threads: 2})
			for i, w := range outputs(pl, want) {
				if !slices.Equal(w, outputs(pl, got)[i]) {
					t.Errorf("output %d differs when runs overlap", i)
				}
			}
		})
	}
	wg.Wait()
}

func TestSeedsGiveDifferentMasks(t *testing.T) {
	p := mustParse(`program drop f32 {
  %0:src f32[40] = input name="h"
  %1:src f32[40] = dropout %0 num=0.5 site=0 res=src
  output "out" %1
}`)
	e := graphs()[6]
	s, g := e.structure(), e.build(t)
	in := inputsOf(p, s, 1)
	run := prepare[float32](plan.Build(p), g, s, in)
	a := run(Options{Seed: 1})
	if b := run(Options{Seed: 1}); !slices.Equal(a[0], b[0]) {
		t.Error("one seed gave two masks")
	}
	if b := run(Options{Seed: 2}); slices.Equal(a[0], b[0]) {
		t.Error("two seeds gave one mask")
	}
}

func TestARunOnWarmRegistersAllocatesNextToNothing(t *testing.T) {
	p := typed(t, attention(2, 8, ir.In), ir.F32)
	e := large()
	pl, g, s := plan.Build(p), e.build(t), e.structure()
	x := Compile[float32](pl)
	mem := memoryOf[float32](pl, s, inputsOf(p, s, 1))
	x.Run(g, mem, Options{Threads: 1})
	if n := numtest.Allocations(20, func() { x.Run(g, mem, Options{Threads: 1}) }); n > 10 {
		t.Errorf("%v allocations a run", n)
	}
}

// mustPanic wants a panic whose text has the given part.
func mustPanic(t *testing.T, part string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if e := fmt.Sprint(recover()); !strings.Contains(e, part) {
			t.Errorf("panic %q, want %q", e, part)
		}
	}()
	f()
}

func TestMemoryOfTheWrongSizeIsABug(t *testing.T) {
	p := rowKernels(3)
	pl, e := plan.Build(p), graphs()[6]
	g, s := e.build(t), e.structure()
	x := Compile[float64](pl)
	for i := range pl.Buffers {
		mem := memoryOf[float64](pl, s, inputsOf(p, s, 1))
		mem.Floats[i] = mem.Floats[i][1:]
		mustPanic(t, fmt.Sprintf("BUG: cpu: program rowkernels: buffer %d ", i), func() { x.Run(g, mem, Options{}) })
	}
	mustPanic(t, "BUG: cpu: program rowkernels: buffer 0", func() { x.Run(g, &Memory[float64]{}, Options{}) })
	mustPanic(t, "one set of vertices", func() {
		e := bipartiteGraphs()[2]
		x.Run(e.build(t), memoryOf[float64](pl, e.structure(), inputsOf(p, e.structure(), 1)), Options{})
	})
	mustPanic(t, "of type f64 compiled for f32", func() { Compile[float32](pl) })
}

func TestAPanicInAWorkerReachesTheCaller(t *testing.T) {
	p := typed(t, attention(1, 1, ir.In), ir.F32)
	x := Compile[float32](plan.Build(p))
	r := &run[float32]{prog: x, Options: Options{Threads: 3}}
	mustPanic(t, "chunk 5", func() {
		r.parallel(40, func(_ *worker[float32], chunk int) {
			if chunk == 5 {
				panic("chunk 5")
			}
		})
	})
}

func TestChunksCoverEveryRowOnce(t *testing.T) {
	for _, e := range []edges{large(), hub(), {name: "isolated", src: 100_000, dst: 100_000}} {
		csr := e.build(t).In()
		c := cost{row: 50, edge: 70}
		n := c.chunks(csr, e.dst)
		if n < 2 {
			t.Errorf("%s: %d chunks", e.name, n)
		}
		next := 0
		for chunk := range n {
			lo := c.bound(csr, e.dst, chunk, 0)
			hi := c.bound(csr, e.dst, chunk+1, lo)
			if lo != next || hi < lo {
				t.Fatalf("%s: chunk %d is rows [%d, %d), want it to begin at %d", e.name, chunk, lo, hi, next)
			}
			if end := c.bound(csr, e.dst, chunk+1, 0); end != hi {
				t.Fatalf("%s: chunk %d ends at row %d, sought from row %d at %d", e.name, chunk, end, lo, hi)
			}
			next = hi
		}
		if next != e.dst {
			t.Errorf("%s: chunks end at row %d of %d", e.name, next, e.dst)
		}
	}
}

// TestProductsInSumsHaveNoRegister sees in the compiled program that the hot
// patterns are the row kernels.
func TestProductsInSumsHaveNoRegister(t *testing.T) {
	x := Compile[float32](plan.Build(typed(t, attention(2, 64, ir.In), ir.F32)))
	k := x.steps[0].(*kernel[float32])
	last := k.loops[len(k.loops)-1]
	if _, ok := last.reduce[0].(*scaledSum[float32]); !ok || len(x.steps) != 1 {
		t.Errorf("%d steps, the last loop reduces with %T", len(x.steps), last.reduce[0])
	}
	if x.size.scratch > 64*k.wholeEdges {
		t.Errorf("scratch of %d elements", x.size.scratch)
	}
	x = Compile[float32](plan.Build(typed(t, rowKernels(64), ir.F32)))
	found := 0
	for _, s := range x.steps {
		for _, l := range s.(*kernel[float32]).loops {
			for _, i := range l.all {
				if _, ok := i.(*dot[float32]); ok {
					found++
				}
			}
		}
	}
	if found == 0 {
		t.Error("no dot product is a row kernel")
	}
}
