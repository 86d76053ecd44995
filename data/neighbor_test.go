// Tests of neighbour sampling.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// loaderGraphs are graphs of all kinds: no edges, isolated vertices, loops,
// duplicates, a hub, with types and without.
func loaderGraphs(t testing.TB) map[string]*graph.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 9))
	ids := func(n, limit int) []int32 {
		out := make([]int32, n)
		for i := range out {
			out[i] = int32(r.IntN(limit))
		}
		return out
	}
	out := map[string]*graph.Graph{}
	add := func(name string, n int, src, dst []int32, opts ...graph.Option) {
		g, err := graph.New(n, src, dst, opts...)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = g
	}
	add("one vertex", 1, nil, nil)
	add("no edges", 9, nil, nil)
	add("loops", 3, []int32{0, 0, 1}, []int32{0, 0, 1})
	add("sparse", 200, ids(150, 200), ids(150, 200))
	add("dense", 30, ids(900, 30), ids(900, 30))
	add("hub", 300, ids(900, 300), slices.Concat(make([]int32, 600), ids(300, 300)))
	add("typed", 100, ids(800, 100), ids(800, 100), graph.WithEdgeTypes(ids(800, 3), 5), graph.WithVertexTypes(ids(100, 2), 3))
	add("edge types", 40, ids(300, 40), ids(300, 40), graph.WithEdgeTypes(ids(300, 2), 2))
	return out
}

func everyVertex(g *graph.Graph) []int32 { return iotaIDs(g.NumVertices()) }

// checkBatch holds a batch against what is said of it.
func checkBatch(t *testing.T, g *graph.Graph, f Fanout, b *Batch, seeds []int32) {
	t.Helper()
	hops := max(len(f.Hops), len(f.HopsByType))
	if !slices.Equal(b.Seeds, seeds) || len(b.Blocks) != hops || len(b.Edges) != hops {
		t.Fatalf("seeds %v, %d blocks; want %v, %d", b.Seeds, len(b.Blocks), seeds, hops)
	}
	seen := map[int32]bool{}
	for _, v := range b.Vertices {
		if seen[v] {
			t.Fatalf("vertex %d comes twice", v)
		}
		seen[v] = true
	}
	numDst := len(seeds)
	if !slices.Equal(b.Vertices[:numDst], seeds) {
		t.Fatal("the first vertices are not the seeds")
	}
	for hop := range hops {
		block, edges := b.Blocks[hops-1-hop], b.Edges[hops-1-hop]
		if !block.IsBipartite() || block.NumDst() != numDst || len(edges) != block.NumEdges() {
			t.Fatalf("hop %d: %v with %d edge ids, want %d destinations", hop, block, len(edges), numDst)
		}
		if g.EdgeTypes() == nil && !block.In().IDsInOrder() {
			t.Errorf("hop %d: edges are not in the order of destinations, in which sums read what they have", hop)
		}
		reached := numDst
		drawn := map[int32]bool{}
		for i, e := range edges {
			u, v := block.Src()[i], block.Dst()[i]
			if b.Vertices[u] != g.Src()[e] || b.Vertices[v] != g.Dst()[e] {
				t.Fatalf("hop %d: edge %d does not join what it joins in the graph", hop, e)
			}
			if g.EdgeTypes() != nil && block.EdgeTypes()[i] != g.EdgeTypes()[e] {
				t.Fatalf("hop %d: edge %d has another type", hop, e)
			}
			if drawn[e] && !f.Replace {
				t.Fatalf("hop %d: edge %d is drawn twice", hop, e)
			}
			drawn[e] = true
			reached = max(reached, int(u)+1)
		}
		if block.NumSrc() != reached {
			t.Fatalf("hop %d: %d sources, %d are destinations or have edges", hop, block.NumSrc(), reached)
		}
		if block.NumEdgeTypes() != g.NumEdgeTypes() || block.NumSrcTypes() != g.NumVertexTypes() || block.NumDstTypes() != g.NumVertexTypes() {
			t.Fatalf("hop %d: other numbers of types", hop)
		}
		if g.VertexTypes() != nil {
			for i, v := range b.Vertices[:block.NumSrc()] {
				if block.SrcTypes()[i] != g.VertexTypes()[v] || i < numDst && block.DstTypes()[i] != g.VertexTypes()[v] {
					t.Fatalf("hop %d: vertex %d has another type", hop, v)
				}
			}
		}
		for v := range numDst {
			_, ids := block.In().Row(v)
			_, all := g.In().Row(int(b.Vertices[v]))
			checkDrawn(t, g, f, hop, edgesAt(edges, ids), all)
		}
		numDst = reached
	}
	if len(b.Vertices) != numDst {
		t.Fatalf("%d vertices, the blocks have %d", len(b.Vertices), numDst)
	}
}

