package gnn

// Layer normalisation of whole graphs.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GraphLayerNorm is layer normalisation (Ba, Kiros, Hinton 2016) of each graph, all
// features of all its vertices together, PyG's LayerNorm of mode "graph":
//
//	m_i  = mean of the |graph i|·in numbers x_uk
//	x'_v = γ ⊙ (x_v - m_i) / sqrt(mean of (x_uk - m_i)² + ε) + β
//
// for the vertices v of graph i and x [N in], result [N in]. (Without a batch PyG divides
// by the deviation plus ε; the batch of one graph is as any other here.) The mode "node",
// each vertex by itself, is [nn.LayerNorm].
type GraphLayerNorm struct {
	Weight *autograd.Var // [in], γ; nil: no factor
	Bias   *autograd.Var // [in], β; nil without bias

	in      int
	program *vc.Program
}

// GraphLayerNormConfig has what GraphLayerNorm has beside its size. The zero value is
// PyG's layer.
type GraphLayerNormConfig struct {
	Eps      float64 // ε; 0 means 1e-5
	NoAffine bool    // neither γ nor β
}

// NewGraphLayerNorm returns a layer of in features, with γ 1 and β 0.
func NewGraphLayerNorm(in int, cfg GraphLayerNormConfig, opts ...Option) *GraphLayerNorm {
	const op = "GraphLayerNorm"
	wantPositive(op, in)
	eps, c := normEps(op, cfg.Eps), configure(opts)
	l := &GraphLayerNorm{in: in}
	if !cfg.NoAffine {
		l.Weight, l.Bias = c.ones(in), c.bias(in)
	}
	l.program = vc.Compile("graph layer norm", func(graph vc.Vertex) vc.Value {
		x := graph.InEdges().Src("x")
		d := x.Sub(vc.Mean(x.MeanLast()))
		scale := vc.Mean(d.Square().MeanLast()).AddScalar(eps).Rsqrt()
		return scaledShifted(d, scale, l.Weight, l.Bias)
	})
	return l
}

// scaledShifted is d · scale ⊙ γ + β, without what is nil.
func scaledShifted(d, scale vc.Value, weight, bias *autograd.Var) vc.Value {
	if weight != nil {
		scale = scale.Mul(vc.Param("gamma"))
	}
	return addBias(d.Mul(scale), bias)
}

// Forward normalises x [N in] of the vertices of the graphs of a batch. It panics with
// *[Error] for what does not fit.
func (l *GraphLayerNorm) Forward(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	const op = "GraphLayerNorm"
	if l == nil || l.program == nil {
		panic(notMade(op))
	}
	g, features := normInput(op, batch, x, l.in)
	return l.program.Run(g, slices.Concat(features, affineOf(op, x, l.in, l.Weight, l.Bias))...)
}

// affineOf binds γ and β of a normalisation, those that there are, for x.
func affineOf(op string, x *autograd.Var, in int, weight, bias *autograd.Var) []vc.Binding {
	for _, p := range []*autograd.Var{weight, bias} {
		if p != nil {
			wantType(op, "x", x, p)
		}
	}
	return slices.Concat(shaped(op, "Weight", "gamma", weight, in), shaped(op, "Bias", "b", bias, in))
}
