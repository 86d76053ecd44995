package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// inParts lets the program cut a hub's edges into parts of the given number. It returns
// how many kernels can.
func inParts[T kern.Float](x *Program[T], edges int) int {
	n := 0
	for _, s := range x.steps {
		if k, ok := s.(*kernel[T]); ok && k.hub != nil {
			k.hub.partEdges = edges
			k.hub.wholeEdges = min(k.hub.wholeEdges, 100) // several tiles a part
			n++
		}
	}
	return n
}

// star has vertices with more edges than a tile holds: one with an edge from every
// vertex, one with an edge to every vertex, and one with both.
func star(n int32) edges {
	e := edges{name: "star", src: int(n) + 5, dst: int(n) + 5}
	for i := range n {
		e.from = append(e.from, i, 7, i, 9)
		e.to = append(e.to, 7, i, 9, (i*7)%n)
	}
	return e
}

// picks has what depends on which edge it is: winners, ties and dropout.
func picks() *ir.Program {
	b := ir.NewBuilder("picks", ir.F64, false)
	x := b.Input("x", ir.Edge, ir.Shape{2})
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		arg := b.Op(ir.OpArgmax, ir.Attr{Dir: d}, b.Neg(x))
		b.Output("arg"+d.String(), arg)
		b.Output("max"+d.String(), b.Max(d, x))
		b.Output("win"+d.String(), b.Op(ir.OpWinner, ir.Attr{Dir: d}, arg, b.Sum(d, x)))
		b.Output("drop"+d.String(), b.Sum(d, b.Op(ir.OpDropout, ir.Attr{Num: 0.5, Res: ir.Edge}, b.Degree(d, d.Rows()))))
	}
	return b.Program()
}

// mustAgreeInParts compares what a program computes with hubs cut into parts with the
// interpreter, and runs with different numbers of threads with each other.
func mustAgreeInParts(t *testing.T, p *ir.Program, e edges, seed uint64) {
	t.Helper()
	s, g, in := e.structure(), e.build(t), inputsOf(p, e.structure(), seed)
	want, scale := interpret(t, p, s, in, seed)
	for _, part := range []int{90, 257} {
		p64 := typed(t, p, ir.F64)
		compare(t, p64, e, runInParts[float64](t, p64, e, in, part, Options{Seed: seed, Threads: 2}), want, 1e-12*scale)
	}
	p32 := typed(t, p, ir.F32)
	one := runInParts[float32](t, p32, e, in, 257, Options{Seed: seed, Threads: 1})
	if scale < 1e6 {
		compare(t, p32, e, one, want, 1e-4*scale)
	}
	if g.In().MaxDegree() <= maxTileEdges {
		t.Fatalf("the graph %q has no hub", e.name)
	}
	for _, threads := range []int{2, 3, 7} {
		many := runInParts[float32](t, p32, e, in, 257, Options{Seed: seed, Threads: threads})
		for i := range one {
			for k := range one[i] {
				if math.Float64bits(one[i][k]) != math.Float64bits(many[i][k]) {
					t.Fatalf("%s: output %s[%d] is %v with 1 thread, %v with %d\n%s",
						p.Name, p.Outputs[i].Name, k, one[i][k], many[i][k], threads, p)
				}
			}
		}
	}
}

func runInParts[T kern.Float](t *testing.T, p *ir.Program, e edges, in map[string][]float64, part int, opts Options) [][]float64 {
	t.Helper()
	dense.SetThreads(opts.Threads)
	defer dense.SetThreads(0)
	pl := plan.Build(p)
	x := Compile[T](pl)
	x.workers.New = func() any { return poisoned(newWorker(x)) }
	inParts(x, part)
	mem := memoryOf[T](pl, e.structure(), in)
	x.Run(e.build(t), mem, opts)
	return outputs(pl, mem)
}

func TestHubsInPartsAgreeWithTheInterpreter(t *testing.T) {
	e := star(700)
	programs := []*ir.Program{picks(), rowKernels(1), rowKernels(9)}
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		programs = append(programs, attention(1, 7, d), attention(3, 8, d))
	}
	for _, p := range programs {
		mustAgreeInParts(t, p, e, 21)
	}
}

