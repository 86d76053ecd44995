package irtest

// Graphs: the degenerate ones by name, and random ones.

import (
	"fmt"
	"math/rand/v2"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Graph is a structure with a name for messages.
type Graph struct {
	Name string
	ir.Structure
}

func graph(name string, numSrc, numDst int, arcs ...[2]int32) Graph {
	g := Graph{Name: name, Structure: ir.Structure{NumSrc: numSrc, NumDst: numDst}}
	for _, a := range arcs {
		g.Src, g.Dst = append(g.Src, a[0]), append(g.Dst, a[1])
	}
	return g
}

// Graphs are the shapes on which executors go wrong.
func Graphs(bipartite bool) []Graph {
	if bipartite {
		return []Graph{
			graph("no vertices", 0, 0),
			graph("no sources", 0, 3),
			graph("no destinations", 2, 0),
			graph("no edges", 2, 3),
			graph("one edge", 1, 1, [2]int32{0, 0}),
			graph("duplicate edges", 2, 2, [2]int32{1, 0}, [2]int32{1, 0}, [2]int32{0, 0}, [2]int32{1, 0}),
			graph("isolated on both sides", 4, 3, [2]int32{2, 1}, [2]int32{0, 1}),
			graph("more sources", 7, 2, [2]int32{6, 1}, [2]int32{0, 0}, [2]int32{3, 1}, [2]int32{5, 1}, [2]int32{3, 0}),
			graph("more destinations", 2, 7, [2]int32{1, 6}, [2]int32{0, 0}, [2]int32{1, 3}, [2]int32{1, 5}, [2]int32{0, 3}),
			hub("hub destination", true, false),
			hub("hub source", true, true),
		}
	}
	return []Graph{
		graph("no vertices", 0, 0),
		graph("one vertex", 1, 1),
		graph("no edges", 4, 4),
		graph("one self-loop", 1, 1, [2]int32{0, 0}),
		graph("self-loops", 3, 3, [2]int32{2, 2}, [2]int32{0, 0}, [2]int32{1, 1}, [2]int32{0, 0}, [2]int32{0, 2}),
		graph("duplicate edges", 3, 3, [2]int32{1, 0}, [2]int32{2, 0}, [2]int32{1, 0}, [2]int32{1, 0}, [2]int32{0, 2}),
		graph("no in-edges at 0, no out-edges at 2", 3, 3, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{0, 2}),
		graph("isolated vertices", 6, 6, [2]int32{4, 1}, [2]int32{1, 4}, [2]int32{4, 4}),
		graph("unsorted", 4, 4, [2]int32{3, 0}, [2]int32{0, 3}, [2]int32{2, 0}, [2]int32{1, 3}, [2]int32{3, 1}, [2]int32{0, 1}, [2]int32{2, 3}),
		hub("star into its hub", false, false),
		hub("star out of its hub", false, true),
	}
}

// hub is a vertex with as many edges as there are others.
func hub(name string, bipartite, out bool) Graph {
	const leaves = 19
	g := graph(name, leaves+1, leaves+1)
	for i := range int32(leaves) {
		g.Src, g.Dst = append(g.Src, i+1), append(g.Dst, 0)
	}
	if bipartite {
		g.NumDst = 2
	}
	if out {
		g.NumSrc, g.NumDst, g.Src, g.Dst = g.NumDst, g.NumSrc, g.Dst, g.Src
	}
	return g
}

// WithTypes gives a graph's vertices and edges random types, one to four kinds
// of each, some of which may have no members.
func WithTypes(r *rand.Rand, bipartite bool, g Graph) Graph {
	draw := func(n, types int) []int32 {
		out := make([]int32, n)
		for i := range out {
			out[i] = int32(r.IntN(types))
		}
		return out
	}
	g.Types = ir.Types{Src: 1 + r.IntN(4), Edge: 1 + r.IntN(4)}
	g.Types.Dst = g.Types.Src
	g.SrcTypes = draw(g.NumSrc, g.Types.Src)
	g.DstTypes = g.SrcTypes
	if bipartite {
		g.Types.Dst = 1 + r.IntN(4)
		g.DstTypes = draw(g.NumDst, g.Types.Dst)
	}
	g.EdgeTypes = draw(len(g.Src), g.Types.Edge)
	g.Name += ", typed"
	return g
}

// RandomGraph draws arcs with replacement: self-loops, duplicates and vertices
// without edges come by themselves. A bipartite graph has n sources and about
// as many destinations.
func RandomGraph(r *rand.Rand, bipartite bool, n, edges int) Graph {
	g := graph(fmt.Sprintf("random, %d vertices, %d edges", n, edges), n, n)
	if bipartite {
		g.NumDst = 1 + r.IntN(n+2)
	}
	for range edges {
		g.Src = append(g.Src, int32(r.IntN(g.NumSrc)))
		g.Dst = append(g.Dst, int32(r.IntN(g.NumDst)))
	}
	return g
}
