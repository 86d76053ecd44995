package render

// What the other tests, which compare results, do not say: sizes, options, errors,
// and results at the edges of the number range.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// planned plans a program as a GPU's is: products of vertices are a library's.
func planned(p *ir.Program) *plan.Plan { return plan.BuildWithout(p, plan.FuseRowProduct) }

// renderOf renders a program that needs no passes but the forward ones.
func renderOf(t testing.TB, p *ir.Program, o Options) (*plan.Plan, *Source) {
	t.Helper()
	forward, _ := pass.Forward(p, pass.Options{})
	pl := planned(forward)
	src, err := Render(pl, o)
	if err != nil {
		t.Fatalf("%v\n%v", err, pl)
	}
	return pl, src
}

// run compiles and runs a source alone.
func run(t testing.TB, pl *plan.Plan, src *Source, s *ir.Structure, in map[string][]float64, seed uint64) map[string][]float64 {
	t.Helper()
	needsCompiler(t)
	program, err := emu.Compile(context.Background(), src.Text)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	program.SetSeed(seed)
	return execute(t, program, pl, src, graphOf(t, s, pl.Program.Bipartite), in, 5)
}

func TestTheSamePlanGivesTheSameText(t *testing.T) {
	for name, programs := range zoo(t) {
		for _, p := range programs {
			a, err := Render(plan.Build(p), Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := Render(plan.Build(p), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s differs from run to run", name)
			}
		}
	}
}

func TestKernelsHaveNamesOfTheirOwnAndFitABlock(t *testing.T) {
	for name, programs := range zoo(t) {
		for _, p := range programs {
			src, err := Render(planned(p), Options{})
			if err != nil {
				t.Fatal(err)
			}
			seen := make(map[string]bool)
			for i, s := range src.Steps {
				if product, ok := planned(p).Steps[i].(*plan.Product); ok && isPlain(product.Value) && s.Gemm == nil {
					t.Errorf("%s: %v is no step for a library", name, product.Value)
				}
				if (s.Gemm == nil) == (len(s.Launches) == 0) {
					t.Errorf("%s: a step is a product or has kernels, not both: %+v", name, s)
				}
				for _, l := range s.Launches {
					if seen[l.Name] || !strings.Contains(src.Text, "AST_KERNEL("+l.Name+")(") {
						t.Errorf("%s: kernel %s is there twice or not at all", name, l.Name)
					}
					seen[l.Name] = true
					if l.Block < 1 || l.Block > 1024 {
						t.Errorf("%s: a block of %d threads", l.Name, l.Block)
					}
				}
			}
		}
	}
}

// What a kernel declares has no parameter's name, which it would hide: also where matrices'
// copies have names with the numbers that temporaries get.
func TestWhatAKernelDeclaresHidesNoParameter(t *testing.T) {
	programs := map[string][]*ir.Program{"zoo": nil}
	for _, of := range zoo(t) {
		programs["zoo"] = append(programs["zoo"], of...)
	}
	for _, n := range []int{2, 15, 16} {
		b := ir.NewBuilder("products", ir.F32, false)
		x := b.Op(ir.OpTanh, ir.Attr{}, b.Add(b.Input("x", ir.Src, ir.Shape{4}), b.Input("y", ir.Dst, ir.Shape{4})))
		var products []*ir.Value
		for i := range n {
			products = append(products, b.Op(ir.OpMatMulT, ir.Attr{}, x, b.Input(fmt.Sprint("W", i), ir.Param, ir.Shape{4, 4})))
		}
		for i := range n { // the last matrix is read first
			b.Output(fmt.Sprint("out", i), b.Sum(ir.In, products[n-1-i]))
		}
		programs["products"] = append(programs["products"], b.Program())
	}
	copies := 0
	for of, all := range programs {
		for _, p := range all {
			for _, tuning := range []Tuning{{}, {Lanes: 8}} {
				src, err := Render(plan.BuildWithout(p, plan.FuseRowProduct), Options{Tuning: tuning})
				if errors.As(err, new(*Error)) {
					continue // rows too wide for so few threads
				}
				if err != nil {
					t.Fatal(err)
				}
				copies += strings.Count(src.Text, "_transposed")
				for _, hidden := range hiddenParameters(t, src.Text) {
					t.Errorf("%s, %s, %+v: %s", of, p.Name, tuning, hidden)
				}
			}
		}
	}
	if copies == 0 {
		t.Error("no matrix is copied")
	}
}

var (
	kernelText  = regexp.MustCompile(`(?ms)^AST_KERNEL\((\w+)\)\(([^)]*)\) \{\n(.*?)^\}`)
	declaration = regexp.MustCompile(`(?m)^ +(?:for \()?(?:const |AST_SHARED )*(?:T|T2|T4|int|i64|u32|u64|bool) \*?(?:const )?(\w+)(?:, (\w+))?(?: = |;|\[)`)
	lastName    = regexp.MustCompile(`\w+$`)
)

// hiddenParameters lists the parameters that kernels of a text declare again.
func hiddenParameters(t *testing.T, text string) (hidden []string) {
	_, text, _ = strings.Cut(text, endOfPrelude)
	kernels := kernelText.FindAllStringSubmatch(text, -1)
	if len(kernels) != strings.Count(text, "AST_KERNEL(") {
		t.Fatalf("%d kernels found in\n%s", len(kernels), text)
	}
	for _, k := range kernels {
		var params []string
		for _, p := range strings.Split(k[2], ", ") {
			params = append(params, lastName.FindString(p))
		}
		for _, d := range declaration.FindAllStringSubmatch(k[3], -1) {
			for _, name := range d[1:] {
				if name != "" && slices.Contains(params, name) {
					hidden = append(hidden, fmt.Sprintf("%s hides its parameter %s", k[1], name))
				}
			}
		}
	}
	return hidden
}

// isPlain tells whether a product is of a matrix and a param, or of two matrices.
func isPlain(v *ir.Value) bool {
	x, w := v.Args[0], v.Args[1]
	if v.Op == ir.OpOuter {
		return v.Attr.To == ir.Param && !v.Attr.Heads && x.Res == v.Attr.Res && w.Res == v.Attr.Res
	}
	return w.Res == ir.Param && len(w.Shape) == 2
}

// aggregation is the sum and the maximum of neighbours' rows, and their products with
// the own row, of a width and a number of heads.
func aggregation(width, heads int) *ir.Program {
	b := ir.NewBuilder(fmt.Sprintf("w%d_%d", width, heads), ir.F32, false)
	shape := ir.Shape{heads, width}
	h, own := b.Input("h", ir.Src, shape), b.Input("h", ir.Dst, shape)
	score := b.ReduceTo(b.Mul(h, own), ir.Shape{heads, 1})
	alpha := b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, score)
	b.Output("attention", b.Sum(ir.In, b.Mul(alpha, h)))
	b.Output("max", b.Max(ir.In, h))
	b.Output("norm", b.Op(ir.OpMaxLast, ir.Attr{}, b.Sum(ir.In, b.Mul(h, b.Input("w", ir.Edge, ir.Shape{})))))
	return b.Program()
}

func TestAllWidthsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	r := rand.New(rand.NewPCG(1, 2))
	g := irtest.RandomGraph(r, false, 30, 150)
	var all []rendered
	for _, width := range []int{1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 128, 257, 1030, 2200} {
		for _, heads := range []int{1, 3, 8} {
			if width > 64 && heads > 1 || testing.Short() && (width > 300 || width%2 == 0) {
				continue
			}
			pl, src := renderOf(t, aggregation(width, heads), Options{Tuning: Tuning{Hub: 9, Chunk: 4}})
			all = append(all, rendered{nil, pl.Program, pl, src})
		}
	}
	program, err := emu.Compile(context.Background(), oneUnit(all))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for i, x := range all {
		program.SetSeed(uint64(i))
		in := irtest.Inputs(9, x.p, &g.Structure, false)
		want, scale := reference(t, x.p, &g.Structure, in, 0)
		got := execute(t, program, x.pl, x.src, graphOf(t, &g.Structure, false), in, 0)
		if diff := differs(x.p, got, want, scale); diff != "" {
			t.Errorf("%s: %s", x.p.Name, diff)
		}
	}
}

// A softmax whose scores are infinite, NaN or far apart is what the interpreter says,
// although it is found in one pass: also when a row begins with -inf.
func TestOnlineSoftmaxAtTheEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	rows := [][]float64{
		{-inf, 1, 2}, {1, -inf, 2, -inf}, {-inf, -inf}, {inf, 1}, {1, inf, 2}, {nan, 1}, {1, nan, 2}, {-inf, nan},
		{1e4, -1e4, 0}, {-1e4, 1e4, 3, 1e4}, {5}, {}, {-inf}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {-inf, 3, -inf, -inf, 4, -inf, 2, 1, 0},
	}
	s := &ir.Structure{NumSrc: len(rows), NumDst: len(rows)}
	var scores []float64
	for r, row := range rows {
		for _, x := range row {
			s.Src, s.Dst = append(s.Src, int32((r+len(scores))%len(rows))), append(s.Dst, int32(r))
			scores = append(scores, x)
		}
	}
	b := ir.NewBuilder("edges", ir.F64, false)
	h := b.Input("h", ir.Src, ir.Shape{6})
	alpha := b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, b.Input("score", ir.Edge, ir.Shape{1}))
	b.Output("out", b.Sum(ir.In, b.Mul(alpha, h)))
	in := map[string][]float64{"score@edge": scores, "h@src": nil}
	for i := range 6 * len(rows) {
		in["h@src"] = append(in["h@src"], float64(i%7)-3)
	}
	for i, o := range []Options{{}, {Tuning: Tuning{Lanes: 4, Slots: 4, Unroll: 2}}, {Tuning: Tuning{Hub: 1, Chunk: 2}}} {
		pl, src := renderOf(t, b.Program(), o)
		if !strings.Contains(src.Text, "was") {
			t.Fatalf("the maximum has a loop of its own\n%s", src.Text)
		}
		want, _ := reference(t, pl.Program, s, in, 0)
		got := run(t, pl, src, s, in, uint64(i))
		if diff := irtest.Diff(got, want, 1e-12); diff != "" {
			t.Errorf("options %+v: %s", o, diff)
		}
	}
}

