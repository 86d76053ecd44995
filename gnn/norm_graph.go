package gnn

// The normalisation of Cai et al.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GraphNorm is the layer of "GraphNorm: A Principled Approach to Accelerating Graph
// Neural Network Training" (Cai, Luo, Xu, He, Liu, Wang, ICML 2021): each feature is
// normalised over the vertices of each graph, and how much of its mean goes is learned:
//
//	d_v  = x_v - α ⊙ mean_{u in graph i} x_u
//	x'_v = γ ⊙ d_v / sqrt(mean_{u in graph i} d_u² + ε) + β
//
// for the vertices v of graph i and x [N in], result [N in]. It is the same while
// training and when evaluating.
type GraphNorm struct {
	Weight    *autograd.Var // [in], γ
	Bias      *autograd.Var // [in], β; nil without bias
	MeanScale *autograd.Var // [in], α

	in      int
	program *vc.Program
}

// GraphNormConfig has what GraphNorm has beside its size.
type GraphNormConfig struct {
	Eps float64 // ε; 0 means 1e-5
}

// NewGraphNorm returns a layer of in features, with γ and α 1 and β 0.
func NewGraphNorm(in int, cfg GraphNormConfig, opts ...Option) *GraphNorm {
	const op = "GraphNorm"
	wantPositive(op, in)
	eps, c := normEps(op, cfg.Eps), configure(opts)
	l := &GraphNorm{Weight: c.ones(in), Bias: c.bias(in), MeanScale: c.ones(in), in: in}
	l.program = vc.Compile("graph norm", func(graph vc.Vertex) vc.Value {
		x := graph.InEdges().Src("x")
		d := x.Sub(vc.Mean(x).Mul(vc.Param("alpha")))
		return addBias(d.Mul(overDeviation(d, eps).Mul(vc.Param("gamma"))), l.Bias)
	})
	return l
}

// Forward normalises x [N in] of the vertices of the graphs of a batch. It panics with
// *[Error] for what does not fit.
func (l *GraphNorm) Forward(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	const op = "GraphNorm"
	if l == nil || l.program == nil {
		panic(notMade(op))
	}
	g, features := normInput(op, batch, x, l.in)
	wantType(op, "x", x, l.Weight)
	return l.program.Run(g, slices.Concat(features,
		shaped(op, "Weight", "gamma", l.Weight, l.in),
		shaped(op, "Bias", "b", l.Bias, l.in),
		shaped(op, "MeanScale", "alpha", l.MeanScale, l.in),
	)...)
}

// overDeviation is 1 / sqrt(mean d² + eps) over the vertices of a graph.
func overDeviation(d vc.Value, eps float64) vc.Value {
	return vc.Mean(d.Square()).AddScalar(eps).Rsqrt()
}

// normInput checks what a normalisation of the vertices of graphs is given, and returns
// what its program runs on: an edge from each vertex to its graph, so that what the
// program computes at the edges are rows of vertices. A width of 0 says that any will do.
func normInput(op string, batch *graph.BatchInfo, x *autograd.Var, in int) (*graph.Graph, []vc.Binding) {
	g := segmentsOf(op, batch)
	wantDense(op, "x", x)
	wantRows(op, "x", x, g.NumSrc(), "vertices", in)
	return g, []vc.Binding{vc.SrcFeature("x", x)}
}

// normEps is the summand of a denominator, or its default.
func normEps(op string, eps float64) float64 {
	wantFinite(op, "Eps", eps)
	if eps < 0 {
		misuse(op, "Eps is %v; want 0 or more", eps)
	}
	if eps == 0 {
		return 1e-5
	}
	return eps
}

// ones is a parameter of ones.
func (c config) ones(shape ...int) *autograd.Var {
	return autograd.Parameter(tensor.Ones(c.dtype, shape...))
}
