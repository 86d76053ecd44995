package gnn_test

// Weights of edges, against products with the dense matrix of the papers.

import (
	"fmt"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// weightedCase is a layer from 5 features that takes weights of edges.
type weightedCase struct {
	name        string
	layer       any
	forward     func(g *graph.Graph, x, w *autograd.Var) *autograd.Var
	compiled    func(g *graph.Graph, x, w *autograd.Var) *vc.Compiled
	unweighted  func(g *graph.Graph, x *autograd.Var) *autograd.Var
	dense       func(p matrix, x matrix) matrix // given the propagation
	loops       bool                            // of weight 1, in the propagation
	homogeneous bool

	matrix func(g *graph.Graph, w []float64) matrix // another propagation than that of GCNConv
}

// propagation is what dense is given.
func (c weightedCase) propagation(g *graph.Graph, w *autograd.Var) matrix {
	if c.matrix != nil {
		return c.matrix(g, vector(w))
	}
	return propagation(g, vector(w), c.loops)
}

func weightedCases(dt tensor.DType) []weightedCase {
	r, opt := nn.NewRNG(1), gnn.WithDType(dt)
	rows := func(x matrix, f func(v int) []float64) matrix {
		out := make(matrix, len(x))
		for v := range out {
			out[v] = f(v)
		}
		return out
	}
	var cases []weightedCase
	for _, norm := range []gnn.Norm{gnn.RenormLoops, gnn.BothDegrees} {
		l := gnn.NewGCNConvNorm(5, 6, norm, r, opt)
		cases = append(cases, weightedCase{
			name: fmt.Sprintf("gcn, norm %d", norm), layer: l, loops: norm == gnn.RenormLoops,
			forward: l.ForwardWeighted, compiled: l.CompiledWeighted, unweighted: l.Forward,
			dense: func(p, x matrix) matrix {
				h := product(p, x)
				return rows(h, func(v int) []float64 { return plus(times(h[v], l.Weight), vector(l.Bias)) })
			},
		})
	}
	sgc := gnn.NewSGConv(5, 6, 3, r, opt)
	cases = append(cases, weightedCase{
		name: "sgc", layer: sgc, loops: true, homogeneous: true,
		forward: sgc.ForwardWeighted, compiled: sgc.CompiledWeighted, unweighted: sgc.Forward,
		dense: func(p, x matrix) matrix {
			h := product(p, product(p, product(p, x)))
			return rows(h, func(v int) []float64 { return plus(times(h[v], sgc.Weight), vector(sgc.Bias)) })
		},
	})
	for _, dropout := range []float64{0, 0.5} { // which is off in evaluation
		appnp := gnn.NewAPPNP(gnn.APPNPConfig{Steps: 3, Alpha: 0.2, Dropout: dropout}, r)
		cases = append(cases, weightedCase{
			name: fmt.Sprintf("appnp, dropout %v", dropout), layer: appnp, loops: true, homogeneous: true,
			forward: appnp.ForwardWeighted, compiled: appnp.CompiledWeighted, unweighted: appnp.Forward,
			dense: func(p, x matrix) matrix {
				z := x
				for range 3 {
					h := product(p, z)
					z = rows(x, func(v int) []float64 { return plus(scaled(h[v], 0.8), scaled(x[v], 0.2)) })
				}
				return z
			},
		})
	}
	for i, name := range laplacians {
		lambda := []float64{2, 3, 160}[i] // the hub of a star has a degree of about 40
		l := gnn.NewChebConv(5, 6, 4, gnn.ChebConfig{Laplacian: gnn.Laplacian(i), LambdaMax: lambda}, r, opt)
		cases = append(cases, weightedCase{
			name: "cheb, " + name, layer: l, homogeneous: true,
			forward: l.ForwardWeighted, compiled: l.CompiledWeighted, unweighted: l.Forward,
			dense: func(p, x matrix) matrix {
				return rows(x, func(v int) []float64 { return chebRow(l, p, lambda, x, v) })
			},
			matrix: func(g *graph.Graph, w []float64) matrix {
				return rows(make(matrix, g.NumVertices()), func(v int) []float64 { return laplacian(g, w, name, v) })
			},
		})
	}
	for _, norm := range []bool{true, false} {
		l := gnn.NewTAGConv(5, 6, 3, gnn.TAGConfig{NoNorm: !norm}, r, opt)
		cases = append(cases, weightedCase{
			name: fmt.Sprintf("tag, norm %v", norm), layer: l, homogeneous: true,
			forward: l.ForwardWeighted, compiled: l.CompiledWeighted, unweighted: l.Forward,
			dense: func(p, x matrix) matrix {
				return rows(x, func(v int) []float64 { return tagRow(l, p, x, v) })
			},
			matrix: func(g *graph.Graph, w []float64) matrix { return symmetric(g, w, norm) },
		})
	}
	gcn2 := gnn.NewGCN2Conv(5, 0.1, 0.4, r, opt)
	return append(cases, weightedCase{
		name: "gcn2", layer: gcn2, loops: true,
		forward:    func(g *graph.Graph, x, w *autograd.Var) *autograd.Var { return gcn2.ForwardWeighted(g, x, x, w) },
		compiled:   func(g *graph.Graph, x, w *autograd.Var) *vc.Compiled { return gcn2.CompiledWeighted(g, x, x, w) },
		unweighted: func(g *graph.Graph, x *autograd.Var) *autograd.Var { return gcn2.Forward(g, x, x) },
		dense: func(p, x matrix) matrix {
			h := product(p, x)
			return rows(h, func(v int) []float64 {
				s := plus(scaled(h[v], 0.9), scaled(x[v], 0.1))
				return plus(scaled(s, 0.6), scaled(times(s, gcn2.Weight), 0.4))
			})
		},
	})
}

// product is a·b.
func product(a, b matrix) matrix {
	out := make(matrix, len(a))
	for i, row := range a {
		out[i] = make([]float64, 5)
		for k, c := range row {
			out[i] = plus(out[i], scaled(b[k], c))
		}
	}
	return out
}

// propagation is D^(-1/2) (A + loops) D^(-1/2) as a dense matrix, a row a destination.
func propagation(g *graph.Graph, w []float64, loops bool) matrix {
	p, in, out := make(matrix, g.NumDst()), make([]float64, g.NumDst()), make([]float64, g.NumSrc())
	for v := range p {
		p[v] = make([]float64, g.NumSrc())
		if loops {
			p[v][v], in[v] = 1, 1
		}
	}
	for u := range out {
		if loops {
			out[u] = 1
		}
	}
	for e, u := range g.Src() {
		v := g.Dst()[e]
		p[v][u] += w[e]
		in[v] += w[e]
		out[u] += w[e]
	}
	// With loops a source's degree is that of its in-edges, which on blocks it has not.
	source := out
	if loops && !g.IsBipartite() {
		source = in
	}
	root := func(d float64) float64 {
		if d <= 0 {
			return 0
		}
		return 1 / math.Sqrt(d)
	}
	for v, row := range p {
		for u := range row {
			switch {
			case u == v && loops: // the loop weighs by the in-degree, edges from v to v by both
				row[u] = root(in[v])*root(in[v]) + (row[u]-1)*root(source[u])*root(in[v])
			default:
				row[u] *= root(source[u]) * root(in[v])
			}
		}
	}
	return p
}

// weights are [E], positive unless signed.
func weights(g *graph.Graph, dt tensor.DType, signed bool) *autograd.Var {
	w := make([]float64, g.NumEdges())
	for e := range w {
		if w[e] = 0.1 + 2*rng.Uniform(9, uint64(e)); signed && e%4 == 0 {
			w[e] = -w[e]
		}
	}
	return autograd.Variable(tensor.FromSlice(w, len(w)).To(dt))
}

// settings are the graphs that a layer takes.
func (c weightedCase) settings(t testing.TB) []namedGraph {
	return layerCase{homogeneous: c.homogeneous}.settings(t)
}

func TestWeightedLayersEqualDenseProducts(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 2e-5} {
		for _, c := range weightedCases(dt) {
			stir(c.layer)
			nn.Eval(c.layer)
			for _, g := range c.settings(t) {
				x, w := autograd.Constant(randn(dt, 1, g.NumSrc(), 5)), weights(g.Graph, dt, false)
				want := c.dense(c.propagation(g.Graph, w), rowsOf(x))
				near(t, fmt.Sprintf("%s, %s, %v", c.name, g.name, dt), c.forward(g.Graph, x, w).Tensor().Float64s(), want.flat(), tol)
			}
		}
	}
}

