package gnn

// The attention of AGNN.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// AGNNConv is the propagation layer of "Attention-based Graph Neural Network for
// Semi-supervised Learning" (Thekumparampil, Wang, Oh, Li, 2018), equations 5 and 6:
//
//	h'_v = Σ_u P_vu h_u,  P_v = softmax of β cos(h_v, h_u) over N(v) and v itself
//
// for dense x [N any], result [N any]. The only parameter is β. cos is h_v·h_u over both
// lengths, those below 1e-12 counting as 1e-12, as in PyG.
//
// The loop is part of the program: the graph is not changed. A loop that the graph has
// already is an edge as any other, beside the layer's; PyG's AGNNConv counts the two once:
// on [graph.Graph.RemoveSelfLoops] both are the same. On a block x is [NumSrc any], the
// result [NumDst any].
type AGNNConv struct {
	Beta *autograd.Var // [1], β

	program *vc.Program
}

// AGNNConfig has what AGNNConv has beside its β. The zero value is the paper's layer.
type AGNNConfig struct {
	FixBeta bool // do not train β, as in the first layer of the paper's models
	NoLoops bool // attend to in-edges only; without any h'_v is 0
}

// NewAGNNConv returns a layer whose β begins at beta. PyG's begins at 1; the first of the
// paper's two layers has 0, fixed, the second is trained from 1.
func NewAGNNConv(beta float64, cfg AGNNConfig, opts ...Option) *AGNNConv {
	wantFinite("AGNNConv", "beta", beta)
	start := tensor.Full(configure(opts).dtype, beta, 1)
	l := &AGNNConv{Beta: autograd.Parameter(start)}
	if cfg.FixBeta {
		l.Beta = autograd.Constant(start)
	}
	l.program = vc.Compile("agnn", func(v vc.Vertex) vc.Value {
		e, x, beta := v.InEdges(), v.Feature("x"), vc.Param("beta").Reshape()
		s := e.Src("x").Dot(e.Dst("x")).Mul(inverseLength(e.Src("x"))).Mul(inverseLength(e.Dst("x"))).Mul(beta)
		h := vc.Sum(vc.Softmax(s).Mul(e.Src("x")))
		if cfg.NoLoops {
			return h
		}
		// The loop's share of the attention is 1 / (1 + Σ e^(s_u - s_v)). Beyond 60 it is 0
		// for every purpose, and the power must not become infinite.
		own := x.Dot(x).Mul(inverseLength(x).Square()).Mul(beta)
		share := vc.Sum(s.Sub(own).Minimum(vc.Number(60)).Exp()).AddScalar(1).Recip()
		return h.Add(x.Sub(h).Mul(share))
	})
	return l
}

// inverseLength is 1/|x|, or 1e12 for x shorter than 1e-12.
func inverseLength(x vc.Value) vc.Value { return x.Dot(x).Maximum(vc.Number(1e-24)).Rsqrt() }

// Forward applies the layer to dense x [N any] on a homogeneous graph of N vertices or a
// block. It panics with *[Error] for any other.
func (l *AGNNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *AGNNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

func (l *AGNNConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("AGNNConv"))
	}
	wantFeatures("AGNNConv", g, x, 0)
	wantType("AGNNConv", "x", x, l.Beta)
	wantDense("AGNNConv", "x", x)
	return append(vertexFeature(g, "x", x), shaped("AGNNConv", "Beta", "beta", l.Beta, 1)...)
}