// A maximum of other values of edges is found along with a softmax's, in its loop.
func TestOnlineSoftmaxIsFoundAlongWithAnotherMaximum(t *testing.T) {
	g := irtest.RandomGraph(rand.New(rand.NewPCG(1, 3)), false, 30, 250)
	b := ir.NewBuilder("beside", ir.F64, false)
	x, y := b.Input("x", ir.Src, ir.Shape{3, 1}), b.Input("y", ir.Dst, ir.Shape{3, 1})
	b.Output("softmax", b.Sum(ir.In, b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, b.Op(ir.OpTanh, ir.Attr{}, b.Input("score", ir.Edge, ir.Shape{3, 1})))))
	b.Output("max", b.Max(ir.In, b.Add(x, y)))
	pl, src := renderOf(t, b.Program(), Options{Tuning: Tuning{Hub: 9, Chunk: 4}})
	if !strings.Contains(src.Text, "was") {
		t.Fatalf("the maximum has a loop of its own\n%s", src.Text)
	}
	in := irtest.Inputs(5, pl.Program, &g.Structure, false)
	want, scale := reference(t, pl.Program, &g.Structure, in, 0)
	if diff := differs(pl.Program, run(t, pl, src, &g.Structure, in, 0), want, scale); diff != "" {
		t.Errorf("%s", diff)
	}
}

// The differences of each score and each head's maximum are no softmax of the scores, which
// have as many numbers as the maxima.
func TestScoresLessTheMaximaOfAllHeadsAreNoSoftmax(t *testing.T) {
	g := irtest.RandomGraph(rand.New(rand.NewPCG(1, 4)), false, 30, 250)
	b := ir.NewBuilder("all_pairs", ir.F64, false)
	s, h := b.Input("s", ir.Src, ir.Shape{4}), b.Input("h", ir.Src, ir.Shape{4, 4})
	score := b.Op(ir.OpTanh, ir.Attr{}, b.Add(s, b.Input("t", ir.Dst, ir.Shape{4})))
	for i, x := range []*ir.Value{s, score} {
		m := b.Reshape(b.Max(ir.In, x), ir.Shape{4, 1})
		weight := b.Op(ir.OpExp, ir.Attr{}, b.Op(ir.OpSub, ir.Attr{}, x, m))
		b.Output(fmt.Sprint("out", i), b.Sum(ir.In, b.Mul(weight, h)))
	}
	in := irtest.Inputs(5, b.Program(), &g.Structure, false)
	for i, o := range []Options{{}, {Tuning: Tuning{Hub: 9, Chunk: 4}}} {
		pl, src := renderOf(t, b.Program(), o)
		want, scale := reference(t, pl.Program, &g.Structure, in, 0)
		if diff := differs(pl.Program, run(t, pl, src, &g.Structure, in, uint64(i)), want, scale); diff != "" {
			t.Errorf("options %+v: %s", o, diff)
		}
	}
}

