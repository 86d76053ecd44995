package gnn

// A layer of its own for each relation of a heterogeneous graph.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
)

// HeteroConv applies a layer to each relation of a heterogeneous graph, and puts together
// what the relations into one vertex type give:
//
//	h'_v = reduce over the relations r = (σ, ·, τ) of conv_r(h_σ, h_τ)_v,  v of type τ
//
// It is PyTorch Geometric's HeteroConv and DGL's HeteroGraphConv. A relation without a
// layer is left out. A vertex type that no layer leads to has no result, as in PyG: what
// layers after this one read of it is up to the model.
//
// In states the parameters carry the names that PyG gives them, those of the layers apart:
// convs.<author___writes___paper>.weight_self, a dot in the name of a type written #.
// A checkpoint of PyG loads by [nn.FileNames] that renames what follows the bracket.
type HeteroConv struct {
	// Convs has the layers by the names of their relations. It is there for package nn.
	Convs map[string]any

	cfg         HeteroConfig
	vertexTypes []string
	edgeTypes   []graph.EdgeType
	convs       []PairConv // of each edge type, nil for none
}

// HeteroConfig says how HeteroConv puts the results of relations together. The zero value
// sums them.
type HeteroConfig struct {
	// Reduce is over the relations that have a layer, with edges or without. The gradient
	// of a maximum or minimum goes to the first relation that attains it.
	Reduce Reduce

	// Concat joins the features of the results instead, in the order of edge types that
	// the graph had that the layer was made for. Widths may differ.
	Concat bool
}

// PairConv is a layer on a relation: from the features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], it computes [NumDst out]. In a
// relation within one vertex type both are the same features. SAGEConv, GraphConv, GATConv,
// GATv2Conv and GINConv are such layers; others become one by [EdgePair] and [SourcePair].
//
// A PairConv with a method ForwardPairWeighted that has one more argument, as GraphConv's,
// takes weights of edges, and one with such a ForwardPairEdges, as GATConv's, their features.
type PairConv interface {
	ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var
}

// EdgePairConv is a PairConv that reads features of the edges, too, f [E edge] in order of
// edge ids: TransformerConv, GINEConv and NNConv.
type EdgePairConv interface {
	ForwardPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var
}

// SourceConv is a layer that is given the features of sources alone. Most of them take
// those of destinations for the first of the sources: they run on relations within one
// vertex type. GCNConv of [BothDegrees] runs on any.
type SourceConv interface {
	Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
}

// EdgePair makes a PairConv of a layer that reads features of edges. Where there are none
// they are nil.
func EdgePair(l EdgePairConv) PairConv { return edgePair{l} }

// SourcePair makes a PairConv of a layer that is given the features of sources alone. If it
// has ForwardWeighted, as GCNConv, it takes weights of edges, and if it has ForwardEdges, as
// DirGNNConv, what values of edges that takes.
func SourcePair(l SourceConv) PairConv { return sourcePair{l} }

type edgePair struct{ conv EdgePairConv }

func (p edgePair) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	return p.conv.ForwardPair(g, xSrc, xDst, nil)
}

type sourcePair struct{ conv SourceConv }

func (p sourcePair) ForwardPair(g *graph.Graph, xSrc, _ *autograd.Var) *autograd.Var {
	return p.conv.Forward(g, xSrc)
}

// EachRelation makes a layer for each relation of h, in the order of its edge types; one
// for which conv returns nil is left out. With the result a model for one kind of vertices
// becomes one for h, as by PyG's to_hetero:
//
//	convs := gnn.EachRelation(h, func(t graph.EdgeType) gnn.PairConv {
//		return gnn.NewSAGEConv(width[t.Src], 64, gnn.SAGEConfig{}, r, gnn.DstFeatures(width[t.Dst]))
//	})
func EachRelation(h *graph.Hetero, conv func(t graph.EdgeType) PairConv) map[graph.EdgeType]PairConv {
	switch {
	case h == nil:
		misuse("EachRelation", "the graph is nil")
	case conv == nil:
		misuse("EachRelation", "the function is nil")
	}
	convs := map[graph.EdgeType]PairConv{}
	for _, t := range h.EdgeTypes() {
		if c := conv(t); c != nil {
			convs[t] = c
		}
	}
	return convs
}

