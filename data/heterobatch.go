// Mini-batches of graphs with named types of vertices and edges.

package data

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/graph"
)

// HeteroBatch is a [Batch] of a heterogeneous graph, in which vertices and edges are
// known by their types and the numbers that they have within them. Every vertex type has
// an entry in Seeds and Vertices, every relation one in each of Edges. So a model of
// embeddings of users and features of movies is
//
//	xs := map[string]*autograd.Var{
//		"user":  users.Forward(batch.Vertices["user"]),
//		"movie": linear.Forward(autograd.Input(batch.Features["movie"])),
//	}
//	for i, conv := range convs { // of type gnn.HeteroConv
//		xs = conv.ForwardOn(batch.Blocks[i], xs, nil)
//	}
//
// and row i of xs["user"] is then that of Seeds["user"][i]. Layers that are given the
// features of both ends of one relation run on graph.RelationsOf of a block, which the loader
// has split already. Models over the vertices of all types, in the order of ViewVertices, take
// Blocks as they are: gnn.HGT with Vertices of the types that have learned rows, gnn.RGCN with
// ViewVertices. A gnn.HeteroLinear on Blocks[0] makes such rows for gnn.RGCNConv and other
// typed layers, one a block.
type HeteroBatch struct {
	Index int // of the batch in its epoch

	// Seeds are the vertices to compute values of: the first of Vertices.
	Seeds map[string][]int32

	// Vertices are all vertices of the batch: the i-th source of a type in any block is
	// vertex Vertices[type][i] of the graph, the i-th destination too.
	Vertices map[string][]int32

	// ViewVertices are the same as the homogeneous view numbers them
	// ([graph.Hetero.Homogeneous]): source i of any block is its vertex ViewVertices[i].
	ViewVertices []int32

	// Blocks are those of [Batch]. Types are positions in the graph's VertexTypes and
	// EdgeTypes.
	Blocks []*graph.Graph

	// Edges are the edges of each relation in each block, as ids in [graph.Hetero.Relation]:
	// Edges[0][t] picks the rows of the features or weights of edges of type t that the
	// first layer reads.
	Edges []map[graph.EdgeType][]int32

	Features map[string]Features // of Vertices, of the types that the loader has features of
}

// Labels returns the values of the seeds of a type, of a list of one value a vertex of the
// type. It panics with *[Error] if the list is too short or the batch has no such type.
func (b *HeteroBatch) Labels(vertexType string, all []int32) []int32 {
	seeds, ok := b.Seeds[vertexType]
	if !ok {
		misuse("Labels", "no vertex type %q; the batch has %q", vertexType, slices.Sorted(maps.Keys(b.Seeds)))
	}
	return labelsOf(all, seeds)
}

// heteroBatch is a batch of the homogeneous view of h, and the row that each vertex of
// it has among those of its type.
func heteroBatch(h *graph.Hetero, view *graph.Homogeneous, b *Batch) (out HeteroBatch, rows []int32) {
	local, rows, err := view.SplitByType(b.Vertices)
	if err != nil {
		panic("BUG: data: a batch has vertices that its graph has not: " + err.Error())
	}
	seeds := make([]int, len(local))
	for _, v := range b.Seeds {
		seeds[view.Graph.VertexTypes()[v]]++
	}
	out = HeteroBatch{
		Index: b.Index, Blocks: b.Blocks, ViewVertices: b.Vertices,
		Seeds: map[string][]int32{}, Vertices: map[string][]int32{}, Edges: make([]map[graph.EdgeType][]int32, len(b.Blocks)),
	}
	for t, name := range h.VertexTypes() {
		out.Vertices[name] = local[t]
		out.Seeds[name] = local[t][:seeds[t]:seeds[t]]
	}
	for i, block := range b.Blocks {
		out.Edges[i] = map[graph.EdgeType][]int32{}
		for t, name := range h.EdgeTypes() {
			ids := valuesAt(b.Edges[i], block.EdgesByType().OfType(t))
			out.Edges[i][name] = valuesAt(view.LocalEdge, ids)
		}
		// Layers of relations split the block: here a worker does it, and the block keeps it.
		if _, err := graph.RelationsOf(block, h.VertexTypes(), h.EdgeTypes()); err != nil {
			panic("BUG: data: a block has not the relations of its graph: " + err.Error())
		}
	}
	return out, rows
}

