package gnn

// Chebyshev filters.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Laplacian says which Laplacian of a graph a filter is made of. A has no loops, and D are
// the out-degrees, as in PyG, d^(-1/2) and 1/d being 0 for d = 0. On symmetric graphs, which
// the theory is for, they are the in-degrees.
type Laplacian uint8

const (
	// SymLaplacian is I - D^(-1/2) A D^(-1/2) (PyG's "sym"). Its eigenvalues are 2 at most.
	SymLaplacian Laplacian = iota
	// WalkLaplacian is I - D^(-1) A (PyG's "rw"), with the same eigenvalues. As in PyG a
	// vertex divides by the degrees of its neighbours, not by its own.
	WalkLaplacian
	// PlainLaplacian is D - A (PyG's None). Its eigenvalues have no common bound.
	PlainLaplacian
)

// ChebConv is the layer of "Convolutional Neural Networks on Graphs with Fast Localized
// Spectral Filtering" (Defferrard, Bresson, Vandergheynst, NIPS 2016), equation 4, as PyG
// has it:
//
//	h' = Σ_{k=0..K-1} T_k(L̂) x W_k + b,  L̂ = 2 L / λ - I
//
// with Chebyshev's polynomials T_0 = 1, T_1(y) = y, T_k(y) = 2y T_{k-1}(y) - T_{k-2}(y), for
// x [N in]: W_k [in out], b [out], result [N out]. λ is the largest eigenvalue of L, or a
// bound of it. Loops of the graph are left out. Per vertex, with [SymLaplacian]:
//
//	(L̂ z)_v = (2/λ - 1) z_v - 2/λ Σ_{u in N(v)} (d_u d_v)^(-1/2) z_u
//
// The sum is computed from its end (Clenshaw's scheme), in one program:
//
//	b_k = x W_k + 2 L̂ b_{k+1} - b_{k+2},  h' = x W_0 + L̂ b_1 - b_2 + b
//
// PyG's state dict is loaded with [nn.PyTorchLayout].
type ChebConv struct {
	Lins []*nn.Linear  // of W_0, ..., W_{K-1}, without biases
	Bias *autograd.Var // [out], nil without bias

	weights   int // K
	laplacian Laplacian
	lambda    float64      // 0: none is known
	fixed     chebPrograms // with that one
	scaled    chebPrograms // with one of each vertex
}

// chebPrograms are without and with weights of edges.
type chebPrograms struct{ program, weighted *vc.Program }

// ChebConfig has the settings of ChebConv. The zero value is PyG's default.
type ChebConfig struct {
	Laplacian Laplacian

	// LambdaMax is λ. 0 means 2, which bounds the eigenvalues of SymLaplacian and
	// WalkLaplacian where no weight is below 0, and is PyG's default for them. PlainLaplacian has
	// no default (PyG takes twice the largest degree): it is to be given here, or with each graph
	// by ForwardScaled.
	LambdaMax float64
}

