// Tests of transforms: tables, and properties against naive definitions.

package graph

import (
	"math"
	"slices"
	"testing"
)

// checkEdgeMap fails unless every edge that has an old one is that edge (or,
// where allowed, its reverse) and every other is a self-loop.
func checkEdgeMap(t *testing.T, old, g *Graph, edges []int32, reversed bool) {
	t.Helper()
	if len(edges) != g.NumEdges() {
		t.Fatalf("edge map has %d entries for %d edges", len(edges), g.NumEdges())
	}
	was, is := arcsOf(old), arcsOf(g)
	for e, o := range edges {
		switch {
		case o == -1:
			if is[e].u != is[e].v {
				t.Errorf("edge %d %v comes from nowhere and is no self-loop", e, is[e])
			}
		case is[e] == was[o], reversed && is[e] == arc{was[o].v, was[o].u, was[o].t}:
		default:
			t.Errorf("edge %d %v is said to be edge %d %v", e, is[e], o, was[o])
		}
	}
}

func TestAddSelfLoopsAddsOneToEveryVertex(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			out, edges := g.AddSelfLoops()
			checkGraph(t, out)
			checkEdgeMap(t, g, out, edges, false)
			want := arcsOf(g)
			for v := range g.NumVertices() {
				a := arc{int32(v), int32(v), -1}
				if g.EdgeTypes() != nil {
					a.t = int32(g.NumEdgeTypes())
				}
				want = append(want, a)
			}
			if !slices.Equal(arcsOf(out), want) {
				t.Errorf("got %v, want %v", arcsOf(out), want)
			}
			if g.EdgeTypes() != nil && out.NumEdgeTypes() != g.NumEdgeTypes()+1 {
				t.Errorf("%d edge types, want one more than %d", out.NumEdgeTypes(), g.NumEdgeTypes())
			}
			for e, o := range edges {
				if (o == -1) != (e >= g.NumEdges()) {
					t.Errorf("edge %d of %d old ones maps to %d", e, g.NumEdges(), o)
				}
			}
		})
	}
}

func TestRemoveSelfLoopsKeepsTheOthersInOrder(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			out, edges := g.RemoveSelfLoops()
			checkGraph(t, out)
			checkEdgeMap(t, g, out, edges, false)
			want := slices.DeleteFunc(arcsOf(g), func(a arc) bool { return a.u == a.v })
			if !slices.Equal(arcsOf(out), want) {
				t.Errorf("got %v, want %v", arcsOf(out), want)
			}
		})
	}
}

func TestRemoveSelfLoopsUndoesAddSelfLoopsOfALooplessGraph(t *testing.T) {
	for name, g := range randomGraphs(t) {
		plain, _ := g.RemoveSelfLoops()
		looped, _ := plain.AddSelfLoops()
		back, _ := looped.RemoveSelfLoops()
		if !slices.Equal(arcsOf(back), arcsOf(plain)) {
			t.Errorf("%s: %v, want %v", name, arcsOf(back), arcsOf(plain))
		}
	}
}

func TestSimplifyKeepsTheFirstOfDuplicates(t *testing.T) {
	g := mustNew(t, 3, []int32{2, 0, 2, 0, 1, 2}, []int32{1, 0, 1, 0, 2, 1})
	out, edges := g.Simplify()
	if !slices.Equal(edges, []int32{0, 1, 4}) {
		t.Errorf("kept edges %v, want [0 1 4]", edges)
	}
	sameGraph(t, out, mustNew(t, 3, []int32{2, 0, 1}, []int32{1, 0, 2}))

	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			out, edges := g.Simplify()
			checkGraph(t, out)
			var want []int32
			seen := map[arc]bool{}
			for e, a := range arcsOf(g) {
				if !seen[a] {
					seen[a] = true
					want = append(want, int32(e))
				}
			}
			if !slices.Equal(edges, want) {
				t.Errorf("kept %v, want %v", edges, want)
			}
			checkEdgeMap(t, g, out, edges, false)
			again, _ := out.Simplify()
			sameGraph(t, again, out)
		})
	}
	bipartite, err := NewBipartite(2, 9, []int32{1, 1, 0}, []int32{8, 8, 8})
	if err != nil {
		t.Fatal(err)
	}
	if _, edges := bipartite.Simplify(); !slices.Equal(edges, []int32{0, 2}) {
		t.Errorf("bipartite: kept %v, want [0 2]", edges)
	}
}