func edgesAt(edges, index []int32) []int32 { return valuesAt(edges, index) }

// checkDrawn checks how many edges were drawn of all edges of a row.
func checkDrawn(t *testing.T, g *graph.Graph, f Fanout, hop int, drawn, all []int32) {
	t.Helper()
	if f.HopsByType == nil {
		checkCount(t, f.Hops[hop], f.Replace, drawn, all)
		return
	}
	for typ, k := range f.HopsByType[hop] {
		of := func(edges []int32) (out []int32) {
			for _, e := range edges {
				if g.EdgeTypes()[e] == int32(typ) {
					out = append(out, e)
				}
			}
			return out
		}
		checkCount(t, k, f.Replace, of(drawn), of(all))
	}
}

func checkCount(t *testing.T, k int, replace bool, drawn, all []int32) {
	t.Helper()
	switch {
	case k < 0 || !replace && len(all) <= k:
		if !slices.Equal(drawn, all) { // also in their order
			t.Fatalf("edges %v, want all: %v", drawn, all)
		}
	case len(all) == 0:
		if len(drawn) != 0 {
			t.Fatalf("edges %v of none", drawn)
		}
	case len(drawn) != k:
		t.Fatalf("%d edges of %d, want %d", len(drawn), len(all), k)
	}
}

func fanouts(g *graph.Graph) []Fanout {
	out := []Fanout{{Hops: []int{}}, {Hops: []int{3}}, {Hops: []int{2, 5, 1}}, {Hops: []int{-1, 4}}, {Hops: []int{0, 7}}, {Hops: []int{4, -1, 2}, Replace: true}, {Hops: []int{64, 65}}}
	if n := g.NumEdgeTypes(); n > 0 {
		byType := [][]int{make([]int, n), make([]int, n)}
		for t := range n {
			byType[0][t], byType[1][t] = t, 2-t%4
		}
		out = append(out, Fanout{HopsByType: byType}, Fanout{HopsByType: byType, Replace: true})
	}
	return out
}

func TestBlocksAreWhatTheyAreSaidToBe(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		for _, f := range fanouts(g) {
			t.Run(fmt.Sprintf("%s %+v", name, f), func(t *testing.T) {
				c := NeighborConfig{Loading{BatchSize: 7, Seed: 5, Workers: 2}, f}
				l, err := NewNeighborLoader(g, everyVertex(g), c)
				if err != nil {
					t.Fatal(err)
				}
				at := 0
				for b, err := range l.Epoch(t.Context(), 1) {
					if err != nil {
						t.Fatal(err)
					}
					end := min(at+7, g.NumVertices())
					if b.Index != at/7 {
						t.Errorf("batch %d comes as %d", at/7, b.Index)
					}
					checkBatch(t, g, f, b, everyVertex(g)[at:end])
					at = end
				}
				if at != g.NumVertices() || l.Len() != (at+6)/7 {
					t.Errorf("%d of %d seeds in %d batches", at, g.NumVertices(), l.Len())
				}
			})
		}
	}
}

