package vcentric_test

// What holds for every program: the numbering of edges and vertices and the
// number of threads do not matter, NaN goes where it can reach.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// permutation of n numbers: new position -> old.
func permutation(seed uint64, n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		j := rng.Hash(seed, uint64(i)) % uint64(i+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// permuteRows gives row p[i] of x as row i.
func permuteRows(x []float64, p []int32) []float64 {
	if len(p) == 0 {
		return x
	}
	width := len(x) / len(p)
	out := make([]float64, 0, len(x))
	for _, r := range p {
		out = append(out, x[int(r)*width:][:width]...)
	}
	return out
}

// renumbered is g with vertices and edges in another order.
func renumbered(t *testing.T, g *graph.Graph, vertices, edges []int32) *graph.Graph {
	at := make([]int32, len(vertices)) // old -> new
	for i, v := range vertices {
		at[v] = int32(i)
	}
	src, dst := make([]int32, len(edges)), make([]int32, len(edges))
	for i, e := range edges {
		src[i], dst[i] = at[g.Src()[e]], at[g.Dst()[e]]
	}
	pick := func(types, order []int32) []int32 {
		out := make([]int32, len(order))
		for i, old := range order {
			out[i] = types[old]
		}
		return out
	}
	var types []graph.Option
	if g.NumEdgeTypes() > 0 {
		types = append(types, graph.WithEdgeTypes(pick(g.EdgeTypes(), edges), g.NumEdgeTypes()))
	}
	if g.NumVertexTypes() > 0 {
		types = append(types, graph.WithVertexTypes(pick(g.VertexTypes(), vertices), g.NumVertexTypes()))
	}
	h, err := graph.New(g.NumVertices(), src, dst, types...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestRenumberingVerticesAndEdgesRenumbersTheResult(t *testing.T) {
	for _, g := range []*graph.Graph{messy(t), hub(t, 9, 17, 120)} {
		renumber(t, g, layers)
		renumber(t, typed(t, g, 0), slices.Concat(layers, zooLayers(smallDims)))
	}
}

func renumber(t *testing.T, g *graph.Graph, layers []layer) {
	vertices, edges := permutation(1, g.NumVertices()), permutation(2, g.NumEdges())
	h := renumbered(t, g, vertices, edges)
	rows := func(x []float64, n int) []float64 {
		switch n {
		case g.NumVertices():
			return permuteRows(x, vertices)
		case g.NumEdges():
			return permuteRows(x, edges)
		}
		return x
	}
	for _, l := range layers {
		program := vc.Compile(l.name, l.vertex)
		xs := variables(g, tensor.Float64, l.ins)
		ys := make([]*autograd.Var, len(xs))
		for i, x := range xs {
			ys[i] = autograd.Variable(x.Tensor().Clone())
			if l.ins[i].ofElements() {
				copy(tensor.Data[float64](ys[i].Tensor()), rows(x.Tensor().Float64s(), x.Shape()[0]))
			}
		}
		a := program.Run(g, bindAll(l.ins, xs)...)
		b := program.Run(h, bindAll(l.ins, ys)...)
		n := a.Shape()[0]
		near(t, l.name, b.Tensor().Float64s(), rows(a.Tensor().Float64s(), n), 1e-12)
		c := randn(tensor.Float64, 3, a.Shape()...)
		a.BackwardWith(c)
		b.BackwardWith(tensor.FromSlice(rows(c.Float64s(), n), a.Shape()...))
		for i := range xs {
			want := xs[i].Gradient().Float64s()
			if l.ins[i].ofElements() {
				want = rows(want, xs[i].Shape()[0])
			}
			near(t, l.name+": grad "+l.ins[i].name, ys[i].Gradient().Float64s(), want, 1e-11)
		}
	}
}

// The number of threads does not change a bit of results and gradients, nor do
// other runs, also where one vertex has most of the edges.
func TestThreadsDoNotChangeABit(t *testing.T) {
	t.Cleanup(func() { tensor.SetThreads(0) })
	many := hub(t, 4, 3000, 20_000)
	graphs, typedLayers := []*graph.Graph{messy(t), many}, slices.Concat(layers, zooLayers(smallDims), zooLayers(goldenDims))
	if testing.Short() {
		graphs, typedLayers = []*graph.Graph{hub(t, 4, 300, 2000)}, zooLayers(smallDims)
	}
	for _, g := range graphs {
		sameOnThreads(t, g, slices.Concat(layers, dropouts))
		sameOnThreads(t, typed(t, g, 0), typedLayers)
	}
}

func sameOnThreads(t *testing.T, g *graph.Graph, layers []layer) {
	for _, l := range layers {
		program := vc.Compile(l.name, l.vertex)
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			xs := variables(g, dt, l.ins)
			var want results
			for _, threads := range []int{1, 2, 3} {
				tensor.SetThreads(threads)
				got := runBoth(program, g, l.ins, xs, vc.Training(1))
				if threads == 1 {
					want = got
				} else if !got.sameBits(want) {
					t.Errorf("%s, %v, %v: %d threads give another result than one", l.name, dt, g, threads)
				}
			}
		}
	}
}

// Seastar writes softmax as exp(x)/Sum(exp(x)); it is recognised and made
// stable: scores whose exponential is infinite in float32 work.
func TestSeastarsSoftmaxEqualsSoftmax(t *testing.T) {
	score := func(e vc.Edge) vc.Value { return e.Src("s").Add(e.Dst("s")) }
	weigh := func(alpha vc.Value, e vc.Edge) vc.Value { return vc.Sum(alpha.Mul(e.Feature("f"))) }
	softmax := map[bool]*vc.Program{ // of in-edges
		true:  vc.Compile("in", func(v vc.Vertex) vc.Value { return weigh(vc.Softmax(score(v.InEdges())), v.InEdges()) }),
		false: vc.Compile("out", func(v vc.Vertex) vc.Value { return weigh(vc.Softmax(score(v.OutEdges())), v.OutEdges()) }),
	}
	for _, c := range []struct {
		name string
		in   bool
		f    func(v vc.Vertex) vc.Value
	}{
		{"seastar", true, func(v vc.Vertex) vc.Value {
			x := score(v.InEdges()).Exp()
			return weigh(x.Div(vc.Sum(x)), v.InEdges())
		}},
		{"written twice", true, func(v vc.Vertex) vc.Value {
			return weigh(score(v.InEdges()).Exp().Div(vc.Sum(score(v.InEdges()).Exp())), v.InEdges())
		}},
		{"of out-edges", false, func(v vc.Vertex) vc.Value {
			x := score(v.OutEdges()).Exp()
			return weigh(x.Div(vc.Sum(x)), v.OutEdges())
		}},
	} {
		program := vc.Compile(c.name, c.f)
		for _, scale := range []float64{1, 1e4} {
			ins := []input{vertex("s", 3, 1), edge("f", 3, 2)}
			ins[0].fn = func(x float64) float64 { return x * scale }
			for _, g := range graphs(t, false) {
				for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
					xs := variables(g.Graph, dt, ins)
					got, want := runBoth(program, g.Graph, ins, xs), runBoth(softmax[c.in], g.Graph, ins, xs)
					if !got.sameBits(want) {
						t.Errorf("%s, %s, %v, scores of order %g: the two spellings differ", c.name, g.name, dt, scale)
					}
					for _, x := range append(got.out, got.grads[0]...) {
						if math.IsNaN(x) || math.IsInf(x, 0) {
							t.Fatalf("%s, %s, %v, scores of order %g: a result is %v", c.name, g.name, dt, scale, x)
						}
					}
				}
			}
		}
		g := messy(t)
		bindings := []vc.Binding{
			vc.VertexFeature("s", autograd.Constant(randn(tensor.Float32, 1, 6, 3, 1))),
			vc.EdgeFeature("f", autograd.Constant(randn(tensor.Float32, 1, g.NumEdges(), 3, 2))),
		}
		if fired := program.Compiled(g, bindings...).Fired; fired["softmax"] != 1 {
			t.Errorf("%s: rules that fired: %v; want the softmax rule once", c.name, fired)
		}
	}
}

// Normalisation by the degree of a vertex without edges is 1/0; an aggregate
// over its edges is 0 all the same.
func TestAggregatesOverNoEdgesAreZeroWhateverIsAggregated(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 1}, []int32{1, 1})
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"sum of what the vertex scales": func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("h").Mul(v.InDegree().Rsqrt()))
		},
		"sum of what the vertex divides": func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("h").Div(v.InDegree()))
		},
		"mean": func(v vc.Vertex) vc.Value { return vc.Mean(v.InNeighbors().Feature("h").Div(v.InDegree())) },
		"max":  func(v vc.Vertex) vc.Value { return vc.Max(v.InNeighbors().Feature("h").Div(v.InDegree())) },
		"min":  func(v vc.Vertex) vc.Value { return vc.Min(v.InNeighbors().Feature("h").Div(v.InDegree())) },
	} {
		for _, grad := range []bool{false, true} {
			h := autograd.Constant(tensor.Full(tensor.Float64, 3, 3, 2))
			h.SetRequiresGrad(grad)
			out := vc.Compile(name, f).Run(g, vc.VertexFeature("h", h)).Tensor().Float64s()
			for _, v := range []int{0, 2} {
				near(t, name, out[2*v:][:2], []float64{0, 0}, 0)
			}
		}
	}
}

