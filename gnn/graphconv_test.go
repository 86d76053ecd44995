package gnn_test

// GraphConv with weights of edges; without, it goes through the tables of layers.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// graphConvCase is a GraphConv from 5 features on graphs of one kind, or from 5 to 7.
type graphConvCase struct {
	name     string
	layer    *gnn.GraphConv
	how      string
	dst      int
	forward  func(g *graph.Graph, xSrc, xDst, w *autograd.Var) *autograd.Var
	compiled func(g *graph.Graph, xSrc, xDst, w *autograd.Var) *vc.Compiled
}

func graphConvCases(dt tensor.DType) (cases []graphConvCase) {
	r := nn.NewRNG(1)
	for reduce, how := range reductions {
		one := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, gnn.WithDType(dt))
		pair := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, gnn.WithDType(dt), gnn.DstFeatures(7), gnn.NoBias())
		stir(one)
		stir(pair)
		alone := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, gnn.WithDType(dt), gnn.NoRoot())
		stir(alone)
		cases = append(cases, graphConvCase{
			name: how + " without root", layer: alone, how: how, dst: 5,
			forward:  func(g *graph.Graph, x, _, w *autograd.Var) *autograd.Var { return alone.ForwardWeighted(g, x, w) },
			compiled: func(g *graph.Graph, x, _, w *autograd.Var) *vc.Compiled { return alone.CompiledWeighted(g, x, w) },
		}, graphConvCase{
			name: how, layer: one, how: how, dst: 5,
			forward:  func(g *graph.Graph, x, _, w *autograd.Var) *autograd.Var { return one.ForwardWeighted(g, x, w) },
			compiled: func(g *graph.Graph, x, _, w *autograd.Var) *vc.Compiled { return one.CompiledWeighted(g, x, w) },
		}, graphConvCase{name: how + " to 7", layer: pair, how: how, dst: 7, forward: pair.ForwardPairWeighted, compiled: pair.CompiledPairWeighted})
	}
	return cases
}

// settings are the graphs that the case takes, and their features; those of destinations
// are no leaves of their own where they are sources' rows.
func (c graphConvCase) settings(t testing.TB, dt tensor.DType, each func(name string, g *graph.Graph, xSrc, xDst *autograd.Var)) {
	if c.dst == 5 {
		for _, g := range append(degenerate(t), someBlocks(t)...) {
			x := autograd.Variable(randn(dt, 1, g.NumSrc(), 5))
			each(g.name, g.Graph, x, nil)
		}
		return
	}
	for _, g := range relations(t) {
		each(g.name, g.Graph, autograd.Variable(randn(dt, 1, g.NumSrc(), 5)), autograd.Variable(randn(dt, 3, g.NumDst(), 7)))
	}
}

func TestWeightedGraphConvEqualsItsFormula(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 1e-5} {
		for _, c := range graphConvCases(dt) {
			naive := naiveGraphConv(c.layer, c.how)
			c.settings(t, dt, func(name string, g *graph.Graph, xSrc, xDst *autograd.Var) {
				w := weights(g, dt, true)
				own := xDst
				if own == nil {
					own = xSrc
				}
				want := make(matrix, g.NumDst())
				for v := range want {
					want[v] = naive(g, rowsOf(xSrc), rowsOf(own), rowsOf(w), v)
				}
				near(t, c.name+", "+name, c.forward(g, xSrc, xDst, w).Tensor().Float64s(), want.flat(), tol)
			})
		}
	}
}

func TestWeightedGraphConvGradientsEqualCentralDifferences(t *testing.T) {
	for i, c := range graphConvCases(tensor.Float64) {
		j := 0
		c.settings(t, tensor.Float64, func(name string, g *graph.Graph, xSrc, xDst *autograd.Var) {
			if j++; testing.Short() && (i+j)%5 != 0 {
				return
			}
			w := weights(g, tensor.Float64, true)
			xs := append([]*autograd.Var{xSrc, w}, nn.Parameters(c.layer)...)
			if xDst != nil {
				xs = append(xs, xDst)
			}
			if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return c.forward(g, xSrc, xDst, w) }, xs); err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
		})
	}
}