func sameLists(a, b [][]int32) bool { return slices.EqualFunc(a, b, slices.Equal) }

// listsOf are all lists of a batch.
func listsOf(b *Batch) [][]int32 {
	out := [][]int32{b.Seeds, b.Vertices}
	for i, block := range b.Blocks {
		out = append(out, b.Edges[i], block.Src(), block.Dst(), block.EdgeTypes(), block.SrcTypes(), block.DstTypes())
	}
	return out
}

// TestBlocksComeWithTheirEdgesListed counts what it takes to ask one fresh block after the other
// for its edges by destination.
func TestBlocksComeWithTheirEdgesListed(t *testing.T) {
	loading, fanout := Loading{BatchSize: 2}, Fanout{Hops: []int{3, 2}}
	for name, g := range loaderGraphs(t) {
		vertices, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{loading, fanout})
		if err != nil {
			t.Fatal(err)
		}
		links, err := NewLinkLoader(g, LinksOf(g), LinkConfig{Loading: loading, Fanout: fanout, HidePositives: true})
		if err != nil {
			t.Fatal(err)
		}
		var ofVertices, ofLinks []*graph.Graph
		for b, err := range vertices.Epoch(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			ofVertices = append(ofVertices, b.Blocks...)
		}
		for b, err := range links.Epoch(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			ofLinks = append(ofLinks, b.Blocks...)
		}
		for loader, blocks := range map[string][]*graph.Graph{"NeighborLoader": ofVertices, "LinkLoader": ofLinks} {
			if len(blocks) < 10 {
				continue // so many are asked
			}
			if n := numtest.Allocations(1, func() {
				blocks[0].In()
				blocks = blocks[1:]
			}); n > 0 {
				t.Errorf("%s, %s: %v allocations for the edges of a block", name, loader, n)
			}
		}
	}
}

func TestBatchesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		for _, f := range fanouts(g) {
			var want [][][]int32
			for _, workers := range []int{1, 2, 8} {
				l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 6, Shuffle: true, Seed: 7, Workers: workers, Prefetch: workers % 3}, f})
				if err != nil {
					t.Fatal(err)
				}
				var got [][][]int32
				for b, err := range l.Epoch(t.Context(), 3) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, listsOf(b))
				}
				if workers == 1 {
					want = got
				} else if !slices.EqualFunc(got, want, sameLists) {
					t.Errorf("%s, %+v: other batches with %d workers", name, f, workers)
				}
			}
		}
	}
}

func TestSamplesDifferBetweenEpochsBatchesHopsAndSeeds(t *testing.T) {
	g := loaderGraphs(t)["dense"]
	draw := func(seed uint64, epoch int) (lists [][]int32) {
		l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 15, Seed: seed}, Fanout{Hops: []int{5, 5}}})
		if err != nil {
			t.Fatal(err)
		}
		for b, err := range l.Epoch(t.Context(), epoch) {
			if err != nil {
				t.Fatal(err)
			}
			for hop := range 2 { // of vertex 29, a seed of the second batch
				block, at := b.Blocks[1-hop], slices.Index(b.Vertices[:b.Blocks[1-hop].NumDst()], 29)
				if at < 0 {
					continue
				}
				_, ids := block.In().Row(at)
				lists = append(lists, valuesAt(b.Edges[1-hop], ids))
			}
		}
		return lists
	}
	var all [][]int32
	for seed := range uint64(3) {
		for epoch := range 3 {
			all = append(all, draw(seed, epoch)...)
		}
	}
	if len(all) < 24 {
		t.Fatalf("vertex 29 was sampled %d times", len(all))
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if slices.Equal(a, b) {
				t.Fatalf("the same edges %v were drawn twice", a)
			}
		}
	}
}

