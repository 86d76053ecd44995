// An order of vertices in which neighbours stand close together.

package data

import "github.com/asterias-ml/asterias/graph"

const (
	// communityRows bounds a community: its rows of features should fit a second cache.
	// 512 to 4096 vertices made no difference (GCN, Coauthor Physics, 64 and 128 columns).
	communityRows = 1024
	// communityRounds is how often vertices look for a better one; each takes about as
	// long as the search. With 8 kernels are as fast as with 4.
	communityRounds = 4
)

// LocalityOrder returns the vertices of a homogeneous graph in an order in which those
// that share neighbours stand close together, so that what one row of an aggregation has
// fetched is still in the caches when the next ones want it; [Dataset.Reorder] numbers
// a dataset by it. Every vertex begins as a community of its own and moves, for some
// rounds, to the one of bounded size that most of its neighbours are in (label
// propagation, Raghavan et al. 2007). Communities stand in the order in which a
// breadth-first search along edges either way comes to them, and so do their vertices.
// Graphs without communities, such as R-MAT's, gain nothing by it. The result depends on
// the graph alone. It panics with *[Error] on a bipartite graph. O(V + E).
func LocalityOrder(g *graph.Graph) []int32 {
	const op = "LocalityOrder"
	wantGraph(op, g)
	if g.IsBipartite() {
		misuse(op, "%v is bipartite", g)
	}
	n := g.NumVertices()
	p := &Partition{Parts: n, Of: make([]int32, n), Sizes: make([]int, n)}
	for v := range n {
		p.Of[v], p.Sizes[v] = int32(v), 1
	}
	p.refine(g, communityRows, communityRounds)
	met := breadthFirst(g)
	next := make([]int, n) // where the next vertex of a community stands
	at := 0
	for _, v := range met {
		if c := p.Of[v]; p.Sizes[c] > 0 {
			next[c], at, p.Sizes[c] = at, at+p.Sizes[c], 0
		}
	}
	order := make([]int32, n)
	for _, v := range met {
		c := p.Of[v]
		order[next[c]] = v
		next[c]++
	}
	return order
}

// Reorder returns the dataset with its vertices in [LocalityOrder], and that order:
// vertex i of the result is vertices[i]. Models, splits and accuracies are the same but
// for rounding and for what draws random numbers by vertex; aggregations are faster where
// the graph has communities and the features outgrow the second cache (Coauthor Physics, 64
// and 128 columns: 1.3 to 1.6 times). O(V + E + features), once.
func (d *Dataset) Reorder() (out *Dataset, vertices []int32) {
	vertices = LocalityOrder(d.Graph)
	return d.Subset(vertices), vertices
}
