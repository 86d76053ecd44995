package gnn_test

// A training step holds nothing with an edge dimension: asserted on the plans'
// buffers, and on what the process really allocates.

import (
	"math"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	_ "github.com/asterias-ml/asterias/vcentric/cc"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func sizes(g *graph.Graph) plan.Sizes {
	return plan.Sizes{NumSrc: g.NumSrc(), NumDst: g.NumDst(), NumEdges: g.NumEdges()}
}

// noEdgeTensors fails if a plan of c has a buffer with a row per edge.
func noEdgeTensors(t *testing.T, what string, g *graph.Graph, c *vc.Compiled) {
	t.Helper()
	if c.Backward == nil {
		t.Fatalf("%s has no backward plan", what)
	}
	for name, p := range map[string]*plan.Plan{"forward": c.Forward, "backward": c.Backward} {
		for _, b := range p.Buffers {
			if b.Res == ir.Edge {
				t.Errorf("%s: %s holds the edge tensor %q:\n%s", what, name, b.Name, p.Report(sizes(g)))
				break
			}
		}
	}
}

// compiler is a layer that shows its plans.
type compiler interface {
	model
	Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled
}

// convs are the layers in their variants, from 5 features to 6 outputs.
func convs(dt tensor.DType) map[string]compiler {
	r := nn.NewRNG(1)
	opts := []gnn.Option{gnn.WithDType(dt)}
	return map[string]compiler{
		"gcn":                          gnn.NewGCNConv(5, 6, r, opts...),
		"gcn without bias":             gnn.NewGCNConv(5, 6, r, append(opts, gnn.NoBias())...),
		"gcn of both degrees":          gnn.NewGCNConvNorm(5, 6, gnn.BothDegrees, r, opts...),
		"gat of one head":              gnn.NewGATConv(5, 6, 1, gnn.GATConfig{}, r, opts...),
		"gat":                          gnn.NewGATConv(5, 2, 3, gnn.GATConfig{}, r, opts...),
		"gat of averaged heads":        gnn.NewGATConv(5, 6, 3, gnn.GATConfig{Mean: true}, r, opts...),
		"gat with dropout, slope 0.5":  gnn.NewGATConv(5, 2, 3, gnn.GATConfig{AttnDropout: 0.6, Slope: 0.5}, r, opts...),
		"gat without bias, heads wide": gnn.NewGATConv(5, 2, 3, gnn.GATConfig{}, r, append(opts, gnn.NoBias())...),
	}
}

func TestTrainingStepHasNoEdgeTensorInItsPlans(t *testing.T) {
	g := messy(t)
	for name, l := range convs(tensor.Float32) {
		x := autograd.Variable(randn(tensor.Float32, 1, 6, 5))
		noEdgeTensors(t, name, g, l.Compiled(g, x))
		nn.SetTraining(l, false)
		noEdgeTensors(t, name+", evaluating", g, l.Compiled(g, x.Detach()))
	}
	d := blocks(t)
	x := autograd.Constant(d.Features.Dense())
	gcn := gnn.NewGCN(12, 16, 3, 0.5, nn.NewRNG(1))
	noEdgeTensors(t, "GCN, layer 1", d.Graph, gcn.Conv1.Compiled(d.Graph, x))
	noEdgeTensors(t, "GCN, layer 2", d.Graph, gcn.Conv2.Compiled(d.Graph, autograd.Variable(randn(tensor.Float32, 1, 300, 16))))
	gat := gnn.NewGAT(12, 8, 8, 3, 1, 0.6, nn.NewRNG(1))
	noEdgeTensors(t, "GAT, layer 1", d.Graph, gat.Conv1.Compiled(d.Graph, x))
	noEdgeTensors(t, "GAT, layer 2", d.Graph, gat.Conv2.Compiled(d.Graph, autograd.Variable(randn(tensor.Float32, 1, 300, 64))))
}

// allocated is the number of bytes that f asks for once it has run before, of
// Go or of the pool of tensors' memory: the least of a few runs, because one may
// find a pool of workers' scratch empty, until four one after the other are about the least.
func allocated(f func()) int64 {
	f()
	settle()                                         // or the pool collects in every run, and workers' scratch is gone
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // keeps what is pooled
	return least(f)
}

// least is what allocated returns, where f has run, the pool has settled and nothing is collected.
func least(f func()) int64 {
	least := int64(math.MaxInt64)
	for n, alike := 0, 0; n < 15 && alike < 4; n++ {
		var before, after runtime.MemStats
		pool := tensor.MemoryStats()
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		now := tensor.MemoryStats()
		grown := now.Live + now.Pooled - pool.Live - pool.Pooled
		asked := int64(after.TotalAlloc-before.TotalAlloc) - grown + now.Allocated - pool.Allocated
		if alike++; asked < least-least/64 || asked > least+least/64 {
			alike = 0
		}
		least = min(least, asked)
	}
	return least
}

func TestTrainingStepAllocatesNothingThatGrowsWithTheEdges(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const vertices, edges = 100, 200_000
	one, two := random(t, vertices, edges), random(t, vertices, 2*edges)
	for name, l := range convs(tensor.Float32) {
		x := autograd.Variable(randn(tensor.Float32, 1, vertices, 5))
		step := func(g *graph.Graph) int64 {
			return allocated(func() {
				nn.ZeroGrad(l)
				x.ZeroGrad()
				out := l.Forward(g, x)
				out.BackwardWith(out.Tensor())
			})
		}
		got, double := step(one), step(two)
		t.Logf("%s: %d bytes in a step on %d edges, %d on twice as many", name, got, edges, double)
		// One number an edge is 4 bytes. A vertex with thousands of edges is cut into parts with
		// sums of their own: a fraction of a byte an edge.
		if got > edges || double > got+edges/2 {
			c := l.Compiled(one, x)
			t.Errorf("%s: a step allocates %d bytes on %d edges, %d on twice as many:\n%s%s", name, got, edges, double,
				c.Forward.Report(sizes(one)), c.Backward.Report(sizes(one)))
		}
	}
}

// The report is the truth: results and gradients have the bytes of their
// buffers, and a run allocates what the buffers that are not bound add up to.
func TestReportedBytesAreThoseAllocated(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const vertices, edges, heads, dim = 4000, 12_000, 4, 16
	g := random(t, vertices, edges)
	program := vc.Compile("gat", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		s := u.Feature("h").Dot(vc.Param("al")).Add(v.Feature("h").Dot(vc.Param("ar"))).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(s).Reshape(heads, 1).Mul(u.Feature("h")))
	})
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		h := autograd.Variable(randn(dt, 1, vertices, heads, dim))
		al, ar := autograd.Variable(randn(dt, 2, heads, dim)), autograd.Variable(randn(dt, 3, heads, dim))
		bindings := []vc.Binding{vc.VertexFeature("h", h), vc.ParamValue("al", al), vc.ParamValue("ar", ar)}
		c := program.Compiled(g, bindings...)
		sum := func(p *plan.Plan) int64 { return p.Peak(sizes(g)) }
		var out *autograd.Var
		forward := allocated(func() { out = program.Run(g, bindings...) })
		cotangent := randn(dt, 4, vertices, heads, dim)
		both := allocated(func() {
			for _, x := range []*autograd.Var{h, al, ar} {
				x.ZeroGrad()
			}
			out = program.Run(g, bindings...)
			out.BackwardWith(cotangent)
		})
		const slack = 128 << 10 // besides, the pool rounds up by 3 % at most
		if want := sum(c.Forward); forward < want || forward > want+want/32+slack {
			t.Errorf("%v: a run allocates %d bytes, the plan reports %d:\n%s", dt, forward, want, c.Forward.Report(sizes(g)))
		}
		// The tape may own a copy of the gradients it was given.
		if want := sum(c.Forward) + sum(c.Backward); both < want || both > want+want/32+h.Tensor().Bytes()+slack {
			t.Errorf("%v: a step allocates %d bytes, the plans report %d:\n%s", dt, both, want, c.Backward.Report(sizes(g)))
		}
		if got, want := c.Forward.Outputs[0].Bytes(sizes(g)), out.Tensor().Bytes(); got != want {
			t.Errorf("%v: the result has %d bytes, the plan reports %d", dt, want, got)
		}
		grads := map[string]*autograd.Var{"grad vertex h": h, "grad param al": al, "grad param ar": ar}
		for _, b := range c.Backward.Outputs {
			x := grads[b.Name]
			if x == nil {
				t.Errorf("%v: an output of backward is called %q", dt, b.Name)
			} else if got, want := b.Bytes(sizes(g)), x.Gradient().Bytes(); got != want {
				t.Errorf("%v: %s has %d bytes, the plan reports %d", dt, b.Name, want, got)
			}
		}
		if len(c.Backward.Outputs) != len(grads) {
			t.Errorf("%v: backward has %d outputs, want %d", dt, len(c.Backward.Outputs), len(grads))
		}
	}
}

