// Tests of batches of links.

package data

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
)

// naiveHas looks through all edges.
func naiveHas(g *graph.Graph, x link, typed bool) bool {
	for e, u := range g.Src() {
		if u == x.src && g.Dst()[e] == x.dst && (!typed || g.EdgeTypes()[e] == x.typ) {
			return true
		}
	}
	return false
}

func TestEdgeSetHasTheEdges(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		for _, typed := range []bool{false, true} {
			if typed && g.EdgeTypes() == nil {
				continue
			}
			s := newEdgeSet(g, typed)
			for u := range min(int32(g.NumVertices()), 40) {
				for v := range int32(g.NumVertices()) {
					x := link{src: u, dst: v}
					if typed {
						x.typ = (u + v) % int32(g.NumEdgeTypes())
					}
					if got, want := s.has(x), naiveHas(g, x, typed); got != want {
						t.Fatalf("%s, typed %v: %+v is said to be there: %v", name, typed, x, got)
					}
				}
			}
		}
	}
}

// checkLinks holds the links of a batch against the loader's.
func checkLinks(t *testing.T, g *graph.Graph, links Links, c LinkConfig, b *LinkBatch) {
	t.Helper()
	n := len(b.Links)
	if len(b.Src) != n*(1+c.Negatives) || len(b.Dst) != len(b.Src) || len(b.Labels) != len(b.Src) || (b.Types != nil) != (links.Types != nil) {
		t.Fatalf("%d sources, %d destinations, %d labels for %d links", len(b.Src), len(b.Dst), len(b.Labels), n)
	}
	used := make([]bool, len(b.Seeds))
	for i := range b.Src {
		got := link{src: b.Seeds[b.Src[i]], dst: b.Seeds[b.Dst[i]]}
		used[b.Src[i]], used[b.Dst[i]] = true, true
		if b.Types != nil {
			got.typ = b.Types[i]
		}
		if i < n {
			if want := links.at(b.Links[i]); got != want || b.Labels[i] != 1 {
				t.Fatalf("true link %d is %+v with label %v, want %+v", b.Links[i], got, b.Labels[i], want)
			}
			continue
		}
		want := links.at(b.Links[(i-n)/max(c.Negatives, 1)])
		if b.Labels[i] != 0 || got.typ != want.typ {
			t.Fatalf("false link %+v of %+v has label %v", got, want, b.Labels[i])
		}
		sameSrc, sameDst := got.src == want.src, got.dst == want.dst
		if c.Corrupt == CorruptSrc && !sameDst || c.Corrupt == CorruptDst && !sameSrc || c.Corrupt == CorruptEither && !sameSrc && !sameDst {
			t.Fatalf("false link %+v of %+v, corruption %d", got, want, c.Corrupt)
		}
		if types := g.VertexTypes(); types != nil && (types[got.src] != types[want.src] || types[got.dst] != types[want.dst]) {
			t.Fatalf("false link %+v of %+v has ends of other types", got, want)
		}
		if c.Avoid != nil && naiveHas(c.Avoid, got, links.Types != nil) {
			t.Fatalf("false link %+v is an edge to avoid", got)
		}
		if got == want {
			t.Fatalf("false link %+v is the true one", got)
		}
	}
	if slices.Contains(used, false) {
		t.Fatal("a seed is an end of no link")
	}
}