// The gradient of such a factor is infinite where no edge reads it; what reads its operand elsewhere
// has a gradient all the same.
func TestGradientsOfWhatEdgesScaleAreFiniteWithoutEdges(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 1}, []int32{1, 1})
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"read by the vertex too": func(v vc.Vertex) vc.Value {
			z := v.Feature("h").Tanh()
			return vc.Sum(v.InNeighbors().Feature("h").Mul(z.Mul(v.InDegree().Rsqrt()))).Add(z)
		},
		"read by a product too": func(v vc.Vertex) vc.Value {
			z := v.Feature("h").MatMul(vc.Param("w"))
			return vc.Sum(v.InNeighbors().Feature("h").Mul(z.Div(v.InDegree()))).Add(z.Sigmoid())
		},
	} {
		h, w := autograd.Variable(randn(tensor.Float64, 1, 3, 2)), autograd.Variable(randn(tensor.Float64, 2, 2, 2))
		run := func(xs ...*autograd.Var) *autograd.Var {
			return vc.Compile(name, f).Run(g, vc.VertexFeature("h", xs[0]), vc.ParamValue("w", xs[1]))
		}
		if err := autograd.Gradcheck(run, []*autograd.Var{h, w}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNaNAndInfinityReachWhatTheyCanAndNoMore(t *testing.T) {
	g := mustGraph(t, 5, []int32{0, 1, 2, 0, 3}, []int32{1, 2, 2, 4, 3}) // NaN at 0 reaches 1 and 4
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"gcn": func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			return vc.Sum(u.Feature("h").Mul(u.OutDegree().Rsqrt())).Mul(v.InDegree().AddScalar(1).Rsqrt())
		},
		"gat": func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			return vc.Sum(vc.Softmax(u.Feature("h").SumLast().LeakyReLU(0.2)).Mul(u.Feature("h")))
		},
		"mean": func(v vc.Vertex) vc.Value { return vc.Mean(v.InNeighbors().Feature("h")) },
		"max":  func(v vc.Vertex) vc.Value { return vc.Max(v.InNeighbors().Feature("h")) },
		"min":  func(v vc.Vertex) vc.Value { return vc.Min(v.InNeighbors().Feature("h")) },
	} {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			for _, bad := range []float64{math.NaN(), math.Inf(1)} {
				x := randn(tensor.Float64, 1, 5, 9)
				for k := range 9 {
					tensor.Data[float64](x)[k] = bad
				}
				h := autograd.Variable(x.To(dt))
				out := vc.Compile(name, f).Run(g, vc.VertexFeature("h", h))
				for i, y := range out.Tensor().Float64s() {
					v := i / 9
					reached := v == 1 || v == 4
					if reached && math.IsNaN(bad) && !math.IsNaN(y) {
						t.Errorf("%s, %v: NaN does not reach vertex %d: %v", name, dt, v, y)
					}
					if reached && math.IsInf(bad, 0) && !math.IsNaN(y) && !math.IsInf(y, 0) {
						t.Errorf("%s, %v: an infinity does not reach vertex %d: %v", name, dt, v, y)
					}
					if !reached && (math.IsNaN(y) || math.IsInf(y, 0)) {
						t.Errorf("%s, %v: %v reaches vertex %d, which no edge leads to: %v", name, dt, bad, v, y)
					}
				}
				out.BackwardWith(randn(dt, 2, 5, 9))
				for i, y := range h.Gradient().Float64s() {
					if v := i / 9; v == 3 && math.IsNaN(y) {
						t.Errorf("%s, %v: %v reaches the gradient of vertex %d", name, dt, bad, v)
					}
				}
			}
		}
	}
}

