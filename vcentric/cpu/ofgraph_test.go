package cpu

// Values of the graph: whether it keeps them. That results are the same is for the tests of all
// programs, which run them both ways.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// byDegrees is Σ_u x_u/√d_u, times 1/√d_v.
const byDegrees = `program p f32 {
	%0:src f32[16] = input name="x"
	%1:src f32[] = degree dir=out res=src
	%2:param f32[] = const num=1
	%3:src f32[] = maxof %1 %2
	%4:src f32[] = rsqrt %3
	%5:edge f32[16] = at %0 res=edge
	%6:edge f32[16] = mul %5 %4
	%7:dst f32[16] = sum %6 dir=in
	%8:dst f32[] = degree dir=in res=dst
	%9:dst f32[] = maxof %8 %2
	%10:dst f32[] = rsqrt %9
	%11:dst f32[16] = mul %7 %10
	output "out" %11
}`

// regular is a graph of so many vertices with an edge to each from those before it.
func regular(t *testing.T, vertices, degree int) *graph.Graph {
	t.Helper()
	var src, dst []int32
	for v := range vertices {
		for i := range degree {
			src, dst = append(src, int32((v+vertices-1-i)%vertices)), append(dst, int32(v))
		}
	}
	g, err := graph.New(vertices, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestAGraphThatIsWalkedOftenKeepsWhatComesOfItsDegrees(t *testing.T) {
	pl := plan.Build(mustParse(byDegrees))
	x := Compile[float32](pl)
	temp := -1
	for i, b := range pl.Buffers {
		if b.Role == plan.Temp {
			temp = i
		}
	}
	for _, c := range []struct {
		what            string
		vertices        int
		degree          int
		values, atEdges bool // whether they are kept
	}{
		{"many edges", plan.KeepEdges / 16, 16, true, true},
		{"few edges", plan.KeepEdges/16 - 1, 16, false, false},
		{"few edges a row", plan.KeepEdges / 4, 4, true, false},
	} {
		g := regular(t, c.vertices, c.degree)
		var kept *float32
		for n := range localPatience + 2 {
			mem := &Memory[float32]{Floats: make([][]float32, len(pl.Buffers))}
			for i, b := range pl.Buffers {
				mem.Floats[i] = make([]float32, c.vertices*b.Width())
			}
			own := &mem.Floats[temp][0]
			var now *float32
			x.Run(g, mem, Options{Threads: 2, Timed: func(int, time.Duration) { now = &mem.Floats[temp][0] }})
			if own != &mem.Floats[temp][0] {
				t.Fatalf("%s, run %d: the caller's memory has a list of the graph's", c.what, n+1)
			}
			if (now == kept) != (c.values && n > localPatience) {
				t.Errorf("%s, run %d: the values of vertices are those of the last run: %v", c.what, n+1, now == kept)
			} else {
				kept = now
			}
		}
		k := x.kernels[len(x.kernels)-1]
		r := &run[float32]{prog: x, g: g, often: true}
		lists := k.keptOfGraph(r, g.In())
		if (lists != nil) != c.values {
			t.Fatalf("%s: %d lists", c.what, len(lists))
		}
		for n, list := range lists {
			if want := c.atEdges || !k.ofGraph[n].atEdges; (list != nil) != want {
				t.Errorf("%s: %s is kept: %v", c.what, k.ofGraph[n].text, !want)
			}
		}
	}
}

func TestResultsAreTheSameOnceAGraphKeepsValues(t *testing.T) {
	const vertices = 4000
	e := random("large", rand.New(rng.NewStream(81)), vertices, vertices, plan.KeepEdges, false)
	for i := range 20_000 { // a hub, whose edges come in parts
		e.from, e.to = append(e.from, int32(i%vertices)), append(e.to, 7)
	}
	g := e.build(t)
	pl := plan.Build(mustParse(byDegrees))
	x := Compile[float32](pl)
	var first []float32
	for n := range localPatience + 2 {
		mem := &Memory[float32]{Floats: make([][]float32, len(pl.Buffers))}
		for i, b := range pl.Buffers {
			mem.Floats[i] = make([]float32, vertices*b.Width())
			if b.Role == plan.Input {
				for k := range mem.Floats[i] {
					mem.Floats[i][k] = float32(k%31) - 15
				}
			}
		}
		x.Run(g, mem, Options{Threads: 2})
		out := mem.Floats[pl.Outputs[0].Index]
		if first == nil {
			first = out
		}
		if !slices.Equal(out, first) {
			t.Fatalf("run %d has other results than the first one", n+1)
		}
	}
}

func TestAGraphKeepsAFewValuesAndTheRestIsComputed(t *testing.T) {
	g := regular(t, plan.KeepEdges/16, 16)
	for n := range 2 * mostKept {
		constant := fmt.Sprintf("num=%v", 1+float64(n)/64)
		x := Compile[float32](plan.Build(mustParse(strings.ReplaceAll(byDegrees, "num=1", constant))))
		r := &run[float32]{prog: x, g: g, often: true}
		for range 2 { // once more, nothing is new
			lists := 0
			for _, k := range x.kernels {
				lists += len(k.keptOfGraph(r, g.In()))
			}
			if want := n < mostKept/2; (lists > 0) != want { // two values a program
				t.Fatalf("program %d has %d lists", n, lists)
			}
		}
	}
}

// TestThePlanListsWhatSumsKeepAtEdges compares the report's list with what kernels ask for.
func TestThePlanListsWhatSumsKeepAtEdges(t *testing.T) {
	programs := map[string]*ir.Program{"by degrees": mustParse(byDegrees), "gcn": mustParse(gcnText), "factors of features": factors(16, ir.In, false)}
	for name, p := range programs {
		pl := plan.Build(p)
		n := 0
		for _, k := range Compile[float32](plan.Build(typed(t, p, ir.F32))).kernels {
			for _, o := range k.ofGraph {
				if o.atEdges {
					n++
				}
			}
		}
		if listed := len(pl.KeptAtEdges()); listed != n {
			t.Errorf("%s: %d are listed, kernels ask for %d", name, listed, n)
		}
		if name == "by degrees" && n != 1 {
			t.Errorf("%d values at edges, want 1", n)
		}
	}
}