// SiLU and GELU are 0 at -Inf, and keep their digits far on the left; sine and cosine are NaN at infinity.
func TestFunctionsHaveTheirLimits(t *testing.T) {
	inf := math.Inf(1)
	xs := []float64{-inf, inf, math.NaN(), -100, -6, -5.5, 0, 3}
	s := &ir.Structure{NumSrc: len(xs), NumDst: len(xs)}
	for _, typ := range []ir.DType{ir.F32, ir.F64} {
		b := ir.NewBuilder("limits", typ, false)
		x := b.Input("x", ir.Dst, ir.Shape{})
		ops := []ir.Op{ir.OpSilu, ir.OpGelu, ir.OpSin, ir.OpCos}
		for _, op := range ops {
			b.Output(op.String(), b.Op(op, ir.Attr{}, x))
		}
		b.Output("powof", b.Op(ir.OpPowOf, ir.Attr{}, x, b.Input("y", ir.Dst, ir.Shape{})))
		ys := []float64{3, -2, 0, 3, 0.5, 2, 0, -1.5}
		in := map[string][]float64{"x@dst": xs, "y@dst": ys}
		pl, src := renderOf(t, b.Program(), Options{})
		got := run(t, pl, src, s, in, 0)
		check := func(op ir.Op, i int, want float64) {
			y := got[op.String()][i]
			if y != want && !(math.IsNaN(y) && math.IsNaN(want)) && !(math.Abs(y-want) <= 1e-5*math.Abs(want)) && !(math.Abs(y-want) <= 1e-40) {
				t.Errorf("%v: %v(%v) is %v, want %v", typ, op, xs[i], y, want)
			}
		}
		for i, x := range xs {
			for _, op := range ops {
				check(op, i, op.Info().Unary(&ir.Attr{}, x))
			}
			check(ir.OpPowOf, i, math.Pow(x, ys[i]))
		}
	}
}

// 1/-0 is -Inf: a constant keeps the sign of its zero, in kernels of rows and of params.
func TestTheConstantMinusZeroKeepsItsSign(t *testing.T) {
	s := &ir.Structure{NumSrc: 2, NumDst: 2, Src: []int32{0}, Dst: []int32{1}}
	for _, typ := range []ir.DType{ir.F32, ir.F64} {
		b := ir.NewBuilder("minus_zero", typ, false)
		for _, zero := range []float64{0, math.Copysign(0, -1)} {
			name := fmt.Sprint(zero)
			b.Output("row"+name, b.Div(b.Input("x", ir.Dst, ir.Shape{}), b.Const(zero)))
			b.Output("edge"+name, b.Sum(ir.In, b.Div(b.Op(ir.OpAbs, ir.Attr{}, b.Input("e", ir.Edge, ir.Shape{})), b.Const(zero))))
			b.Output("param"+name, b.Div(b.Input("p", ir.Param, ir.Shape{}), b.Const(zero)))
			below := b.Op(ir.OpClamp, ir.Attr{Num: zero, Num2: 1}, b.Op(ir.OpNeg, ir.Attr{}, b.Input("x", ir.Dst, ir.Shape{})))
			b.Output("clamped"+name, b.Op(ir.OpRecip, ir.Attr{}, below))
		}
		in := map[string][]float64{"x@dst": {1, 2}, "e@edge": {3}, "p@param": {4}}
		pl, src := renderOf(t, b.Program(), Options{})
		want, _ := reference(t, pl.Program, s, in, 0)
		if len(want["row-0"]) != 2 || want["row-0"][0] != math.Inf(-1) || want["row0"][0] != math.Inf(1) {
			t.Fatalf("the interpreter gives %v", want)
		}
		if diff := irtest.Diff(run(t, pl, src, s, in, 0), want, 0); diff != "" {
			t.Errorf("%v: %s", typ, diff)
		}
	}
}

