package check

// The graphs: each tells some mistakes from the truth.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/internal/rng"
)

// A graph is edges in the order that a system is given them.
type graph struct {
	name     string
	vertices int
	src, dst []int32
	in, out  []int // degrees
}

func newGraph(name string, vertices int, src, dst []int32) *graph {
	g := &graph{name: name, vertices: vertices, src: src, dst: dst}
	g.in, g.out = make([]int, vertices), make([]int, vertices)
	for e := range src {
		g.out[src[e]]++
		g.in[dst[e]]++
	}
	return g
}

// graphs returns all of them, those that tell most first. None is in the order of a
// sparse matrix, by source or by destination.
func graphs(seed uint64) []*graph {
	const hub = 1000
	star := make([][2]int32, 0, hub+10)
	for v := int32(1); v <= hub; v++ {
		star = append(star, [2]int32{v, 0})
	}
	for v := int32(1); v <= 10; v++ {
		star = append(star, [2]int32{0, v * 7})
	}
	shuffle(star, seed)

	directed := [][2]int32{{4, 1}, {0, 5}, {6, 0}, {1, 3}, {2, 0}, {5, 2}, {3, 0}, {0, 4}, {1, 6}, {6, 2}, {2, 5}, {0, 1}, {5, 0}, {4, 5}}
	repeated := append([][2]int32{{3, 0}, {1, 3}, {0, 5}, {3, 0}}, directed...)
	loops := append([][2]int32{{5, 5}, {0, 0}, {3, 3}}, directed...)
	gaps := [][2]int32{{6, 1}, {0, 4}, {2, 1}, {0, 1}, {6, 4}, {2, 7}, {4, 7}, {0, 7}, {7, 1}} // 3 and 5 have no edges
	return []*graph{
		pairs("directed", 7, directed),
		pairs("duplicate edges", 7, repeated),
		pairs("self-loops", 7, loops),
		pairs("vertices without edges", 8, gaps),
		pairs("random", 100, random(100, 500, seed)),
		pairs("one vertex", 1, [][2]int32{{0, 0}}),
		pairs("no edges", 5, nil),
		pairs("no vertices", 0, nil),
		pairs("hub of 1000 edges", hub+1, star),
	}
}

func pairs(name string, vertices int, edges [][2]int32) *graph {
	src, dst := make([]int32, len(edges)), make([]int32, len(edges))
	for e, ends := range edges {
		src[e], dst[e] = ends[0], ends[1]
	}
	return newGraph(name, vertices, src, dst)
}

func shuffle(edges [][2]int32, seed uint64) {
	for i := len(edges) - 1; i > 0; i-- {
		j := rng.Hash(seed, uint64(i)) % uint64(i+1)
		edges[i], edges[j] = edges[j], edges[i]
	}
}

// random is skewed as real graphs are: ends are squares of uniform numbers, the
// destinations' turned around. Edges repeat, and there are self-loops.
func random(vertices, edges int, seed uint64) [][2]int32 {
	list := make([][2]int32, edges)
	for e := range list {
		u, v := rng.Uniform(seed, uint64(2*e)), rng.Uniform(seed, uint64(2*e+1))
		n := float64(vertices)
		list[e] = [2]int32{int32(n * u * u), int32(n * (1 - v*v))}
		list[e][1] = min(list[e][1], int32(vertices-1))
	}
	return list
}

// An order is a way to sort edges, as formats of sparse matrices do.
type order func(g *graph, a, b int32) int

var orders = []order{
	func(g *graph, a, b int32) int { return cmp.Compare(g.dst[a], g.dst[b]) },
	func(g *graph, a, b int32) int { return cmp.Compare(g.src[a], g.src[b]) },
	func(g *graph, a, b int32) int {
		return cmp.Or(cmp.Compare(g.dst[a], g.dst[b]), cmp.Compare(g.src[a], g.src[b]))
	},
	func(g *graph, a, b int32) int {
		return cmp.Or(cmp.Compare(g.src[a], g.src[b]), cmp.Compare(g.dst[a], g.dst[b]))
	},
}

// positions returns where each edge is among the sorted ones.
func (g *graph) positions(o order) []int32 {
	sorted := make([]int32, len(g.src))
	for e := range sorted {
		sorted[e] = int32(e)
	}
	slices.SortStableFunc(sorted, func(a, b int32) int { return o(g, a, b) })
	at := make([]int32, len(sorted))
	for k, e := range sorted {
		at[e] = int32(k)
	}
	return at
}

// once returns the graph without repeated edges, and for each edge kept its number in
// g: that of the first of its like, or of the last.
func (g *graph) once(last bool) (*graph, []int32) {
	kept := make(map[[2]int32]int32)
	for e := range g.src {
		ends := [2]int32{g.src[e], g.dst[e]}
		if _, again := kept[ends]; !again || last {
			kept[ends] = int32(e)
		}
	}
	ids := make([]int32, 0, len(kept))
	for _, e := range kept {
		ids = append(ids, e)
	}
	slices.Sort(ids)
	src, dst := make([]int32, len(ids)), make([]int32, len(ids))
	for i, e := range ids {
		src[i], dst[i] = g.src[e], g.dst[e]
	}
	return newGraph(g.name, g.vertices, src, dst), ids
}

// scrambled are the edges that the slices of NewGraph are overwritten with when it has
// returned: valid ones, and others.
func (g *graph) scrambled() *graph {
	src, dst := make([]int32, len(g.src)), make([]int32, len(g.src))
	for e := range src {
		back := len(src) - 1 - e
		src[e] = int32(g.vertices-1) - g.dst[back]
		dst[e] = g.src[e]
	}
	return newGraph(g.name, g.vertices, src, dst)
}
