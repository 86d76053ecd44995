// Helpers of the tests: random graphs and the invariants of CSRs.

package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// arc is an edge written out: its ends and type, -1 without types.
type arc struct{ u, v, t int32 }

func arcsOf(g *Graph) []arc {
	out := make([]arc, g.NumEdges())
	for e := range out {
		out[e] = arc{g.Src()[e], g.Dst()[e], -1}
		if g.EdgeTypes() != nil {
			out[e].t = g.EdgeTypes()[e]
		}
	}
	return out
}

func mustNew(t testing.TB, n int, src, dst []int32, opts ...Option) *Graph {
	t.Helper()
	g, err := New(n, src, dst, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randomIDs(r *rand.Rand, n, below int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = r.Int32N(int32(below))
	}
	return out
}

// randomGraphs returns homogeneous graphs with and without types, among them
// the degenerate ones. Few vertices and many edges: duplicates and self-loops
// are common.
func randomGraphs(t testing.TB) map[string]*Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	out := map[string]*Graph{
		"no vertices":  mustNew(t, 0, nil, nil),
		"no edges":     mustNew(t, 5, nil, nil),
		"one vertex":   mustNew(t, 1, []int32{0, 0}, []int32{0, 0}),
		"empty types":  mustNew(t, 3, nil, nil, WithEdgeTypes(nil, 0), WithVertexTypes([]int32{0, 1, 0}, 4)),
		"star":         mustNew(t, 9, []int32{1, 2, 3, 4, 5, 6, 7, 8}, make([]int32, 8)),
		"sparse":       mustNew(t, 1000, randomIDs(r, 40, 1000), randomIDs(r, 40, 1000)),
		"dense":        mustNew(t, 7, randomIDs(r, 200, 7), randomIDs(r, 200, 7)),
		"medium":       mustNew(t, 60, randomIDs(r, 300, 60), randomIDs(r, 300, 60)),
		"typed":        mustNew(t, 7, randomIDs(r, 120, 7), randomIDs(r, 120, 7), WithEdgeTypes(randomIDs(r, 120, 3), 5)),
		"vertex types": mustNew(t, 20, randomIDs(r, 50, 20), randomIDs(r, 50, 20), WithEdgeTypes(randomIDs(r, 50, 2), 2), WithVertexTypes(randomIDs(r, 20, 3), 3)),
	}
	return out
}

// checkPadding fails unless zeros lie behind the ids, within their capacity.
func checkPadding(t testing.TB, name string, ids []int32) {
	t.Helper()
	if cap(ids) < len(ids)+padding {
		t.Fatalf("%s: capacity %d for %d entries", name, cap(ids), len(ids))
	}
	for i, x := range ids[len(ids) : len(ids)+padding] {
		if x != 0 {
			t.Errorf("%s: padding entry %d is %d", name, i, x)
		}
	}
}

// checkCSR fails unless c holds every edge once, in its row, with its id, type
// and other end, in order of (type, id) within the row (types nil: of ids), and
// with the promised padding.
func checkCSR(t testing.TB, c *CSR, numRows, numCols int, rows, cols, types []int32) {
	t.Helper()
	if c.NumRows() != numRows || c.NumCols() != numCols || len(c.Neighbors) != len(rows) || len(c.EdgeIDs) != len(rows) {
		t.Fatalf("CSR is %dx%d with %d neighbours and %d ids; want %dx%d with %d", c.NumRows(), c.NumCols(), len(c.Neighbors), len(c.EdgeIDs), numRows, numCols, len(rows))
	}
	if (c.Types == nil) != (types == nil) || len(c.Types) != len(types) {
		t.Fatalf("CSR has types %v of edges with types %v", c.Types, types)
	}
	typeOf := func(e int32) int32 {
		if types == nil {
			return 0
		}
		return types[e]
	}
	seen := make([]bool, len(rows))
	maxDegree := 0
	for r := range numRows {
		neighbors, ids := c.Row(r)
		if len(ids) != c.Degree(r) || int(c.Degrees()[r]) != len(ids) {
			t.Fatalf("row %d: %d edges, Degree %d, Degrees %d", r, len(ids), c.Degree(r), c.Degrees()[r])
		}
		maxDegree = max(maxDegree, len(ids))
		for i, e := range ids {
			if i > 0 && (typeOf(ids[i-1]) > typeOf(e) || typeOf(ids[i-1]) == typeOf(e) && ids[i-1] >= e) {
				t.Fatalf("row %d: edges %v are not in order of type and id; types of edges %v", r, ids, types)
			}
			if types != nil && c.Types[int(c.Offsets[r])+i] != types[e] {
				t.Fatalf("row %d: entry %d, edge %d, has type %d, want %d", r, i, e, c.Types[int(c.Offsets[r])+i], types[e])
			}
			if seen[e] || rows[e] != int32(r) || cols[e] != neighbors[i] {
				t.Fatalf("row %d: entry %d is edge %d with neighbour %d; the edge is (%d, %d), seen before: %v", r, i, e, neighbors[i], rows[e], cols[e], seen[e])
			}
			seen[e] = true
		}
	}
	if slices.Contains(seen, false) {
		t.Fatalf("edge %d is in no row", slices.Index(seen, false))
	}
	if c.MaxDegree() != maxDegree {
		t.Errorf("MaxDegree %d, want %d", c.MaxDegree(), maxDegree)
	}
	checkPadding(t, "Neighbors", c.Neighbors)
	checkPadding(t, "EdgeIDs", c.EdgeIDs)
	if types != nil {
		checkPadding(t, "Types", c.Types)
	}

	want := iota32(numRows)
	slices.SortStableFunc(want, func(a, b int32) int { return c.Degree(int(b)) - c.Degree(int(a)) })
	if !slices.Equal(c.DegreeOrder(), want) {
		t.Errorf("DegreeOrder %v, want %v", c.DegreeOrder(), want)
	}
}