// A bound that is NaN is none, and between bounds a zero keeps its sign.
func TestBoundsAreThoseOfTheInterpreter(t *testing.T) {
	nan, inf, minus := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	xs := []float64{-inf, inf, nan, -3, 3, -0.5, 0.5, 0, minus}
	bounds := [][2]float64{{nan, 1}, {-1, nan}, {nan, nan}, {0, 1}, {minus, 1}, {-1, 0}, {-1, minus}, {0, minus}, {2, -2}}
	s := &ir.Structure{NumSrc: len(xs), NumDst: len(xs)}
	for _, typ := range []ir.DType{ir.F32, ir.F64} {
		b := ir.NewBuilder("bounds", typ, false)
		x := b.Input("x", ir.Dst, ir.Shape{})
		for i, c := range bounds {
			b.Output(fmt.Sprint("y", i), b.Op(ir.OpClamp, ir.Attr{Num: c[0], Num2: c[1]}, x))
		}
		pl, src := renderOf(t, b.Program(), Options{})
		got := run(t, pl, src, s, map[string][]float64{"x@dst": xs}, 0)
		for i, c := range bounds {
			for k, x := range xs {
				y, want := got[fmt.Sprint("y", i)][k], ir.OpClamp.Info().Unary(&ir.Attr{Num: c[0], Num2: c[1]}, x)
				if !(y == want && math.Signbit(y) == math.Signbit(want)) && !(math.IsNaN(y) && math.IsNaN(want)) {
					t.Errorf("%v: %v clamped to %v is %v, want %v", typ, x, c, y, want)
				}
			}
		}
	}
}

// The order in which a device runs threads and blocks does not change a bit.
func TestSchedulesGiveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	g := irtest.RandomGraph(r, false, 60, 600)
	f, b, _ := pass.Training(irtest.Layer("gat"), pass.Options{Want: func(string) bool { return true }})
	for _, p := range []*ir.Program{f, b} {
		pl := planned(p)
		src, err := Render(pl, Options{Tuning: Tuning{Hub: 12, Chunk: 5}})
		if err != nil {
			t.Fatal(err)
		}
		in := irtest.Inputs(3, p, &g.Structure, false)
		want := run(t, pl, src, &g.Structure, in, 0)
		for seed := range uint64(4) {
			if got := run(t, pl, src, &g.Structure, in, seed+1); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: schedule %d gives other results", p.Name, seed+1)
			}
		}
	}
}

func TestRowsThatAreTooWideAreAnError(t *testing.T) {
	sum := func(width int) *plan.Plan {
		b := ir.NewBuilder("sum", ir.F32, false)
		b.Output("out", b.Sum(ir.In, b.Input("x", ir.Src, ir.Shape{width})))
		return plan.Build(b.Program())
	}
	const most = 16384 // as the documentation of cudagen and README.md say
	if _, err := Render(sum(most), Options{}); err != nil {
		t.Error(err)
	}
	_, err := Render(sum(most+1), Options{})
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "a row of 16385 numbers: 256 threads hold 16384 at most") {
		t.Errorf("error %v", err)
	}
}

