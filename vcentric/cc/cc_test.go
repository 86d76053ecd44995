package cc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	executor "github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const (
	tol64 = 1e-10
	tol32 = 3e-4
)

// mustAgree runs a program on a graph in both number types, with 1, 2 and 3
// threads, and compares it with the interpreter; a short test takes one number type,
// which depends on the program. It returns how many kernels were native, and how many
// the renderer declined.
func mustAgree(t *testing.T, p *ir.Program, g irtest.Graph, in map[string][]float64, seed uint64) (native, declined int) {
	t.Helper()
	types := []ir.DType{ir.F64, ir.F32}
	if testing.Short() {
		types = inTurn(len(p.Values) + 1)
	}
	return mustAgreeBy(t, "quick", types, p, g, in, seed)
}

// inTurn is one of the number types for program i of several of a kind: what takes
// longest is the C compiler.
func inTurn(i int) []ir.DType { return []ir.DType{[]ir.DType{ir.F64, ir.F32}[i%2]} }

// mustAgreeBy is mustAgree with a compiler and number types.
func mustAgreeBy(t *testing.T, compiler string, types []ir.DType, p *ir.Program, g irtest.Graph, in map[string][]float64, seed uint64) (native, declined int) {
	t.Helper()
	want, err := ir.Interpret(p, &g.Structure, in, seed)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(types, ir.F64) {
		got, n, d := runs[float64](t, compiler, typed(t, p, ir.F64), g, in, seed)
		if diff := irtest.Diff(got, want, tol64); diff != "" {
			t.Fatalf("%s on %s in f64: %s\n%s\n%s", p.Name, g.Name, diff, p, body(Render(plan.Build(typed(t, p, ir.F64)), VectorBytes())))
		}
		native, declined = native+n, declined+d
	}
	if slices.Contains(types, ir.F32) {
		got, n, d := runs[float32](t, compiler, typed(t, p, ir.F32), g, in, seed)
		if diff := irtest.Diff(got, want, tol32); diff != "" && magnitude(want) < 1e4 {
			t.Fatalf("%s on %s in f32: %s\n%s\n%s", p.Name, g.Name, diff, p, body(Render(plan.Build(typed(t, p, ir.F32)), VectorBytes())))
		}
		native, declined = native+n, declined+d
	}
	return native, declined
}

func magnitude(ts map[string][]float64) float64 {
	m := 0.0
	for _, x := range ts {
		for _, a := range x {
			if !math.IsInf(a, 0) {
				m = max(m, math.Abs(a))
			}
		}
	}
	return m
}

// runs returns the result with one thread, after comparing it bit for bit with
// those of several.
func runs[T kern.Float](t *testing.T, compiler string, p *ir.Program, g irtest.Graph, in map[string][]float64, seed uint64) (one map[string][]float64, native, declined int) {
	t.Helper()
	pl := plan.Build(p)
	x := compiledBy[T](t, pl, compiler)
	gr := graphOf(t, &g.Structure, p.Bipartite)
	for _, threads := range []int{1, 2, 3} {
		mem := memoryOf[T](pl, &g.Structure, in)
		x.Run(gr, mem, executor.Options{Seed: seed, Threads: threads})
		out := outputs(pl, mem)
		if one == nil {
			one = out
		}
		for name, want := range one {
			for i := range want {
				if math.Float64bits(out[name][i]) != math.Float64bits(want[i]) {
					t.Fatalf("%s on %s: %s[%d] is %v with 1 thread, %v with %d", p.Name, g.Name, name, i, want[i], out[name][i], threads)
				}
			}
		}
	}
	native, declined = kernelsOf(x, pl)
	return one, native, declined
}

// halves are the forward and backward programs of a layer.
func halves(p *ir.Program) []*ir.Program {
	f, b, _ := pass.Training(p, pass.Options{Want: func(string) bool { return true }})
	return []*ir.Program{f, b}
}

// Vectors of edges, lanes of heads, and columns read and write such values.
func TestKernelsReadWhatThoseOfTheOtherSideKeepOfEdges(t *testing.T) {
	needsCompiler(t)
	for _, heads := range []int{1, 3, 4, 20} {
		p := irtest.Kept(heads, 32)
		text := body(Render(plan.Build(p), VectorBytes()))
		if !strings.Contains(text, "in_at + at") && !strings.Contains(text, "in_at[at") || !strings.Contains(text, "out_at + at") && !strings.Contains(text, "out_at[at") {
			t.Errorf("%d heads: nothing is kept in either order:\n%s", heads, text)
		}
		for _, g := range irtest.Graphs(false) {
			mustAgree(t, p, g, inputsOf(p, &g.Structure, 8), 8)
		}
	}
}

