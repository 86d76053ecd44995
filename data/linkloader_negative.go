// False links, made from true ones.

package data

import (
	"cmp"
	"sort"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// Corruption says which end of a true link another vertex replaces. It is drawn
// evenly from all vertices, or from those of the same type if vertices have types.
type Corruption uint8

const (
	CorruptEither Corruption = iota // the source or the destination, by a coin (Bordes et al. 2013)
	CorruptSrc
	CorruptDst
	CorruptBoth // both: pairs drawn from all pairs
)

// corrupter makes false links.
type corrupter struct {
	kind  Corruption
	graph *graph.Graph
	avoid *edgeSet // nil: anything goes
	drawn *drawnLinks
}

// drawnLinks are false links that may not come again, nor loops; nil for those of
// which each is drawn by itself.
type drawnLinks struct {
	undirected bool // a link and its reverse are one
	links      map[link]struct{}
}

// refuses tells whether a link must not be drawn.
func (c *corrupter) refuses(x link) bool {
	if c.avoid.has(x) {
		return true
	}
	if c.drawn == nil {
		return false
	}
	_, drawn := c.drawn.links[c.drawn.oriented(x)]
	return drawn || x.src == x.dst
}

// add adds a link and returns it as it is to be known.
func (d *drawnLinks) add(x link) link {
	x = d.oriented(x)
	d.links[x] = struct{}{}
	return x
}

func (d *drawnLinks) oriented(x link) link {
	if d.undirected && x.src > x.dst {
		x.src, x.dst = x.dst, x.src
	}
	return x
}

// tries is how often a false link is drawn before one is searched for: with half
// of all pairs avoided, a search is needed for one link in 2^tries.
const tries = 16

// of returns a false link in place of x; false if there is none.
func (c *corrupter) of(x link, stream uint64) (link, bool) {
	src, dst := c.kind == CorruptSrc || c.kind == CorruptBoth, c.kind == CorruptDst || c.kind == CorruptBoth
	if c.kind == CorruptEither {
		src = rng.Hash(stream, 0)>>63 == 0
		dst = !src
	}
	for i := range uint64(tries) {
		y := x
		if src {
			y.src = c.like(x.src, rng.Hash(stream, 1+2*i))
		}
		if dst {
			y.dst = c.like(x.dst, rng.Hash(stream, 2+2*i))
		}
		if !c.refuses(y) {
			return y, true
		}
	}
	start := rng.Hash(stream, 1+2*tries)
	if c.kind == CorruptBoth {
		return c.searchBoth(x, start)
	}
	y, ok := c.search(x, src, start)
	if !ok && c.kind == CorruptEither {
		y, ok = c.search(x, dst, start)
	}
	return y, ok
}

// alike returns the vertices that v may be replaced by; nil for all.
func (c *corrupter) alike(v int32) (vertices []int32, n int) {
	types := c.graph.VertexTypes()
	if types == nil {
		return nil, c.graph.NumVertices()
	}
	vertices = c.graph.DstByType().OfType(int(types[v]))
	return vertices, len(vertices)
}

// like returns a vertex in place of v.
func (c *corrupter) like(v int32, random uint64) int32 {
	vertices, n := c.alike(v)
	at := below(random, uint64(n))
	if vertices == nil {
		return int32(at)
	}
	return vertices[at]
}

// search tries all vertices in place of the source, or else the destination, from
// a random one on.
func (c *corrupter) search(x link, src bool, random uint64) (link, bool) {
	end := &x.dst
	if src {
		end = &x.src
	}
	vertices, n := c.alike(*end)
	start := below(random, uint64(n))
	for i := range uint64(n) {
		*end = int32((start + i) % uint64(n))
		if vertices != nil {
			*end = vertices[*end]
		}
		if !c.refuses(x) {
			return x, true
		}
	}
	return x, false
}

// searchBoth tries all pairs. It takes long only if nearly all are edges.
func (c *corrupter) searchBoth(x link, random uint64) (link, bool) {
	vertices, n := c.alike(x.src)
	start := below(random, uint64(n))
	for i := range uint64(n) {
		x.src = int32((start + i) % uint64(n))
		if vertices != nil {
			x.src = vertices[x.src]
		}
		if y, ok := c.search(x, false, rng.Hash(random, i)); ok {
			return y, true
		}
	}
	return x, false
}

// edgeSet tells whether a graph has an edge.
type edgeSet struct {
	offsets []int32 // of each source
	dst     []int32 // of its edges, in order of (destination, type)
	types   []int32 // nil if types make no difference
}

// newEdgeSet reads the edges in order of (destination, type) and appends each to
// its source's: one counting sort. O(V + E).
func newEdgeSet(g *graph.Graph, typed bool) *edgeSet {
	in := g.In()
	s := &edgeSet{offsets: make([]int32, g.NumVertices()+1), dst: make([]int32, g.NumEdges())}
	if typed {
		s.types = make([]int32, g.NumEdges())
	}
	for _, u := range g.Src() {
		s.offsets[u+1]++
	}
	for u := range g.NumVertices() {
		s.offsets[u+1] += s.offsets[u]
	}
	next := append([]int32(nil), s.offsets...)
	for v := range g.NumVertices() {
		for at := in.Offsets[v]; at < in.Offsets[v+1]; at++ {
			u := in.Neighbors[at]
			s.dst[next[u]] = int32(v)
			if typed {
				s.types[next[u]] = in.Types[at]
			}
			next[u]++
		}
	}
	return s
}

// has tells whether a link is an edge; a nil set has none. O(log degree).
func (s *edgeSet) has(x link) bool {
	if s == nil {
		return false
	}
	lo, hi := s.offsets[x.src], s.offsets[x.src+1]
	dst := s.dst[lo:hi]
	_, found := sort.Find(len(dst), func(i int) int {
		if s.types == nil {
			return cmp.Compare(x.dst, dst[i])
		}
		return cmp.Or(cmp.Compare(x.dst, dst[i]), cmp.Compare(x.typ, s.types[int(lo)+i]))
	})
	return found
}