// The same through products and aggregates by type, at degrees at which they are
// computed edge by edge and type by type.
func TestNaNAndInfinityReachWhatTheyCanThroughTypes(t *testing.T) {
	byType := layer{"by type", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.ByType(vc.ByMax, vc.BySum, e.Src("x").Mul(e.Type("a")))
	}, []input{vertex("x", 4), edgeType("a", 4)}}
	for _, repeat := range []int{1, 40} {
		var src, dst []int32
		for range repeat {
			src, dst = append(src, 0, 1, 2, 0, 3), append(dst, 1, 2, 2, 4, 3) // vertex 0 reaches 1 and 4
		}
		g := typed(t, mustGraph(t, 5, src, dst), 0)
		for _, l := range []layer{byType, zooLayerOf("rgcn_full").layer(smallDims), zooLayerOf("ggnn").layer(smallDims), zooLayerOf("typed_ends").layer(smallDims)} {
			for _, bad := range []float64{math.NaN(), math.Inf(1)} {
				xs := variables(g, tensor.Float64, l.ins)
				for k := range l.ins[0].row[0] {
					tensor.Data[float64](xs[0].Tensor())[k] = bad
				}
				got := runBoth(vc.Compile(l.name, l.vertex), g, l.ins, xs)
				width := len(got.out) / 5
				for i, y := range got.out {
					v := i / width
					reached := v == 1 || v == 4 || v == 0 && l.name != "by type" && l.name != "typed_ends" // its own feature
					if !reached && (math.IsNaN(y) || math.IsInf(y, 0)) {
						t.Errorf("%s, %d edges: %v reaches vertex %d: %v", l.name, g.NumEdges(), bad, v, y)
					}
					if reached && math.IsNaN(bad) && !math.IsNaN(y) {
						t.Errorf("%s, %d edges: NaN does not reach vertex %d: %v", l.name, g.NumEdges(), v, y)
					}
				}
				for i, y := range got.grads[0] {
					if i/l.ins[0].row[0] == 3 && math.IsNaN(y) {
						t.Errorf("%s, %d edges: %v reaches the gradient of vertex 3", l.name, g.NumEdges(), bad)
					}
				}
			}
		}
	}
}
