// Splits of the links of one relation of a heterogeneous graph.

package data

import (
	"errors"
	"fmt"

	"github.com/asterias-ml/asterias/graph"
)

// HeteroLinkSplit is what [RandomHeteroLinkSplit] makes.
type HeteroLinkSplit struct{ Train, Val, Test HeteroLinkPart }

// HeteroLinkPart is one part of a split, as [LinkPart].
type HeteroLinkPart struct {
	// Graph has all vertices and the edges that are known: of the relation that was split,
	// and its inverse, those that a [LinkPart] has, of the others all.
	Graph *graph.Hetero

	// Edges are, for each relation, the edge of the whole graph's relation that each edge
	// of Graph's is, ascending.
	Edges map[graph.EdgeType][]int32

	// Links go from vertex Src[i] of the relation's source type to vertex Dst[i] of its
	// destination type, numbered within their types; first the true ones, in order of their
	// first edges, then the false ones. A link of a relation that is Undirected, or its own
	// inverse, is there once, from its smaller vertex to its larger.
	Links  Links
	Labels []float32 // 1 for a true link, 0 for a false one
}

// RandomHeteroLinkSplit splits the edges of one relation of a heterogeneous graph into
// links for training, validation and testing, as [RandomLinkSplit] does those of a
// homogeneous one; edges of other relations are in the graphs of all parts.
//
// The inverse is the relation whose edges say what those of the first do, turned round, as
// (movie, rated_by, user) of (user, rates, movie): an edge of it is in a graph if its link
// is known there, so that it tells of no other. It is zero if there is none, and the relation
// itself if its edges are true both ways but not each has one back. These two are PyG's
// edge_types and rev_edge_types. A link of which there is an edge of the inverse alone is a
// link, too.
//
// False links are drawn evenly from all pairs of the relation's types that no edge of it, or
// of its inverse, joins. Errors are those of RandomLinkSplit, and a *[graph.UnknownTypeError]
// for a relation that h does not have; Inverse of the configuration stays nil. O(V + E log E)
// and what RandomLinkSplit says of false links.
func RandomHeteroLinkSplit(h *graph.Hetero, relation, inverse graph.EdgeType, c LinkSplitConfig) (*HeteroLinkSplit, error) {
	const op = "RandomHeteroLinkSplit"
	s, err := splitHeteroLinks(h, relation, inverse, c, op)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return s, nil
}

func splitHeteroLinks(h *graph.Hetero, relation, inverse graph.EdgeType, c LinkSplitConfig, op string) (*HeteroLinkSplit, error) {
	if h == nil {
		return nil, errors.New("the graph is nil")
	}
	if err := wantRelations(h, "links", relation); err != nil {
		return nil, err
	}
	oneType, none := relation.Src == relation.Dst, inverse == graph.EdgeType{}
	if !none {
		if err := wantRelations(h, "inverse", inverse); err != nil {
			return nil, err
		}
	}
	switch {
	case c.Inverse != nil:
		return nil, errors.New("an Inverse by numbers of edge types; want it as a relation")
	case c.Undirected && !oneType:
		return nil, fmt.Errorf("%v cannot be Undirected: it leads from one vertex type to another", relation)
	case !none && (inverse.Src != relation.Dst || inverse.Dst != relation.Src):
		return nil, fmt.Errorf("%v is no inverse of %v, which leads from %q to %q", inverse, relation, relation.Src, relation.Dst)
	}
	g, err := pairGraph(h, relation, inverse)
	if err != nil {
		return nil, err
	}
	switch {
	case inverse == relation:
		c.Inverse = []int32{0}
	case !none:
		c.Inverse = []int32{1, 0}
	}
	split, err := splitLinks(g, c, op)
	if err != nil {
		return nil, err
	}
	whole := map[graph.EdgeType][]int32{}
	for _, t := range h.EdgeTypes() {
		if t != relation && t != inverse {
			whole[t] = appendRange([]int32{}, 0, int32(h.NumEdges(t)))
		}
	}
	out := &HeteroLinkSplit{}
	for _, p := range []struct {
		from *LinkPart
		to   *HeteroLinkPart
	}{{&split.Train, &out.Train}, {&split.Val, &out.Val}, {&split.Test, &out.Test}} {
		if *p.to, err = heteroPart(h, relation, inverse, p.from, whole); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pairGraph is the homogeneous graph of a relation's edges, of type 0 if they have types,
// and then those of its inverse, of type 1, between vertices of the source type and then
// those of the destination type.
func pairGraph(h *graph.Hetero, relation, inverse graph.EdgeType) (*graph.Graph, error) {
	r := h.Relation(relation)
	sources, n := int32(r.NumSrc()), r.NumSrc()
	first := int32(0) // destination
	if relation.Src != relation.Dst {
		first, n = sources, n+r.NumDst()
	}
	var src, dst []int32
	for e, u := range r.Src() {
		src, dst = append(src, u), append(dst, first+r.Dst()[e])
	}
	var opts []graph.Option
	if (inverse != graph.EdgeType{}) {
		types, numTypes := make([]int32, len(src)), 1
		if inverse != relation {
			back := h.Relation(inverse)
			for e, v := range back.Src() {
				src, dst, types = append(src, first+v), append(dst, back.Dst()[e]), append(types, 1)
			}
			numTypes = 2
		}
		opts = append(opts, graph.WithEdgeTypes(types, numTypes))
	}
	if relation.Src != relation.Dst {
		types := make([]int32, n)
		for v := sources; v < int32(n); v++ {
			types[v] = 1
		}
		opts = append(opts, graph.WithVertexTypes(types, 2))
	}
	return graph.New(n, src, dst, opts...)
}

// heteroPart is a part of the split of a pairGraph, with the whole of the other relations.
func heteroPart(h *graph.Hetero, relation, inverse graph.EdgeType, p *LinkPart, whole map[graph.EdgeType][]int32) (HeteroLinkPart, error) {
	edges := map[graph.EdgeType][]int32{relation: {}}
	if (inverse != graph.EdgeType{}) && inverse != relation {
		edges[inverse] = []int32{}
	}
	n := int32(h.NumEdges(relation))
	for _, e := range p.Edges {
		if e < n {
			edges[relation] = append(edges[relation], e)
		} else {
			edges[inverse] = append(edges[inverse], e-n)
		}
	}
	var b graph.HeteroBuilder
	for _, name := range h.VertexTypes() {
		b.Vertices(name, h.NumVertices(name))
	}
	for _, t := range h.EdgeTypes() {
		r := h.Relation(t)
		if ids, all := whole[t]; all {
			edges[t] = ids
			b.Edges(t, r.Src(), r.Dst())
		} else {
			b.Edges(t, valuesAt(r.Src(), edges[t]), valuesAt(r.Dst(), edges[t]))
		}
	}
	g, err := b.Build()
	out := HeteroLinkPart{Graph: g, Edges: edges, Links: Links{Src: p.Links.Src, Dst: p.Links.Dst}, Labels: p.Labels}
	if relation.Src != relation.Dst {
		for i := range out.Links.Dst {
			out.Links.Dst[i] -= int32(h.NumVertices(relation.Src))
		}
	}
	return out, err
}
