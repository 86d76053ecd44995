// Mini-batches of windows of random walks, true and false.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// WalkConfig describes a WalkLoader.
type WalkConfig struct {
	Loading // BatchSize counts the vertices that walks start from; its Features stay zero
	Walking

	Context        int // vertices of a window, within [2, Length]: PyG's context_size
	WalksPerVertex int // walks from each vertex in an epoch; 0 stands for 1
	Negatives      int // false walks for each true one; 0 stands for 1
}

// WalkBatch has the windows of walks from some vertices. It belongs to whoever got it.
type WalkBatch struct {
	Index int     // of the batch in its epoch
	Seeds []int32 // the vertices that walks start from

	// Positive are the windows of the walks, see [Walks.Windows]; Negative those of false
	// walks, which have the same seeds and go to any vertex with each step. What a window's
	// first vertex has around it are the others.
	Positive, Negative Walks
}

// WalkLoader makes batches for embeddings of vertices by skip-gram with negative sampling, as
// PyG's Node2Vec.loader (Grover and Leskovec 2016; with P and Q of 1 it is DeepWalk, Perozzi,
// Al-Rfou and Skiena 2014):
//
//	model := gnn.NewNode2Vec(g.NumVertices(), 128, r)
//	loader, err := data.NewWalkLoader(g, vertices, data.WalkConfig{
//		Loading: data.Loading{BatchSize: 128, Shuffle: true}, Walking: data.Walking{Length: 20, Q: 0.5}, Context: 10,
//	})
//	for b, err := range loader.Epoch(ctx, epoch) {
//		loss := model.Loss(gnn.Walks(b.Positive), gnn.Walks(b.Negative))
//
// What is drawn for a walk depends on the seed of the configuration, the epoch, the batch and
// the place in it alone. It is safe for concurrent use.
type WalkLoader struct {
	vertices int // of the graph
	seeds    []int32
	config   WalkConfig
	walker   *walker
}

// NewWalkLoader returns a loader of walks from the given vertices of a homogeneous graph, see
// [RandomWalks]. It keeps seeds; vertices that no edge leaves may be left out. One that is out
// of range or given twice is an error, as are nil seeds, a bipartite graph and a
// configuration that makes no sense. O(V + E).
func NewWalkLoader(g *graph.Graph, seeds []int32, c WalkConfig) (*WalkLoader, error) {
	const op = "NewWalkLoader"
	l, err := newWalkLoader(op, g, seeds, c)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return l, nil
}

func newWalkLoader(op string, g *graph.Graph, seeds []int32, c WalkConfig) (*WalkLoader, error) {
	if err := wantHomogeneous(g, op); err != nil {
		return nil, err
	}
	if !c.Features.IsZero() {
		return nil, errors.New("walks have no features")
	}
	if err := c.Loading.check(g.NumVertices()); err != nil {
		return nil, err
	}
	if err := c.Walking.check(); err != nil {
		return nil, err
	}
	if c.Context < 2 || c.Context > c.Length {
		return nil, fmt.Errorf("windows of %d vertices in walks of %d; want at least 2", c.Context, c.Length)
	}
	if c.WalksPerVertex < 0 || c.Negatives < 0 {
		return nil, fmt.Errorf("%d walks a vertex and %d false ones for each", c.WalksPerVertex, c.Negatives)
	}
	c.WalksPerVertex, c.Negatives = max(1, c.WalksPerVertex), max(1, c.Negatives)
	if err := checkSeeds(seeds, g.NumVertices()); err != nil {
		return nil, err
	}
	walks := float64(min(c.BatchSize, len(seeds))) * float64(c.WalksPerVertex) * float64(c.Negatives)
	if n := walks * float64(c.Length-c.Context+1) * float64(c.Context); n > math.MaxInt32 {
		return nil, fmt.Errorf("windows of a batch have %.0f vertices; they may have %d", n, math.MaxInt32)
	}
	return &WalkLoader{vertices: g.NumVertices(), seeds: seeds, config: c, walker: newWalker(g, c.Walking)}, nil
}

// Len returns the number of batches in an epoch.
func (l *WalkLoader) Len() int { return l.config.count(len(l.seeds)) }

// Epoch returns the batches of an epoch, in order, as [NeighborLoader.Epoch] does.
func (l *WalkLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*WalkBatch, error] {
	wantContext("Epoch", ctx)
	return func(yield func(*WalkBatch, error) bool) {
		order := l.config.order(l.seeds, epoch)
		batches(ctx, &l.config.Loading, l.Len(), func() func(int) (*WalkBatch, error) {
			return func(i int) (*WalkBatch, error) {
				return l.batch(l.config.batch(order, i), epoch, i), nil
			}
		})(yield)
	}
}

func (l *WalkLoader) batch(seeds []int32, epoch, i int) *WalkBatch {
	c := &l.config
	key := func(stream uint64) uint64 { return rng.Fold(c.Seed, stream, uint64(epoch), uint64(i)) }
	walks := l.walker.walks(slices.Repeat(seeds, c.WalksPerVertex), key(streamWalks), inOne)
	return &WalkBatch{
		Index:    i,
		Seeds:    slices.Clone(seeds),
		Positive: walks.Windows(c.Context),
		Negative: l.falseWalks(slices.Repeat(seeds, c.WalksPerVertex*c.Negatives), key(streamNegatives)).Windows(c.Context),
	}
}

// falseWalks are walks that go to any vertex with each step.
func (l *WalkLoader) falseWalks(seeds []int32, key uint64) Walks {
	w := Walks{Vertices: make([]int32, len(seeds)*l.config.Length), Length: l.config.Length}
	for i := range w.Vertices {
		if i%w.Length == 0 {
			w.Vertices[i] = seeds[i/w.Length]
		} else {
			w.Vertices[i] = int32(below(rng.Hash(key, uint64(i)), uint64(l.vertices)))
		}
	}
	return w
}
