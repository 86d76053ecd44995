package gnn

// Simplified graph convolution.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// SGConv is the layer of "Simplifying Graph Convolutional Networks" (Wu, Zhang, de
// Souza, Fifty, Yu, Weinberger, ICML 2019), equation 8 without its softmax:
//
//	h' = Pᴷ x W + b
//
// for x [N in]: W [in out], b [out], result [N out], P being the propagation of
// [GCNConv] with RenormLoops. Per vertex, K times from z = x W:
//
//	z'_v = Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) z_u
//
// The product comes first, so a step moves out numbers an edge, not in.
type SGConv struct {
	Weight *autograd.Var // [in out]
	Bias   *autograd.Var // [out], nil without bias

	program *vc.Program
}

// NewSGConv returns a layer of k steps with Glorot-uniform weights.
func NewSGConv(in, out, k int, r *nn.RNG, opts ...Option) *SGConv {
	wantPositive("SGConv", in, out, k)
	c := configure(opts)
	l := &SGConv{Weight: c.glorot(r, in, out, in, out), Bias: c.bias(out)}
	step := vc.Compile("sgc step", renormLoops(vc.Vertex.InDegree))
	l.program = vc.Compile("sgc", func(v vc.Vertex) vc.Value {
		z := v.Feature("z")
		for range k {
			z = step.Call(v, vc.Let{Name: "z", Value: z})
		}
		return addBias(z, l.Bias)
	})
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices. It panics with *[Error] for any other.
func (l *SGConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *SGConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

func (l *SGConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("SGConv"))
	}
	wantHomogeneous("SGConv", g)
	wantInput("SGConv", g, x, l.Weight)
	return append(param("b", l.Bias), vc.VertexFeature("z", x.MatMul(l.Weight)))
}