func TestEveryLayerAgreesWithTheInterpreterOnDegenerateGraphs(t *testing.T) {
	needsCompiler(t)
	for _, layer := range irtest.Layers() {
		t.Run(layer.Name, func(t *testing.T) {
			t.Parallel()
			for _, p := range halves(layer) {
				native := 0
				for _, g := range irtest.Graphs(false) {
					n, _ := mustAgree(t, p, g, inputsOf(p, &g.Structure, 4), 4)
					native += n
				}
				if native == 0 {
					t.Errorf("%s: no kernel is native", p.Name)
				}
			}
		})
	}
}

func TestRandomProgramsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	cases := uint64(45)
	if testing.Short() {
		cases = 15
	}
	native, declined := 0, 0
	for seed := range cases {
		c := irtest.New(seed)
		p, _ := pass.Forward(c.Program, pass.Options{})
		n, d := mustAgreeBy(t, []string{"test", "test16", "test32"}[seed/7%3], inTurn(int(seed)), p, c.Graph, c.Inputs(p), seed)
		native, declined = native+n, declined+d
	}
	t.Logf("%d kernels native, %d declined", native, declined)
	if native < 2*declined {
		t.Errorf("only %d kernels of %d are native", native, native+declined)
	}
}

// Many more programs are rendered than compiled, since that takes a thousandth of the time.
func TestAllRandomProgramsAreRendered(t *testing.T) {
	t.Parallel()
	cases := uint64(1000)
	if testing.Short() {
		cases = 500
	}
	for seed := range cases {
		c := irtest.New(seed)
		forward, _ := pass.Forward(c.Program, pass.Options{})
		for i, p := range append(halves(c.Program), forward) {
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("seed %d, program %d: %v\n%v", seed, i, r, p)
					}
				}()
				Render(plan.Build(p), []int{16, 32, 64}[(int(seed)+i)%3])
			}()
		}
	}
}

// Numbers take the place of matrices, and of rows, of products and types.
func TestNumbersInProductsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g := withTypes(small(), ir.Types{Src: 1, Dst: 1, Edge: 1})
	number := func(b *ir.Builder, x float64, shape ...int) *ir.Value { return b.Reshape(b.Const(x), shape) }
	tanh := func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Op(ir.OpTanh, ir.Attr{}, x) }
	ofType := func(b *ir.Builder, x float64, r ir.Residency) *ir.Value {
		return b.Op(ir.OpUnstack, ir.Attr{Res: r}, number(b, x, 1))
	}
	for i, c := range []struct {
		name string
		f    func(b *ir.Builder, x *ir.Value) *ir.Value
	}{
		{"matrix", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.MatMul(x, number(b, 2, 1, 1)) }},
		{"edge type", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Mul(x, ofType(b, 2, ir.EdgeType)) }},
		{"source's type", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Mul(x, ofType(b, 2, ir.SrcType)) }},
		{"destination's type", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Mul(x, ofType(b, 2, ir.DstType)) }},
		{"picked", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(b.Sum(ir.In, x), b.Sum(ir.In, b.Op(ir.OpPick, ir.Attr{}, number(b, 2, 1))))
		}},
		{"picked for each column", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(x, b.Op(ir.OpPick, ir.Attr{}, b.Expand(b.Const(2), ir.Shape{1, 20})))
		}},
	} {
		for j, res := range []ir.Residency{ir.Edge, ir.Src} {
			b := ir.NewBuilder(fmt.Sprint(c.name, ", ", res), ir.F64, false)
			b.SetTypes(g.Types)
			b.Output("out", b.Sum(ir.In, tanh(b, c.f(b, tanh(b, b.Input("x", res, ir.Shape{1}))))))
			p := b.Program()
			for k, p := range append(halves(p), p) {
				mustAgreeBy(t, "quick", inTurn(i+j+k), p, g, inputsOf(p, &g.Structure, 4), 4)
			}
		}
	}
}

// Programs of the family of attention have vectors of heads, which others seldom have.
func TestRandomScoresAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	cases := uint64(12)
	if testing.Short() {
		cases = 4
	}
	for seed := range cases {
		r := rand.New(rng.NewStream(seed, 79))
		training, bipartite := seed%3 > 0, seed%4 == 3
		g := irtest.RandomGraph(r, bipartite, 1+r.IntN(30), r.IntN(300))
		programs := []*ir.Program{pass.DCE(irtest.Scores(r, bipartite, training))}
		if training {
			programs = halves(programs[0])
		}
		for _, p := range programs {
			if _, declined := mustAgreeBy(t, []string{"test", "test16", "test32"}[seed%3], inTurn(int(seed)), p, g, inputsOf(p, &g.Structure, seed), seed); declined > 0 {
				t.Logf("%d kernels of %s, seed %d, declined", declined, p.Name, seed)
			}
		}
	}
}

