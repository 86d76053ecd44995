// Mini-batches of the vertices of one type of a heterogeneous graph.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/asterias-ml/asterias/graph"
)

// HeteroNeighborConfig describes a HeteroNeighborLoader.
type HeteroNeighborConfig struct {
	Loading // its own Features stay zero
	HeteroFanout

	// Features of vertex types, of one row a vertex of the type, are gathered for
	// Vertices of each batch by the workers. Not every type needs some.
	Features map[string]Features
}

// HeteroNeighborLoader makes batches of vertices of one type of a heterogeneous graph, with
// blocks around them over all relations. It is PyTorch Geometric's NeighborLoader with the
// input_nodes of a vertex type:
//
//	loader, err := data.NewHeteroNeighborLoader(h, "paper", train, data.HeteroNeighborConfig{
//		Loading:      data.Loading{BatchSize: 128, Shuffle: true},
//		HeteroFanout: data.HeteroFanout{Hops: []int{15, 10}},
//		Features:     map[string]data.Features{"paper": words},
//	})
//	for b, err := range loader.Epoch(ctx, epoch) {
//		logits := model.Forward(b)["paper"] // see HeteroBatch
//		loss := nn.CrossEntropy(logits, b.Labels("paper", labels), nil)
//
// All seeds of a batch are of the type: they are the destinations of the last block, in their
// order, so row i is that of Seeds[type][i] also in the logits of models over the vertices of
// all types, such as gnn.HGT.
//
// What is drawn for a vertex depends on the seed of the configuration, the epoch, the batch,
// the hop, the relation and the vertex alone. It is safe for concurrent use.
type HeteroNeighborLoader struct {
	graph    *graph.Hetero
	features map[string]Features
	vertices *NeighborLoader // of the view
}

// NewHeteroNeighborLoader returns a loader of the given vertices of a type of h, by their
// numbers within it. It copies seeds. A vertex that is out of range or given twice is an
// error, as are nil seeds, which might mean all or none, a type or relation that h does not
// have, a *[graph.UnknownTypeError], and a configuration that makes no sense. O(V + E).
func NewHeteroNeighborLoader(h *graph.Hetero, vertexType string, seeds []int32, c HeteroNeighborConfig) (*HeteroNeighborLoader, error) {
	const op = "NewHeteroNeighborLoader"
	l, err := newHeteroNeighborLoader(op, h, vertexType, seeds, c)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return l, nil
}

func newHeteroNeighborLoader(op string, h *graph.Hetero, vertexType string, seeds []int32, c HeteroNeighborConfig) (*HeteroNeighborLoader, error) {
	if h == nil {
		return nil, errors.New("the graph is nil")
	}
	if err := wantVertexTypes(h, "seeds", vertexType); err != nil {
		return nil, err
	}
	if err := checkSeeds(seeds, h.NumVertices(vertexType)); err != nil {
		return nil, fmt.Errorf("type %q: %w", vertexType, err)
	}
	features, err := heteroFeatures(h, &c.Loading, c.Features)
	if err != nil {
		return nil, err
	}
	fanout, err := c.fanout(h)
	if err != nil {
		return nil, err
	}
	g, seeds := h.Homogeneous().Graph, valuesAt(viewIDs(h, vertexType), seeds)
	vertices, err := newNeighborLoader(op, g, seeds, NeighborConfig{Loading: c.Loading, Fanout: fanout})
	if err != nil {
		return nil, err
	}
	return &HeteroNeighborLoader{graph: h, features: features, vertices: vertices}, nil
}

// Len returns the number of batches in an epoch.
func (l *HeteroNeighborLoader) Len() int { return l.vertices.Len() }

// Epoch returns the batches of an epoch, in order, as [NeighborLoader.Epoch] does.
func (l *HeteroNeighborLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*HeteroBatch, error] {
	wantContext("Epoch", ctx)
	return func(yield func(*HeteroBatch, error) bool) {
		order := l.vertices.config.order(l.vertices.seeds, epoch)
		batches(ctx, &l.vertices.config.Loading, l.Len(), func() func(int) (*HeteroBatch, error) {
			batch := l.vertices.maker(order, epoch)
			return func(i int) (*HeteroBatch, error) {
				b, _ := heteroBatch(l.graph, l.graph.Homogeneous(), batch(i))
				b.Features = featuresOf(l.features, b.Vertices)
				return &b, nil
			}
		})(yield)
	}
}