func TestLinkBatchesAreWhatTheyAreSaidToBe(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		for corrupt := CorruptEither; corrupt <= CorruptBoth; corrupt++ {
			for _, avoid := range []*graph.Graph{nil, g} {
				for _, negatives := range []int{0, 1, 3} {
					if name == "dense" && negatives == 3 || name == "loops" && avoid != nil {
						continue // enough of the one; the other has a test of its own
					}
					t.Run(fmt.Sprintf("%s %d %v %d", name, corrupt, avoid != nil, negatives), func(t *testing.T) {
						f := Fanout{Hops: []int{4, 2}}
						c := LinkConfig{Loading: Loading{BatchSize: 11, Shuffle: true, Workers: 2, Seed: 2}, Fanout: f, Negatives: negatives, Corrupt: corrupt, Avoid: avoid}
						links := LinksOf(g)
						l, err := NewLinkLoader(g, links, c)
						if err != nil {
							t.Fatal(err)
						}
						var all []int32
						for b, err := range l.Epoch(t.Context(), 2) {
							if err != nil {
								t.Fatal(err)
							}
							checkLinks(t, g, links, c, b)
							checkBatch(t, g, f, &b.Batch, b.Seeds)
							all = append(all, b.Links...)
						}
						slices.Sort(all)
						if !slices.Equal(all, iotaIDs(g.NumEdges())) {
							t.Error("an epoch is not every link once")
						}
					})
				}
			}
		}
	}
}

func TestLinkBatchesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		var want []string
		for _, workers := range []int{1, 2, 8} {
			c := LinkConfig{Loading: Loading{BatchSize: 9, Shuffle: true, Seed: 4, Workers: workers}, Fanout: Fanout{Hops: []int{3, 3}}, Negatives: 2, HidePositives: true}
			l, err := NewLinkLoader(g, LinksOf(g), c)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for b, err := range l.Epoch(t.Context(), 0) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(b.Links, b.Src, b.Dst, b.Types, listsOf(&b.Batch)))
			}
			if workers == 1 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: other batches with %d workers", name, workers)
			}
		}
	}
}