// featuresOf returns the features of the vertices of each type that has some.
func featuresOf(all map[string]Features, vertices map[string][]int32) map[string]Features {
	out := make(map[string]Features, len(all))
	for name, f := range all {
		out[name] = f.Rows(vertices[name])
	}
	return out
}

// HeteroFanout says how many of the edges of each relation into a vertex are sampled.
type HeteroFanout struct {
	// Hops are the numbers of edges of every relation for each layer: Hops[0] for those
	// into the seeds, Hops[1] for those into the vertices that these come from, and so
	// on, as PyG's num_neighbors. -1 takes all edges; none, but not nil, make no blocks.
	Hops []int

	// HopsOf has other numbers for some relations, one for each of Hops.
	HopsOf map[graph.EdgeType][]int

	// Replace draws edges with replacement, as that of [Fanout].
	Replace bool
}

// fanout is the same by the numbers of edge types.
func (f *HeteroFanout) fanout(h *graph.Hetero) (Fanout, error) {
	out := Fanout{HopsByType: make([][]int, len(f.Hops)), Replace: f.Replace}
	if f.Hops == nil {
		return out, errors.New("no Hops: want how many edges each layer takes, or []int{} for no blocks")
	}
	if err := wantRelations(h, "HopsOf", slices.Collect(maps.Keys(f.HopsOf))...); err != nil {
		return out, err
	}
	for hop, n := range f.Hops {
		byType := slices.Repeat([]int{n}, len(h.EdgeTypes()))
		for t, name := range h.EdgeTypes() {
			of, own := f.HopsOf[name]
			if own && len(of) != len(f.Hops) {
				return out, fmt.Errorf("HopsOf of %v has %d numbers, Hops %d", name, len(of), len(f.Hops))
			}
			if own {
				byType[t] = of[hop]
			}
		}
		out.HopsByType[hop] = byType
	}
	return out, nil
}

// viewIDs are the vertices of a type in the homogeneous view.
func viewIDs(h *graph.Hetero, vertexType string) []int32 {
	return h.Homogeneous().VertexIDs[slices.Index(h.VertexTypes(), vertexType)]
}

// wantRelations returns a *graph.UnknownTypeError unless h has the relations.
func wantRelations(h *graph.Hetero, op string, relations ...graph.EdgeType) error {
	return wantNames(op, h.EdgeTypes(), relations, func(t graph.EdgeType) string { return t.String() })
}

// wantVertexTypes returns a *graph.UnknownTypeError unless h has the vertex types.
func wantVertexTypes(h *graph.Hetero, op string, names ...string) error {
	return wantNames(op, h.VertexTypes(), names, func(name string) string { return fmt.Sprintf("%q", name) })
}

// wantNames returns a *graph.UnknownTypeError that tells the first, in order of their
// texts, of the names that are not known.
func wantNames[T comparable](op string, known, names []T, text func(T) string) error {
	var strange []string
	for _, name := range names {
		if !slices.Contains(known, name) {
			strange = append(strange, text(name))
		}
	}
	if len(strange) == 0 {
		return nil
	}
	e := &graph.UnknownTypeError{Op: op, Type: slices.Min(strange)}
	for _, name := range known {
		e.Known = append(e.Known, text(name))
	}
	return e
}

// heteroFeatures returns the features of the types that have some. It is an error unless
// they have a row for each vertex of their type, or if loading has features.
func heteroFeatures(h *graph.Hetero, loading *Loading, features map[string]Features) (map[string]Features, error) {
	if !loading.Features.IsZero() {
		return nil, errors.New("features in Loading, which are of no vertex type; want them in the configuration's own Features, by type")
	}
	err := wantVertexTypes(h, "Features", slices.Collect(maps.Keys(features))...)
	if err != nil {
		return nil, err
	}
	for _, name := range h.VertexTypes() {
		f := features[name]
		if rows, _ := f.Dims(); !f.IsZero() && rows != h.NumVertices(name) {
			return nil, fmt.Errorf("%d rows of features for %d vertices of type %q", rows, h.NumVertices(name), name)
		}
	}
	out := maps.Clone(features)
	maps.DeleteFunc(out, func(_ string, f Features) bool { return f.IsZero() })
	return out, nil
}
