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

	program  *vc.Program
	weighted *vc.Program // with weights of edges
}

// NewSGConv returns a layer of k steps with Glorot-uniform weights.
func NewSGConv(in, out, k int, r *nn.RNG, opts ...Option) *SGConv {
	wantPositive("SGConv", in, out, k)
	c := configure(opts)
	l := &SGConv{Weight: c.glorot(r, in, out, in, out), Bias: c.bias(out)}
	steps := func(name string, propagate func(vc.Vertex) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", propagate)
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			z := v.Feature("z")
			for range k {
				z = step.Call(v, vc.Let{Name: "z", Value: z})
			}
			return addBias(z, l.Bias)
		})
	}
	l.program = steps("sgc", renormLoops(vc.Vertex.InDegree))
	l.weighted = steps("sgc weighted", renormWeighted)
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices. It panics with *[Error] for any other.
func (l *SGConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E],
// nil for 1 each. P is that of [GCNConv.ForwardWeighted].
func (l *SGConv) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *SGConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w; those of
// the degrees are not among them.
func (l *SGConv) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, w)
	return program.Compiled(g, bindings...)
}

func (l *SGConv) on(g *graph.Graph, x, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("SGConv"))
	}
	wantHomogeneous("SGConv", g)
	wantInput("SGConv", g, x, l.Weight)
	if w != nil {
		wantWeights("SGConv", g, w, l.Weight)
	}
	bindings := append(shaped("SGConv", "Bias", "b", l.Bias, width(l.Weight)), vc.VertexFeature("z", x.MatMul(l.Weight)))
	if w == nil {
		return l.program, bindings
	}
	return l.weighted, append(bindings, renormBindings(g, w)...)
}
