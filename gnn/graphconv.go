package gnn

// The layer of 1-GNNs.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GraphConv is the layer of "Weisfeiler and Leman Go Neural: Higher-order Graph Neural
// Networks" (Morris, Ritzert, Fey, Hamilton, Lenssen, Rattan, Grohe, AAAI 2019), equation
// 5 without its activation, with PyG's reductions and weights of edges:
//
//	h'_v = h_v W_self + (reduce_u w_uv h_u) W_neigh + b
//
// for x [N in]: W_self and W_neigh [in out], b [out], result [N out]. The paper's reduction
// is the sum; without neighbours each gives 0. w_uv is 1 unless weights are given
// ([GraphConv.ForwardWeighted]). On a block x is [NumSrc in], the result [NumDst out]. With
// [DstFeatures] W_self is [dst out], with [NoRoot] h_v W_self is left out.
type GraphConv struct {
	WeightSelf  *autograd.Var // [in out], or [dst out]; nil with NoRoot
	WeightNeigh *autograd.Var // [in out]
	Bias        *autograd.Var // [out], nil without bias

	in, dst         int
	reduce          Reduce
	plain, weighted graphConvPrograms
}

type graphConvPrograms struct {
	one       *vc.Program // of vertices of one kind
	pair      *vc.Program // for features of both ends
	projected *vc.Program // for sparse features, multiplied before
}

// NewGraphConv returns a layer with Glorot-uniform weights.
func NewGraphConv(in, out int, reduce Reduce, r *nn.RNG, opts ...Option) *GraphConv {
	wantPositive("GraphConv", in, out)
	wantReduce("GraphConv", reduce)
	c := configureRoot(opts)
	l := &GraphConv{
		WeightSelf:  c.root(r, c.dstWidth(in), out),
		WeightNeigh: c.glorot(r, in, out, in, out),
		Bias:        c.bias(out),
		in:          in, dst: c.dst, reduce: reduce,
	}
	programs := func(name string, weigh func(e vc.Edge, x vc.Value) vc.Value) graphConvPrograms {
		neighbors := func(v vc.Vertex, x string) vc.Value {
			e := v.InEdges()
			return reduces[reduce](weigh(e, e.Src(x)))
		}
		conv := func(own string) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				self := func() vc.Value { return v.Feature(own).MatMul(vc.Param("Wself")) }
				return addBias(rootedSum(l.WeightSelf, self, neighbors(v, "x").MatMul(vc.Param("Wneigh"))), l.Bias)
			}
		}
		return graphConvPrograms{
			one:  vc.Compile(name, conv("x")),
			pair: vc.Compile(name+" pair", conv("own")),
			projected: vc.Compile(name+" projected", func(v vc.Vertex) vc.Value {
				self := func() vc.Value { return v.Feature("own") }
				return addBias(rootedSum(l.WeightSelf, self, neighbors(v, "z")), l.Bias)
			}),
		}
	}
	l.plain = programs("graphconv", func(_ vc.Edge, x vc.Value) vc.Value { return x })
	l.weighted = programs("graphconv weighted", func(e vc.Edge, x vc.Value) vc.Value { return x.Mul(e.Feature(edgeWeight)) })
	return l
}

// Forward applies the layer to x [N in] on a homogeneous graph of N vertices or a block. If
// it sums or averages, x may be a sparse constant. It panics with *[Error] for any other.
func (l *GraphConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E], nil
// for 1 each.
func (l *GraphConv) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, w)
	return program.Run(g, bindings...)
}

// ForwardPair applies the layer to the features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], sparse as in Forward: [NumDst out].
// Without [DstFeatures] dst is in; with [NoRoot] xDst is not read, and may be nil. The graph
// may be any, such as a relation between two kinds of vertices. It panics with *[Error] for
// what does not fit.
func (l *GraphConv) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	return l.ForwardPairWeighted(g, xSrc, xDst, nil)
}

// ForwardPairWeighted is ForwardPair with weights of the edges as in ForwardWeighted.
func (l *GraphConv) ForwardPairWeighted(g *graph.Graph, xSrc, xDst, w *autograd.Var) *autograd.Var {
	program, bindings := l.onPair(g, xSrc, xDst, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GraphConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w.
func (l *GraphConv) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, w)
	return program.Compiled(g, bindings...)
}

