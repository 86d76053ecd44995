package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRowsInAnotherOrderKeepTheirEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, g := range randomGraphs(t) {
		for dir, c := range map[string]*CSR{"in": g.In(), "out": g.Out()} {
			vertices := make([]int32, c.NumRows())
			for i, v := range r.Perm(c.NumRows()) {
				vertices[i] = int32(v)
			}
			o := c.InOrder(vertices)
			if o.NumRows() != c.NumRows() || o.NumCols() != c.NumCols() || o.MaxDegree() != c.MaxDegree() {
				t.Fatalf("%s, %s: %d rows, %d columns, degrees to %d", name, dir, o.NumRows(), o.NumCols(), o.MaxDegree())
			}
			checkPadding(t, name, o.Neighbors)
			checkPadding(t, name, o.EdgeIDs)
			for i, v := range o.Vertices {
				neighbors, ids := o.Row(i)
				wantNeighbors, wantIDs := c.Row(int(v))
				if !slices.Equal(neighbors, wantNeighbors) || !slices.Equal(ids, wantIDs) || o.vertexOf(i) != v {
					t.Errorf("%s, %s: row %d, of vertex %d, has edges %v to %v, not %v to %v", name, dir, i, v, ids, neighbors, wantIDs, wantNeighbors)
				}
				if c.Types == nil {
					continue
				}
				if !slices.Equal(o.Types[o.Offsets[i]:o.Offsets[i+1]], c.Types[c.Offsets[v]:c.Offsets[v+1]]) {
					t.Errorf("%s, %s: row %d has other types than vertex %d", name, dir, i, v)
				}
				for k := range c.numTypes {
					if o.TypeOffsets()[i*c.numTypes+k]-o.Offsets[i] != c.TypeOffsets()[int(v)*c.numTypes+k]-c.Offsets[v] {
						t.Errorf("%s, %s: type %d of row %d begins elsewhere", name, dir, k, i)
					}
				}
			}
		}
	}
}

// communities is a graph of blocks of vertices whose edges stay within, but for few;
// numbered gives each vertex its number.
func communities(t *testing.T, blocks, size, degree int, numbered func(v int32) int32) *Graph {
	r := rand.New(rand.NewPCG(7, 8))
	var src, dst []int32
	for v := range int32(blocks * size) {
		for range degree {
			u := v/int32(size)*int32(size) + r.Int32N(int32(size))
			if r.IntN(20) == 0 {
				u = r.Int32N(int32(blocks * size))
			}
			src, dst = append(src, numbered(u)), append(dst, numbered(v))
		}
	}
	return mustNew(t, blocks*size, src, dst)
}

func TestLocalRowsReadWhatIsNear(t *testing.T) {
	const blocks, size, degree = 20, 400, 12
	random := rand.New(rand.NewPCG(9, 10)).Perm(blocks * size)
	g := communities(t, blocks, size, degree, func(v int32) int32 { return int32(random[v]) })
	in := g.LocalIn()
	if in == nil {
		t.Fatal("no order")
	}
	sorted := slices.Sorted(slices.Values(in.Vertices))
	for i, v := range sorted {
		if int(v) != i {
			t.Fatalf("the order is no permutation: vertex %d in place of %d", v, i)
		}
	}
	// Of a block's edges the first to each vertex is far, and those that leave it.
	if by, local := g.In().farReads(nil), in.farReads(nil); by < 30000 || local > 15000 || g.In().farReads(in.Vertices) != local {
		t.Errorf("%d of %d reads are far in the order of ids, %d in the other", by, g.NumEdges(), local)
	}
	if g.LocalIn() != in || g.LocalOut().NumRows() != g.NumVertices() || &g.LocalOut().Vertices[0] != &in.Vertices[0] {
		t.Error("another order the second time, or of the edges the other way")
	}
	if n := g.Walk(); n != 1 {
		t.Errorf("a graph that was walked once was walked %d times", n)
	}
	reversed, _ := g.Reverse()
	if n := reversed.Walk(); n != 2 {
		t.Errorf("the reversed graph was walked %d times, not 2", n)
	}
	if reversed.LocalOut() != in || reversed.LocalIn() != g.LocalOut() {
		t.Error("the reversed graph has orders of its own")
	}
}

func TestTheReversedGraphHasTheSameOrderWhicheverIsAskedFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	number := r.Perm(8000)
	build := func() *Graph {
		return communities(t, 20, 400, 12, func(v int32) int32 { return int32(number[v]) })
	}
	reversed, _ := build().Reverse()
	if got, want := reversed.LocalIn().Vertices, build().LocalIn().Vertices; !slices.Equal(got, want) {
		t.Error("another order where the reversed graph was asked first")
	}
}

func TestRowsStayInOrderWhereLittleIsGained(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	bipartite, err := NewBipartite(30, 80, randomIDs(r, 99, 30), randomIDs(r, 99, 80))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*Graph{
		"no communities":        mustNew(t, 8000, randomIDs(r, 96000, 8000), randomIDs(r, 96000, 8000)),
		"numbered by community": communities(t, 20, 400, 12, func(v int32) int32 { return v }),
		"bipartite":             bipartite,
		"no edges":              mustNew(t, 5, nil, nil),
		"no vertices":           mustNew(t, 0, nil, nil),
		"small":                 mustNew(t, 50, randomIDs(r, 600, 50), randomIDs(r, 600, 50)),
	} {
		if g.LocalIn() != nil || g.LocalOut() != nil {
			t.Errorf("%s: rows have an order of their own", name)
		}
	}
}
