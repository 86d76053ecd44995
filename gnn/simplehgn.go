package gnn

// The Simple-HGN layer of Lv et al.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// SimpleHGNConv is the layer of "Are We Really Making Much Progress? Revisiting,
// Benchmarking, and Refining Heterogeneous Graph Neural Networks" (Lv et al., KDD
// 2021), section 4: GAT with learned edge-type embeddings, residual attention, a
// residual, and rows of length 1. For each head and an edge of type r from u to v:
//
//	z = x W,  s_uv = LeakyReLU(al·z_u + ar·z_v + ae·(r Wr)),  p = softmax over v's in-edges
//	α_uv = (1-β) p_uv + β α'_uv,  h'_v = Σ_u α_uv z_u + x_v Wres + b
//
// for x [N in] on a graph whose edges have R types, and the coefficients α' [E heads]
// of the layer before, if there is one: W [in heads*dim], embeddings [R edgeDim], Wr
// [edgeDim heads*dim], al, ar, ae [heads dim]. Heads are concatenated, result, Wres
// and b heads*dim wide, or averaged, dim wide. On a block x is [NumSrc in] and the
// result has NumDst rows.
type SimpleHGNConv struct {
	nn.Stochastic // of the attention dropout

	Weight     *autograd.Var // [in heads*dim]
	AttnSrc    *autograd.Var // [heads dim], al
	AttnDst    *autograd.Var // [heads dim], ar
	AttnEdge   *autograd.Var // [heads dim], ae
	Embedding  *autograd.Var // [R edgeDim], of edge types
	EdgeWeight *autograd.Var // [edgeDim heads*dim], Wr
	Residual   *autograd.Var // [in width], nil without
	Bias       *autograd.Var // [width], nil without bias

	heads, dim, width    int // width is that of the result
	relations            int
	plain, mixed         *vc.Program // without and with coefficients of the layer before
	plainMany, mixedMany *vc.Program // the same, with the coefficients as a second result
}

// SimpleHGNConfig has what SimpleHGNConv has beside its sizes. The zero value has
// slope 0.2, β 0.05, concatenated heads, and no residual, normalisation or dropout.
type SimpleHGNConfig struct {
	Mean        bool    // average the heads instead of concatenating them
	Residual    bool    // add x Wres
	Normalize   bool    // scale each row of the result to length 1
	Slope       float64 // of LeakyReLU for negative scores; 0 means 0.2
	Beta        float64 // the share of the layer before in the attention; 0 means 0.05
	AttnDropout float64 // probability of dropping a coefficient p in training
}

