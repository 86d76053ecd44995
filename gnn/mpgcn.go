package gnn

// The max-pooling graph convolution.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// MPGCNConv is NGra's max-pooling GCN (Ma et al., USENIX ATC 2019, figure 11), after
// the pooling of GraphSAGE (Hamilton et al. 2017, equation 3):
//
//	h'_v = ReLU((max_u σ(h_u W_pool + b)) W)
//
// for x [N in]: W_pool [in pool], b [pool], W [pool out], result [N out]. On a block
// x is [NumSrc in], the result [NumDst out].
type MPGCNConv struct {
	WeightPool *autograd.Var // [in pool]
	BiasPool   *autograd.Var // [pool], nil without bias
	Weight     *autograd.Var // [pool out]

	program *vc.Program
}

// NewMPGCNConv returns a layer with Glorot-uniform weights.
func NewMPGCNConv(in, pool, out int, r *nn.RNG, opts ...Option) *MPGCNConv {
	wantPositive("MPGCNConv", in, pool, out)
	c := configure(opts)
	return &MPGCNConv{
		WeightPool: c.glorot(r, in, pool, in, pool),
		BiasPool:   c.bias(pool),
		Weight:     c.glorot(r, pool, out, pool, out),
		program: vc.Compile("mpgcn", func(v vc.Vertex) vc.Value {
			return vc.Max(v.InNeighbors().Feature("z").Sigmoid()).MatMul(vc.Param("W")).ReLU()
		}),
	}
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *MPGCNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *MPGCNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

func (l *MPGCNConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("MPGCNConv"))
	}
	wantInput("MPGCNConv", g, x, l.WeightPool)
	z := autograd.Linear(x, l.WeightPool, l.BiasPool, false)
	return append(param("W", l.Weight), sourceFeature(g, "z", z))
}
