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
	// counting as 1 (DGL's norm="both"). No vertex reads its own features, so the layer
	// runs on any bipartite graph, such as a relation of a [graph.Hetero], too.
	BothDegrees
)

// GCNConv is the layer of "Semi-Supervised Classification with Graph
// Convolutional Networks" (Kipf, Welling, ICLR 2017), equation 2:
//
//	h'_v = Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) h_u W + b
//
// for x [N in]: W [in out], b [out], result [N out]. Parallel edges count with
// multiplicity. The loop is part of the program: the graph is not changed. A loop that
// the graph has already is an edge as any other, beside the layer's, as in the paper's
// A + I; PyG's GCNConv counts the two once: on [graph.Graph.RemoveSelfLoops] both are
// the same.
//
// On a block x is [NumSrc in], the result [NumDst out]. Its sources have no
// in-edges, so their degrees are their out-degrees in the block, which are the same
// on the whole of a symmetric graph; the loop weighs by the in-degree.
//
// With weights of the edges ([GCNConv.ForwardWeighted]) a term counts w_uv times, and
// degrees are sums of weights; the weight of the loop is 1.
type GCNConv struct {
	Weight *autograd.Var // [in out]
	Bias   *autograd.Var // [out], nil without bias

	program  *vc.Program // on homogeneous graphs
	block    *vc.Program // on blocks
	weighted *vc.Program // with weights of edges, on both

	weights func(g *graph.Graph, w *autograd.Var) []vc.Binding
	loops   bool // a vertex reads its own features
}

// NewGCNConv returns a layer with Glorot-uniform weights, RenormLoops.
func NewGCNConv(in, out int, r *nn.RNG, opts ...Option) *GCNConv {
	return NewGCNConvNorm(in, out, RenormLoops, r, opts...)
}

// NewGCNConvNorm returns a layer with the given normalisation.
func NewGCNConvNorm(in, out int, norm Norm, r *nn.RNG, opts ...Option) *GCNConv {
	wantPositive("GCNConv", in, out)
	c := configure(opts)
	l := &GCNConv{Weight: c.glorot(r, in, out, in, out), Bias: c.bias(out), loops: norm == RenormLoops}
	var vertex, block, weighted func(vc.Vertex) vc.Value
	switch norm {
	case RenormLoops:
		vertex, block = renormLoops(vc.Vertex.InDegree), renormLoops(vc.Vertex.OutDegree)
		weighted, l.weights = renormWeighted, renormBindings
	case BothDegrees:
		vertex, block = bothDegrees, bothDegrees
		weighted, l.weights = bothWeighted, bothBindings
	default:
		misuse("GCNConv", "norm %d; want RenormLoops or BothDegrees", norm)
	}
	withBias := func(f func(vc.Vertex) vc.Value) func(vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value { return addBias(f(v), l.Bias) }
	}
	l.program, l.block = vc.Compile("gcn", withBias(vertex)), vc.Compile("gcn", withBias(block))
	l.weighted = vc.Compile("gcn weighted", withBias(weighted))
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
	return l.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E],
// nil for 1 each,
//
//	h'_v = Σ_{u in N(v)} w_uv (d_u d_v)^(-1/2) h_u W + 1/d_v h_v W + b
//
// where d_v is 1 plus the weights of v's in-edges. With BothDegrees there is no loop,
// and degrees are the weights of the out-edges of u and of the in-edges of v. For a
// degree that is not positive its root counts as 0. If w requires a gradient it
// gets that of the degrees too, as in PyG. A loop that the graph has is an edge here, too;
// PyG takes it and its weight in the place of the layer's.
func (l *GCNConv) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GCNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w; those of
// the degrees are not among them.
func (l *GCNConv) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, w)
	return program.Compiled(g, bindings...)
}

func (l *GCNConv) on(g *graph.Graph, x, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("GCNConv"))
	}
	if l.loops {
		wantBlock("GCNConv", g)
	} else if g == nil {
		misuse("GCNConv", "the graph is nil")
	}
	wantRows("GCNConv", "x", x, g.NumSrc(), "vertices", l.Weight.Shape()[0])
	wantType("GCNConv", "x", x, l.Weight)
	if w != nil {
		wantWeights("GCNConv", g, w, l.Weight)
	}
	bindings := shaped("GCNConv", "Bias", "b", l.Bias, width(l.Weight))
	if z := x.MatMul(l.Weight); l.loops {
		bindings = append(bindings, vertexFeature(g, "z", z)...)
	} else {
		bindings = append(bindings, sourceFeature(g, "z", z))
	}
	switch {
	case w != nil:
		return l.weighted, append(bindings, l.weights(g, w)...)
	case g.IsBipartite():
		return l.block, bindings
	}
	return l.program, bindings
}
