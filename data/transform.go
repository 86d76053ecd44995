// Transforms of graphs and datasets. Self-loops, reverse edges and duplicates
// are matters of package graph: AddSelfLoops, Symmetrize, Simplify.

package data

import (
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// GCNNorm returns the graph with a self-loop at every vertex and the weight of
// every edge in D^-1/2 (A + I) D^-1/2, the propagation of Kipf and Welling
// (2017). weights are those of the old edges, nil for 1 each; self-loops have
// weight 1 and d is the sum of the weights of a vertex's in-edges. Edges of a
// vertex whose sum is not positive get 0. A vertex that has a loop gets a second
// one, where PyG keeps the one that there is; graph.Graph.RemoveSelfLoops takes
// loops away before. It panics with *[Error] if weights has the wrong length, and
// with a *graph.BipartiteError on a bipartite graph. gnn.SpMMEdge propagates by
// it; gnn.GCNConv takes weights as they are and norms them itself. O(V + E).
func GCNNorm(g *graph.Graph, weights []float32) (out *graph.Graph, norm []float32) {
	wantGraph("GCNNorm", g)
	if weights != nil && len(weights) != g.NumEdges() {
		misuse("GCNNorm", "%d weights for %d edges", len(weights), g.NumEdges())
	}
	out, edges := g.AddSelfLoops()
	norm = make([]float32, out.NumEdges())
	degree := make([]float64, out.NumVertices())
	for e, old := range edges {
		norm[e] = 1
		if old >= 0 && weights != nil {
			norm[e] = weights[old]
		}
		degree[out.Dst()[e]] += float64(norm[e])
	}
	for v, d := range degree {
		if degree[v] = 0; d > 0 {
			degree[v] = 1 / math.Sqrt(d)
		}
	}
	for e, u := range out.Src() {
		norm[e] = float32(float64(norm[e]) * degree[u] * degree[out.Dst()[e]])
	}
	return out, norm
}

// AddInverse returns the graph with the reverse of every edge: edge e + E turns
// edge e round, and if edges have R types its type is that of e plus R, as
// R-GCN (Schlichtkrull et al. 2018) reads relations in both directions. It
// panics with a *graph.BipartiteError on a bipartite graph. O(V + E).
func AddInverse(g *graph.Graph) *graph.Graph {
	wantGraph("AddInverse", g)
	both := func(a, b []int32) []int32 { return append(append(make([]int32, 0, len(a)+len(b)), a...), b...) }
	var opts []graph.Option
	if types, n := g.EdgeTypes(), g.NumEdgeTypes(); types != nil {
		inverse := make([]int32, len(types))
		for e, t := range types {
			inverse[e] = t + int32(n)
		}
		opts = append(opts, graph.WithEdgeTypes(both(types, inverse), 2*n))
	}
	if types := g.VertexTypes(); types != nil {
		opts = append(opts, graph.WithVertexTypes(types, g.NumVertexTypes()))
	}
	out, err := graph.New(g.NumVertices(), both(g.Src(), g.Dst()), both(g.Dst(), g.Src()), opts...)
	if err != nil {
		misuse("AddInverse", "%v", err)
	}
	return out
}

// DropEdges returns the graph without a random part of its edges, each of which is
// dropped with probability p, and the edge of g that each edge of the result is, ascending:
// the DropEdge of Rong et al. (ICLR 2020) and an augmentation of contrastive learning, as
// PyG's dropout_edge. An edge and its reverse are dropped independently. The result depends
// on g's number of edges, p and the seed alone; a training loop gives every step a seed of
// its own. It panics with *[Error] unless p is in [0, 1]. O(V + E).
func DropEdges(g *graph.Graph, p float64, seed uint64) (out *graph.Graph, edges []int32) {
	wantGraph("DropEdges", g)
	if !(p >= 0 && p <= 1) { // also false for NaN
		misuse("DropEdges", "probability %v is outside [0, 1]", p)
	}
	edges = []int32{}
	stream := rng.Fold(seed, streamDrop)
	for e := range g.NumEdges() {
		if rng.Uniform(stream, uint64(e)) >= p {
			edges = append(edges, int32(e))
		}
	}
	out, err := g.EdgeSubgraph(edges)
	if err != nil {
		panic("BUG: data: DropEdges: " + err.Error())
	}
	return out, edges
}

// DegreeFeatures returns the in-degree of every vertex, one-hot, as limit + 1
// features; degrees above limit count as limit. It panics with *[Error] for a
// negative limit.
func DegreeFeatures(g *graph.Graph, limit int) Features {
	wantGraph("DegreeFeatures", g)
	return oneHotClipped("DegreeFeatures", g.InDegrees(), limit)
}

func oneHotClipped(op string, xs []int32, limit int) Features {
	if limit < 0 || limit >= maxColumns {
		misuse(op, "limit %d out of range [0, %d)", limit, maxColumns)
	}
	indptr, indices, ones := make([]int32, len(xs)+1), make([]int32, len(xs)), make([]float32, len(xs))
	for i, x := range xs {
		indptr[i+1], indices[i], ones[i] = int32(i+1), min(x, int32(limit)), 1
	}
	s, err := tensor.NewSparse(len(xs), limit+1, indptr, indices, tensor.FromSlice(ones, len(ones)))
	if err != nil {
		panic("BUG: data: " + op + ": " + err.Error())
	}
	return SparseFeatures(s)
}

// LargestComponent returns the vertices of the largest weakly connected
// component, ascending; of several, the one with the smallest vertex. It panics
// with *[Error] on a bipartite graph. O(V + E).
func LargestComponent(g *graph.Graph) []int32 {
	wantGraph("LargestComponent", g)
	if g.IsBipartite() {
		misuse("LargestComponent", "%v is bipartite", g)
	}
	component, n := g.ConnectedComponents()
	size := make([]int, n)
	for _, c := range component {
		size[c]++
	}
	largest := int32(0)
	for c, s := range size {
		if s > size[largest] {
			largest = int32(c)
		}
	}
	out := []int32{}
	for v, c := range component {
		if c == largest {
			out = append(out, int32(v))
		}
	}
	return out
}

// Subset returns the dataset of the given vertices and the edges among them;
// vertex i of the result is vertices[i]. The parts of the split lose the other
// vertices and are in ascending order. It panics with *[Error] for a vertex
// that is not there or comes twice, and if there is no graph, or features, labels or a
// split of other vertices than its. O(V + E + features).
func (d *Dataset) Subset(vertices []int32) *Dataset {
	wantGraph("Subset", d.Graph)
	n := d.Graph.NumVertices()
	if len(d.Labels) != n {
		misuse("Subset", "%d labels for %d vertices", len(d.Labels), n)
	}
	if rows, _ := d.Features.Dims(); !d.Features.IsZero() && rows != n {
		misuse("Subset", "%d rows of features for %d vertices", rows, n)
	}
	if err := checkSplit("vertex", n, d.Train, d.Val, d.Test); err != nil {
		misuse("Subset", "%v", err)
	}
	g, _, err := d.Graph.Subgraph(vertices)
	if err != nil {
		misuse("Subset", "%v", err)
	}
	out := &Dataset{
		Name: d.Name, Graph: g, Features: d.Features.Rows(vertices), NumClasses: d.NumClasses,
		Labels: valuesAt(d.Labels, vertices),
	}
	out.Train, out.Val, out.Test = subsetOf(d.Train, vertices, n), subsetOf(d.Val, vertices, n), subsetOf(d.Test, vertices, n)
	return out
}

// subsetOf returns which entries of vertices, of n that there are, are in a part of a split,
// ascending.
func subsetOf(part, vertices []int32, n int) []int32 {
	in := make([]bool, n)
	for _, v := range part {
		in[v] = true
	}
	out := []int32{}
	for i, v := range vertices {
		if in[v] {
			out = append(out, int32(i))
		}
	}
	return out
}

// LargestComponent returns the dataset of the largest weakly connected
// component alone, as Shchur et al. (2018) train on.
func (d *Dataset) LargestComponent() *Dataset { return d.Subset(LargestComponent(d.Graph)) }

// Subset returns the dataset of the given vertices and the edges among them, with the features
// of both; vertex i of the result is vertices[i]. The parts of the split lose the other vertices and
// are in ascending order, those that are nil stay so. It panics with *[Error] for a vertex that is
// not there or comes twice, and for what Validate refuses but values of features.
func (d *MultiLabelDataset) Subset(vertices []int32) *MultiLabelDataset {
	if err := d.checkSizes(); err != nil {
		misuse("Subset", "%v", err)
	}
	g, edges, err := d.Graph.Subgraph(vertices)
	if err != nil {
		misuse("Subset", "%v", err)
	}
	out := &MultiLabelDataset{
		Name: d.Name, Graph: g, Features: d.Features.Rows(vertices), EdgeFeatures: d.EdgeFeatures.Rows(edges),
		NumClasses: d.NumClasses, Labels: valuesAt(d.Labels, vertices),
	}
	for _, s := range []struct {
		from []int32
		to   *[]int32
	}{{d.Train, &out.Train}, {d.Val, &out.Val}, {d.Test, &out.Test}} {
		if s.from != nil {
			*s.to = subsetOf(s.from, vertices, d.Graph.NumVertices())
		}
	}
	return out
}

// LargestComponent returns the dataset of the largest weakly connected component alone.
func (d *MultiLabelDataset) LargestComponent() *MultiLabelDataset {
	return d.Subset(LargestComponent(d.Graph))
}

// LargestComponent returns the set of the largest weakly connected component of every graph
// alone, with the features of its vertices and edges; all else is shared with the old set. It
// panics with *[Error] if a graph is missing or bipartite, and for features, labels or targets
// of other graphs.
func (d *GraphDataset) LargestComponent() *GraphDataset {
	if err := d.checkSizes(); err != nil {
		misuse("LargestComponent", "%v", err)
	}
	vertexOffsets, edgeOffsets := d.offsets()
	out := *d
	out.Graphs = make([]*graph.Graph, len(d.Graphs))
	var vertices, edges []int32
	for i, g := range d.Graphs {
		kept := LargestComponent(g)
		part, keptEdges, err := g.Subgraph(kept)
		if err != nil {
			panic("BUG: data: LargestComponent: " + err.Error())
		}
		out.Graphs[i] = part
		for _, v := range kept {
			vertices = append(vertices, vertexOffsets[i]+v)
		}
		for _, e := range keptEdges {
			edges = append(edges, edgeOffsets[i]+e)
		}
	}
	out.Features, out.EdgeFeatures = d.Features.Rows(vertices), d.EdgeFeatures.Rows(edges)
	return &out
}
