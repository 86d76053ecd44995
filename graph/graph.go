// The graph itself: construction with validation, and accessors.

package graph

import (
	"errors"
	"fmt"
)

// padding is the number of readable zero entries behind every list of ids, so
// that kernels may prefetch ahead without a bounds check per edge.
const padding = 32

// Graph is the structure of a directed multigraph: edge e goes from source
// Src()[e] to destination Dst()[e]. It is immutable and safe for concurrent
// use.
type Graph struct {
	numSrc, numDst int
	bipartite      bool
	relation       EdgeType // zero unless the two sides are different types of vertices
	src, dst       []int32

	edgeTypes []int32 // nil if edges have no types
	srcTypes  []int32 // nil if sources have no types; the same as dstTypes if homogeneous
	dstTypes  []int32

	numEdgeTypes, numSrcTypes, numDstTypes int

	in, out *lazyCSR   // shared with the reversed graph
	local   *lazyLocal // so is this

	kept, keptOfReversed *lazyKept // the reversed graph has them the other way round

	edgesByType          *lazyOrder // shared with the CSRs and the reversed graph
	srcByType, dstByType *lazyOrder // shared with graphs of the same vertices; the same if homogeneous
}

// An Option adds types to a graph that is being built.
type Option func(*settings)

// settings is what options write; build validates it.
type settings struct {
	edge, vertex, src, dst *typing
}

// typing is one list of types and the number of types it draws from.
type typing struct {
	types []int32
	n     int
}

// WithEdgeTypes gives edge e the type types[e] in [0, n). Some types may have
// no edge. Edges keep their ids, but both CSRs list the edges of a row in order
// of (type, id) instead of id.
func WithEdgeTypes(types []int32, n int) Option {
	return func(s *settings) { s.edge = &typing{types, n} }
}

// WithVertexTypes gives vertex v of a homogeneous graph the type types[v] in
// [0, n).
func WithVertexTypes(types []int32, n int) Option {
	return func(s *settings) { s.vertex = &typing{types, n} }
}

// WithSrcTypes gives source u of a bipartite graph the type types[u] in [0, n).
func WithSrcTypes(types []int32, n int) Option {
	return func(s *settings) { s.src = &typing{types, n} }
}

// WithDstTypes gives destination v of a bipartite graph the type types[v] in
// [0, n).
func WithDstTypes(types []int32, n int) Option {
	return func(s *settings) { s.dst = &typing{types, n} }
}

// New builds a graph over vertices [0, numVertices) whose edge e goes from
// src[e] to dst[e]. The lists are copied. It is an error, naming the edge, if
// an end is out of range, and an error if the lists differ in length or if
// vertices or edges exceed math.MaxInt32. O(V + E).
func New(numVertices int, src, dst []int32, opts ...Option) (*Graph, error) {
	if err := checkCount("vertices", int64(numVertices)); err != nil {
		return nil, err
	}
	return build(numVertices, numVertices, false, src, dst, opts)
}

// NewBipartite builds a graph whose edge e goes from source src[e] in
// [0, numSrc) to destination dst[e] in [0, numDst); the two are numbered
// separately. Errors are as for New, and the sum of both counts must not
// exceed math.MaxInt32. O(V + E).
func NewBipartite(numSrc, numDst int, src, dst []int32, opts ...Option) (*Graph, error) {
	if err := checkCount("sources", int64(numSrc)); err != nil {
		return nil, err
	}
	if err := checkCount("destinations", int64(numDst)); err != nil {
		return nil, err
	}
	if err := checkCount("vertices", int64(numSrc)+int64(numDst)); err != nil {
		return nil, err
	}
	return build(numSrc, numDst, true, src, dst, opts)
}

