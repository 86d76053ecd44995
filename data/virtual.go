// Datasets whose graphs have a virtual vertex.

package data

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// AddVirtualVertex returns the dataset with one more vertex, the last, which edges join with
// all others both ways (see graph.Graph.AddVirtualVertex). Its features are 0, it has no label and
// is in no part of the split, which is shared with the old dataset. It panics with *[Error] if there
// are features or labels of other vertices, and with a *graph.BipartiteError on a bipartite graph.
func (d *Dataset) AddVirtualVertex() *Dataset {
	const op = "AddVirtualVertex"
	needHomogeneous(op, d.Graph)
	n := d.Graph.NumVertices()
	if len(d.Labels) != n {
		misuse(op, "%d labels for %d vertices", len(d.Labels), n)
	}
	if rows, _ := d.Features.Dims(); !d.Features.IsZero() && rows != n {
		misuse(op, "%d rows of features for %d vertices", rows, n)
	}
	out := *d
	out.Graph, _ = d.Graph.AddVirtualVertex()
	out.Features = d.Features.withZeroRow()
	out.Labels = append(append(make([]int32, 0, n+1), d.Labels...), NoLabel)
	return &out
}

// AddVirtualVertex returns the set with one more vertex in each graph, its last, which edges join
// with all others of the graph both ways (see graph.Graph.AddVirtualVertex). Features of these
// vertices and edges are 0; all else is shared with the old set. It panics with *[Error] if a graph
// is missing or bipartite, and for features, labels or targets of other graphs.
func (d *GraphDataset) AddVirtualVertex() *GraphDataset {
	if err := d.checkSizes(); err != nil {
		misuse("AddVirtualVertex", "%v", err)
	}
	vertexOffsets, edgeOffsets := d.offsets()
	allVertices, allEdges := vertexOffsets[len(d.Graphs)], edgeOffsets[len(d.Graphs)]
	out := *d
	out.Graphs = make([]*graph.Graph, len(d.Graphs))
	var vertices, edges []int32 // the old row of each, behind the last one for the new
	for i, g := range d.Graphs {
		var olds []int32
		out.Graphs[i], olds = g.AddVirtualVertex()
		vertices = append(appendRange(vertices, vertexOffsets[i], vertexOffsets[i+1]), allVertices)
		for _, e := range olds {
			if e < 0 {
				edges = append(edges, allEdges)
			} else {
				edges = append(edges, edgeOffsets[i]+e)
			}
		}
	}
	out.Features = d.Features.withZeroRow().Rows(vertices)
	out.EdgeFeatures = d.EdgeFeatures.withZeroRow().Rows(edges)
	return &out
}

// withZeroRow returns the features with one more row, of zeros.
func (f Features) withZeroRow() Features {
	switch {
	case f.sparse != nil:
		rows, cols := f.sparse.Dims()
		indptr := append(append(make([]int32, 0, rows+2), f.sparse.Indptr()...), int32(f.sparse.NNZ()))
		s, err := tensor.NewSparse(rows+1, cols, indptr, f.sparse.Indices(), f.sparse.Values())
		if err != nil {
			panic("BUG: data: a row of zeros: " + err.Error())
		}
		return SparseFeatures(s)
	case f.dense != nil:
		return DenseFeatures(tensor.Concat(0, f.dense, tensor.FullOn(f.dense.Device(), f.dense.DType(), 0, 1, f.Cols())))
	}
	return f
}