// hub has rows with several blocks of edges, both ways, and rows without any.
func hub() irtest.Graph {
	g := irtest.Graph{Name: "hub", Structure: ir.Structure{NumSrc: 700, NumDst: 700}}
	for i := range int32(2*blockEdges + 77) {
		g.Src, g.Dst = append(g.Src, i%600, 3), append(g.Dst, 3, (i*7)%600)
	}
	return g
}

// TestHubsAgreeWithTheInterpreter is about rows of so many edges that they run in
// parts, and not in C.
func TestHubsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g := irtest.Graph{Name: "star", Structure: ir.Structure{NumSrc: 9000, NumDst: 9000}}
	for i := range int32(9000) {
		g.Src, g.Dst = append(g.Src, i, 7, i), append(g.Dst, 7, i, (i*7)%9000)
	}
	for _, p := range halves(attention(ir.In, 1, 64, false)) {
		in := inputsOf(p, &g.Structure, 3)
		for key, x := range in {
			if strings.HasPrefix(key, ir.SavedPrefix) {
				for i := range x {
					x[i] = 1 + math.Abs(x[i])
				}
			}
		}
		if native, declined := mustAgree(t, p, g, in, 3); native == 0 || declined > 0 {
			t.Errorf("%s: %d kernels native, %d declined", p.Name, native, declined)
		}
	}
}

// attention weighs what it sums by a softmax of scores that are sums, dots or both.
func attention(d ir.Dir, heads, cols int, dots bool) *ir.Program {
	b := ir.NewBuilder("attention", ir.F64, false)
	rows, other := d.Rows(), ir.Src+ir.Dst-d.Rows()
	h := b.Input("h", other, ir.Shape{heads, cols})
	score := b.Add(b.Input("el", other, ir.Shape{heads, 1}), b.Input("er", rows, ir.Shape{heads, 1}))
	if dots {
		dot := b.ReduceTo(b.Mul(h, b.Input("q", rows, ir.Shape{heads, cols})), ir.Shape{heads, 1})
		score = b.Add(score, dot)
	}
	alpha := b.Op(ir.OpSoftmax, ir.Attr{Dir: d}, b.Op(ir.OpTanh, ir.Attr{}, score))
	alpha = b.Op(ir.OpDropout, ir.Attr{Num: 0.4, Site: 3, Res: ir.Edge}, alpha)
	b.Output("out", b.Sum(d, b.Mul(alpha, h)))
	b.Output("alpha", alpha)
	b.Output("first", b.Op(ir.OpArgmax, ir.Attr{Dir: d}, b.Input("w", ir.Edge, ir.Shape{3})))
	return b.Program()
}

func TestRowsOfSeveralBlocksAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g, n := hub(), 0
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, hd := range [][2]int{{1, 7}, {3, 5}, {8, 8}} {
			for _, dots := range []bool{false, true} {
				if (testing.Short() || hd[0] == 3) && (d == ir.Out) == dots {
					continue
				}
				n++
				for _, p := range halves(attention(d, hd[0], hd[1], dots)) {
					in := inputsOf(p, &g.Structure, 11)
					for key, x := range in { // saved maxima and sums as forward makes them: exponents stay small
						if strings.HasPrefix(key, ir.SavedPrefix) {
							for i := range x {
								x[i] = 1 + math.Abs(x[i])
							}
						}
					}
					if native, declined := mustAgreeBy(t, "quick", inTurn(n), p, g, in, 11); native == 0 || declined > 0 {
						t.Errorf("%s: %d kernels native, %d declined", p.Name, native, declined)
					}
				}
			}
		}
	}
}

func TestNarrowerVectorsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g := small()
	for i, bytes := range []int{16, 32, 64} {
		for j, hd := range [][2]int{{1, 19}, {4, 5}, {8, 8}} {
			for _, p := range halves(attention(ir.In, hd[0], hd[1], true)) {
				if native, declined := mustAgreeBy(t, fmt.Sprint("test", bytes), inTurn(i+j), p, g, inputsOf(p, &g.Structure, 2), 2); native == 0 || declined > 0 {
					t.Errorf("%d bytes: %d kernels native, %d declined", bytes, native, declined)
				}
			}
		}
	}
}

