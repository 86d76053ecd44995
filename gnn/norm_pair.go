package gnn

// The normalisation of Zhao and Akoglu.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// PairNorm is the layer of "PairNorm: Tackling Oversmoothing in GNNs" (Zhao, Akoglu,
// ICLR 2020), after which the squared distances of the vertices of a graph have the same
// mean in every layer:
//
//	d_v  = x_v - mean_{u in graph i} x_u
//	x'_v = s d_v / sqrt(mean_{u in graph i} ‖d_u‖² + ε)
//
// or, scaled individually, the paper's PairNorm-SI:
//
//	x'_v = s d_v / (‖d_v‖ + ε)
//
// for the vertices v of graph i and x [N F], result [N F]. The layer has no parameters.
type PairNorm struct {
	scale, eps   float64
	individually bool
	program      *vc.Program
}

// PairNormConfig has the settings of PairNorm. The zero value is PyG's layer.
type PairNormConfig struct {
	Scale             float64 // s; 0 means 1
	ScaleIndividually bool    // each vertex by its own length
	Eps               float64 // ε; 0 means 1e-5
}

// NewPairNorm returns the layer.
func NewPairNorm(cfg PairNormConfig) *PairNorm {
	const op = "PairNorm"
	wantFinite(op, "Scale", cfg.Scale)
	if cfg.Scale == 0 {
		cfg.Scale = 1
	}
	l := &PairNorm{scale: cfg.Scale, eps: normEps(op, cfg.Eps), individually: cfg.ScaleIndividually, program: centred}
	if !l.individually {
		l.program = vc.Compile("pair norm", func(graph vc.Vertex) vc.Value {
			x := graph.InEdges().Src("x")
			d := x.Sub(vc.Mean(x))
			return d.Mul(vc.Mean(d.Dot(d)).AddScalar(l.eps).Rsqrt().Scale(l.scale))
		})
	}
	return l
}

// Forward normalises x [N F] of the vertices of the graphs of a batch. It panics with
// *[Error] for what does not fit.
func (l *PairNorm) Forward(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	const op = "PairNorm"
	if l == nil || l.program == nil {
		panic(notMade(op))
	}
	g, features := normInput(op, batch, x, 0)
	y := l.program.Run(g, features...)
	if !l.individually {
		return y
	}
	// The length has gradient 0 where it is 0, as of the vertex of a graph of one; a
	// square root has none.
	return y.Scale(l.scale).Div(y.NormKeep(2, 1).AddScalar(l.eps))
}
