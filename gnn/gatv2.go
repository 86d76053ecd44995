package gnn

// The attention layer of Brody, Alon and Yahav.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GATv2Conv is the layer of "How Attentive are Graph Attention Networks?" (Brody,
// Alon, Yahav, ICLR 2022), equation 7. For each head:
//
//	l = x W_src,  r = x W_dst,  s_uv = a·LeakyReLU(l_u + r_v)
//	α_uv = softmax over v's in-edges of s_uv,  h'_v = Σ_u α_uv l_u + b
//
// for x [N in]: W_src and W_dst [in heads*dim], the two halves of the paper's W, and
// a [heads dim]. Heads are concatenated, result and b [N heads*dim], or averaged,
// [N dim]. Which neighbour has the largest coefficient depends on v, unlike in
// [GATConv]: its score is not a sum of one of u and one of v. The layer adds no
// loops. On a block x is [NumSrc in] and the result has NumDst rows. With [DstFeatures]
// W_dst is [dst heads*dim]. With GATConfig.ProjectBias l and r have a bias each, as in
// PyG; the paper has none.
//
// Made for edge features f [E edge] (GATConfig.Edge) the layer has, as PyG's,
//
//	s_uv = a·LeakyReLU(l_u + r_v + f_uv W_edge)
//
// with W_edge [edge heads*dim], and is applied by ForwardEdges and ForwardPairEdges; no
// edge tensor is made of that product.
type GATv2Conv struct {
	nn.Stochastic // of the attention dropout

	WeightSrc *autograd.Var // [in heads*dim]
	WeightDst *autograd.Var // [in heads*dim], or [dst heads*dim]
	BiasSrc   *autograd.Var // [heads*dim], nil without ProjectBias or bias
	BiasDst   *autograd.Var // [heads*dim], nil without ProjectBias or bias
	Attn      *autograd.Var // [heads dim], a
	Bias      *autograd.Var // nil without bias

	WeightEdge *autograd.Var // [edge heads*dim]; nil without edge features

	heads, dim, width, dst, edge int // width is that of the result
	program                      *vc.Program
}

// NewGATv2Conv returns a layer with Glorot-uniform weights, each head a layer of its
// own. It has the settings of [GATConv].
func NewGATv2Conv(in, dim, heads int, cfg GATConfig, r *nn.RNG, opts ...Option) *GATv2Conv {
	wantPositive("GATv2Conv", in, dim, heads)
	wantProbability("GATv2Conv", "attention dropout", cfg.AttnDropout)
	wantFinite("GATv2Conv", "slope", cfg.Slope)
	wantNotNegative("GATv2Conv", cfg.Edge)
	c := configurePair(opts)
	own := c.dstWidth(in)
	if cfg.Slope == 0 {
		cfg.Slope = 0.2
	}
	l := &GATv2Conv{
		WeightSrc: c.glorot(r, in, dim, in, heads*dim),
		WeightDst: c.glorot(r, own, dim, own, heads*dim),
		Attn:      c.glorot(r, dim, 1, heads, dim),
		heads:     heads, dim: dim, width: headsWidth(heads, dim, cfg.Mean), dst: c.dst, edge: cfg.Edge,
	}
	l.Bias = c.bias(l.width)
	if cfg.ProjectBias {
		l.BiasSrc, l.BiasDst = c.bias(heads*dim), c.bias(heads*dim)
	}
	if l.edge > 0 {
		l.WeightEdge = c.glorot(r, l.edge, dim, l.edge, heads*dim)
	}
	l.Stochastic = nn.NewStochastic(r)
	l.program = vc.Compile("gatv2", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		both := e.Src("l").Add(e.Dst("r"))
		if cfg.Edge > 0 {
			both = both.Add(e.Feature("f").MatMul(vc.Param("edge")).Reshape(heads, dim))
		}
		s := both.LeakyReLU(cfg.Slope).Dot(vc.Param("a"))
		alpha := vc.Softmax(s).Dropout(cfg.AttnDropout).Reshape(heads, 1)
		return addBias(joinHeads(vc.Sum(alpha.Mul(e.Src("l"))), cfg.Mean), l.Bias)
	})
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *GATv2Conv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardEdges(g, x, nil)
}

