package gnn_test

// GGNNConv with weights of edges; without, it goes through the table of layers.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// ggnnCase is a GGNNConv from 5 features on graphs of so many edge types; 0 is for one
// matrix for all edges.
type ggnnCase struct {
	name  string
	layer *gnn.GGNNConv
	types int
	naive naive
}

func ggnnCases(dt tensor.DType) []ggnnCase {
	r, opt := nn.NewRNG(1), gnn.WithDType(dt)
	one := gnn.NewGGNNConv(5, 6, 0, 2, r, opt)
	typed := gnn.NewGGNNConv(5, 5, 3, 2, r, opt, gnn.NoBias())
	stir(one)
	stir(typed)
	return []ggnnCase{
		{"one matrix", one, 0, naiveGGNN(one, 6, 2, func(*graph.Graph, int) int { return 0 })},
		{"three types", typed, 3, naiveGGNN(typed, 5, 2, func(_ *graph.Graph, e int) int { return typeOfEdge(e, 3) })},
	}
}

// settings are the graphs that the case takes.
func (c ggnnCase) settings(t testing.TB) []namedGraph {
	return layerCase{homogeneous: true, types: c.types}.settings(t)
}

func (c ggnnCase) on(g *graph.Graph) *graph.Graph { return layerCase{types: c.types}.on(g) }

func TestWeightedGGNNEqualsItsFormula(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 1e-5} {
		for _, c := range ggnnCases(dt) {
			for _, g := range c.settings(t) {
				x, w := autograd.Constant(randn(dt, 1, g.NumSrc(), 5)), weights(g.Graph, dt, true)
				want := make(matrix, g.NumDst())
				for v := range want {
					want[v] = c.naive(g.Graph, rowsOf(x), rowsOf(w), v)
				}
				near(t, c.name+", "+g.name, c.layer.ForwardWeighted(g.Graph, x, w).Tensor().Float64s(), want.flat(), tol)
			}
		}
	}
}

func TestGGNNTakesABatchOfNoGraphs(t *testing.T) {
	g, err := graph.New(2, []int32{0, 1}, []int32{1, 0}, graph.WithEdgeTypes([]int32{0, 2}, 3))
	if err != nil {
		t.Fatal(err)
	}
	d := &data.GraphDataset{
		Graphs: []*graph.Graph{g}, Features: data.DenseFeatures(tensor.Zeros(tensor.Float32, 2, 5)), Labels: []int32{0}, NumClasses: 1,
	}
	for _, c := range ggnnCases(tensor.Float32) {
		b := d.Batch(nil)
		if y := c.layer.Forward(b.Graph, autograd.Constant(b.Features)); y.Shape()[0] != 0 {
			t.Errorf("%s: the result has shape %v", c.name, y.Shape())
		}
	}
}

func TestWeightedGGNNGradientsEqualCentralDifferences(t *testing.T) {
	for i, c := range ggnnCases(tensor.Float64) {
		for j, g := range c.settings(t) {
			if testing.Short() && (i+j)%5 != 0 {
				continue
			}
			x, w := autograd.Variable(randn(tensor.Float64, 1, g.NumSrc(), 5)), weights(g.Graph, tensor.Float64, true)
			xs := append([]*autograd.Var{x, w}, nn.Parameters(c.layer)...)
			err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return c.layer.ForwardWeighted(g.Graph, x, w) }, xs)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, g.name, err)
			}
		}
	}
}

func TestGGNNWithoutWeightsHasWeightsOfOne(t *testing.T) {
	for _, c := range ggnnCases(tensor.Float64) {
		for _, g := range c.settings(t) {
			x := autograd.Constant(randn(tensor.Float64, 1, g.NumSrc(), 5))
			want := c.layer.Forward(g.Graph, x).Tensor().Float64s()
			ones := autograd.Constant(tensor.Ones(tensor.Float64, g.NumEdges()))
			near(t, c.name+", "+g.name, c.layer.ForwardWeighted(g.Graph, x, ones).Tensor().Float64s(), want, 1e-13)
			if !sameBits(c.layer.ForwardWeighted(g.Graph, x, nil).Tensor().Float64s(), want) {
				t.Errorf("%s, %s: nil weights give other bits than Forward", c.name, g.name)
			}
		}
	}
}