// chiSquare fails the test if counts are not what even chances give; limit is the
// 0.999 quantile for one degree of freedom less than there are counts.
func chiSquare(t *testing.T, counts []float64) {
	t.Helper()
	var sum, chi2 float64
	for _, c := range counts {
		sum += c
	}
	expected := sum / float64(len(counts))
	for _, c := range counts {
		chi2 += (c - expected) * (c - expected) / expected
	}
	k := float64(len(counts) - 1)
	const z = 3.09 // of the normal distribution
	limit := k * math.Pow(1-2/(9*k)+z*math.Sqrt(2/(9*k)), 3)
	if chi2 > limit {
		t.Errorf("chi-square %v of %d counts around %v, at most %v", chi2, len(counts), expected, limit)
	}
}

// TestSetsAreDrawnEvenly counts all sets of k of n edges.
func TestSetsAreDrawnEvenly(t *testing.T) {
	for _, tt := range []struct{ n, k, sets int }{{5, 1, 5}, {6, 3, 20}, {7, 6, 7}, {70, 2, 2415}} {
		src := iotaIDs(tt.n)
		g, err := graph.New(tt.n, src, make([]int32, tt.n))
		if err != nil {
			t.Fatal(err)
		}
		s := newSampler(g, fans{hops: [][]int{{tt.k}}})
		counts := map[string]float64{}
		for i := range min(100*tt.sets, 50_000) {
			b := s.sample([]int32{0}, rng.Hash(1, uint64(i)))
			counts[fmt.Sprint(slices.Sorted(slices.Values(b.Edges[0])))]++
		}
		if len(counts) != tt.sets {
			t.Errorf("%d of %d: %d sets, want %d", tt.k, tt.n, len(counts), tt.sets)
		}
		var list []float64
		for _, c := range counts {
			list = append(list, c)
		}
		chiSquare(t, list)
	}
}

// TestDrawsWithReplacementAreEvenAndIndependent counts all pairs of draws.
func TestDrawsWithReplacementAreEvenAndIndependent(t *testing.T) {
	const n = 9
	g, err := graph.New(n, iotaIDs(n), make([]int32, n))
	if err != nil {
		t.Fatal(err)
	}
	s := newSampler(g, fans{hops: [][]int{{2}}, replace: true})
	counts := make([]float64, n*n)
	for i := range 100 * n * n {
		b := s.sample([]int32{0}, rng.Hash(2, uint64(i)))
		counts[b.Edges[0][0]*n+b.Edges[0][1]]++
	}
	chiSquare(t, counts)
}