func TestSymmetrizeAddsMissingReversesOnceAndIsIdempotent(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			out, edges := g.Symmetrize()
			checkGraph(t, out)
			checkEdgeMap(t, g, out, edges, true)
			want := arcsOf(g)
			have := map[arc]bool{}
			for _, a := range want {
				have[a] = true
			}
			for _, a := range arcsOf(g) {
				if r := (arc{a.v, a.u, a.t}); !have[r] {
					have[r] = true
					want = append(want, r)
				}
			}
			if !slices.Equal(arcsOf(out), want) {
				t.Errorf("got %v, want %v", arcsOf(out), want)
			}
			again, _ := out.Symmetrize()
			sameGraph(t, again, out)
		})
	}
}

func TestReverseTurnsEveryEdgeAndSharesItsCSRs(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			r, edges := g.Reverse()
			checkGraph(t, r)
			if !slices.Equal(edges, iota32(g.NumEdges())) {
				t.Errorf("edge map %v is not the identity", edges)
			}
			if r.In() != g.Out() || r.Out() != g.In() {
				t.Error("CSRs are built again")
			}
			back, _ := r.Reverse()
			sameGraph(t, back, g)
		})
	}
	g, err := NewBipartite(2, 3, []int32{0}, []int32{2}, WithSrcTypes([]int32{0, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := g.Reverse()
	checkGraph(t, r)
	if r.NumSrc() != 3 || r.NumDst() != 2 || r.SrcTypes() != nil || r.NumDstTypes() != 2 {
		t.Errorf("sides are not swapped: %v", r)
	}
}

func TestSubgraphIsInduced(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			var vertices []int32
			for v := g.NumVertices() - 1; v >= 0; v -= 2 { // a permuted half
				vertices = append(vertices, int32(v))
			}
			out, edges, err := g.Subgraph(vertices)
			if err != nil {
				t.Fatal(err)
			}
			checkGraph(t, out)
			if out.NumVertices() != len(vertices) {
				t.Fatalf("%d vertices, want %d", out.NumVertices(), len(vertices))
			}
			var want []int32
			for e, a := range arcsOf(g) {
				if slices.Contains(vertices, a.u) && slices.Contains(vertices, a.v) {
					want = append(want, int32(e))
				}
			}
			if !slices.Equal(edges, want) {
				t.Fatalf("edges %v, want %v", edges, want)
			}
			for e, a := range arcsOf(out) {
				if old := arcsOf(g)[edges[e]]; vertices[a.u] != old.u || vertices[a.v] != old.v || a.t != old.t {
					t.Errorf("edge %d is %v, was %v", e, a, old)
				}
			}
			if g.VertexTypes() != nil {
				for i, v := range vertices {
					if out.VertexTypes()[i] != g.VertexTypes()[v] {
						t.Errorf("vertex %d has type %d, was %d", i, out.VertexTypes()[i], g.VertexTypes()[v])
					}
				}
			}
			all, _, err := g.Subgraph(iota32(g.NumVertices()))
			if err != nil {
				t.Fatal(err)
			}
			sameGraph(t, all, g)
		})
	}
}