// TestCorruptionsAreEven counts the ends of false links.
func TestCorruptionsAreEven(t *testing.T) {
	const n = 12
	types := []int32{0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0}
	g, err := graph.New(n, []int32{0}, []int32{3})
	if err != nil {
		t.Fatal(err)
	}
	typed, err := graph.New(n, []int32{0}, []int32{3}, graph.WithVertexTypes(types, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		g        *graph.Graph
		src, dst int // how many there are to choose from
	}{{g, n, n}, {typed, 7, 5}} {
		for corrupt := CorruptEither; corrupt <= CorruptBoth; corrupt++ {
			c := corrupter{kind: corrupt, graph: tt.g}
			counts := map[link]float64{}
			const draws = 40_000
			for i := range uint64(draws) {
				x, ok := c.of(link{src: 0, dst: 3}, i*977)
				if !ok {
					t.Fatal("no false link")
				}
				counts[x]++
			}
			want := map[Corruption]int{CorruptEither: tt.src + tt.dst - 2, CorruptSrc: tt.src - 1, CorruptDst: tt.dst - 1, CorruptBoth: tt.src*tt.dst - 1}[corrupt]
			if len(counts) != want {
				t.Errorf("corruption %d: %d different links, want %d", corrupt, len(counts), want)
			}
			if corrupt == CorruptEither { // a coin, then an end
				var heads float64
				for x, k := range counts {
					if x.dst == 3 && x.src != 0 {
						heads += k
					}
				}
				if p := heads / draws; p < 0.49 || p > 0.51 {
					t.Errorf("the source is replaced with probability %v", p)
				}
				continue
			}
			var list []float64
			for _, k := range counts {
				list = append(list, k)
			}
			chiSquare(t, list)
		}
	}
}

// TestTheLastFalseLinksAreDrawnEvenly leaves few that are no edges, unevenly spread.
func TestTheLastFalseLinksAreDrawnEvenly(t *testing.T) {
	type pairs = [][2]int32
	without := func(n int32, free pairs, opts ...graph.Option) *graph.Graph {
		var src, dst []int32
		for u := range n {
			for v := range n {
				if u != v && !slices.Contains(free, [2]int32{u, v}) {
					src, dst = append(src, u), append(dst, v)
				}
			}
		}
		g, err := graph.New(int(n), src, dst, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	thirds := make([]int32, 60)
	for v := range thirds {
		thirds[v] = int32(v % 3)
	}
	typed := graph.WithVertexTypes(thirds, 3)
	for _, tt := range []struct {
		name       string
		kind       Corruption
		n          int32
		free       pairs
		opts       []graph.Option
		undirected bool
		x          link
		want       int // different links
	}{
		{"destinations", CorruptDst, 40, pairs{{0, 1}, {0, 2}, {0, 20}, {3, 30}}, nil, false, link{src: 0, dst: 5}, 3},
		{"sources", CorruptSrc, 40, pairs{{1, 0}, {2, 0}, {20, 0}, {30, 3}}, nil, false, link{src: 5, dst: 0}, 3},
		{"either end", CorruptEither, 40, pairs{{0, 1}, {0, 2}, {0, 20}}, nil, false, link{src: 0, dst: 5}, 3},
		{"destinations of a type", CorruptDst, 60, pairs{{0, 1}, {0, 4}, {0, 25}, {0, 2}, {0, 3}}, []graph.Option{typed}, false, link{src: 0, dst: 7}, 3},
		{"pairs", CorruptBoth, 30, pairs{{0, 1}, {0, 2}, {20, 3}}, nil, false, link{src: 4, dst: 5}, 3},
		{"undirected pairs", CorruptBoth, 30, pairs{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {20, 3}, {3, 20}}, nil, true, link{src: 4, dst: 5}, 3},
		{"pairs of types", CorruptBoth, 60, pairs{{0, 1}, {0, 4}, {24, 1}, {0, 2}, {1, 0}}, []graph.Option{typed}, false, link{src: 3, dst: 7}, 3},
		{"one pair in so many as vertices", CorruptBoth, 12, pairs{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {7, 1}, {8, 1}, {9, 1}, {10, 2}, {11, 3}, {11, 4}}, nil, false, link{src: 4, dst: 5}, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := without(tt.n, tt.free, tt.opts...)
			c := corrupter{kind: tt.kind, graph: g, avoid: newEdgeSet(g, false), drawn: &drawnLinks{orientation: orientation{undirected: tt.undirected}}}
			counts := map[link]float64{}
			for stream := range uint64(1500) {
				x, ok := c.of(tt.x, stream*977)
				if !ok {
					t.Fatal("no false link")
				}
				counts[c.drawn.oriented(x)]++
			}
			if len(counts) != tt.want {
				t.Errorf("%d different links, want %d", len(counts), tt.want)
			}
			chiSquare(t, slices.Collect(maps.Values(counts)))
		})
	}
}

// TestTheLastFalseLinkIsFound leaves one pair that is no edge.
func TestTheLastFalseLinkIsFound(t *testing.T) {
	const n = 40
	var src, dst []int32
	for u := range int32(n) {
		for v := range int32(n) {
			if u != 17 || v != 23 {
				src, dst = append(src, u), append(dst, v)
			}
		}
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind Corruption
		x    link
		ok   bool
	}{
		{CorruptBoth, link{src: 1, dst: 2}, true},
		{CorruptSrc, link{src: 5, dst: 23}, true},
		{CorruptSrc, link{src: 17, dst: 4}, false},
		{CorruptDst, link{src: 17, dst: 4}, true},
		{CorruptDst, link{src: 5, dst: 23}, false},
		{CorruptEither, link{src: 5, dst: 23}, true},
		{CorruptEither, link{src: 17, dst: 4}, true},
		{CorruptEither, link{src: 5, dst: 4}, false},
	} {
		c := corrupter{kind: tt.kind, graph: g, avoid: newEdgeSet(g, false)}
		for stream := range uint64(20) {
			if y, ok := c.of(tt.x, stream); ok != tt.ok || ok && (y != link{src: 17, dst: 23}) {
				t.Errorf("corruption %d of %+v: %+v, %v", tt.kind, tt.x, y, ok)
			}
		}
	}

	full, err := graph.New(2, []int32{0, 0, 1, 1}, []int32{0, 1, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLinkLoader(full, LinksOf(full), LinkConfig{Loading: Loading{BatchSize: 2}, Fanout: Fanout{Hops: []int{1}}, Negatives: 1, Corrupt: CorruptBoth, Avoid: full})
	if err != nil {
		t.Fatal(err)
	}
	noLeak(t, func() {
		n := 0
		for _, err := range l.Epoch(t.Context(), 0) {
			if n++; err == nil || !strings.Contains(err.Error(), "link 0, (0, 0): every false link in its place is an edge of Avoid") {
				t.Errorf("error %v", err)
			}
		}
		if n != 1 {
			t.Errorf("%d results, want one error", n)
		}
	})
}

func TestAFalseLinkIsNotTheTrueOne(t *testing.T) {
	build := func(n int, types []int32) *graph.Graph {
		var opts []graph.Option
		if types != nil {
			opts = append(opts, graph.WithVertexTypes(types, 2))
		}
		g, err := graph.New(n, nil, nil, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	two, one := build(2, nil), build(1, nil)
	lone := build(3, []int32{0, 1, 1}) // of type 0 there is no other vertex
	for _, tt := range []struct {
		g    *graph.Graph
		x    link
		want [4]int // different links by kind of corruption
	}{
		{two, link{src: 0, dst: 1}, [4]int{2, 1, 1, 3}},
		{two, link{src: 1, dst: 1}, [4]int{2, 1, 1, 3}},
		{lone, link{src: 0, dst: 2}, [4]int{1, 0, 1, 1}},
		{one, link{}, [4]int{}},
	} {
		for corrupt := CorruptEither; corrupt <= CorruptBoth; corrupt++ {
			for _, avoid := range []*edgeSet{nil, newEdgeSet(tt.g, false)} { // of no edges
				c := corrupter{kind: corrupt, graph: tt.g, avoid: avoid}
				found := map[link]bool{}
				for stream := range uint64(200) {
					if y, ok := c.of(tt.x, stream*977); ok {
						found[y] = true
					}
				}
				if found[tt.x] || len(found) != tt.want[corrupt] {
					t.Errorf("%v: corruption %d of %+v gives %v, want %d others", tt.g, corrupt, tt.x, found, tt.want[corrupt])
				}
			}
		}
	}
	l, err := NewLinkLoader(one, Links{Src: []int32{0}, Dst: []int32{0}}, LinkConfig{Loading: Loading{BatchSize: 1}, Fanout: Fanout{Hops: []int{}}, Negatives: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range l.Epoch(t.Context(), 0) {
		if err == nil || !strings.Contains(err.Error(), "link 0, (0, 0): there is no other vertex for a false link in its place") {
			t.Errorf("error %v", err)
		}
	}
}

func TestHiddenPositivesAreInNoBlock(t *testing.T) {
	for _, name := range []string{"dense", "sparse", "typed", "hub", "loops"} {
		g := loaderGraphs(t)[name]
		c := LinkConfig{Loading: Loading{BatchSize: 13, Workers: 2}, Fanout: Fanout{Hops: []int{-1, -1}}, Negatives: 1, HidePositives: true}
		l, err := NewLinkLoader(g, LinksOf(g), c)
		if err != nil {
			t.Fatal(err)
		}
		for b, err := range l.Epoch(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			hidden := map[[2]int32]bool{}
			for _, e := range b.Links {
				u, v := g.Src()[e], g.Dst()[e]
				hidden[[2]int32{u, v}], hidden[[2]int32{v, u}] = true, true
			}
			for i, block := range b.Blocks {
				var want []int32 // all other edges into the destinations, in order
				for _, v := range b.Vertices[:block.NumDst()] {
					_, ids := g.In().Row(int(v))
					for _, e := range ids {
						if !hidden[[2]int32{g.Src()[e], v}] {
							want = append(want, e)
						}
					}
				}
				if !slices.Equal(b.Edges[i], want) {
					t.Fatalf("%s: batch %d, block %d: edges %v, want %v", name, b.Index, i, b.Edges[i], want)
				}
				for k, e := range b.Edges[i] {
					if b.Vertices[block.Src()[k]] != g.Src()[e] || b.Vertices[block.Dst()[k]] != g.Dst()[e] {
						t.Fatalf("%s: edge %d joins others", name, e)
					}
				}
			}
		}
	}
}

func TestNewLinkLoaderRejectsWhatMakesNoSense(t *testing.T) {
	all := loaderGraphs(t)
	g, typed := all["sparse"], all["edge types"]
	bipartite, err := graph.NewBipartite(2, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	untyped, err := graph.New(typed.NumVertices(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	typeTwo := Links{Src: []int32{0, 3}, Dst: []int32{1, 4}, Types: []int32{1, 2}} // of types 0 and 1
	fine := LinkConfig{Loading: Loading{BatchSize: 1}, Fanout: Fanout{Hops: []int{1}}}
	with := func(change func(c *LinkConfig)) LinkConfig {
		c := fine
		change(&c)
		return c
	}
	for _, tt := range []struct {
		name  string
		g     *graph.Graph
		links Links
		c     LinkConfig
		want  string
	}{
		{"nil", nil, Links{}, fine, "the graph is nil"},
		{"bipartite", bipartite, Links{}, fine, "bipartite"},
		{"size", g, Links{}, with(func(c *LinkConfig) { c.BatchSize = 0 }), "BatchSize is 0; want at least 1"},
		{"hops", g, Links{}, with(func(c *LinkConfig) { c.Hops = nil }), "want either"},
		{"lengths", g, Links{Src: []int32{1}}, fine, "links of 1 sources, 0 destinations"},
		{"type lengths", g, Links{Types: []int32{1}}, fine, "and 1 types"},
		{"source", g, Links{Src: []int32{0, 200}, Dst: []int32{0, 0}}, fine, "link 1: source 200 out of range [0, 200)"},
		{"destination", g, Links{Src: []int32{0}, Dst: []int32{-1}}, fine, "link 0: destination -1 out of range"},
		{"type", g, Links{Src: []int32{0}, Dst: []int32{1}, Types: []int32{-4}}, fine, "link 0: type -4"},
		{"type of no edge", typed, typeTwo, fine, "link 1: type 2 out of range [0, 2)"},
		{"type of no edge to avoid", untyped, typeTwo, with(func(c *LinkConfig) { c.Avoid = typed }), "the graph to avoid: link 1: type 2 out of range [0, 2)"},
		{"negatives", g, Links{}, with(func(c *LinkConfig) { c.Negatives = -1 }), "-1 negatives"},
		{"many negatives", g, Links{Src: make([]int32, 3), Dst: make([]int32, 3)}, with(func(c *LinkConfig) { c.BatchSize, c.Negatives = 2, math.MaxInt32/2 }), "1073741823 negatives for each of the 2 links of a batch; together they may be 2147483647"},
		{"more negatives than integers", g, Links{Src: make([]int32, 1), Dst: make([]int32, 1)}, with(func(c *LinkConfig) { c.BatchSize, c.Negatives = math.MaxInt, math.MaxInt }), "negatives for each of the 1 links"},
		{"corruption", g, Links{}, with(func(c *LinkConfig) { c.Corrupt = 9 }), "of kind 9"},
		{"avoid bipartite", g, Links{}, with(func(c *LinkConfig) { c.Avoid = bipartite }), "the graph to avoid: "},
		{"avoid vertices", g, Links{}, with(func(c *LinkConfig) { c.Avoid = typed }), "the graph to avoid has 40 vertices, not 200"},
		{"avoid types", g, Links{Types: []int32{}}, with(func(c *LinkConfig) { c.Avoid = g }), "links have types, the edges to avoid have none"},
	} {
		if _, err := NewLinkLoader(tt.g, tt.links, tt.c); err == nil || !strings.HasPrefix(err.Error(), "data: NewLinkLoader: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}