// Weights below 0 may leave a vertex without a degree: nothing reaches it then, nor
// leaves it, and its gradients are numbers.
func TestDegreesThatAreNotPositiveCountAsNone(t *testing.T) {
	g := mustGraph(t, 4, []int32{0, 1, 2, 3, 0}, []int32{1, 2, 1, 0, 3})
	w := autograd.Variable(tensor.FromSlice([]float64{-3, 1, 1, -1, 0.5}, 5)) // d: 0, -1, 2, 1.5; without loops -1, -2, 1, 0.5
	for _, c := range weightedCases(tensor.Float64) {
		nn.Eval(c.layer)
		x := autograd.Variable(randn(tensor.Float64, 1, 4, 5))
		y := c.forward(g, x, w)
		near(t, c.name, y.Tensor().Float64s(), c.dense(c.propagation(g, w), rowsOf(x)).flat(), 1e-12)
		w.ZeroGrad()
		y.BackwardWith(randn(tensor.Float64, 2, y.Shape()...))
		for _, v := range append(w.Gradient().Float64s(), x.Gradient().Float64s()...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s: a gradient is %v", c.name, v)
			}
		}
	}
}

func TestWeightedGradientsEqualCentralDifferences(t *testing.T) {
	for i, c := range weightedCases(tensor.Float64) {
		stir(c.layer)
		nn.Eval(c.layer)
		for j, g := range c.settings(t) {
			if testing.Short() && (i+j)%5 != 0 {
				continue
			}
			x, w := autograd.Variable(randn(tensor.Float64, 1, g.NumSrc(), 5)), weights(g.Graph, tensor.Float64, false)
			xs := append([]*autograd.Var{x, w}, nn.Parameters(c.layer)...)
			err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return c.forward(g.Graph, x, w) }, xs)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, g.name, err)
			}
		}
	}
}

