// Tests of heterogeneous graphs and of their homogeneous view.

package graph

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	writes = EdgeType{"author", "writes", "paper"}
	cites  = EdgeType{"paper", "cites", "paper"}
	about  = EdgeType{"paper", "about", "field"}
)

// library has an empty vertex type, an edge type without edges, duplicates and a
// self-loop.
func library(t testing.TB) *Hetero {
	t.Helper()
	var b HeteroBuilder
	b.Vertices("paper", 4).Vertices("author", 3).Vertices("field", 0)
	b.Edges(cites, []int32{0, 1, 1, 2}, []int32{1, 1, 0, 0})
	b.Edges(about, nil, nil)
	b.Edges(writes, []int32{2, 0, 2, 0}, []int32{3, 1, 3, 0})
	h, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHeteroHasWhatItWasBuiltFrom(t *testing.T) {
	h := library(t)
	if got := h.VertexTypes(); !slices.Equal(got, []string{"paper", "author", "field"}) {
		t.Errorf("vertex types %v", got)
	}
	if got := h.EdgeTypes(); !slices.Equal(got, []EdgeType{cites, about, writes}) {
		t.Errorf("edge types %v", got)
	}
	for name, want := range map[string]int{"paper": 4, "author": 3, "field": 0} {
		if got := h.NumVertices(name); got != want {
			t.Errorf("%d vertices of type %s, want %d", got, name, want)
		}
	}
	if got := h.NumEdges(about); got != 0 {
		t.Errorf("%d edges of type %v", got, about)
	}
	w := h.Relation(writes)
	if !w.IsBipartite() || w.NumSrc() != 3 || w.NumDst() != 4 || !slices.Equal(w.Src(), []int32{2, 0, 2, 0}) || !slices.Equal(w.Dst(), []int32{3, 1, 3, 0}) {
		t.Errorf("%v is %v with edges %v %v", writes, w, w.Src(), w.Dst())
	}
	if c := h.Relation(cites); c.IsBipartite() || c.NumVertices() != 4 || c.NumEdges() != 4 {
		t.Errorf("%v is %v", cites, c)
	}
	if got, want := h.String(), "hetero graph(7 vertices of 3 types, 8 edges of 3 types)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestHeteroBuilderRejectsBadInput(t *testing.T) {
	two := []int32{0, 1}
	for name, c := range map[string]struct {
		make func(b *HeteroBuilder)
		want string
	}{
		"vertex type without name": {func(b *HeteroBuilder) { b.Vertices("", 1) }, "a vertex type without a name"},
		"vertex type of no text":   {func(b *HeteroBuilder) { b.Vertices("a\xff", 1) }, `vertex type "a\xff" is not valid UTF-8`},
		"vertex type twice":        {func(b *HeteroBuilder) { b.Vertices("a", 1) }, `vertex type "a" is given twice`},
		"negative count":           {func(b *HeteroBuilder) { b.Vertices("c", -1) }, `vertex type "c": graph: negative number of vertices: -1`},
		"too many of all types":    {func(b *HeteroBuilder) { b.Vertices("c", math.MaxInt32) }, `vertex type "c": of all types: graph: 2147483651 vertices exceed`},
		"edge type without name":   {func(b *HeteroBuilder) { b.Edges(EdgeType{"a", "", "b"}, nil, nil) }, "edge type (a, , b) has no name"},
		"edge type twice":          {func(b *HeteroBuilder) { b.Edges(EdgeType{"a", "r", "b"}, nil, nil) }, "edge type (a, r, b) is given twice"},
		"unknown source type":      {func(b *HeteroBuilder) { b.Edges(EdgeType{"x", "r", "b"}, nil, nil) }, `(x, r, b): no vertex type "x"; there are ["a" "b"]`},
		"unknown destination type": {func(b *HeteroBuilder) { b.Edges(EdgeType{"a", "r", "y"}, nil, nil) }, `no vertex type "y"`},
		"source out of range":      {func(b *HeteroBuilder) { b.Edges(EdgeType{"b", "r", "a"}, two, two) }, "(b, r, a): graph: edge 1: source 1 out of range [0, 1)"},
		"destination out of range": {func(b *HeteroBuilder) { b.Edges(EdgeType{"a", "s", "b"}, two, two) }, "(a, s, b): graph: edge 1: destination 1 out of range [0, 1)"},
		"vertex out of range":      {func(b *HeteroBuilder) { b.Edges(EdgeType{"b", "r", "b"}, two, two) }, "edge 1: source 1 out of range"},
		"lengths differ":           {func(b *HeteroBuilder) { b.Edges(EdgeType{"a", "s", "b"}, two, two[:1]) }, "2 sources but 1 destinations"},
		"the first of two faults": {func(b *HeteroBuilder) {
			b.Vertices("c", -1).Vertices("", 1).Edges(EdgeType{}, nil, nil)
		}, "negative number"},
	} {
		var b HeteroBuilder
		b.Vertices("a", 3).Vertices("b", 1).Edges(EdgeType{"a", "r", "b"}, two, []int32{0, 0})
		c.make(&b)
		h, err := b.Build()
		if err == nil || h != nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "graph: hetero: ") {
			t.Errorf("%s: got %v, error %v; want %q", name, h, err, c.want)
		}
	}
}

