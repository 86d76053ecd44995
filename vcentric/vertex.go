package vcentric

// What a vertex function sees: a vertex, its edges, its neighbours.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Vertex stands for one vertex: the centre whose value the function computes,
// or a neighbour of it.
type Vertex struct {
	t   *tracer
	res ir.Residency // Dst for the centre, Src for an in-neighbour
}

// Edge stands for one in-edge of the centre, going from a neighbour (its
// source) to the centre (its destination).
type Edge struct{ t *tracer }

// Feature is the vertex's row of a tensor bound with VertexFeature (or, on a
// bipartite graph, SrcFeature and DstFeature).
func (v Vertex) Feature(name string) Value { return v.t.vertexFeature(name, v.res) }

// InEdges is each edge that ends in the centre.
func (v Vertex) InEdges() Edge {
	v.t.centre("InEdges", v)
	return Edge{v.t}
}

// InNeighbors is the source of each edge that ends in the centre; a neighbour
// with several such edges counts once for each.
func (v Vertex) InNeighbors() Vertex {
	v.t.centre("InNeighbors", v)
	return Vertex{v.t, ir.Src}
}

// InDegree is the number of edges that end in the vertex, as a scalar.
func (v Vertex) InDegree() Value { return v.t.degree(ir.In, v.res) }

// OutDegree is the number of edges that start in the vertex, as a scalar.
func (v Vertex) OutDegree() Value { return v.t.degree(ir.Out, v.res) }

// Src is the feature of the edge's source.
func (e Edge) Src(name string) Value { return e.SrcVertex().Feature(name) }

// Dst is the feature of the edge's destination: the centre itself.
func (e Edge) Dst(name string) Value { return e.DstVertex().Feature(name) }

// Feature is the edge's row of a tensor bound with EdgeFeature.
func (e Edge) Feature(name string) Value { return e.t.edgeFeature(name) }

// SrcVertex is the vertex the edge starts from.
func (e Edge) SrcVertex() Vertex { return Vertex{e.t, ir.Src} }

// DstVertex is the vertex the edge ends in: the centre.
func (e Edge) DstVertex() Vertex { return Vertex{e.t, ir.Dst} }