func TestWeightsOfOneAreNoWeights(t *testing.T) {
	for _, c := range weightedCases(tensor.Float64) {
		nn.Eval(c.layer)
		for _, g := range c.settings(t) {
			x := autograd.Constant(randn(tensor.Float64, 1, g.NumSrc(), 5))
			want := c.unweighted(g.Graph, x).Tensor().Float64s()
			near(t, c.name+", "+g.name, c.forward(g.Graph, x, autograd.Constant(tensor.Ones(tensor.Float64, g.NumEdges()))).Tensor().Float64s(), want, 1e-13)
			if !sameBits(c.forward(g.Graph, x, nil).Tensor().Float64s(), want) {
				t.Errorf("%s, %s: nil weights give other bits than Forward", c.name, g.name)
			}
		}
	}
}

// GCNNorm's weights of a graph with loops, applied as they are, are the layer's.
func TestWeightedGCNEqualsGCNNorm(t *testing.T) {
	g := random(t, 40, 300)
	w := weights(g, tensor.Float32, true)
	x := autograd.Constant(randn(tensor.Float32, 1, 40, 5))
	l := gnn.NewGCNConv(5, 6, nn.NewRNG(1), gnn.NoBias())
	looped, norm := data.GCNNorm(g, tensor.Data[float32](w.Tensor()))
	want := gnn.SpMMEdge(looped, x.MatMul(l.Weight), autograd.Constant(tensor.FromSlice(norm, len(norm))), gnn.OpMul, gnn.ReduceSum)
	near(t, "result", l.ForwardWeighted(g, x, w).Tensor().Float64s(), want.Tensor().Float64s(), 1e-5)
}

