package gnn

// Dense adjacency matrices.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// ToDenseAdj gives each graph of a batch, all in g, its adjacency matrix, as PyG's
// to_dense_adj:
//
//	a[i, k, l] = Σ w_e over the edges e of graph i from its k-th vertex to its l-th
//
// for w [E ...] in order of edge ids, giving [graphs limit limit ...]; limit is how
// many vertices of a graph there is room for, 0 for those of the largest, as in
// [ToDenseBatch]. Edges of vertices beyond it are left out, and get no gradient. With nil w
// each edge counts 1, in float32 on the CPU. It panics with *[Error] for what does not
// fit.
func ToDenseAdj(g *graph.Graph, batch *graph.BatchInfo, w *autograd.Var, limit int) *autograd.Var {
	const op = "ToDenseAdj"
	if g == nil {
		misuse(op, "the graph is nil")
	}
	wantHomogeneous(op, g)
	wantBatchOf(op, g, batch)
	if w == nil {
		w = autograd.Constant(tensor.Ones(tensor.Float32, g.NumEdges()))
	}
	wantEdgeRows(op, g, "w", w)
	limit = denseLimit(op, batch, limit)
	n := batch.NumGraphs()
	wantPlaces(op, n, limit, limit)
	var kept, places []int32
	src, dst := g.Src(), g.Dst()
	for i := range n {
		first := batch.VertexOffsets[i]
		for e := batch.EdgeOffsets[i]; e < batch.EdgeOffsets[i+1]; e++ {
			if k, l := int(src[e]-first), int(dst[e]-first); k < limit && l < limit {
				kept, places = append(kept, e), append(places, int32((i*limit+k)*limit+l))
			}
		}
	}
	if len(kept) < g.NumEdges() {
		w = w.IndexSelect(kept)
	}
	a := w.ScatterAddRows(n*limit*limit, places)
	return a.Reshape(append([]int{n, limit, limit}, w.Shape()[1:]...)...)
}
