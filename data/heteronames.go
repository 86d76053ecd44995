// Heterogeneous datasets as graphs with named types, and their self-loops.

package data

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/graph"
)

// selfLoop is the name of the edge types of AddSelfLoops.
const selfLoop = "self-loop"

// Hetero returns the graph with the names of its types, as models for heterogeneous
// graphs take it. Vertices of a type keep their order; where a vertex or an edge of
// Graph is, the second result says. It is an error if two types have one name, if
// EdgeEnds are no vertex types, or if an edge type has no ends for want of an edge.
// O(V + E).
func (d *HeteroDataset) Hetero() (*graph.Hetero, *graph.Homogeneous, error) {
	if err := d.checkEnds(); err != nil {
		return nil, nil, ofSet(d.Name, err)
	}
	edges := make([]graph.EdgeType, len(d.EdgeTypes))
	for t, name := range d.EdgeTypes {
		ends := d.EdgeEnds[t]
		if ends[0] < 0 {
			return nil, nil, fmt.Errorf("data: %s: there is no edge of type %s, which has no ends then", d.Name, name)
		}
		edges[t] = graph.EdgeType{Src: d.VertexTypes[ends[0]], Name: name, Dst: d.VertexTypes[ends[1]]}
	}
	h, view, err := graph.FromHomogeneous(d.Graph, d.VertexTypes, edges)
	if err != nil {
		return nil, nil, ofSet(d.Name, err)
	}
	return h, view, nil
}

// AddSelfLoops returns the dataset with a self-loop at every vertex, after the edges
// that there are, for models in which a vertex attends to itself. Loops at vertices of
// one type are of one edge type, called self-loop; weights of loops are 1. A vertex that has
// a loop gets a second one; graph.Graph.RemoveSelfLoops takes loops away before. All but
// the graph, its edge types and weights is shared. It panics with *[Error] if there is no
// graph or it has other types than the dataset. O(V + E).
func (d *HeteroDataset) AddSelfLoops() *HeteroDataset {
	g := d.Graph
	wantGraph("AddSelfLoops", g)
	if g.NumVertexTypes() != len(d.VertexTypes) || g.NumEdgeTypes() != len(d.EdgeTypes) || len(d.EdgeEnds) != len(d.EdgeTypes) {
		misuse("AddSelfLoops", "%d types of vertices, %d of edges and ends of %d; the graph has %d and %d",
			len(d.VertexTypes), len(d.EdgeTypes), len(d.EdgeEnds), g.NumVertexTypes(), g.NumEdgeTypes())
	}
	if g.VertexTypes() == nil || g.EdgeTypes() == nil { // whose numbers are 0, as those of the names
		misuse("AddSelfLoops", "the graph has no types of vertices or of edges")
	}
	out := *d
	out.EdgeTypes, out.EdgeEnds = slices.Clone(d.EdgeTypes), slices.Clone(d.EdgeEnds)
	loopType := make([]int32, len(d.VertexTypes))
	for t := range d.VertexTypes {
		if len(g.SrcByType().OfType(t)) == 0 {
			continue
		}
		loopType[t] = int32(len(out.EdgeTypes))
		out.EdgeTypes = append(out.EdgeTypes, selfLoop)
		out.EdgeEnds = append(out.EdgeEnds, [2]int32{int32(t), int32(t)})
	}
	src, dst, types := slices.Clone(g.Src()), slices.Clone(g.Dst()), slices.Clone(g.EdgeTypes())
	for v, t := range g.VertexTypes() {
		src, dst, types = append(src, int32(v)), append(dst, int32(v)), append(types, loopType[t])
	}
	if d.Weights != nil {
		out.Weights = slices.Clone(d.Weights)
		for range g.NumVertices() {
			out.Weights = append(out.Weights, 1)
		}
	}
	var err error
	out.Graph, err = graph.New(g.NumVertices(), src, dst,
		graph.WithVertexTypes(g.VertexTypes(), g.NumVertexTypes()), graph.WithEdgeTypes(types, len(out.EdgeTypes)))
	if err != nil {
		panic("BUG: data: self-loops make no graph: " + err.Error())
	}
	return &out
}
