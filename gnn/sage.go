package gnn

// The layer of GraphSAGE.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// SAGEAggregator says how [SAGEConv] makes one of a vertex's neighbours.
type SAGEAggregator uint8

const (
	// SAGEMean averages the neighbours' features.
	SAGEMean SAGEAggregator = iota
	// SAGEMaxPool takes the maximum of a layer of them.
	SAGEMaxPool
)

// SAGEConv is the layer of "Inductive Representation Learning on Large Graphs"
// (Hamilton, Ying, Leskovec, NIPS 2017), algorithm 1 without its activation:
//
//	h'_v = h_v W_self + n_v W_neigh + b
//	n_v  = mean_u h_u                           (SAGEMean)
//	n_v  = max_u ReLU(h_u W_pool + b_pool)      (SAGEMaxPool, equation 3)
//
// for x [N in]: W_self [in out], W_neigh [in out] or [pool out], W_pool [in pool],
// b [out], result [N out]. The matrix of the paper, which multiplies the two
// concatenated, is W_self above W_neigh. Without neighbours n_v is 0. On a block x
// is [NumSrc in], the result [NumDst out]. With [DstFeatures] W_self is [dst out], with
// [NoRoot] h_v W_self is left out.
type SAGEConv struct {
	WeightSelf  *autograd.Var // [in out], or [dst out]; nil with NoRoot
	WeightNeigh *autograd.Var // [in out], or [pool out]
	WeightPool  *autograd.Var // [in pool], of SAGEMaxPool
	BiasPool    *autograd.Var // [pool], of SAGEMaxPool, nil without bias
	Bias        *autograd.Var // [out], nil without bias

	in, dst   int
	normalize bool
	program   *vc.Program
	pair      *vc.Program // for features of both ends
	projected *vc.Program // for sparse features, multiplied before
}

// SAGEConfig has what SAGEConv has beside its sizes. The zero value is the layer
// with the mean.
type SAGEConfig struct {
	Aggregator SAGEAggregator
	Pool       int  // of SAGEMaxPool only: features of the pooling layer; 0 means as many as the input's
	Normalize  bool // divide every row of the result by its length: algorithm 1, line 7
}

// NewSAGEConv returns a layer with Glorot-uniform weights. NoBias is of b and b_pool.
func NewSAGEConv(in, out int, cfg SAGEConfig, r *nn.RNG, opts ...Option) *SAGEConv {
	wantPositive("SAGEConv", in, out)
	wantNotNegative("SAGEConv", cfg.Pool)
	c := configureRoot(opts)
	l := &SAGEConv{WeightSelf: c.root(r, c.dstWidth(in), out), in: in, dst: c.dst, normalize: cfg.Normalize}
	switch cfg.Aggregator {
	case SAGEMean:
		if cfg.Pool > 0 {
			misuse("SAGEConv", "Pool %d is of SAGEMaxPool only", cfg.Pool)
		}
		l.WeightNeigh = c.glorot(r, in, out, in, out)
	case SAGEMaxPool:
		pool := cfg.Pool
		if pool == 0 {
			pool = in
		}
		l.WeightNeigh = c.glorot(r, pool, out, pool, out)
		l.WeightPool = c.glorot(r, in, pool, in, pool)
		l.BiasPool = c.bias(pool)
	default:
		misuse("SAGEConv", "aggregator %d; want SAGEMean or SAGEMaxPool", cfg.Aggregator)
	}
	l.Bias = c.bias(out)
	sage := func(own func() vc.Value, neigh vc.Value) vc.Value {
		return addBias(rootedSum(l.WeightSelf, own, neigh), l.Bias)
	}
	conv := func(own string) func(vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value {
			self := func() vc.Value { return v.Feature(own).MatMul(vc.Param("Wself")) }
			u := v.InNeighbors().Feature("x")
			if cfg.Aggregator == SAGEMaxPool {
				pool := u.MatMul(vc.Param("Wpool"))
				if l.BiasPool != nil {
					pool = pool.Add(vc.Param("bpool"))
				}
				return sage(self, vc.Max(pool.ReLU()).MatMul(vc.Param("Wneigh")))
			}
			return sage(self, vc.Mean(u).MatMul(vc.Param("Wneigh")))
		}
	}
	l.program = vc.Compile("sage", conv("x"))
	l.pair = vc.Compile("sage pair", conv("own"))
	l.projected = vc.Compile("sage projected", func(v vc.Vertex) vc.Value {
		self := func() vc.Value { return v.Feature("own") }
		u := v.InNeighbors().Feature("z")
		if cfg.Aggregator == SAGEMaxPool {
			return sage(self, vc.Max(u).MatMul(vc.Param("Wneigh")))
		}
		return sage(self, vc.Mean(u))
	})
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *SAGEConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x)
	return l.run(program, g, bindings)
}

