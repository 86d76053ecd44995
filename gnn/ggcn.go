package gnn

// The gated graph convolution.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GGCNConv is the G-GCN of NGra (Ma et al., USENIX ATC 2019, example 2.1), after
// Marcheggiani and Titov (EMNLP 2017) and Bresson and Laurent (2017):
//
//	η_uv = σ(h_u W_H + h_v W_C)
//	h'_v = ReLU((Σ_u η_uv ⊙ h_u) W)
//
// for dense x [N in]: W_H and W_C [in in], W [in out], result [N out]. On a block x
// is [NumSrc in], the result [NumDst out].
type GGCNConv struct {
	WeightSrc *autograd.Var // [in in], W_H
	WeightDst *autograd.Var // [in in], W_C
	Weight    *autograd.Var // [in out]

	program *vc.Program
}

// NewGGCNConv returns a layer with Glorot-uniform weights.
func NewGGCNConv(in, out int, r *nn.RNG, opts ...Option) *GGCNConv {
	wantPositive("GGCNConv", in, out)
	c := configure(opts)
	return &GGCNConv{
		WeightSrc: c.glorot(r, in, in, in, in),
		WeightDst: c.glorot(r, in, in, in, in),
		Weight:    c.glorot(r, in, out, in, out),
		program: vc.Compile("ggcn", func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			gate := e.Src("x").MatMul(vc.Param("WH")).Add(e.Dst("x").MatMul(vc.Param("WC"))).Sigmoid()
			return vc.Sum(gate.Mul(e.Src("x"))).MatMul(vc.Param("W")).ReLU()
		}),
	}
}

// Forward applies the layer to dense x [N in] on a homogeneous graph of N vertices
// or a block. It panics with *[Error] for any other.
func (l *GGCNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GGCNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

func (l *GGCNConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GGCNConv"))
	}
	wantInput("GGCNConv", g, x, l.Weight)
	wantDense("GGCNConv", "x", x)
	in := x.Shape()[1]
	wantShape("GGCNConv", "WeightSrc", l.WeightSrc, in, in)
	wantShape("GGCNConv", "WeightDst", l.WeightDst, in, in)
	return slices.Concat(vertexFeature(g, "x", x),
		param("WH", l.WeightSrc), param("WC", l.WeightDst), param("W", l.Weight))
}
