// Transforms: each returns a new graph and tells where its edges come from.

package graph

import (
	"fmt"
	"math"
	"slices"
)

// derive builds a graph of the same vertices and types of vertices from edges
// that are known to be valid; it takes ownership of the (padded) lists. The
// vertices being the same, so is their order by type.
func (g *Graph) derive(src, dst, edgeTypes []int32, numEdgeTypes int) *Graph {
	d := &Graph{
		numSrc: g.numSrc, numDst: g.numDst, bipartite: g.bipartite, relation: g.relation,
		src: src, dst: dst,
		edgeTypes: edgeTypes, numEdgeTypes: numEdgeTypes,
		srcTypes: g.srcTypes, numSrcTypes: g.numSrcTypes,
		dstTypes: g.dstTypes, numDstTypes: g.numDstTypes,
		srcByType: g.srcByType, dstByType: g.dstByType,
	}
	return d.withLazyEdges()
}

// keep returns the graph of the edges that are named, in that order.
func (g *Graph) keep(edges []int32) *Graph {
	var types []int32
	if g.edgeTypes != nil {
		types = pick(g.edgeTypes, edges)
	}
	return g.derive(pick(g.src, edges), pick(g.dst, edges), types, g.numEdgeTypes)
}

func pick(values, index []int32) []int32 {
	out := padded(len(index))
	for i, e := range index {
		out[i] = values[e]
	}
	return out
}

