package gnn

// The layers of graph isomorphism networks.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GINConv is the layer of "How Powerful are Graph Neural Networks?" (Xu, Hu,
// Leskovec, Jegelka, ICLR 2019), equation 4.1:
//
//	h'_v = MLP((1 + ε) h_v + Σ_u h_u)
//
// for dense x [N in]; the MLP maps [N in] to [N out]. On a block x is [NumSrc in],
// the result [NumDst out].
type GINConv struct {
	MLP nn.Layer
	Eps *autograd.Var // [1], ε

	program *vc.Program
	pair    *vc.Program // for features of both ends
}

// GINConfig has what GINConv and GINEConv have beside their MLP. The zero value
// trains ε from 0.
type GINConfig struct {
	Eps    float64 // the initial ε
	FixEps bool    // do not train it; with Eps 0 this is the paper's GIN-0
}

// NewGINConv returns a layer around an MLP, such as an *nn.MLP of two layers.
func NewGINConv(mlp nn.Layer, cfg GINConfig, opts ...Option) *GINConv {
	return &GINConv{
		MLP: wantLayer("GINConv", mlp),
		Eps: newEps("GINConv", cfg, opts),
		program: vc.Compile("gin", func(v vc.Vertex) vc.Value {
			return ownAndSum(v.Feature("x"), v.InNeighbors().Feature("x"))
		}),
		pair: vc.Compile("gin pair", func(v vc.Vertex) vc.Value {
			return ownAndSum(v.Feature("own"), v.InNeighbors().Feature("x"))
		}),
	}
}

// ownAndSum is (1 + ε) x_v + Σ_u m_u.
func ownAndSum(own, message vc.Value) vc.Value {
	return own.Mul(vc.Param("eps").AddScalar(1)).Add(vc.Sum(message))
}

func newEps(layer string, cfg GINConfig, opts []Option) *autograd.Var {
	wantFinite(layer, "epsilon", cfg.Eps)
	eps := tensor.Full(configure(opts).dtype, cfg.Eps, 1)
	if cfg.FixEps {
		return autograd.Constant(eps)
	}
	return autograd.Parameter(eps)
}

func wantLayer(layer string, mlp nn.Layer) nn.Layer {
	if mlp == nil {
		misuse(layer, "the MLP is nil")
	}
	return mlp
}

// Forward applies the layer to dense x [N in] on a homogeneous graph of N vertices
// or a block. It panics with *[Error] for any other.
func (l *GINConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.MLP.Forward(l.program.Run(g, bindings...))
}

// ForwardPair applies the layer to dense features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst in]: [NumDst out]. The graph may be
// any, such as a relation between two kinds of vertices. It panics with *[Error] for
// what does not fit.
func (l *GINConv) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	bindings := l.pairBindings(g, xSrc, xDst)
	return l.MLP.Forward(l.pair.Run(g, bindings...))
}

// Compiled returns the plans of the sum, all but the MLP, that Forward runs for g
// and x.
func (l *GINConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

// CompiledPair returns the plans of the sum that ForwardPair runs for g, xSrc and xDst.
func (l *GINConv) CompiledPair(g *graph.Graph, xSrc, xDst *autograd.Var) *vc.Compiled {
	bindings := l.pairBindings(g, xSrc, xDst)
	return l.pair.Compiled(g, bindings...)
}

func (l *GINConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GINConv"))
	}
	wantFeatures("GINConv", g, x, 0)
	wantType("GINConv", "x", x, l.Eps)
	wantDense("GINConv", "x", x)
	return append(vertexFeature(g, "x", x), vc.ParamValue("eps", l.Eps))
}

func (l *GINConv) pairBindings(g *graph.Graph, xSrc, xDst *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GINConv"))
	}
	wantSums("GINConv", g, xSrc, xDst, 0, l.Eps)
	return append(ends(g, xSrc, xDst), vc.ParamValue("eps", l.Eps))
}

// wantSums is wantPair for layers that add dense features of both ends: they have one
// width, in, or any if that is 0.
func wantSums(layer string, g *graph.Graph, xSrc, xDst *autograd.Var, in int, eps *autograd.Var) {
	wantPair(layer, g, xSrc, in, xDst, in)
	wantDense(layer, "xSrc", xSrc)
	wantDense(layer, "xDst", xDst)
	if from, to := xSrc.Shape()[1], xDst.Shape()[1]; from != to {
		misuse(layer, "xSrc has %d features, xDst %d; the layer adds them", from, to)
	}
	wantType(layer, "xSrc", xSrc, eps)
	wantType(layer, "xDst", xDst, eps)
}

