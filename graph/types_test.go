// Tests of what edge and vertex types order. checkGraph and checkOrder hold the
// properties against naive sorts; the graphs are here.

package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// randomTypedGraphs returns graphs with types of every kind: of few and many
// vertices, edges and types (among them empty ones), homogeneous and bipartite.
func randomTypedGraphs(t testing.TB) map[string]*Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	out := map[string]*Graph{}
	for _, n := range []int{0, 1, 2, 9, 50} {
		for _, e := range []int{0, 1, 40, 300} {
			if n == 0 && e > 0 {
				continue
			}
			for _, types := range []int{1, 2, 5, 400} {
				g, err := NewBipartite(n, n+3, randomIDs(r, e, max(n, 1)), randomIDs(r, e, n+3), WithEdgeTypes(randomIDs(r, e, types), types),
					WithSrcTypes(randomIDs(r, n, types), types), WithDstTypes(randomIDs(r, n+3, 2), 4))
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%d vertices, %d edges, %d types", n, e, types)
				out["bipartite: "+name] = g
				out["homogeneous: "+name] = mustNew(t, n, randomIDs(r, e, max(n, 1)), randomIDs(r, e, max(n, 1)),
					WithEdgeTypes(randomIDs(r, e, types), types), WithVertexTypes(randomIDs(r, n, 3), 5))
			}
		}
	}
	g, err := NewBipartite(4, 4, randomIDs(r, 20, 4), randomIDs(r, 20, 4), WithDstTypes([]int32{1, 0, 1, 0}, 2))
	if err != nil {
		t.Fatal(err)
	}
	out["bipartite: only destinations have types"] = g
	return out
}

func TestRowsAndOrdersFollowTypes(t *testing.T) {
	for name, g := range randomTypedGraphs(t) {
		t.Run(name, func(t *testing.T) { checkGraph(t, g) })
	}
}