// NewChebConv returns a layer of k filters, 1 or more, with Glorot-uniform weights.
func NewChebConv(in, out, k int, cfg ChebConfig, r *nn.RNG, opts ...Option) *ChebConv {
	const op = "ChebConv"
	wantPositive(op, in, out, k)
	if cfg.Laplacian > PlainLaplacian {
		misuse(op, "Laplacian %d; want SymLaplacian, WalkLaplacian or PlainLaplacian", cfg.Laplacian)
	}
	if !(cfg.LambdaMax >= 0) || math.IsInf(cfg.LambdaMax, 1) { // also true for NaN
		misuse(op, "LambdaMax is %v; want a finite number above 0, or 0 for the default", cfg.LambdaMax)
	}
	if cfg.LambdaMax == 0 && cfg.Laplacian != PlainLaplacian {
		cfg.LambdaMax = 2
	}
	c := configure(opts)
	l := &ChebConv{Bias: c.bias(out), weights: k, laplacian: cfg.Laplacian, lambda: cfg.LambdaMax}
	for range k {
		l.Lins = append(l.Lins, &nn.Linear{Weight: c.glorot(r, in, out, in, out)})
	}
	filters := func(name string, propagate func(vc.Vertex) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", propagate)
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			var last, other vc.Value // b_{k+1} and b_{k+2}
			next := func(i int, factor float64) vc.Value {
				b := term(v, i)
				if i < k-1 {
					b = b.Add(step.Call(v, vc.Let{Name: "z", Value: last}).Scale(factor))
				}
				if i < k-2 {
					b = b.Sub(other)
				}
				return b
			}
			for i := k - 1; i > 0; i-- {
				last, other = next(i, 2), last
			}
			return addBias(next(0, 1), l.Bias)
		})
	}
	of := func(name string, lambda float64) chebPrograms {
		return chebPrograms{
			filters(name, cfg.Laplacian.shifted(lambda)),
			filters(name+" weighted", cfg.Laplacian.shiftedWeighted(lambda)),
		}
	}
	l.fixed, l.scaled = of("cheb", cfg.LambdaMax), of("cheb scaled", 0)
	return l
}

// shifted is L̂ z of a vertex; a λ of 0 is that of the vertex.
func (k Laplacian) shifted(lambda float64) func(v vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		switch k {
		case SymLaplacian:
			return shiftNormed(v, lambda, bothBy(vc.Vertex.OutDegree)(v))
		case WalkLaplacian:
			u := v.InNeighbors()
			share := u.OutDegree().Maximum(vc.Number(1)).Recip() // a neighbour has an out-edge
			return shiftNormed(v, lambda, vc.Sum(u.Feature("z").Mul(share)))
		default:
			return shiftPlain(v, lambda, v.OutDegree(), neighborSum(v))
		}
	}
}

// shiftedWeighted is shifted with weights of edges.
func (k Laplacian) shiftedWeighted(lambda float64) func(v vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		switch k {
		case SymLaplacian:
			return shiftNormed(v, lambda, bothWeighted(v))
		case WalkLaplacian:
			return shiftNormed(v, lambda, weightedSum(v))
		default:
			return shiftPlain(v, lambda, v.Feature(ownDegree), weightedNeighborSum(v))
		}
	}
}

// shiftNormed is 2/λ (z_v - sum) - z_v.
func shiftNormed(v vc.Vertex, lambda float64, sum vc.Value) vc.Value {
	if lambda == 2 {
		return sum.Neg()
	}
	return shiftPlain(v, lambda, vc.Number(1), sum)
}

// shiftPlain is 2/λ (d_v z_v - sum) - z_v.
func shiftPlain(v vc.Vertex, lambda float64, degree, sum vc.Value) vc.Value {
	scale := vc.Number(2 / lambda)
	if lambda == 0 {
		scale = vc.Number(2).Div(v.Feature("lambda"))
	}
	return v.Feature("z").Mul(degree.Mul(scale).AddScalar(-1)).Sub(sum.Mul(scale))
}

const ownDegree = "degree" // by weights of edges

// The degrees by weights of out-edges, and their inverses, 0 for 0.
var (
	outDegree = vc.Compile("cheb degree", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.OutEdges().Feature(edgeWeight))
	})
	outInverse = vc.Compile("cheb inverse", func(v vc.Vertex) vc.Value {
		d := vc.Sum(v.OutEdges().Feature(edgeWeight))
		none := d.Eq(vc.Number(0))
		return vc.Select(none, vc.Number(0), vc.Select(none, vc.Number(1), d).Recip())
	})
)

