// Tests of batches of the links of a relation.

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
	"github.com/asterias-ml/asterias/tensor"
)

var (
	rates   = graph.EdgeType{Src: "user", Name: "rates", Dst: "movie"}
	ratedBy = graph.EdgeType{Src: "movie", Name: "rated_by", Dst: "user"}
	wants   = graph.EdgeType{Src: "user", Name: "wants", Dst: "movie"}
	follows = graph.EdgeType{Src: "user", Name: "follows", Dst: "user"}
	has     = graph.EdgeType{Src: "movie", Name: "has", Dst: "tag"}
	of      = graph.EdgeType{Src: "tag", Name: "of", Dst: "movie"}
	unused  = graph.EdgeType{Src: "tag", Name: "unused", Dst: "user"}
)

// filmGraph has copies of edges, loops, vertices without edges, a type without vertices
// and a relation without edges. A relation stands before its inverse or after it.
func filmGraph(t testing.TB, inverseFirst bool) *graph.Hetero {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	size := map[string]int{"tag": 7, "user": 40, "nobody": 0, "movie": 25}
	var b graph.HeteroBuilder
	for _, name := range []string{"tag", "user", "nobody", "movie"} {
		b.Vertices(name, size[name])
	}
	ids := func(n, limit int) []int32 {
		out := make([]int32, n)
		for i := range out {
			out[i] = int32(r.IntN(limit))
		}
		return out
	}
	edges := func(e graph.EdgeType, n int) (src, dst []int32) {
		src, dst = ids(n, size[e.Src]), ids(n, size[e.Dst])
		b.Edges(e, src, dst)
		return src, dst
	}
	users, movies := ids(300, 39), ids(300, 24)
	perm := r.Perm(300)
	back := func() { // in another order
		var src, dst []int32
		for _, e := range perm {
			src, dst = append(src, movies[e]), append(dst, users[e])
		}
		b.Edges(ratedBy, src, dst)
	}
	if inverseFirst {
		back()
	}
	edges(follows, 90)
	b.Edges(rates, users, movies)
	edges(has, 60)
	edges(unused, 0)
	edges(wants, 120)
	if !inverseFirst {
		back()
	}
	edges(of, 50)
	h, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func heteroLoader(t testing.TB, h *graph.Hetero, relation graph.EdgeType, links Links, c HeteroLinkConfig) *HeteroLinkLoader {
	t.Helper()
	l, err := NewHeteroLinkLoader(h, relation, links, c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func heteroBatches(t testing.TB, l *HeteroLinkLoader, epoch int) (all []*HeteroLinkBatch) {
	t.Helper()
	for b, err := range l.Epoch(t.Context(), epoch) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// numbered numbers vertices among those of their type.
func numbered(types []int32) []int {
	seen := map[int32]int{}
	out := make([]int, len(types))
	for i, t := range types {
		out[i] = seen[t]
		seen[t]++
	}
	return out
}

func ofType(types []int32, t int) (n int) {
	for _, x := range types {
		if int(x) == t {
			n++
		}
	}
	return n
}

// checkHeteroBatch holds the blocks of a batch against the graph; hidden tells edges that
// are not to be in a block.
func checkHeteroBatch(t *testing.T, h *graph.Hetero, f HeteroFanout, b *HeteroBatch, hidden func(e graph.EdgeType, src, dst int32) bool) {
	t.Helper()
	if len(b.Blocks) != len(f.Hops) || len(b.Edges) != len(f.Hops) {
		t.Fatalf("%d blocks and %d lists of edges for %d hops", len(b.Blocks), len(b.Edges), len(f.Hops))
	}
	for _, name := range h.VertexTypes() {
		seeds, vertices := b.Seeds[name], b.Vertices[name]
		if seeds == nil || vertices == nil || len(seeds) > len(vertices) || !slices.Equal(seeds, vertices[:len(seeds)]) {
			t.Fatalf("%s: seeds %v are not the first vertices %v", name, seeds, vertices)
		}
		sorted := slices.Sorted(slices.Values(vertices))
		if len(slices.Compact(sorted)) != len(vertices) || len(vertices) > 0 && (sorted[0] < 0 || int(sorted[len(vertices)-1]) >= h.NumVertices(name)) {
			t.Fatalf("%s: vertices %v", name, vertices)
		}
	}
	for i, block := range b.Blocks {
		hop := len(f.Hops) - 1 - i
		for typ, name := range h.VertexTypes() {
			src, dst := ofType(block.SrcTypes(), typ), ofType(block.DstTypes(), typ)
			if i == 0 && src != len(b.Vertices[name]) || hop == 0 && dst != len(b.Seeds[name]) || i > 0 && src != ofType(b.Blocks[i-1].DstTypes(), typ) {
				t.Fatalf("block %d has %d sources and %d destinations of type %s", i, src, dst, name)
			}
		}
		src, dst := numbered(block.SrcTypes()), numbered(block.DstTypes())
		type end struct {
			relation graph.EdgeType
			dst      int32
		}
		drawn, at := map[end][]int32{}, map[graph.EdgeType]int{}
		for e, r := range block.EdgeTypes() {
			relation := h.EdgeTypes()[r]
			from, to := block.SrcTypes()[block.Src()[e]], block.DstTypes()[block.Dst()[e]]
			if h.VertexTypes()[from] != relation.Src || h.VertexTypes()[to] != relation.Dst {
				t.Fatalf("block %d: edge %d of %v leads from %d to %d", i, e, relation, from, to)
			}
			id, whole := b.Edges[i][relation][at[relation]], h.Relation(relation)
			at[relation]++
			u, v := b.Vertices[relation.Src][src[block.Src()[e]]], b.Vertices[relation.Dst][dst[block.Dst()[e]]]
			if whole.Src()[id] != u || whole.Dst()[id] != v {
				t.Fatalf("block %d: edge %d of %v joins %d and %d", i, id, relation, u, v)
			}
			drawn[end{relation, v}] = append(drawn[end{relation, v}], id)
		}
		for _, relation := range h.EdgeTypes() {
			if len(b.Edges[i][relation]) != at[relation] || b.Edges[i][relation] == nil {
				t.Fatalf("block %d: %d edges of %v, want %d", i, len(b.Edges[i][relation]), relation, at[relation])
			}
			numbers := f.Hops
			if own, ok := f.HopsOf[relation]; ok {
				numbers = own
			}
			whole, to := h.Relation(relation), slices.Index(h.VertexTypes(), relation.Dst)
			for _, v := range b.Vertices[relation.Dst][:ofType(block.DstTypes(), to)] {
				var all []int32
				sources, ids := whole.In().Row(int(v))
				for i, e := range ids {
					if !hidden(relation, sources[i], v) {
						all = append(all, e)
					}
				}
				checkCount(t, numbers[hop], f.Replace, drawn[end{relation, v}], all)
			}
		}
	}
}

func nothingHidden(graph.EdgeType, int32, int32) bool { return false }

// checkHeteroLinks holds the links of a batch against the loader's.
func checkHeteroLinks(t *testing.T, h *graph.Hetero, relation graph.EdgeType, links Links, c HeteroLinkConfig, b *HeteroLinkBatch) {
	t.Helper()
	n := len(b.Links)
	if len(b.Src) != n*(1+c.Negatives) || len(b.Dst) != len(b.Src) || len(b.Labels) != len(b.Src) {
		t.Fatalf("%d sources, %d destinations, %d labels for %d links", len(b.Src), len(b.Dst), len(b.Labels), n)
	}
	used := map[string]map[int32]bool{relation.Src: {}, relation.Dst: {}}
	for i := range b.Src {
		used[relation.Src][b.Src[i]], used[relation.Dst][b.Dst[i]] = true, true
		got := [2]int32{b.Seeds[relation.Src][b.Src[i]], b.Seeds[relation.Dst][b.Dst[i]]}
		of := b.Links[i%n]
		if i >= n {
			of = b.Links[(i-n)/c.Negatives]
		}
		want := [2]int32{links.Src[of], links.Dst[of]}
		if i < n {
			if got != want || b.Labels[i] != 1 {
				t.Fatalf("true link %d is %v with label %v, want %v", of, got, b.Labels[i], want)
			}
			continue
		}
		sameSrc, sameDst := got[0] == want[0], got[1] == want[1]
		if c.Corrupt == CorruptSrc && !sameDst || c.Corrupt == CorruptDst && !sameSrc || c.Corrupt == CorruptEither && !sameSrc && !sameDst || sameSrc && sameDst || b.Labels[i] != 0 {
			t.Fatalf("false link %v of %v, corruption %d, label %v", got, want, c.Corrupt, b.Labels[i])
		}
		if c.Avoid != nil && naiveHas(c.Avoid, link{src: got[0], dst: got[1]}, false) {
			t.Fatalf("false link %v is an edge to avoid", got)
		}
	}
	for _, name := range h.VertexTypes() {
		if len(used[name]) != len(b.Seeds[name]) {
			t.Fatalf("%d seeds of type %s, %d are ends of links", len(b.Seeds[name]), name, len(used[name]))
		}
	}
}

func TestLinksOfARelationAreWhatTheyAreSaidToBe(t *testing.T) {
	for _, inverseFirst := range []bool{false, true} {
		h := filmGraph(t, inverseFirst)
		for _, relation := range []graph.EdgeType{rates, ratedBy, follows, has} {
			links := LinksOf(h.Relation(relation))
			for _, f := range []HeteroFanout{
				{Hops: []int{}},
				{Hops: []int{3, 2}},
				{Hops: []int{-1, 2, 0}},
				{Hops: []int{2, 4}, Replace: true},
				{Hops: []int{1, 0}, HopsOf: map[graph.EdgeType][]int{of: {-1, 3}, rates: {0, 2}, unused: {5, 5}}},
			} {
				for corrupt := CorruptEither; corrupt <= CorruptBoth; corrupt++ {
					c := HeteroLinkConfig{
						Loading: Loading{BatchSize: 13, Shuffle: true, Workers: 2, Seed: 2}, HeteroFanout: f,
						Negatives: int(corrupt), Corrupt: corrupt,
					}
					if corrupt%2 == 0 && relation != has { // of which there are tags that have all movies
						c.Avoid, c.Negatives = h.Relation(relation), 2
					}
					name := fmt.Sprintf("%v %v %v %d", inverseFirst, relation, f, corrupt)
					l := heteroLoader(t, h, relation, links, c)
					var all []int32
					for i, b := range heteroBatches(t, l, 3) {
						if b.Index != i {
							t.Errorf("%s: batch %d comes as %d", name, i, b.Index)
						}
						checkHeteroLinks(t, h, relation, links, c, b)
						checkHeteroBatch(t, h, f, &b.HeteroBatch, nothingHidden)
						all = append(all, b.Links...)
					}
					slices.Sort(all)
					if !slices.Equal(all, iotaIDs(len(links.Src))) || l.Len() != (len(all)+12)/13 {
						t.Errorf("%s: an epoch of %d batches has links %v", name, l.Len(), all)
					}
				}
			}
		}
	}
}

func TestHiddenLinksOfARelationAreInNoBlockOfAnyRelation(t *testing.T) {
	h := filmGraph(t, false)
	f := HeteroFanout{Hops: []int{-1, -1}}
	for _, relation := range []graph.EdgeType{rates, follows} {
		links := LinksOf(h.Relation(relation))
		l := heteroLoader(t, h, relation, links, HeteroLinkConfig{
			Loading: Loading{BatchSize: 9, Workers: 2}, HeteroFanout: f, Negatives: 1, HidePositives: true,
		})
		hid := map[graph.EdgeType]int{}
		for _, b := range heteroBatches(t, l, 0) {
			type end struct {
				name string
				id   int32
			}
			pairs := map[[2]end]bool{}
			for _, at := range b.Links {
				u, v := end{relation.Src, links.Src[at]}, end{relation.Dst, links.Dst[at]}
				pairs[[2]end{u, v}], pairs[[2]end{v, u}] = true, true
			}
			checkHeteroBatch(t, h, f, &b.HeteroBatch, func(e graph.EdgeType, u, v int32) bool {
				if pairs[[2]end{{e.Src, u}, {e.Dst, v}}] {
					hid[e]++
					return true
				}
				return false
			})
		}
		if relation == rates && (hid[rates] == 0 || hid[ratedBy] == 0 || hid[wants] == 0) || hid[follows] == 0 && relation == follows {
			t.Errorf("links of %v hide edges %v", relation, hid)
		}
	}
}

func TestLinksOfARelationAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	h := filmGraph(t, false)
	features := map[string]Features{"movie": IdentityFeatures(25), "user": {}}
	epoch := func(workers, number int) (out []string) {
		l := heteroLoader(t, h, rates, LinksOf(h.Relation(rates)), HeteroLinkConfig{
			Loading: Loading{BatchSize: 9, Shuffle: true, Seed: 4, Workers: workers}, HeteroFanout: HeteroFanout{Hops: []int{3, 3}},
			Features: features, Negatives: 2, HidePositives: true,
		})
		for _, b := range heteroBatches(t, l, number) {
			out = append(out, fmt.Sprint(b.Index, b.Links, b.Src, b.Dst, b.Labels, b.Seeds, b.Vertices, b.Edges, b.Features["movie"].Sparse().Indices()))
			for _, block := range b.Blocks {
				out = append(out, fmt.Sprint(block.Src(), block.Dst(), block.EdgeTypes()))
			}
		}
		return out
	}
	want := epoch(1, 0)
	for _, workers := range []int{2, 8} {
		if !slices.Equal(epoch(workers, 0), want) {
			t.Errorf("other batches with %d workers", workers)
		}
	}
	if slices.Equal(epoch(2, 1), want) || !slices.Equal(epoch(2, 1), epoch(1, 1)) {
		t.Error("epoch 1 is epoch 0, or other batches with 2 workers")
	}
}

// TestLinksOfARelationAreThoseOfTheWholeGraph compares with a loader of the homogeneous view.
func TestLinksOfARelationAreThoseOfTheWholeGraph(t *testing.T) {
	h := filmGraph(t, true)
	view, links := h.Homogeneous(), LinksOf(h.Relation(rates))
	users, movies := view.VertexIDs[1], view.VertexIDs[3]
	byType := make([]int, len(h.EdgeTypes()))
	for i := range byType {
		byType[i] = 4
	}
	loading := Loading{BatchSize: 20, Shuffle: true, Seed: 7}
	whole, err := NewLinkLoader(view.Graph, Links{Src: valuesAt(users, links.Src), Dst: valuesAt(movies, links.Dst)}, LinkConfig{
		Loading: loading, Fanout: Fanout{HopsByType: [][]int{byType}}, Negatives: 1, Corrupt: CorruptBoth,
	})
	if err != nil {
		t.Fatal(err)
	}
	l := heteroLoader(t, h, rates, links, HeteroLinkConfig{Loading: loading, HeteroFanout: HeteroFanout{Hops: []int{4}}, Negatives: 1, Corrupt: CorruptBoth})
	batches := heteroBatches(t, l, 2)
	for want, err := range whole.Epoch(t.Context(), 2) {
		if err != nil {
			t.Fatal(err)
		}
		got := batches[want.Index]
		for i := range want.Src {
			if users[got.Seeds["user"][got.Src[i]]] != want.Seeds[want.Src[i]] || movies[got.Seeds["movie"][got.Dst[i]]] != want.Seeds[want.Dst[i]] {
				t.Fatalf("batch %d, link %d has other ends", want.Index, i)
			}
		}
		if !slices.Equal(got.Blocks[0].Src(), want.Blocks[0].Src()) {
			t.Fatalf("batch %d has another block", want.Index)
		}
	}
}

// TestFalseLinksOfARelationAreEven counts the movies, or pairs, that false links of one link
// have, and takes those that are to be avoided for impossible.
func TestFalseLinksOfARelationAreEven(t *testing.T) {
	h := filmGraph(t, false)
	r := h.Relation(rates)
	one := Links{Src: r.Src()[:1], Dst: r.Dst()[:1]}
	for _, tt := range []struct {
		corrupt Corruption
		pairs   func(u, v int32) bool // whether it may be drawn, if no edge
	}{
		{CorruptDst, func(u, v int32) bool { return u == one.Src[0] }},
		{CorruptSrc, func(u, v int32) bool { return v == one.Dst[0] }},
		{CorruptBoth, func(u, v int32) bool { return true }},
	} {
		want := 0
		for u := range int32(40) {
			for v := range int32(25) {
				if tt.pairs(u, v) && !naiveHas(r, link{src: u, dst: v}, false) {
					want++
				}
			}
		}
		l := heteroLoader(t, h, rates, one, HeteroLinkConfig{
			Loading: Loading{BatchSize: 1}, HeteroFanout: HeteroFanout{Hops: []int{}}, Negatives: 60_000, Corrupt: tt.corrupt, Avoid: r,
		})
		counts := map[[2]int32]float64{}
		for _, b := range heteroBatches(t, l, 0) {
			for i := 1; i < len(b.Src); i++ {
				counts[[2]int32{b.Seeds["user"][b.Src[i]], b.Seeds["movie"][b.Dst[i]]}]++
			}
		}
		var list []float64
		for _, n := range counts {
			list = append(list, n)
		}
		if len(list) != want {
			t.Errorf("corruption %d: %d different links, want %d", tt.corrupt, len(list), want)
		}
		chiSquare(t, list)
	}
}

func TestFeaturesOfBatchesAreThoseOfTheirVertices(t *testing.T) {
	h := filmGraph(t, false)
	tags := tensor.FromSlice([]float32{0, 1, 2, 3, 4, 5, 6}, 7, 1)
	l := heteroLoader(t, h, rates, LinksOf(h.Relation(rates)), HeteroLinkConfig{
		Loading: Loading{BatchSize: 50}, HeteroFanout: HeteroFanout{Hops: []int{2, 2}},
		Features: map[string]Features{"tag": DenseFeatures(tags), "movie": IdentityFeatures(25), "user": {}},
	})
	for _, b := range heteroBatches(t, l, 0) {
		if len(b.Features) != 2 {
			t.Fatalf("features of %d types, want 2", len(b.Features))
		}
		for i, v := range b.Vertices["tag"] {
			if got := b.Features["tag"].Dense().At(i, 0); got != float64(v) {
				t.Errorf("tag %d has feature %v", v, got)
			}
		}
		if got := b.Features["movie"].Sparse().Indices(); !slices.Equal(got, b.Vertices["movie"]) {
			t.Errorf("movies %v have features %v", b.Vertices["movie"], got)
		}
	}
}

func TestChancesOfARelationAreHowOftenBatchesHaveItsEnds(t *testing.T) {
	h := filmGraph(t, false)
	l := heteroLoader(t, h, rates, LinksOf(h.Relation(rates)), HeteroLinkConfig{
		Loading: Loading{BatchSize: 6, Shuffle: true}, HeteroFanout: HeteroFanout{Hops: []int{}}, Negatives: 1, Corrupt: CorruptDst,
	})
	counts := map[string][]float64{"user": make([]float64, 40), "movie": make([]float64, 25)}
	batches := 0.0
	for epoch := range 60 {
		for _, b := range heteroBatches(t, l, epoch) {
			batches++
			for name, of := range counts {
				for _, v := range b.Seeds[name] {
					of[v]++
				}
			}
		}
	}
	chance := l.LogChance()
	if len(chance["tag"]) != 7 || len(chance["nobody"]) != 0 || len(chance) != 4 || !math.IsInf(float64(chance["tag"][3]), -1) || !math.IsInf(float64(chance["user"][39]), -1) {
		t.Errorf("chances %v", chance)
	}
	for name, of := range counts {
		for v, n := range of {
			if want := math.Exp(float64(chance[name][v])); math.Abs(n/batches-want) > 0.05 {
				t.Errorf("%s %d is in %v of the batches, want %v", name, v, n/batches, want)
			}
		}
	}
}

func TestLeavingAnEpochOfARelationStopsItsWorkers(t *testing.T) {
	h := filmGraph(t, false)
	l := heteroLoader(t, h, rates, LinksOf(h.Relation(rates)), HeteroLinkConfig{
		Loading: Loading{BatchSize: 1, Workers: 4}, HeteroFanout: HeteroFanout{Hops: []int{5, 5}},
	})
	endsEarly(t, func(ctx context.Context) iter.Seq2[*HeteroLinkBatch, error] { return l.Epoch(ctx, 0) })
	full, err := new(graph.HeteroBuilder).Vertices("user", 3).Vertices("movie", 2).
		Edges(rates, []int32{2, 2, 0}, []int32{0, 1, 1}).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		avoid *graph.Graph
		links Links
		want  string
	}{
		{full.Relation(rates), Links{Src: []int32{0, 2}, Dst: []int32{1, 1}}, "data: HeteroLinkLoader: link 1, (2, 1): every false link in its place is an edge of Avoid"},
		{nil, Links{Src: []int32{2}, Dst: []int32{1}}, ""},
	} {
		l := heteroLoader(t, full, rates, tt.links, HeteroLinkConfig{
			Loading: Loading{BatchSize: 1}, HeteroFanout: HeteroFanout{Hops: []int{1}}, Negatives: 1, Corrupt: CorruptDst, Avoid: tt.avoid,
		})
		noLeak(t, func() {
			var last error
			for _, last = range l.Epoch(t.Context(), 0) {
			}
			if fmt.Sprint(last) != tt.want && (last != nil || tt.want != "") {
				t.Errorf("error %v, want %q", last, tt.want)
			}
		})
	}
}

func TestNewHeteroLinkLoaderRejectsWhatMakesNoSense(t *testing.T) {
	h := filmGraph(t, false)
	strange := graph.EdgeType{Src: "user", Name: "likes", Dst: "movie"}
	pairs := func(sources, destinations int) *graph.Graph {
		g, err := graph.NewBipartite(sources, destinations, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	fine := HeteroLinkConfig{Loading: Loading{BatchSize: 1}, HeteroFanout: HeteroFanout{Hops: []int{1}}}
	with := func(change func(c *HeteroLinkConfig)) HeteroLinkConfig {
		c := fine
		change(&c)
		return c
	}
	for _, tt := range []struct {
		name     string
		h        *graph.Hetero
		relation graph.EdgeType
		links    Links
		c        HeteroLinkConfig
		want     string
		unknown  bool
	}{
		{"nil", nil, rates, Links{}, fine, "the graph is nil", false},
		{"relation", h, strange, Links{}, fine, "graph: links: no type (user, likes, movie); the graph has", true},
		{"types", h, rates, Links{Types: []int32{}}, fine, "links of (user, rates, movie) have types", false},
		{"lengths", h, rates, Links{Src: []int32{0}}, fine, "links of 1 sources, 0 destinations", false},
		{"source", h, rates, Links{Src: []int32{1, 40}, Dst: []int32{0, 0}}, fine, "link 1: source 40 out of range [0, 40)", false},
		{"destination", h, rates, Links{Src: []int32{30}, Dst: []int32{25}}, fine, "link 0: destination 25 out of range [0, 25)", false},
		{"size", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.BatchSize = 0 }), "BatchSize is 0", false},
		{"negatives", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Negatives = -1 }), "-1 negatives", false},
		{"no hops", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Hops = nil }), "no Hops", false},
		{"hops", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Hops = []int{-2} }), "hop 0 takes -2 edges", false},
		{"hops of", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.HopsOf = map[graph.EdgeType][]int{has: {1, 2}} }), "HopsOf of (movie, has, tag) has 2 numbers, Hops 1", false},
		{"hops of no relation", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.HopsOf = map[graph.EdgeType][]int{strange: {1}} }), "graph: HopsOf: no type (user, likes, movie)", true},
		{"features of no type", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Features = map[string]Features{"film": IdentityFeatures(2)} }), `graph: Features: no type "film"`, true},
		{"rows of features", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Features = map[string]Features{"movie": IdentityFeatures(2)} }), `2 rows of features for 25 vertices of type "movie"`, false},
		{"features of Loading", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Loading.Features = IdentityFeatures(72) }), "features in Loading", false},
		{"avoid the inverse", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Avoid = h.Relation(ratedBy) }), "the edges to avoid are those of graph(25 sources, 40 destinations, 300 edges); want a graph like", false},
		{"avoid all", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Avoid = h.Homogeneous().Graph }), "the edges to avoid are those of", false},
		{"avoid other users", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Avoid = pairs(39, 25) }), "the edges to avoid are those of graph(39 sources, 25 destinations", false},
		{"avoid other movies", h, rates, Links{}, with(func(c *HeteroLinkConfig) { c.Avoid = pairs(40, 24) }), "the edges to avoid are those of graph(40 sources, 24 destinations", false},
		{"avoid links between types", h, follows, Links{}, with(func(c *HeteroLinkConfig) { c.Avoid = pairs(40, 40) }), "the edges to avoid are those of graph(40 sources, 40 destinations", false},
		{"avoid others", h, follows, Links{}, with(func(c *HeteroLinkConfig) { c.Avoid = h.Relation(rates) }), "the edges to avoid are those of", false},
	} {
		l, err := NewHeteroLinkLoader(tt.h, tt.relation, tt.links, tt.c)
		if err == nil || l != nil || !strings.HasPrefix(err.Error(), "data: NewHeteroLinkLoader: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		if errors.As(err, new(*graph.UnknownTypeError)) != tt.unknown {
			t.Errorf("%s: error %v of type %T", tt.name, err, err)
		}
	}
	for range 20 { // maps have no order
		_, err := NewHeteroLinkLoader(h, rates, Links{}, with(func(c *HeteroLinkConfig) {
			c.Features = map[string]Features{"user": {}, "film": {}, "actor": {}, "book": {}}
		}))
		if err == nil || !strings.Contains(err.Error(), `no type "actor"`) {
			t.Fatalf("error %v, want the first unknown type", err)
		}
	}
}
