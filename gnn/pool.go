package gnn

// Readout: from the vertices of batched graphs to the graphs.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
)

// Readout reduces what the vertices of each graph of a batch have:
//
//	out_i = reduce_{v in graph i} x_v
//
// for x [N ...], giving [graphs ...]. Of a graph without vertices each reduction is
// 0; the gradient of a maximum or minimum goes to the first vertex that attains it.
// A single graph is a batch of one: see graph.Batch. It panics with *[Error] for
// what does not fit.
//
// What a graph has comes back to its vertices with out.IndexSelect(batch.GraphOf).
func Readout(batch *graph.BatchInfo, x *autograd.Var, reduce Reduce) *autograd.Var {
	const op = "Readout"
	wantReduce(op, reduce)
	g := segmentsOf(op, batch)
	wantFirst(op, "x", x, g.NumSrc(), "vertices")
	return copyReduce[reduce].Run(g, sourceFeature(g, "x", x))
}

// segmentsOf is the bipartite graph from the vertices of a batch to its graphs;
// edge v is that of vertex v.
func segmentsOf(op string, batch *graph.BatchInfo) *graph.Graph {
	wantBatch(op, batch)
	g, err := Segments(batch.GraphOf, batch.NumGraphs())
	if err != nil {
		misuse(op, "the batch does not fit itself: %v", err)
	}
	return g
}

// wantBatch panics unless the graphs that a batch says its vertices are of are those that
// own them.
func wantBatch(op string, batch *graph.BatchInfo) {
	wantSomeBatch(op, batch)
	ends, n := batch.VertexOffsets, len(batch.GraphOf)
	if ends[0] != 0 || int(ends[len(ends)-1]) != n || !slices.IsSorted(ends) {
		misuse(op, "the batch does not fit itself: its VertexOffsets do not divide the %d vertices of GraphOf", n)
	}
	for i := range batch.NumGraphs() {
		for v := ends[i]; v < ends[i+1]; v++ {
			if of := batch.GraphOf[v]; int(of) != i {
				misuse(op, "the batch does not fit itself: vertex %d is of graph %d by GraphOf, of graph %d by VertexOffsets", v, of, i)
			}
		}
	}
}

func wantSomeBatch(op string, batch *graph.BatchInfo) {
	if batch == nil || len(batch.VertexOffsets) == 0 {
		misuse(op, "batch is nil or empty: it says which graph each vertex belongs to")
	}
}