// TestHubsOfKernelsWithSumsAgreeWithTheInterpreter covers sums over all edges and over
// all rows, and loops narrowed to winners, in kernels whose hubs are in parts.
func TestHubsOfKernelsWithSumsAgreeWithTheInterpreter(t *testing.T) {
	text := `program sums f64 {
  %0:src f64[W] = input name="x"
  %1:dst f64[W] = input name="y"
  %2:edge f64[W] = sub %0 %1
  %3:edge f64[W] = relu %2
  %4:dst f64[W] = sum %3 dir=in
  %5:param f64[W W] = outer %3 %2 res=edge
  %6:param f64[W] = total %4 res=dst
  %7:dst f64[W] = exp %1
  %8:dst f64[W] = add %4 %7
  %9:param f64[W W] = outer %8 %4 res=dst
  output "outer" %5
  output "total" %6
  output "rows" %9
  output "sum" %4
}`
	for _, width := range []string{"1", "9", "24"} {
		p := mustParse(strings.ReplaceAll(text, "W", width))
		mustAgreeInParts(t, p, star(700), 51)
		kernels := 0
		for _, s := range Compile[float64](plan.Build(p)).steps {
			if k, ok := s.(*kernel[float64]); ok && len(k.totals) > 0 && k.hub != nil {
				kernels++
			}
		}
		if kernels == 0 {
			t.Errorf("width %s: no kernel sums over all rows or edges of hubs in parts", width)
		}
	}
	for _, types := range []int{0, 3} {
		p := edgeConvBackward(16, 8, types)
		mustAgreeInParts(t, p, star(700).withTypes(p.Types), 52)
	}
}

// TestMaximaByTypeOfHubsAgreeWithTheInterpreter has negative values, of which a part that
// has no edge of a type knows none, and types with many edges, few, and none.
func TestMaximaByTypeOfHubsAgreeWithTheInterpreter(t *testing.T) {
	for _, types := range []int{1, 3, 400} {
		for _, width := range []int{1, 3, 20} {
			if testing.Short() && (types == 1 || width != 3) {
				continue
			}
			b := ir.NewBuilder("maxima", ir.F64, false)
			b.SetTypes(ir.Types{Edge: types})
			for _, d := range []ir.Dir{ir.In, ir.Out} {
				x := b.Neg(b.Exp(b.Input("x"+d.String(), ir.Edge, ir.Shape{width})))
				b.Output(d.String(), b.Op(ir.OpMax, ir.Attr{Dir: d, Typed: true}, x))
			}
			p := b.Program()
			mustAgreeInParts(t, p, star(700).withTypes(p.Types), 53)
		}
	}
}

func TestRandomProgramsOnHubsAgreeWithTheInterpreter(t *testing.T) {
	n := uint64(60)
	if testing.Short() {
		n = 15
	}
	for seed := range n {
		r := rand.New(rng.NewStream(seed, 78))
		mustAgreeInParts(t, randomProgram(r, false), star(600), seed)
	}
}

func TestNaNAndInfinityOfAnyPartOfAHubPropagate(t *testing.T) {
	b := ir.NewBuilder("extremes", ir.F64, false)
	x := b.Input("x", ir.Edge, ir.Shape{})
	b.Output("max", b.Max(ir.In, x))
	b.Output("arg", b.Op(ir.OpArgmax, ir.Attr{Dir: ir.In}, x))
	b.Output("sum", b.Sum(ir.In, x))
	p, e := b.Program(), edges{src: 800, dst: 1}
	e.bipartite = true
	p.Bipartite = true
	for i := range int32(e.src) {
		e.from, e.to = append(e.from, i), append(e.to, 0)
	}
	for _, at := range []int{0, 89, 90, 400, 799} {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 5} {
			t.Run(fmt.Sprint(v, " at ", at), func(t *testing.T) {
				in := inputsOf(p, e.structure(), 3)
				for _, values := range in {
					values[at] = v
				}
				want, scale := interpret(t, p, e.structure(), in, 0)
				compare(t, p, e, runInParts[float64](t, p, e, in, 90, Options{Threads: 2}), want, 1e-12*scale)
			})
		}
	}
}

func TestTheRowOfAllEdgesOfALargeStarIsAHub(t *testing.T) {
	e := star(60_000)
	g := e.build(t)
	pl := plan.Build(typed(t, attention(1, 64, ir.In), ir.F32))
	x := Compile[float32](pl)
	for _, s := range x.steps {
		k := s.(*kernel[float32])
		if len(k.loops) == 0 {
			continue
		}
		rows := k.hubRows(g.In(), 0)
		if len(rows) != 2 {
			t.Fatalf("hubs are %v, want two", rows)
		}
		covered, want := 0, g.In().Degree(7)+g.In().Degree(9)
		for _, p := range k.hub.parts(g.In(), rows) {
			covered += p.end - p.begin
			if n := p.end - p.begin; n > k.hub.partEdges {
				t.Errorf("a part has %d edges, at most %d fit", n, k.hub.partEdges)
			}
		}
		if covered != want {
			t.Errorf("the parts cover %d edges, want %d", covered, want)
		}
	}
}
