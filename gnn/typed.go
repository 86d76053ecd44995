package gnn

// Weights that belong to types of vertices and edges: binding them, and products
// with them as operations of their own.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// ownType binds w [types ...] for the types of the vertices that a layer computes.
func ownType(g *graph.Graph, name string, w *autograd.Var) vc.Binding {
	if g.IsBipartite() {
		return vc.DstTypeFeature(name, w)
	}
	return vc.VertexTypeFeature(name, w)
}

// sourceType binds w [types ...] for the types of the sources of the edges.
func sourceType(g *graph.Graph, name string, w *autograd.Var) vc.Binding {
	if g.IsBipartite() {
		return vc.SrcTypeFeature(name, w)
	}
	return vc.VertexTypeFeature(name, w)
}

// wantEdgeTypes panics unless the edges of g have the given number of types.
func wantEdgeTypes(layer string, g *graph.Graph, types int) {
	if n := g.NumEdgeTypes(); n != types {
		hint := ""
		if n == 0 {
			hint = "; graph.WithEdgeTypes gives edges types"
		}
		misuse(layer, "the graph has %d edge types, the layer takes %d%s", n, types, hint)
	}
}

// wantVertexTypes panics unless the vertices of g have the given number of types.
func wantVertexTypes(layer string, g *graph.Graph, types int) {
	if src, dst := g.NumSrcTypes(), g.NumDstTypes(); src != types || dst != types {
		misuse(layer, "the graph has %d vertex types, the layer takes %d", min(src, dst), types)
	}
}

var (
	typedLinear = vc.Compile("typed linear", func(v vc.Vertex) vc.Value {
		return v.Feature("x").MatMul(v.Type("W"))
	})
	edgeTypedLinear = vc.Compile("edge typed linear", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.AtEdges(e.Src("x").MatMul(e.Type("W")))
	})
)

// TypedLinear multiplies each vertex's features by the weight of its type: row v of
// the result is x_v W_τ(v), [N out], for x [N in] and W [types in out], on a graph
// whose vertices have types. On a block the result has the rows of the destinations.
func TypedLinear(g *graph.Graph, x, weight *autograd.Var) *autograd.Var {
	const name = "TypedLinear"
	wantTypedWeight(name, weight)
	wantFeatures(name, g, x, weight.Shape()[1])
	wantDense(name, "x", x)
	wantVertexTypes(name, g, weight.Shape()[0])
	return typedLinear.Run(g, ownFeature(g, "x", own(g, x)), ownType(g, "W", weight))
}

// EdgeTypedLinear multiplies the features of each edge's source by the weight of the
// edge's type: row e of the result is x_src(e) W_r(e), [E out], for x [NumSrc in] and W
// [types in out], on a graph, homogeneous or bipartite, whose edges have types.
func EdgeTypedLinear(g *graph.Graph, x, weight *autograd.Var) *autograd.Var {
	const name = "EdgeTypedLinear"
	wantTypedWeight(name, weight)
	if g == nil {
		misuse(name, "the graph is nil")
	}
	wantRows(name, "x", x, g.NumSrc(), "sources", weight.Shape()[1]) // of destinations nothing is read
	wantDense(name, "x", x)
	wantEdgeTypes(name, g, weight.Shape()[0])
	return edgeTypedLinear.Run(g, sourceFeature(g, "x", x), vc.EdgeTypeFeature("W", weight))
}

func wantTypedWeight(layer string, w *autograd.Var) {
	switch {
	case w == nil:
		misuse(layer, "the weight is nil")
	case len(w.Shape()) != 3:
		misuse(layer, "the weight has shape %v, want [types in out]", w.Shape())
	}
}