// graphsOfBothKinds are random graphs, and a bipartite one with types.
func graphsOfBothKinds(t *testing.T) map[string]*Graph {
	t.Helper()
	graphs := randomGraphs(t)
	bipartite, err := NewBipartite(3, 2, []int32{2, 0, 1}, []int32{1, 1, 0}, WithEdgeTypes([]int32{1, 0, 1}, 2), WithDstTypes([]int32{0, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	graphs["bipartite"] = bipartite
	return graphs
}

func TestSortedEdgesStandInTheOrderOfIn(t *testing.T) {
	for name, g := range graphsOfBothKinds(t) {
		out, edges := g.SortEdges()
		checkGraph(t, out)
		if !out.In().IDsInOrder() || g.In().IDsInOrder() != slices.Equal(edges, iota32(len(edges))) {
			t.Errorf("%s: edges stand in order: %v, as they did before: %v", name, out.In().IDsInOrder(), g.In().IDsInOrder())
		}
		if !slices.Equal(edges, g.In().EdgeIDs) || !slices.Equal(out.In().Neighbors, g.In().Neighbors) || !slices.Equal(out.In().Types, g.In().Types) {
			t.Errorf("%s: the rows are others", name)
		}
		for e, a := range arcsOf(out) {
			if old := arcsOf(g)[edges[e]]; a != old {
				t.Errorf("%s: edge %d is %v, was %v", name, e, a, old)
			}
		}
		if again, same := out.SortEdges(); !slices.Equal(same, iota32(len(edges))) || !slices.Equal(again.Src(), out.Src()) {
			t.Errorf("%s: sorted twice", name)
		}
	}
}

func TestEdgeSubgraphHasTheGivenEdges(t *testing.T) {
	for name, g := range graphsOfBothKinds(t) {
		var edges []int32
		for e := g.NumEdges() - 1; e >= 0; e -= 2 {
			edges = append(edges, int32(e))
		}
		out, err := g.EdgeSubgraph(edges)
		if err != nil {
			t.Fatal(err)
		}
		checkGraph(t, out)
		if out.NumSrc() != g.NumSrc() || out.NumDst() != g.NumDst() || out.NumEdges() != len(edges) || !slices.Equal(out.DstTypes(), g.DstTypes()) {
			t.Errorf("%s: %v of %v", name, out, g)
		}
		for e, a := range arcsOf(out) {
			if old := arcsOf(g)[edges[e]]; a != old {
				t.Errorf("%s: edge %d is %v, was %v", name, e, a, old)
			}
		}
		all, err := g.EdgeSubgraph(iota32(g.NumEdges()))
		if err != nil {
			t.Fatal(err)
		}
		sameGraph(t, all, g)
	}
	for want, edges := range map[string][]int32{
		"graph: EdgeSubgraph: entry 1: edge 3 out of range [0, 3)":  {0, 3},
		"graph: EdgeSubgraph: entry 0: edge -1 out of range [0, 3)": {-1},
		"graph: EdgeSubgraph: entries 0 and 2 are the same edge 2":  {2, 0, 2},
	} {
		if _, err := graphsOfBothKinds(t)["bipartite"].EdgeSubgraph(edges); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestSubgraphRejectsBadVertices(t *testing.T) {
	g := mustNew(t, 3, []int32{0}, []int32{1})
	for _, tt := range []struct {
		vertices []int32
		want     string
	}{
		{[]int32{0, 3}, "graph: Subgraph: entry 1: vertex 3 out of range [0, 3)"},
		{[]int32{-1}, "graph: Subgraph: entry 0: vertex -1 out of range [0, 3)"},
		{[]int32{2, 0, 2}, "graph: Subgraph: entries 0 and 2 are the same vertex 2"},
	} {
		if _, _, err := g.Subgraph(tt.vertices); err == nil || err.Error() != tt.want {
			t.Errorf("%v: error %v, want %q", tt.vertices, err, tt.want)
		}
	}
}

func TestSymNormMatchesItsFormula(t *testing.T) {
	// in-degrees 1 3 0 1
	g := mustNew(t, 4, []int32{0, 2, 1, 0, 3}, []int32{1, 1, 1, 0, 3})
	want := []float64{1 / math.Sqrt(3), 0, 1.0 / 3, 1, 1}
	for e, w := range g.SymNorm() {
		if w != float32(want[e]) {
			t.Errorf("edge %d: %v, want %v", e, w, want[e])
		}
	}
	b, err := NewBipartite(1, 2, []int32{0, 0, 0}, []int32{1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for e, want := range []float64{1 / math.Sqrt(6), 1 / math.Sqrt(6), 1 / math.Sqrt(3)} {
		if got := b.SymNorm()[e]; got != float32(want) {
			t.Errorf("bipartite edge %d: %v, want %v", e, got, want)
		}
	}
	if w := mustNew(t, 0, nil, nil).SymNorm(); len(w) != 0 {
		t.Errorf("empty graph has weights %v", w)
	}
}

// TestSymNormHasUnitSpectralRadius checks a property the formula is made for:
// on a symmetric graph sqrt(deg) is an eigenvector with eigenvalue 1.
func TestSymNormHasUnitSpectralRadius(t *testing.T) {
	for name, g := range randomGraphs(t) {
		simple, _ := g.Simplify()
		sym, _ := simple.Symmetrize()
		looped, _ := sym.AddSelfLoops()
		w, degrees := looped.SymNorm(), looped.InDegrees()
		sums := make([]float64, looped.NumVertices())
		for e, u := range looped.Src() {
			sums[looped.Dst()[e]] += float64(w[e]) * math.Sqrt(float64(degrees[u]))
		}
		for v, s := range sums {
			if want := math.Sqrt(float64(degrees[v])); math.Abs(s-want) > 1e-5*want {
				t.Errorf("%s: vertex %d: %v, want %v", name, v, s, want)
			}
		}
	}
}
