// Tests of batches of the vertices of a type.

package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

func heteroNeighborLoader(t testing.TB, h *graph.Hetero, vertexType string, seeds []int32, c HeteroNeighborConfig) *HeteroNeighborLoader {
	t.Helper()
	l, err := NewHeteroNeighborLoader(h, vertexType, seeds, c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func heteroNeighborBatches(t testing.TB, l *HeteroNeighborLoader, epoch int) (all []*HeteroBatch) {
	t.Helper()
	for b, err := range l.Epoch(t.Context(), epoch) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

func TestVerticesOfATypeComeWithWhatTheyAreSaidTo(t *testing.T) {
	for _, inverseFirst := range []bool{false, true} {
		h := filmGraph(t, inverseFirst)
		view := h.Homogeneous()
		for typ, name := range h.VertexTypes() {
			n := h.NumVertices(name)
			seeds := iotaIDs(n)[n/3:]
			slices.Reverse(seeds)
			for _, f := range []HeteroFanout{
				{Hops: []int{}},
				{Hops: []int{3, 2}},
				{Hops: []int{-1, 2, 0}},
				{Hops: []int{2, 4}, Replace: true},
				{Hops: []int{1, 0}, HopsOf: map[graph.EdgeType][]int{of: {-1, 3}, rates: {0, 2}, unused: {5, 5}}},
			} {
				t.Run(fmt.Sprint(inverseFirst, name, f), func(t *testing.T) {
					l := heteroNeighborLoader(t, h, name, seeds, HeteroNeighborConfig{Loading: Loading{BatchSize: 4, Workers: 2, Seed: 2}, HeteroFanout: f})
					var all []int32
					for i, b := range heteroNeighborBatches(t, l, 3) {
						if b.Index != i {
							t.Errorf("batch %d comes as %d", i, b.Index)
						}
						checkHeteroBatch(t, h, f, b, nothingHidden)
						for _, other := range h.VertexTypes() {
							if other != name && len(b.Seeds[other]) > 0 {
								t.Errorf("batch %d: seeds %v of type %s", i, b.Seeds[other], other)
							}
						}
						if n := len(b.Blocks); n > 0 && (b.Blocks[n-1].NumDst() != len(b.Seeds[name]) || ofType(b.Blocks[n-1].DstTypes(), typ) != len(b.Seeds[name])) {
							t.Errorf("batch %d: the last block is around other vertices than the seeds", i)
						}
						at := map[int32]int{}
						for _, v := range b.ViewVertices {
							of := view.Graph.VertexTypes()[v]
							if name := h.VertexTypes()[of]; b.Vertices[name][at[of]] != view.LocalVertex[v] {
								t.Errorf("batch %d: vertex %d of the view is not %s %d", i, v, name, b.Vertices[name][at[of]])
							}
							at[of]++
						}
						if len(b.Blocks) > 0 && len(b.ViewVertices) != b.Blocks[0].NumSrc() {
							t.Errorf("batch %d: %d vertices of the view for %d sources", i, len(b.ViewVertices), b.Blocks[0].NumSrc())
						}
						all = append(all, b.Seeds[name]...)
					}
					if !slices.Equal(all, seeds) || l.Len() != (len(seeds)+3)/4 {
						t.Errorf("an epoch of %d batches has seeds %v, want %v", l.Len(), all, seeds)
					}
				})
			}
		}
	}
}

func TestGraphsWithoutEdgesOrRelationsHaveBatchesOfAType(t *testing.T) {
	types := func() *graph.HeteroBuilder { return new(graph.HeteroBuilder).Vertices("user", 3).Vertices("movie", 2) }
	for name, b := range map[string]*graph.HeteroBuilder{"no relations": types(), "no edges": types().Edges(rates, nil, nil)} {
		h, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		f, n := HeteroFanout{Hops: []int{3, -1}}, 0
		for _, b := range heteroNeighborBatches(t, heteroNeighborLoader(t, h, "user", iotaIDs(3), HeteroNeighborConfig{Loading: Loading{BatchSize: 2}, HeteroFanout: f}), 0) {
			checkHeteroBatch(t, h, f, b, nothingHidden)
			n += len(b.Vertices["user"])
		}
		if n != 3 {
			t.Errorf("%s: %d users", name, n)
		}
	}
}

func TestEpochsOfATypeShuffleAndDropTheLast(t *testing.T) {
	h := filmGraph(t, false)
	seedsOf := func(c Loading, epoch int) (all []int32, sizes []int) {
		l := heteroNeighborLoader(t, h, "movie", iotaIDs(25), HeteroNeighborConfig{Loading: c, HeteroFanout: HeteroFanout{Hops: []int{2}}})
		for _, b := range heteroNeighborBatches(t, l, epoch) {
			all, sizes = append(all, b.Seeds["movie"]...), append(sizes, len(b.Seeds["movie"]))
		}
		return all, sizes
	}
	c := Loading{BatchSize: 10, Shuffle: true, Seed: 1}
	first, sizes := seedsOf(c, 0)
	second, _ := seedsOf(c, 1)
	if slices.Equal(first, second) || !slices.Equal(slices.Sorted(slices.Values(first)), iotaIDs(25)) || !slices.Equal(sizes, []int{10, 10, 5}) {
		t.Errorf("epochs %v and %v in batches of %v", first, second, sizes)
	}
	c.DropLast = true
	if dropped, sizes := seedsOf(c, 0); !slices.Equal(dropped, first[:20]) || !slices.Equal(sizes, []int{10, 10}) {
		t.Errorf("dropped to %v in batches of %v", dropped, sizes)
	}
}

// TestBatchesOfATypeAreTheSameForAnyNumberOfWorkers also begins at a later epoch, as a run
// that is resumed does.
func TestBatchesOfATypeAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	h := filmGraph(t, false)
	load := func(workers int, epochs ...int) (out [][]string) {
		l := heteroNeighborLoader(t, h, "user", iotaIDs(40), HeteroNeighborConfig{
			Loading: Loading{BatchSize: 7, Shuffle: true, Seed: 4, Workers: workers}, HeteroFanout: HeteroFanout{Hops: []int{2, 2}},
			Features: map[string]Features{"movie": IdentityFeatures(25), "user": {}},
		})
		for _, epoch := range epochs {
			var lists []string
			for _, b := range heteroNeighborBatches(t, l, epoch) {
				lists = append(lists, fmt.Sprint(b.Index, b.Seeds, b.Vertices, b.ViewVertices, b.Edges, b.Features["movie"].Sparse().Indices()))
				for _, block := range b.Blocks {
					lists = append(lists, fmt.Sprint(block.Src(), block.Dst(), block.EdgeTypes()))
				}
			}
			out = append(out, lists)
		}
		return out
	}
	want := load(1, 0, 1)
	if slices.Equal(want[0], want[1]) {
		t.Error("epoch 1 is epoch 0")
	}
	for _, workers := range []int{1, 2, 8} {
		if got := load(workers, 1, 0); !slices.Equal(got[0], want[1]) || !slices.Equal(got[1], want[0]) {
			t.Errorf("other batches with %d workers", workers)
		}
	}
}

// TestBatchesOfATypeAreThoseOfTheWholeGraph compares with a loader of the homogeneous view.
func TestBatchesOfATypeAreThoseOfTheWholeGraph(t *testing.T) {
	h := filmGraph(t, true)
	view := h.Homogeneous()
	movies := view.VertexIDs[3]
	byType := make([][]int, 2)
	for hop, n := range []int{4, 2} {
		byType[hop] = slices.Repeat([]int{n}, len(h.EdgeTypes()))
	}
	byType[1][slices.Index(h.EdgeTypes(), of)] = -1
	for _, replace := range []bool{false, true} {
		loading := Loading{BatchSize: 6, Shuffle: true, Seed: 7}
		whole, err := NewNeighborLoader(view.Graph, movies, NeighborConfig{loading, Fanout{HopsByType: byType, Replace: replace}})
		if err != nil {
			t.Fatal(err)
		}
		l := heteroNeighborLoader(t, h, "movie", iotaIDs(25), HeteroNeighborConfig{
			Loading: loading, HeteroFanout: HeteroFanout{Hops: []int{4, 2}, HopsOf: map[graph.EdgeType][]int{of: {4, -1}}, Replace: replace},
		})
		batches := heteroNeighborBatches(t, l, 2)
		for want, err := range whole.Epoch(t.Context(), 2) {
			if err != nil {
				t.Fatal(err)
			}
			got := batches[want.Index]
			if !slices.Equal(got.ViewVertices, want.Vertices) || !slices.Equal(valuesAt(movies, got.Seeds["movie"]), want.Seeds) {
				t.Fatalf("batch %d has other vertices", want.Index)
			}
			for i, block := range want.Blocks {
				if !slices.Equal(got.Blocks[i].Src(), block.Src()) || !slices.Equal(got.Blocks[i].Dst(), block.Dst()) {
					t.Fatalf("batch %d has another block %d", want.Index, i)
				}
			}
		}
	}
}

func TestFeaturesAndLabelsOfATypeAreThoseOfItsVertices(t *testing.T) {
	h := filmGraph(t, false)
	tags := tensor.FromSlice([]float32{0, 1, 2, 3, 4, 5, 6}, 7, 1)
	labels := iotaIDs(25)
	for i := range labels {
		labels[i] *= 3
	}
	l := heteroNeighborLoader(t, h, "movie", []int32{20, 3, 7}, HeteroNeighborConfig{
		Loading: Loading{BatchSize: 2}, HeteroFanout: HeteroFanout{Hops: []int{2, 2}},
		Features: map[string]Features{"tag": DenseFeatures(tags), "movie": IdentityFeatures(25), "user": {}},
	})
	var got []int32
	for _, b := range heteroNeighborBatches(t, l, 0) {
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
		if got := b.Labels("tag", nil); got == nil || len(got) != 0 {
			t.Errorf("tags, of which none is a seed, have labels %v", got)
		}
		got = append(got, b.Labels("movie", labels)...)
	}
	if !slices.Equal(got, []int32{60, 9, 21}) {
		t.Errorf("labels %v", got)
	}
}

// Who tries several settings writes each over the one before.
func TestALoaderOfATypeHasWhatItWasMadeWith(t *testing.T) {
	h := filmGraph(t, false)
	seeds, hops, own := iotaIDs(25), []int{3}, []int{2}
	features := map[string]Features{"tag": IdentityFeatures(7)}
	l := heteroNeighborLoader(t, h, "movie", seeds, HeteroNeighborConfig{
		Loading: Loading{BatchSize: 25}, HeteroFanout: HeteroFanout{Hops: hops, HopsOf: map[graph.EdgeType][]int{rates: own}}, Features: features,
	})
	text := func() string {
		b := heteroNeighborBatches(t, l, 0)[0]
		return fmt.Sprint(b.Seeds, b.Edges, len(b.Features))
	}
	before := text()
	clear(seeds)
	clear(hops)
	clear(own)
	clear(features)
	if after := text(); after != before {
		t.Errorf("batch %s after the lists were written to, %s before", after, before)
	}
}

// TestBlocksOfATypeAreSplitByTheirLoader counts what it takes to ask for the relations of one
// fresh block after the other.
func TestBlocksOfATypeAreSplitByTheirLoader(t *testing.T) {
	h := filmGraph(t, false)
	var blocks []*graph.Graph
	for _, b := range heteroNeighborBatches(t, heteroNeighborLoader(t, h, "user", iotaIDs(40), HeteroNeighborConfig{
		Loading: Loading{BatchSize: 2}, HeteroFanout: HeteroFanout{Hops: []int{3}},
	}), 0) {
		blocks = append(blocks, b.Blocks...)
	}
	if n := numtest.Allocations(1, func() {
		if _, err := graph.RelationsOf(blocks[0], h.VertexTypes(), h.EdgeTypes()); err != nil {
			t.Fatal(err)
		}
		blocks = blocks[1:]
	}); n > 20 {
		t.Errorf("%v allocations for the relations of a block", n)
	}
}

func TestLeavingAnEpochOfATypeStopsItsWorkers(t *testing.T) {
	h := filmGraph(t, false)
	l := heteroNeighborLoader(t, h, "user", iotaIDs(40), HeteroNeighborConfig{
		Loading: Loading{BatchSize: 1, Workers: 4}, HeteroFanout: HeteroFanout{Hops: []int{5, 5}},
	})
	endsEarly(t, func(ctx context.Context) iter.Seq2[*HeteroBatch, error] { return l.Epoch(ctx, 0) })
}

func TestNewHeteroNeighborLoaderRejectsWhatMakesNoSense(t *testing.T) {
	h := filmGraph(t, false)
	strange := graph.EdgeType{Src: "user", Name: "likes", Dst: "movie"}
	fine := HeteroNeighborConfig{Loading: Loading{BatchSize: 1}, HeteroFanout: HeteroFanout{Hops: []int{1}}}
	with := func(change func(c *HeteroNeighborConfig)) HeteroNeighborConfig {
		c := fine
		change(&c)
		return c
	}
	for _, tt := range []struct {
		name       string
		h          *graph.Hetero
		vertexType string
		seeds      []int32
		c          HeteroNeighborConfig
		want       string
		unknown    bool
	}{
		{"nil", nil, "movie", []int32{}, fine, "the graph is nil", false},
		{"type", h, "film", []int32{}, fine, `graph: seeds: no type "film"; the graph has ["tag" "user" "nobody" "movie"]`, true},
		{"no seeds", h, "movie", nil, fine, `type "movie": the seeds are nil: list all vertices to load all`, false},
		{"range", h, "movie", []int32{0, 25}, fine, `type "movie": seed 1: vertex 25 out of range [0, 25)`, false},
		{"of no vertices", h, "nobody", []int32{0}, fine, `type "nobody": seed 0: vertex 0 out of range [0, 0)`, false},
		{"below", h, "movie", []int32{-1}, fine, "seed 0: vertex -1 out of range", false},
		{"twice", h, "user", []int32{5, 4, 5}, fine, `type "user": seed 2: vertex 5 is a seed already`, false},
		{"size", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.BatchSize = 0 }), "BatchSize is 0", false},
		{"workers", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.Workers = -1 }), "-1 workers", false},
		{"no hops", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.Hops = nil }), "no Hops", false},
		{"hops", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.Hops = []int{-2} }), "hop 0 takes -2 edges", false},
		{"hops of", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.HopsOf = map[graph.EdgeType][]int{has: {1, 2}} }), "HopsOf of (movie, has, tag) has 2 numbers, Hops 1", false},
		{"hops of no relation", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.HopsOf = map[graph.EdgeType][]int{strange: {1}} }), "graph: HopsOf: no type (user, likes, movie)", true},
		{"features of no type", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.Features = map[string]Features{"film": IdentityFeatures(2)} }), `graph: Features: no type "film"`, true},
		{"rows of features", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.Features = map[string]Features{"movie": IdentityFeatures(2)} }), `2 rows of features for 25 vertices of type "movie"`, false},
		{"features of Loading", h, "movie", []int32{}, with(func(c *HeteroNeighborConfig) { c.Loading.Features = IdentityFeatures(72) }), "features in Loading", false},
	} {
		l, err := NewHeteroNeighborLoader(tt.h, tt.vertexType, tt.seeds, tt.c)
		if err == nil || l != nil || !strings.HasPrefix(err.Error(), "data: NewHeteroNeighborLoader: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		if errors.As(err, new(*graph.UnknownTypeError)) != tt.unknown {
			t.Errorf("%s: error %v of type %T", tt.name, err, err)
		}
	}
}
