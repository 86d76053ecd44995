package gnn

// The relational graph attention layer of Busbridge et al.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// RGATConv is the layer of "Relational Graph Attention Networks" (Busbridge et al.,
// 2019) with additive attention across relations (ARGAT), or within each of them (WIRGAT;
// equations 3 to 6). For each head and an edge of type r from u to v:
//
//	g_r = x W_r,  s_uv = LeakyReLU(k_r·g_ru + q_r·g_rv),  α = softmax over all in-edges of v, or those of type r
//	h'_v = Σ_r Σ_u α_uv g_ru + b
//
// for x [N in] on a graph whose edges have R types: W [R in heads*dim], q and k
// [R heads dim]. Heads are concatenated, result and b [N heads*dim], or averaged,
// [N dim]. With bases W_r = Σ_k Coef_rk Bases_k (equation 8). On a block x is
// [NumSrc in] and the result has NumDst rows.
type RGATConv struct {
	nn.Stochastic // of the attention dropout

	Weight *autograd.Var // [R in heads*dim], nil with bases
	Coef   *autograd.Var // [R B], nil without bases
	Bases  *autograd.Var // [B in heads*dim], nil without bases
	Query  *autograd.Var // [R heads dim], q
	Key    *autograd.Var // [R heads dim], k
	Bias   *autograd.Var // nil without bias

	in, relations     int
	heads, dim, width int // width is that of the result
	program           *vc.Program
}

// RGATConfig has what RGATConv has beside its sizes. The zero value has slope 0.2,
// attention across relations, heads concatenated, a free weight for each relation, no dropout.
type RGATConfig struct {
	WithinRelations bool // attention adds up to 1 over a vertex's in-edges of each type, not over all

	Mean        bool    // average the heads instead of concatenating them
	Bases       int     // so many bases that the relations share; 0 for none
	Slope       float64 // of LeakyReLU for negative scores; 0 means 0.2
	AttnDropout float64 // probability of dropping an attention coefficient in training
}

// NewRGATConv returns a layer for graphs of the given number of edge types, with
// Glorot-uniform weights, each head a layer of its own.
func NewRGATConv(in, dim, heads, relations int, cfg RGATConfig, r *nn.RNG, opts ...Option) *RGATConv {
	const name = "RGATConv"
	wantPositive(name, in, dim, heads, relations)
	wantNotNegative(name, cfg.Bases)
	wantProbability(name, "attention dropout", cfg.AttnDropout)
	wantFinite(name, "slope", cfg.Slope)
	c := configure(opts)
	if cfg.Slope == 0 {
		cfg.Slope = 0.2
	}
	n, b := heads*dim, cfg.Bases
	l := &RGATConv{in: in, relations: relations, heads: heads, dim: dim, width: headsWidth(heads, dim, cfg.Mean)}
	l.Bias = c.bias(l.width)
	weight := func(e vc.Edge) vc.Value { return e.Type("W") } // [in heads*dim]
	if b > 0 {
		l.Coef, l.Bases = c.glorot(r, relations, b, relations, b), c.glorot(r, in, dim, b, in, n)
		weight = func(e vc.Edge) vc.Value {
			return e.Type("coef").MatMul(vc.Param("V").Reshape(b, in*n)).Reshape(in, n)
		}
	} else {
		l.Weight = c.glorot(r, in, dim, relations, in, n)
	}
	l.Query, l.Key = c.glorot(r, dim, 1, relations, heads, dim), c.glorot(r, dim, 1, relations, heads, dim)
	l.Stochastic = nn.NewStochastic(r)
	normalise := vc.Softmax
	if cfg.WithinRelations {
		normalise = vc.SoftmaxByType
	}
	l.program = vc.Compile("rgat", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		w := weight(e)
		message := e.Src("x").MatMul(w).Reshape(heads, dim)
		// q·(x W) is x (W q), and W q belongs to the type: no wide product for v, and no dot
		// product for each edge.
		perHead := w.Reshape(in, heads, dim)
		query := e.Dst("x").MatMul(perHead.Dot(e.Type("q")))
		key := e.Src("x").MatMul(perHead.Dot(e.Type("k")))
		s := key.Add(query).LeakyReLU(cfg.Slope)
		alpha := normalise(s).Dropout(cfg.AttnDropout).Reshape(heads, 1)
		return addBias(joinHeads(vc.Sum(alpha.Mul(message)), cfg.Mean), l.Bias)
	})
	return l
}

// Forward applies the layer to x [N in] on a graph of N vertices or a block, whose
// edges have the layer's number of types. It panics with *[Error] for any other.
func (l *RGATConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *RGATConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	if l.Training() {
		bindings = append(bindings, vc.Training(0)) // plans are the same for every seed
	}
	return l.program.Compiled(g, bindings...)
}

func (l *RGATConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	const name = "RGATConv"
	if l == nil || l.program == nil {
		panic(notMade(name))
	}
	wantFeatures(name, g, x, l.in)
	wantType(name, "x", x, l.Query)
	wantDense(name, "x", x)
	wantEdgeTypes(name, g, l.relations)
	wantShape(name, "Query", l.Query, l.relations, l.heads, l.dim)
	wantShape(name, "Key", l.Key, l.relations, l.heads, l.dim)
	bindings := append(vertexFeature(g, "x", x), vc.EdgeTypeFeature("q", l.Query), vc.EdgeTypeFeature("k", l.Key))
	if l.Coef != nil {
		bindings = append(bindings, vc.EdgeTypeFeature("coef", l.Coef))
	} else {
		bindings = append(bindings, vc.EdgeTypeFeature("W", l.Weight))
	}
	return slices.Concat(bindings, param("V", l.Bases), shaped(name, "Bias", "b", l.Bias, l.width))
}
