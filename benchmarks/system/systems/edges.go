package systems

// The edges of a graph as they were given, and what normalisation makes of them.

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// edges are a graph as a list.
type edges struct {
	vertices int
	src, dst []int32
	in, out  []int32 // degrees
}

// newEdges copies the edges and checks them.
func newEdges(vertices int, src, dst []int32) (*edges, error) {
	switch {
	case vertices < 0 || vertices > math.MaxInt32:
		return nil, fmt.Errorf("systems: a graph of %d vertices", vertices)
	case len(src) != len(dst) || len(src) > math.MaxInt32:
		return nil, fmt.Errorf("systems: a graph of %d sources and %d destinations", len(src), len(dst))
	}
	g := &edges{
		vertices: vertices, src: slices.Clone(src), dst: slices.Clone(dst),
		in: make([]int32, vertices), out: make([]int32, vertices),
	}
	for e, u := range src {
		v := dst[e]
		if uint32(u) >= uint32(vertices) || uint32(v) >= uint32(vertices) {
			return nil, fmt.Errorf("systems: edge %d runs from %d to %d, of %d vertices", e, u, v, vertices)
		}
		g.out[u]++
		g.in[v]++
	}
	return g, nil
}

// bytes is the memory of the list.
func (g *edges) bytes() int64 { return 4 * int64(len(g.src)+len(g.dst)+len(g.in)+len(g.out)) }

// ends are the vertices that each edge reads and writes under the flags.
func (g *edges) ends(f system.Flags) (from, to []int32) {
	if f.Transpose {
		return g.dst, g.src
	}
	return g.src, g.dst
}

// coefficient is c_e of an edge u→v.
func (g *edges) coefficient(n system.Norm, u, v int32) float64 {
	switch n {
	case system.NormMean:
		return 1 / degree(g.in, v)
	case system.NormLeft:
		return 1 / degree(g.out, u)
	case system.NormBoth:
		return 1 / math.Sqrt(degree(g.in, v)*degree(g.out, u))
	}
	return 1
}

// degree is what divides, 1 at least.
func degree(degrees []int32, v int32) float64 { return float64(max(degrees[v], 1)) }
