package gnn

// Attention by pairs of vertices and their edge.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// CGATConv is attention whose scores are made of both ends of an edge and of its
// features together, and normalised over v's in-edges. For each head:
//
//	q_uv = LeakyReLU([h_u ‖ h_v ‖ f_uv] W),  s_uv = a·q_uv
//	α_uv = softmax over v's in-edges of s_uv,  h'_v = Σ_u α_uv h_u V + b
//
// for dense x [N in] and edge features f [E edge]: W [2in+edge heads*dim], a [heads
// dim], V [in heads*dim]. Heads are concatenated, result and b [N heads*dim], or
// averaged, [N dim]. It is our reading of "C-GAT", which has no single definition;
// GATv2 (Brody et al. 2022) is the case without f whose V is W's first rows.
//
// No tensor is made of the concatenation: W's parts multiply each end once a vertex.
// The layer adds no loops. On a block x is [NumSrc in] and the result has NumDst
// rows.
type CGATConv struct {
	nn.Stochastic // of the attention dropout

	Weight      *autograd.Var // [2in+edge heads*dim]
	Attn        *autograd.Var // [heads dim], a
	WeightValue *autograd.Var // [in heads*dim], V
	Bias        *autograd.Var // nil without bias

	edge, heads, dim, width int // width is that of the result
	program                 *vc.Program
}

// NewCGATConv returns a layer with Glorot-uniform weights, each head a layer of its
// own, for edge features of edge columns; 0 is for none. It has the settings of
// [GATConv].
func NewCGATConv(in, edge, dim, heads int, cfg GATConfig, r *nn.RNG, opts ...Option) *CGATConv {
	wantNoProjectBias("CGATConv", cfg)
	if cfg.Edge != 0 {
		misuse("CGATConv", "the columns of edge features are an argument of its own, GATConfig.Edge is of GATConv and GATv2Conv")
	}
	wantPositive("CGATConv", in, dim, heads)
	wantNotNegative("CGATConv", edge)
	wantProbability("CGATConv", "attention dropout", cfg.AttnDropout)
	wantFinite("CGATConv", "slope", cfg.Slope)
	c := configure(opts)
	if cfg.Slope == 0 {
		cfg.Slope = 0.2
	}
	l := &CGATConv{
		Weight:      c.glorot(r, 2*in+edge, dim, 2*in+edge, heads*dim),
		Attn:        c.glorot(r, dim, 1, heads, dim),
		WeightValue: c.glorot(r, in, dim, in, heads*dim),
		edge:        edge, heads: heads, dim: dim, width: headsWidth(heads, dim, cfg.Mean),
	}
	l.Bias = c.bias(l.width)
	l.Stochastic = nn.NewStochastic(r)
	l.program = vc.Compile("cgat", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		pair := vc.Concat(e.Src("x"), e.Dst("x"))
		if edge > 0 {
			pair = vc.Concat(e.Src("x"), e.Dst("x"), e.Feature("f"))
		}
		q := pair.MatMul(vc.Param("W")).LeakyReLU(cfg.Slope).Reshape(heads, dim)
		alpha := vc.Softmax(q.Dot(vc.Param("a"))).Dropout(cfg.AttnDropout).Reshape(heads, 1)
		z := e.Src("x").MatMul(vc.Param("V")).Reshape(heads, dim)
		return addBias(joinHeads(vc.Sum(alpha.Mul(z)), cfg.Mean), l.Bias)
	})
	return l
}

// Forward applies the layer to dense x [N in] and edge features f [E edge], nil if
// the layer takes none, on a homogeneous graph of N vertices or a block. It panics
// with *[Error] for any other.
func (l *CGATConv) Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x, f)
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g, x and f.
func (l *CGATConv) Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x, f)
	if l.Training() {
		bindings = append(bindings, vc.Training(0)) // plans are the same for every seed
	}
	return l.program.Compiled(g, bindings...)
}

func (l *CGATConv) bindings(g *graph.Graph, x, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("CGATConv"))
	}
	wantInput("CGATConv", g, x, l.WeightValue)
	wantDense("CGATConv", "x", x)
	wantEdgeFeatures("CGATConv", g, f, l.edge, l.WeightValue)
	return slices.Concat(vertexFeature(g, "x", x), edgeFeature("f", f),
		param("W", l.Weight), param("V", l.WeightValue),
		shaped("CGATConv", "Attn", "a", l.Attn, l.heads, l.dim), shaped("CGATConv", "Bias", "b", l.Bias, l.width))
}
