package layerwise_test

// Tests of layer-wise inference.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/gnn/layerwise"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// messy has duplicate edges, self-loops and a vertex without edges.
func messy(t testing.TB) *graph.Graph {
	return mustGraph(t, 6,
		[]int32{3, 0, 2, 1, 0, 2, 2, 0, 1, 3, 0, 2},
		[]int32{0, 1, 0, 4, 1, 2, 1, 0, 0, 4, 2, 2})
}

func mustGraph(t testing.TB, n int, src, dst []int32) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random is a graph with edges drawn with replacement.
func random(t testing.TB, n, edges int) *graph.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	src, dst := make([]int32, edges), make([]int32, edges)
	for e := range edges {
		src[e], dst[e] = int32(r.IntN(n)), int32(r.IntN(n))
	}
	return mustGraph(t, n, src, dst)
}

// communities are vertices of three classes that their edges tell apart.
func communities(t testing.TB) *data.Dataset {
	t.Helper()
	d, err := data.SBM(data.SBMConfig{Sizes: []int{110, 100, 90}, PIn: 0.15, POut: 0.01, Features: 12, Noise: 1.5, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func randn(dt tensor.DType, seed uint64, shape ...int) *tensor.Tensor {
	return tensor.Randn(dt, seed, shape...)
}

// inferenceModels are models of two layers, once on the whole graph and once as
// layers of batches.
func inferenceModels(g *graph.Graph, in int) map[string]struct {
	whole  func(x *autograd.Var) *autograd.Var
	layers []layerwise.Layer
} {
	r, f64 := nn.NewRNG(1), gnn.WithDType(tensor.Float64)
	type forward interface {
		Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
	}
	two := func(a, b forward) (m struct {
		whole  func(x *autograd.Var) *autograd.Var
		layers []layerwise.Layer
	}) {
		m.whole = func(x *autograd.Var) *autograd.Var { return b.Forward(g, a.Forward(g, x).ReLU()) }
		m.layers = []layerwise.Layer{
			func(batch *data.Batch, x *autograd.Var) *autograd.Var {
				return a.Forward(batch.Blocks[0], x).ReLU()
			},
			func(batch *data.Batch, x *autograd.Var) *autograd.Var { return b.Forward(batch.Blocks[0], x) },
		}
		return m
	}
	models := map[string]struct {
		whole  func(x *autograd.Var) *autograd.Var
		layers []layerwise.Layer
	}{
		"sage mean":         two(gnn.NewSAGEConv(in, 5, gnn.SAGEConfig{}, r, f64), gnn.NewSAGEConv(5, 3, gnn.SAGEConfig{}, r, f64)),
		"sage max":          two(gnn.NewSAGEConv(in, 5, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r, f64), gnn.NewSAGEConv(5, 3, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r, f64)),
		"sage without root": two(gnn.NewSAGEConv(in, 5, gnn.SAGEConfig{}, r, f64, gnn.NoRoot()), gnn.NewSAGEConv(5, 3, gnn.SAGEConfig{}, r, f64, gnn.NoRoot())),
		"gat":               two(gnn.NewGATConv(in, 4, 2, gnn.GATConfig{}, r, f64), gnn.NewGATConv(8, 3, 1, gnn.GATConfig{}, r, f64)),
	}

	// GCN's weights of edges depend on the degrees of sources in the whole graph,
	// so they are features of edges.
	w := tensor.FromSlice(g.SymNorm(), g.NumEdges(), 1).To(tensor.Float64)
	weight := autograd.Constant(randn(tensor.Float64, 9, in, 4))
	sum := vc.Compile("weighted sum", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Feature("w").Mul(e.Src("z")))
	})
	gcn := models["gat"]
	gcn.whole = func(x *autograd.Var) *autograd.Var {
		return sum.Run(g, vc.VertexFeature("z", x.MatMul(weight)), vc.EdgeFeature("w", autograd.Constant(w)))
	}
	gcn.layers = []layerwise.Layer{func(b *data.Batch, x *autograd.Var) *autograd.Var {
		own := autograd.Constant(tensor.IndexSelect(w, b.Edges[0]))
		return sum.Run(b.Blocks[0], vc.SrcFeature("z", x.MatMul(weight)), vc.EdgeFeature("w", own))
	}}
	models["gcn"] = gcn
	return models
}

func TestInferenceEqualsAWholePass(t *testing.T) {
	star := make([]int32, 300)
	leaves := make([]int32, 300)
	for i := range leaves {
		leaves[i] = int32(i + 1)
	}
	for name, g := range map[string]*graph.Graph{
		"messy":       messy(t),
		"random":      random(t, 300, 2000),
		"star":        mustGraph(t, 301, leaves, star),
		"no edges":    mustGraph(t, 5, nil, nil),
		"no vertices": mustGraph(t, 0, nil, nil),
	} {
		for model, m := range inferenceModels(g, 6) {
			for _, size := range []int{0, 1, 7, 1000} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, model, size), func(t *testing.T) {
					x := randn(tensor.Float64, 3, g.NumVertices(), 6)
					want := m.whole(autograd.Constant(x)).Tensor()
					got, err := layerwise.Infer(t.Context(), g, data.DenseFeatures(x), layerwise.Config{BatchSize: size, Workers: 2}, m.layers...)
					if err != nil {
						t.Fatal(err)
					}
					if !got.Shape().Equal(want.Shape()) {
						t.Fatalf("shape %v, want %v", got.Shape(), want.Shape())
					}
					numtest.Near(t, "result", got.Float64s(), want.Float64s(), 1e-12)
				})
			}
		}
	}
}

