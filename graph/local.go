// Rows in an order of their own: one in which those that share neighbours come together.

package graph

import (
	"sync"
	"sync/atomic"

	"github.com/asterias-ml/asterias/internal/community"
)

// A row that an aggregation reads is said to be near if it was read within the last
// nearEdges edges: of 64 columns, those of as many other vertices fit a second cache.
// Rows get an order of their own if it leaves at most worthwhile of the reads far that
// are so in the order of ids, unless these are few. Measured: 0.49 (Coauthor Physics),
// 0.63 (Coauthor CS), 0.37 (Amazon Computers), but 0.99 and more on R-MAT graphs, which
// have no communities.
const (
	nearEdges  = 8192
	worthwhile = 0.75
	fewFar     = 0.1 // of the edges
)

// lazyLocal is the order of the vertices, found when it is first needed.
type lazyLocal struct {
	in, out *lazyCSR // of the graph that was built, not of its reverse
	walks   atomic.Int64
	once    sync.Once
	order   []int32 // nil for that of ids
}

// Walk counts a run over the edges, either way, and returns how many there have been: who would
// order the rows anew first, or keep something with the graph, does so for graphs that are walked
// often.
func (g *Graph) Walk() int64 { return g.local.walks.Add(1) }

// LocalIn returns In with its rows in an order in which those that share neighbours come
// together: row i is that of vertex Vertices[i], with its edges in the same order. Who
// walks the rows so finds more of what they read from other vertices in the caches. It is
// nil for a bipartite graph, and where there is little to gain: the vertices are numbered
// so, or form no communities. The order is that of data.LocalityOrder. Built once, O(V + E).
func (g *Graph) LocalIn() *CSR { return g.inOrder(g.in) }

// LocalOut is LocalIn for Out; the order is the same.
func (g *Graph) LocalOut() *CSR { return g.inOrder(g.out) }

func (g *Graph) inOrder(csr *lazyCSR) *CSR {
	if g.bipartite {
		return nil
	}
	vertices := g.local.get()
	if vertices == nil {
		return nil
	}
	c := csr.get()
	c.localOnce.Do(func() { c.local = c.InOrder(vertices) })
	return c.local
}

// get returns the order of the rows, nil for that of ids.
func (l *lazyLocal) get() []int32 {
	l.once.Do(func() {
		in, out := l.in.get(), l.out.get()
		neighbors := []community.Rows{{Offsets: in.Offsets, Neighbors: in.Neighbors}, {Offsets: out.Offsets, Neighbors: out.Neighbors}}
		most := in.farReads(nil)
		if float64(most) <= fewFar*float64(len(in.Neighbors)) {
			return
		}
		// Where one round gains nothing the others do not.
		for _, try := range []struct {
			rounds int
			share  float64
		}{{1, (1 + worthwhile) / 2}, {community.Rounds, worthwhile}} {
			order := community.Order(in.NumRows(), try.rounds, neighbors...)
			if float64(in.farReads(order)) > try.share*float64(most) {
				l.order = nil
				return
			}
			l.order = order
		}
	})
	return l.order
}

// farReads counts the edges whose other end was not read within the last nearEdges of
// edges, rows taken in an order, nil for that of ids.
func (c *CSR) farReads(order []int32) (far int) {
	last := make([]int, c.numCols)
	now := nearEdges + 1
	for r := range int32(c.NumRows()) {
		if order != nil {
			r = order[r]
		}
		for _, u := range c.Neighbors[c.Offsets[r]:c.Offsets[r+1]] {
			if now-last[u] > nearEdges {
				far++
			}
			last[u] = now
			now++
		}
	}
	return far
}

// InOrder returns the CSR with its rows in another order: row i is that of vertex
// vertices[i], which must be a permutation. It shares the list. O(V + E).
func (c *CSR) InOrder(vertices []int32) *CSR {
	out := &CSR{
		Vertices:  vertices,
		Offsets:   make([]int32, len(vertices)+1),
		Neighbors: padded(len(c.Neighbors)),
		EdgeIDs:   padded(len(c.EdgeIDs)),
		numCols:   c.numCols, numTypes: c.numTypes, maxDegree: c.maxDegree,
	}
	if c.Types != nil {
		out.Types = padded(len(c.Types))
	}
	at := int32(0)
	for i, v := range vertices {
		lo, hi := c.Offsets[v], c.Offsets[v+1]
		copy(out.Neighbors[at:], c.Neighbors[lo:hi])
		copy(out.EdgeIDs[at:], c.EdgeIDs[lo:hi])
		if c.Types != nil {
			copy(out.Types[at:], c.Types[lo:hi])
		}
		at += hi - lo
		out.Offsets[i+1] = at
	}
	return out
}
