package gnn

// The layer of GCNII.

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GCN2Conv is the layer of "Simple and Deep Graph Convolutional Networks" (Chen,
// Wei, Huang, Ding, Li, ICML 2020), equation 5 without its activation:
//
//	s_v  = (1-α) Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) h_u + α h⁰_v
//	h'_v = (1-β) s_v + β s_v W
//
// for dense x [N F] and the model's first representation x0 [N F]: W [F F], result
// [N F]. On a block x and x0 are [NumSrc F], the result is [NumDst F], and degrees
// are those of [GCNConv].
type GCN2Conv struct {
	Weight *autograd.Var // [F F]

	program  *vc.Program // on homogeneous graphs
	block    *vc.Program // on blocks
	weighted *vc.Program // with weights of edges, on both
}

// NewGCN2Conv returns a layer with Glorot-uniform weights. α is the share of the
// first representation, β that of the weights.
func NewGCN2Conv(features int, alpha, beta float64, r *nn.RNG, opts ...Option) *GCN2Conv {
	wantPositive("GCN2Conv", features)
	wantProbability("GCN2Conv", "alpha", alpha)
	wantProbability("GCN2Conv", "beta", beta)
	vertex := func(propagate func(vc.Vertex) vc.Value) func(vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value {
			s := propagate(v).Scale(1 - alpha).Add(v.Feature("x0").Scale(alpha))
			return s.Scale(1 - beta).Add(s.MatMul(vc.Param("W")).Scale(beta))
		}
	}
	return &GCN2Conv{
		Weight:   configure(opts).glorot(r, features, features, features, features),
		program:  vc.Compile("gcn2", vertex(renormLoops(vc.Vertex.InDegree))),
		block:    vc.Compile("gcn2", vertex(renormLoops(vc.Vertex.OutDegree))),
		weighted: vc.Compile("gcn2 weighted", vertex(renormWeighted)),
	}
}

// GCN2Beta is the paper's β of layer l = 1, 2, …: ln(λ/l + 1), which decays the
// weights as the model gets deeper. It panics with *[Error] for a λ that is negative or
// no finite number and for l below 1.
func GCN2Beta(lambda float64, l int) float64 {
	const op = "GCN2Beta"
	wantFinite(op, "lambda", lambda)
	if lambda < 0 || l < 1 {
		misuse(op, "lambda %v of layer %d; want 0 or more, of layers from 1 on", lambda, l)
	}
	return math.Log(lambda/float64(l) + 1)
}

// Forward applies the layer to dense x and x0 [N F] on a homogeneous graph of N
// vertices or a block. It panics with *[Error] for any other.
func (l *GCN2Conv) Forward(g *graph.Graph, x, x0 *autograd.Var) *autograd.Var {
	return l.ForwardWeighted(g, x, x0, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E],
// nil for 1 each; see [GCNConv.ForwardWeighted].
func (l *GCN2Conv) ForwardWeighted(g *graph.Graph, x, x0, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, x0, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g, x and x0.
func (l *GCN2Conv) Compiled(g *graph.Graph, x, x0 *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, x0, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x, x0 and w; those
// of the degrees are not among them.
func (l *GCN2Conv) CompiledWeighted(g *graph.Graph, x, x0, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, x0, w)
	return program.Compiled(g, bindings...)
}

func (l *GCN2Conv) on(g *graph.Graph, x, x0, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("GCN2Conv"))
	}
	wantInput("GCN2Conv", g, x, l.Weight)
	wantWidth("GCN2Conv", "Weight", l.Weight, x.Shape()[1])
	wantDense("GCN2Conv", "x", x)
	wantDense("GCN2Conv", "x0", x0)
	wantRows("GCN2Conv", "x0", x0, g.NumSrc(), "vertices", x.Shape()[1])
	bindings := slices.Concat(
		vertexFeature(g, "z", x), param("W", l.Weight),
		[]vc.Binding{ownFeature(g, "x0", own(g, x0))},
	)
	switch {
	case w != nil:
		wantWeights("GCN2Conv", g, w, l.Weight)
		return l.weighted, append(bindings, renormBindings(g, w)...)
	case g.IsBipartite():
		return l.block, bindings
	}
	return l.program, bindings
}
