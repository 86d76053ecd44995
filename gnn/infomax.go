package gnn

// Deep Graph Infomax.

import (
	"math"
	"math/rand/v2"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// DeepGraphInfomax is the model of "Deep Graph Infomax" (Veličković, Fedus, Hamilton, Liò,
// Bengio, Hjelm, ICLR 2019), section 3.4: an encoder learns rows for the vertices that tell by a
// summary of the whole graph, s, whether they are of the graph or of a corrupted one,
//
//	D(h_v, s) = σ(h_v · W s)
//
// for h [N hidden] and s [hidden]; W is PyG's parameter of this name.
//
//	loss := model.Loss(model.Forward(g, x))
//	h := model.Encoder.Forward(g, x) // what was learned
type DeepGraphInfomax struct {
	nn.Stochastic
	Weight  *autograd.Var // [hidden hidden]
	Encoder GraphEncoder

	cfg InfomaxConfig
}

// InfomaxConfig has the functions of DeepGraphInfomax. The zero values are the paper's.
type InfomaxConfig struct {
	// Corrupt returns another graph and its features. Nil: the same graph, its rows of x in
	// random order, another in every training pass, always the same when evaluating.
	Corrupt func(g *graph.Graph, x *autograd.Var) (*graph.Graph, *autograd.Var)

	// Summary returns s [hidden] of all rows h [N hidden]. Nil: σ of their mean.
	Summary func(h *autograd.Var) *autograd.Var
}

// NewDeepGraphInfomax returns a model of an encoder to hidden features, with W from
// U(-1/sqrt(hidden), 1/sqrt(hidden)), as in PyG.
func NewDeepGraphInfomax(hidden int, encoder GraphEncoder, cfg InfomaxConfig, r *nn.RNG, opts ...Option) *DeepGraphInfomax {
	const op = "DeepGraphInfomax"
	wantPositive(op, hidden)
	if encoder == nil {
		misuse(op, "the encoder is nil")
	}
	m := &DeepGraphInfomax{Stochastic: nn.NewStochastic(r), Weight: configure(opts).zeros(hidden, hidden), Encoder: encoder, cfg: cfg}
	nn.Uniform(1/math.Sqrt(float64(hidden)))(m.Weight, r)
	return m
}

// Forward returns the rows of the graph and of a corrupted one, and the summary of the first.
// With the default corruption x may be a sparse constant, if the encoder takes one.
func (m *DeepGraphInfomax) Forward(g *graph.Graph, x *autograd.Var) (positive, negative, summary *autograd.Var) {
	const op = "DeepGraphInfomax"
	m.check(op)
	if g == nil {
		misuse(op, "the graph is nil")
	}
	wantRows(op, "x", x, g.NumSrc(), "vertices", 0)
	positive = m.Encoder.Forward(g, x)
	corrupt, summarise := m.cfg.Corrupt, m.cfg.Summary
	if corrupt == nil {
		corrupt = m.shuffle
	}
	if summarise == nil {
		summarise = func(h *autograd.Var) *autograd.Var { return h.Mean(0).Sigmoid() }
	}
	negative = m.Encoder.Forward(corrupt(g, x))
	m.wantHidden(op, "the encoder's result", positive)
	return positive, negative, summarise(positive)
}

// Discriminate returns D(h_v, s) of each row of h [N hidden], [N].
func (m *DeepGraphInfomax) Discriminate(h, summary *autograd.Var) *autograd.Var {
	return m.scores("Discriminate", h, summary).Sigmoid()
}

// Loss returns the loss of the paper's equation 1, for a summary s,
//
//	-mean ln D(positive, s) - mean ln(1 - D(negative, s))
//
// Logarithms are of the products as they are; PyG adds 1e-15 to D.
func (m *DeepGraphInfomax) Loss(positive, negative, summary *autograd.Var) *autograd.Var {
	const op = "DeepGraphInfomax"
	return bothMeans(op, m.scores(op, positive, summary), m.scores(op, negative, summary))
}

// scores is h W s.
func (m *DeepGraphInfomax) scores(op string, h, summary *autograd.Var) *autograd.Var {
	m.check(op)
	m.wantHidden(op, "h", h)
	if summary == nil {
		misuse(op, "the summary is nil")
	}
	wantDense(op, "the summary", summary)
	if s, hidden := summary.Shape(), m.Weight.Shape()[0]; len(s) != 1 || s[0] != hidden {
		misuse(op, "the summary has shape %v, want [%d]", s, hidden)
	}
	wantType(op, "summary", summary, m.Weight)
	return h.MatVec(m.Weight.MatVec(summary))
}

func (m *DeepGraphInfomax) check(op string) {
	if m == nil || m.Encoder == nil || m.Weight == nil {
		misuse(op, "the model has no encoder or no weight; make it with NewDeepGraphInfomax")
	}
	if s := m.Weight.Shape(); len(s) != 2 || s[0] != s[1] {
		misuse(op, "Weight has shape %v, want [hidden hidden]", s)
	}
}

func (m *DeepGraphInfomax) wantHidden(op, what string, h *autograd.Var) {
	if h == nil {
		misuse(op, "%s is nil", what)
	}
	wantDense(op, what, h)
	if s, hidden := h.Shape(), m.Weight.Shape()[0]; len(s) != 2 || s[1] != hidden {
		misuse(op, "%s has shape %v, want [N %d]", what, s, hidden)
	}
	wantType(op, what, h, m.Weight)
}

// shuffle is the default corruption.
func (m *DeepGraphInfomax) shuffle(g *graph.Graph, x *autograd.Var) (*graph.Graph, *autograd.Var) {
	seed := uint64(1)
	if m.Training() {
		seed = m.NextSeed()
	}
	n := x.Shape()[0]
	order := make([]int32, n)
	for i, row := range rand.New(nn.NewRNG(seed).Stream()).Perm(n) {
		order[i] = int32(row)
	}
	if s := x.Sparse(); s != nil {
		return g, autograd.SparseConstant(s.IndexSelect(order))
	}
	return g, x.IndexSelect(order)
}