// NewHeteroConv returns a layer for graphs with the types of h, of which it reads nothing
// else. convs has the layers of the relations that have one. It panics with *[Error] if
// there are none, if h lacks one of the relations, or if two would have one name in states.
func NewHeteroConv(h *graph.Hetero, convs map[graph.EdgeType]PairConv, cfg HeteroConfig) *HeteroConv {
	const name = "HeteroConv"
	wantReduce(name, cfg.Reduce)
	switch {
	case cfg.Concat && cfg.Reduce != ReduceSum:
		misuse(name, "both Concat and a reduction; want one of the two")
	case h == nil:
		misuse(name, "the graph is nil")
	case len(convs) == 0:
		misuse(name, "no layers; the graph has the relations %v", h.EdgeTypes())
	}
	wantKnown(name, "a layer for", convs, h.EdgeTypes(), "the graph has")
	l := &HeteroConv{
		Convs: map[string]any{}, cfg: cfg,
		vertexTypes: h.VertexTypes(), edgeTypes: h.EdgeTypes(), convs: make([]PairConv, len(h.EdgeTypes())),
	}
	for i, t := range l.edgeTypes {
		conv, ok := convs[t]
		if !ok {
			continue
		}
		key := relationName(t)
		switch {
		case conv == nil || layerOf(conv) == nil:
			misuse(name, "the layer of %v is nil", t)
		case !utf8.ValidString(key):
			misuse(name, "the relation %q is not valid UTF-8, as names of parameters are", t)
		case l.Convs[key] != nil:
			misuse(name, "two relations have the name %q in states", key)
		}
		l.Convs[key], l.convs[i] = layerOf(conv), conv
	}
	return l
}

// relationName is the key that PyG's ModuleDict has for a relation.
func relationName(t graph.EdgeType) string {
	return strings.ReplaceAll("<"+t.Src+"___"+t.Name+"___"+t.Dst+">", ".", "#")
}

// Forward returns the results of the vertex types that layers lead to, [n out] for n
// vertices. xs has the features [n in] of every vertex type that a layer reads, as it takes
// them. f has values of the edges of relations, features [E edge] or weights [E] as the
// layer takes them, in order of the edges of [graph.Hetero.Relation]; it may be nil.
//
// h is any graph that has the relations that have layers, with edges or without. It panics
// with *[Error] for what does not fit, which names the relation and the layer; misuse that a
// layer panics with is told so, too, and found by errors.As.
func (l *HeteroConv) Forward(h *graph.Hetero, xs map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var) map[string]*autograd.Var {
	const name = "HeteroConv"
	l.wantMade()
	if h == nil {
		misuse(name, "the graph is nil")
	}
	wantKnown(name, "features of", xs, h.VertexTypes(), "the graph has")
	for i, t := range l.edgeTypes {
		if l.convs[i] != nil && !slices.Contains(h.EdgeTypes(), t) {
			misuse(name, "the graph has no relation %v, which has a layer; it has %v", t, h.EdgeTypes())
		}
	}
	return l.forward(xs, xs, f, func(i int) *graph.Graph { return h.Relation(l.edgeTypes[i]) })
}

// ForwardOn is Forward on a block of mini-batches, or a homogeneous graph, whose types are
// those that the layer was made for, by number. xs has the features of all vertices, or
// sources, of each type in the order that they have among themselves in g, which a
// data.HeteroBatch has and [graph.Homogeneous.SplitByType] finds, f those of the edges of
// each type in their order in g; results are for the destinations of each type. On a block
// features that are read as those of destinations are dense.
func (l *HeteroConv) ForwardOn(g *graph.Graph, xs map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var) map[string]*autograd.Var {
	const name = "HeteroConv"
	l.wantMade()
	wantBlock(name, g)
	wantKnown(name, "features of", xs, l.vertexTypes, "the layer was made for")
	relations, err := graph.RelationsOf(g, l.vertexTypes, l.edgeTypes)
	if err != nil {
		misuse(name, "%v", err)
	}
	own := xs
	if g.IsBipartite() {
		own = map[string]*autograd.Var{}
		for i, t := range l.edgeTypes {
			x := xs[t.Dst]
			if x == nil || own[t.Dst] != nil || !readsOwn(l.convs[i]) {
				continue
			}
			what, of := fmt.Sprintf("x of type %q", t.Dst), slices.Index(l.vertexTypes, t.Dst)
			wantDense(name, what, x)
			wantRows(name, what, x, len(g.SrcByType().OfType(of)), "sources of the type", 0)
			own[t.Dst] = x.Slice(0, 0, len(g.DstByType().OfType(of)))
		}
	}
	return l.forward(xs, own, f, func(i int) *graph.Graph { return relations[i] })
}

func (l *HeteroConv) wantMade() {
	if l == nil || l.convs == nil {
		panic(notMade("HeteroConv"))
	}
}

// forward applies the layers to the relations that the graph has at the positions of edge
// types, xs of the sources and own of the destinations.
func (l *HeteroConv) forward(xs, own map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var, relation func(i int) *graph.Graph) map[string]*autograd.Var {
	const name = "HeteroConv"
	wantKnown(name, "values of edges of", f, l.edgeTypes, "the layer was made for")
	results := map[string][]*autograd.Var{}
	for i, t := range l.edgeTypes {
		conv := l.convs[i]
		if conv == nil {
			if f[t] != nil {
				misuse(name, "values of edges of %v, which has no layer", t)
			}
			continue
		}
		wantFeaturesOf(t, t.Src, xs)
		if readsOwn(conv) {
			wantFeaturesOf(t, t.Dst, xs)
		}
		y := forwardWithin(name, t, conv, relation(i), xs[t.Src], own[t.Dst], f[t])
		if first := results[t.Dst]; len(first) > 0 {
			l.wantAlike(t, y, first[0])
		}
		results[t.Dst] = append(results[t.Dst], y)
	}
	out := make(map[string]*autograd.Var, len(results))
	for t, ys := range results {
		out[t] = l.together(ys)
	}
	return out
}

