// A heterogeneous graph as one graph whose vertices and edges have types, and back.

package graph

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

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

// SplitByType splits vertices of Graph, such as those of a mini-batch, by their types:
// local[t] has the numbers that those of type t have within it, in the order given, and
// vertex vertices[i] is local[t][rows[i]] of its type t. So the features of a batch, and
// the results of its seeds, are found where every type has its own:
//
//	local, _, err := view.SplitByType(batch.Vertices)
//	...
//	y := conv.ForwardOn(batch.Blocks[0], map[string]*autograd.Var{
//		"author": authors.IndexSelect(local[0]), "paper": papers.IndexSelect(local[1]),
//	}, nil)
//	_, rows, err := view.SplitByType(batch.Seeds) // seed i has row rows[i] of the result of its type
//
// A vertex out of range is an error. O(vertices).
func (h *Homogeneous) SplitByType(vertices []int32) (local [][]int32, rows []int32, err error) {
	local, rows = make([][]int32, len(h.VertexIDs)), make([]int32, len(vertices))
	for t := range local {
		local[t] = []int32{} // none, where nil might mean all
	}
	for i, v := range vertices {
		if v < 0 || int(v) >= len(h.LocalVertex) {
			return nil, nil, fmt.Errorf("graph: SplitByType: entry %d: vertex %d out of range [0, %d)", i, v, len(h.LocalVertex))
		}
		t := h.Graph.VertexTypes()[v]
		rows[i] = int32(len(local[t]))
		local[t] = append(local[t], h.LocalVertex[v])
	}
	return local, rows, nil
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
	}
	if err := g.checkNames(vertexTypes, edgeTypes); err != nil {
		return fail("%w", err)
	}
	view := &Homogeneous{Graph: g}
	view.VertexIDs, view.LocalVertex = within(g.SrcByType())
	view.EdgeIDs, view.LocalEdge = within(g.EdgesByType())

	var b HeteroBuilder
	for t, name := range vertexTypes {
		b.Vertices(name, len(view.VertexIDs[t]))
	}
	for r, t := range edgeTypes {
		src, dst, err := g.endsWithin(r, t, vertexTypes, view.LocalVertex, view.LocalVertex)
		if err != nil {
			return fail("%w", err)
		}
		b.Edges(t, src, dst)
	}
	h, err := b.Build()
	if err != nil {
		return fail("%w", err)
	}
	return h, view, nil
}

// RelationsOf splits a graph whose types have the given names by number, such as a block
// sampled from [Hetero.Homogeneous], into one graph for each edge type t: from the sources
// of type t.Src to the destinations of type t.Dst, numbered within their types in the order
// that they have in g, as edges are. Of a block the destinations of a type are the first of
// its sources, so a t from a type to itself gives a block again; any other is a relation
// ([Graph.Relation]). A homogeneous g gives what [Hetero.Relation] does.
//
// It is an error if g has no types or not as many as there are names, if a name of a
// vertex type is given twice, or if an edge leads between other vertex types than its
// type says. O(V + E), the first time; the graphs are kept with g.
func RelationsOf(g *Graph, vertexTypes []string, edgeTypes []EdgeType) ([]*Graph, error) {
	if g == nil {
		return nil, errors.New("graph: RelationsOf: the graph is nil")
	}
	r := g.Keep(keyOfRelations(vertexTypes, edgeTypes), func() any {
		relations, err := g.splitByRelation(vertexTypes, edgeTypes)
		return splitRelations{relations, err}
	}).(splitRelations)
	return slices.Clone(r.relations), r.err
}

// relationsKey tells the names that a graph is split by.
type relationsKey string

func keyOfRelations(vertexTypes []string, edgeTypes []EdgeType) relationsKey {
	var b []byte
	for _, name := range vertexTypes {
		b = strconv.AppendQuote(b, name)
	}
	for _, t := range edgeTypes {
		b = append(b, ' ')
		for _, name := range []string{t.Src, t.Name, t.Dst} {
			b = strconv.AppendQuote(b, name)
		}
	}
	return relationsKey(b)
}

type splitRelations struct {
	relations []*Graph
	err       error
}

func (g *Graph) splitByRelation(vertexTypes []string, edgeTypes []EdgeType) ([]*Graph, error) {
	fail := func(format string, args ...any) ([]*Graph, error) {
		return nil, fmt.Errorf("graph: RelationsOf: "+format, args...)
	}
	if err := g.checkNames(vertexTypes, edgeTypes); err != nil {
		return fail("%w", err)
	}
	number := make(map[string]int, len(vertexTypes))
	for i, name := range vertexTypes {
		if _, twice := number[name]; twice {
			return fail("vertex type %q is given twice", name)
		}
		number[name] = i
	}
	sources, localSrc := within(g.SrcByType())
	destinations, localDst := sources, localSrc
	if g.IsBipartite() {
		destinations, localDst = within(g.DstByType())
	}
	relations := make([]*Graph, len(edgeTypes))
	for r, t := range edgeTypes {
		from, known := number[t.Src]
		to, alsoKnown := number[t.Dst]
		if !known || !alsoKnown {
			return fail("edge type %v: the vertex types are %q", t, vertexTypes)
		}
		src, dst, err := g.endsWithin(r, t, vertexTypes, localSrc, localDst)
		if err != nil {
			return fail("%w", err)
		}
		if from == to && !g.IsBipartite() {
			relations[r], err = New(len(sources[from]), src, dst)
		} else {
			relations[r], err = NewBipartite(len(sources[from]), len(destinations[to]), src, dst)
		}
		if err != nil {
			panic("BUG: graph: a valid graph has an invalid relation: " + err.Error())
		}
		if from != to {
			relations[r].relation = t
		}
	}
	return relations, nil
}

// checkNames is an error unless vertices and edges have as many types as there are names.
func (g *Graph) checkNames(vertexTypes []string, edgeTypes []EdgeType) error {
	switch {
	case g.srcTypes == nil || g.dstTypes == nil || g.edgeTypes == nil:
		return errors.New("the graph needs types of vertices and of edges")
	case g.numSrcTypes != len(vertexTypes) || g.numDstTypes != len(vertexTypes):
		return fmt.Errorf("%d names for %d vertex types", len(vertexTypes), max(g.numSrcTypes, g.numDstTypes))
	case g.numEdgeTypes != len(edgeTypes):
		return fmt.Errorf("%d names for %d edge types", len(edgeTypes), g.numEdgeTypes)
	}
	return nil
}

// endsWithin are the ends of the edges of type r, which is t, by the numbers that vertices
// have within their types.
func (g *Graph) endsWithin(r int, t EdgeType, vertexTypes []string, localSrc, localDst []int32) (src, dst []int32, err error) {
	ids := g.EdgesByType().OfType(r)
	src, dst = make([]int32, len(ids)), make([]int32, len(ids))
	for i, e := range ids {
		u, v := g.src[e], g.dst[e]
		if from, to := vertexTypes[g.srcTypes[u]], vertexTypes[g.dstTypes[v]]; from != t.Src || to != t.Dst {
			return nil, nil, fmt.Errorf("edge %d of type %v leads from a vertex of type %q to one of type %q", e, t, from, to)
		}
		src[i], dst[i] = localSrc[u], localDst[v]
	}
	return src, dst, nil
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
