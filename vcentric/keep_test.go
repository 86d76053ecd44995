package vcentric_test

// Attention on graphs of few edges a vertex: training keeps its scores' gradients.

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// sparseStar has a loop for most vertices and an edge from and to vertex 0, some of
// them twice; some vertices have no edge. Its edges come in no order.
func sparseStar(t testing.TB, n int) *graph.Graph {
	t.Helper()
	var src, dst []int32
	for i := range int32(n) {
		switch v := (i * 7) % int32(n); v % 4 {
		case 0:
			src, dst = append(src, v, 0, 0), append(dst, v, v, v)
		case 1:
			src, dst = append(src, v, v), append(dst, 0, v)
		case 2:
			src, dst = append(src, 0), append(dst, v)
		}
	}
	return mustGraph(t, n, src, dst)
}

func scores(v vc.Vertex) vc.Value {
	e := v.InEdges()
	return vc.Softmax(e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2)).Mul(e.Src("h"))
}

func keptScores(c *vc.Compiled) (n int) {
	for _, d := range c.Backward.Decisions {
		if d.Rule == plan.KeepEdgeValue && d.Taken {
			n++
		}
	}
	return n
}

func TestAttentionOfFewEdgesAVertexKeepsANumberForEachEdge(t *testing.T) {
	p := vc.Compile("gat", func(v vc.Vertex) vc.Value { return vc.Sum(scores(v)) })
	few, many := sparseStar(t, 400), hub(t, 3, 100, 2000)
	var src, dst []int32
	for v := range int32(50) {
		src, dst = append(src, v), append(dst, (v+7)%50)
	}
	ring := mustGraph(t, 50, src, dst)
	bind := func(g *graph.Graph, columns int, constant ...string) []vc.Binding {
		ins := []input{vertex("h", 1, columns), vertex("el", 1, 1), vertex("er", 1, 1)}
		xs := variables(g, tensor.Float32, ins)
		for i, in := range ins {
			if slices.Contains(constant, in.name) {
				xs[i] = autograd.Constant(xs[i].Tensor())
			}
		}
		return bindAll(ins, xs)
	}
	for _, c := range []struct {
		name     string
		compiled *vc.Compiled
		kept     int
		saved    int // by forward
	}{
		{"few edges", p.Compiled(few, bind(few, 32)...), 1, 0},
		{"an edge", p.Compiled(ring, bind(ring, 16)...), 1, 0},
		{"an edge, narrow rows", p.Compiled(ring, bind(ring, 15)...), 0, 0}, // of which sums cost less
		{"many edges", p.Compiled(many, bind(many, 32)...), 0, 0},
		{"few, but none wants the sources' scores", p.Compiled(few, bind(few, 32, "el")...), 0, 0},
		{"few, but none wants the destinations' scores", p.Compiled(few, bind(few, 32, "er")...), 0, 0},
		{"many, without the sums", p.Without("dot-out-of-sum").Compiled(many, bind(many, 32)...), 1, 0},
		{"few, turned off", p.Without(plan.KeepEdgeValue).Compiled(few, bind(few, 32)...), 0, 0},
		{"few, wide rows", p.Compiled(few, bind(few, 64)...), 2, 2}, // the products, too
		{"few, wide rows, nothing saved", p.Without(pass.SaveEdgeValue).Compiled(few, bind(few, 64)...), 2, 0},
		{"many, wide rows", p.Compiled(many, bind(many, 300)...), 0, 0},
		{"few, wide rows, but none wants the sources' scores", p.Compiled(few, bind(few, 64, "el")...), 0, 0},
		{"few, wide rows, but none wants the destinations' scores", p.Compiled(few, bind(few, 64, "er")...), 0, 0},
		{"few, wide rows, turned off", p.Without(plan.KeepEdgeValue).Compiled(few, bind(few, 64)...), 0, 0},
	} {
		if n := keptScores(c.compiled); n != c.kept {
			t.Errorf("%s: %d values kept, want %d\n%v", c.name, n, c.kept, c.compiled.Backward)
		}
		columns, saved := 0, 0 // of rows that the forward pass saves, and of edges
		for _, b := range c.compiled.Forward.Buffers {
			switch {
			case b.Role == plan.Saved && b.Res.IsVertex():
				columns += b.Width()
			case b.Role == plan.Saved && b.Res == ir.Edge:
				saved += b.Width()
				if rows, ok := c.compiled.Forward.Home(b); !ok || rows != ir.Dst {
					t.Errorf("%s: %q does not lie in the order of in-edges", c.name, b.Name)
				}
			}
		}
		if saved != c.saved || c.compiled.Fired[pass.SaveEdgeValue] != saved {
			t.Errorf("%s: %d numbers of an edge are saved, want %d; the rule fired %d times\n%v", c.name, saved, c.saved, c.compiled.Fired[pass.SaveEdgeValue], c.compiled.Forward)
		}
		if c.kept > 0 && columns >= 32 {
			t.Errorf("%s: %d columns are saved besides\n%v", c.name, columns, c.compiled.Forward)
		}
		gathers := 0 // of wide rows
		for _, s := range c.compiled.Backward.Steps {
			for _, l := range s.(*plan.Kernel).Loops {
				if slices.ContainsFunc(l.Edge, func(v *ir.Value) bool { return v.Op == ir.OpReduceTo }) {
					gathers++
				}
			}
		}
		if gathers > 1 && !strings.Contains(c.name, "turned off") {
			t.Errorf("%s: %d loops gather rows for products, want one at most\n%v", c.name, gathers, c.compiled.Backward)
		}
	}
}