// ForwardEdges is Forward with edge features f [E edge] in order of edge ids, nil if the
// layer takes none.
func (l *GATv2Conv) ForwardEdges(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x, f)
	return l.program.Run(g, seeded(&l.Stochastic, bindings)...)
}

// ForwardPair applies the layer to the features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], which may be sparse constants;
// the result has NumDst rows. Without [DstFeatures] dst is in. The graph may be any,
// such as a relation between two kinds of vertices. It panics with *[Error] for what
// does not fit.
func (l *GATv2Conv) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	return l.ForwardPairEdges(g, xSrc, xDst, nil)
}

// ForwardPairEdges is ForwardPair with edge features f as ForwardEdges takes them.
func (l *GATv2Conv) ForwardPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.program.Run(g, seeded(&l.Stochastic, bindings)...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GATv2Conv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledEdges(g, x, nil)
}

// CompiledEdges returns the plans that ForwardEdges runs for g, x and f.
func (l *GATv2Conv) CompiledEdges(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x, f)
	return l.program.Compiled(g, planned(&l.Stochastic, bindings)...)
}

// CompiledPair returns the plans that ForwardPair runs for g, xSrc and xDst.
func (l *GATv2Conv) CompiledPair(g *graph.Graph, xSrc, xDst *autograd.Var) *vc.Compiled {
	return l.CompiledPairEdges(g, xSrc, xDst, nil)
}

// CompiledPairEdges returns the plans that ForwardPairEdges runs for g, xSrc, xDst and f.
func (l *GATv2Conv) CompiledPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.program.Compiled(g, planned(&l.Stochastic, bindings)...)
}

func (l *GATv2Conv) bindings(g *graph.Graph, x, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GATv2Conv"))
	}
	wantOneKind("GATv2Conv", l.dst)
	wantInput("GATv2Conv", g, x, l.WeightSrc)
	l.wantWeights()
	return l.ends(g, l.source().Forward(x), ownLinear(g, x, l.own()), f)
}

func (l *GATv2Conv) pairBindings(g *graph.Graph, xSrc, xDst, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GATv2Conv"))
	}
	wantPair("GATv2Conv", g, xSrc, l.WeightSrc.Shape()[0], xDst, l.WeightDst.Shape()[0])
	wantType("GATv2Conv", "xSrc", xSrc, l.WeightSrc)
	wantType("GATv2Conv", "xDst", xDst, l.WeightDst)
	l.wantWeights()
	return l.ends(g, l.source().Forward(xSrc), l.own().Forward(xDst), f)
}

func (l *GATv2Conv) wantWeights() {
	wantWidth("GATv2Conv", "WeightSrc", l.WeightSrc, l.heads*l.dim)
	wantWidth("GATv2Conv", "WeightDst", l.WeightDst, l.heads*l.dim)
}

func (l *GATv2Conv) source() *nn.Linear { return &nn.Linear{Weight: l.WeightSrc, Bias: l.BiasSrc} }

func (l *GATv2Conv) own() *nn.Linear { return &nn.Linear{Weight: l.WeightDst, Bias: l.BiasDst} }

// ends binds what l and r are of, [NumSrc heads*dim] and [NumDst heads*dim], and the edges.
func (l *GATv2Conv) ends(g *graph.Graph, left, right, f *autograd.Var) []vc.Binding {
	wantEdgeFeatures("GATv2Conv", g, f, l.edge, l.WeightSrc)
	var edge []vc.Binding
	if l.edge > 0 {
		edge = append(edgeFeature("f", f), shaped("GATv2Conv", "WeightEdge", "edge", l.WeightEdge, l.edge, l.heads*l.dim)...)
	}
	return slices.Concat(edge,
		[]vc.Binding{
			sourceFeature(g, "l", splitHeads(left, l.heads)),
			ownFeature(g, "r", splitHeads(right, l.heads)),
		},
		shaped("GATv2Conv", "Attn", "a", l.Attn, l.heads, l.dim),
		shaped("GATv2Conv", "Bias", "b", l.Bias, l.width),
	)
}