// ForwardPair applies the layer to the features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], which may be sparse constants:
// [NumDst out]. Without [DstFeatures] dst is in; with [NoRoot] xDst is not read, and may
// be nil. The graph may be any, such as a relation between two kinds of vertices. It
// panics with *[Error] for what does not fit.
func (l *SAGEConv) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	program, bindings := l.onPair(g, xSrc, xDst)
	return l.run(program, g, bindings)
}

func (l *SAGEConv) run(program *vc.Program, g *graph.Graph, bindings []vc.Binding) *autograd.Var {
	h := program.Run(g, bindings...)
	if l.normalize {
		h = nn.NormalizeRows(h)
	}
	return h
}

// Compiled returns the plans that Forward runs for g and x.
func (l *SAGEConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x)
	return program.Compiled(g, bindings...)
}

// CompiledPair returns the plans that ForwardPair runs for g, xSrc and xDst.
func (l *SAGEConv) CompiledPair(g *graph.Graph, xSrc, xDst *autograd.Var) *vc.Compiled {
	program, bindings := l.onPair(g, xSrc, xDst)
	return program.Compiled(g, bindings...)
}

func (l *SAGEConv) on(g *graph.Graph, x *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("SAGEConv"))
	}
	wantOneKind("SAGEConv", l.dst)
	wantInput("SAGEConv", g, x, cmp.Or(l.WeightSelf, l.WeightPool, l.WeightNeigh))
	wantWidth("SAGEConv", "WeightNeigh", l.WeightNeigh, l.out())
	switch {
	case l.WeightSelf == nil:
		return l.onSources(g, x)
	case x.Sparse() == nil:
		return l.program, append(l.params(), vertexFeature(g, "x", x)...)
	}
	return l.projected, l.products(g, x, ownProduct(g, x, l.WeightSelf))
}

func (l *SAGEConv) onPair(g *graph.Graph, xSrc, xDst *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("SAGEConv"))
	}
	wantRoot("SAGEConv", g, xSrc, l.in, xDst, l.WeightSelf, l.WeightNeigh)
	wantWidth("SAGEConv", "WeightNeigh", l.WeightNeigh, l.out())
	switch {
	case l.WeightSelf == nil:
		return l.onSources(g, xSrc)
	case xSrc.Sparse() == nil && xDst.Sparse() == nil:
		return l.pair, append(l.params(), ends(g, xSrc, xDst)...)
	}
	return l.projected, l.products(g, xSrc, xDst.MatMul(l.WeightSelf))
}

// onSources is on and onPair without a weight for the features of destinations.
func (l *SAGEConv) onSources(g *graph.Graph, x *autograd.Var) (*vc.Program, []vc.Binding) {
	if x.Sparse() == nil {
		return l.program, append(l.params(), sourceFeature(g, "x", x))
	}
	return l.projected, l.products(g, x, nil)
}

// out is the number of features of the result.
func (l *SAGEConv) out() int { return width(cmp.Or(l.WeightSelf, l.WeightNeigh)) }

func (l *SAGEConv) params() []vc.Binding {
	return slices.Concat(param("Wself", l.WeightSelf), param("Wneigh", l.WeightNeigh),
		param("Wpool", l.WeightPool), l.poolBias(), l.bias())
}

func (l *SAGEConv) bias() []vc.Binding {
	return shaped("SAGEConv", "Bias", "b", l.Bias, l.out())
}

func (l *SAGEConv) poolBias() []vc.Binding {
	if l.WeightPool == nil {
		return nil
	}
	return shaped("SAGEConv", "BiasPool", "bpool", l.BiasPool, width(l.WeightPool))
}

// products binds the products of features and weights that the program for sparse
// features reads; own are those of the destinations, nil without.
func (l *SAGEConv) products(g *graph.Graph, x, own *autograd.Var) []vc.Binding {
	bindings := l.bias()
	if own != nil {
		bindings = append(bindings, ownFeature(g, "own", own))
	}
	if l.WeightPool == nil {
		return append(bindings, sourceFeature(g, "z", x.MatMul(l.WeightNeigh)))
	}
	pool := autograd.Linear(x, l.WeightPool, l.BiasPool, true)
	return append(bindings, sourceFeature(g, "z", pool), vc.ParamValue("Wneigh", l.WeightNeigh))
}
