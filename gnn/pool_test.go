package gnn_test

// Readout and pooling: golden vectors, each graph by itself in plain loops,
// gradients, degenerate batches, misuse.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// A readout of a batch, and the same of one graph's vertices in float64.
type readoutCase struct {
	layer any // nil: it has no parameters
	apply func(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var
	naive func(x matrix) []float64
}

const poolIn = 4 // features of a vertex

func readoutCases(dt tensor.DType) map[string]readoutCase {
	r, with := nn.NewRNG(3), gnn.WithDType(dt)
	gated, att := gnn.NewGatedReadout(poolIn, 3, r, with), gnn.NewAttentionReadout(poolIn, r, with)
	set := gnn.NewSet2Set(poolIn, 3, r, with)
	cases := map[string]readoutCase{
		"gated":     {gated, gated.Forward, func(x matrix) []float64 { return naiveGated(gated, x) }},
		"attention": {att, att.Forward, func(x matrix) []float64 { return naiveAttention(att, x) }},
		"set2set":   {set, set.Forward, func(x matrix) []float64 { return naiveSet2Set(set, x, 3) }},
	}
	for how, reduce := range map[string]gnn.Reduce{"sum": gnn.ReduceSum, "mean": gnn.ReduceMean, "max": gnn.ReduceMax, "min": gnn.ReduceMin} {
		cases[how] = readoutCase{nil, func(b *graph.BatchInfo, x *autograd.Var) *autograd.Var { return gnn.Readout(b, x, reduce) },
			func(x matrix) []float64 { return reduced(how, poolIn, x) }}
	}
	return cases
}

func naiveGated(l *gnn.GatedReadout, x matrix) []float64 {
	sum := make([]float64, 3)
	for _, row := range x {
		gate, value := mapped(affine(row, l.Gate), sigmoid), mapped(affine(row, l.Value), math.Tanh)
		for k := range sum {
			sum[k] += gate[k] * value[k]
		}
	}
	return mapped(sum, math.Tanh)
}

// weighted is the mean of rows by the softmax of scores.
func weighted(x matrix, score func(row []float64) float64) []float64 {
	sum, total := make([]float64, poolIn), 0.0
	for _, row := range x {
		w := math.Exp(score(row))
		sum, total = plus(sum, scaled(row, w)), total+w
	}
	if total == 0 {
		return sum
	}
	return scaled(sum, 1/total)
}

func naiveAttention(l *gnn.AttentionReadout, x matrix) []float64 {
	return weighted(x, func(row []float64) float64 { return affine(row, l.Gate)[0] })
}

func naiveSet2Set(l *gnn.Set2Set, x matrix, steps int) []float64 {
	ih, hh := rowsOf(l.Cell.WeightIH), rowsOf(l.Cell.WeightHH)
	bi, bh := vector(l.Cell.BiasIH), vector(l.Cell.BiasHH)
	asked, h, c := make([]float64, 2*poolIn), make([]float64, poolIn), make([]float64, poolIn)
	for range steps {
		pre := make([]float64, 4*poolIn)
		for k := range pre {
			pre[k] = inner(ih[k], asked) + bi[k] + inner(hh[k], h) + bh[k]
		}
		h = slices.Clone(h)
		for k := range c {
			gate := func(i int) float64 { return pre[i*poolIn+k] }
			c[k] = sigmoid(gate(1))*c[k] + sigmoid(gate(0))*math.Tanh(gate(2))
			h[k] = sigmoid(gate(3)) * math.Tanh(c[k])
		}
		asked = joined(h, weighted(x, func(row []float64) float64 { return inner(row, h) }))
	}
	return asked
}

// batched is a batch of random graphs of the given numbers of vertices.
func batched(t testing.TB, sizes ...int) (*graph.Graph, *graph.BatchInfo) {
	t.Helper()
	var gs []*graph.Graph
	for i, n := range sizes {
		var src, dst []int32
		for e := range 2 * n {
			src = append(src, int32(rng.Hash(uint64(i), uint64(2*e))%uint64(n)))
			dst = append(dst, int32(rng.Hash(uint64(i), uint64(2*e+1))%uint64(n)))
		}
		gs = append(gs, mustGraph(t, n, src, dst))
	}
	g, info, err := graph.Batch(gs...)
	if err != nil {
		t.Fatal(err)
	}
	return g, info
}

// batchSizes are batches with and without empty graphs, and of no graphs.
var batchSizes = [][]int{{}, {0}, {1}, {0, 0}, {3, 1, 5}, {0, 4, 0, 0, 1, 7, 0}, {40, 2}, {100}}

func TestReadoutsEqualEachGraphByItself(t *testing.T) {
	for _, sizes := range batchSizes {
		g, batch := batched(t, sizes...)
		x := autograd.Constant(randn(tensor.Float64, 1, g.NumVertices(), poolIn))
		for name, c := range readoutCases(tensor.Float64) {
			out := c.apply(batch, x)
			if out.Shape()[0] != len(sizes) {
				t.Fatalf("%s: %d rows of %v", name, out.Shape()[0], sizes)
			}
			for i, row := range rowsOf(out) {
				part := rowsOf(x)[batch.VertexOffsets[i]:batch.VertexOffsets[i+1]]
				near(t, name, row, c.naive(part), 1e-12)
			}
		}
	}
}

func TestReadoutGradientsEqualCentralDifferences(t *testing.T) {
	g, batch := batched(t, 3, 0, 1, 4)
	for name, c := range readoutCases(tensor.Float64) {
		xs := []*autograd.Var{autograd.Variable(randn(tensor.Float64, 5, g.NumVertices(), poolIn))}
		if c.layer != nil {
			xs = append(xs, nn.Parameters(c.layer)...)
		}
		if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return c.apply(batch, xs[0]) }, xs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The golden segments are not in order: the rows are sorted by segment first.
func TestReadoutEqualsGolden(t *testing.T) {
	golden.Check(t, "segment_readout", func(c *golden.Case) *autograd.Var {
		types := shared.Golden(t, "segment_readout")["vtype"].Int32s()
		rows := make([]int32, len(types))
		for i := range rows {
			rows[i] = int32(i)
		}
		slices.SortStableFunc(rows, func(a, b int32) int { return int(types[a] - types[b]) })
		batch := &graph.BatchInfo{VertexOffsets: make([]int32, 4)}
		for _, v := range rows {
			batch.GraphOf = append(batch.GraphOf, types[v])
			for i := types[v]; i < 3; i++ {
				batch.VertexOffsets[i+1]++
			}
		}
		x := c.In["x"].IndexSelect(rows)
		return autograd.Concat(1, gnn.Readout(batch, x, gnn.ReduceSum), gnn.Readout(batch, x, gnn.ReduceMean), gnn.Readout(batch, x, gnn.ReduceMax))
	})
}

func TestAttentionOverLargeScoresIsFinite(t *testing.T) {
	g, batch := batched(t, 6, 3)
	x := autograd.Constant(tensor.Scale(randn(tensor.Float32, 5, g.NumVertices(), poolIn), 1e4))
	for name, c := range readoutCases(tensor.Float32) {
		for _, v := range c.apply(batch, x).Tensor().Float64s() {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %v", name, v)
			}
		}
	}
}

// naiveTopK are the vertices of one graph that stay.
func naiveTopK(y []float64, k int) (kept []int32) {
	for v := range y {
		before := 0
		for u := range y {
			if y[u] > y[v] || y[u] == y[v] && u < v {
				before++
			}
		}
		if before < k {
			kept = append(kept, int32(v))
		}
	}
	return kept
}

func TestTopKPoolKeepsTheBestOfEachGraph(t *testing.T) {
	for _, sizes := range batchSizes {
		for _, ratio := range []float64{0.07, 0.1, 0.5, 0.7, 1} {
			g, batch := batched(t, sizes...)
			x := autograd.Constant(randn(tensor.Float64, 1, g.NumVertices(), poolIn))
			l := gnn.NewTopKPool(poolIn, ratio, nn.NewRNG(2), gnn.WithDType(tensor.Float64))
			p := l.Forward(g, batch, x)
			w := vector(l.Weight)
			var want matrix
			var kept []int32
			parts, err := graph.Unbatch(p.Graph, p.Batch)
			if err != nil {
				t.Fatal(err)
			}
			for i := range sizes {
				part := rowsOf(x)[batch.VertexOffsets[i]:batch.VertexOffsets[i+1]]
				var y []float64
				for _, row := range part {
					y = append(y, inner(row, w)/math.Sqrt(inner(w, w)))
				}
				best := naiveTopK(y, int(math.Ceil(ratio*float64(len(y))-1e-9)))
				if parts[i].NumVertices() != len(best) {
					t.Fatalf("graph %d of %v keeps %d vertices, want %d", i, sizes, parts[i].NumVertices(), len(best))
				}
				for _, v := range best {
					kept = append(kept, v+batch.VertexOffsets[i])
					want = append(want, scaled(part[v], sigmoid(y[v])))
				}
			}
			if !slices.Equal(p.Vertices, kept) {
				t.Fatalf("%v, ratio %v: kept %v, want %v", sizes, ratio, p.Vertices, kept)
			}
			near(t, "features", rowsOf(p.X).flat(), want.flat(), 1e-13)
			checkInduced(t, g, p)
		}
	}
}

// checkInduced reports where a pooled graph is not the one its vertices induce.
func checkInduced(t *testing.T, g *graph.Graph, p gnn.Pooled) {
	t.Helper()
	place := map[int32]int32{}
	for i, v := range p.Vertices {
		place[v] = int32(i)
	}
	e := 0
	for old, u := range g.Src() {
		a, ok := place[u]
		b, also := place[g.Dst()[old]]
		if !ok || !also {
			continue
		}
		if e >= len(p.Edges) || p.Edges[e] != int32(old) || p.Graph.Src()[e] != a || p.Graph.Dst()[e] != b {
			t.Fatalf("edge %d is not the old edge %d", e, old)
		}
		e++
	}
	if e != p.Graph.NumEdges() || e != len(p.Edges) {
		t.Fatalf("%d edges, want %d", p.Graph.NumEdges(), e)
	}
	for v, i := range p.Batch.GraphOf {
		if int32(v) < p.Batch.VertexOffsets[i] || int32(v) >= p.Batch.VertexOffsets[i+1] {
			t.Errorf("vertex %d is not of graph %d", v, i)
		}
	}
}

func TestTopKPoolBreaksTiesByTheFirstVertexAndKeepsNaN(t *testing.T) {
	g, batch := batched(t, 5)
	l := gnn.NewTopKPool(1, 0.4, nn.NewRNG(2), gnn.WithDType(tensor.Float64))
	l.Weight.Tensor().Fill(2)
	for _, c := range []struct{ x, kept []float64 }{
		{[]float64{1, 1, 1, 1, 1}, []float64{0, 1}},
		{[]float64{0, 3, math.Copysign(0, -1), 0, 3}, []float64{1, 4}},
		{[]float64{-2, -1, -2, -2, -3}, []float64{0, 1}},
		{[]float64{math.Inf(1), 2, 3, math.NaN(), 4}, []float64{0, 3}},
	} {
		p := l.Forward(g, batch, autograd.Constant(tensor.FromSlice(c.x, 5, 1)))
		if len(p.Vertices) != 2 || float64(p.Vertices[0]) != c.kept[0] || float64(p.Vertices[1]) != c.kept[1] {
			t.Errorf("of %v the vertices %v are kept, want %v", c.x, p.Vertices, c.kept)
		}
	}
}

func TestTopKPoolGradientsEqualCentralDifferences(t *testing.T) {
	g, batch := batched(t, 5, 0, 6)
	l := gnn.NewTopKPool(poolIn, 0.5, nn.NewRNG(2), gnn.WithDType(tensor.Float64))
	x := autograd.Variable(randn(tensor.Float64, 1, g.NumVertices(), poolIn))
	pool := func(xs ...*autograd.Var) *autograd.Var { return l.Forward(g, batch, xs[0]).X }
	if err := autograd.Gradcheck(pool, []*autograd.Var{x, l.Weight}); err != nil {
		t.Error(err)
	}
	unpool := func(xs ...*autograd.Var) *autograd.Var {
		p := l.Forward(g, batch, xs[0])
		return p.Unpool(p.X, g.NumVertices())
	}
	if err := autograd.Gradcheck(unpool, []*autograd.Var{x, l.Weight}); err != nil {
		t.Error(err)
	}
	p := l.Forward(g, batch, x)
	full, small := rowsOf(p.Unpool(p.X, g.NumVertices())), rowsOf(p.X)
	for i, v := range p.Vertices {
		near(t, "unpooled", full[v], small[i], 0)
	}
}

// The scores are those of the convolution, so what is kept and its gates are
// computed here from them.
func TestSAGPoolKeepsWhatItsConvolutionScoresBest(t *testing.T) {
	scores := map[string]gnn.SourceConv{
		"GCN":       gnn.NewGCNConv(poolIn, 1, nn.NewRNG(2), gnn.WithDType(tensor.Float64)),
		"GraphConv": gnn.NewGraphConv(poolIn, 1, gnn.ReduceSum, nn.NewRNG(2), gnn.WithDType(tensor.Float64)),
		"GAT":       gnn.NewGATConv(poolIn, 1, 1, gnn.GATConfig{}, nn.NewRNG(2), gnn.WithDType(tensor.Float64)),
	}
	for name, score := range scores {
		for _, sizes := range batchSizes {
			for _, ratio := range []float64{0.1, 0.5, 1} {
				g, batch := batched(t, sizes...)
				x := autograd.Constant(randn(tensor.Float64, 1, g.NumVertices(), poolIn))
				p := gnn.NewSAGPool(score, ratio).Forward(g, batch, x)
				z := vector(score.Forward(g, x))
				var want matrix
				var kept []int32
				for i := range sizes {
					from, to := batch.VertexOffsets[i], batch.VertexOffsets[i+1]
					for _, v := range naiveTopK(z[from:to], int(math.Ceil(ratio*float64(to-from)-1e-9))) {
						kept = append(kept, from+v)
						want = append(want, scaled(rowsOf(x)[from+v], math.Tanh(z[from+v])))
					}
				}
				if !slices.Equal(p.Vertices, kept) {
					t.Fatalf("%s, %v, ratio %v: kept %v, want %v", name, sizes, ratio, p.Vertices, kept)
				}
				near(t, name, rowsOf(p.X).flat(), want.flat(), 1e-13)
				checkInduced(t, g, p)
			}
		}
	}
}

// SAGPooling of PyG 2.8.1 with GraphConv: lin_rel's and lin_root's weights and lin_rel's
// bias as below, select.weight 1.
func TestSAGPoolEqualsPyG(t *testing.T) {
	one, err := graph.New(4, []int32{0, 1, 2, 3, 0}, []int32{1, 2, 3, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	two, err := graph.New(3, []int32{0, 1, 2}, []int32{1, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	g, batch, err := graph.Batch(one, two)
	if err != nil {
		t.Fatal(err)
	}
	score := gnn.NewGraphConv(2, 1, gnn.ReduceSum, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	for w, of := range map[*autograd.Var][]float64{score.WeightNeigh: {.5, -.25}, score.WeightSelf: {.75, .3}, score.Bias: {.125}} {
		copy(tensor.Data[float64](w.Tensor()), of)
	}
	x := autograd.Constant(tensor.FromSlice([]float64{.5, -1, 1, .25, -.75, 2, .125, 1, -1, .5, 2, 1.5, .25, -.5}, 7, 2))
	p := gnn.NewSAGPool(score, 0.5).Forward(g, batch, x)
	if want := []int32{1, 2, 5, 6}; !slices.Equal(p.Vertices, want) {
		t.Errorf("kept %v, want %v", p.Vertices, want)
	}
	if src, dst := p.Graph.Src(), p.Graph.Dst(); !slices.Equal(src, []int32{0, 3}) || !slices.Equal(dst, []int32{1, 2}) {
		t.Errorf("edges from %v to %v", src, dst)
	}
	near(t, "features", rowsOf(p.X).flat(), []float64{
		0.895692873843165, 0.223923218460791, -0.600374266320472, 1.60099804352126, 1.8708181412062, 1.40311360590465, 0.0402711524103298, -0.0805423048206596,
	}, 1e-12)
}

func TestSAGPoolGradientsEqualCentralDifferences(t *testing.T) {
	g, batch := batched(t, 5, 0, 6)
	score := gnn.NewGCNConv(poolIn, 1, nn.NewRNG(2), gnn.WithDType(tensor.Float64))
	l := gnn.NewSAGPool(score, 0.5)
	if ps := nn.Parameters(l); len(ps) != 2 {
		t.Fatalf("%d parameters, want the weight and the bias of the score", len(ps))
	}
	x := autograd.Variable(randn(tensor.Float64, 1, g.NumVertices(), poolIn))
	pool := func(xs ...*autograd.Var) *autograd.Var { return l.Forward(g, batch, xs[0]).X }
	if err := autograd.Gradcheck(pool, []*autograd.Var{x, score.Weight, score.Bias}); err != nil {
		t.Error(err)
	}
}

func TestPoolingRejectsWhatDoesNotFit(t *testing.T) {
	g, batch := batched(t, 3, 2)
	r := nn.NewRNG(1)
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 5, 4))
	short := autograd.Constant(tensor.Zeros(tensor.Float32, 4, 4))
	narrow := autograd.Constant(tensor.Zeros(tensor.Float32, 5, 3))
	broken := &graph.BatchInfo{VertexOffsets: []int32{0, 3, 5}, EdgeOffsets: []int32{0, 10}, GraphOf: []int32{0, 0, 0, 1, 2}}
	gated, att, set, top := gnn.NewGatedReadout(4, 2, r), gnn.NewAttentionReadout(4, r), gnn.NewSet2Set(4, 2, r), gnn.NewTopKPool(4, 0.5, r)
	sag := gnn.NewSAGPool(gnn.NewGCNConv(4, 1, r), 0.5)
	for want, f := range map[string]func(){
		"gnn: Readout: batch is nil or empty":                            func() { gnn.Readout(nil, x, gnn.ReduceSum) },
		"gnn: Readout: reduction 9":                                      func() { gnn.Readout(batch, x, 9) },
		"gnn: Readout: x is nil":                                         func() { gnn.Readout(batch, nil, gnn.ReduceSum) },
		"gnn: Readout: x has shape [4 4]; want a row for each":           func() { gnn.Readout(batch, short, gnn.ReduceSum) },
		"gnn: Readout: the batch does not fit itself: vertex 4 is of":    func() { gnn.Readout(broken, x, gnn.ReduceSum) },
		"gnn: GatedReadout: size 0":                                      func() { gnn.NewGatedReadout(4, 0, r) },
		"gnn: GatedReadout: the layer has no program":                    func() { (&gnn.GatedReadout{}).Forward(batch, x) },
		"gnn: GatedReadout: h has 3 features, the layer takes 4":         func() { gated.Forward(batch, narrow) },
		"gnn: GatedReadout: h has 4 rows, the graph 5 vertices":          func() { gated.Forward(batch, short) },
		"gnn: AttentionReadout: size -1":                                 func() { gnn.NewAttentionReadout(-1, r) },
		"gnn: AttentionReadout: h is nil":                                func() { att.Forward(batch, nil) },
		"gnn: AttentionReadout: batch is nil":                            func() { att.Forward(&graph.BatchInfo{}, x) },
		"gnn: Set2Set: size 0":                                           func() { gnn.NewSet2Set(4, 0, r) },
		"gnn: Set2Set: x has 3 features, the layer takes 4":              func() { set.Forward(batch, narrow) },
		"gnn: Set2Set: the layer has no program; make it with NewSet2Se": func() { (*gnn.Set2Set)(nil).Forward(batch, x) },
		"gnn: TopKPool: ratio 0 is outside (0, 1]":                       func() { gnn.NewTopKPool(4, 0, r) },
		"gnn: TopKPool: ratio NaN is outside (0, 1]":                     func() { gnn.NewTopKPool(4, math.NaN(), r) },
		"gnn: TopKPool: ratio 1.5 is outside (0, 1]":                     func() { gnn.NewTopKPool(4, 1.5, r) },
		"gnn: TopKPool: size 0":                                          func() { gnn.NewTopKPool(0, 0.5, r) },
		"gnn: TopKPool: x has 3 features, the layer takes 4":             func() { top.Forward(g, batch, narrow) },
		"gnn: TopKPool: the graph is nil":                                func() { top.Forward(nil, batch, x) },
		"gnn: TopKPool: batch is nil":                                    func() { top.Forward(g, nil, x) },
		"gnn: TopKPool: the batch of 2 graphs does not divide a graph o": func() { top.Forward(g, broken, x) },
		"gnn: TopKPool: the layer has no program; make it with NewTopKP": func() { (&gnn.TopKPool{}).Forward(g, batch, x) },
		"gnn: SAGPool: the score is nil":                                 func() { gnn.NewSAGPool(nil, 0.5) },
		"gnn: SAGPool: ratio 0 is outside (0, 1]":                        func() { gnn.NewSAGPool(gnn.NewGCNConv(4, 1, r), 0) },
		"gnn: SAGPool: the scores have shape [5 2], the layer takes [5 ": func() { gnn.NewSAGPool(gnn.NewGCNConv(4, 2, r), 0.5).Forward(g, batch, x) },
		"gnn: GCNConv: x has 3 features, the layer takes 4":              func() { sag.Forward(g, batch, narrow) },
		"gnn: GCNConv: x is nil":                                         func() { sag.Forward(g, batch, nil) },
		"gnn: SAGPool: the graph is nil":                                 func() { sag.Forward(nil, batch, x) },
		"gnn: SAGPool: batch is nil":                                     func() { sag.Forward(g, nil, x) },
		"gnn: SAGPool: the batch of 2 graphs does not divide a graph of": func() { sag.Forward(g, broken, x) },
		"gnn: SAGPool: the layer has no program; make it with NewSAGPoo": func() { (&gnn.SAGPool{Score: gnn.NewGCNConv(4, 1, r)}).Forward(g, batch, x) },
	} {
		if err := autograd.Try(f); !isMisuse(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Of a batch that is another graph's, or not whole, each graph's vertices, edges and
// results would be others'.
func TestPoolingRejectsBatchesThatAreNotTheGraphs(t *testing.T) {
	g, batch := batched(t, 3, 2) // of 6 and 4 edges
	r := nn.NewRNG(1)
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 5, 4))
	top := gnn.NewTopKPool(4, 0.5, r)
	change := func(f func(b *graph.BatchInfo)) *graph.BatchInfo {
		b := &graph.BatchInfo{VertexOffsets: slices.Clone(batch.VertexOffsets), EdgeOffsets: slices.Clone(batch.EdgeOffsets), GraphOf: slices.Clone(batch.GraphOf)}
		f(b)
		return b
	}
	swapped := change(func(b *graph.BatchInfo) { b.GraphOf[2], b.GraphOf[3] = 1, 0 })
	short := change(func(b *graph.BatchInfo) { b.GraphOf = b.GraphOf[:4] })
	unsorted := change(func(b *graph.BatchInfo) { b.VertexOffsets, b.GraphOf = []int32{0, 6, 5}, []int32{0, 0, 0, 0, 0} })
	late := change(func(b *graph.BatchInfo) { b.EdgeOffsets[1] = 7 })
	early := change(func(b *graph.BatchInfo) { b.EdgeOffsets[1] = 5 })
	of := "vertex 2 is of graph 1 by GraphOf, of graph 0 by VertexOffsets"
	pool := func(b *graph.BatchInfo) func() { return func() { top.Forward(g, b, x) } }
	read := func(b *graph.BatchInfo) func() { return func() { gnn.Readout(b, x, gnn.ReduceSum) } }
	for range 2 { // what is found wrong once is so again
		for _, c := range []struct {
			want string
			f    func()
		}{
			{"gnn: Readout: the batch does not fit itself: " + of, read(swapped)},
			{"gnn: Readout: the batch does not fit itself: its VertexOffsets do not divide the 4 vertices of GraphOf", read(short)},
			{"gnn: Readout: the batch does not fit itself: its VertexOffsets do not divide the 5 vertices of GraphOf", read(unsorted)},
			{"gnn: TopKPool: the batch does not fit itself: " + of, pool(swapped)},
			{"gnn: TopKPool: the batch does not fit itself: its VertexOffsets do not divide the 4 vertices of GraphOf", pool(short)},
			{"gnn: TopKPool: the batch does not divide the graph: its edge 6, from ", pool(late)},
			{"gnn: TopKPool: the batch does not divide the graph: its edge 5, from ", pool(early)},
		} {
			if err := autograd.Try(c.f); !isMisuse(err, c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		}
		top.Forward(g, batch, x)
	}
}