func TestTuningThatCutsNothingIsAnError(t *testing.T) {
	pl := plan.Build(mustForward(aggregation(16, 1)))
	for _, bad := range []Tuning{{Lanes: 3}, {Lanes: 512}, {Slots: 6}, {Block: 100}, {Block: 2048}, {Lanes: -1}, {Unroll: -2}} {
		var e *Error
		if _, err := Render(pl, Options{Steps: map[int]Tuning{0: bad}}); !errors.As(err, &e) || e.Step != 0 {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
	if _, err := Render(pl, Options{Steps: map[int]Tuning{0: {Lanes: 8, Slots: 2, Block: 64, Unroll: 2}}}); err != nil {
		t.Error(err)
	}
}

func mustForward(p *ir.Program) *ir.Program {
	f, _ := pass.Forward(p, pass.Options{})
	return f
}

func TestCountsOfLaunches(t *testing.T) {
	x := &Extent{Sizes: plan.Sizes{NumSrc: 10, NumDst: 7, NumEdges: 100}, Hubs: [2]int{2, 0}, Chunks: [2]int{5, 0}}
	for _, c := range []struct {
		count Count
		want  int
	}{
		{nil, 0},
		{constant(3), 3},
		{constant(0), 0},
		{Count{{Of: Rows, Res: ir.Dst}}, 7},
		{Count{{Of: Rows, Res: ir.Src, Per: 4}}, 3},
		{Count{{Of: Rows, Res: ir.Edge, Times: 3, Per: 7, Max: 40, By: 2}}, 80},
		{Count{{Of: Rows, Res: ir.Edge, Times: 3, Per: 7, Max: 50}}, 43},
		{Count{{Of: Hubs, Dir: ir.In}, {Of: Chunks, Dir: ir.In}, {Of: Chunks, Dir: ir.Out}}, 7},
	} {
		if got := c.count.Of(x); got != c.want {
			t.Errorf("%+v is %d, want %d", c.count, got, c.want)
		}
	}
}

func TestHubsAreCutIntoChunks(t *testing.T) {
	// Vertex 2 has 7 in-edges, vertex 0 has 5, vertex 1 has 2.
	dst := []int32{2, 2, 0, 2, 0, 1, 2, 0, 2, 0, 2, 0, 2, 1}
	g, err := graph.New(3, make([]int32, len(dst)), dst)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHubs(g.In(), 4, 3)
	first, last := g.In().Offsets[2], g.In().Offsets[0]
	if h.Len() != 2 || !slices.Equal(h.First, []int32{0, 3, 5}) || !slices.Equal(h.Hub, []int32{0, 0, 0, 1, 1}) ||
		!slices.Equal(h.Begin, []int32{first, first + 3, first + 6, last, last + 3}) {
		t.Errorf("%+v", h)
	}
	if x := NewExtent(g, [2]*HubTable{h, NewHubs(g.Out(), 14, 3)}); x.Hubs != [2]int{2, 0} || x.Chunks != [2]int{5, 0} {
		t.Errorf("%+v", x)
	}
}

// What kernels keep of edges lies in the order of those that keep it, read by the others
// across; on hubs, too.
func TestKernelsReadWhatThoseOfTheOtherSideKeepOfEdges(t *testing.T) {
	needsCompiler(t)
	g := irtest.RandomGraph(rand.New(rand.NewPCG(3, 4)), false, 30, 250)
	for _, heads := range []int{1, 4} {
		pl, src := renderOf(t, irtest.Kept(heads, 32), Options{Tuning: Tuning{Hub: 9, Chunk: 4}})
		for _, part := range []string{"position", "there"} {
			if !strings.Contains(src.Text, part) {
				t.Errorf("%d heads: no value of edges is at its %s:\n%s", heads, part, src.Text)
			}
		}
		in := irtest.Inputs(9, pl.Program, &g.Structure, false)
		want, scale := reference(t, pl.Program, &g.Structure, in, 0)
		got := run(t, pl, src, &g.Structure, in, uint64(heads))
		if diff := differs(pl.Program, got, want, scale); diff != "" {
			t.Errorf("%d heads: %s", heads, diff)
		}
	}
}

// The gradient of a weight of edges is summed in registers of a warp, of a block, or,
// if it is very large, in memory.
func TestWeightsOfEdgesHaveTheirGradients(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	g := irtest.RandomGraph(r, false, 20, 70)
	for _, size := range [][2]int{{8, 5}, {40, 36}, {140, 120}} {
		b := ir.NewBuilder(fmt.Sprintf("mlp%d", size[0]), ir.F32, false)
		x := b.Op(ir.OpTanh, ir.Attr{}, b.Mul(b.Input("h", ir.Src, ir.Shape{size[0]}), b.Input("h", ir.Dst, ir.Shape{size[0]})))
		b.Output("out", b.Max(ir.In, b.MatMul(x, b.Input("W", ir.Param, ir.Shape{size[0], size[1]}))))
		_, backward, _ := pass.Training(b.Program(), pass.Options{Want: func(string) bool { return true }})
		pl := planned(backward)
		src, err := Render(pl, Options{Tuning: Tuning{Hub: 6, Chunk: 4}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(backward.Values, func(v *ir.Value) bool { return v.Op == ir.OpOuter && v.Attr.Res == ir.Edge }) {
			t.Fatalf("no sum over edges in\n%v", pl)
		}
		in := idsAsInts(backward, &g.Structure, irtest.Inputs(4, backward, &g.Structure, false))
		want, scale := reference(t, backward, &g.Structure, in, 0)
		got := run(t, pl, src, &g.Structure, in, uint64(size[0]))
		if diff := differs(backward, got, want, scale); diff != "" {
			t.Errorf("%v: %s", size, diff)
		}
	}
}