func build(numSrc, numDst int, bipartite bool, src, dst []int32, opts []Option) (*Graph, error) {
	if len(src) != len(dst) {
		return nil, fmt.Errorf("graph: %d sources but %d destinations of edges", len(src), len(dst))
	}
	if err := checkCount("edges", int64(len(src))); err != nil {
		return nil, err
	}
	for e, u := range src {
		if uint(u) >= uint(numSrc) {
			return nil, fmt.Errorf("graph: edge %d: source %d out of range [0, %d)", e, u, numSrc)
		}
		if v := dst[e]; uint(v) >= uint(numDst) {
			return nil, fmt.Errorf("graph: edge %d: destination %d out of range [0, %d)", e, v, numDst)
		}
	}
	var s settings
	for i, o := range opts {
		if o == nil {
			return nil, fmt.Errorf("graph: option %d is nil", i)
		}
		o(&s)
	}
	switch {
	case bipartite && s.vertex != nil:
		return nil, errors.New("graph: WithVertexTypes on a bipartite graph: use WithSrcTypes and WithDstTypes")
	case !bipartite && (s.src != nil || s.dst != nil):
		return nil, errors.New("graph: WithSrcTypes or WithDstTypes on a homogeneous graph: use WithVertexTypes")
	case !bipartite:
		s.src = s.vertex
	}
	for _, c := range []struct {
		what string
		t    *typing
		size int
	}{{"edge", s.edge, len(src)}, {"vertex", s.vertex, numSrc}, {"source", s.src, numSrc}, {"destination", s.dst, numDst}} {
		if err := c.t.check(c.what, c.size); err != nil {
			return nil, err
		}
	}

	g := &Graph{numSrc: numSrc, numDst: numDst, bipartite: bipartite, src: paddedCopy(src), dst: paddedCopy(dst)}
	g.edgeTypes, g.numEdgeTypes = s.edge.copied()
	g.srcTypes, g.numSrcTypes = s.src.copied()
	if bipartite {
		g.dstTypes, g.numDstTypes = s.dst.copied()
	} else {
		g.dstTypes, g.numDstTypes = g.srcTypes, g.numSrcTypes
	}
	return g.withLazyParts(), nil
}

// withLazyParts attaches what is built from the graph's edges and types when it
// is first needed.
func (g *Graph) withLazyParts() *Graph {
	g.srcByType = &lazyOrder{types: g.srcTypes, numTypes: g.numSrcTypes, size: g.numSrc}
	g.dstByType = g.srcByType
	if g.bipartite {
		g.dstByType = &lazyOrder{types: g.dstTypes, numTypes: g.numDstTypes, size: g.numDst}
	}
	return g.withLazyEdges()
}

// withLazyEdges is withLazyParts for a graph that has the orders of its vertices.
func (g *Graph) withLazyEdges() *Graph {
	g.edgesByType = &lazyOrder{types: g.edgeTypes, numTypes: g.numEdgeTypes, size: len(g.src)}
	all := &struct {
		in, out              lazyCSR
		local                lazyLocal
		kept, keptOfReversed lazyKept
	}{}
	g.in, g.out, g.local, g.kept, g.keptOfReversed = &all.in, &all.out, &all.local, &all.kept, &all.keptOfReversed
	*g.in = lazyCSR{numRows: g.numDst, numCols: g.numSrc, rows: g.dst, cols: g.src, byType: g.edgesByType}
	*g.out = lazyCSR{numRows: g.numSrc, numCols: g.numDst, rows: g.src, cols: g.dst, byType: g.edgesByType}
	g.local.in, g.local.out = g.in, g.out
	return g
}

func (t *typing) check(what string, size int) error {
	if t == nil {
		return nil
	}
	if err := checkCount(what+" types", int64(t.n)); err != nil {
		return err
	}
	if len(t.types) != size {
		return fmt.Errorf("graph: %d %s types given, want %d", len(t.types), what, size)
	}
	for i, x := range t.types {
		if uint(x) >= uint(t.n) {
			return fmt.Errorf("graph: %s %d: type %d out of range [0, %d)", what, i, x, t.n)
		}
	}
	return nil
}

func (t *typing) copied() ([]int32, int) {
	if t == nil {
		return nil, 0
	}
	return paddedCopy(t.types), t.n
}

// padded returns n zero entries with padding more behind them.
func padded(n int) []int32 { return make([]int32, n+padding)[:n] }

func paddedCopy(ids []int32) []int32 {
	out := padded(len(ids))
	copy(out, ids)
	return out
}

// NumVertices returns the number of vertices; of a bipartite graph, sources
// and destinations together.
func (g *Graph) NumVertices() int {
	if g.bipartite {
		return g.numSrc + g.numDst
	}
	return g.numSrc
}

// NumSrc returns the number of vertices an edge may leave.
func (g *Graph) NumSrc() int { return g.numSrc }

// NumDst returns the number of vertices an edge may enter.
func (g *Graph) NumDst() int { return g.numDst }

// NumEdges returns the number of edges (arcs: an undirected edge counts as two).
func (g *Graph) NumEdges() int { return len(g.src) }