func TestModelsPassWeightsToTheirLayers(t *testing.T) {
	g, r := random(t, 20, 80), nn.NewRNG(1)
	x, w := autograd.Constant(randn(tensor.Float32, 1, 20, 5)), weights(g, tensor.Float32, false)
	for name, m := range map[string]interface {
		model
		ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var
	}{
		"gcn":   gnn.NewGCN(5, 8, 3, 0.5, r),
		"appnp": gnn.NewAPPNPNet(5, 8, 3, gnn.APPNPConfig{}, 0.5, r),
		"gcnii": gnn.NewGCNII(5, 8, 3, 2, gnn.GCNIIConfig{}, 0.5, r),
	} {
		nn.Eval(m)
		plain, weighted := m.Forward(g, x).Tensor().Float64s(), m.ForwardWeighted(g, x, w)
		if sameBits(plain, weighted.Tensor().Float64s()) {
			t.Errorf("%s: weights change nothing", name)
		}
		w.ZeroGrad()
		weighted.BackwardWith(randn(tensor.Float32, 2, 20, 3))
		for e, d := range w.Gradient().Float64s() {
			if d == 0 {
				t.Errorf("%s: edge %d has no gradient", name, e)
			}
		}
		near(t, name, m.ForwardWeighted(g, x, nil).Tensor().Float64s(), plain, 0)
	}
}

// wantWeightsAsOnlyEdgeTensors takes plans with weights of edges, "w", for g.
func wantWeightsAsOnlyEdgeTensors(t *testing.T, name string, g *graph.Graph, compiled *vc.Compiled) {
	t.Helper()
	for what, p := range map[string]*plan.Plan{"forward": compiled.Forward, "backward": compiled.Backward} {
		for _, b := range p.Buffers {
			// The weights are bound, and their gradient is asked for.
			asked := b.Role == plan.Input || b.Role == plan.Output && b.Name == "grad edge w"
			if b.Res == ir.Edge && (!asked || len(b.Shape) > 0) {
				t.Errorf("%s: %s holds the edge tensor %q:\n%s", name, what, b.Name, p.Report(sizes(g)))
			}
		}
	}
}

func TestWeightsAreTheOnlyEdgeTensors(t *testing.T) {
	for _, c := range weightedCases(tensor.Float32) {
		for _, g := range []namedGraph{{"random", random(t, 30, 300)}, someBlocks(t)[5]} {
			if g.IsBipartite() && c.homogeneous {
				continue
			}
			x := autograd.Variable(randn(tensor.Float32, 1, g.NumSrc(), 5))
			for _, w := range []*autograd.Var{weights(g.Graph, tensor.Float32, false), autograd.Constant(tensor.Ones(tensor.Float32, g.NumEdges()))} {
				wantWeightsAsOnlyEdgeTensors(t, c.name+", "+g.name, g.Graph, c.compiled(g.Graph, x, w))
			}
		}
	}
}

func TestWeightedLayersGiveTheSameBitsOnAnyNumberOfThreads(t *testing.T) {
	g := random(t, 500, 6000)
	for _, c := range weightedCases(tensor.Float32) {
		nn.Eval(c.layer)
		x, w := autograd.Variable(randn(tensor.Float32, 1, 500, 5)), weights(g, tensor.Float32, true)
		wantSameBitsOnThreads(t, c.name, x, w, func() *autograd.Var { return c.forward(g, x, w) })
	}
}

// wantSameBitsOnThreads computes a result of x and weights w, and their gradients.
func wantSameBitsOnThreads(t *testing.T, name string, x, w *autograd.Var, forward func() *autograd.Var) {
	t.Helper()
	t.Cleanup(func() { tensor.SetThreads(0) })
	var want []float64
	for _, threads := range []int{1, 2, 3} {
		tensor.SetThreads(threads)
		x.ZeroGrad()
		w.ZeroGrad()
		out := forward()
		out.BackwardWith(randn(tensor.Float32, 6, out.Shape()...))
		got := append(append(out.Tensor().Float64s(), x.Gradient().Float64s()...), w.Gradient().Float64s()...)
		if threads == 1 {
			want = got
		} else if !sameBits(got, want) {
			t.Errorf("%s: %d threads give other bits than one", name, threads)
		}
	}
}

