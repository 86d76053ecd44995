package gnn

// Blocks: the bipartite graphs of neighbour sampling, on which most layers run as
// on homogeneous graphs.
//
// A block's destinations are its first NumDst sources, the convention of DGL's and
// PyG's samplers. A layer is given the features of the sources, [NumSrc in], and
// computes the destinations, [NumDst out]; a vertex's own features are its row
// among the sources.
//
// The relation between two kinds of vertices is no block: ForwardPair of the layers
// that have it takes features [NumSrc in] and [NumDst dst]. It takes a homogeneous
// graph, too, since a relation may lead from a kind of vertices to itself.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// own is x of the vertices that a layer computes: every row on a homogeneous
// graph, the first NumDst on a block.
func own(g *graph.Graph, x *autograd.Var) *autograd.Var {
	if !g.IsBipartite() {
		return x
	}
	return x.Slice(0, 0, g.NumDst())
}

// ownLinear is l of x of the vertices that a layer computes. Sparse features are
// multiplied as a whole: they have no slices.
func ownLinear(g *graph.Graph, x *autograd.Var, l *nn.Linear) *autograd.Var {
	if x.Sparse() != nil {
		return own(g, l.Forward(x))
	}
	return l.Forward(own(g, x))
}

// ownProduct is ownLinear of a weight without bias.
func ownProduct(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	return ownLinear(g, x, &nn.Linear{Weight: w})
}

// vertexFeature binds x [NumSrc ...] for both ends of the edges.
func vertexFeature(g *graph.Graph, name string, x *autograd.Var) []vc.Binding {
	if !g.IsBipartite() {
		return []vc.Binding{vc.VertexFeature(name, x)}
	}
	return []vc.Binding{vc.SrcFeature(name, x), vc.DstFeature(name, own(g, x))}
}

// ownFeature binds x [NumDst ...] for the vertices that a layer computes.
func ownFeature(g *graph.Graph, name string, x *autograd.Var) vc.Binding {
	if g.IsBipartite() {
		return vc.DstFeature(name, x)
	}
	return vc.VertexFeature(name, x)
}

// sourceFeature binds x [NumSrc ...] for the sources of the edges.
func sourceFeature(g *graph.Graph, name string, x *autograd.Var) vc.Binding {
	if g.IsBipartite() {
		return vc.SrcFeature(name, x)
	}
	return vc.VertexFeature(name, x)
}

// seeded are the bindings of a run of a layer with dropout.
func seeded(l *nn.Stochastic, bindings []vc.Binding) []vc.Binding {
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return bindings
}

// planned are the bindings of its plans, which are the same for every seed.
func planned(l *nn.Stochastic, bindings []vc.Binding) []vc.Binding {
	if l.Training() {
		bindings = append(bindings, vc.Training(0))
	}
	return bindings
}

// ends binds x [NumSrc ...] of the sources and own [NumDst ...] of the destinations.
func ends(g *graph.Graph, x, own *autograd.Var) []vc.Binding {
	return []vc.Binding{sourceFeature(g, "x", x), ownFeature(g, "own", own)}
}

// edgeFeature binds features of the edges, unless they are nil.
func edgeFeature(name string, f *autograd.Var) []vc.Binding {
	if f == nil {
		return nil
	}
	return []vc.Binding{vc.EdgeFeature(name, f)}
}

// param binds a parameter, unless it is nil, as a bias may be.
func param(name string, x *autograd.Var) []vc.Binding {
	if x == nil {
		return nil
	}
	return []vc.Binding{vc.ParamValue(name, x)}
}

// wantShape panics unless a parameter, if it is there, has the shape that the layer made
// it with: a program would broadcast many another one.
func wantShape(layer, field string, x *autograd.Var, shape ...int) {
	if x != nil && !slices.Equal(x.Shape(), shape) {
		misuse(layer, "%s has shape %v, want %v", field, x.Shape(), shape)
	}
}

// wantWidth is wantShape for a matrix whose rows are looked at where it multiplies.
func wantWidth(layer, field string, w *autograd.Var, width int) {
	if w != nil {
		wantShape(layer, field, w, w.Shape()[0], width)
	}
}

// shaped binds a parameter as param does, if it has the shape.
func shaped(layer, field, name string, x *autograd.Var, shape ...int) []vc.Binding {
	wantShape(layer, field, x, shape...)
	return param(name, x)
}

// width is the number of features that a product with w has.
func width(w *autograd.Var) int {
	s := w.Shape()
	return s[len(s)-1]
}

// rootedSum is what a vertex's own features give and what its neighbours do, or that alone
// without a weight for the own features: those are then not asked for, so nothing binds them.
func rootedSum(root *autograd.Var, own func() vc.Value, neigh vc.Value) vc.Value {
	if root == nil {
		return neigh
	}
	return own().Add(neigh)
}

// addBias adds the param "b" to a vertex's value if there is one.
func addBias(x vc.Value, bias *autograd.Var) vc.Value {
	if bias == nil {
		return x
	}
	return x.Add(vc.Param("b"))
}