// IsBipartite tells whether sources and destinations are two separate sets.
func (g *Graph) IsBipartite() bool { return g.bipartite }

// Relation returns the edge type whose edges the graph has, if it is that of a [Hetero]
// between two types of vertices, or the reverse of such a one, and false otherwise. Of
// such a graph source i and destination i are different vertices; those of other bipartite
// graphs may be the same one, as they are in the blocks of neighbour sampling.
func (g *Graph) Relation() (t EdgeType, ok bool) { return g.relation, g.relation != EdgeType{} }

// Src returns the source of every edge, in order of edge ids. Read-only.
func (g *Graph) Src() []int32 { return g.src }

// Dst returns the destination of every edge, in order of edge ids. Read-only.
func (g *Graph) Dst() []int32 { return g.dst }

// EdgeTypes returns the type of every edge, or nil if edges have no types.
// Read-only.
func (g *Graph) EdgeTypes() []int32 { return g.edgeTypes }

// NumEdgeTypes returns the number of edge types, 0 if edges have no types.
func (g *Graph) NumEdgeTypes() int { return g.numEdgeTypes }

// VertexTypes returns the type of every vertex of a homogeneous graph, or nil
// if vertices have no types. It panics with a *BipartiteError on a bipartite
// graph, whose two sides have SrcTypes and DstTypes. Read-only.
func (g *Graph) VertexTypes() []int32 {
	g.needHomogeneous("VertexTypes")
	return g.srcTypes
}

// NumVertexTypes returns the number of vertex types of a homogeneous graph, 0
// if vertices have no types. It panics with a *BipartiteError on a bipartite
// graph.
func (g *Graph) NumVertexTypes() int {
	g.needHomogeneous("NumVertexTypes")
	return g.numSrcTypes
}

// SrcTypes returns the type of every source, or nil if they have none; for a
// homogeneous graph the types of the vertices. Read-only.
func (g *Graph) SrcTypes() []int32 { return g.srcTypes }

// NumSrcTypes returns the number of types of sources, 0 if they have none.
func (g *Graph) NumSrcTypes() int { return g.numSrcTypes }

// DstTypes returns the type of every destination, or nil if they have none;
// for a homogeneous graph the types of the vertices. Read-only.
func (g *Graph) DstTypes() []int32 { return g.dstTypes }

// NumDstTypes returns the number of types of destinations, 0 if they have none.
func (g *Graph) NumDstTypes() int { return g.numDstTypes }

// In returns the CSR by destination: row v holds the edges that enter v, its
// neighbours are their sources. Built once, O(V + E + edge types).
func (g *Graph) In() *CSR { return g.in.get() }

// Out returns the reverse CSR, by source: row u holds the edges that leave u,
// its neighbours are their destinations. Built once, O(V + E + edge types).
func (g *Graph) Out() *CSR { return g.out.get() }

// InDegrees returns the number of edges that enter each destination. Built
// once, with In. Read-only.
func (g *Graph) InDegrees() []int32 { return g.In().Degrees() }

// OutDegrees returns the number of edges that leave each source. Built once,
// with Out. Read-only.
func (g *Graph) OutDegrees() []int32 { return g.Out().Degrees() }

// EdgesByType returns the ids of edges in order of (type, id). Built once,
// O(E + edge types).
func (g *Graph) EdgesByType() *TypeOrder { return g.edgesByType.get() }

// SrcByType returns the sources in order of (type, id); for a homogeneous graph
// the vertices, the same object as DstByType. Built once, O(V + types).
func (g *Graph) SrcByType() *TypeOrder { return g.srcByType.get() }

// DstByType returns the destinations in order of (type, id); for a homogeneous
// graph the vertices, the same object as SrcByType. Built once, O(V + types).
func (g *Graph) DstByType() *TypeOrder { return g.dstByType.get() }

// String describes the graph in a few words, such as "graph(34 vertices, 156
// edges)".
func (g *Graph) String() string {
	if g.bipartite {
		return fmt.Sprintf("graph(%d sources, %d destinations, %d edges)", g.numSrc, g.numDst, len(g.src))
	}
	return fmt.Sprintf("graph(%d vertices, %d edges)", g.numSrc, len(g.src))
}

func (g *Graph) needHomogeneous(op string) {
	if g.bipartite {
		panic(&BipartiteError{Op: op})
	}
}