func TestNaNOfAWeightReachesItsVertex(t *testing.T) {
	g := mustGraph(t, 4, []int32{0, 2, 3}, []int32{1, 3, 2}) // 0 to 1, and two apart
	w := autograd.Constant(tensor.FromSlice([]float64{math.NaN(), 1, 1}, 3))
	for _, c := range weightedCases(tensor.Float64) {
		nn.Eval(c.layer)
		y := rowsOf(c.forward(g, autograd.Constant(randn(tensor.Float64, 1, 4, 5)), w))
		if !math.IsNaN(y[1][0]) || math.IsNaN(y[2][0]) || math.IsNaN(y[3][0]) {
			t.Errorf("%s: a NaN of the edge from 0 to 1 gives %v", c.name, y)
		}
	}
}

// Dropped coefficients are 0 or twice as large, forwards and backwards.
func TestAPPNPDropsWeightedCoefficients(t *testing.T) {
	g := mustGraph(t, 2, []int32{0}, []int32{1})
	l := gnn.NewAPPNP(gnn.APPNPConfig{Steps: 1, Alpha: 0.5, Dropout: 0.5}, nn.NewRNG(3))
	x, w := autograd.Variable(tensor.FromSlice([]float64{8, 0}, 2, 1)), autograd.Variable(tensor.FromSlice([]float64{3}, 1))
	seen := map[float64]int{}
	for range 40 {
		x.ZeroGrad()
		y := l.ForwardWeighted(g, x, w)
		y.BackwardWith(tensor.FromSlice([]float64{0, 1}, 2, 1)) // of vertex 1, whose degree is 4
		got := y.Tensor().At(1, 0)
		if want := 8 * x.Gradient().At(0, 0); math.Abs(got-want) > 1e-12 {
			t.Fatalf("the result is %v, by its gradient %v", got, want)
		}
		seen[math.Round(got*1e9)/1e9]++
	}
	// (1-alpha) 3 (1 4)^(-1/2) 8 is 6.
	if len(seen) != 2 || seen[0] == 0 || seen[12] == 0 {
		t.Errorf("results are %v, want 0 and 12", seen)
	}
}

func TestWeightsThatDoNotFitAreMisuse(t *testing.T) {
	g := messy(t) // of 12 edges
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5))
	for _, c := range weightedCases(tensor.Float32) {
		nn.Eval(c.layer)
		for want, w := range map[string]*tensor.Tensor{
			"w has shape [11], the layer takes a weight for each of 12 edges, [12]":   tensor.Zeros(tensor.Float32, 11),
			"w has shape [12 1], the layer takes a weight for each of 12 edges, [12]": tensor.Zeros(tensor.Float32, 12, 1),
			"holds f64, ": tensor.Zeros(tensor.Float64, 12),
		} {
			forward := autograd.Try(func() { c.forward(g, x, autograd.Constant(w)) })
			compiled := autograd.Try(func() { c.compiled(g, x, autograd.Constant(w)) })
			if !isMisuse(forward, want) || compiled == nil || forward.Error() != compiled.Error() {
				t.Errorf("%s: the errors are %v and %v, want %q", c.name, forward, compiled, want)
			}
		}
	}
	for name, f := range map[string]func(){
		"GCNConv":  func() { (&gnn.GCNConv{}).ForwardWeighted(g, x, x) },
		"SGConv":   func() { (*gnn.SGConv)(nil).ForwardWeighted(g, x, x) },
		"ChebConv": func() { (&gnn.ChebConv{}).ForwardWeighted(g, x, x) },
		"TAGConv":  func() { (*gnn.TAGConv)(nil).ForwardWeighted(g, x, x) },
	} {
		if err := autograd.Try(f); !isMisuse(err, name+": the layer has no program") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