// CompiledPair returns the plans that ForwardPair runs for g, xSrc and xDst.
func (l *GraphConv) CompiledPair(g *graph.Graph, xSrc, xDst *autograd.Var) *vc.Compiled {
	return l.CompiledPairWeighted(g, xSrc, xDst, nil)
}

// CompiledPairWeighted returns the plans that ForwardPairWeighted runs for g, xSrc, xDst
// and w.
func (l *GraphConv) CompiledPairWeighted(g *graph.Graph, xSrc, xDst, w *autograd.Var) *vc.Compiled {
	program, bindings := l.onPair(g, xSrc, xDst, w)
	return program.Compiled(g, bindings...)
}

func (l *GraphConv) on(g *graph.Graph, x, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.plain.one == nil {
		panic(notMade("GraphConv"))
	}
	wantOneKind("GraphConv", l.dst)
	wantInput("GraphConv", g, x, cmp.Or(l.WeightSelf, l.WeightNeigh))
	l.wantSparsity("x", x)
	programs, bindings := l.edges(g, w)
	switch {
	case l.WeightSelf == nil:
		return l.onSources(g, x, programs, bindings)
	case x.Sparse() == nil:
		return programs.one, slices.Concat(bindings, l.params(), vertexFeature(g, "x", x))
	}
	return programs.projected, append(bindings, l.products(g, x, ownProduct(g, x, l.WeightSelf))...)
}

func (l *GraphConv) onPair(g *graph.Graph, xSrc, xDst, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.plain.one == nil {
		panic(notMade("GraphConv"))
	}
	wantRoot("GraphConv", g, xSrc, l.in, xDst, l.WeightSelf, l.WeightNeigh)
	l.wantSparsity("xSrc", xSrc)
	programs, bindings := l.edges(g, w)
	if l.WeightSelf == nil {
		return l.onSources(g, xSrc, programs, bindings)
	}
	l.wantSparsity("xDst", xDst)
	if xSrc.Sparse() == nil && xDst.Sparse() == nil {
		return programs.pair, slices.Concat(bindings, l.params(), ends(g, xSrc, xDst))
	}
	return programs.projected, append(bindings, l.products(g, xSrc, xDst.MatMul(l.WeightSelf))...)
}

// onSources is on and onPair without a weight for the features of destinations.
func (l *GraphConv) onSources(g *graph.Graph, x *autograd.Var, programs graphConvPrograms, bindings []vc.Binding) (*vc.Program, []vc.Binding) {
	if x.Sparse() == nil {
		return programs.one, slices.Concat(bindings, l.params(), []vc.Binding{sourceFeature(g, "x", x)})
	}
	return programs.projected, append(bindings, l.products(g, x, nil)...)
}

// wantSparsity panics if x is sparse and cannot be multiplied before it is reduced, as no
// maximum can.
func (l *GraphConv) wantSparsity(name string, x *autograd.Var) {
	if l.reduce == ReduceMax || l.reduce == ReduceMin {
		wantDense("GraphConv", name, x)
	}
}

// edges are the programs for weights w or, if that is nil, none, and what they bind.
func (l *GraphConv) edges(g *graph.Graph, w *autograd.Var) (graphConvPrograms, []vc.Binding) {
	out := width(cmp.Or(l.WeightSelf, l.WeightNeigh))
	wantWidth("GraphConv", "WeightNeigh", l.WeightNeigh, out)
	bindings := shaped("GraphConv", "Bias", "b", l.Bias, out)
	if w == nil {
		return l.plain, bindings
	}
	wantWeights("GraphConv", g, w, l.WeightNeigh)
	return l.weighted, append(bindings, vc.EdgeFeature(edgeWeight, w))
}

func (l *GraphConv) params() []vc.Binding {
	return append(param("Wself", l.WeightSelf), param("Wneigh", l.WeightNeigh)...)
}

// products binds the products of features and weights that the program for sparse
// features reads; own are those of the destinations, nil without.
func (l *GraphConv) products(g *graph.Graph, x, own *autograd.Var) []vc.Binding {
	bindings := []vc.Binding{sourceFeature(g, "z", x.MatMul(l.WeightNeigh))}
	if own != nil {
		bindings = append(bindings, ownFeature(g, "own", own))
	}
	return bindings
}
