// A heterogeneous graph as one graph whose vertices and edges have types, and back.

package graph

import "fmt"

// Homogeneous is one graph that holds all vertices and edges of a heterogeneous
// one, with their types, and tells which is which. Fields are read-only.
type Homogeneous struct {
	Graph *Graph

	// VertexIDs[t][i] is the vertex of Graph that is vertex i of type t; EdgeIDs
	// the same for edges.
	VertexIDs [][]int32
	EdgeIDs   [][]int32

	// LocalVertex[v] is the number that vertex v of Graph has within its type;
	// LocalEdge the same for edges.
	LocalVertex []int32
	LocalEdge   []int32
}

// Homogeneous returns the graph of all types: first the vertices of the first
// type, then those of the second, and so on, and edges the same. Types of vertices
// and edges are positions in VertexTypes and EdgeTypes. Built once, O(V + E).
func (h *Hetero) Homogeneous() *Homogeneous {
	h.viewOnce.Do(func() { h.view = h.homogeneous() })
	return h.view
}

func (h *Hetero) homogeneous() *Homogeneous {
	out := &Homogeneous{VertexIDs: make([][]int32, len(h.vertexTypes)), EdgeIDs: make([][]int32, len(h.edgeTypes))}
	var vertexTypes, edgeTypes, src, dst []int32
	for t, n := range h.numVertices {
		out.VertexIDs[t] = make([]int32, n)
		for i := range n {
			out.VertexIDs[t][i] = int32(len(vertexTypes))
			vertexTypes = append(vertexTypes, int32(t))
			out.LocalVertex = append(out.LocalVertex, int32(i))
		}
	}
	for t, r := range h.relations {
		from, to := out.VertexIDs[h.vertexIndex[h.edgeTypes[t].Src]], out.VertexIDs[h.vertexIndex[h.edgeTypes[t].Dst]]
		out.EdgeIDs[t] = make([]int32, r.NumEdges())
		for e, u := range r.Src() {
			out.EdgeIDs[t][e] = int32(len(src))
			src, dst = append(src, from[u]), append(dst, to[r.Dst()[e]])
			edgeTypes = append(edgeTypes, int32(t))
			out.LocalEdge = append(out.LocalEdge, int32(e))
		}
	}
	g, err := New(len(vertexTypes), src, dst,
		WithVertexTypes(vertexTypes, len(h.vertexTypes)), WithEdgeTypes(edgeTypes, len(h.edgeTypes)))
	if err != nil {
		panic("BUG: graph: a valid heterogeneous graph makes no homogeneous one: " + err.Error())
	}
	out.Graph = g
	return out
}

// FromHomogeneous gives names to the types of a homogeneous graph: vertices of type
// t are those of the type vertexTypes[t], edges of type r those of edgeTypes[r]. The
// vertices of a type are numbered in the order that they have in g, edges too, as
// the second result says; vertices and edges of g may stand in any order.
//
// It is an error if g is bipartite, has no types or not as many as there are
// names, if a name is empty or given twice, or if an edge leads between other
// vertex types than its type says, which the error names. O(V + E).
func FromHomogeneous(g *Graph, vertexTypes []string, edgeTypes []EdgeType) (*Hetero, *Homogeneous, error) {
	fail := func(format string, args ...any) (*Hetero, *Homogeneous, error) {
		return nil, nil, fmt.Errorf("graph: FromHomogeneous: "+format, args...)
	}
	switch {
	case g == nil:
		return fail("the graph is nil")
	case g.IsBipartite():
		return fail("%w", &BipartiteError{Op: "FromHomogeneous"})
	case g.VertexTypes() == nil || g.EdgeTypes() == nil:
		return fail("the graph needs types of vertices and of edges")
	case g.NumVertexTypes() != len(vertexTypes):
		return fail("%d names for %d vertex types", len(vertexTypes), g.NumVertexTypes())
	case g.NumEdgeTypes() != len(edgeTypes):
		return fail("%d names for %d edge types", len(edgeTypes), g.NumEdgeTypes())
	}
	view := &Homogeneous{Graph: g}
	view.VertexIDs, view.LocalVertex = within(g.SrcByType())
	view.EdgeIDs, view.LocalEdge = within(g.EdgesByType())

	var b HeteroBuilder
	for t, name := range vertexTypes {
		b.Vertices(name, len(view.VertexIDs[t]))
	}
	for r, t := range edgeTypes {
		ids := view.EdgeIDs[r]
		src, dst := make([]int32, len(ids)), make([]int32, len(ids))
		for i, e := range ids {
			u, v := g.Src()[e], g.Dst()[e]
			if from, to := vertexTypes[g.VertexTypes()[u]], vertexTypes[g.VertexTypes()[v]]; from != t.Src || to != t.Dst {
				return fail("edge %d of type %v leads from a vertex of type %q to one of type %q", e, t, from, to)
			}
			src[i], dst[i] = view.LocalVertex[u], view.LocalVertex[v]
		}
		b.Edges(t, src, dst)
	}
	h, err := b.Build()
	if err != nil {
		return fail("%w", err)
	}
	return h, view, nil
}

// within splits an order by type, and gives each id its position among those of
// its type.
func within(o *TypeOrder) (ids [][]int32, local []int32) {
	ids, local = make([][]int32, o.NumTypes()), make([]int32, len(o.Order))
	for t := range ids {
		ids[t] = o.OfType(t)
		for i, id := range ids[t] {
			local[id] = int32(i)
		}
	}
	return ids, local
}