// A layer meets a block also where there is nothing to compute: sources and destinations
// are two sides, with the types of the graph.
func TestALayerOfAGraphWithoutVerticesGetsABlock(t *testing.T) {
	typed, err := graph.New(0, nil, nil, graph.WithVertexTypes(nil, 2), graph.WithEdgeTypes(nil, 3))
	if err != nil {
		t.Fatal(err)
	}
	perRelation := vc.Compile("a matrix for each relation", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("x").MatMul(e.Type("W"))).Add(v.Type("b"))
	})
	for name, g := range map[string]*graph.Graph{"typed": typed, "untyped": mustGraph(t, 0, nil, nil)} {
		layer := func(b *data.Batch, x *autograd.Var) *autograd.Var {
			block := b.Blocks[0]
			if !block.IsBipartite() || block.NumEdgeTypes() != g.NumEdgeTypes() || block.NumSrcTypes() != g.NumSrcTypes() || block.NumDstTypes() != g.NumDstTypes() {
				t.Errorf("%s: block %v", name, block)
			}
			if name == "untyped" {
				return vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("x")) }).Run(block, vc.SrcFeature("x", x))
			}
			w, bias := autograd.Constant(randn(tensor.Float32, 1, 3, 2, 4)), autograd.Constant(randn(tensor.Float32, 2, 2, 4))
			return perRelation.Run(block, vc.SrcFeature("x", x), vc.EdgeTypeFeature("W", w), vc.DstTypeFeature("b", bias))
		}
		y, err := layerwise.Infer(t.Context(), g, data.DenseFeatures(randn(tensor.Float32, 1, 0, 2)), layerwise.Config{}, layer)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"typed": 4, "untyped": 2}[name]; y.Dim(0) != 0 || y.Dim(1) != want {
			t.Errorf("%s: a result of shape %v", name, y.Shape())
		}
	}
}

func TestInferenceTakesSparseFeaturesAndRecordsNothing(t *testing.T) {
	g := random(t, 50, 300)
	x := data.IdentityFeatures(50).To(tensor.Float64)
	m := inferenceModels(g, 50)["sage mean"]
	recorded := false
	layers := []layerwise.Layer{
		func(b *data.Batch, h *autograd.Var) *autograd.Var {
			if h.Sparse() == nil {
				t.Error("sparse features come dense")
			}
			y := m.layers[0](b, h)
			recorded = recorded || y.RequiresGrad()
			return y
		},
		m.layers[1],
	}
	got, err := layerwise.Infer(t.Context(), g, x, layerwise.Config{BatchSize: 9}, layers...)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Near(t, "result", got.Float64s(), m.whole(autograd.Input(x)).Tensor().Float64s(), 1e-12)
	if recorded {
		t.Error("a layer is recorded for a backward pass")
	}
}

