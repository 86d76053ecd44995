// Mini-batches of links, true and false, for link prediction.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// Links are pairs of vertices, link i going from Src[i] to Dst[i], or triples of
// a knowledge graph if they have types.
type Links struct {
	Src, Dst []int32
	Types    []int32 // nil if there are none
}

// LinksOf returns all edges of a graph as links, sharing its lists.
func LinksOf(g *graph.Graph) Links {
	wantGraph("LinksOf", g)
	return Links{Src: g.Src(), Dst: g.Dst(), Types: g.EdgeTypes()}
}

// check returns an error that names the first link that is none of a graph.
func (l Links) check(g *graph.Graph) error {
	if len(l.Src) != len(l.Dst) || l.Types != nil && len(l.Types) != len(l.Src) {
		return fmt.Errorf("links of %d sources, %d destinations and %d types", len(l.Src), len(l.Dst), len(l.Types))
	}
	for i, u := range l.Src {
		if n := g.NumSrc(); uint(u) >= uint(n) {
			return fmt.Errorf("link %d: source %d out of range [0, %d)", i, u, n)
		}
		if v, n := l.Dst[i], g.NumDst(); uint(v) >= uint(n) {
			return fmt.Errorf("link %d: destination %d out of range [0, %d)", i, v, n)
		}
		if l.Types != nil && l.Types[i] < 0 {
			return fmt.Errorf("link %d: type %d", i, l.Types[i])
		}
	}
	if g.EdgeTypes() == nil {
		return nil
	}
	return l.checkTypes(g)
}

// checkTypes returns an error that names the first link whose type no edge of a graph
// with types can have.
func (l Links) checkTypes(g *graph.Graph) error {
	for i, t := range l.Types {
		if int(t) >= g.NumEdgeTypes() {
			return fmt.Errorf("link %d: type %d out of range [0, %d)", i, t, g.NumEdgeTypes())
		}
	}
	return nil
}

// LinkConfig describes a LinkLoader.
type LinkConfig struct {
	Loading // BatchSize counts the true links of a batch
	Fanout

	Negatives int // false links for each true one
	Corrupt   Corruption

	// Avoid is a graph of the same vertices none of whose edges is a false link;
	// if links have types, none of its edges of the link's type. Nil takes any pair
	// but the true link that the false one is made of, also another true one.
	Avoid *graph.Graph

	// HidePositives leaves out of the blocks the edges that join the ends of a true
	// link of the batch, in either direction and of any type: a model is not to see
	// what it is to predict.
	HidePositives bool
}

// LinkBatch is a batch whose seeds are the ends of links.
type LinkBatch struct {
	Batch

	// Links are the numbers of the true links in the loader's list. They are the
	// first of Src and Dst; the false links follow, those of each true one
	// together.
	Links []int32

	Src, Dst []int32   // the ends of each link, as rows of Seeds
	Types    []int32   // the type of each link, nil if there are none
	Labels   []float32 // 1 for a true link, 0 for a false one
}

// LinkLoader makes batches of true links, of false ones made from them, and of
// blocks around the ends of all. What is drawn for a link depends on the seed of
// the configuration, the epoch, the batch and the place in it alone. It is safe for
// concurrent use.
//
// For a model that reads the whole graph it is the negative sampling alone: with no hops
// there are no blocks, and links are between rows of the seeds.
//
//	loader, err := data.NewLinkLoader(g, data.LinksOf(g), data.LinkConfig{
//		Loading: data.Loading{BatchSize: 4096, Shuffle: true}, Fanout: data.Fanout{Hops: []int{}},
//		Negatives: 1, Corrupt: data.CorruptDst, Avoid: g,
//	})
//	for b, err := range loader.Epoch(ctx, epoch) {
//		h := model.Forward(g, x).IndexSelect(b.Seeds)
//		scores := gnn.Dot{}.Score(h, gnn.Links{Src: b.Src, Dst: b.Dst})
//
// In a graph of users and items give vertices types (graph.WithVertexTypes): then an item
// stands in the place of an item. [HeteroLinkLoader] takes the links of a named relation.
type LinkLoader struct {
	graph    *graph.Graph
	links    Links
	given    Links // the links as the caller numbers their ends, for errors
	config   LinkConfig
	fans     fans
	negative *corrupter
}

// NewLinkLoader returns a loader of true links between vertices of a homogeneous
// graph, which need not be edges of it. It keeps the links. A link out of range, a
// bipartite graph and a configuration that makes no sense are errors; the range of a
// link's type is the edge types of g, if its edges have types, and those of Avoid.
// O(V + links), and O(E) of Avoid.
func NewLinkLoader(g *graph.Graph, links Links, c LinkConfig) (*LinkLoader, error) {
	const op = "NewLinkLoader"
	l, err := newLinkLoader(op, g, links, c)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return l, nil
}

