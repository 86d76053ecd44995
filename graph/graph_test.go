// Tests of construction, validation and accessors.

package graph

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestNewRejectsBadInput(t *testing.T) {
	long := make([]int32, 18)
	bad := slices.Clone(long)
	bad[17] = 40
	negative := slices.Clone(long)
	negative[3] = -1
	tests := []struct {
		name string
		make func() (*Graph, error)
		want string
	}{
		{"source too large", func() (*Graph, error) { return New(34, bad, long) }, "graph: edge 17: source 40 out of range [0, 34)"},
		{"destination too large", func() (*Graph, error) { return New(34, long, bad) }, "graph: edge 17: destination 40 out of range [0, 34)"},
		{"negative source", func() (*Graph, error) { return New(34, negative, long) }, "graph: edge 3: source -1 out of range [0, 34)"},
		{"negative destination", func() (*Graph, error) { return New(34, long, negative) }, "graph: edge 3: destination -1 out of range [0, 34)"},
		{"edge without vertices", func() (*Graph, error) { return New(0, long[:1], long[:1]) }, "graph: edge 0: source 0 out of range [0, 0)"},
		{"lengths differ", func() (*Graph, error) { return New(3, long[:2], long[:3]) }, "graph: 2 sources but 3 destinations of edges"},
		{"negative size", func() (*Graph, error) { return New(-1, nil, nil) }, "graph: negative number of vertices: -1"},
		{"bipartite source", func() (*Graph, error) { return NewBipartite(2, 50, bad, bad) }, "graph: edge 17: source 40 out of range [0, 2)"},
		{"bipartite destination", func() (*Graph, error) { return NewBipartite(50, 2, bad, bad) }, "graph: edge 17: destination 40 out of range [0, 2)"},
		{"negative sources", func() (*Graph, error) { return NewBipartite(-2, 3, nil, nil) }, "graph: negative number of sources: -2"},
		{"negative destinations", func() (*Graph, error) { return NewBipartite(2, -3, nil, nil) }, "graph: negative number of destinations: -3"},
		{"few edge types", func() (*Graph, error) { return New(1, long[:2], long[:2], WithEdgeTypes(long[:1], 1)) }, "graph: 1 edge types given, want 2"},
		{"edge type out of range", func() (*Graph, error) { return New(1, long[:2], long[:2], WithEdgeTypes([]int32{0, 3}, 3)) }, "graph: edge 1: type 3 out of range [0, 3)"},
		{"vertex type out of range", func() (*Graph, error) { return New(2, nil, nil, WithVertexTypes([]int32{0, -1}, 3)) }, "graph: vertex 1: type -1 out of range [0, 3)"},
		{"negative types", func() (*Graph, error) { return New(0, nil, nil, WithVertexTypes(nil, -1)) }, "graph: negative number of vertex types: -1"},
		{"source type out of range", func() (*Graph, error) { return NewBipartite(1, 1, nil, nil, WithSrcTypes([]int32{1}, 1)) }, "graph: source 0: type 1 out of range [0, 1)"},
		{"destination types length", func() (*Graph, error) { return NewBipartite(1, 2, nil, nil, WithDstTypes([]int32{0}, 1)) }, "graph: 1 destination types given, want 2"},
		{"vertex types of bipartite", func() (*Graph, error) { return NewBipartite(1, 1, nil, nil, WithVertexTypes([]int32{0}, 1)) }, "use WithSrcTypes"},
		{"source types of homogeneous", func() (*Graph, error) { return New(1, nil, nil, WithSrcTypes([]int32{0}, 1)) }, "use WithVertexTypes"},
	}
	for _, tt := range tests {
		g, err := tt.make()
		if err == nil || !strings.Contains(err.Error(), tt.want) || g != nil {
			t.Errorf("%s: got %v, error %v; want error %q", tt.name, g, err, tt.want)
		}
	}
}

func TestCountsAboveInt32AreRefused(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("int is 32 bits wide here")
	}
	over := int64(math.MaxInt32) + 1
	n := int(over)
	for name, err := range map[string]error{
		"New":                    second(New(n, nil, nil)),
		"NewBipartite sources":   second(NewBipartite(n, 0, nil, nil)),
		"NewBipartite dests":     second(NewBipartite(0, n, nil, nil)),
		"NewBipartite both":      second(NewBipartite(n/2, n/2, nil, nil)),
		"edge types":             second(New(0, nil, nil, WithEdgeTypes(nil, n))),
		"edges of New":           checkCount("edges", over),
		"smallest negative size": checkCount("edges", math.MinInt64),
	} {
		var size *SizeError
		if !errors.As(err, &size) {
			t.Errorf("%s: error %v, want a *SizeError", name, err)
		}
	}
	// The limit itself is legal, and allocates nothing of that size.
	for name, err := range map[string]error{
		"New":          second(New(math.MaxInt32, nil, nil)),
		"NewBipartite": second(NewBipartite(math.MaxInt32-1, 1, nil, nil)),
		"edges":        checkCount("edges", math.MaxInt32),
	} {
		if err != nil {
			t.Errorf("%s at the limit: %v", name, err)
		}
	}
}

