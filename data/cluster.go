// Partitioning of a graph into clusters with few edges between them.

package data

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/community"
)

// PartitionConfig describes a partition.
type PartitionConfig struct {
	Parts int // at least 1

	// Slack is by how much a part may exceed the mean size: at most
	// ceil((1+Slack)·V/Parts) vertices. 0 stands for 0.1.
	Slack float64

	// Rounds of refinement at most; 0 stands for 10. They end when no vertex moves.
	Rounds int
}

// Partition is a division of a graph's vertices.
type Partition struct {
	Parts int
	Of    []int32 // the part of each vertex
	Sizes []int   // vertices of each part; may be 0

	// Cut is how many edges join two parts, self-loops never.
	Cut int
}

// NewPartition divides the vertices of a homogeneous graph into parts of bounded
// size with few edges between them. First the order of a breadth-first search, along
// edges either way, is cut into equal pieces. Then, in each round, every vertex moves
// to the part with the largest score that has room: the number of the vertex's edges
// into it, times its share of free room (linear deterministic greedy, Stanton and
// Kliot 2012; in rounds, Nishimura and Ugander 2013). On a tie it stays. Parts of
// METIS, which coarsens the graph first, have smaller cuts; this is far simpler. The
// result depends on the graph and the configuration alone. A bipartite graph and a
// configuration that makes no sense are errors. O(V + E) a round.
func NewPartition(g *graph.Graph, c PartitionConfig) (*Partition, error) {
	const op = "NewPartition"
	if err := wantHomogeneous(g, op); err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	n := g.NumVertices()
	if c.Parts < 1 || c.Parts > max(n, 1) || c.Rounds < 0 || !(c.Slack >= 0) || math.IsInf(c.Slack, 0) { // also false for NaN
		return nil, fmt.Errorf("data: %s: %d parts of %d vertices with slack %v in %d rounds", op, c.Parts, n, c.Slack, c.Rounds)
	}
	if c.Slack == 0 {
		c.Slack = 0.1
	}
	if c.Rounds == 0 {
		c.Rounds = 10
	}
	p := &Partition{Parts: c.Parts, Of: make([]int32, n), Sizes: make([]int, c.Parts)}
	neighbors := neighborsOf(g)
	for i, v := range community.BreadthFirst(n, neighbors...) {
		part := i * c.Parts / n
		p.Of[v] = int32(part)
		p.Sizes[part]++
	}
	// What rounding adds, as 2e-16 to 1.1 times 10, is not to make room for a vertex.
	const rounding = 1e-14
	capacity := math.Ceil((1 + c.Slack) * float64(n) / float64(c.Parts) * (1 - rounding))
	community.Refine(p.Of, p.Sizes, min(capacity, float64(n)), c.Rounds, neighbors...)
	for e, u := range g.Src() {
		if p.Of[u] != p.Of[g.Dst()[e]] {
			p.Cut++
		}
	}
	return p, nil
}

// neighborsOf lists the edges either way.
func neighborsOf(g *graph.Graph) []community.Rows {
	in, out := g.In(), g.Out()
	return []community.Rows{{Offsets: in.Offsets, Neighbors: in.Neighbors}, {Offsets: out.Offsets, Neighbors: out.Neighbors}}
}
