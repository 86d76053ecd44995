// Mini-batches of vertices with sampled neighbourhoods.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// Batch is a part of a graph, cut out for computing values of a few vertices, the
// seeds, with one block for each layer of a model.
//
// A block is a bipartite graph of sampled edges. Its destinations are the first
// of its sources: source i, for i below NumDst, is the same vertex as
// destination i. The destinations of a block are the sources of the next one, and
// those of the last block are the seeds. So a model is
//
//	x := autograd.Input(batch.Features)
//	for i, conv := range convs {
//		x = conv.Forward(batch.Blocks[i], x) // [NumSrc in] -> [NumDst out]
//	}
//
// Edges and vertices have the types they have in the graph. A batch belongs to
// whoever got it: the loader keeps nothing of it.
type Batch struct {
	Index int // of the batch in its epoch

	// Seeds are the vertices to compute values of: the first of Vertices.
	Seeds []int32

	// Vertices are all vertices of the batch: source i of any block is Vertices[i]
	// in the graph, and Blocks[0] has them all as sources.
	Vertices []int32

	Blocks []*graph.Graph // for the first layer, which reads features, to the last
	Edges  [][]int32      // the ids in the graph of the edges of each block

	Features Features // of Vertices, if the loader has features
}

// listEdges lists the edges of each block by destination, which is what layers ask for first:
// a worker does it while others train.
func (b *Batch) listEdges() {
	for _, block := range b.Blocks {
		block.In()
	}
}

// Labels returns the seeds' values of a list of one value a vertex of the graph. It
// panics with *[Error] if the list is too short.
func (b *Batch) Labels(all []int32) []int32 { return labelsOf(all, b.Seeds) }

// Fanout says how many of the edges into a vertex are sampled.
type Fanout struct {
	// Hops are the numbers of edges for each layer: Hops[0] for edges into the
	// seeds, those of the last layer and block, Hops[1] for edges into the vertices
	// that these come from, and so on, as PyG's num_neighbors (DGL's fanouts run
	// the other way). -1 takes all edges; none, but not nil, make no blocks.
	Hops []int

	// HopsByType has, instead of Hops, numbers for each type of edges:
	// HopsByType[i][t] edges of type t into each vertex of hop i.
	HopsByType [][]int

	// Replace draws edges with replacement: exactly as many as asked for, where
	// there are edges. Otherwise the edges are different, and all of them where
	// there are not more than asked for.
	Replace bool
}

// NeighborConfig describes a NeighborLoader.
type NeighborConfig struct {
	Loading
	Fanout
}

// NeighborLoader makes batches of vertices for training on graphs that are too
// large for a whole pass (Hamilton, Ying and Leskovec 2017, "Inductive
// representation learning on large graphs", algorithm 2). For every seed some of
// the edges that enter it are drawn, then for every vertex so far, seeds
// included, some of the edges that enter it, and so on.
//
// What is drawn for a vertex depends on the seed of the configuration, the epoch,
// the batch, the hop and the vertex alone. It is safe for concurrent use.
type NeighborLoader struct {
	graph  *graph.Graph
	seeds  []int32
	config NeighborConfig
	fans   fans
}

// NewNeighborLoader returns a loader of the given vertices of a homogeneous
// graph. It keeps seeds. A vertex that is out of range or given twice is an error, as
// are nil seeds, which might mean all or none, a bipartite graph and a configuration that
// makes no sense. O(V).
func NewNeighborLoader(g *graph.Graph, seeds []int32, c NeighborConfig) (*NeighborLoader, error) {
	const op = "NewNeighborLoader"
	l, err := newNeighborLoader(op, g, seeds, c)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return l, nil
}

