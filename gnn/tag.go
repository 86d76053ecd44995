package gnn

// Topology adaptive graph convolution.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// TAGConv is the layer of "Topology Adaptive Graph Convolutional Networks" (Du, Zhang,
// Wu, Moura, Kar, 2017), equation 4 for all features, as PyG has it:
//
//	h' = Σ_{k=0..K} Pᵏ x W_k + b,  P = D^(-1/2) A D^(-1/2)
//
// for x [N in]: W_k [in out], b [out], result [N out]. D are the in-degrees, d^(-1/2) being
// 0 for d = 0; there are no loops but the graph's. Per vertex, K times from z = x W_K down to
// x W_0 (Horner's scheme):
//
//	z'_v = Σ_{u in N(v)} (d_u d_v)^(-1/2) z_u + x_v W_k
//
// The steps are one program. PyG's state dict is loaded with [nn.PyTorchLayout].
type TAGConv struct {
	Lins []*nn.Linear  // of W_0, ..., W_K, without biases
	Bias *autograd.Var // [out], nil without bias

	weights  int // K+1
	noNorm   bool
	program  *vc.Program
	weighted *vc.Program // with weights of edges
}

// TAGConfig has the settings of TAGConv. The zero value is the paper's.
type TAGConfig struct {
	NoNorm bool // P is A as it is, with weights of edges if there are any
}

// NewTAGConv returns a layer of k hops, 0 or more (PyG's default is 3), with the weights of
// torch.nn.Linear, as PyG's.
func NewTAGConv(in, out, k int, cfg TAGConfig, r *nn.RNG, opts ...Option) *TAGConv {
	wantPositive("TAGConv", in, out)
	wantNotNegative("TAGConv", k)
	c := configure(opts)
	l := &TAGConv{Bias: c.bias(out), weights: k + 1, noNorm: cfg.NoNorm}
	for range k + 1 {
		l.Lins = append(l.Lins, c.linear(r, in, out, false))
	}
	hops := func(name string, propagate func(vc.Vertex) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", propagate)
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			z := term(v, k)
			for i := k - 1; i >= 0; i-- {
				z = step.Call(v, vc.Let{Name: "z", Value: z}).Add(term(v, i))
			}
			return addBias(z, l.Bias)
		})
	}
	step, weighted := symmetricSteps(cfg.NoNorm)
	l.program, l.weighted = hops("tag", step), hops("tag weighted", weighted)
	return l
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices. It panics with *[Error] for any other.
func (l *TAGConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E],
// nil for 1 each. A step is
//
//	z'_v = Σ_{u in N(v)} w_uv (d_u d_v)^(-1/2) z_u + x_v W_k
//
// where d_v is the weights of v's in-edges. For a degree that is not positive its root counts
// as 0. If w requires a gradient it gets that of the degrees too, as in PyG.
func (l *TAGConv) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *TAGConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w; those of
// the degrees are not among them.
func (l *TAGConv) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, w)
	return program.Compiled(g, bindings...)
}

func (l *TAGConv) on(g *graph.Graph, x, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("TAGConv"))
	}
	bindings := filterBindings("TAGConv", g, x, w, l.Lins, l.weights, l.Bias)
	return either(l.program, l.weighted, w), append(bindings, symmetricBindings(g, w, l.noNorm)...)
}