func TestWhatWasBuiltDoesNotChangeWithTheBuilder(t *testing.T) {
	var b HeteroBuilder
	empty, err := b.Build()
	if err != nil || len(empty.VertexTypes()) != 0 || empty.Homogeneous().Graph.NumVertices() != 0 {
		t.Errorf("an empty builder gives %v, %v", empty, err)
	}
	src := []int32{0}
	one, err := b.Vertices("a", 1).Edges(EdgeType{"a", "r", "a"}, src, src).Build()
	if err != nil {
		t.Fatal(err)
	}
	src[0] = 7
	b.Vertices("b", 1).Vertices("b", 1)
	if len(one.VertexTypes()) != 1 || one.Relation(EdgeType{"a", "r", "a"}).Src()[0] != 0 {
		t.Errorf("the graph changed to %v", one)
	}
}

func TestUnknownTypesAreMisuse(t *testing.T) {
	h := library(t)
	for want, f := range map[string]func(){
		`graph: NumVertices: no type "venue"; the graph has [paper author field]`:                                                       func() { h.NumVertices("venue") },
		"graph: NumEdges: no type (a, b, c); the graph has [(paper, cites, paper) (paper, about, field) (author, writes, paper)]":       func() { h.NumEdges(EdgeType{"a", "b", "c"}) },
		"graph: Relation: no type (paper, cites, field); the graph has [(paper, cites, paper) (paper, about, field) (author, writes, p": func() { h.Relation(EdgeType{"paper", "cites", "field"}) },
	} {
		func() {
			defer func() {
				err, ok := recover().(*UnknownTypeError)
				if !ok || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("panic is %v, want %s", err, want)
				}
			}()
			f()
		}()
	}
}

func TestCanonicalFindsTheOnlyTypeOfAName(t *testing.T) {
	var b HeteroBuilder
	b.Vertices("a", 1).Vertices("b", 1)
	b.Edges(EdgeType{"a", "r", "b"}, nil, nil).Edges(EdgeType{"b", "r", "a"}, nil, nil).Edges(EdgeType{"a", "s", "a"}, nil, nil)
	h, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := h.Canonical("s"); err != nil || got != (EdgeType{"a", "s", "a"}) {
		t.Errorf("s is %v, error %v", got, err)
	}
	if _, err := h.Canonical("r"); err == nil || !strings.Contains(err.Error(), "several edge types") {
		t.Errorf("r gives error %v", err)
	}
	if _, err := h.Canonical("t"); err == nil || !strings.Contains(err.Error(), `no edge type is named "t"`) {
		t.Errorf("t gives error %v", err)
	}
}

// named is an edge by the names of its type and ends.
type named struct {
	t        EdgeType
	src, dst int32
}

func edgesOf(h *Hetero) (all []named) {
	for _, t := range h.EdgeTypes() {
		r := h.Relation(t)
		for e, u := range r.Src() {
			all = append(all, named{t, u, r.Dst()[e]})
		}
	}
	return all
}