func TestRowsOfAKnownTypedGraph(t *testing.T) {
	g := mustNew(t, 3, []int32{2, 0, 1, 0, 2, 2}, []int32{1, 1, 1, 1, 0, 1}, WithEdgeTypes([]int32{3, 0, 3, 1, 1, 0}, 4), WithVertexTypes([]int32{2, 0, 2}, 3))
	checkGraph(t, g)
	in, out := g.In(), g.Out()
	for _, tt := range []struct {
		name      string
		got, want []int32
	}{
		{"ids in", in.EdgeIDs, []int32{4, 1, 5, 3, 0, 2}},
		{"neighbours in", in.Neighbors, []int32{2, 0, 2, 0, 2, 1}},
		{"types in", in.Types, []int32{1, 0, 0, 1, 3, 3}},
		{"ids out", out.EdgeIDs, []int32{1, 3, 2, 5, 4, 0}},
		{"neighbours out", out.Neighbors, []int32{1, 1, 1, 1, 0, 1}},
		{"types out", out.Types, []int32{0, 1, 3, 0, 1, 3}},
		{"edges", g.EdgesByType().Order, []int32{1, 5, 3, 4, 0, 2}},
		{"offsets of edges", g.EdgesByType().Offsets, []int32{0, 2, 4, 4, 6}},
		{"vertices", g.DstByType().Order, []int32{1, 0, 2}},
		{"offsets of vertices", g.DstByType().Offsets, []int32{0, 1, 1, 3}},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

func TestWithoutTypesAllAreOfOneType(t *testing.T) {
	g := mustNew(t, 3, []int32{2, 0}, []int32{1, 1})
	if g.In().Types != nil || g.Out().Types != nil {
		t.Error("rows of a graph without edge types have types")
	}
	for name, o := range map[string]*TypeOrder{"edges": g.EdgesByType(), "vertices": g.SrcByType()} {
		n := int32(len(o.Order))
		if !o.IsIdentity() || o.NumTypes() != 1 || !slices.Equal(o.Offsets, []int32{0, n}) || !slices.Equal(o.OfType(0), iota32(int(n))) {
			t.Errorf("%s: %+v", name, o)
		}
	}
	none := mustNew(t, 0, nil, nil, WithEdgeTypes(nil, 0), WithVertexTypes(nil, 0))
	if o := none.EdgesByType(); o.NumTypes() != 0 || len(o.Order) != 0 || none.In().Types == nil {
		t.Errorf("of no types: %+v, types of rows %v", o, none.In().Types)
	}
}

// TestTypedTransformsKeepTheOrders runs transforms on graphs whose lazy parts
// were built before and on graphs whose were not: neither may leak into results.
func TestTypedTransformsKeepTheOrders(t *testing.T) {
	for _, built := range []bool{false, true} {
		for name, g := range randomTypedGraphs(t) {
			t.Run(fmt.Sprintf("%s, built: %v", name, built), func(t *testing.T) {
				if built {
					checkGraph(t, g)
				}
				simple, _ := g.Simplify()
				checkGraph(t, simple)
				if simple.DstByType() != g.DstByType() || simple.SrcByType() != g.SrcByType() {
					t.Error("the order of the same vertices is built again")
				}
				r, _ := g.Reverse()
				checkGraph(t, r)
				if r.In() != g.Out() || r.DstByType() != g.SrcByType() || r.SrcByType() != g.DstByType() || r.EdgesByType() != g.EdgesByType() {
					t.Error("the reversed graph shares nothing")
				}
				if g.IsBipartite() {
					return
				}
				looped, _ := g.AddSelfLoops()
				checkGraph(t, looped)
				plain, _ := g.RemoveSelfLoops()
				checkGraph(t, plain)
				sym, _ := g.Symmetrize()
				checkGraph(t, sym)
				var half []int32
				for v := g.NumVertices() - 1; v >= 0; v -= 2 {
					half = append(half, int32(v))
				}
				part, _, err := g.Subgraph(half)
				if err != nil {
					t.Fatal(err)
				}
				checkGraph(t, part)
			})
		}
	}
}

// TestRowsOfABatchAreTheRowsOfItsGraphs also splits the batch again.
func TestRowsOfABatchAreTheRowsOfItsGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var gs []*Graph
	for _, size := range [][2]int{{6, 40}, {0, 0}, {3, 0}, {1, 9}, {20, 100}} {
		n, e := size[0], size[1]
		gs = append(gs, mustNew(t, n, randomIDs(r, e, max(n, 1)), randomIDs(r, e, max(n, 1)),
			WithEdgeTypes(randomIDs(r, e, 4), 6), WithVertexTypes(randomIDs(r, n, 2), 3)))
	}
	batch, info, err := Batch(gs...)
	if err != nil {
		t.Fatal(err)
	}
	checkGraph(t, batch)
	back, err := Unbatch(batch, info)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range gs {
		sameGraph(t, back[i], g)
		checkGraph(t, back[i])
		v0, e0 := info.VertexOffsets[i], info.EdgeOffsets[i]
		for v := range g.NumVertices() {
			for name, rows := range map[string][3]*CSR{"in": {batch.In(), g.In(), back[i].In()}, "out": {batch.Out(), g.Out(), back[i].Out()}} {
				neighbors, ids := rows[0].Row(int(v0) + v)
				wantNeighbors, wantIDs := rows[1].Row(v)
				backNeighbors, backIDs := rows[2].Row(v)
				if !slices.Equal(backNeighbors, wantNeighbors) || !slices.Equal(backIDs, wantIDs) {
					t.Fatalf("graph %d, row %d %s: edges %v after the round trip, want %v", i, v, name, backIDs, wantIDs)
				}
				for k := range wantIDs {
					if ids[k]-e0 != wantIDs[k] || neighbors[k]-v0 != wantNeighbors[k] {
						t.Fatalf("graph %d, row %d %s: edges %v of the batch, want %v from %d on", i, v, name, ids, wantIDs, e0)
					}
				}
			}
		}
	}
}

func TestOrdersByTypeAreBuiltOnceUnderConcurrency(t *testing.T) {
	g := randomTypedGraphs(t)["bipartite: 50 vertices, 300 edges, 5 types"]
	type parts struct {
		in, out          *CSR
		edges, src, dest *TypeOrder
	}
	got := make([]parts, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			if i%2 == 0 { // both ways round
				got[i].edges, got[i].src, got[i].dest = g.EdgesByType(), g.SrcByType(), g.DstByType()
			}
			r, _ := g.Reverse()
			got[i] = parts{g.In(), r.In(), r.EdgesByType(), r.DstByType(), r.SrcByType()}
		})
	}
	wg.Wait()
	for i, p := range got {
		if p != got[0] || p.edges == nil {
			t.Errorf("goroutine %d saw other parts than goroutine 0", i)
		}
	}
	checkGraph(t, g)
}
