package gnn

// The layer of GraphSAGE.

import (
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
// is [NumSrc in], the result [NumDst out].
type SAGEConv struct {
	WeightSelf  *autograd.Var // [in out]
	WeightNeigh *autograd.Var // [in out], or [pool out]
	WeightPool  *autograd.Var // [in pool], of SAGEMaxPool
	BiasPool    *autograd.Var // [pool], of SAGEMaxPool
	Bias        *autograd.Var // [out], nil without bias

	normalize bool
	program   *vc.Program
	projected *vc.Program // for sparse features, multiplied before
}

// SAGEConfig has what SAGEConv has beside its sizes. The zero value is the layer
// with the mean.
type SAGEConfig struct {
	Aggregator SAGEAggregator
	Pool       int  // features of the pooling layer; 0 means as many as the input's
	Normalize  bool // divide every row of the result by its length: algorithm 1, line 7
}

// NewSAGEConv returns a layer with Glorot-uniform weights.
func NewSAGEConv(in, out int, cfg SAGEConfig, r *nn.RNG, opts ...Option) *SAGEConv {
	wantPositive("SAGEConv", in, out)
	wantNotNegative("SAGEConv", cfg.Pool)
	c := configure(opts)
	l := &SAGEConv{WeightSelf: c.glorot(r, in, out, in, out), normalize: cfg.Normalize}
	switch cfg.Aggregator {
	case SAGEMean:
		l.WeightNeigh = c.glorot(r, in, out, in, out)
	case SAGEMaxPool:
		pool := cfg.Pool
		if pool == 0 {
			pool = in
		}
		l.WeightNeigh = c.glorot(r, pool, out, pool, out)
		l.WeightPool = c.glorot(r, in, pool, in, pool)
		l.BiasPool = c.zeros(pool)
	default:
		misuse("SAGEConv", "aggregator %d; want SAGEMean or SAGEMaxPool", cfg.Aggregator)
	}
	l.Bias = c.bias(out)
	l.program = vc.Compile("sage", func(v vc.Vertex) vc.Value {
		x := func(x vc.Vertex) vc.Value { return x.Feature("x") }
		own := x(v).MatMul(vc.Param("Wself"))
		u := x(v.InNeighbors())
		if cfg.Aggregator == SAGEMaxPool {
			pool := vc.Max(u.MatMul(vc.Param("Wpool")).Add(vc.Param("bpool")).ReLU())
			return addBias(own.Add(pool.MatMul(vc.Param("Wneigh"))), l.Bias)
		}
		return addBias(own.Add(vc.Mean(u).MatMul(vc.Param("Wneigh"))), l.Bias)
	})
	l.projected = vc.Compile("sage projected", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors().Feature("z")
		if cfg.Aggregator == SAGEMaxPool {
			return addBias(v.Feature("own").Add(vc.Max(u).MatMul(vc.Param("Wneigh"))), l.Bias)
		}
		return addBias(v.Feature("own").Add(vc.Mean(u)), l.Bias)
	})
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *SAGEConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x)
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

func (l *SAGEConv) on(g *graph.Graph, x *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("SAGEConv"))
	}
	wantInput("SAGEConv", g, x, l.WeightSelf)
	if x.Sparse() == nil {
		return l.program, slices.Concat(vertexFeature(g, "x", x), param("Wself", l.WeightSelf), param("Wneigh", l.WeightNeigh),
			param("Wpool", l.WeightPool), param("bpool", l.BiasPool), param("b", l.Bias))
	}
	bindings := append(param("b", l.Bias), ownFeature(g, "own", ownProduct(g, x, l.WeightSelf)))
	if l.WeightPool == nil {
		return l.projected, append(bindings, sourceFeature(g, "z", x.MatMul(l.WeightNeigh)))
	}
	pool := autograd.Linear(x, l.WeightPool, l.BiasPool, true)
	return l.projected, append(bindings, sourceFeature(g, "z", pool), vc.ParamValue("Wneigh", l.WeightNeigh))
}