// GINEConv is [GINConv] with edge features, of "Strategies for Pre-training Graph
// Neural Networks" (Hu et al., ICLR 2020), in PyG's form:
//
//	h'_v = MLP((1 + ε) h_v + Σ_u ReLU(h_u + f_uv W_edge))
//
// for dense x [N in] and edge features f [E edge], W_edge [edge in] with a bias; no
// edge tensor is made of their product. On a block x is [NumSrc in], the result
// [NumDst out].
type GINEConv struct {
	MLP  nn.Layer
	Eps  *autograd.Var // [1], ε
	Edge *nn.Linear    // edge to in; nil if edge features are as wide as x

	in, edge int
	program  *vc.Program
	pair     *vc.Program // for features of both ends
}

// NewGINEConv returns a layer around an MLP that takes in features. Edge features
// have edge columns; if that is 0 they have in and are added as they are.
func NewGINEConv(in, edge int, mlp nn.Layer, cfg GINConfig, r *nn.RNG, opts ...Option) *GINEConv {
	wantPositive("GINEConv", in)
	wantNotNegative("GINEConv", edge)
	l := &GINEConv{MLP: wantLayer("GINEConv", mlp), Eps: newEps("GINEConv", cfg, opts), in: in, edge: edge}
	if edge == 0 {
		l.edge = in
	} else {
		l.Edge = configure(opts).linear(r, edge, in, true)
	}
	gine := func(v vc.Vertex, own string) vc.Value {
		e := v.InEdges()
		f := e.Feature("f")
		if edge > 0 {
			f = linear(f, "edge", l.Edge)
		}
		return ownAndSum(v.Feature(own), e.Src("x").Add(f).ReLU())
	}
	l.program = vc.Compile("gine", func(v vc.Vertex) vc.Value { return gine(v, "x") })
	l.pair = vc.Compile("gine pair", func(v vc.Vertex) vc.Value { return gine(v, "own") })
	return l
}

// Forward applies the layer to dense x [N in] and edge features f [E edge] on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *GINEConv) Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x, f)
	return l.MLP.Forward(l.program.Run(g, bindings...))
}

// ForwardPair applies the layer to dense features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst in], and edge features f [E edge]:
// [NumDst out]. The graph may be any, such as a relation between two kinds of vertices.
// It panics with *[Error] for what does not fit.
func (l *GINEConv) ForwardPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.MLP.Forward(l.pair.Run(g, bindings...))
}

// Compiled returns the plans of the sum, all but the MLP, that Forward runs for g,
// x and f.
func (l *GINEConv) Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x, f)
	return l.program.Compiled(g, bindings...)
}

// CompiledPair returns the plans of the sum that ForwardPair runs for g, xSrc, xDst and
// f.
func (l *GINEConv) CompiledPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled {
	bindings := l.pairBindings(g, xSrc, xDst, f)
	return l.pair.Compiled(g, bindings...)
}

func (l *GINEConv) bindings(g *graph.Graph, x, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GINEConv"))
	}
	wantFeatures("GINEConv", g, x, l.in)
	wantType("GINEConv", "x", x, l.Eps)
	wantDense("GINEConv", "x", x)
	wantEdgeFeatures("GINEConv", g, f, l.edge, l.Eps)
	return append(l.params(f), vertexFeature(g, "x", x)...)
}

func (l *GINEConv) pairBindings(g *graph.Graph, xSrc, xDst, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GINEConv"))
	}
	wantSums("GINEConv", g, xSrc, xDst, l.in, l.Eps)
	wantEdgeFeatures("GINEConv", g, f, l.edge, l.Eps)
	return append(l.params(f), ends(g, xSrc, xDst)...)
}

// params binds all but the features of vertices.
func (l *GINEConv) params(f *autograd.Var) []vc.Binding {
	if l.Edge != nil {
		wantWidth("GINEConv", "Edge.Weight", l.Edge.Weight, l.in)
	}
	return slices.Concat(edgeFeature("f", f), linearParams("GINEConv", "edge", l.Edge), param("eps", l.Eps))
}
