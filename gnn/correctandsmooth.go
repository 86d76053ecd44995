package gnn

// Correcting predictions by their errors, and smoothing them.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// CorrectAndSmooth improves the predictions of any model by labels that are known and the
// graph ("Combining Label Propagation and Simple Models Out-performs Graph Neural
// Networks", Huang, He, Singh, Lim, Benson, ICLR 2021, section 2), as PyG's model of this
// name. For probabilities Z [N C] and known labels Y it propagates the errors E, as
// [LabelPropagation] does,
//
//	E⁰_v = Y_v - Z_v where Y_v is known, else 0
//	Z'_v = Z_v + γ_v Eᴸ_v
//
// and then the labels, with Z' where they are not known. It has no parameters, and no
// gradient flows through it.
type CorrectAndSmooth struct {
	correct, correctWeighted *vc.Program
	smooth, smoothWeighted   *vc.Program
}

// CorrectAndSmoothConfig has the settings of CorrectAndSmooth. Steps must be above 0, α
// in [0, 1], as in [LabelPropagationConfig].
type CorrectAndSmoothConfig struct {
	CorrectSteps int
	CorrectAlpha float64
	SmoothSteps  int
	SmoothAlpha  float64

	// Scale is γ of all vertices, errors that are known staying as they are in each step
	// (the paper's FDiff-scale). 0 gives vertex v its own (Autoscale, PyG's default),
	//
	//	γ_v = σ / ‖Eᴸ_v‖₁
	//
	// where σ is the mean of ‖E⁰_u‖₁ over the known vertices u, errors being kept in [-1, 1];
	// one that is above 1000, or no number, is 1.
	Scale float64
}

// NewCorrectAndSmooth returns the model.
func NewCorrectAndSmooth(cfg CorrectAndSmoothConfig) *CorrectAndSmooth {
	const op = "CorrectAndSmooth"
	wantPositive(op, cfg.CorrectSteps, cfg.SmoothSteps)
	wantProbability(op, "the alpha of correction", cfg.CorrectAlpha)
	wantProbability(op, "the alpha of smoothing", cfg.SmoothAlpha)
	wantFinite(op, "the scale", cfg.Scale)
	l := &CorrectAndSmooth{}
	failure := func(v vc.Vertex) vc.Value {
		return ifKnown(v, v.Feature("y").Sub(v.Feature("soft")), vc.Number(0))
	}
	correct := labelSteps{name: "correct", steps: cfg.CorrectSteps, alpha: cfg.CorrectAlpha, start: failure}
	if cfg.Scale == 0 {
		correct.post = func(_ vc.Vertex, z vc.Value) vc.Value { return z.Clamp(-1, 1) }
		correct.end = func(v vc.Vertex, z vc.Value) vc.Value {
			scale := vc.Param("sigma").Div(z.Abs().SumLast())
			scale = vc.Select(scale.Le(vc.Number(1000)), scale, vc.Number(1)) // 1 for NaN, too
			return v.Feature("soft").Add(z.Mul(scale))
		}
	} else {
		correct.post = func(v vc.Vertex, z vc.Value) vc.Value { return ifKnown(v, v.Feature("start"), z) }
		correct.end = func(v vc.Vertex, z vc.Value) vc.Value { return v.Feature("soft").Add(z.Scale(cfg.Scale)) }
	}
	l.correct, l.correctWeighted = correct.compile()
	l.smooth, l.smoothWeighted = labelSteps{
		name: "smooth", steps: cfg.SmoothSteps, alpha: cfg.SmoothAlpha,
		start: func(v vc.Vertex) vc.Value { return ifKnown(v, v.Feature("y"), v.Feature("soft")) },
		post:  func(_ vc.Vertex, z vc.Value) vc.Value { return z.Clamp(0, 1) },
	}.compile()
	return l
}

// Forward corrects and smooths the probabilities soft [N C] on a homogeneous graph of N
// vertices. The labels y [N C], such as autograd.OneHot makes of classes, are those of the
// vertices in known, nil meaning all; other rows are not looked at. It panics with *[Error]
// for any other.
func (l *CorrectAndSmooth) Forward(g *graph.Graph, soft, y *autograd.Var, known []int32) *autograd.Var {
	return l.ForwardWeighted(g, soft, y, nil, known)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E], as
// [LabelPropagation.ForwardWeighted] takes them.
func (l *CorrectAndSmooth) ForwardWeighted(g *graph.Graph, soft, y, w *autograd.Var, known []int32) *autograd.Var {
	return l.SmoothWeighted(g, l.CorrectWeighted(g, soft, y, w, known), y, w, known)
}

// Correct is the first half of Forward.
func (l *CorrectAndSmooth) Correct(g *graph.Graph, soft, y *autograd.Var, known []int32) *autograd.Var {
	return l.CorrectWeighted(g, soft, y, nil, known)
}

// CorrectWeighted is the first half of ForwardWeighted.
func (l *CorrectAndSmooth) CorrectWeighted(g *graph.Graph, soft, y, w *autograd.Var, known []int32) *autograd.Var {
	known, bindings := l.on(g, soft, y, w, known)
	failures := y.Detach().IndexSelect(known).Sub(soft.Detach().IndexSelect(known))
	sigma := failures.Abs().Sum().Scale(1 / float64(len(known)))
	return either(l.correct, l.correctWeighted, w).Run(g, append(bindings, vc.ParamValue("sigma", sigma))...)
}

// Smooth is the second half of Forward, of what Correct gives.
func (l *CorrectAndSmooth) Smooth(g *graph.Graph, soft, y *autograd.Var, known []int32) *autograd.Var {
	return l.SmoothWeighted(g, soft, y, nil, known)
}

// SmoothWeighted is the second half of ForwardWeighted, whose weights may be others than
// those of the first.
func (l *CorrectAndSmooth) SmoothWeighted(g *graph.Graph, soft, y, w *autograd.Var, known []int32) *autograd.Var {
	_, bindings := l.on(g, soft, y, w, known)
	return either(l.smooth, l.smoothWeighted, w).Run(g, bindings...)
}

func (l *CorrectAndSmooth) on(g *graph.Graph, soft, y, w *autograd.Var, known []int32) ([]int32, []vc.Binding) {
	const op = "CorrectAndSmooth"
	if l == nil || l.correct == nil {
		panic(notMade(op))
	}
	wantHomogeneous(op, g)
	wantBlock(op, g)
	wantRows(op, "soft", soft, g.NumVertices(), "vertices", 0)
	wantRows(op, "y", y, g.NumVertices(), "vertices", soft.Shape()[1])
	wantDense(op, "y", y)
	bindings := labelBindings(op, g, "soft", soft, w)
	if y.DType() != soft.DType() {
		misuse(op, "y holds %v, soft %v: convert one of them (tensor.Tensor.To)", y.DType(), soft.DType())
	}
	known = knownOf(op, g, known)
	return known, append(bindings, vc.VertexFeature("soft", soft.Detach()), vc.VertexFeature("y", y.Detach()), knownBinding(y, known))
}
