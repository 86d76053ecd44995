package gnn_test

// What holds for every layer over types of vertices and edges.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestTypedLayersEqualPlainLoopsOnDegenerateGraphs(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-11, tensor.Float32: 1e-4} {
		for i, c := range typedCases(dt) {
			nn.SetTraining(c.layer, false)
			for j, g := range typedSettings(t) {
				if testing.Short() && (i+j)%3 != 0 {
					continue
				}
				x := autograd.Constant(randn(dt, 1, g.NumSrc(), 6))
				out := c.layer.Forward(g.Graph, x)
				if !out.Shape().Equal(tensor.Shape{g.NumDst(), c.out}) {
					t.Errorf("%s, %s: the result has shape %v", c.name, g.name, out.Shape())
					continue
				}
				var want []float64
				for v := range g.NumDst() {
					want = append(want, c.naive(g.Graph, rowsOf(x), nil, v)...)
				}
				near(t, fmt.Sprintf("%s, %s, %v", c.name, g.name, dt), out.Tensor().Float64s(), want, tol)
			}
		}
	}
}

func TestTypedLayerGradientsEqualCentralDifferences(t *testing.T) {
	for i, c := range typedCases(tensor.Float64) {
		nn.SetTraining(c.layer, false) // dropout draws a new mask at every call
		for _, g := range typedSettings(t) {
			if g.NumEdges() > 40 || testing.Short() && (g.name != "messy" || i%3 != 0) {
				continue
			}
			xs := append([]*autograd.Var{autograd.Variable(randn(tensor.Float64, 1, g.NumSrc(), 6))}, nn.Parameters(c.layer)...)
			err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return c.layer.Forward(g.Graph, xs[0]) }, xs,
				autograd.GradcheckTolerance(1e-5, 1e-6))
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, g.name, err)
			}
		}
	}
}

// typedBlockOf is the block of some vertices of a graph with types, with its types,
// and the vertices that its sources are.
func typedBlockOf(t *testing.T, g *graph.Graph, dst []int32) (block *graph.Graph, vertices []int32) {
	t.Helper()
	plain, vertices, edges := blockOf(t, g, dst)
	at := func(types, ids []int32) []int32 {
		out := make([]int32, len(ids))
		for i, id := range ids {
			out[i] = types[id]
		}
		return out
	}
	block, err := graph.NewBipartite(plain.NumSrc(), plain.NumDst(), plain.Src(), plain.Dst(),
		graph.WithEdgeTypes(at(g.EdgeTypes(), edges), g.NumEdgeTypes()),
		graph.WithSrcTypes(at(g.VertexTypes(), vertices), g.NumVertexTypes()),
		graph.WithDstTypes(at(g.VertexTypes(), dst), g.NumVertexTypes()))
	if err != nil {
		t.Fatal(err)
	}
	return block, vertices
}

func TestTypedLayersOnABlockEqualThemOnTheWholeGraph(t *testing.T) {
	g := ofTypes(t, random(t, 30, 120), numEdgeTypes, numVertexTypes)
	dst := []int32{7, 2, 29, 0, 11}
	block, sources := typedBlockOf(t, g, dst)
	x := autograd.Constant(randn(tensor.Float64, 1, 30, 6))
	for _, c := range typedCases(tensor.Float64) {
		if c.prev { // coefficients are of the edges of one graph
			continue
		}
		nn.SetTraining(c.layer, false)
		want := c.layer.Forward(g, x).IndexSelect(dst).Tensor().Float64s()
		near(t, c.name, c.layer.Forward(block, x.IndexSelect(sources)).Tensor().Float64s(), want, 1e-13)
	}
}

func TestTypedLayersHaveNoEdgeTensorsInTheirPlans(t *testing.T) {
	for _, c := range typedCases(tensor.Float32) {
		if c.prev { // whose coefficients are an edge tensor
			continue
		}
		for _, g := range []*graph.Graph{messy(t), random(t, 50, 100), random(t, 20, 900), someBlocks(t)[5].Graph} {
			g := ofTypes(t, g, numEdgeTypes, numVertexTypes)
			x := autograd.Variable(randn(tensor.Float32, 1, g.NumSrc(), 6))
			noEdgeTensors(t, c.name, g, c.layer.Compiled(g, x))
		}
	}
}

func TestNamesOfTypedLayersParametersAreStable(t *testing.T) {
	for _, c := range typedCases(tensor.Float32) {
		var names []string
		for _, p := range nn.NamedParameters(c.layer) {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, c.state) {
			t.Errorf("%s has %q, want %q", c.name, names, c.state)
		}
	}
}

// Dropout is part of training: it changes from call to call, and is off in
// evaluation; the same seed gives the same masks.
func TestDropoutOfTypedLayersFollowsTheMode(t *testing.T) {
	g := ofTypes(t, random(t, 20, 100), numEdgeTypes, numVertexTypes)
	x := autograd.Constant(randn(tensor.Float64, 1, 20, 6))
	f64 := gnn.WithDType(tensor.Float64)
	for name, layer := range map[string]func() typedLayer{
		"rgat": func() typedLayer {
			return gnn.NewRGATConv(6, 3, 2, numEdgeTypes, gnn.RGATConfig{AttnDropout: 0.5}, nn.NewRNG(4), f64)
		},
		"hgt": func() typedLayer {
			return gnn.NewHGTConv(6, 2, numVertexTypes, numEdgeTypes, gnn.HGTConfig{Dropout: 0.5}, nn.NewRNG(4), f64)
		},
		"simple hgn": func() typedLayer {
			l := gnn.NewSimpleHGNConv(6, 3, 2, numEdgeTypes, 2, gnn.SimpleHGNConfig{AttnDropout: 0.5}, nn.NewRNG(4), f64)
			return &simpleHGN{l, func(*graph.Graph) *autograd.Var { return nil }}
		},
	} {
		a, b := layer(), layer()
		out := func(l typedLayer) []float64 { return l.Forward(g, x).Tensor().Float64s() }
		first := out(a)
		a.Compiled(g, x) // looks only
		second := out(a)
		if slices.Equal(first, second) {
			t.Errorf("%s: two training passes have one mask", name)
		}
		if !sameBits(first, out(b)) || !sameBits(second, out(b)) {
			t.Errorf("%s: one seed gives two sequences of masks", name)
		}
		nn.SetTraining(a, false)
		if still := out(a); !sameBits(still, out(a)) || slices.Equal(still, first) {
			t.Errorf("%s: dropout is not off in evaluation", name)
		}
	}
}