func newLinkLoader(op string, g *graph.Graph, links Links, c LinkConfig) (*LinkLoader, error) {
	if err := wantHomogeneous(g, op); err != nil {
		return nil, err
	}
	if err := c.Loading.check(g.NumVertices()); err != nil {
		return nil, err
	}
	if err := links.check(g); err != nil {
		return nil, err
	}
	fans, err := c.Fanout.check(g)
	if err != nil {
		return nil, err
	}
	if c.Negatives < 0 || c.Corrupt > CorruptBoth {
		return nil, fmt.Errorf("%d negatives of kind %d", c.Negatives, c.Corrupt)
	}
	if m := int64(min(c.BatchSize, len(links.Src))); m > 0 && int64(c.Negatives) > math.MaxInt32/m-1 {
		return nil, fmt.Errorf("%d negatives for each of the %d links of a batch; together they may be %d", c.Negatives, m, math.MaxInt32)
	}
	l := &LinkLoader{graph: g, links: links, given: links, config: c, fans: fans, negative: &corrupter{kind: c.Corrupt, graph: g}}
	if c.Avoid != nil {
		if err := wantHomogeneous(c.Avoid, op); err != nil {
			return nil, fmt.Errorf("the graph to avoid: %w", err)
		}
		if c.Avoid.NumVertices() != g.NumVertices() {
			return nil, fmt.Errorf("the graph to avoid has %d vertices, not %d", c.Avoid.NumVertices(), g.NumVertices())
		}
		if links.Types != nil && c.Avoid.EdgeTypes() == nil {
			return nil, errors.New("links have types, the edges to avoid have none")
		}
		if err := links.checkTypes(c.Avoid); err != nil {
			return nil, fmt.Errorf("the graph to avoid: %w", err)
		}
		l.negative.avoid = newEdgeSet(c.Avoid, links.Types != nil)
	}
	return l, nil
}

// Len returns the number of batches in an epoch.
func (l *LinkLoader) Len() int { return l.config.count(len(l.links.Src)) }

// Epoch returns the batches of an epoch, in order, as [NeighborLoader.Epoch]
// does. It is an error, too, if a link has no false one: every other vertex in the place
// of its end makes an edge of Avoid, or there is no other.
func (l *LinkLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*LinkBatch, error] {
	wantContext("Epoch", ctx)
	return func(yield func(*LinkBatch, error) bool) {
		order := l.order(epoch)
		batches(ctx, &l.config.Loading, l.Len(), func() func(int) (*LinkBatch, error) {
			batch := l.maker(order, epoch)
			return func(i int) (*LinkBatch, error) {
				b, err := batch(i)
				if err != nil {
					return nil, fmt.Errorf("data: LinkLoader: %w", err)
				}
				b.listEdges()
				return b, nil
			}
		})(yield)
	}
}

// order returns the numbers of the links in the order of an epoch.
func (l *LinkLoader) order(epoch int) []int32 {
	return l.config.order(appendRange([]int32{}, 0, int32(len(l.links.Src))), epoch)
}

// maker returns what makes the batches of an epoch, for one worker.
func (l *LinkLoader) maker(order []int32, epoch int) func(i int) (*LinkBatch, error) {
	s, ends := newSampler(l.graph, l.fans), new(idMap)
	return func(i int) (*LinkBatch, error) {
		b, err := l.ends(ends, l.config.batch(order, i), rng.Fold(l.config.Seed, streamNegatives, uint64(epoch), uint64(i)))
		if err != nil {
			return nil, err
		}
		if l.config.HidePositives {
			s.hidden = b.pairs()
		}
		b.Batch = *s.sample(ends.list, rng.Fold(l.config.Seed, streamNeighbors, uint64(epoch), uint64(i)))
		b.Index, b.Features = i, l.config.Features.Rows(b.Vertices)
		return b, nil
	}
}

// ends returns the links of a batch, their ends numbered by an idMap.
func (l *LinkLoader) ends(ids *idMap, links []int32, key uint64) (*LinkBatch, error) {
	ids.reset()
	n := len(links) * (1 + l.config.Negatives)
	b := &LinkBatch{Links: append([]int32(nil), links...), Src: make([]int32, 0, n), Dst: make([]int32, 0, n), Labels: make([]float32, n)}
	if l.links.Types != nil {
		b.Types = make([]int32, 0, n)
	}
	add := func(x link) {
		b.Src, b.Dst = append(b.Src, ids.id(x.src)), append(b.Dst, ids.id(x.dst))
		if b.Types != nil {
			b.Types = append(b.Types, x.typ)
		}
	}
	for i, at := range links {
		add(l.links.at(at))
		b.Labels[i] = 1
	}
	for i, at := range links {
		for k := range l.config.Negatives {
			x, ok := l.negative.of(l.links.at(at), rng.Hash(key, uint64(i*l.config.Negatives+k)))
			if !ok {
				why := "every false link in its place is an edge of Avoid"
				if l.config.Avoid == nil {
					why = "there is no other vertex for a false link in its place"
				}
				return nil, fmt.Errorf("link %d, (%d, %d): %s", at, l.given.Src[at], l.given.Dst[at], why)
			}
			add(x)
		}
	}
	return b, nil
}

// pairs returns the true links as rows of the seeds, both ways round.
func (b *LinkBatch) pairs() map[[2]int32]struct{} {
	out := make(map[[2]int32]struct{}, 2*len(b.Links))
	for i := range b.Links {
		u, v := b.Src[i], b.Dst[i]
		out[[2]int32{u, v}], out[[2]int32{v, u}] = struct{}{}, struct{}{}
	}
	return out
}

// link is one of Links; its type is 0 if there are none.
type link struct{ src, dst, typ int32 }

func (l Links) at(i int32) link {
	x := link{src: l.Src[i], dst: l.Dst[i]}
	if l.Types != nil {
		x.typ = l.Types[i]
	}
	return x
}
