package gnn

// The pooling of Gao and Ji.

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// TopKPool is the pooling layer of "Graph U-Nets" (Gao, Ji, ICML 2019), equation 2:
// it keeps the vertices of each graph whose features project best on a learned
// vector p, and gates what they have by the projection:
//
//	y = x p / ‖p‖,  x'_v = σ(y_v) x_v for the k vertices v of the largest y
//
// for x [N in], giving the graphs induced by these vertices. Of equal projections
// the first vertex's is the larger, NaN is larger than any number; the vertices keep
// their order. p learns through the gate only. The gate is the paper's sigmoid σ; PyG's
// TopKPooling has tanh unless it is made with nonlinearity="sigmoid".
type TopKPool struct {
	Weight *autograd.Var // [in], p

	ratio float64
}

// NewTopKPool returns a layer that keeps the share ratio, in (0, 1], of the
// vertices of each graph, rounded up.
func NewTopKPool(in int, ratio float64, r *nn.RNG, opts ...Option) *TopKPool {
	wantPositive("TopKPool", in)
	wantShare("TopKPool", ratio)
	c := configure(opts)
	return &TopKPool{Weight: c.glorot(r, in, 1, in), ratio: ratio}
}

// Pooled is a batch of smaller graphs.
type Pooled struct {
	Graph    *graph.Graph
	Batch    *graph.BatchInfo
	X        *autograd.Var // [vertices in]
	Vertices []int32       // of the larger graphs, which the vertices here were
	Edges    []int32       // of the larger graphs, which the edges here were
}

// Unpool puts features of the smaller graphs' vertices, [vertices ...], where they
// were among the n vertices of the larger graphs, and 0 elsewhere: the layer gUnpool
// of the paper.
func (p Pooled) Unpool(x *autograd.Var, n int) *autograd.Var {
	return x.ScatterAddRows(n, p.Vertices)
}

// Forward pools the graphs of a batch, all in g, whose vertices have x [N in].
func (l *TopKPool) Forward(g *graph.Graph, batch *graph.BatchInfo, x *autograd.Var) Pooled {
	const op = "TopKPool"
	if l == nil || l.Weight == nil {
		panic(notMade(op))
	}
	wantFeatures(op, g, x, l.Weight.Shape()[0])
	wantHomogeneous(op, g)
	wantDense(op, "x", x)
	wantBatchOf(op, g, batch)
	y := x.MatVec(l.Weight).Div(l.Weight.Norm(2))
	return keepBest(op, g, batch, x, y, y.Sigmoid(), l.ratio)
}

// keepBest gives the graphs induced by the vertices of the largest scores y [N], the
// share ratio of each graph's, and their x times gate [N].
func keepBest(op string, g *graph.Graph, batch *graph.BatchInfo, x, y, gate *autograd.Var, ratio float64) Pooled {
	info := &graph.BatchInfo{VertexOffsets: []int32{0}}
	var kept []int32
	scores := y.Tensor().Float64s()
	for i := range batch.NumGraphs() {
		from, to := batch.VertexOffsets[i], batch.VertexOffsets[i+1]
		for _, v := range largest(scores[from:to], ratio) {
			kept = append(kept, from+v)
			info.GraphOf = append(info.GraphOf, int32(i))
		}
		info.VertexOffsets = append(info.VertexOffsets, int32(len(kept)))
	}
	small, edges, err := g.Subgraph(kept)
	if err != nil {
		panic("BUG: gnn: " + op + ": " + err.Error())
	}
	for _, end := range batch.EdgeOffsets { // edges keep their order
		at, _ := slices.BinarySearch(edges, end)
		info.EdgeOffsets = append(info.EdgeOffsets, int32(at))
	}
	return Pooled{
		Graph: small, Batch: info, Vertices: kept, Edges: edges,
		X: x.IndexSelect(kept).Mul(gate.IndexSelect(kept).Unsqueeze(1)),
	}
}

func wantShare(op string, ratio float64) {
	if !(ratio > 0 && ratio <= 1) {
		misuse(op, "ratio %v is outside (0, 1]", ratio)
	}
}

// largest returns the places of the largest scores in ascending order, the share
// ratio of them.
func largest(scores []float64, ratio float64) []int32 {
	order := make([]int32, len(scores))
	for i := range order {
		order[i] = int32(i)
	}
	// Negated, so that the order is ascending and NaN, the least to Compare, comes first.
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(-scores[a], -scores[b]) })
	// A product that is a whole number but for rounding is that number.
	k := int(math.Ceil(ratio * float64(len(scores)) * (1 - 1e-12)))
	order = order[:k]
	slices.Sort(order)
	return order
}

// wantBatchOf panics unless the batch divides the vertices and edges of g.
func wantBatchOf(op string, g *graph.Graph, batch *graph.BatchInfo) {
	wantSomeBatch(op, batch)
	divides := func(offsets []int32, n int) bool {
		return len(offsets) == len(batch.VertexOffsets) && offsets[0] == 0 && int(offsets[len(offsets)-1]) == n && slices.IsSorted(offsets)
	}
	if !divides(batch.VertexOffsets, g.NumVertices()) || !divides(batch.EdgeOffsets, g.NumEdges()) {
		misuse(op, "the batch of %d graphs does not divide a graph of %d vertices and %d edges", batch.NumGraphs(), g.NumVertices(), g.NumEdges())
	}
	// Every vertex and edge is looked at once for a graph and its batch, not at each step.
	type dividedBy struct{}
	last := g.Keep(dividedBy{}, func() any { return new(atomic.Pointer[graph.BatchInfo]) }).(*atomic.Pointer[graph.BatchInfo])
	if last.Load() == batch {
		return
	}
	wantBatch(op, batch)
	src, dst := g.Src(), g.Dst()
	for i := range batch.NumGraphs() {
		from, to := batch.VertexOffsets[i], batch.VertexOffsets[i+1]
		for e := batch.EdgeOffsets[i]; e < batch.EdgeOffsets[i+1]; e++ {
			if u, v := src[e], dst[e]; u < from || u >= to || v < from || v >= to {
				misuse(op, "the batch does not divide the graph: its edge %d, from %d to %d, leaves graph %d of the vertices [%d, %d)", e, u, v, i, from, to)
			}
		}
	}
	last.Store(batch)
}