func second(_ *Graph, err error) error { return err }

func TestTransformRefusesToExceedInt32BeforeAllocating(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("int is 32 bits wide here")
	}
	g := mustNew(t, math.MaxInt32, []int32{0}, []int32{0})
	defer func() {
		if err, ok := recover().(*SizeError); !ok || err.Count != 1<<31 {
			t.Errorf("AddSelfLoops panicked with %v, want a *SizeError of %d edges", err, int64(1)<<31)
		}
	}()
	g.AddSelfLoops()
}

func TestBatchRefusesToExceedInt32BeforeAllocating(t *testing.T) {
	g := mustNew(t, math.MaxInt32, nil, nil)
	var size *SizeError
	if _, _, err := Batch(g, mustNew(t, 1, nil, nil)); !errors.As(err, &size) {
		t.Errorf("error %v, want a *SizeError", err)
	}
}

func TestNewReportsNilOptions(t *testing.T) {
	_, err := New(1, nil, nil, WithVertexTypes([]int32{0}, 1), nil)
	_, bipartite := NewBipartite(1, 1, nil, nil, nil)
	if err == nil || err.Error() != "graph: option 1 is nil" || bipartite == nil || bipartite.Error() != "graph: option 0 is nil" {
		t.Errorf("errors %v and %v", err, bipartite)
	}
}

func TestNewCopiesItsInput(t *testing.T) {
	src, dst, types, vtypes := []int32{0, 1}, []int32{1, 2}, []int32{0, 1}, []int32{0, 0, 1}
	g := mustNew(t, 3, src, dst, WithEdgeTypes(types, 2), WithVertexTypes(vtypes, 2))
	for _, s := range [][]int32{src, dst, types, vtypes} {
		for i := range s {
			s[i] = 99
		}
	}
	if !slices.Equal(g.Src(), []int32{0, 1}) || !slices.Equal(g.Dst(), []int32{1, 2}) || !slices.Equal(g.EdgeTypes(), []int32{0, 1}) || !slices.Equal(g.VertexTypes(), []int32{0, 0, 1}) {
		t.Errorf("graph changed with its input: %v %v %v %v", g.Src(), g.Dst(), g.EdgeTypes(), g.VertexTypes())
	}
}

func TestCSRsHoldEveryEdgeOnceWithItsID(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) { checkGraph(t, g) })
	}
	g, err := NewBipartite(3, 5, []int32{2, 0, 2, 2}, []int32{4, 4, 0, 4}, WithSrcTypes([]int32{0, 1, 1}, 2), WithDstTypes([]int32{0, 0, 0, 0, 0}, 1))
	if err != nil {
		t.Fatal(err)
	}
	checkGraph(t, g)
	if g.NumVertices() != 8 || g.NumSrc() != 3 || g.NumDst() != 5 || !g.IsBipartite() || g.NumSrcTypes() != 2 || g.NumDstTypes() != 1 {
		t.Errorf("accessors of %v are wrong", g)
	}
	if !slices.Equal(g.InDegrees(), []int32{1, 0, 0, 0, 3}) || !slices.Equal(g.OutDegrees(), []int32{1, 0, 3}) {
		t.Errorf("degrees in %v out %v", g.InDegrees(), g.OutDegrees())
	}
}

func TestCSROfAKnownGraph(t *testing.T) {
	g := mustNew(t, 4, []int32{3, 0, 3, 1, 0}, []int32{1, 1, 0, 1, 0})
	in := g.In()
	if !slices.Equal(in.Offsets, []int32{0, 2, 5, 5, 5}) || !slices.Equal(in.Neighbors, []int32{3, 0, 3, 0, 1}) || !slices.Equal(in.EdgeIDs, []int32{2, 4, 0, 1, 3}) {
		t.Errorf("In: offsets %v neighbours %v ids %v", in.Offsets, in.Neighbors, in.EdgeIDs)
	}
	if !slices.Equal(in.DegreeOrder(), []int32{1, 0, 2, 3}) {
		t.Errorf("degree order %v", in.DegreeOrder())
	}
	out := g.Out()
	if !slices.Equal(out.Offsets, []int32{0, 2, 3, 3, 5}) || !slices.Equal(out.Neighbors, []int32{1, 0, 1, 1, 0}) || !slices.Equal(out.EdgeIDs, []int32{1, 4, 3, 0, 2}) {
		t.Errorf("Out: offsets %v neighbours %v ids %v", out.Offsets, out.Neighbors, out.EdgeIDs)
	}
}