// What ForwardAttention returns beside the result are coefficients that sum up to 1
// at each vertex with edges, mixed with those before; the result is Forward's.
func TestForwardAttentionReturnsTheCoefficients(t *testing.T) {
	const heads = 3
	g := ofTypes(t, messy(t), numEdgeTypes, numVertexTypes)
	x := autograd.Variable(randn(tensor.Float64, 1, 6, 5))
	l := gnn.NewSimpleHGNConv(5, 4, heads, numEdgeTypes, 2, gnn.SimpleHGNConfig{Beta: 0.25}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	sums := func(alpha *autograd.Var) []float64 {
		out := make([]float64, 6*heads)
		for e, row := range rowsOf(alpha) {
			for h, a := range row {
				out[int(g.Dst()[e])*heads+h] += a
			}
		}
		return out
	}
	var ones, none []float64 // per vertex and head; ones where there are edges
	for _, d := range g.InDegrees() {
		for range heads {
			ones, none = append(ones, float64(min(d, 1))), append(none, 0)
		}
	}
	h, alpha := l.ForwardAttention(g, x, nil)
	near(t, "sums", sums(alpha), ones, 1e-12)
	if !sameBits(h.Tensor().Float64s(), l.Forward(g, x, nil).Tensor().Float64s()) {
		t.Error("the result differs from Forward's")
	}
	h, mixed := l.ForwardAttention(g, x, alpha)
	near(t, "coefficients mixed with themselves", mixed.Tensor().Float64s(), alpha.Tensor().Float64s(), 1e-12)
	if !sameBits(h.Tensor().Float64s(), l.Forward(g, x, alpha).Tensor().Float64s()) {
		t.Error("the result of mixed coefficients differs from Forward's")
	}
	_, faded := l.ForwardAttention(g, x, autograd.Constant(tensor.Zeros(tensor.Float64, g.NumEdges(), heads)))
	near(t, "sums with zeros", sums(faded), scaled(ones, 0.75), 1e-12)
	if len(none) != len(ones) || slices.Equal(sums(alpha), none) {
		t.Error("no edge was looked at")
	}
	err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var {
		h, alpha := l.ForwardAttention(g, xs[0], xs[1])
		return autograd.Concat(1, h.IndexSelect([]int32{0, 1, 2, 4}), alpha.IndexSelect([]int32{0, 3, 5, 7}))
	}, []*autograd.Var{x, autograd.Variable(randn(tensor.Float64, 3, g.NumEdges(), heads)), l.Embedding, l.AttnEdge})
	if err != nil {
		t.Error(err)
	}
}

// An RGCNEmbedding is RGCNConv over one-hot features.
func TestRGCNEmbeddingEqualsRGCNConvOfOneHotFeatures(t *testing.T) {
	const out = 3
	f64 := gnn.WithDType(tensor.Float64)
	for name, cfg := range map[string]gnn.RGCNConfig{"free": {}, "bases": {Bases: 2}, "without self": {NoSelf: true}, "bases without self": {Bases: 3, NoSelf: true}} {
		for _, g := range typedSettings(t) {
			for _, all := range []bool{true, false} {
				n := g.NumSrc()
				var ids []int32
				if !all { // the graph has some of the vertices, in any order, and one twice
					n += 4
					ids = make([]int32, g.NumSrc())
					for i := range ids {
						ids[i] = int32((i*7 + 3) % n)
					}
				} else if n == 0 {
					continue
				}
				l := gnn.NewRGCNEmbedding(n, out, numEdgeTypes, cfg, nn.NewRNG(1), f64)
				stir(l)
				oneHot := tensor.Zeros(tensor.Float64, g.NumSrc(), n)
				for i := range g.NumSrc() {
					v := i
					if ids != nil {
						v = int(ids[i])
					}
					tensor.Data[float64](oneHot)[i*n+v] = 1
				}
				conv := gnn.NewRGCNConv(n, out, numEdgeTypes, cfg, nn.NewRNG(2), f64)
				conv.Coef, conv.Self, conv.Bias = l.Coef, l.Self, l.Bias
				if cfg.Bases > 0 {
					conv.Bases = l.Bases.Transpose(1, 0, 2)
				} else {
					conv.Weight = l.Weight.Transpose(1, 0, 2)
				}
				results := func(y *autograd.Var) []float64 {
					nn.ZeroGrad(l)
					y.BackwardWith(randn(tensor.Float64, 3, g.NumDst(), out))
					all := y.Tensor().Float64s()
					for _, p := range nn.Parameters(l) {
						all = append(all, p.Gradient().Float64s()...)
					}
					return all
				}
				what := fmt.Sprintf("%s, %s, all vertices %v", name, g.name, all)
				want := results(conv.Forward(g.Graph, autograd.Constant(oneHot)))
				near(t, what, results(l.Forward(g.Graph, ids)), want, 1e-12)
				noEdgeTensors(t, what, g.Graph, l.Compiled(g.Graph, ids))
			}
		}
	}
}
