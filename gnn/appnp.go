package gnn

// Propagation by personalised PageRank.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// APPNP is the propagation of "Predict then Propagate: Graph Neural Networks meet
// Personalized PageRank" (Gasteiger, Bojchevski, Günnemann, ICLR 2019), equation 5:
//
//	Z⁰ = x,  Zᵏ = (1-α) P Zᵏ⁻¹ + α x
//
// for dense x [N F], P being the propagation of [GCNConv] with RenormLoops. Per
// vertex:
//
//	z'_v = (1-α) Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) z_u + α x_v
//
// The steps are one program. The layer has no parameters.
type APPNP struct {
	nn.Stochastic // of the dropout

	steps    int
	program  *vc.Program
	weighted *vc.Program // with weights of edges
}

// APPNPConfig has the settings of APPNP. The zero value is the paper's propagation,
// without dropout.
type APPNPConfig struct {
	Steps   int     // K; 0 means 10
	Alpha   float64 // α, the probability of a teleport; 0 means 0.1
	Dropout float64 // probability of dropping an entry of P, anew in every step, in training
}

// NewAPPNP returns the propagation; r seeds its dropout.
func NewAPPNP(cfg APPNPConfig, r *nn.RNG) *APPNP {
	wantNotNegative("APPNP", cfg.Steps)
	wantProbability("APPNP", "alpha", cfg.Alpha)
	wantProbability("APPNP", "dropout", cfg.Dropout)
	if cfg.Steps == 0 {
		cfg.Steps = 10
	}
	if cfg.Alpha == 0 {
		cfg.Alpha = 0.1
	}
	steps := func(name string, propagate func(vc.Vertex) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", func(v vc.Vertex) vc.Value {
			return propagate(v).Scale(1 - cfg.Alpha).Add(v.Feature("x").Scale(cfg.Alpha))
		})
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			z := v.Feature("x")
			for range cfg.Steps {
				z = step.Call(v, vc.Let{Name: "z", Value: z}, vc.Let{Name: "x", Value: v.Feature("x")})
			}
			return z
		})
	}
	propagate, weighted := renormLoops(vc.Vertex.InDegree), renormWeighted
	if cfg.Dropout > 0 {
		propagate, weighted = renormDropout(cfg.Dropout), renormWeightedDropout(cfg.Dropout)
	}
	return &APPNP{
		Stochastic: nn.NewStochastic(r), steps: cfg.Steps,
		program: steps("appnp", propagate), weighted: steps("appnp weighted", weighted),
	}
}

// renormDropout is renormLoops whose coefficients are dropped in training.
func renormDropout(p float64) func(v vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		norm := func(x vc.Vertex) vc.Value { return x.InDegree().AddScalar(1).Rsqrt() }
		u := v.InNeighbors()
		sum := vc.Sum(norm(u).Mul(norm(v)).Dropout(p).Mul(u.Feature("z")))
		return sum.Add(norm(v).Square().Dropout(p).Mul(v.Feature("z")))
	}
}

// renormWeightedDropout is renormWeighted whose coefficients are dropped in training.
func renormWeightedDropout(p float64) func(v vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		e, own := v.InEdges(), v.Feature(ownNorm)
		sum := vc.Sum(e.Src(sourceNorm).Mul(own).Mul(e.Feature(edgeWeight)).Dropout(p).Mul(e.Src("z")))
		return sum.Add(own.Square().Dropout(p).Mul(v.Feature("z")))
	}
}

// Forward propagates dense x [N F] on a homogeneous graph of N vertices. It panics
// with *[Error] for any other.
func (l *APPNP) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E],
// nil for 1 each. P is that of [GCNConv.ForwardWeighted].
func (l *APPNP) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, w)
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *APPNP) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w; those of
// the degrees are not among them.
func (l *APPNP) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, w)
	if l.Training() {
		bindings = append(bindings, vc.Training(0)) // plans are the same for every seed
	}
	return program.Compiled(g, bindings...)
}

func (l *APPNP) on(g *graph.Graph, x, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("APPNP"))
	}
	wantHomogeneous("APPNP", g)
	wantFeatures("APPNP", g, x, 0)
	wantDense("APPNP", "x", x)
	bindings := []vc.Binding{vc.VertexFeature("x", x)}
	if w == nil {
		return l.program, bindings
	}
	wantWeights("APPNP", g, w, nil)
	if w.DType() != x.DType() {
		misuse("APPNP", "w holds %v, x %v: convert one of them (tensor.Tensor.To)", w.DType(), x.DType())
	}
	return l.weighted, append(bindings, renormBindings(g, w)...)
}