// settle collects garbage until no tensor's memory is given back any more. A
// collection only queues what it found; the memory comes back a while after it, and
// what came back during a measurement would be taken off the result.
func settle() {
	for quiet, live := 0, int64(-1); quiet < 3; {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if now := tensor.MemoryStats().Live; now == live {
			quiet++
		} else {
			quiet, live = 0, now
		}
	}
}

// What Compiled.Peak predicts is what a run takes at its most.
func TestPredictedPeakIsTheMeasuredPeak(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const vertices, edges, heads, dim = 40_000, 90_000, 4, 16
	some, few := random(t, vertices, edges), random(t, vertices, vertices)
	x := autograd.Variable(randn(tensor.Float32, 1, vertices, heads, dim))
	al := autograd.Variable(randn(tensor.Float32, 2, heads, dim))
	w := autograd.Variable(randn(tensor.Float32, 3, heads*dim, 48))
	for _, c := range []struct {
		name  string
		g     *graph.Graph
		param *autograd.Var
		f     func(v vc.Vertex) vc.Value
	}{
		{"gat", some, al, func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			s := u.Feature("h").Dot(vc.Param("p")).Add(v.Feature("h").Dot(vc.Param("p"))).LeakyReLU(0.2)
			return vc.Sum(vc.Softmax(s).Reshape(heads, 1).Mul(u.Feature("h")))
		}},
		{"gcn", some, w, func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			h := u.Feature("h").Reshape(heads * dim).MatMul(vc.Param("p"))
			return vc.Sum(h.Mul(u.OutDegree().Maximum(vc.Number(1)).Rsqrt()))
		}},
		{"max", some, al, func(v vc.Vertex) vc.Value { return vc.Max(v.InNeighbors().Feature("h").Mul(vc.Param("p")).Tanh()) }},
		{"edge mlp", some, w, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			m := e.Src("h").Sub(e.Dst("h")).Reshape(heads * dim).ReLU().MatMul(vc.Param("p"))
			return vc.Max(m.ReLU())
		}},
		{"gat whose weights are saved", few, al, func(v vc.Vertex) vc.Value {
			score := func(v vc.Vertex) vc.Value { return v.Feature("h").Mul(vc.Param("p")).SumLast().SumLast() }
			u := v.InNeighbors()
			return vc.Sum(vc.Softmax(score(u).Add(score(v)).LeakyReLU(0.2)).Reshape(1, 1).Mul(u.Feature("h")))
		}},
	} {
		g, p := c.g, vc.Compile(c.name, c.f)
		bindings := []vc.Binding{vc.VertexFeature("h", x), vc.ParamValue("p", c.param)}
		compiled := p.Compiled(g, bindings...)
		if saves := compiled.Fired[pass.SaveEdgeValue] > 0; saves != (c.g == few) {
			t.Errorf("%s: that it saves numbers of edges is %t\n%v", c.name, saves, compiled.Forward)
		}
		forward, step := compiled.Peak(g)
		out := p.Run(g, bindings...)
		cotangent := autograd.Constant(randn(tensor.Float32, 4, out.Shape()...))
		for what, run := range map[string]struct {
			f    func()
			want int64
		}{
			"forward": {func() { p.Run(g, bindings...) }, forward},
			"step": {func() { // a gradient of x would be copied by the tape
				out := p.Run(g, bindings...)
				autograd.GradWith(out, cotangent, []*autograd.Var{c.param})
				runtime.KeepAlive(out)
			}, step},
		} {
			got := peakOf(run.f)
			t.Logf("%s, %s: measured %d, predicted %d, ratio %.3f", c.name, what, got, run.want, float64(got)/float64(run.want))
			if ratio := float64(got) / float64(run.want); !(ratio > 0.95 && ratio < 1.05) {
				t.Errorf("%s, %s: measured %d bytes, predicted %d:\n%s", c.name, what, got, run.want, compiled.Backward.Report(sizes(g)))
			}
		}
	}
}

