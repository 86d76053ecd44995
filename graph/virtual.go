// The virtual vertex.

package graph

// AddVirtualVertex returns the graph with one more vertex, the last, which an edge joins with
// every other one each way: first the edges to it, behind the old ones, then those from it,
// both in order of the others (Gilmer et al. 2017; PyG's VirtualNode). Messages between any two
// vertices then take two steps. edges maps each edge of the result to the old edge it is, -1 for
// the added ones. If edges have types, those to the vertex are of a new one, and those from
// it of another, the last; if vertices have types, the vertex is of a new one. It panics with a
// *BipartiteError on a bipartite graph. O(V + E).
func (g *Graph) AddVirtualVertex() (out *Graph, edges []int32) {
	g.needHomogeneous("AddVirtualVertex")
	n, e := g.numSrc, len(g.src)
	mustCount("vertices", int64(n)+1)
	mustCount("edges", int64(e)+2*int64(n))
	out = &Graph{numSrc: n + 1, numDst: n + 1, src: padded(e + 2*n), dst: padded(e + 2*n)}
	copy(out.src, g.src)
	copy(out.dst, g.dst)
	edges = iota32(e + 2*n)
	for v := range n {
		to, from := e+v, e+n+v
		out.src[to], out.dst[to], edges[to] = int32(v), int32(n), -1
		out.src[from], out.dst[from], edges[from] = int32(n), int32(v), -1
	}
	if g.edgeTypes != nil {
		mustCount("edge types", int64(g.numEdgeTypes)+2)
		out.edgeTypes, out.numEdgeTypes = padded(e+2*n), g.numEdgeTypes+2
		copy(out.edgeTypes, g.edgeTypes)
		for v := range n {
			out.edgeTypes[e+v], out.edgeTypes[e+n+v] = int32(g.numEdgeTypes), int32(g.numEdgeTypes)+1
		}
	}
	if g.srcTypes != nil {
		mustCount("vertex types", int64(g.numSrcTypes)+1)
		out.srcTypes, out.numSrcTypes = padded(n+1), g.numSrcTypes+1
		copy(out.srcTypes, g.srcTypes)
		out.srcTypes[n] = int32(g.numSrcTypes)
		out.dstTypes, out.numDstTypes = out.srcTypes, out.numSrcTypes
	}
	return out.withLazyParts(), edges
}