// checkView fails unless the view has the vertices and edges of h, each once.
func checkView(t *testing.T, h *Hetero, view *Homogeneous) {
	t.Helper()
	g := view.Graph
	seen := make([]bool, g.NumVertices())
	for i, name := range h.VertexTypes() {
		if len(view.VertexIDs[i]) != h.NumVertices(name) {
			t.Fatalf("%d ids of type %s, want %d", len(view.VertexIDs[i]), name, h.NumVertices(name))
		}
		for local, v := range view.VertexIDs[i] {
			if seen[v] || g.VertexTypes()[v] != int32(i) || view.LocalVertex[v] != int32(local) {
				t.Fatalf("vertex %d of type %s is vertex %d, of type %d, local %d, seen before %v", local, name, v, g.VertexTypes()[v], view.LocalVertex[v], seen[v])
			}
			seen[v] = true
		}
	}
	var got []named
	for r, et := range h.EdgeTypes() {
		for local, e := range view.EdgeIDs[r] {
			if g.EdgeTypes()[e] != int32(r) || view.LocalEdge[e] != int32(local) {
				t.Fatalf("edge %d of type %v is edge %d, of type %d, local %d", local, et, e, g.EdgeTypes()[e], view.LocalEdge[e])
			}
			got = append(got, named{et, view.LocalVertex[g.Src()[e]], view.LocalVertex[g.Dst()[e]]})
		}
	}
	if !slices.Equal(got, edgesOf(h)) || slices.Contains(seen, false) || len(got) != g.NumEdges() {
		t.Fatalf("the view has edges %v, want %v", got, edgesOf(h))
	}
}

// What only relations between two types of vertices, and their reverses, say of themselves.
func TestRelationOfAGraph(t *testing.T) {
	h := library(t)
	reversed, _ := h.Relation(writes).Reverse()
	simple, _ := h.Relation(writes).Simplify()
	plain, err := NewBipartite(3, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		g    *Graph
		want EdgeType
	}{
		"between types": {h.Relation(writes), writes},
		"its reverse":   {reversed, EdgeType{Src: writes.Dst, Name: writes.Name, Dst: writes.Src}},
		"simple":        {simple, writes},
		"of one type":   {h.Relation(cites), EdgeType{}},
		"view":          {h.Homogeneous().Graph, EdgeType{}},
		"bipartite":     {plain, EdgeType{}},
	} {
		if got, ok := c.g.Relation(); got != c.want || ok != (c.want != EdgeType{}) {
			t.Errorf("%s: relation %v, %v, want %v", name, got, ok, c.want)
		}
	}
}

func TestHomogeneousViewHasEveryVertexAndEdgeOnce(t *testing.T) {
	h := library(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { checkView(t, h, h.Homogeneous()) })
	}
	wait.Wait()
	g := h.Homogeneous().Graph
	if want := []int32{0, 0, 0, 0, 1, 1, 1}; !slices.Equal(g.VertexTypes(), want) || g.NumVertexTypes() != 3 {
		t.Errorf("vertex types %v of %d, want %v of 3", g.VertexTypes(), g.NumVertexTypes(), want)
	}
	if want := []int32{0, 1, 1, 2, 6, 4, 6, 4}; !slices.Equal(g.Src(), want) {
		t.Errorf("sources %v, want %v", g.Src(), want)
	}
	if want := []int32{0, 0, 0, 0, 2, 2, 2, 2}; !slices.Equal(g.EdgeTypes(), want) || g.NumEdgeTypes() != 3 {
		t.Errorf("edge types %v of %d, want %v of 3", g.EdgeTypes(), g.NumEdgeTypes(), want)
	}
	if first, again := h.Homogeneous(), h.Homogeneous(); first != again {
		t.Error("the view is built more than once")
	}
}

