package gnn

// The normalisation that only subtracts means.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// MeanSubtractionNorm subtracts the mean of each graph, as in "Revisiting 'Over-smoothing'
// in Deep GCNs" (Yang, Wang, Yao, Liu, Abdelzaher, 2020):
//
//	x'_v = x_v - mean_{u in graph i} x_u
//
// for the vertices v of graph i of a batch and x [N F], result [N F]. It panics with
// *[Error] for what does not fit.
func MeanSubtractionNorm(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	g, features := normInput("MeanSubtractionNorm", batch, x, 0)
	return centred.Run(g, features...)
}

var centred = vc.Compile("mean subtraction", func(graph vc.Vertex) vc.Value {
	x := graph.InEdges().Src("x")
	return x.Sub(vc.Mean(x))
})