func TestKeptScoresGiveTheGradientsOfTheInterpreter(t *testing.T) {
	native := []string{""}
	if _, err := exec.LookPath("cc"); err == nil {
		native = append(native, "cc")
	}
	program := func(heads, columns int) *vc.Program {
		return vc.Compile("gat", func(v vc.Vertex) vc.Value { return vc.Sum(scores(v)).Reshape(heads * columns) })
	}
	for _, shape := range [][2]int{{1, 40}, {2, 40}, {1, 64}, {3, 50}} {
		heads, columns := shape[0], shape[1]
		ins := []input{vertex("h", heads, columns), vertex("el", heads, 1), vertex("er", heads, 1)}
		for _, n := range []int{4, 60, 5000} {
			if n > 60 && testing.Short() {
				continue
			}
			g := sparseStar(t, n)
			for _, off := range [][]string{nil, {"dot-out-of-sum"}, {plan.KeepEdgeValue}, {pass.SaveEdgeValue}} {
				for _, compiler := range native {
					xs := variables(g, tensor.Float64, ins)
					p := program(heads, columns).Without(off...)
					if compiler != "" {
						p = p.Native(compiler)
					}
					c := p.Compiled(g, bindAll(ins, xs)...)
					want := interpretGradients(t, c.Traced, g, ins, xs)
					got := runBoth(p, g, ins, xs)
					near(t, "result", got.out, want.out, 1e-12)
					for i, in := range ins {
						near(t, "gradient of "+in.name, got.grads[i], want.grads[i], 1e-11)
					}
					kept := 1
					if columns > 48 { // the products, too
						kept = 2
					}
					if slices.Contains(off, plan.KeepEdgeValue) {
						kept = 0
					}
					if n := keptScores(c); n != kept {
						t.Errorf("%d vertices, %d heads of %d columns, without %v: %d values kept, want %d\n%v", n, heads, columns, off, n, kept, c.Backward)
					}
				}
			}
		}
	}
}

// A layer's gradient has the mask of the forward pass, whether weights are saved before it and after.
func TestSavedScoresAreThoseThatDropoutLeaves(t *testing.T) {
	program := vc.Compile("gat", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		weight := vc.Softmax(e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2)).Dropout(0.4)
		return vc.Sum(weight.Mul(e.Src("h")))
	})
	ins := []input{vertex("h", 2, 50), vertex("el", 2, 1), vertex("er", 2, 1)}
	g := sparseStar(t, 3000)
	gradients := func(p *vc.Program) (results, *vc.Compiled) {
		xs := variables(g, tensor.Float64, ins)
		training := vc.Training(7)
		return runBoth(p, g, ins, xs, training), p.Compiled(g, append(bindAll(ins, xs), training)...)
	}
	got, c := gradients(program)
	want, recomputed := gradients(program.Without(pass.SaveEdgeValue))
	if c.Fired[pass.SaveEdgeValue] == 0 || recomputed.Fired[pass.SaveEdgeValue] > 0 {
		t.Errorf("%d values saved, and %d without the rule", c.Fired[pass.SaveEdgeValue], recomputed.Fired[pass.SaveEdgeValue])
	}
	near(t, "result", got.out, want.out, 1e-12)
	for i, in := range ins {
		near(t, "gradient of "+in.name, got.grads[i], want.grads[i], 1e-11)
	}
}

// Layers of the zoo on a graph of few edges have the same gradients whether forward saves numbers of
// its edges or backward computes them again.
func TestZooHasTheSameGradientsWhereEdgesAreSaved(t *testing.T) {
	few := dims{in: 20, hidden: 20, out: 64, heads: 2, dim: 64, edge: 4, blocks: 4, bases: 3}
	g := typed(t, sparseStar(t, 500), 0)
	saving := 0
	for _, z := range zoo {
		ins := z.ins(few)
		xs := variables(g, tensor.Float64, ins)
		p := vc.Compile(z.name, z.vertex(few))
		if p.Compiled(g, bindAll(ins, xs)...).Fired[pass.SaveEdgeValue] == 0 {
			continue
		}
		saving++
		got, want := runBoth(p, g, ins, xs), runBoth(p.Without(pass.SaveEdgeValue), g, ins, xs)
		near(t, z.name, got.out, want.out, 1e-11)
		for i, in := range ins {
			near(t, z.name+": gradient of "+in.name, got.grads[i], want.grads[i], 1e-10)
		}
	}
	if saving < 4 {
		t.Errorf("%d layers save numbers of edges, want 4 at least", saving)
	}
}

// The result has the same bits on any number of threads; so have gradients that go
// through what is kept.
func TestKeptScoresHaveTheSameBitsOnAnyNumberOfThreads(t *testing.T) {
	defer tensor.SetThreads(tensor.Threads())
	g := sparseStar(t, 60_000)
	p := vc.Compile("gat", func(v vc.Vertex) vc.Value { return vc.Sum(scores(v)) })
	for columns, kept := range map[int]int{32: 1, 64: 2} { // and with the products what forward saves
		ins := []input{vertex("h", 1, columns), vertex("el", 1, 1), vertex("er", 1, 1)}
		xs := variables(g, tensor.Float32, ins)
		if n := keptScores(p.Compiled(g, bindAll(ins, xs)...)); n != kept {
			t.Errorf("%d columns: %d values kept, want %d", columns, n, kept)
		}
		tensor.SetThreads(1)
		want := runBoth(p, g, ins, xs)
		for _, threads := range []int{2, 5} {
			tensor.SetThreads(threads)
			if !runBoth(p, g, ins, xs).sameBits(want) {
				t.Errorf("%d columns: %d threads give other bits than one", columns, threads)
			}
		}
	}
}
