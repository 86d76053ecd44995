package gnn

// The graph attention layer of Veličković et al.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GATConv is the layer of "Graph Attention Networks" (Veličković et al., ICLR
// 2018), equations 1 to 6. For each head:
//
//	z = x W,  s_uv = LeakyReLU(al·z_u + ar·z_v),  α_uv = softmax over v's in-edges of s_uv
//	h'_v = Σ_u α_uv z_u + b
//
// for x [N in]: W [in heads*dim], al and ar [heads dim]. Heads are
// concatenated, result and b [N heads*dim], or averaged, [N dim]. The layer adds
// no loops: give it a graph that has them (graph.AddSelfLoops), as the paper does.
// On a block x is [NumSrc in] and the result has NumDst rows.
type GATConv struct {
	nn.Stochastic // of the attention dropout

	Weight  *autograd.Var // [in heads*dim]
	AttnSrc *autograd.Var // [heads dim], al
	AttnDst *autograd.Var // [heads dim], ar
	Bias    *autograd.Var // nil without bias

	heads   int
	program *vc.Program
}

// GATConfig has what GATConv has beside its sizes. The zero value is the
// paper's layer without dropout: slope 0.2, heads concatenated.
type GATConfig struct {
	Mean        bool    // average the heads instead of concatenating them
	Slope       float64 // of LeakyReLU for negative scores; 0 means 0.2
	AttnDropout float64 // probability of dropping an attention coefficient in training
}

// NewGATConv returns a layer with Glorot-uniform weights, each head a layer of
// its own, as in the paper's code.
func NewGATConv(in, dim, heads int, cfg GATConfig, r *nn.RNG, opts ...Option) *GATConv {
	wantPositive("GATConv", in, dim, heads)
	wantProbability("GATConv", "attention dropout", cfg.AttnDropout)
	wantFinite("GATConv", "slope", cfg.Slope)
	c := configure(opts)
	if cfg.Slope == 0 {
		cfg.Slope = 0.2
	}
	l := &GATConv{
		Weight:  c.glorot(r, in, dim, in, heads*dim),
		AttnSrc: c.glorot(r, dim, 1, heads, dim),
		AttnDst: c.glorot(r, dim, 1, heads, dim),
		Bias:    c.bias(headsWidth(heads, dim, cfg.Mean)),
		heads:   heads,
	}
	l.Stochastic = nn.NewStochastic(r)
	l.program = vc.Compile("gat", func(v vc.Vertex) vc.Value {
		score := func(x vc.Vertex, a string) vc.Value { // [heads 1]
			return x.Feature("z").Dot(vc.Param(a)).Reshape(heads, 1)
		}
		u := v.InNeighbors()
		s := score(u, "al").Add(score(v, "ar")).LeakyReLU(cfg.Slope)
		alpha := vc.Softmax(s).Dropout(cfg.AttnDropout)
		return addBias(joinHeads(vc.Sum(alpha.Mul(u.Feature("z"))), cfg.Mean), l.Bias)
	})
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *GATConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GATConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	if l.Training() {
		bindings = append(bindings, vc.Training(0)) // plans are the same for every seed
	}
	return l.program.Compiled(g, bindings...)
}

func (l *GATConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GATConv"))
	}
	wantInput("GATConv", g, x, l.Weight)
	return slices.Concat(
		vertexFeature(g, "z", splitHeads(x.MatMul(l.Weight), l.heads)),
		param("al", l.AttnSrc), param("ar", l.AttnDst), param("b", l.Bias),
	)
}