// NewSimpleHGNConv returns a layer for graphs of the given number of edge types, with
// Glorot-uniform weights, each head a layer of its own.
func NewSimpleHGNConv(in, dim, heads, relations, edgeDim int, cfg SimpleHGNConfig, r *nn.RNG, opts ...Option) *SimpleHGNConv {
	const name = "SimpleHGNConv"
	wantPositive(name, in, dim, heads, relations, edgeDim)
	wantProbability(name, "attention dropout", cfg.AttnDropout)
	wantFinite(name, "slope", cfg.Slope)
	wantProbability(name, "beta", cfg.Beta)
	c := configure(opts)
	if cfg.Slope == 0 {
		cfg.Slope = 0.2
	}
	if cfg.Beta == 0 {
		cfg.Beta = 0.05
	}
	width := headsWidth(heads, dim, cfg.Mean)
	l := &SimpleHGNConv{
		Weight:     c.glorot(r, in, dim, in, heads*dim),
		AttnSrc:    c.glorot(r, dim, 1, heads, dim),
		AttnDst:    c.glorot(r, dim, 1, heads, dim),
		AttnEdge:   c.glorot(r, dim, 1, heads, dim),
		Embedding:  c.glorot(r, relations, edgeDim, relations, edgeDim),
		EdgeWeight: c.glorot(r, edgeDim, dim, edgeDim, heads*dim),
		Bias:       c.bias(width),
		heads:      heads, dim: dim, width: width,
		relations: relations,
	}
	if cfg.Residual {
		l.Residual = c.glorot(r, in, width, in, width)
	}
	l.Stochastic = nn.NewStochastic(r)
	layer := func(mix bool) func(v vc.Vertex) []vc.Value {
		return func(v vc.Vertex) []vc.Value {
			e := v.InEdges()
			relation := e.Type("r").MatMul(vc.Param("Wr")).Reshape(heads, dim)
			s := e.Src("z").Dot(vc.Param("al")).Add(e.Dst("z").Dot(vc.Param("ar"))).Add(relation.Dot(vc.Param("ae")))
			alpha := vc.Softmax(s.LeakyReLU(cfg.Slope)).Dropout(cfg.AttnDropout)
			if mix {
				alpha = alpha.Scale(1 - cfg.Beta).Add(e.Feature("prev").Scale(cfg.Beta))
			}
			h := joinHeads(vc.Sum(alpha.Reshape(heads, 1).Mul(e.Src("z"))), cfg.Mean)
			if l.Residual != nil {
				h = h.Add(v.Feature("res"))
			}
			h = addBias(h, l.Bias)
			if cfg.Normalize {
				h = h.Mul(h.Square().SumLast().Maximum(vc.Number(1e-24)).Rsqrt().Reshape(1))
			}
			return []vc.Value{h, alpha}
		}
	}
	one := func(f func(v vc.Vertex) []vc.Value) func(v vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value { return f(v)[0] }
	}
	l.plain, l.mixed = vc.Compile("simple hgn", one(layer(false))), vc.Compile("simple hgn", one(layer(true)))
	l.plainMany, l.mixedMany = vc.CompileMany("simple hgn", layer(false)), vc.CompileMany("simple hgn", layer(true))
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a graph
// of N vertices or a block, whose edges have the layer's number of types. prev are
// the coefficients [E heads] of the layer before, nil if there is none. It panics
// with *[Error] for any other.
func (l *SimpleHGNConv) Forward(g *graph.Graph, x, prev *autograd.Var) *autograd.Var {
	program, bindings := l.bindings(g, x, prev, false)
	return program.Run(g, l.training(bindings)...)
}

// ForwardAttention returns, beside the result of Forward, the layer's coefficients α
// [E heads] for the layer after it.
func (l *SimpleHGNConv) ForwardAttention(g *graph.Graph, x, prev *autograd.Var) (h, alpha *autograd.Var) {
	program, bindings := l.bindings(g, x, prev, true)
	out := program.RunMany(g, l.training(bindings)...)
	return out[0], out[1]
}

// Compiled returns the plans that Forward runs for g, x and prev.
func (l *SimpleHGNConv) Compiled(g *graph.Graph, x, prev *autograd.Var) *vc.Compiled {
	program, bindings := l.bindings(g, x, prev, false)
	if l.Training() {
		bindings = append(bindings, vc.Training(0)) // plans are the same for every seed
	}
	return program.Compiled(g, bindings...)
}

func (l *SimpleHGNConv) training(bindings []vc.Binding) []vc.Binding {
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return bindings
}

func (l *SimpleHGNConv) bindings(g *graph.Graph, x, prev *autograd.Var, many bool) (*vc.Program, []vc.Binding) {
	const name = "SimpleHGNConv"
	if l == nil || l.plain == nil {
		panic(notMade(name))
	}
	wantInput(name, g, x, l.Weight)
	wantEdgeTypes(name, g, l.relations)
	bindings := slices.Concat(
		vertexFeature(g, "z", splitHeads(x.MatMul(l.Weight), l.heads)),
		[]vc.Binding{vc.EdgeTypeFeature("r", l.Embedding)},
		param("Wr", l.EdgeWeight),
		shaped(name, "AttnSrc", "al", l.AttnSrc, l.heads, l.dim), shaped(name, "AttnDst", "ar", l.AttnDst, l.heads, l.dim),
		shaped(name, "AttnEdge", "ae", l.AttnEdge, l.heads, l.dim), shaped(name, "Bias", "b", l.Bias, l.width),
	)
	if l.Residual != nil {
		wantWidth(name, "Residual", l.Residual, l.width)
		bindings = append(bindings, ownFeature(g, "res", own(g, x.MatMul(l.Residual))))
	}
	program, programMany := l.plain, l.plainMany
	if prev != nil {
		wantRows(name, "prev", prev, g.NumEdges(), "edges", l.heads)
		wantDense(name, "prev", prev)
		bindings = append(bindings, vc.EdgeFeature("prev", prev))
		program, programMany = l.mixed, l.mixedMany
	}
	if many {
		program = programMany
	}
	return program, bindings
}
