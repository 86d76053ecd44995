package gnn

// The graph transformer layer of UniMP.

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// TransformerConv is the layer of "Masked Label Prediction: Unified Message Passing
// Model for Semi-Supervised Classification" (Shi, Huang, Feng, Zhong, Wang, Sun,
// IJCAI 2021), equations 1 to 5 without normalisation and activation. For each head:
//
//	q = Query(x),  k = Key(x),  v = Value(x),  e = Edge(f)
//	α_uv = softmax over v's in-edges of q_v·(k_u + e_uv)/√dim
//	ĥ_v  = Σ_u α_uv (v_u + e_uv)
//
// and, for the heads concatenated or averaged, with r = Skip(x):
//
//	β_v  = σ(Beta([ĥ_v ‖ r_v ‖ ĥ_v - r_v]))
//	h'_v = (1-β_v) ĥ_v + β_v r_v,  or ĥ_v + r_v without the gate
//
// for x [N in] and edge features f [E edge]: Query, Key, Value and Edge go to
// heads*dim features, Skip to those of the result: [N heads*dim], or [N dim] if
// averaged. On a block x is [NumSrc in] and the result has NumDst rows. With
// [DstFeatures] Query and Skip are from dst features.
type TransformerConv struct {
	nn.Stochastic // of the attention dropout

	Query, Key, Value *nn.Linear
	Edge              *nn.Linear // without bias; nil without edge features
	Skip              *nn.Linear
	Beta              *nn.Linear // without bias; nil without the gate

	in, dst, edge     int // dst is that of DstFeatures
	heads, dim, width int // width is that of the result
	program           *vc.Program
}

// TransformerConfig has what TransformerConv has beside its sizes. The zero value
// has neither edge features nor a gate.
type TransformerConfig struct {
	Edge        int     // columns of the edge features; 0 for none
	Mean        bool    // average the heads instead of concatenating them
	Gate        bool    // weigh Skip(x) by β instead of adding it
	AttnDropout float64 // probability of dropping an attention coefficient in training
}

// NewTransformerConv returns a layer whose weights are initialised as those of
// nn.Linear. NoBias is of Query, Key, Value and Skip.
func NewTransformerConv(in, dim, heads int, cfg TransformerConfig, r *nn.RNG, opts ...Option) *TransformerConv {
	wantPositive("TransformerConv", in, dim, heads)
	wantNotNegative("TransformerConv", cfg.Edge)
	wantProbability("TransformerConv", "attention dropout", cfg.AttnDropout)
	c := configurePair(opts)
	own := c.dstWidth(in)
	width := headsWidth(heads, dim, cfg.Mean)
	l := &TransformerConv{
		Query: c.linear(r, own, heads*dim, true),
		Key:   c.linear(r, in, heads*dim, true),
		Value: c.linear(r, in, heads*dim, true),
		Skip:  c.linear(r, own, width, true),
		in:    in, dst: c.dst, edge: cfg.Edge, heads: heads, dim: dim, width: width,
	}
	if cfg.Edge > 0 {
		l.Edge = c.linear(r, cfg.Edge, heads*dim, false)
	}
	if cfg.Gate {
		l.Beta = c.linear(r, 3*width, 1, false)
	}
	l.Stochastic = nn.NewStochastic(r)
	l.program = vc.Compile("transformer", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		key, value := e.Src("k"), e.Src("v")
		if cfg.Edge > 0 {
			f := linear(e.Feature("f"), "edge", l.Edge).Reshape(heads, dim)
			key, value = key.Add(f), value.Add(f)
		}
		s := e.Dst("q").Dot(key).Scale(1 / math.Sqrt(float64(dim)))
		alpha := vc.Softmax(s).Dropout(cfg.AttnDropout).Reshape(heads, 1)
		h, skip := joinHeads(vc.Sum(alpha.Mul(value)), cfg.Mean), v.Feature("skip")
		if !cfg.Gate {
			return h.Add(skip)
		}
		beta := linear(vc.Concat(h, skip, h.Sub(skip)), "beta", l.Beta).Sigmoid()
		return h.Add(beta.Mul(skip.Sub(h)))
	})
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, and edge
// features f [E edge], nil if the layer takes none, on a homogeneous graph of N
// vertices or a block. It panics with *[Error] for any other.
func (l *TransformerConv) Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x, f)
	return l.program.Run(g, seeded(&l.Stochastic, bindings)...)
}

// ForwardPair applies the layer to the features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], which may be sparse constants,
// and f as Forward; the result has NumDst rows. Without [DstFeatures] dst is in. The
// graph may be any, such as a relation between two kinds of vertices. It panics with
// *[Error] for what does not fit.
func (l *TransformerConv) ForwardPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.program.Run(g, seeded(&l.Stochastic, bindings)...)
}

// Compiled returns the plans that Forward runs for g, x and f.
func (l *TransformerConv) Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x, f)
	return l.program.Compiled(g, planned(&l.Stochastic, bindings)...)
}

// CompiledPair returns the plans that ForwardPair runs for g, xSrc, xDst and f.
func (l *TransformerConv) CompiledPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.program.Compiled(g, planned(&l.Stochastic, bindings)...)
}

func (l *TransformerConv) bindings(g *graph.Graph, x, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("TransformerConv"))
	}
	wantOneKind("TransformerConv", l.dst)
	wantInput("TransformerConv", g, x, l.Key.Weight)
	wantEdgeFeatures("TransformerConv", g, f, l.edge, l.Key.Weight)
	l.wantWeights()
	return l.ends(g, x, ownLinear(g, x, l.Query), ownLinear(g, x, l.Skip), f)
}

func (l *TransformerConv) pairBindings(g *graph.Graph, xSrc, xDst, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("TransformerConv"))
	}
	wantPair("TransformerConv", g, xSrc, l.in, xDst, l.Query.Weight.Shape()[0])
	wantType("TransformerConv", "xSrc", xSrc, l.Key.Weight)
	wantType("TransformerConv", "xDst", xDst, l.Query.Weight)
	wantEdgeFeatures("TransformerConv", g, f, l.edge, l.Key.Weight)
	l.wantWeights()
	return l.ends(g, xSrc, l.Query.Forward(xDst), l.Skip.Forward(xDst), f)
}

func (l *TransformerConv) wantWeights() {
	for _, p := range []struct {
		field string
		l     *nn.Linear
		width int
	}{{"Query", l.Query, l.heads * l.dim}, {"Key", l.Key, l.heads * l.dim}, {"Value", l.Value, l.heads * l.dim}, {"Skip", l.Skip, l.width}} {
		wantWidth("TransformerConv", p.field+".Weight", p.l.Weight, p.width)
	}
}

// ends binds what the sources x [NumSrc in], the destinations, [NumDst heads*dim] and
// [NumDst width], and the edges have.
func (l *TransformerConv) ends(g *graph.Graph, x, query, skip, f *autograd.Var) []vc.Binding {
	return slices.Concat(
		[]vc.Binding{
			sourceFeature(g, "k", splitHeads(l.Key.Forward(x), l.heads)),
			sourceFeature(g, "v", splitHeads(l.Value.Forward(x), l.heads)),
			ownFeature(g, "q", splitHeads(query, l.heads)),
			ownFeature(g, "skip", skip),
		},
		edgeFeature("f", f), linearParams("TransformerConv", "edge", l.Edge), linearParams("TransformerConv", "beta", l.Beta),
	)
}