func iota32(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// AddSelfLoops returns the graph with one more edge (v, v) for every vertex v,
// also where v has a self-loop already, after the old edges and in order of v
// (Kipf and Welling 2017: A + I). edges maps each edge of the result to the
// old edge it is, -1 for the added ones. If edges have types, the added ones
// are of a new type, the last. It panics with a *BipartiteError on a bipartite
// graph. O(V + E).
func (g *Graph) AddSelfLoops() (out *Graph, edges []int32) {
	g.needHomogeneous("AddSelfLoops")
	n, e := g.numSrc, len(g.src)
	mustCount("edges", int64(n)+int64(e))
	src, dst := padded(e+n), padded(e+n)
	copy(src, g.src)
	copy(dst, g.dst)
	edges = iota32(e + n)
	for v := range n {
		src[e+v], dst[e+v], edges[e+v] = int32(v), int32(v), -1
	}
	if g.edgeTypes == nil {
		return g.derive(src, dst, nil, 0), edges
	}
	mustCount("edge types", int64(g.numEdgeTypes)+1)
	types := padded(e + n)
	copy(types, g.edgeTypes)
	for v := range n {
		types[e+v] = int32(g.numEdgeTypes)
	}
	return g.derive(src, dst, types, g.numEdgeTypes+1), edges
}

// RemoveSelfLoops returns the graph without edges (v, v), the others in their
// order. edges maps each edge of the result to the old edge it is. It panics
// with a *BipartiteError on a bipartite graph. O(V + E).
func (g *Graph) RemoveSelfLoops() (out *Graph, edges []int32) {
	g.needHomogeneous("RemoveSelfLoops")
	edges = make([]int32, 0, len(g.src))
	for e, u := range g.src {
		if u != g.dst[e] {
			edges = append(edges, int32(e))
		}
	}
	return g.keep(edges), edges
}

// Reverse returns the graph with every edge turned round. Edges keep their
// ids, so edges is the identity; a bipartite graph swaps its sides. What was
// built for one of the two graphs is shared by the other. O(E).
func (g *Graph) Reverse() (out *Graph, edges []int32) {
	r := *g
	r.numSrc, r.numDst = g.numDst, g.numSrc
	r.src, r.dst = g.dst, g.src
	r.relation.Src, r.relation.Dst = g.relation.Dst, g.relation.Src
	r.srcTypes, r.dstTypes = g.dstTypes, g.srcTypes
	r.numSrcTypes, r.numDstTypes = g.numDstTypes, g.numSrcTypes
	r.srcByType, r.dstByType = g.dstByType, g.srcByType
	r.in, r.out, r.kept, r.keptOfReversed = g.out, g.in, g.keptOfReversed, g.kept
	return &r, iota32(len(g.src))
}

// arcOrder returns the edges sorted by (a, b, type), equal ones in order of
// ids, where a and b are the ends of edges in either order: three stable
// counting sorts. O(V + E + types).
func (g *Graph) arcOrder(a []int32, numA int, b []int32, numB int) []int32 {
	var perm []int32
	if g.edgeTypes != nil {
		perm = g.EdgesByType().Order
	}
	return sortBy(sortBy(perm, b, numB), a, numA)
}

// compareArcs orders arc (a1[i], b1[i]) against (a2[j], b2[j]), then by type.
func (g *Graph) compareArcs(a1, b1 []int32, i int32, a2, b2 []int32, j int32) int {
	switch {
	case a1[i] != a2[j]:
		return int(a1[i]) - int(a2[j])
	case b1[i] != b2[j]:
		return int(b1[i]) - int(b2[j])
	case g.edgeTypes != nil:
		return int(g.edgeTypes[i]) - int(g.edgeTypes[j])
	}
	return 0
}

// Simplify returns the graph without duplicates: of edges with the same
// source, destination and type the first is kept, in the old order. Self-loops
// stay. edges maps each edge of the result to the old edge it is. O(V + E +
// types).
func (g *Graph) Simplify() (out *Graph, edges []int32) {
	order := g.arcOrder(g.src, g.numSrc, g.dst, g.numDst)
	first := make([]bool, len(order))
	for i, e := range order {
		first[e] = i == 0 || g.compareArcs(g.src, g.dst, order[i-1], g.src, g.dst, e) != 0
	}
	edges = make([]int32, 0, len(order))
	for e, keep := range first {
		if keep {
			edges = append(edges, int32(e))
		}
	}
	return g.keep(edges), edges
}

// Symmetrize returns the graph with the reverse (v, u) of every edge (u, v),
// of the same type, that is not there already; each is added once, after the
// old edges, in the order of the first edge it reverses. Old edges all stay,
// duplicates included. edges maps each edge of the result to the old edge it
// is or, if added, reverses: the edge whose features it should get. Doing it
// twice changes nothing more. It panics with a *BipartiteError on a bipartite
// graph. O(V + E + types).
func (g *Graph) Symmetrize() (out *Graph, edges []int32) {
	g.needHomogeneous("Symmetrize")
	n := g.numSrc
	have := g.arcOrder(g.src, n, g.dst, n) // the arcs (u, v), sorted
	want := g.arcOrder(g.dst, n, g.src, n) // the arcs (v, u), sorted
	missing := make([]bool, len(want))
	added := 0
	for i, h := 0, 0; i < len(want); i++ {
		e := want[i]
		if i > 0 && g.compareArcs(g.dst, g.src, want[i-1], g.dst, g.src, e) == 0 {
			continue
		}
		for h < len(have) && g.compareArcs(g.src, g.dst, have[h], g.dst, g.src, e) < 0 {
			h++
		}
		if h == len(have) || g.compareArcs(g.src, g.dst, have[h], g.dst, g.src, e) != 0 {
			missing[e] = true
			added++
		}
	}
	old := len(g.src)
	mustCount("edges", int64(old)+int64(added))
	edges = make([]int32, old, old+added)
	copy(edges, iota32(old))
	for e, m := range missing {
		if m {
			edges = append(edges, int32(e))
		}
	}
	out = g.keep(edges)
	for i := old; i < len(edges); i++ {
		out.src[i], out.dst[i] = out.dst[i], out.src[i]
	}
	return out, edges
}

// Subgraph returns the graph induced by the given vertices: vertex i of the
// result is vertices[i], and the edges are those with both ends among them, in
// their order. edges maps each edge of the result to the old edge it is. A
// vertex out of range or given twice is an error. It panics with a
// *BipartiteError on a bipartite graph. O(V + E).
func (g *Graph) Subgraph(vertices []int32) (out *Graph, edges []int32, err error) {
	g.needHomogeneous("Subgraph")
	const absent = -1
	id := make([]int32, g.numSrc) // old vertex -> new vertex
	for v := range id {
		id[v] = absent
	}
	for i, v := range vertices {
		if uint(v) >= uint(g.numSrc) {
			return nil, nil, fmt.Errorf("graph: Subgraph: entry %d: vertex %d out of range [0, %d)", i, v, g.numSrc)
		}
		if id[v] != absent {
			return nil, nil, fmt.Errorf("graph: Subgraph: entries %d and %d are the same vertex %d", id[v], i, v)
		}
		id[v] = int32(i)
	}
	edges = []int32{}
	for e, u := range g.src {
		if id[u] != absent && id[g.dst[e]] != absent {
			edges = append(edges, int32(e))
		}
	}
	out = g.keep(edges)
	for i := range edges {
		out.src[i], out.dst[i] = id[out.src[i]], id[out.dst[i]]
	}
	out.numSrc, out.numDst = len(vertices), len(vertices)
	if g.srcTypes != nil {
		out.srcTypes = pick(g.srcTypes, vertices)
		out.dstTypes = out.srcTypes
	}
	return out.withLazyParts(), edges, nil
}

// EdgeSubgraph returns the graph of the same vertices and the given edges: edge i of the
// result is edges[i], and what there is for each edge goes along in this order. An edge
// out of range or given twice is an error. O(V + E).
func (g *Graph) EdgeSubgraph(edges []int32) (*Graph, error) {
	at := make([]int32, len(g.src)) // 1 + the entry of each edge, 0 for none
	for i, e := range edges {
		if uint(e) >= uint(len(g.src)) {
			return nil, fmt.Errorf("graph: EdgeSubgraph: entry %d: edge %d out of range [0, %d)", i, e, len(g.src))
		}
		if at[e] != 0 {
			return nil, fmt.Errorf("graph: EdgeSubgraph: entries %d and %d are the same edge %d", at[e]-1, i, e)
		}
		at[e] = int32(i) + 1
	}
	return g.keep(edges), nil
}

// SortEdges returns the graph with its edges in the order of In: by destination, of one destination
// by type, then as they were. edges maps each edge of the result to the old edge it is; what
// there is for each edge has to be brought into this order. Programs read it where it lies then, in
// sums over in-edges, and need not pick it for each edge, which for a weight takes up to half of the
// sum. Sums over out-edges, as in backward passes, pick it; those of a graph whose edges are in the
// order of sources do not. Sort last: AddSelfLoops and other transforms append edges. O(V + E).
func (g *Graph) SortEdges() (out *Graph, edges []int32) {
	edges = slices.Clone(g.In().EdgeIDs)
	return g.keep(edges), edges
}

// SymNorm returns the weight of every edge (u, v) in the symmetric
// normalisation D^-1/2 A D^-1/2 of Kipf and Welling (2017), in order of edge
// ids: (deg(u) deg(v))^-1/2 with in-degrees, 0 where one is 0. A source of a
// bipartite graph has no in-degree: its out-degree is used. Call it on the
// result of AddSelfLoops for the paper's renormalised form. O(V + E).
func (g *Graph) SymNorm() []float32 {
	dst := g.InDegrees()
	src := dst
	if g.bipartite {
		src = g.OutDegrees()
	}
	w := make([]float32, len(g.src))
	for e, u := range g.src {
		if d := float64(src[u]) * float64(dst[g.dst[e]]); d > 0 {
			w[e] = float32(1 / math.Sqrt(d))
		}
	}
	return w
}
