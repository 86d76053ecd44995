// Mini-batches of whole clusters.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/asterias-ml/asterias/graph"
)

// ClusterBatch is the subgraph of some clusters: their vertices and all edges
// with both ends among them. It belongs to whoever got it.
type ClusterBatch struct {
	Index    int     // of the batch in its epoch
	Clusters []int32 // which it is made of

	Graph    *graph.Graph // homogeneous, with the types of the whole graph
	Vertices []int32      // vertex i of Graph is Vertices[i]
	Edges    []int32      // edge i of Graph is Edges[i]

	Features Features // of Vertices, if the loader has features
}

// Labels returns the batch's vertices' values of a list of one value a vertex of
// the graph. It panics with *[Error] if the list is too short.
func (b *ClusterBatch) Labels(all []int32) []int32 { return labelsOf(all, b.Vertices) }

// ClusterLoader makes batches of clusters (Chiang et al. 2019, "Cluster-GCN"): a
// model runs on a batch as on a whole graph, and edges between clusters of different
// batches are left out, other ones in every epoch if clusters are shuffled. It is
// safe for concurrent use.
type ClusterLoader struct {
	graph    *graph.Graph
	members  [][]int32 // of each cluster, in order
	clusters []int32   // that are not empty
	config   Loading
}

// NewClusterLoader returns a loader of the parts of a homogeneous graph;
// c.BatchSize counts clusters. Parts without vertices are left out. A partition
// of other vertices, a bipartite graph and a configuration that makes no sense are
// errors. O(V).
func NewClusterLoader(g *graph.Graph, p *Partition, c Loading) (*ClusterLoader, error) {
	const op = "NewClusterLoader"
	fail := func(err error) (*ClusterLoader, error) { return nil, fmt.Errorf("data: %s: %w", op, err) }
	if err := wantHomogeneous(g, op); err != nil {
		return fail(err)
	}
	if err := c.check(g.NumVertices()); err != nil {
		return fail(err)
	}
	if p == nil {
		return fail(errors.New("the partition is nil"))
	}
	if len(p.Of) != g.NumVertices() {
		return fail(fmt.Errorf("a partition of %d vertices, the graph has %d", len(p.Of), g.NumVertices()))
	}
	if p.Parts < 0 || p.Parts > 1<<20+len(p.Of) {
		return fail(fmt.Errorf("%d parts of %d vertices", p.Parts, len(p.Of)))
	}
	l := &ClusterLoader{graph: g, members: make([][]int32, p.Parts), config: c}
	for v, part := range p.Of {
		if uint(part) >= uint(p.Parts) {
			return fail(fmt.Errorf("vertex %d is in part %d of %d", v, part, p.Parts))
		}
		l.members[part] = append(l.members[part], int32(v))
	}
	for part, members := range l.members {
		if len(members) > 0 {
			l.clusters = append(l.clusters, int32(part))
		}
	}
	return l, nil
}

// Len returns the number of batches in an epoch.
func (l *ClusterLoader) Len() int { return l.config.count(len(l.clusters)) }

// Epoch returns the batches of an epoch, in order, as [NeighborLoader.Epoch]
// does.
func (l *ClusterLoader) Epoch(ctx context.Context, epoch int) iter.Seq2[*ClusterBatch, error] {
	wantContext("Epoch", ctx)
	return func(yield func(*ClusterBatch, error) bool) {
		order := l.config.order(l.clusters, epoch)
		batches(ctx, &l.config, l.Len(), func() func(int) (*ClusterBatch, error) {
			ids := new(idMap)
			return func(i int) (*ClusterBatch, error) {
				b := l.batch(ids, l.config.batch(order, i))
				b.Index, b.Features = i, l.config.Features.Rows(b.Vertices)
				return b, nil
			}
		})(yield)
	}
}

// batch cuts out clusters. Its edges are in order of their destinations in the
// batch, then as in the rows of the whole graph. O(vertices and the edges into them).
func (l *ClusterLoader) batch(ids *idMap, clusters []int32) *ClusterBatch {
	g := l.graph
	b := &ClusterBatch{Clusters: slices.Clone(clusters)}
	ids.reset()
	for _, c := range clusters {
		for _, v := range l.members[c] {
			ids.id(v)
		}
	}
	b.Vertices = slices.Clone(ids.list)
	var src, dst []int32
	for i, v := range b.Vertices {
		neighbors, edges := g.In().Row(int(v))
		for k, u := range neighbors {
			if id, ok := ids.lookup(u); ok {
				src, dst, b.Edges = append(src, id), append(dst, int32(i)), append(b.Edges, edges[k])
			}
		}
	}
	var opts []graph.Option
	if types := g.EdgeTypes(); types != nil {
		opts = append(opts, graph.WithEdgeTypes(valuesAt(types, b.Edges), g.NumEdgeTypes()))
	}
	if types := g.VertexTypes(); types != nil {
		opts = append(opts, graph.WithVertexTypes(valuesAt(types, b.Vertices), g.NumVertexTypes()))
	}
	var err error
	if b.Graph, err = graph.New(len(b.Vertices), src, dst, opts...); err != nil {
		panic("BUG: data: clusters are no graph: " + err.Error())
	}
	return b
}