// There and back again changes nothing, from either side, whatever the order of
// vertices and edges.
func TestFromHomogeneousIsTheInverse(t *testing.T) {
	h := library(t)
	back, view, err := FromHomogeneous(h.Homogeneous().Graph, h.VertexTypes(), h.EdgeTypes())
	if err != nil {
		t.Fatal(err)
	}
	checkView(t, back, view)
	if !slices.Equal(edgesOf(back), edgesOf(h)) {
		t.Errorf("edges %v, want %v", edgesOf(back), edgesOf(h))
	}
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"a", "b", "c", "none"}
	for range 200 {
		n, edges := 1+r.IntN(9), r.IntN(30)
		vertexTypes := randomIDs(r, n, 3)
		// An edge type for each pair of vertex types, so that every edge has one.
		var types []EdgeType
		for _, u := range names {
			for _, v := range names {
				types = append(types, EdgeType{u, "r", v})
			}
		}
		src, dst, edgeTypes := randomIDs(r, edges, n), randomIDs(r, edges, n), make([]int32, edges)
		for e := range edges {
			edgeTypes[e] = 4*vertexTypes[src[e]] + vertexTypes[dst[e]]
		}
		g := mustNew(t, n, src, dst, WithVertexTypes(vertexTypes, 4), WithEdgeTypes(edgeTypes, 16))
		h, view, err := FromHomogeneous(g, names, types)
		if err != nil {
			t.Fatal(err)
		}
		checkView(t, h, view)
		checkView(t, h, h.Homogeneous())
	}
}