// TestNeighboursOfOneBatchAreIndependent counts pairs of what is drawn for two
// vertices.
func TestNeighboursOfOneBatchAreIndependent(t *testing.T) {
	const n = 6
	var src, dst []int32
	for i := range int32(n) {
		src, dst = append(src, i, i), append(dst, 0, 1)
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	s := newSampler(g, fans{hops: [][]int{{1}}})
	counts := make([]float64, n*n)
	for i := range 200 * n * n {
		b := s.sample([]int32{0, 1}, rng.Hash(3, uint64(i)))
		counts[g.Src()[b.Edges[0][0]]*n+g.Src()[b.Edges[0][1]]]++
	}
	chiSquare(t, counts)
}

// TestTypesOfOneVertexAreIndependent counts pairs of what is drawn of two types.
func TestTypesOfOneVertexAreIndependent(t *testing.T) {
	const n = 6
	types := slices.Concat(make([]int32, n), slices.Repeat([]int32{1}, n))
	g, err := graph.New(2*n, iotaIDs(2*n), make([]int32, 2*n), graph.WithEdgeTypes(types, 2))
	if err != nil {
		t.Fatal(err)
	}
	s := newSampler(g, fans{hops: [][]int{{1, 1}}, byType: true})
	counts := make([]float64, n*n)
	for i := range 200 * n * n {
		e := s.sample([]int32{0}, rng.Hash(4, uint64(i))).Edges[0]
		counts[e[0]*n+e[1]-n]++
	}
	chiSquare(t, counts)
}

func TestIsolatedSeedsHaveNoEdges(t *testing.T) {
	g, err := graph.New(5, []int32{0}, []int32{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, replace := range []bool{false, true} {
		l, err := NewNeighborLoader(g, []int32{4, 0, 2}, NeighborConfig{Loading{BatchSize: 3}, Fanout{Hops: []int{3, 3}, Replace: replace}})
		if err != nil {
			t.Fatal(err)
		}
		for b, err := range l.Epoch(t.Context(), 0) {
			if err != nil || !slices.Equal(b.Vertices, []int32{4, 0, 2}) || b.Blocks[0].NumEdges()+b.Blocks[1].NumEdges() != 0 {
				t.Errorf("%v, error %v", b, err)
			}
		}
	}
}

func TestEpochsShuffleAndDropTheLast(t *testing.T) {
	g := loaderGraphs(t)["sparse"]
	seedsOf := func(c Loading, epoch int) (seeds []int32, sizes []int) {
		l, err := NewNeighborLoader(g, everyVertex(g)[:50], NeighborConfig{c, Fanout{Hops: []int{2}}})
		if err != nil {
			t.Fatal(err)
		}
		for b, err := range l.Epoch(t.Context(), epoch) {
			if err != nil {
				t.Fatal(err)
			}
			seeds, sizes = append(seeds, b.Seeds...), append(sizes, len(b.Seeds))
		}
		if len(sizes) != l.Len() {
			t.Errorf("%d batches, Len is %d", len(sizes), l.Len())
		}
		return seeds, sizes
	}
	c := Loading{BatchSize: 20, Shuffle: true, Seed: 1}
	first, sizes := seedsOf(c, 0)
	second, _ := seedsOf(c, 1)
	if slices.Equal(first, second) || !slices.Equal(slices.Sorted(slices.Values(first)), iotaIDs(50)) || !slices.Equal(sizes, []int{20, 20, 10}) {
		t.Errorf("epochs %v and %v in batches of %v", first, second, sizes)
	}
	c.DropLast = true
	if dropped, sizes := seedsOf(c, 0); !slices.Equal(dropped, first[:40]) || !slices.Equal(sizes, []int{20, 20}) {
		t.Errorf("dropped to %v in batches of %v", dropped, sizes)
	}
}

func TestFeaturesComeWithTheBatch(t *testing.T) {
	g := loaderGraphs(t)["sparse"]
	n := g.NumVertices()
	x := DenseFeatures(tensor.Randn(tensor.Float32, 1, n, 3))
	l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 30, Shuffle: true, Workers: 3, Features: x}, Fanout{Hops: []int{2, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for b, err := range l.Epoch(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		want := tensor.IndexSelect(x.Dense(), b.Vertices)
		if !slices.Equal(b.Features.Dense().Float64s(), want.Float64s()) {
			t.Errorf("batch %d has other features", b.Index)
		}
	}
}

// Who tries several fan-outs writes each over the one before.
func TestALoaderHasTheFanOutThatItWasMadeWith(t *testing.T) {
	g := loaderGraphs(t)["edge types"]
	for name, f := range map[string]Fanout{"one number": {Hops: []int{2}}, "a number for each type": {HopsByType: [][]int{{2, 1}}}} {
		l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 40}, f})
		if err != nil {
			t.Fatal(err)
		}
		edges := func() (n int) {
			for b, err := range l.Epoch(t.Context(), 0) {
				if err != nil {
					t.Fatal(err)
				}
				n += b.Blocks[0].NumEdges()
			}
			return n
		}
		before := edges()
		for _, numbers := range append(f.HopsByType, f.Hops) {
			clear(numbers)
		}
		if after := edges(); after != before {
			t.Errorf("%s: %d edges after the list was written to, %d before", name, after, before)
		}
	}
}

func TestLabelsAreThoseOfTheSeeds(t *testing.T) {
	b := Batch{Seeds: []int32{2, 0}, Vertices: []int32{2, 0, 1}}
	if got := b.Labels([]int32{7, 8, 9}); !slices.Equal(got, []int32{9, 7}) {
		t.Errorf("of a batch: %v", got)
	}
	c := ClusterBatch{Vertices: []int32{2, 0, 1}}
	if got := c.Labels([]int32{7, 8, 9}); !slices.Equal(got, []int32{9, 7, 8}) {
		t.Errorf("of clusters: %v", got)
	}
}

func TestNewNeighborLoaderRejectsWhatMakesNoSense(t *testing.T) {
	all := loaderGraphs(t)
	plain, typed := all["sparse"], all["edge types"]
	bipartite, err := graph.NewBipartite(2, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	size, hops := Loading{BatchSize: 2}, Fanout{Hops: []int{2}}
	for _, tt := range []struct {
		name  string
		g     *graph.Graph
		seeds []int32
		c     NeighborConfig
		want  string
	}{
		{"nil", nil, nil, NeighborConfig{size, hops}, "the graph is nil"},
		{"bipartite", bipartite, nil, NeighborConfig{size, hops}, "bipartite"},
		{"batch size", plain, nil, NeighborConfig{Loading{}, hops}, "BatchSize is 0; want at least 1"},
		{"workers", plain, nil, NeighborConfig{Loading{BatchSize: 1, Workers: -1}, hops}, "-1 workers"},
		{"prefetch", plain, nil, NeighborConfig{Loading{BatchSize: 1, Prefetch: -2}, hops}, "prefetch -2"},
		{"features", plain, nil, NeighborConfig{Loading{BatchSize: 1, Features: IdentityFeatures(3)}, hops}, "3 rows of features for 200 vertices"},
		{"no hops", plain, nil, NeighborConfig{size, Fanout{}}, "want either Hops or HopsByType"},
		{"both hops", typed, nil, NeighborConfig{size, Fanout{Hops: []int{1}, HopsByType: [][]int{{1, 1}}}}, "want either Hops or HopsByType"},
		{"negative", plain, nil, NeighborConfig{size, Fanout{Hops: []int{3, -2}}}, "hop 1 takes -2 edges"},
		{"no types", plain, nil, NeighborConfig{size, Fanout{HopsByType: [][]int{{1}}}}, "numbers for 1 types of edges, the graph has 0 types"},
		{"types", typed, nil, NeighborConfig{size, Fanout{HopsByType: [][]int{{1, 1}, {1}}}}, "hop 1 has numbers for 1 types of edges, the graph has 2 types"},
		{"no seeds", plain, nil, NeighborConfig{size, hops}, "the seeds are nil: list all vertices to load all, or give []int32{} to load none"},
		{"range", plain, []int32{0, 200}, NeighborConfig{size, hops}, "seed 1: vertex 200 out of range [0, 200)"},
		{"below", plain, []int32{-1}, NeighborConfig{size, hops}, "seed 0: vertex -1 out of range"},
		{"twice", plain, []int32{5, 4, 5}, NeighborConfig{size, hops}, "seed 2: vertex 5 is a seed already"},
	} {
		if _, err := NewNeighborLoader(tt.g, tt.seeds, tt.c); err == nil || !strings.HasPrefix(err.Error(), "data: NewNeighborLoader: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	var misuse *graph.BipartiteError
	if _, err := NewNeighborLoader(bipartite, nil, NeighborConfig{size, hops}); !errors.As(err, &misuse) {
		t.Errorf("error %v does not wrap a *BipartiteError", err)
	}
}

func TestCancellingAnEpochStopsItsWorkers(t *testing.T) {
	g := loaderGraphs(t)["hub"]
	l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 1, Workers: 4}, Fanout{Hops: []int{5, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	noLeak(t, func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		for _, err := range l.Epoch(ctx, 0) {
			if n++; n == 3 {
				cancel()
			} else if n > 3 && !errors.Is(err, context.Canceled) {
				t.Errorf("batch %d after the cancellation, error %v", n, err)
			}
		}
		if n != 4 {
			t.Errorf("%d batches and errors, want 3 and 1", n)
		}
	})
	noLeak(t, func() {
		for range l.Epoch(t.Context(), 0) {
			break
		}
	})
}

func TestTheLastErrorOfAnEpochIsTheCauseOfItsEnd(t *testing.T) {
	g := loaderGraphs(t)["hub"]
	l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 1, Workers: 2}, Fanout{Hops: []int{5}}})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	for name, c := range map[string]struct {
		end  func(ctx context.Context) (context.Context, func())
		want error
	}{
		"a cause": {func(ctx context.Context) (context.Context, func()) {
			ctx, end := context.WithCancelCause(ctx)
			return ctx, func() { end(full) }
		}, full},
		"no cause": {func(ctx context.Context) (context.Context, func()) {
			ctx, end := context.WithCancel(ctx)
			return ctx, end
		}, context.Canceled},
		"of a child": {func(ctx context.Context) (context.Context, func()) {
			parent, end := context.WithCancelCause(ctx)
			child, stop := context.WithCancel(parent)
			t.Cleanup(stop)
			return child, func() { end(full) }
		}, full},
	} {
		ctx, end := c.end(t.Context())
		var last error
		for _, err := range l.Epoch(ctx, 0) {
			if last = err; err == nil {
				end()
			}
		}
		if !errors.Is(last, c.want) {
			t.Errorf("%s: the last error is %v, want %v", name, last, c.want)
		}
	}
}

func TestEpochsOfOneLoaderRunAtOnce(t *testing.T) {
	g := loaderGraphs(t)["typed"]
	l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 9, Workers: 2}, Fanout{Hops: []int{3, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	var all [2][][][]int32
	done := make(chan struct{})
	collect := func(k int) {
		for b, err := range l.Epoch(t.Context(), 0) {
			if err != nil {
				t.Error(err)
				return
			}
			all[k] = append(all[k], listsOf(b))
		}
	}
	go func() { defer close(done); collect(1) }()
	collect(0)
	<-done
	if !slices.EqualFunc(all[0], all[1], sameLists) {
		t.Error("the same epoch has other batches")
	}
}

// TestSamplingAllocatesForEachBlockNotForEachEdge compares batches of few and of
// many edges.
func TestSamplingAllocatesForEachBlockNotForEachEdge(t *testing.T) {
	g, err := RMAT(RMATConfig{Vertices: 2000, Edges: 60_000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 100} {
		s := newSampler(g, fans{hops: [][]int{{k}, {k}}})
		s.sample(everyVertex(g)[:500], 1) // scratch grows
		if n := numtest.Allocations(5, func() { s.sample(everyVertex(g)[:500], 1) }); n > 25 {
			t.Errorf("fan-out %d: %v allocations", k, n)
		}
	}
}

func BenchmarkNeighborLoader(b *testing.B) {
	g, err := RMAT(RMATConfig{Vertices: 200_000, Edges: 4_000_000, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			l, err := NewNeighborLoader(g, everyVertex(g), NeighborConfig{Loading{BatchSize: 1024, Shuffle: true, Workers: workers}, Fanout{Hops: []int{15, 10}}})
			if err != nil {
				b.Fatal(err)
			}
			next, stop := iter.Pull2(func(yield func(*Batch, error) bool) {
				for epoch := 0; ; epoch++ {
					for x, err := range l.Epoch(context.Background(), epoch) {
						if !yield(x, err) {
							return
						}
					}
				}
			})
			defer stop()
			for b.Loop() {
				if _, err, _ := next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewPartition(b *testing.B) {
	g, err := RMAT(RMATConfig{Vertices: 100_000, Edges: 1_000_000, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := NewPartition(g, PartitionConfig{Parts: 50}); err != nil {
			b.Fatal(err)
		}
	}
}