func newNeighborLoader(op string, g *graph.Graph, seeds []int32, c NeighborConfig) (*NeighborLoader, error) {
	if err := wantHomogeneous(g, op); err != nil {
		return nil, err
	}
	if err := c.Loading.check(g.NumVertices()); err != nil {
		return nil, err
	}
	fans, err := c.Fanout.check(g)
	if err != nil {
		return nil, err
	}
	if err := checkSeeds(seeds, g.NumVertices()); err != nil {
		return nil, err
	}
	return &NeighborLoader{graph: g, seeds: seeds, config: c, fans: fans}, nil
}

// checkSeeds returns an error unless seeds are different ones of n vertices.
func checkSeeds(seeds []int32, n int) error {
	if seeds == nil {
		return errors.New("the seeds are nil: list all vertices to load all, or give []int32{} to load none")
	}
	seen := make([]bool, n)
	for i, v := range seeds {
		if uint(v) >= uint(n) {
			return fmt.Errorf("seed %d: vertex %d out of range [0, %d)", i, v, n)
		}
		if seen[v] {
			return fmt.Errorf("seed %d: vertex %d is a seed already", i, v)
		}
		seen[v] = true
	}
	return nil
}

func wantHomogeneous(g *graph.Graph, op string) error {
	switch {
	case g == nil:
		return errors.New("the graph is nil")
	case g.IsBipartite():
		return &graph.BipartiteError{Op: op}
	}
	return nil
}

// fans is a checked Fanout.
type fans struct {
	hops    [][]int // for each hop: one number, or one for each edge type
	byType  bool
	replace bool
}

func (f *Fanout) check(g *graph.Graph) (fans, error) {
	out := fans{byType: f.HopsByType != nil, replace: f.Replace}
	if out.byType == (f.Hops != nil) {
		return fans{}, errors.New("want either Hops or HopsByType")
	}
	for _, n := range f.Hops {
		out.hops = append(out.hops, []int{n})
	}
	for hop, byType := range f.HopsByType {
		if g.EdgeTypes() == nil || len(byType) != g.NumEdgeTypes() {
			return fans{}, fmt.Errorf("hop %d has numbers for %d types of edges, the graph has %d types", hop, len(byType), g.NumEdgeTypes())
		}
		out.hops = append(out.hops, slices.Clone(byType))
	}
	for hop, numbers := range out.hops {
		for _, n := range numbers {
			if n < -1 {
				return fans{}, fmt.Errorf("hop %d takes %d edges; want at least 0, or -1 for all", hop, n)
			}
		}
	}
	return out, nil
}

// Len returns the number of batches in an epoch.
func (l *NeighborLoader) Len() int { return l.config.count(len(l.seeds)) }

// Epoch returns the batches of an epoch, in order. They are made ahead by the
// workers while the loop over them runs:
//
//	for batch, err := range loader.Epoch(ctx, epoch) {
//		if err != nil {
//			return err
//		}
//		...
//	}
//
// An error is the last thing that comes: the [context.Cause] of a context which is
// done, or a *[PanicError]. However the loop ends, all workers have ended when it has.
// A nil context panics with *[Error].
func (l *NeighborLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*Batch, error] {
	wantContext("Epoch", ctx)
	return func(yield func(*Batch, error) bool) {
		order := l.config.order(l.seeds, epoch)
		batches(ctx, &l.config.Loading, l.Len(), func() func(int) (*Batch, error) {
			batch := l.maker(order, epoch)
			return func(i int) (*Batch, error) {
				b := batch(i)
				b.listEdges()
				return b, nil
			}
		})(yield)
	}
}

// maker returns what makes the batches of an epoch, for one worker.
func (l *NeighborLoader) maker(order []int32, epoch int) func(i int) *Batch {
	s := newSampler(l.graph, l.fans)
	return func(i int) *Batch {
		key := rng.Fold(l.config.Seed, streamNeighbors, uint64(epoch), uint64(i))
		b := s.sample(l.config.batch(order, i), key)
		b.Index, b.Features = i, l.config.Features.Rows(b.Vertices)
		return b
	}
}
