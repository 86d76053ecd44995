package systems

// Compressed sparse rows, and work on them shared out among goroutines.

import (
	"sort"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// rowsGraph is a graph by destination and by source.
type rowsGraph struct {
	edges
	g *graph.Graph

	norm map[system.Norm][]float32 // the coefficient of each edge, made when first needed
}

func newRowsGraph(vertices int, src, dst []int32) (*rowsGraph, error) {
	g, err := graph.New(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	e := edges{vertices: vertices, src: g.Src(), dst: g.Dst(), in: g.InDegrees(), out: g.OutDegrees()}
	return &rowsGraph{edges: e, g: g, norm: make(map[system.Norm][]float32)}, nil
}

func (g *rowsGraph) bytes() int64 {
	n := graphBytes(g.g)
	for _, c := range g.norm {
		n += 4 * int64(len(c))
	}
	return n
}

// graphBytes is the memory of a graph in both directions. Neighbours of edges in order are in
// its list of edges.
func graphBytes(g *graph.Graph) int64 {
	n := len(g.Src()) + len(g.Dst())
	for _, c := range []*graph.CSR{g.In(), g.Out()} {
		n += len(c.Offsets) + len(c.EdgeIDs) + len(c.Degrees()) + len(c.DegreeOrder())
		if !c.IDsInOrder() {
			n += len(c.Neighbors)
		}
	}
	return 4 * int64(n)
}

// into is the rows that a call writes.
func (g *rowsGraph) into(f system.Flags) *graph.CSR {
	if f.Transpose {
		return g.g.Out()
	}
	return g.g.In()
}

// coefficients are c_e of each edge, nil if all are 1.
func (g *rowsGraph) coefficients(n system.Norm) []float32 {
	if n == system.NormNone {
		return nil
	}
	if g.norm[n] == nil {
		c := make([]float32, len(g.src))
		for e, u := range g.src {
			c[e] = float32(g.coefficient(n, u, g.dst[e]))
		}
		g.norm[n] = c
	}
	return g.norm[n]
}

// forRows calls f for every row. What is drawn at a time has about as many elements
// whatever the degrees; width is that of an edge.
func forRows(c *graph.CSR, width int, f func(row int)) {
	const (
		elements = 1 << 14 // a piece of work
		perRow   = 8       // edges that a row costs even if it has none
	)
	cost := func(row int) int { return int(c.Offsets[row]) + perRow*row }
	n := c.NumRows()
	cpu.ParallelFor(cost(n), max(1, elements/max(width, 1)), func(lo, hi int) {
		first := sort.Search(n, func(row int) bool { return cost(row) >= lo })
		for row := first; row < n && cost(row) < hi; row++ {
			f(row)
		}
	})
}

// forEdges calls f for ranges that cover the edges.
func forEdges(edges, width int, f func(lo, hi int)) {
	cpu.ParallelFor(edges, max(1, (1<<14)/max(width, 1)), f)
}
