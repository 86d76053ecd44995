package vcentric

// What a vertex function sees: a vertex, its edges, its neighbours.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Vertex stands for one vertex: the centre whose value the function computes,
// or an end of one of its edges.
type Vertex struct {
	t     *tracer
	edges edges        // through which it is reached; none for the centre itself
	res   ir.Residency // Dst for the centre; the end of the edge otherwise
}

// Edge stands for one edge of the centre: an in-edge, whose destination is the
// centre, or an out-edge, whose source it is.
type Edge struct {
	t     *tracer
	edges edges
}

// tracer is the tracer of the program that the vertex belongs to.
func (v Vertex) tracer() *tracer {
	if v.t == nil {
		panic(&ir.Error{Op: "vertex", Detail: "the zero Vertex was used", Pos: callerLine()})
	}
	return v.t
}

// tracer is the tracer of the program that the edge belongs to.
func (e Edge) tracer() *tracer {
	if e.t == nil {
		panic(&ir.Error{Op: "edge", Detail: "the zero Edge was used", Pos: callerLine()})
	}
	return e.t
}

// edges says which of the centre's edges a value belongs to. Values of in-edges
// and of out-edges have nothing to do with each other until they are aggregated.
type edges uint8

const (
	noEdges edges = iota // a value of the centre, or shared by all
	inEdges
	outEdges
)

// dir is the direction of the edges; a value of the centre is one of its in-edges too.
func (e edges) dir() ir.Dir {
	if e == outEdges {
		return ir.Out
	}
	return ir.In
}

func (e edges) String() string { return e.dir().String() + "-edges" }

// Feature is the vertex's row of a tensor bound with VertexFeature (or, on a
// bipartite graph, SrcFeature and DstFeature).
func (v Vertex) Feature(name string) Value { return v.tracer().vertexFeature(name, v) }

// Type is the row, for the vertex's type, of a tensor bound with
// VertexTypeFeature (or, on a bipartite graph, SrcTypeFeature and DstTypeFeature).
func (v Vertex) Type(name string) Value { return v.tracer().vertexType(name, v) }

// InEdges is each edge that ends in the centre.
func (v Vertex) InEdges() Edge {
	v.tracer().centre("InEdges", v)
	return Edge{v.t, inEdges}
}

// OutEdges is each edge that starts in the centre. The graph must be homogeneous.
func (v Vertex) OutEdges() Edge {
	v.tracer().centre("OutEdges", v)
	v.tracer().homogeneous("OutEdges")
	return Edge{v.t, outEdges}
}

// InNeighbors is the source of each edge that ends in the centre; a neighbour
// with several such edges counts once for each.
func (v Vertex) InNeighbors() Vertex {
	v.tracer().centre("InNeighbors", v)
	return Vertex{v.t, inEdges, ir.Src}
}

// OutNeighbors is the destination of each edge that starts in the centre; a
// neighbour with several such edges counts once for each.
func (v Vertex) OutNeighbors() Vertex {
	v.tracer().centre("OutNeighbors", v)
	v.tracer().homogeneous("OutNeighbors")
	return Vertex{v.t, outEdges, ir.Dst}
}

// InDegree is the number of edges that end in the vertex, as a scalar. Where it is 0, its
// Rsqrt is infinite; the norm of PyG and of the sparse matrices of most papers, 0 there, is
//
//	v.InDegree().Maximum(vc.Number(1)).Rsqrt().Mul(v.InDegree().Step())
func (v Vertex) InDegree() Value { return v.tracer().degree(ir.In, v) }

// OutDegree is the number of edges that start in the vertex, as a scalar.
func (v Vertex) OutDegree() Value { return v.tracer().degree(ir.Out, v) }

// Src is the feature of the edge's source.
func (e Edge) Src(name string) Value { return e.SrcVertex().Feature(name) }

// Dst is the feature of the edge's destination.
func (e Edge) Dst(name string) Value { return e.DstVertex().Feature(name) }

// Feature is the edge's row of a tensor bound with EdgeFeature.
func (e Edge) Feature(name string) Value { return e.tracer().edgeFeature(name, e.edges) }

// Type is the row, for the edge's type, of a tensor bound with EdgeTypeFeature.
func (e Edge) Type(name string) Value { return e.tracer().edgeType(name, e.edges) }

// SrcType is the row, for the type of the edge's source, of a tensor bound with
// VertexTypeFeature or SrcTypeFeature.
func (e Edge) SrcType(name string) Value { return e.SrcVertex().Type(name) }

// DstType is the row, for the type of the edge's destination, of a tensor bound
// with VertexTypeFeature or DstTypeFeature.
func (e Edge) DstType(name string) Value { return e.DstVertex().Type(name) }

// TypeDegree is how many of the centre's edges of this direction have the edge's
// type, itself included: c_{v,r} of R-GCN (Schlichtkrull et al. 2018, equation 2).
func (e Edge) TypeDegree() Value { return e.tracer().typeDegree(e.edges) }

// SrcVertex is the vertex the edge starts from.
func (e Edge) SrcVertex() Vertex {
	if e.edges == outEdges {
		return Vertex{e.tracer(), outEdges, ir.Src}
	}
	return Vertex{e.tracer(), inEdges, ir.Src}
}

// DstVertex is the vertex the edge ends in.
func (e Edge) DstVertex() Vertex {
	if e.edges == outEdges {
		return Vertex{e.tracer(), outEdges, ir.Dst}
	}
	return Vertex{e.tracer(), noEdges, ir.Dst} // the centre
}
