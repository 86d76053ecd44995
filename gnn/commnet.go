package gnn

// The communication net.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// CommNetConv is a layer of "Learning Multiagent Communication with
// Backpropagation" (Sukhbaatar, Szlam, Fergus, NIPS 2016) as NGra has it (Ma et
// al., USENIX ATC 2019, figure 9):
//
//	h'_v = ReLU(h_v W_H + (Σ_u h_u) W_C)
//
// for x [N in]: W_H and W_C [in out], result [N out]. On a block x is [NumSrc in],
// the result [NumDst out].
type CommNetConv struct {
	WeightSelf  *autograd.Var // [in out], W_H
	WeightNeigh *autograd.Var // [in out], W_C

	program   *vc.Program
	projected *vc.Program // for sparse features, multiplied before
}

// NewCommNetConv returns a layer with Glorot-uniform weights.
func NewCommNetConv(in, out int, r *nn.RNG, opts ...Option) *CommNetConv {
	wantPositive("CommNetConv", in, out)
	c := configure(opts)
	return &CommNetConv{
		WeightSelf:  c.glorot(r, in, out, in, out),
		WeightNeigh: c.glorot(r, in, out, in, out),
		program: vc.Compile("commnet", func(v vc.Vertex) vc.Value {
			sum := vc.Sum(v.InNeighbors().Feature("x"))
			return v.Feature("x").MatMul(vc.Param("WH")).Add(sum.MatMul(vc.Param("WC"))).ReLU()
		}),
		projected: vc.Compile("commnet projected", func(v vc.Vertex) vc.Value {
			return v.Feature("own").Add(vc.Sum(v.InNeighbors().Feature("z"))).ReLU()
		}),
	}
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *CommNetConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *CommNetConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x)
	return program.Compiled(g, bindings...)
}

func (l *CommNetConv) on(g *graph.Graph, x *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("CommNetConv"))
	}
	wantInput("CommNetConv", g, x, l.WeightSelf)
	wantWidth("CommNetConv", "WeightNeigh", l.WeightNeigh, width(l.WeightSelf))
	if x.Sparse() == nil {
		return l.program, slices.Concat(vertexFeature(g, "x", x), param("WH", l.WeightSelf), param("WC", l.WeightNeigh))
	}
	return l.projected, []vc.Binding{
		ownFeature(g, "own", ownProduct(g, x, l.WeightSelf)),
		sourceFeature(g, "z", x.MatMul(l.WeightNeigh)),
	}
}