func TestFromHomogeneousRejectsBadInput(t *testing.T) {
	vertices, edges := WithVertexTypes([]int32{0, 1}, 2), WithEdgeTypes([]int32{0}, 1)
	g := mustNew(t, 2, []int32{0}, []int32{1}, vertices, edges)
	bipartite, err := NewBipartite(1, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ab := []EdgeType{{"a", "r", "b"}}
	for name, c := range map[string]struct {
		g        *Graph
		vertices []string
		edges    []EdgeType
		want     string
	}{
		"nil":              {nil, nil, nil, "the graph is nil"},
		"bipartite":        {bipartite, nil, nil, "the graph is bipartite"},
		"no vertex types":  {mustNew(t, 2, []int32{0}, []int32{1}, edges), nil, ab, "needs types"},
		"no edge types":    {mustNew(t, 2, nil, nil, vertices), []string{"a", "b"}, nil, "needs types"},
		"too few names":    {g, []string{"a"}, ab, "1 names for 2 vertex types"},
		"too many types":   {g, []string{"a", "b"}, append(ab, EdgeType{"b", "r", "a"}), "2 names for 1 edge types"},
		"one name twice":   {g, []string{"a", "a"}, []EdgeType{{"a", "r", "a"}}, `vertex type "a" is given twice`},
		"unknown type":     {g, []string{"a", "c"}, ab, `edge 0 of type (a, r, b) leads from a vertex of type "a" to one of type "c"`},
		"the wrong way":    {g, []string{"a", "b"}, []EdgeType{{"b", "r", "a"}}, "edge 0"},
		"no relation name": {g, []string{"a", "b"}, []EdgeType{{"a", "", "b"}}, "has no name"},
	} {
		h, view, err := FromHomogeneous(c.g, c.vertices, c.edges)
		if err == nil || h != nil || view != nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "graph: FromHomogeneous: ") {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, _, err := FromHomogeneous(bipartite, nil, nil); !errors.As(err, new(*BipartiteError)) {
		t.Errorf("the error is %T", err)
	}
}

// A block of all neighbours, drawn at random, has the edges of the graph of each relation
// into its destinations, and numbers vertices within their types.
func TestVerticesAreSplitByType(t *testing.T) {
	view := library(t).Homogeneous() // papers 0 to 3, authors 4 to 6
	local, rows, err := view.SplitByType([]int32{5, 0, 6, 3, 0})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]int32{{0, 3, 0}, {1, 2}, {}}; !slices.EqualFunc(local, want, slices.Equal[[]int32]) || !slices.Equal(rows, []int32{0, 0, 1, 1, 2}) {
		t.Errorf("the numbers within the types are %v, the rows %v", local, rows)
	}
	local, rows, err = view.SplitByType(nil)
	if err != nil || len(local) != 3 || local[0] == nil || len(rows) != 0 {
		t.Errorf("no vertices give %v, %v and error %v", local, rows, err)
	}
	for v, want := range map[int32]string{
		7:  "graph: SplitByType: entry 1: vertex 7 out of range [0, 7)",
		-1: "graph: SplitByType: entry 1: vertex -1 out of range [0, 7)",
	} {
		if _, _, err := view.SplitByType([]int32{0, v}); err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestRelationsOfSplitsGraphsAndBlocks(t *testing.T) {
	h := library(t)
	relations, err := RelationsOf(h.Homogeneous().Graph, h.VertexTypes(), h.EdgeTypes())
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range h.EdgeTypes() {
		got, want := relations[i], h.Relation(r)
		named, _ := got.Relation()
		wantNamed, _ := want.Relation()
		if !slices.Equal(got.Src(), want.Src()) || !slices.Equal(got.Dst(), want.Dst()) || got.String() != want.String() || named != wantNamed {
			t.Errorf("%v is %v %v %v, want %v %v %v", r, got, got.Src(), got.Dst(), want, want.Src(), want.Dst())
		}
		checkGraph(t, got)
	}

	r := rand.New(rand.NewPCG(5, 6))
	names := []string{"a", "b", "c", "none"}
	var types []EdgeType
	for _, u := range names {
		for _, v := range names {
			types = append(types, EdgeType{u, "r", v})
		}
	}
	for range 200 {
		numSrc := 1 + r.IntN(9)
		numDst, edges := 1+r.IntN(numSrc), r.IntN(30)
		vertexTypes := randomIDs(r, numSrc, 3)
		src, dst, edgeTypes := randomIDs(r, edges, numSrc), randomIDs(r, edges, numDst), make([]int32, edges)
		for e := range edges {
			edgeTypes[e] = 4*vertexTypes[src[e]] + vertexTypes[dst[e]]
		}
		block, err := NewBipartite(numSrc, numDst, src, dst,
			WithSrcTypes(vertexTypes, 4), WithDstTypes(vertexTypes[:numDst], 4), WithEdgeTypes(edgeTypes, 16))
		if err != nil {
			t.Fatal(err)
		}
		relations, err := RelationsOf(block, names, types)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range relations {
			from, to := block.SrcByType().OfType(i/4), block.DstByType().OfType(i%4)
			if named, ok := g.Relation(); !g.IsBipartite() || g.NumSrc() != len(from) || g.NumDst() != len(to) || ok != (i/4 != i%4) || ok && named != types[i] {
				t.Fatalf("%v is %v, relation %v", types[i], g, named)
			}
			for j, e := range block.EdgesByType().OfType(i) {
				if from[g.Src()[j]] != src[e] || to[g.Dst()[j]] != dst[e] {
					t.Fatalf("edge %d of %v leads from %d to %d", j, types[i], g.Src()[j], g.Dst()[j])
				}
			}
			checkGraph(t, g)
		}
	}
}

// Names that would be the same in a row tell graphs apart.
func TestRelationsOfAreMadeOnceForTheirNames(t *testing.T) {
	g, err := New(2, []int32{0}, []int32{1}, WithVertexTypes([]int32{0, 1}, 2), WithEdgeTypes([]int32{0}, 1))
	if err != nil {
		t.Fatal(err)
	}
	relation := func(u, name, v string) *Graph {
		relations, err := RelationsOf(g, []string{u, v}, []EdgeType{{u, name, v}})
		if err != nil {
			t.Fatal(err)
		}
		r := relations[0]
		relations[0] = nil // a list of the caller's own
		if named, _ := r.Relation(); named != (EdgeType{u, name, v}) {
			t.Errorf("the relation is %v, want %v", named, EdgeType{u, name, v})
		}
		return r
	}
	seen := map[*Graph]bool{}
	for _, names := range [][3]string{{"a", "r", "b"}, {"a", "s", "b"}, {"ar", "s", "b"}, {"a", "rs", "b"}, {`a"`, `"r`, "b"}, {"a", `""r`, "b"}, {"a, r", "b", "c"}, {"a", "r, b", "c"}} {
		first, again := relation(names[0], names[1], names[2]), relation(names[0], names[1], names[2])
		if first != again || seen[first] {
			t.Errorf("%q: made again: %t; of other names: %t", names, first != again, seen[first])
		}
		seen[first] = true
	}
	for range 2 {
		if relations, err := RelationsOf(g, []string{"b", "a"}, []EdgeType{{"a", "r", "b"}}); err == nil || relations != nil {
			t.Errorf("%v, error %v", relations, err)
		}
	}
}

func TestRelationsOfRejectsBadInput(t *testing.T) {
	block := func(opts ...Option) *Graph {
		g, err := NewBipartite(2, 1, []int32{1}, []int32{0}, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	src, dst, edges := WithSrcTypes([]int32{1, 0}, 2), WithDstTypes([]int32{1}, 2), WithEdgeTypes([]int32{0}, 1)
	ab := []EdgeType{{"a", "r", "b"}}
	for name, c := range map[string]struct {
		g        *Graph
		vertices []string
		edges    []EdgeType
		want     string
	}{
		"nil":                {nil, nil, nil, "the graph is nil"},
		"no source types":    {block(dst, edges), []string{"a", "b"}, ab, "needs types"},
		"no types of ends":   {block(src, edges), []string{"a", "b"}, ab, "needs types"},
		"no edge types":      {block(src, dst), []string{"a", "b"}, ab, "needs types"},
		"too few names":      {block(src, dst, edges), []string{"a"}, ab, "1 names for 2 vertex types"},
		"other destinations": {block(src, WithDstTypes([]int32{1}, 3), edges), []string{"a", "b"}, ab, "2 names for 3 vertex types"},
		"too many relations": {block(src, dst, edges), []string{"a", "b"}, append(ab, ab...), "2 names for 1 edge types"},
		"one name twice":     {block(src, dst, edges), []string{"a", "a"}, ab, `vertex type "a" is given twice`},
		"unknown type":       {block(src, dst, edges), []string{"a", "c"}, ab, `edge type (a, r, b): the vertex types are ["a" "c"]`},
		"the wrong way":      {block(src, dst, edges), []string{"a", "b"}, []EdgeType{{"b", "r", "a"}}, `edge 0 of type (b, r, a) leads from a vertex of type "a" to one of type "b"`},
	} {
		relations, err := RelationsOf(c.g, c.vertices, c.edges)
		if err == nil || relations != nil || !strings.HasPrefix(err.Error(), "graph: RelationsOf: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestSourcesByRelationTellsEdgeTypesApart(t *testing.T) {
	graphs := randomGraphs(t)
	block, err := NewBipartite(5, 3, []int32{4, 0, 0, 2, 4, 0}, []int32{2, 1, 1, 0, 2, 1},
		WithEdgeTypes([]int32{2, 0, 2, 2, 0, 2}, 3), WithDstTypes([]int32{1, 0, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	graphs["block"] = block
	for name, g := range graphs {
		s, err := g.SourcesByRelation()
		if g.EdgeTypes() == nil {
			if !errors.As(err, new(*TypesError)) {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.NumSrc() != g.NumSrc()*g.NumEdgeTypes() || s.NumDst() != g.NumDst() || !slices.Equal(s.Dst(), g.Dst()) ||
			!slices.Equal(s.EdgeTypes(), g.EdgeTypes()) || s.NumEdgeTypes() != g.NumEdgeTypes() || !slices.Equal(s.DstTypes(), g.DstTypes()) {
			t.Errorf("%s: %v became %v", name, g, s)
		}
		checkGraph(t, s)
		reversed, _ := g.Reverse()
		again, _ := g.SourcesByRelation()
		if other, _ := reversed.SourcesByRelation(); again != s || other == s {
			t.Errorf("%s: made again: %t; of the reversed graph: %t", name, again != s, other != s)
		}
		for e, u := range s.Src() {
			if r := g.NumEdgeTypes(); int(u)%r != int(g.EdgeTypes()[e]) || int(u)/r != int(g.Src()[e]) {
				t.Errorf("%s: edge %d leaves %d, was %d of type %d", name, e, u, g.Src()[e], g.EdgeTypes()[e])
			}
		}
	}
	huge := mustNew(t, 70_000, []int32{0}, []int32{0}, WithEdgeTypes([]int32{0}, 70_000))
	if _, err := huge.SourcesByRelation(); !errors.As(err, new(*SizeError)) {
		t.Errorf("too many pairs give error %v", err)
	}
}