// peakOf is how many bytes a run takes at its most.
func peakOf(run func()) int64 {
	run() // makes the workers' scratch
	settle()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	tensor.ResetPeakMemory()
	before := tensor.MemoryStats().Live
	run()
	return tensor.MemoryStats().Peak - before
}

// Native kernels copy what they read of neighbours side by side, too.
func TestPredictedPeakOfNativeProgramsIsTheMeasuredPeak(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler is installed")
	}
	g := random(t, 40_000, 90_000)
	var bindings []vc.Binding
	for i, name := range []string{"a", "b", "c"} {
		bindings = append(bindings, vc.VertexFeature(name, autograd.Constant(randn(tensor.Float32, uint64(i), 40_000, 1))))
	}
	p := vc.Compile("scores", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		s := e.Src("a").Mul(e.Dst("c")).Add(e.Src("b")).Tanh()
		return vc.Sum(vc.Softmax(s).Mul(e.Src("b")))
	}).Native("cc")
	compiled := p.Compiled(g, bindings...)
	if slices.ContainsFunc(compiled.Declined(), func(err error) bool { return err != nil }) {
		t.Fatal(compiled.Declined())
	}
	want, _ := compiled.Peak(g)
	got := peakOf(func() { p.Run(g, bindings...) })
	if ratio := float64(got) / float64(want); !(ratio > 0.95 && ratio < 1.05) {
		t.Errorf("measured %d bytes, predicted %d:\n%s", got, want, compiled.Forward.Report(sizes(g)))
	}
}
