package gnn

// Filters: polynomials of a propagation, with a weight for each power, which ChebConv and
// TAGConv are.
//
// The products with the weights come first, as in SGConv: a step moves out numbers an edge,
// whatever the width of the features, and these may be sparse.

import (
	"strconv"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// term is x W_k of a vertex, of those that filterBindings bind.
func term(v vc.Vertex, k int) vc.Value { return v.Feature("z" + strconv.Itoa(k)) }

// filterBindings check a filter of the given number of weights and its inputs, and bind the
// terms and the bias.
func filterBindings(layer string, g *graph.Graph, x, w *autograd.Var, lins []*nn.Linear, weights int, bias *autograd.Var) []vc.Binding {
	wantHomogeneous(layer, g)
	wantFilters(layer, lins, weights)
	first := lins[0].Weight
	wantInput(layer, g, x, first)
	if w != nil {
		wantWeights(layer, g, w, first)
	}
	bindings := shaped(layer, "Bias", "b", bias, width(first))
	for k, l := range lins {
		number := strconv.Itoa(k)
		wantShape(layer, "Lins["+number+"].Weight", l.Weight, first.Shape()...)
		bindings = append(bindings, vc.VertexFeature("z"+number, x.MatMul(l.Weight)))
	}
	return bindings
}

// wantFilters panics unless the program reads all of lins, which may be exchanged by hand.
func wantFilters(layer string, lins []*nn.Linear, weights int) {
	if len(lins) != weights {
		misuse(layer, "%d filters in Lins, want %d", len(lins), weights)
	}
	for k, l := range lins {
		switch {
		case l == nil || l.Weight == nil:
			misuse(layer, "Lins[%d] is nil or has no weight", k)
		case l.Bias != nil:
			misuse(layer, "Lins[%d] has a bias; that of the layer is Bias: use nn.NoBias", k)
		}
	}
}

// bothBy is Σ_{u in N(v)} (d_u d_v)^(-1/2) z_u by in-degrees or out-degrees, 0 for a degree
// of 0.
func bothBy(degree func(vc.Vertex) vc.Value) func(vc.Vertex) vc.Value {
	return func(v vc.Vertex) vc.Value {
		norm := func(x vc.Vertex) vc.Value {
			return degree(x).Maximum(vc.Number(1)).Rsqrt().Mul(degree(x).Step())
		}
		u := v.InNeighbors()
		return vc.Sum(u.Feature("z").Mul(norm(u))).Mul(norm(v))
	}
}

// neighborSum is Σ_{u in N(v)} z_u.
func neighborSum(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("z")) }

// weightedNeighborSum is Σ_{u in N(v)} w_uv z_u.
func weightedNeighborSum(v vc.Vertex) vc.Value {
	e := v.InEdges()
	return vc.Sum(e.Src("z").Mul(e.Feature(edgeWeight)))
}

// symmetricSteps are the propagations of TAGConv and LightGCN without and with weights of
// edges, by in-degrees unless there is no norm.
func symmetricSteps(noNorm bool) (step, weighted func(vc.Vertex) vc.Value) {
	if noNorm {
		return neighborSum, weightedNeighborSum
	}
	return bothBy(vc.Vertex.InDegree), bothWeighted
}

// symmetricBindings bind w [E] and what the weighted one of symmetricSteps reads; w may be
// nil.
func symmetricBindings(g *graph.Graph, w *autograd.Var, noNorm bool) []vc.Binding {
	if w == nil {
		return nil
	}
	weight := vc.EdgeFeature(edgeWeight, w)
	if noNorm {
		return []vc.Binding{weight}
	}
	norm := edgeNorms.in.Run(g, weight)
	return []vc.Binding{weight, vc.VertexFeature(sourceNorm, norm), vc.VertexFeature(ownNorm, norm)}
}
