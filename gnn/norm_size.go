package gnn

// The normalisation by the sizes of graphs.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GraphSizeNorm divides by the root of the number of vertices of each graph, as in
// "Benchmarking Graph Neural Networks" (Dwivedi, Joshi, Luu, Laurent, Bengio, Bresson,
// 2020):
//
//	x'_v = x_v / sqrt(|graph i|)
//
// for the vertices v of graph i of a batch and x [N F], result [N F]. It panics with
// *[Error] for what does not fit.
func GraphSizeNorm(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	g, features := normInput("GraphSizeNorm", batch, x, 0)
	return graphSizeNorm.Run(g, features...)
}

var graphSizeNorm = vc.Compile("graph size norm", func(graph vc.Vertex) vc.Value {
	return graph.InEdges().Src("x").Mul(graph.InDegree().Rsqrt())
})
