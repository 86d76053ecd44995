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
// On a block x is [NumSrc in] and the result has NumDst rows. With [DstFeatures] the
// z_v of a score is of a matrix of its own, x_v W_dst, W_dst [dst heads*dim].
//
// Made for edge features f [E edge] (GATConfig.Edge) the layer has, as PyG's,
//
//	s_uv = LeakyReLU(al·z_u + ar·z_v + ae·(f_uv W_edge))
//
// with W_edge [edge heads*dim] and ae [heads dim], and is applied by ForwardEdges and
// ForwardPairEdges. A loop is an edge like others, with features of its own.
type GATConv struct {
	nn.Stochastic // of the attention dropout

	Weight    *autograd.Var // [in heads*dim]
	WeightDst *autograd.Var // [dst heads*dim]; nil without DstFeatures
	AttnSrc   *autograd.Var // [heads dim], al
	AttnDst   *autograd.Var // [heads dim], ar
	Bias      *autograd.Var // nil without bias

	WeightEdge *autograd.Var // [edge heads*dim]; nil without edge features
	AttnEdge   *autograd.Var // [heads dim], ae; nil without edge features

	heads, dim, width, dst, edge int // width is that of the result
	program                      *vc.Program
	pair                         *vc.Program // for features of both ends
}

// GATConfig has what GATConv has beside its sizes. The zero value is the
// paper's layer without dropout: slope 0.2, heads concatenated.
type GATConfig struct {
	Mean        bool    // average the heads instead of concatenating them
	Slope       float64 // of LeakyReLU for negative scores; 0 means 0.2
	Edge        int     // columns of the edge features; 0 for none. CGATConv has a size of its own for them
	AttnDropout float64 // probability of dropping an attention coefficient in training
	ProjectBias bool    // of GATv2Conv only: add biases to both products, as PyG's layer does
}

// NewGATConv returns a layer with Glorot-uniform weights, each head a layer of
// its own, as in the paper's code.
func NewGATConv(in, dim, heads int, cfg GATConfig, r *nn.RNG, opts ...Option) *GATConv {
	wantPositive("GATConv", in, dim, heads)
	wantProbability("GATConv", "attention dropout", cfg.AttnDropout)
	wantFinite("GATConv", "slope", cfg.Slope)
	wantNoProjectBias("GATConv", cfg)
	wantNotNegative("GATConv", cfg.Edge)
	c := configurePair(opts)
	if cfg.Slope == 0 {
		cfg.Slope = 0.2
	}
	l := &GATConv{Weight: c.glorot(r, in, dim, in, heads*dim), heads: heads, dim: dim, width: headsWidth(heads, dim, cfg.Mean), dst: c.dst, edge: cfg.Edge}
	if c.dst > 0 {
		l.WeightDst = c.glorot(r, c.dst, dim, c.dst, heads*dim)
	}
	l.AttnSrc = c.glorot(r, dim, 1, heads, dim)
	l.AttnDst = c.glorot(r, dim, 1, heads, dim)
	l.Bias = c.bias(l.width)
	if l.edge > 0 {
		l.WeightEdge = c.glorot(r, l.edge, dim, l.edge, heads*dim)
		l.AttnEdge = c.glorot(r, dim, 1, heads, dim)
	}
	l.Stochastic = nn.NewStochastic(r)
	gat := func(v vc.Vertex, own string) vc.Value {
		score := func(z vc.Value, a string) vc.Value { // [heads 1]
			return z.Dot(vc.Param(a)).Reshape(heads, 1)
		}
		z := v.InNeighbors().Feature("z")
		s := score(z, "al").Add(score(v.Feature(own), "ar"))
		if cfg.Edge > 0 {
			s = s.Add(v.InEdges().Feature("f").MatMul(vc.Param("ae")).Reshape(heads, 1))
		}
		alpha := vc.Softmax(s.LeakyReLU(cfg.Slope)).Dropout(cfg.AttnDropout)
		return addBias(joinHeads(vc.Sum(alpha.Mul(z)), cfg.Mean), l.Bias)
	}
	l.program = vc.Compile("gat", func(v vc.Vertex) vc.Value { return gat(v, "z") })
	l.pair = vc.Compile("gat pair", func(v vc.Vertex) vc.Value { return gat(v, "own") })
	return l
}