// large has several chunks of work.
func large() irtest.Graph { return irtest.RandomGraph(rand.New(rng.NewStream(5)), false, 3000, 60_000) }

func TestManyChunksAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	b := ir.NewBuilder("chunks", ir.F64, false)
	h, w := b.Input("h", ir.Src, ir.Shape{2, 9}), b.Input("w", ir.Edge, ir.Shape{2, 1})
	m := b.Mul(h, b.Op(ir.OpSigmoid, ir.Attr{}, b.Add(w, b.Input("er", ir.Dst, ir.Shape{2, 1}))))
	b.Output("out", b.Sum(ir.In, m))
	b.Output("back", b.Max(ir.Out, m))
	b.Output("total", b.Total(b.Mul(b.Sum(ir.In, m), b.Const(0.01)), ir.Dst))
	b.Output("edges", m)
	p := b.Program()
	g := large()
	if _, declined := mustAgree(t, p, g, inputsOf(p, &g.Structure, 7), 7); declined > 0 {
		t.Error("declined")
	}
}

// What native code computes of degrees is that of Go's kernels within rounding, and hubs, which Go's
// kernels run, read it: a graph that is walked often keeps no such values of Go's for them.
func TestResultsAreTheSameHoweverOftenAGraphIsWalked(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	const vertices, runs = 4000, 10
	g := irtest.RandomGraph(rand.New(rng.NewStream(6)), false, vertices, plan.KeepEdges)
	for i := range int32(40_000) {
		g.Src, g.Dst = append(g.Src, i%vertices), append(g.Dst, 7)
	}
	b := ir.NewBuilder("by degrees", ir.F32, false)
	factor := b.Op(ir.OpLog, ir.Attr{}, b.Add(b.Op(ir.OpTanh, ir.Attr{}, b.Mul(b.Degree(ir.Out, ir.Src), b.Const(0.01))), b.Const(1)))
	x := b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, b.Input("x", ir.Src, ir.Shape{33}))
	b.Output("out", b.Sum(ir.In, b.Mul(x, factor)))
	pl := plan.Build(b.Program())
	program := compiled[float32](t, pl)
	if native, declined := kernelsOf(program, pl); native != 2 || declined > 0 {
		t.Fatalf("%d kernels native, %d declined", native, declined)
	}
	in, on := inputsOf(b.Program(), &g.Structure, 9), graphOf(t, &g.Structure, false)
	var first []float64
	for n := range runs {
		mem := memoryOf[float32](pl, &g.Structure, in)
		program.Run(on, mem, executor.Options{Threads: 2})
		out := outputs(pl, mem)["out"]
		if first == nil {
			first = out
		}
		if !slices.Equal(out, first) {
			t.Fatalf("run %d has other results than the first one", n+1)
		}
	}
}

func TestRunsOfOneProgramMayOverlap(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	p := typed(t, halves(attention(ir.In, 2, 8, false))[0], ir.F32)
	pl, g := plan.Build(p), large()
	gr, in := graphOf(t, &g.Structure, false), inputsOf(p, &g.Structure, 9)
	x := compiled[float32](t, pl)
	run := func(threads int) map[string][]float64 {
		mem := memoryOf[float32](pl, &g.Structure, in)
		x.Run(gr, mem, executor.Options{Seed: 5, Threads: threads})
		return outputs(pl, mem)
	}
	want := run(1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if diff := irtest.Diff(run(2), want, 0); diff != "" {
				t.Error(diff)
			}
		})
	}
	wg.Wait()
}

// TestEqualMaximaGoToTheFirstEdge is about graphs with types, whose rows are not in
// order of edges.
func TestEqualMaximaGoToTheFirstEdge(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	b := ir.NewBuilder("ties", ir.F64, false)
	b.SetTypes(ir.Types{Src: 2, Dst: 2, Edge: 3})
	x := b.Input("x", ir.Edge, ir.Shape{2})
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		b.Output("arg"+d.String(), b.Op(ir.OpArgmax, ir.Attr{Dir: d}, x))
	}
	p := b.Program()
	g := withTypes(small(), ir.Types{Src: 2, Dst: 2, Edge: 3})
	r := rand.New(rng.NewStream(12))
	in := make(map[string][]float64)
	for range g.Src {
		in["x@edge"] = append(in["x@edge"], float64(r.IntN(2)), float64(r.IntN(3)))
	}
	if _, declined := mustAgree(t, p, g, in, 1); declined > 0 {
		t.Error("declined")
	}
}