func TestInferenceOfNoLayersIsACopyOfItsInput(t *testing.T) {
	x := randn(tensor.Float32, 1, 6, 2)
	got, err := layerwise.Infer(t.Context(), messy(t), data.DenseFeatures(x), layerwise.Config{})
	if err != nil || !numtest.SameBits(got.Float64s(), x.Float64s()) {
		t.Fatalf("%v, error %v", got, err)
	}
	before := x.Float64s()
	got.Fill(7)
	if !numtest.SameBits(x.Float64s(), before) {
		t.Error("the result is the caller's own tensor")
	}
}

// What is wrong is wrong, too, where there is no layer and no vertex.
func TestInferenceChecksWithoutBatches(t *testing.T) {
	block, err := graph.NewBipartite(6, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	none := data.DenseFeatures(randn(tensor.Float32, 1, 0, 2))
	x := data.DenseFeatures(randn(tensor.Float32, 1, 6, 2))
	same := func(_ *data.Batch, x *autograd.Var) *autograd.Var { return x }
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		g      *graph.Graph
		x      data.Features
		layers []layerwise.Layer
		want   string
	}{
		{"bipartite", t.Context(), block, x, nil, "bipartite"},
		{"rows", t.Context(), messy(t), data.IdentityFeatures(7), nil, "7 rows of features for 6 vertices"},
		{"cancelled without layers", cancelled, messy(t), x, nil, context.Canceled.Error()},
		{"cancelled without vertices", cancelled, mustGraph(t, 0, nil, nil), none, []layerwise.Layer{same}, context.Canceled.Error()},
	} {
		if _, err := layerwise.Infer(tt.ctx, tt.g, tt.x, layerwise.Config{}, tt.layers...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestInferenceReportsWhatIsWrong(t *testing.T) {
	g := messy(t)
	x := data.DenseFeatures(randn(tensor.Float32, 1, 6, 2))
	same := func(b *data.Batch, x *autograd.Var) *autograd.Var { return x.Slice(0, 0, b.Blocks[0].NumDst()) }
	block, err := graph.NewBipartite(6, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		g    *graph.Graph
		x    data.Features
		c    layerwise.Config
		want string
	}{
		{"bipartite", t.Context(), block, x, layerwise.Config{}, "bipartite"},
		{"rows", t.Context(), g, data.IdentityFeatures(7), layerwise.Config{}, "7 rows of features for 6 vertices"},
		{"size", t.Context(), g, x, layerwise.Config{BatchSize: -1}, "BatchSize is -1; want at least 1"},
		{"cancelled", cancelled, g, x, layerwise.Config{}, context.Canceled.Error()},
	} {
		if _, err := layerwise.Infer(tt.ctx, tt.g, tt.x, tt.c, same); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	for name, f := range map[string]func(){
		"no features": func() { layerwise.Infer(t.Context(), g, data.Features{}, layerwise.Config{}, same) },
		"no graph":    func() { layerwise.Infer(t.Context(), nil, x, layerwise.Config{}, same) },
		"no context": func() {
			var ctx context.Context
			layerwise.Infer(ctx, mustGraph(t, 0, nil, nil), data.DenseFeatures(randn(tensor.Float32, 1, 0, 2)), layerwise.Config{}, same)
		},
		"no layer": func() { layerwise.Infer(t.Context(), g, x, layerwise.Config{}, same, nil) },
		"rows of a result": func() {
			layerwise.Infer(t.Context(), g, x, layerwise.Config{BatchSize: 2}, func(_ *data.Batch, x *autograd.Var) *autograd.Var { return x })
		},
	} {
		var misuse *layerwise.Error
		if err := autograd.Try(f); !errors.As(err, &misuse) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestALayerWhoseResultIsNoMatrixIsNamedAtOnce(t *testing.T) {
	x := data.DenseFeatures(randn(tensor.Float32, 1, 6, 2))
	none := data.DenseFeatures(randn(tensor.Float32, 1, 0, 2))
	own := func(b *data.Batch, x *autograd.Var) *autograd.Var { return x.Slice(0, 0, b.Blocks[0].NumDst()) }
	for _, c := range []struct {
		name   string
		layer  layerwise.Layer
		shapes [2]string // of no vertices, of 2
	}{
		{"a number", func(b *data.Batch, x *autograd.Var) *autograd.Var { return own(b, x).Sum(1) }, [2]string{"[0]", "[2]"}},
		{"heads", func(b *data.Batch, x *autograd.Var) *autograd.Var { return own(b, x).Reshape(-1, 2, 1) }, [2]string{"[0 2 1]", "[2 2 1]"}},
	} {
		for i, at := range []struct {
			g *graph.Graph
			x data.Features
			n int
		}{{mustGraph(t, 0, nil, nil), none, 0}, {messy(t), x, 2}} {
			batches := 0
			layer := func(b *data.Batch, x *autograd.Var) *autograd.Var { batches++; return c.layer(b, x) }
			err := autograd.Try(func() {
				layerwise.Infer(t.Context(), at.g, at.x, layerwise.Config{BatchSize: 2}, own, layer, own)
			})
			want := fmt.Sprintf("layerwise: Infer: the result of layer 1 has shape %s, want a matrix with a row for each of %d destinations", c.shapes[i], at.n)
			var misuse *layerwise.Error
			if !errors.As(err, &misuse) || err.Error() != want || batches != 1 {
				t.Errorf("%s: after %d batches error %v, want %s", c.name, batches, err, want)
			}
		}
	}
}

// TestSAGETrainsOnBatches trains on sampled blocks and reports by layer-wise
// inference.
func TestSAGETrainsOnBatches(t *testing.T) {
	d := communities(t)
	r := nn.NewRNG(2)
	model := &struct{ Conv1, Conv2 *gnn.SAGEConv }{
		gnn.NewSAGEConv(d.Features.Cols(), 16, gnn.SAGEConfig{}, r),
		gnn.NewSAGEConv(16, d.NumClasses, gnn.SAGEConfig{}, r),
	}
	loader, err := data.NewNeighborLoader(d.Graph, d.Train, data.NeighborConfig{
		Loading: data.Loading{BatchSize: 20, Shuffle: true, Seed: 1, Features: d.Features},
		Fanout:  data.Fanout{Hops: []int{10, 5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(model), WeightDecay: 5e-4}}, optim.AdamConfig{LR: 0.01})
	for epoch := range 30 {
		for b, err := range loader.Epoch(t.Context(), epoch) {
			if err != nil {
				t.Fatal(err)
			}
			opt.ZeroGrad()
			h := model.Conv1.Forward(b.Blocks[0], autograd.Input(b.Features)).ReLU()
			nn.CrossEntropy(model.Conv2.Forward(b.Blocks[1], h), b.Labels(d.Labels), nil).Backward()
			opt.Step()
		}
	}
	logits, err := layerwise.Infer(t.Context(), d.Graph, d.Features, layerwise.Config{BatchSize: 50},
		func(b *data.Batch, x *autograd.Var) *autograd.Var { return model.Conv1.Forward(b.Blocks[0], x).ReLU() },
		func(b *data.Batch, x *autograd.Var) *autograd.Var { return model.Conv2.Forward(b.Blocks[0], x) })
	if err != nil {
		t.Fatal(err)
	}
	if accuracy := nn.Accuracy(autograd.Constant(logits), d.Labels, d.Test); accuracy < 0.95 {
		t.Errorf("accuracy %v on %d test vertices of 3 classes", accuracy, len(d.Test))
	} else {
		t.Logf("accuracy %v", accuracy)
	}
}

// TestInferenceHasNoTensorOfAllEdges holds the memory of tensors against a row for
// each edge. The pool may keep tens of megabytes of what is no longer needed.
func TestInferenceHasNoTensorOfAllEdges(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector keeps memory")
	}
	const n, edges, width = 20_000, 2_000_000, 64
	g := random(t, n, edges)
	x := data.DenseFeatures(randn(tensor.Float32, 1, n, width))
	mean := vc.Compile("mean", func(v vc.Vertex) vc.Value { return vc.Mean(v.InNeighbors().Feature("x")) })
	layer := func(b *data.Batch, x *autograd.Var) *autograd.Var {
		return mean.Run(b.Blocks[0], vc.SrcFeature("x", x))
	}
	runtime.GC()
	tensor.ResetPeakMemory()
	before := tensor.MemoryStats().Live
	if _, err := layerwise.Infer(t.Context(), g, x, layerwise.Config{BatchSize: 100, Workers: 2, Prefetch: 2}, layer, layer); err != nil {
		t.Fatal(err)
	}
	if grown := tensor.MemoryStats().Peak - before; grown > edges*width*4/4 {
		t.Errorf("%d bytes of tensors more while it runs; a row for each edge would be %d", grown, edges*width*4)
	} else {
		t.Logf("%d bytes of tensors more while it runs", grown)
	}
}
