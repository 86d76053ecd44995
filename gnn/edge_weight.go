package gnn

// Weights of edges in the normalised propagation of Kipf and Welling: what the
// layers that take them share.
//
// The degrees are sums of weights, which no program reads from the graph, so a small
// program makes D^(-1/2) first, a number a vertex, and the layers' programs read it as a
// feature of the ends of edges. A weight is one number an edge; nothing wider has an
// edge dimension. Without weights none of this runs.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Names of what the programs with weights read.
const (
	edgeWeight = "w"        // of an edge
	sourceNorm = "norm_src" // D^(-1/2) of the vertex as a source
	ownNorm    = "norm_dst" // the same as a destination
)

// inverseRoot is d^(-1/2), and 0 for a degree that is not positive. NaN stays NaN, and
// the gradient of what is not positive is 0, not that of an infinite root.
func inverseRoot(d vc.Value) vc.Value {
	none := d.Le(vc.Number(0))
	return vc.Select(none, vc.Number(0), vc.Select(none, vc.Number(1), d).Rsqrt())
}

// weightNorms are the programs of D^(-1/2) by the weights of in-edges and of
// out-edges; the degrees count loops of weight 1 besides.
type weightNorms struct{ in, out *vc.Program }

func newWeightNorms(loops float64) weightNorms {
	of := func(edges func(vc.Vertex) vc.Edge) *vc.Program {
		return vc.Compile("gcn norm", func(v vc.Vertex) vc.Value {
			return inverseRoot(vc.Sum(edges(v).Feature(edgeWeight)).AddScalar(loops))
		})
	}
	return weightNorms{of(vc.Vertex.InEdges), of(vc.Vertex.OutEdges)}
}

var (
	loopNorms = newWeightNorms(1) // of RenormLoops
	edgeNorms = newWeightNorms(0) // of BothDegrees
)

// renormWeighted is renormLoops with weights: Σ_{u in N(v)} w_uv (d_u d_v)^(-1/2) z_u
// and the loop, whose weight is 1.
func renormWeighted(v vc.Vertex) vc.Value {
	own := v.Feature(ownNorm)
	return weightedSum(v).Add(v.Feature("z").Mul(own)).Mul(own)
}

// bothWeighted is bothDegrees with weights.
func bothWeighted(v vc.Vertex) vc.Value { return weightedSum(v).Mul(v.Feature(ownNorm)) }

func weightedSum(v vc.Vertex) vc.Value {
	e := v.InEdges()
	return vc.Sum(e.Src("z").Mul(e.Feature(edgeWeight).Mul(e.Src(sourceNorm))))
}

// renormBindings bind w [E] and the norms of renormWeighted.
func renormBindings(g *graph.Graph, w *autograd.Var) []vc.Binding {
	weight := vc.EdgeFeature(edgeWeight, w)
	in := loopNorms.in.Run(g, weight)
	if !g.IsBipartite() {
		return []vc.Binding{weight, vc.VertexFeature(sourceNorm, in), vc.VertexFeature(ownNorm, in)}
	}
	return []vc.Binding{weight, vc.SrcFeature(sourceNorm, loopNorms.ofSources(g, weight)), vc.DstFeature(ownNorm, in)}
}

// bothBindings bind w [E] and the norms of bothWeighted.
func bothBindings(g *graph.Graph, w *autograd.Var) []vc.Binding {
	weight := vc.EdgeFeature(edgeWeight, w)
	return []vc.Binding{
		weight,
		sourceFeature(g, sourceNorm, edgeNorms.ofSources(g, weight)),
		ownFeature(g, ownNorm, edgeNorms.in.Run(g, weight)),
	}
}

// ofSources is D^(-1/2) by the weights of the edges that leave the sources of a
// homogeneous graph or a block.
func (n weightNorms) ofSources(g *graph.Graph, weight vc.Binding) *autograd.Var {
	if g.IsBipartite() { // programs are for destinations
		reversed, _ := g.Reverse() // its edges have the same ids
		return n.in.Run(reversed, weight)
	}
	return n.out.Run(g, weight)
}

// wantWeights panics unless w is [E] and has the element type of the layer's weight, if it
// has one.
func wantWeights(layer string, g *graph.Graph, w, weight *autograd.Var) {
	wantDense(layer, "w", w)
	if s := w.Shape(); len(s) != 1 || s[0] != g.NumEdges() {
		misuse(layer, "w has shape %v, the layer takes a weight for each of %d edges, [%d]", s, g.NumEdges(), g.NumEdges())
	}
	if weight != nil {
		wantType(layer, "w", w, weight)
	}
}
