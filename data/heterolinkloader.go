// Mini-batches of the links of one relation of a heterogeneous graph.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/asterias-ml/asterias/graph"
)

// HeteroLinkConfig describes a HeteroLinkLoader.
type HeteroLinkConfig struct {
	Loading // BatchSize counts the true links of a batch; its own Features stay zero
	HeteroFanout

	// Features of vertex types, of one row a vertex of the type, are gathered for
	// Vertices of each batch by the workers. Not every type needs some.
	Features map[string]Features

	Negatives int        // false links for each true one
	Corrupt   Corruption // a vertex is replaced by one of its type

	// Avoid has the edges that are no false links: the relation of the links in a graph of
	// the same vertices, see [graph.Hetero.Relation]. Of a split with Disjoint links the graph
	// for validation has all those for training. Nil takes any pair but the true link that
	// the false one is made of, also another true one.
	Avoid *graph.Graph

	// HidePositives leaves out of the blocks the edges that join the ends of a true link
	// of the batch, in either direction and of any relation, so also of the inverse one. It
	// is for links that are edges of the graph: PyG has a part of them set aside for that,
	// as LinkSplitConfig.Disjoint does.
	HidePositives bool
}

// HeteroLinkBatch is a batch whose seeds are the ends of links of one relation.
type HeteroLinkBatch struct {
	HeteroBatch

	// Links are the numbers of the true links in the loader's list: ratings.IndexSelect(Links)
	// are what is known of them. They are the first of Src and Dst; the false links follow,
	// those of each true one together.
	Links []int32

	// Src and Dst are the ends of each link, as rows of Seeds of the relation's source type
	// and of its destination type, and so of what a model computes of these types.
	Src, Dst []int32
	Labels   []float32 // 1 for a true link, 0 for a false one
}

// HeteroLinkLoader makes batches of true links of one relation of a heterogeneous graph,
// of false ones made from them, and of blocks around the ends of all, over all relations.
// It is PyTorch Geometric's LinkNeighborLoader with the edge_label_index of a relation:
//
//	rates := graph.EdgeType{Src: "user", Name: "rates", Dst: "movie"}
//	split, err := data.RandomHeteroLinkSplit(h, rates, ratedBy, data.LinkSplitConfig{Val: 0.1, Test: 0.1, Negatives: 1})
//	loader, err := data.NewHeteroLinkLoader(split.Train.Graph, rates, split.Train.Links, data.HeteroLinkConfig{
//		Loading:      data.Loading{BatchSize: 128, Shuffle: true},
//		HeteroFanout: data.HeteroFanout{Hops: []int{20, 10}},
//		Negatives:    2, Corrupt: data.CorruptDst, Avoid: split.Train.Graph.Relation(rates), HidePositives: true,
//	})
//	for b, err := range loader.Epoch(ctx, epoch) {
//		zs := model.Forward(b) // see HeteroBatch
//		scores := zs["user"].IndexSelect(b.Src).VecDot(zs["movie"].IndexSelect(b.Dst))
//
// What is drawn for a link depends on the seed of the configuration, the epoch, the batch
// and the place in it alone. It is safe for concurrent use. [LinkLoader] takes links of all
// relations of a graph with types together, such as [graph.Hetero.Homogeneous].
type HeteroLinkLoader struct {
	graph    *graph.Hetero
	view     *graph.Homogeneous
	features map[string]Features
	links    *LinkLoader // of the view
}

// NewHeteroLinkLoader returns a loader of true links of a relation of h, which need not be
// edges of it: links[i] goes from vertex links.Src[i] of type relation.Src to vertex
// links.Dst[i] of type relation.Dst. It keeps the links. A relation or
// type that h does not have, a *[graph.UnknownTypeError], a link out of range or with a type
// and a configuration that makes no sense are errors. O(V + E + links), and O(E) of Avoid.
func NewHeteroLinkLoader(h *graph.Hetero, relation graph.EdgeType, links Links, c HeteroLinkConfig) (*HeteroLinkLoader, error) {
	const op = "NewHeteroLinkLoader"
	l, err := newHeteroLinkLoader(op, h, relation, links, c)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return l, nil
}