// bindings bind w [E] and what shiftedWeighted reads.
func (k Laplacian) bindings(g *graph.Graph, w *autograd.Var) []vc.Binding {
	weight := vc.EdgeFeature(edgeWeight, w)
	switch k {
	case SymLaplacian:
		norm := edgeNorms.out.Run(g, weight)
		return []vc.Binding{weight, vc.VertexFeature(sourceNorm, norm), vc.VertexFeature(ownNorm, norm)}
	case WalkLaplacian:
		return []vc.Binding{weight, vc.VertexFeature(sourceNorm, outInverse.Run(g, weight))}
	default:
		return []vc.Binding{weight, vc.VertexFeature(ownDegree, outDegree.Run(g, weight))}
	}
}

// Forward applies the layer to x [N in], which may be a sparse constant, on a
// homogeneous graph of N vertices. It panics with *[Error] for any other.
func (l *ChebConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardScaled(g, x, nil, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E],
// nil for 1 each. A has the weights, and degrees are sums of them; for one that is not
// positive its root counts as 0, and for one of 0 its inverse. If w requires a gradient it
// gets that of the degrees too, as in PyG; weights of loops have none.
func (l *ChebConv) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	return l.ForwardScaled(g, x, w, nil)
}

// ForwardScaled is ForwardWeighted with λ of each vertex, [N], in the place of LambdaMax, for
// graphs whose eigenvalues are known; nil for LambdaMax. Those of the graphs of a batch,
// lambdas [graphs], are
//
//	lambdas.IndexSelect(batch.GraphOf)
func (l *ChebConv) ForwardScaled(g *graph.Graph, x, w, lambda *autograd.Var) *autograd.Var {
	program, g, bindings := l.on(g, x, w, lambda)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *ChebConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledScaled(g, x, nil, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w; those of
// the degrees are not among them.
func (l *ChebConv) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	return l.CompiledScaled(g, x, w, nil)
}

// CompiledScaled returns the plans that ForwardScaled runs, without those of the degrees.
func (l *ChebConv) CompiledScaled(g *graph.Graph, x, w, lambda *autograd.Var) *vc.Compiled {
	program, g, bindings := l.on(g, x, w, lambda)
	return program.Compiled(g, bindings...)
}

// on gives the graph without loops, too.
func (l *ChebConv) on(g *graph.Graph, x, w, lambda *autograd.Var) (*vc.Program, *graph.Graph, []vc.Binding) {
	const op = "ChebConv"
	if l == nil || l.scaled.program == nil {
		panic(notMade(op))
	}
	bindings := filterBindings(op, g, x, w, l.Lins, l.weights, l.Bias)
	programs := l.scaled
	switch {
	case lambda == nil && l.lambda == 0:
		misuse(op, "there is no lambda: PlainLaplacian takes it from ChebConfig.LambdaMax or ForwardScaled")
	case lambda == nil:
		programs = l.fixed
	default:
		wantDense(op, "lambda", lambda)
		if s := lambda.Shape(); len(s) != 1 || s[0] != g.NumVertices() {
			misuse(op, "lambda has shape %v, the layer takes one for each of %d vertices, [%d]", s, g.NumVertices(), g.NumVertices())
		}
		wantType(op, "lambda", lambda, l.Lins[0].Weight)
		bindings = append(bindings, vc.VertexFeature("lambda", lambda))
	}
	bare := withoutLoops(g)
	if w != nil {
		if bare.edges != nil {
			w = w.IndexSelect(bare.edges)
		}
		bindings = append(bindings, l.laplacian.bindings(bare.graph, w)...)
	}
	return either(programs.program, programs.weighted, w), bare.graph, bindings
}

// loopless is a graph without its loops, and the edges that it has of the other; nil if
// these are all of them.
type loopless struct {
	graph *graph.Graph
	edges []int32
}

type looplessKey struct{}

// withoutLoops is g without its loops, which is kept with g.
func withoutLoops(g *graph.Graph) loopless {
	without := g.Keep(looplessKey{}, func() any {
		bare, edges := g.RemoveSelfLoops()
		if len(edges) == g.NumEdges() {
			return loopless{} // g itself
		}
		return loopless{bare, edges}
	}).(loopless)
	if without.graph == nil {
		without.graph = g
	}
	return without
}