func TestListsOfIDsArePadded(t *testing.T) {
	g := mustNew(t, 2, []int32{1}, []int32{1}, WithEdgeTypes([]int32{0}, 1), WithVertexTypes([]int32{1, 1}, 2))
	for name, ids := range map[string][]int32{"Src": g.Src(), "Dst": g.Dst(), "EdgeTypes": g.EdgeTypes(), "VertexTypes": g.VertexTypes()} {
		if cap(ids) < len(ids)+padding || slices.Max(ids[len(ids):len(ids)+padding]) != 0 {
			t.Errorf("%s has no padding of zeros: length %d, capacity %d", name, len(ids), cap(ids))
		}
	}
}

func TestLazyPartsAreBuiltOnceUnderConcurrency(t *testing.T) {
	g := randomGraphs(t)["medium"]
	type parts struct {
		in, out *CSR
		order   *int32
		degrees *int32
	}
	got := make([]parts, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r, _ := g.Reverse()
			got[i] = parts{g.In(), r.In(), &g.In().DegreeOrder()[0], &g.OutDegrees()[0]}
		}()
	}
	wg.Wait()
	for i, p := range got {
		if p != got[0] {
			t.Errorf("goroutine %d saw other parts than goroutine 0", i)
		}
	}
}

func TestMisuseOfBipartiteGraphsPanicsWithItsType(t *testing.T) {
	g, err := NewBipartite(2, 3, []int32{0}, []int32{2})
	if err != nil {
		t.Fatal(err)
	}
	for op, f := range map[string]func(){
		"VertexTypes":         func() { g.VertexTypes() },
		"NumVertexTypes":      func() { g.NumVertexTypes() },
		"AddSelfLoops":        func() { g.AddSelfLoops() },
		"RemoveSelfLoops":     func() { g.RemoveSelfLoops() },
		"Symmetrize":          func() { g.Symmetrize() },
		"Subgraph":            func() { _, _, _ = g.Subgraph(nil) },
		"ConnectedComponents": func() { g.ConnectedComponents() },
		"AddVirtualVertex":    func() { g.AddVirtualVertex() },
	} {
		func() {
			defer func() {
				v := recover()
				if err, ok := v.(*BipartiteError); !ok || err.Op != op || !strings.Contains(err.Error(), op) {
					t.Errorf("%s panicked with %v, want a *BipartiteError naming it", op, v)
				}
				if _, ok := v.(interface{ Misuse() }); !ok {
					t.Errorf("%s panicked with %T, which is not marked as misuse", op, v)
				}
			}()
			f()
		}()
	}
}

func TestStringNamesTheSizes(t *testing.T) {
	b, err := NewBipartite(2, 3, []int32{0}, []int32{2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "graph(2 sources, 3 destinations, 1 edges)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := mustNew(t, 2, nil, nil).String(), "graph(2 vertices, 0 edges)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzNew feeds arbitrary ids: New must refuse exactly those out of range, and
// what it accepts must have valid CSRs.
func FuzzNew(f *testing.F) {
	f.Add(3, []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0})
	f.Add(0, []byte{})
	f.Add(1, []byte{0, 0, 0, 0, 255, 255, 255, 255})
	f.Add(-5, []byte{1})
	f.Fuzz(func(t *testing.T, n int, raw []byte) {
		if n > 1<<12 {
			n %= 1 << 12 // the CSRs of an accepted graph are built below
		}
		ids := make([]int32, len(raw)/4)
		for i := range ids {
			ids[i] = int32(binary.LittleEndian.Uint32(raw[4*i:]))
			if n > 0 && raw[4*i+3] < 200 { // mostly in range
				ids[i] &= math.MaxInt32
				ids[i] %= int32(n)
			}
		}
		src, dst := ids[:len(ids)/2], ids[len(ids)/2:]
		legal := n >= 0 && len(src) == len(dst)
		for _, x := range ids {
			legal = legal && x >= 0 && int(x) < n
		}
		g, err := New(n, src, dst)
		if (err == nil) != legal {
			t.Fatalf("New(%d, %v, %v): error %v, legal %v", n, src, dst, err, legal)
		}
		if err == nil {
			checkGraph(t, g)
			sym, _ := g.Symmetrize()
			simple, _ := sym.Simplify()
			checkGraph(t, simple)
		}
	})
}