func TestGraphConvWithoutWeightsHasWeightsOfOne(t *testing.T) {
	for _, c := range graphConvCases(tensor.Float64) {
		c.settings(t, tensor.Float64, func(name string, g *graph.Graph, xSrc, xDst *autograd.Var) {
			want := c.forward(g, xSrc, xDst, nil).Tensor().Float64s()
			near(t, c.name+", "+name, c.forward(g, xSrc, xDst, autograd.Constant(tensor.Ones(tensor.Float64, g.NumEdges()))).Tensor().Float64s(), want, 1e-13)
		})
	}
}

func TestWeightedGraphConvTakesSparseFeaturesIfItSumsOrAverages(t *testing.T) {
	csr, err := tensor.NewSparse(6, 5, []int32{0, 1, 1, 3, 4, 6, 7}, []int32{4, 0, 2, 1, 3, 4, 0}, randn(tensor.Float64, 1, 7))
	if err != nil {
		t.Fatal(err)
	}
	g := messy(t)
	w := weights(g, tensor.Float64, true)
	sparse, dense := autograd.SparseConstant(csr), autograd.Constant(csr.ToDense())
	for _, c := range graphConvCases(tensor.Float64) {
		xDst := autograd.Constant(randn(tensor.Float64, 3, 6, 7))
		if !multiplied(c.how) {
			if err := autograd.Try(func() { c.forward(g, sparse, xDst, w) }); !isMisuse(err, "is sparse; the layer takes it dense") {
				t.Errorf("%s: sparse features give %v", c.name, err)
			}
			continue
		}
		results := func(x *autograd.Var) []float64 {
			nn.ZeroGrad(c.layer)
			w.ZeroGrad()
			y := c.forward(g, x, xDst, w)
			y.BackwardWith(randn(tensor.Float64, 5, 6, 6))
			all := append(y.Tensor().Float64s(), w.Gradient().Float64s()...)
			for _, p := range nn.Parameters(c.layer) {
				all = append(all, p.Gradient().Float64s()...)
			}
			return all
		}
		near(t, c.name, results(sparse), results(dense), 1e-12)
	}
}

func TestGraphConvOfMeansIsSAGEConv(t *testing.T) {
	l, sage := gnn.NewGraphConv(5, 6, gnn.ReduceMean, nn.NewRNG(1)), gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, nn.NewRNG(1))
	stir(l)
	sage.WeightSelf, sage.WeightNeigh, sage.Bias = l.WeightSelf, l.WeightNeigh, l.Bias
	g := random(t, 40, 300)
	x := autograd.Constant(randn(tensor.Float32, 1, 40, 5))
	near(t, "result", l.Forward(g, x).Tensor().Float64s(), sage.Forward(g, x).Tensor().Float64s(), 1e-6)
}

func TestWeightsAreTheOnlyEdgeTensorsOfGraphConv(t *testing.T) {
	for _, c := range graphConvCases(tensor.Float32) {
		g := random(t, 30, 300)
		xSrc, xDst := autograd.Variable(randn(tensor.Float32, 1, 30, 5)), autograd.Variable(randn(tensor.Float32, 3, 30, 7))
		w := weights(g, tensor.Float32, false)
		wantWeightsAsOnlyEdgeTensors(t, c.name, g, c.compiled(g, xSrc, xDst, w))
	}
}

func TestWeightsThatDoNotFitAreMisuseOfGraphConv(t *testing.T) {
	g := messy(t) // of 12 edges
	xSrc, xDst := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5)), autograd.Constant(tensor.Zeros(tensor.Float32, 6, 7))
	for _, c := range graphConvCases(tensor.Float32) {
		for want, w := range map[string]*tensor.Tensor{
			"gnn: GraphConv: w has shape [11], the layer takes a weight for each of 12 edges, [12]":   tensor.Zeros(tensor.Float32, 11),
			"gnn: GraphConv: w has shape [12 1], the layer takes a weight for each of 12 edges, [12]": tensor.Zeros(tensor.Float32, 12, 1),
			"gnn: GraphConv: w holds f64, the layer's weights f32: convert w":                         tensor.Zeros(tensor.Float64, 12),
		} {
			forward := autograd.Try(func() { c.forward(g, xSrc, xDst, autograd.Constant(w)) })
			compiled := autograd.Try(func() { c.compiled(g, xSrc, xDst, autograd.Constant(w)) })
			if !isMisuse(forward, want) || compiled == nil || forward.Error() != compiled.Error() {
				t.Errorf("%s: the errors are %v and %v, want %q", c.name, forward, compiled, want)
			}
		}
	}
}