// wantNoProjectBias is for the layers that have no such biases.
func wantNoProjectBias(layer string, cfg GATConfig) {
	if cfg.ProjectBias {
		misuse(layer, "ProjectBias is of GATv2Conv only")
	}
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *GATConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardEdges(g, x, nil)
}

// ForwardEdges is Forward with edge features f [E edge] in order of edge ids, nil if the
// layer takes none.
func (l *GATConv) ForwardEdges(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x, f)
	return l.program.Run(g, seeded(&l.Stochastic, bindings)...)
}

// ForwardPair applies the layer to the features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], which may be sparse constants;
// the result has NumDst rows. Without [DstFeatures] dst is in and W_dst is W. The graph
// may be any, such as a relation between two kinds of vertices. It panics with *[Error]
// for what does not fit.
func (l *GATConv) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	return l.ForwardPairEdges(g, xSrc, xDst, nil)
}

// ForwardPairEdges is ForwardPair with edge features f as ForwardEdges takes them.
func (l *GATConv) ForwardPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.pair.Run(g, seeded(&l.Stochastic, bindings)...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GATConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledEdges(g, x, nil)
}

// CompiledEdges returns the plans that ForwardEdges runs for g, x and f.
func (l *GATConv) CompiledEdges(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x, f)
	return l.program.Compiled(g, planned(&l.Stochastic, bindings)...)
}

// CompiledPair returns the plans that ForwardPair runs for g, xSrc and xDst.
func (l *GATConv) CompiledPair(g *graph.Graph, xSrc, xDst *autograd.Var) *vc.Compiled {
	return l.CompiledPairEdges(g, xSrc, xDst, nil)
}

// CompiledPairEdges returns the plans that ForwardPairEdges runs for g, xSrc, xDst and f.
func (l *GATConv) CompiledPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.pair.Compiled(g, planned(&l.Stochastic, bindings)...)
}

func (l *GATConv) bindings(g *graph.Graph, x, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GATConv"))
	}
	wantOneKind("GATConv", l.dst)
	wantInput("GATConv", g, x, l.Weight)
	return append(l.params(g, f), vertexFeature(g, "z", splitHeads(x.MatMul(l.Weight), l.heads))...)
}

func (l *GATConv) pairBindings(g *graph.Graph, xSrc, xDst, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GATConv"))
	}
	weight := l.WeightDst
	if weight == nil {
		weight = l.Weight
	}
	wantPair("GATConv", g, xSrc, l.Weight.Shape()[0], xDst, weight.Shape()[0])
	wantType("GATConv", "xSrc", xSrc, l.Weight)
	wantType("GATConv", "xDst", xDst, weight)
	return append(l.params(g, f),
		sourceFeature(g, "z", splitHeads(xSrc.MatMul(l.Weight), l.heads)),
		ownFeature(g, "own", splitHeads(xDst.MatMul(weight), l.heads)))
}

// params binds all but the features of vertices. What edges add to scores is f (W_edge ae),
// a product with a column a head: W_edge and ae are multiplied once, not for each edge.
func (l *GATConv) params(g *graph.Graph, f *autograd.Var) []vc.Binding {
	wantWidth("GATConv", "Weight", l.Weight, l.heads*l.dim)
	wantWidth("GATConv", "WeightDst", l.WeightDst, l.heads*l.dim)
	wantEdgeFeatures("GATConv", g, f, l.edge, l.Weight)
	var edge []vc.Binding
	if l.edge > 0 {
		wantShape("GATConv", "WeightEdge", l.WeightEdge, l.edge, l.heads*l.dim)
		wantShape("GATConv", "AttnEdge", l.AttnEdge, l.heads, l.dim)
		edge = append(edgeFeature("f", f), param("ae", l.WeightEdge.Reshape(l.edge, l.heads, l.dim).Mul(l.AttnEdge).Sum(-1))...)
	}
	return slices.Concat(edge,
		shaped("GATConv", "AttnSrc", "al", l.AttnSrc, l.heads, l.dim),
		shaped("GATConv", "AttnDst", "ar", l.AttnDst, l.heads, l.dim),
		shaped("GATConv", "Bias", "b", l.Bias, l.width))
}