// One weight for all edges scales the matrices, an edge of weight 2 is two edges.
func TestWeightsOfGGNNScaleMessages(t *testing.T) {
	for _, c := range ggnnCases(tensor.Float64) {
		plain := messy(t)
		g := c.on(plain)
		x := autograd.Constant(randn(tensor.Float64, 1, 6, 5))
		threes := c.layer.ForwardWeighted(g, x, autograd.Constant(tensor.Full(tensor.Float64, 3, g.NumEdges()))).Tensor().Float64s()
		matrices := c.layer.Weight.Tensor()
		c.layer.Weight.SetTensor(tensor.Scale(matrices, 3))
		near(t, c.name+", matrices", threes, c.layer.Forward(g, x).Tensor().Float64s(), 1e-12)
		c.layer.Weight.SetTensor(matrices)

		w, types := make([]float64, g.NumEdges()), make([]int32, g.NumEdges())
		src, dst := append([]int32{}, g.Src()...), append([]int32{}, g.Dst()...)
		for e := range w {
			types[e] = int32(typeOfEdge(e, 3))
			if w[e] = 1; e%3 == 0 {
				w[e] = 2
				src, dst, types = append(src, src[e]), append(dst, dst[e]), append(types, types[e])
			}
		}
		twice, err := graph.New(6, src, dst, graph.WithEdgeTypes(types, 3))
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name+", edges", c.layer.ForwardWeighted(g, x, autograd.Constant(tensor.FromSlice(w, len(w)))).Tensor().Float64s(),
			c.layer.Forward(twice, x).Tensor().Float64s(), 1e-12)
	}
}

func TestWeightsAreTheOnlyEdgeTensorsOfGGNN(t *testing.T) {
	for _, c := range ggnnCases(tensor.Float32) {
		g := c.on(random(t, 30, 300))
		x, w := autograd.Variable(randn(tensor.Float32, 1, 30, 5)), weights(g, tensor.Float32, false)
		wantWeightsAsOnlyEdgeTensors(t, c.name, g, c.layer.CompiledWeighted(g, x, w))
	}
}

func TestWeightedGGNNGivesTheSameBitsOnAnyNumberOfThreads(t *testing.T) {
	for _, c := range ggnnCases(tensor.Float32) {
		g := c.on(random(t, 500, 6000))
		x, w := autograd.Variable(randn(tensor.Float32, 1, 500, 5)), weights(g, tensor.Float32, true)
		wantSameBitsOnThreads(t, c.name, x, w, func() *autograd.Var { return c.layer.ForwardWeighted(g, x, w) })
	}
}

func TestWeightsThatDoNotFitAreMisuseOfGGNN(t *testing.T) {
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5))
	for _, c := range ggnnCases(tensor.Float32) {
		g := c.on(messy(t)) // of 12 edges
		for want, w := range map[string]*tensor.Tensor{
			"gnn: GGNNConv: w has shape [11], the layer takes a weight for each of 12 edges, [12]":   tensor.Zeros(tensor.Float32, 11),
			"gnn: GGNNConv: w has shape [12 1], the layer takes a weight for each of 12 edges, [12]": tensor.Zeros(tensor.Float32, 12, 1),
			"gnn: GGNNConv: w holds f64, the layer's weights f32: convert w":                         tensor.Zeros(tensor.Float64, 12),
		} {
			forward := autograd.Try(func() { c.layer.ForwardWeighted(g, x, autograd.Constant(w)) })
			compiled := autograd.Try(func() { c.layer.CompiledWeighted(g, x, autograd.Constant(w)) })
			if !isMisuse(forward, want) || compiled == nil || forward.Error() != compiled.Error() {
				t.Errorf("%s: the errors are %v and %v, want %q", c.name, forward, compiled, want)
			}
		}
	}
}
