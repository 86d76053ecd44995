// Sources told apart by the type of the edge: what a layer over features that are
// one-hot has a weight for.

package graph

// SourcesByRelation returns the bipartite graph in which each source stands for
// one source of g and one edge type: source u*NumEdgeTypes()+r for the edges of type
// r that leave u. Destinations, edges with their ids and types, and the types of
// destinations are those of g. A feature for each pair of a vertex and an edge type
// is thereby read as that of a source. It is an error if edges have no types or if
// the pairs exceed math.MaxInt32.
//
// The result shares with g what does not change, and its CSRs are made from those of
// g without sorting: O(V edge types + E), written in order. It is made once and kept with g.
func (g *Graph) SourcesByRelation() (*Graph, error) {
	if g.edgeTypes == nil {
		return nil, &TypesError{Op: "SourcesByRelation", What: "edges"}
	}
	pairs := int64(g.numSrc) * int64(g.numEdgeTypes)
	if err := checkCount("vertices", pairs+int64(g.numDst)); err != nil {
		return nil, err
	}
	return g.Keep(sourcesByRelationKey{}, func() any { return g.sourcesByRelation() }).(*Graph), nil
}

type sourcesByRelationKey struct{}

func (g *Graph) sourcesByRelation() *Graph {
	types := g.numEdgeTypes
	s := &Graph{
		numSrc: g.numSrc * types, numDst: g.numDst, bipartite: true,
		src: padded(len(g.src)), dst: g.dst,
		edgeTypes: g.edgeTypes, numEdgeTypes: g.numEdgeTypes,
		dstTypes: g.dstTypes, numDstTypes: g.numDstTypes,
	}
	for e, u := range g.src {
		s.src[e] = u*int32(types) + g.edgeTypes[e]
	}
	s.withLazyParts()
	s.edgesByType, s.dstByType = g.edgesByType, g.dstByType
	s.in.byType, s.out.byType = g.edgesByType, g.edgesByType
	s.in.once.Do(func() { s.in.csr = g.In().bySourceAndType(types) })
	s.out.once.Do(func() { s.out.csr = g.Out().splitByType(types, g.numDst) })
	return s
}

// bySourceAndType is a CSR by destination whose sources are pairs of a source and
// the edge's type. Rows keep their edges, in the same order.
func (c *CSR) bySourceAndType(types int) *CSR {
	out := &CSR{
		Offsets: c.Offsets, EdgeIDs: c.EdgeIDs, Types: c.Types,
		Neighbors: padded(len(c.Neighbors)), numCols: c.numCols * types, numTypes: types, maxDegree: c.maxDegree,
	}
	for i, u := range c.Neighbors {
		out.Neighbors[i] = u*int32(types) + c.Types[i]
	}
	out.orderOnce.Do(func() { out.order = c.DegreeOrder() }) // the degrees are the same
	return out
}

// splitByType is a CSR by source whose rows are split by the types of their edges:
// these stand in order of types already.
func (c *CSR) splitByType(types, numCols int) *CSR {
	out := &CSR{
		Offsets:   make([]int32, c.NumRows()*types+1),
		Neighbors: c.Neighbors, EdgeIDs: c.EdgeIDs, Types: c.Types, numCols: numCols, numTypes: types,
	}
	at := int32(0)
	for u := range c.NumRows() {
		end := c.Offsets[u+1]
		for r := range types {
			from := at
			for at < end && c.Types[at] == int32(r) {
				at++
			}
			out.Offsets[u*types+r+1] = at
			out.maxDegree = max(out.maxDegree, int(at-from))
		}
	}
	return out
}

// A TypesError reports an operation that needs types of edges or vertices and was
// given a graph without.
type TypesError struct {
	Op, What string
}

func (e *TypesError) Error() string {
	return "graph: " + e.Op + ": " + e.What + " of the graph have no types"
}