// checkOrder fails unless o lists n ids by type as a comparison sort does, or,
// without types, as one type.
func checkOrder(t testing.TB, what string, o *TypeOrder, types []int32, numTypes, n int) {
	t.Helper()
	if types == nil {
		types, numTypes = make([]int32, n), 1
	}
	want := iota32(n)
	slices.SortFunc(want, func(a, b int32) int {
		if types[a] != types[b] {
			return int(types[a]) - int(types[b])
		}
		return int(a) - int(b)
	})
	if !slices.Equal(o.Order, want) {
		t.Fatalf("%s by type %v, want %v; types %v", what, o.Order, want, types)
	}
	if o.IsIdentity() != slices.Equal(want, iota32(n)) {
		t.Errorf("%s: identity %v of order %v", what, o.IsIdentity(), want)
	}
	checkPadding(t, what+" by type", o.Order)
	if o.NumTypes() != numTypes || len(o.Offsets) != numTypes+1 {
		t.Fatalf("%s: %d types and offsets %v, want %d types", what, o.NumTypes(), o.Offsets, numTypes)
	}
	for k := range numTypes {
		var of []int32
		for i, x := range types {
			if int(x) == k {
				of = append(of, int32(i))
			}
		}
		if !slices.Equal(o.OfType(k), of) {
			t.Errorf("%s of type %d: %v, want %v", what, k, o.OfType(k), of)
		}
	}
}

// checkGraph checks all that is derived from a graph.
func checkGraph(t testing.TB, g *Graph) {
	t.Helper()
	checkCSR(t, g.In(), g.NumDst(), g.NumSrc(), g.Dst(), g.Src(), g.EdgeTypes())
	checkCSR(t, g.Out(), g.NumSrc(), g.NumDst(), g.Src(), g.Dst(), g.EdgeTypes())
	checkOrder(t, "edges", g.EdgesByType(), g.EdgeTypes(), g.NumEdgeTypes(), g.NumEdges())
	checkOrder(t, "sources", g.SrcByType(), g.SrcTypes(), g.NumSrcTypes(), g.NumSrc())
	checkOrder(t, "destinations", g.DstByType(), g.DstTypes(), g.NumDstTypes(), g.NumDst())
	if same := g.SrcByType() == g.DstByType(); same == g.IsBipartite() {
		t.Errorf("%v: one order by type for both ends of edges: %v", g, same)
	}
}

// sameGraph fails unless the two have the same edges, in order, and types.
func sameGraph(t testing.TB, got, want *Graph) {
	t.Helper()
	if got.NumSrc() != want.NumSrc() || got.NumDst() != want.NumDst() || got.IsBipartite() != want.IsBipartite() {
		t.Fatalf("got %v, want %v", got, want)
	}
	if !slices.Equal(arcsOf(got), arcsOf(want)) {
		t.Fatalf("edges %v, want %v", arcsOf(got), arcsOf(want))
	}
	if got.NumEdgeTypes() != want.NumEdgeTypes() || got.NumSrcTypes() != want.NumSrcTypes() || got.NumDstTypes() != want.NumDstTypes() {
		t.Fatal("numbers of types differ")
	}
	if (got.SrcTypes() == nil) != (want.SrcTypes() == nil) || !slices.Equal(got.SrcTypes(), want.SrcTypes()) || !slices.Equal(got.DstTypes(), want.DstTypes()) {
		t.Fatalf("vertex types %v %v, want %v %v", got.SrcTypes(), got.DstTypes(), want.SrcTypes(), want.DstTypes())
	}
}
