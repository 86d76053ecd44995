// Mini-batches of the graphs of a set.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// GraphLoader makes batches of the graphs of a [GraphDataset], the disjoint unions of a
// few of them, as PyG's DataLoader and DGL's GraphDataLoader. It is safe for concurrent
// use.
type GraphLoader struct {
	set             *GraphDataset
	graphs          []int32
	config          Loading
	vertices, edges []int32 // offsets
}

// NewGraphLoader returns a loader of the given graphs of a set, such as its Train or those
// that [Fold] gives; one may be there more than once. It keeps graphs and the set, which is
// not to change. A graph out of range, nil graphs, which might mean all or none, a set whose
// features, labels or targets are of other graphs, and a configuration that makes no sense
// are errors, as are Features in it: those of a batch are the set's. O(graphs of the set).
func NewGraphLoader(d *GraphDataset, graphs []int32, c Loading) (*GraphLoader, error) {
	fail := func(err error) (*GraphLoader, error) { return nil, fmt.Errorf("data: NewGraphLoader: %w", err) }
	if d == nil {
		return fail(errors.New("the set is nil"))
	}
	if !c.Features.IsZero() {
		return fail(errors.New("features are given, but batches have those of the set"))
	}
	if err := c.check(0); err != nil {
		return fail(err)
	}
	if err := d.checkSizes(); err != nil {
		return fail(err)
	}
	if graphs == nil {
		return fail(errors.New("the graphs are nil: list all to load all, or give []int32{} to load none"))
	}
	for i, g := range graphs {
		if g < 0 || int(g) >= len(d.Graphs) {
			return fail(fmt.Errorf("entry %d: graph %d out of range [0, %d)", i, g, len(d.Graphs)))
		}
	}
	l := &GraphLoader{set: d, graphs: graphs, config: c}
	l.vertices, l.edges = d.offsets()
	return l, nil
}

// Len returns the number of batches in an epoch.
func (l *GraphLoader) Len() int { return l.config.count(len(l.graphs)) }

// Epoch returns the batches of an epoch, in order, as [NeighborLoader.Epoch] does.
func (l *GraphLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*GraphBatch, error] {
	wantContext("Epoch", ctx)
	order := l.config.order(l.graphs, epoch)
	return batches(ctx, &l.config, l.Len(), func() func(i int) (*GraphBatch, error) {
		return func(i int) (*GraphBatch, error) {
			return l.set.batch(l.config.batch(order, i), l.vertices, l.edges), nil
		}
	})
}
