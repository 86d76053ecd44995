package check

// The coefficients of normalisation, and those that are taken for them.

import (
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// A coefficient is that of an edge u→v of the graph as it was given.
type coefficient func(g *graph, n system.Norm, u, v int) float64

// degree counts 0 as 1.
func degree(d []int, v int) float64 { return float64(max(d[v], 1)) }

// coefficientOf is c_e of system.Norm.
func coefficientOf(g *graph, n system.Norm, u, v int) float64 {
	switch n {
	case system.NormMean:
		return 1 / degree(g.in, v)
	case system.NormLeft:
		return 1 / degree(g.out, u)
	case system.NormBoth:
		return 1 / math.Sqrt(degree(g.in, v)*degree(g.out, u))
	}
	return 1
}

func noCoefficient(*graph, system.Norm, int, int) float64 { return 1 }

// otherEnd takes the degrees of the other end.
func otherEnd(g *graph, n system.Norm, u, v int) float64 { return coefficientOf(g, n, v, u) }

// reversed is that of the graph with every edge turned around.
func reversed(g *graph, n system.Norm, u, v int) float64 { return coefficientOf(turned(g), n, v, u) }

// degreesSwapped takes in- for out-degrees.
func degreesSwapped(g *graph, n system.Norm, u, v int) float64 {
	return coefficientOf(turned(g), n, u, v)
}

// turned has the degrees of the graph with every edge turned around.
func turned(g *graph) *graph { return &graph{in: g.out, out: g.in} }

// inDegrees is NormBoth as for undirected graphs, by in-degrees.
func inDegrees(g *graph, _ system.Norm, u, v int) float64 {
	return 1 / math.Sqrt(degree(g.in, u)*degree(g.in, v))
}

// outDegrees is NormBoth as for undirected graphs, by out-degrees.
func outDegrees(g *graph, _ system.Norm, u, v int) float64 {
	return 1 / math.Sqrt(degree(g.out, u)*degree(g.out, v))
}

// oneMore counts a self-loop that is not there.
func oneMore(g *graph, n system.Norm, u, v int) float64 {
	more := graph{in: []int{g.in[v] + 1}, out: []int{g.out[u] + 1}}
	return coefficientOf(&more, n, 0, 0)
}

// instead is another normalisation.
func instead(n system.Norm) coefficient {
	return func(g *graph, _ system.Norm, u, v int) float64 { return coefficientOf(g, n, u, v) }
}
