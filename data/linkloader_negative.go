// False links, made from true ones.

package data

import (
	"cmp"
	"iter"
	"sort"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// Corruption says which end of a true link another vertex replaces. It is drawn
// evenly from all others, or from those of the same type if vertices have types,
// that make no link to avoid.
type Corruption uint8

const (
	CorruptEither Corruption = iota // the source or the destination, by a coin (Bordes et al. 2013)
	CorruptSrc
	CorruptDst
	CorruptBoth // both: pairs drawn evenly from all such pairs but the link itself
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
	orientation // of the links, and of those to avoid
	links       map[link]struct{}
}

// refuses tells whether a link must not be drawn in place of a true one, x. That is
// not drawn itself, also where nothing is to be avoided: it would be there as true and as
// false.
func (c *corrupter) refuses(y, x link) bool {
	if c.drawn == nil {
		return y == x || c.avoid.has(y)
	}
	y = c.drawn.oriented(y)
	_, drawn := c.drawn.links[y]
	return drawn || y == x || y.src == y.dst || c.avoid.has(y)
}

// add adds a link and returns it as it is to be known.
func (d *drawnLinks) add(x link) link {
	x = d.oriented(x)
	d.links[x] = struct{}{}
	return x
}

// tries is how often a false link is drawn before those that there are get counted:
// with half of all pairs avoided, that is needed for one link in 2^tries. Where both
// ends are drawn, which makes n^2 pairs to count, there are triesPerVertex*n more:
// with one pair in n left, counting is needed for one link in e^triesPerVertex.
const (
	tries          = 16
	triesPerVertex = 8
)

// of returns a false link in place of x; false if there is none.
func (c *corrupter) of(x link, stream uint64) (link, bool) {
	src, dst := c.kind == CorruptSrc || c.kind == CorruptBoth, c.kind == CorruptDst || c.kind == CorruptBoth
	if c.kind == CorruptEither {
		src = rng.Hash(stream, 0)>>63 == 0
		dst = !src
	}
	draws := uint64(tries)
	if src && dst {
		_, sources := c.alike(x.src)
		_, destinations := c.alike(x.dst)
		draws += triesPerVertex * uint64(min(sources, destinations))
	}
	for i := range draws {
		y := x
		if src {
			y.src = c.like(x.src, rng.Hash(stream, 1+2*i))
		}
		if dst {
			y.dst = c.like(x.dst, rng.Hash(stream, 2+2*i))
		}
		if !c.refuses(y, x) {
			return y, true
		}
	}
	random := rng.Hash(stream, 1+2*draws) // no draw's
	if c.kind == CorruptBoth {
		return c.searchBoth(x, random)
	}
	y, ok := c.search(x, src, random)
	if !ok && c.kind == CorruptEither {
		y, ok = c.search(x, dst, random)
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

// free yields the links like y, with any source or else any destination, that are not
// refused in place of x.
func (c *corrupter) free(y link, src bool, x link) iter.Seq[link] {
	return func(yield func(link) bool) {
		y := y
		end := &y.dst
		if src {
			end = &y.src
		}
		vertices, n := c.alike(*end)
		for i := range n {
			*end = int32(i)
			if vertices != nil {
				*end = vertices[i]
			}
			if !c.refuses(y, x) && !yield(y) {
				return
			}
		}
	}
}

// search draws one of the links with another source, or else another destination,
// evenly: it counts them first.
func (c *corrupter) search(x link, src bool, random uint64) (link, bool) {
	free := c.free(x, src, x)
	n := length(free)
	if n == 0 {
		return x, false
	}
	return nth(free, below(random, n)), true
}

// searchBoth draws one of all pairs evenly. O(V^2 log degree), after so many tries that
// hardly any is left.
func (c *corrupter) searchBoth(x link, random uint64) (link, bool) {
	vertices, n := c.alike(x.src)
	of := func(i int) iter.Seq[link] { // the pairs of a source
		y := link{int32(i), x.dst, x.typ}
		if vertices != nil {
			y.src = vertices[i]
		}
		return c.free(y, false, x)
	}
	counts := make([]uint64, n)
	total := uint64(0)
	for i := range counts {
		counts[i] = length(of(i))
		total += counts[i]
	}
	if total == 0 {
		return x, false
	}
	k := below(random, total)
	for i, count := range counts {
		if k < count {
			return nth(of(i), k), true
		}
		k -= count
	}
	panic("BUG: data: a pair that was counted is not there")
}

func length(links iter.Seq[link]) (n uint64) {
	for range links {
		n++
	}
	return n
}

// nth returns link n, which must be there.
func nth(links iter.Seq[link], n uint64) link {
	for x := range links {
		if n == 0 {
			return x
		}
		n--
	}
	panic("BUG: data: a link that was counted is not there")
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