// readsOwn tells whether a layer, which may be nil, reads features of destinations.
func readsOwn(conv PairConv) bool {
	switch c := conv.(type) {
	case nil, sourcePair:
		return false
	case *SAGEConv:
		return c == nil || c.WeightSelf != nil
	case *GraphConv:
		return c == nil || c.WeightSelf != nil
	}
	return true
}

// forwardWithin is conv on g, part of a layer. The misuse that it panics with tells the layer
// and which part it is.
func forwardWithin(layer string, part any, conv PairConv, g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Error:
			panic(&Error{Layer: layer, Detail: fmt.Sprintf("%v: %s: %s", part, v.Layer, v.Detail), cause: v})
		case error: // of an operation, a program, or a layer of the caller's own
			var marked interface {
				error
				Misuse()
			}
			if !errors.As(v, &marked) {
				panic(v)
			}
			panic(&Error{Layer: layer, Detail: fmt.Sprintf("%v: %v", part, v), cause: v})
		default:
			panic(v)
		}
	}()
	if f == nil {
		return conv.ForwardPair(g, xSrc, xDst)
	}
	switch c := conv.(type) {
	case edgePair:
		return c.conv.ForwardPair(g, xSrc, xDst, f)
	case sourcePair:
		switch c := c.conv.(type) {
		case interface {
			ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var
		}:
			return c.ForwardWeighted(g, xSrc, f)
		case interface {
			ForwardEdges(g *graph.Graph, x, f *autograd.Var) *autograd.Var
		}:
			return c.ForwardEdges(g, xSrc, f)
		}
	case interface {
		ForwardPairWeighted(g *graph.Graph, xSrc, xDst, w *autograd.Var) *autograd.Var
	}:
		return c.ForwardPairWeighted(g, xSrc, xDst, f)
	case interface {
		ForwardPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var
	}:
		return c.ForwardPairEdges(g, xSrc, xDst, f)
	}
	misuse(strings.TrimPrefix(fmt.Sprintf("%T", layerOf(conv)), "*gnn."), "values of edges of shape %v; the layer takes none", f.Shape())
	return nil
}

// layerOf is the layer that a PairConv is made of.
func layerOf(conv PairConv) any {
	switch c := conv.(type) {
	case edgePair:
		return c.conv
	case sourcePair:
		return c.conv
	}
	return conv
}

// together is the result of a vertex type, of those of its relations.
func (l *HeteroConv) together(ys []*autograd.Var) *autograd.Var {
	switch {
	case len(ys) == 1:
		return ys[0]
	case l.cfg.Concat:
		return autograd.Concat(-1, ys...)
	case l.cfg.Reduce == ReduceMax:
		return autograd.Stack(0, ys...).Max(0)
	case l.cfg.Reduce == ReduceMin:
		return autograd.Stack(0, ys...).Min(0)
	}
	sum := ys[0]
	for _, y := range ys[1:] {
		sum = sum.Add(y)
	}
	if l.cfg.Reduce == ReduceMean {
		return sum.Scale(1 / float64(len(ys)))
	}
	return sum
}

// wantAlike panics unless the result y of relation t can be put together with the first one
// of its vertex type.
func (l *HeteroConv) wantAlike(t graph.EdgeType, y, first *autograd.Var) {
	a, b := y.Shape(), first.Shape()
	if l.cfg.Concat && len(a) > 0 && len(a) == len(b) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if !a.Equal(b) {
		misuse("HeteroConv", "%v: the result has shape %v, that of another relation into %q %v", t, y.Shape(), t.Dst, first.Shape())
	}
}

// wantFeaturesOf panics unless there are features of a vertex type of relation t.
func wantFeaturesOf(t graph.EdgeType, vertexType string, xs map[string]*autograd.Var) {
	if xs[vertexType] == nil {
		misuse("HeteroConv", "%v: no features of type %q; there are those of %q", t, vertexType, slices.Sorted(maps.Keys(xs)))
	}
}

// wantKnown panics if m has a key that is not among those known.
func wantKnown[K comparable, V any](layer, what string, m map[K]V, known []K, whose string) {
	var strange []string
	for k := range m {
		if !slices.Contains(known, k) {
			strange = append(strange, fmt.Sprint(k))
		}
	}
	if len(strange) > 0 {
		misuse(layer, "%s %s; %s %v", what, slices.Min(strange), whose, known)
	}
}
