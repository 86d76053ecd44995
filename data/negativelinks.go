// False links of a whole graph.

package data

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// NegativeConfig says which links [NegativeLinks] draws.
type NegativeConfig struct {
	// Undirected says that a pair of vertices is one link, whichever way it goes: none of
	// those that are drawn has an edge in either direction, and each is there once, from its
	// smaller vertex to its larger. PyG's force_undirected has both directions of each.
	Undirected bool
	Seed       uint64
}

// NegativeLinks draws n links that are no edges of a graph, for a loss over all of it at once,
// as PyG's negative_sampling:
//
//	negatives, err := data.NegativeLinks(g, g.NumEdges(), data.NegativeConfig{Seed: uint64(epoch)})
//
// They are drawn evenly from all pairs of two vertices that no edge of any type joins, all
// differ, and come in random order. A bipartite graph's pairs are of a source and a
// destination, which are the same vertex, and so no pair, only in a relation between vertices of one
// type. The result depends on the graph, n and the configuration alone.
//
// It is an error if there are not n such pairs, where PyG returns fewer, and if a bipartite
// graph is to be undirected. [RandomLinkSplit] gives the parts of a split false links,
// [LinkLoader] mini-batches. O(n log E + E log E) however few such pairs there are.
func NegativeLinks(g *graph.Graph, n int, c NegativeConfig) (Links, error) {
	const op = "NegativeLinks"
	wantGraph(op, g)
	links, err := negativeLinks(g, n, c)
	if err != nil {
		return Links{}, fmt.Errorf("data: %s: %w", op, err)
	}
	return links, nil
}

func negativeLinks(g *graph.Graph, n int, c NegativeConfig) (Links, error) {
	if c.Undirected && g.IsBipartite() {
		return Links{}, errors.New("a bipartite graph has no undirected links")
	}
	pairs := pairNumbers{src: uint64(g.NumSrc()), dst: uint64(g.NumDst()), undirected: c.Undirected}
	t, related := g.Relation()
	pairs.noLoops = !g.IsBipartite() || related && t.Src == t.Dst
	joined := pairs.of(g)
	free := pairs.count() - uint64(len(joined))
	if n < 0 || uint64(n) > free {
		return Links{}, fmt.Errorf("%d links that are no edges; the graph has %d", n, free)
	}
	out := Links{Src: make([]int32, n), Dst: make([]int32, n)}
	key := rng.Fold(c.Seed, streamNegatives)
	// The first n of 0 to free-1 in random order (Fisher and Yates), of which only those that
	// others took the places of are kept.
	moved := make(map[uint64]uint64)
	at := func(i uint64) uint64 {
		if x, ok := moved[i]; ok {
			return x
		}
		return i
	}
	for i := range uint64(n) {
		j := i + below(rng.Hash(key, i), free-i)
		drawn := at(j)
		moved[j] = at(i)
		out.Src[i], out.Dst[i] = pairs.pair(unjoined(joined, drawn))
	}
	return out, nil
}

// unjoined returns number k of those that are not in joined, which ascends.
func unjoined(joined []uint64, k uint64) uint64 {
	lo, hi := 0, len(joined) // how many of joined are below it
	for lo < hi {
		mid := (lo + hi) / 2
		if joined[mid]-uint64(mid) <= k { // so many are free below joined[mid]
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return k + uint64(lo)
}

// pairNumbers numbers the pairs of vertices that may be links.
type pairNumbers struct {
	src, dst            uint64
	undirected, noLoops bool
}

// count is the number of pairs.
func (p pairNumbers) count() uint64 {
	switch {
	case p.src == 0 || p.dst == 0:
		return 0
	case p.undirected:
		return p.src * (p.src - 1) / 2
	case p.noLoops:
		return p.src * (p.dst - 1)
	}
	return p.src * p.dst
}

// of returns the numbers of the pairs that edges join, ascending.
func (p pairNumbers) of(g *graph.Graph) []uint64 {
	out := make([]uint64, 0, g.NumEdges())
	for e, v := range g.Dst() {
		s, d := uint64(g.Src()[e]), uint64(v)
		switch {
		case p.noLoops && s == d:
			continue
		case p.undirected:
			s, d = min(s, d), max(s, d)
			out = append(out, d*(d-1)/2+s)
			continue
		case p.noLoops && d > s:
			d--
		}
		out = append(out, s*p.row()+d)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// row is the number of pairs of a source.
func (p pairNumbers) row() uint64 {
	if p.noLoops {
		return p.dst - 1
	}
	return p.dst
}

// pair returns the pair of a number.
func (p pairNumbers) pair(number uint64) (src, dst int32) {
	if p.undirected {
		d := uint64((1+math.Sqrt(1+8*float64(number)))/2) + 1 // or less, whatever the rounding
		for d*(d-1)/2 > number {
			d--
		}
		return int32(number - d*(d-1)/2), int32(d)
	}
	s, d := number/p.row(), number%p.row()
	if p.noLoops && d >= s {
		d++
	}
	return int32(s), int32(d)
}
