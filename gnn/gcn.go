package gnn

// The graph convolution of Kipf and Welling.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Norm says by what a graph convolution weighs a neighbour.
type Norm uint8

const (
	// RenormLoops is Kipf and Welling's renormalisation: one more loop on every
	// vertex, and 1/sqrt(d_u d_v) with in-degrees that count it.
	RenormLoops Norm = iota
	// BothDegrees adds no loops and weighs by 1/sqrt(out_u in_v), degrees of 0
	// counting as 1 (DGL's norm="both").
	BothDegrees
)

// GCNConv is the layer of "Semi-Supervised Classification with Graph
// Convolutional Networks" (Kipf, Welling, ICLR 2017), equation 2:
//
//	h'_v = Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) h_u W + b
//
// for x [N in]: W [in out], b [out], result [N out]. Parallel edges count with
// multiplicity. The loop is part of the program: the graph is not changed.
//
// On a block x is [NumSrc in], the result [NumDst out]. Its sources have no
// in-edges, so their degrees are their out-degrees in the block, which are the same
// on the whole of a symmetric graph; the loop weighs by the in-degree.
type GCNConv struct {
	Weight *autograd.Var // [in out]
	Bias   *autograd.Var // [out], nil without bias

	program *vc.Program // on homogeneous graphs
	block   *vc.Program // on blocks
}

// NewGCNConv returns a layer with Glorot-uniform weights, RenormLoops.
func NewGCNConv(in, out int, r *nn.RNG, opts ...Option) *GCNConv {
	return NewGCNConvNorm(in, out, RenormLoops, r, opts...)
}

// NewGCNConvNorm returns a layer with the given normalisation.
func NewGCNConvNorm(in, out int, norm Norm, r *nn.RNG, opts ...Option) *GCNConv {
	wantPositive("GCNConv", in, out)
	c := configure(opts)
	l := &GCNConv{Weight: c.glorot(r, in, out, in, out), Bias: c.bias(out)}
	var vertex, block func(vc.Vertex) vc.Value
	switch norm {
	case RenormLoops:
		vertex, block = renormLoops(vc.Vertex.InDegree), renormLoops(vc.Vertex.OutDegree)
	case BothDegrees:
		vertex, block = bothDegrees, bothDegrees
	default:
		misuse("GCNConv", "norm %d; want RenormLoops or BothDegrees", norm)
	}
	withBias := func(f func(vc.Vertex) vc.Value) func(vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value { return addBias(f(v), l.Bias) }
	}
	l.program, l.block = vc.Compile("gcn", withBias(vertex)), vc.Compile("gcn", withBias(block))
	return l
}

// renormLoops is Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) z_u. The degree of a
// neighbour is its in-degree, or on blocks its out-degree.
func renormLoops(degree func(u vc.Vertex) vc.Value) func(vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		norm := func(degree vc.Value) vc.Value { return degree.AddScalar(1).Rsqrt() }
		u := v.InNeighbors()
		sum := vc.Sum(u.Feature("z").Mul(norm(degree(u))))
		return sum.Add(v.Feature("z").Mul(norm(v.InDegree()))).Mul(norm(v.InDegree()))
	}
}

func bothDegrees(v vc.Vertex) vc.Value {
	norm := func(degree vc.Value) vc.Value { return degree.Maximum(vc.Number(1)).Rsqrt() }
	u := v.InNeighbors()
	return vc.Sum(u.Feature("z").Mul(norm(u.OutDegree()))).Mul(norm(v.InDegree()))
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *GCNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.on(g).Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GCNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.on(g).Compiled(g, bindings...)
}

func (l *GCNConv) on(g *graph.Graph) *vc.Program {
	if g.IsBipartite() {
		return l.block
	}
	return l.program
}

func (l *GCNConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("GCNConv"))
	}
	wantInput("GCNConv", g, x, l.Weight)
	return append(vertexFeature(g, "z", x.MatMul(l.Weight)), param("b", l.Bias)...)
}