func newHeteroLinkLoader(op string, h *graph.Hetero, relation graph.EdgeType, links Links, c HeteroLinkConfig) (*HeteroLinkLoader, error) {
	if h == nil {
		return nil, errors.New("the graph is nil")
	}
	if err := wantRelations(h, "links", relation); err != nil {
		return nil, err
	}
	if links.Types != nil {
		return nil, fmt.Errorf("links of %v have types; a relation has none", relation)
	}
	features, err := heteroFeatures(h, &c.Loading, c.Features)
	if err != nil {
		return nil, err
	}
	r := h.Relation(relation)
	if err := links.check(r); err != nil {
		return nil, err
	}
	fanout, err := c.fanout(h)
	if err != nil {
		return nil, err
	}
	view := h.Homogeneous()
	l := &HeteroLinkLoader{graph: h, view: view, features: features}
	of := func(x Links) Links { return inView(h, relation, x) }
	config := LinkConfig{Loading: c.Loading, Fanout: fanout, Negatives: c.Negatives, Corrupt: c.Corrupt, HidePositives: c.HidePositives}
	if a := c.Avoid; a != nil {
		if a.IsBipartite() != r.IsBipartite() || a.NumSrc() != r.NumSrc() || a.NumDst() != r.NumDst() {
			return nil, fmt.Errorf("the edges to avoid are those of %v; want a graph like %v, the relation %v", a, r, relation)
		}
		edges := of(Links{Src: a.Src(), Dst: a.Dst()})
		config.Avoid, err = graph.New(view.Graph.NumVertices(), edges.Src, edges.Dst)
		if err != nil {
			panic("BUG: data: edges of a relation are none of the whole graph: " + err.Error())
		}
	}
	if l.links, err = newLinkLoader(op, view.Graph, of(links), config); err != nil {
		return nil, err
	}
	l.links.given = links
	return l, nil
}

// inView returns links of a relation as links between vertices of the homogeneous view.
func inView(h *graph.Hetero, relation graph.EdgeType, links Links) Links {
	return Links{Src: valuesAt(viewIDs(h, relation.Src), links.Src), Dst: valuesAt(viewIDs(h, relation.Dst), links.Dst)}
}

// Len returns the number of batches in an epoch.
func (l *HeteroLinkLoader) Len() int { return l.links.Len() }

// Epoch returns the batches of an epoch, in order, as [NeighborLoader.Epoch] does. It is
// an error, too, if a link has no false one, as of [LinkLoader.Epoch].
func (l *HeteroLinkLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*HeteroLinkBatch, error] {
	wantContext("Epoch", ctx)
	return func(yield func(*HeteroLinkBatch, error) bool) {
		order := l.links.order(epoch)
		batches(ctx, &l.links.config.Loading, l.Len(), func() func(int) (*HeteroLinkBatch, error) {
			batch := l.links.maker(order, epoch)
			return func(i int) (*HeteroLinkBatch, error) {
				b, err := batch(i)
				if err != nil {
					return nil, fmt.Errorf("data: HeteroLinkLoader: %w", err)
				}
				return l.named(b), nil
			}
		})(yield)
	}
}

// named is a batch of the view.
func (l *HeteroLinkLoader) named(b *LinkBatch) *HeteroLinkBatch {
	out := &HeteroLinkBatch{Links: b.Links, Labels: b.Labels}
	var rows []int32
	out.HeteroBatch, rows = heteroBatch(l.graph, l.view, &b.Batch)
	out.Features = featuresOf(l.features, out.Vertices)
	out.Src, out.Dst = valuesAt(rows, b.Src), valuesAt(rows, b.Dst)
	return out
}

// LogChance returns that of [LinkLoader.LogChance] for the vertices of each type.
func (l *HeteroLinkLoader) LogChance() map[string][]float32 {
	all := l.links.LogChance()
	out := make(map[string][]float32, len(l.view.VertexIDs))
	for t, ids := range l.view.VertexIDs {
		of := make([]float32, len(ids))
		for i, v := range ids {
			of[i] = all[v]
		}
		out[l.graph.VertexTypes()[t]] = of
	}
	return out
}
