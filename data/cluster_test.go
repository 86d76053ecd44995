// Tests of partitions and of batches of clusters.

package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

func checkPartition(t *testing.T, g *graph.Graph, c PartitionConfig, p *Partition) {
	t.Helper()
	n := g.NumVertices()
	if p.Parts != c.Parts || len(p.Of) != n || len(p.Sizes) != c.Parts {
		t.Fatalf("%d parts of %d vertices with %d sizes", p.Parts, len(p.Of), len(p.Sizes))
	}
	sizes := make([]int, p.Parts)
	for _, part := range p.Of {
		sizes[part]++
	}
	slack := cmp.Or(c.Slack, 0.1)
	for part, size := range sizes {
		if float64(size) > math.Ceil((1+slack)*float64(n)/float64(c.Parts)) {
			t.Errorf("part %d has %d vertices of %d in %d parts", part, size, n, c.Parts)
		}
	}
	cut := 0
	for e, u := range g.Src() {
		if p.Of[u] != p.Of[g.Dst()[e]] {
			cut++
		}
	}
	if !slices.Equal(sizes, p.Sizes) || cut != p.Cut {
		t.Errorf("sizes %v and cut %d, are %v and %d", p.Sizes, p.Cut, sizes, cut)
	}
}

func TestPartitionsAreBalanced(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		for _, parts := range []int{1, 2, 7, g.NumVertices()} {
			for _, slack := range []float64{0, 0.5, 1e-9} {
				c := PartitionConfig{Parts: parts, Slack: slack}
				if parts > g.NumVertices() {
					continue
				}
				p, err := NewPartition(g, c)
				if err != nil {
					t.Fatalf("%s, %+v: %v", name, c, err)
				}
				checkPartition(t, g, c, p)
				again, err := NewPartition(g, c)
				if err != nil || !slices.Equal(again.Of, p.Of) {
					t.Errorf("%s, %+v: another partition the second time", name, c)
				}
			}
		}
	}
	empty, err := graph.New(0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := NewPartition(empty, PartitionConfig{Parts: 1}); err != nil || p.Cut != 0 || len(p.Of) != 0 {
		t.Errorf("no vertices: %+v, error %v", p, err)
	}
}

// TestPartsAreWithinTheirBound has nearly all vertices want to be in one part, with the
// hubs: 1.1 times 100 is a little more than 110 in floating point.
func TestPartsAreWithinTheirBound(t *testing.T) {
	for _, n := range []int{50, 100, 105, 200, 300} {
		var src, dst []int32
		for hub := range int32(10) {
			for v := int32(10); v < int32(n); v++ {
				src, dst = append(src, hub), append(dst, v)
			}
		}
		g, err := graph.New(n, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPartition(g, PartitionConfig{Parts: 10, Rounds: 100})
		if err != nil {
			t.Fatal(err)
		}
		if limit := (11*n + 99) / 100; slices.Max(p.Sizes) > limit {
			t.Errorf("%d vertices: a part of %d, at most %d", n, slices.Max(p.Sizes), limit)
		}
	}
}

// TestPartitionsFindPlantedBlocks holds the cut against that of the blocks that
// the graph was made of, and against chance.
func TestPartitionsFindPlantedBlocks(t *testing.T) {
	d, err := SBM(SBMConfig{Sizes: []int{300, 300, 300, 300}, PIn: 0.08, POut: 0.003, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	planted := 0
	for e, u := range d.Graph.Src() {
		if d.Labels[u] != d.Labels[d.Graph.Dst()[e]] {
			planted++
		}
	}
	p, err := NewPartition(d.Graph, PartitionConfig{Parts: 4, Rounds: 30})
	if err != nil {
		t.Fatal(err)
	}
	if chance := d.Graph.NumEdges() * 3 / 4; p.Cut > planted*11/10 {
		t.Errorf("cut %d, that of the blocks is %d, of chance %d", p.Cut, planted, chance)
	}
}

// TestPartitionsOfAGridAreCompact: pieces of a breadth-first order alone, or
// chance, cut far more.
func TestPartitionsOfAGridAreCompact(t *testing.T) {
	const n = 40
	var src, dst []int32
	for i := range int32(n) {
		for j := range int32(n) {
			if i+1 < n {
				src, dst = append(src, i*n+j), append(dst, (i+1)*n+j)
			}
			if j+1 < n {
				src, dst = append(src, i*n+j), append(dst, i*n+j+1)
			}
		}
	}
	g, err := graph.New(n*n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPartition(g, PartitionConfig{Parts: 8})
	if err != nil {
		t.Fatal(err)
	}
	if share := float64(p.Cut) / float64(g.NumEdges()); share > 0.2 {
		t.Errorf("%v of all edges are cut", share)
	}
}

func TestNewPartitionRejectsWhatMakesNoSense(t *testing.T) {
	g := loaderGraphs(t)["loops"]
	bipartite, err := graph.NewBipartite(2, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		g    *graph.Graph
		c    PartitionConfig
		want string
	}{
		{nil, PartitionConfig{Parts: 1}, "the graph is nil"},
		{bipartite, PartitionConfig{Parts: 1}, "bipartite"},
		{g, PartitionConfig{}, "0 parts of 3 vertices"},
		{g, PartitionConfig{Parts: 4}, "4 parts of 3 vertices"},
		{g, PartitionConfig{Parts: 1, Slack: -1}, "slack -1"},
		{g, PartitionConfig{Parts: 1, Slack: math.NaN()}, "slack NaN"},
		{g, PartitionConfig{Parts: 1, Slack: math.Inf(1)}, "slack +Inf"},
		{g, PartitionConfig{Parts: 1, Rounds: -1}, "-1 rounds"},
	} {
		if _, err := NewPartition(tt.g, tt.c); err == nil || !strings.HasPrefix(err.Error(), "data: NewPartition: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.c, err, tt.want)
		}
	}
}

// arcsOf lists the edges of a graph with the ids they have elsewhere, sorted.
func arcsOf(g *graph.Graph, edges []int32) (out [][4]int32) {
	for i, e := range edges {
		arc := [4]int32{e, g.Src()[i], g.Dst()[i], -1}
		if g.EdgeTypes() != nil {
			arc[3] = g.EdgeTypes()[i]
		}
		out = append(out, arc)
	}
	slices.SortFunc(out, func(a, b [4]int32) int { return slices.Compare(a[:], b[:]) })
	return out
}

func TestClusterBatchesAreInducedSubgraphs(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		p, err := NewPartition(g, PartitionConfig{Parts: min(5, g.NumVertices()), Slack: 1})
		if err != nil {
			t.Fatal(err)
		}
		x := DenseFeatures(tensor.Randn(tensor.Float64, 1, g.NumVertices(), 2))
		var want []string
		for _, workers := range []int{1, 2, 8} {
			l, err := NewClusterLoader(g, p, Loading{BatchSize: 2, Shuffle: true, Seed: 3, Workers: workers, Features: x})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			var all []int32
			for b, err := range l.Epoch(t.Context(), 1) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(b.Index, b.Clusters, b.Vertices, b.Edges, b.Graph.Src(), b.Graph.Dst(), b.Graph.EdgeTypes(), b.Graph.VertexTypes()))
				all = append(all, b.Vertices...)
				for _, v := range b.Vertices {
					if !slices.Contains(b.Clusters, p.Of[v]) {
						t.Fatalf("%s: vertex %d is of no cluster in %v", name, v, b.Clusters)
					}
				}
				sub, edges, err := g.Subgraph(b.Vertices)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(arcsOf(b.Graph, b.Edges), arcsOf(sub, edges)) || !slices.Equal(b.Graph.VertexTypes(), sub.VertexTypes()) ||
					b.Graph.NumVertices() != len(b.Vertices) || b.Graph.NumEdgeTypes() != g.NumEdgeTypes() || b.Graph.NumVertexTypes() != g.NumVertexTypes() {
					t.Fatalf("%s: clusters %v are not the induced subgraph", name, b.Clusters)
				}
				if !slices.Equal(b.Features.Dense().Float64s(), tensor.IndexSelect(x.Dense(), b.Vertices).Float64s()) {
					t.Fatalf("%s: clusters %v have other features", name, b.Clusters)
				}
			}
			slices.Sort(all)
			if !slices.Equal(all, everyVertex(g)) || len(got) != l.Len() {
				t.Errorf("%s: %d batches, Len is %d; vertices %v", name, len(got), l.Len(), all)
			}
			if workers == 1 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: other batches with %d workers", name, workers)
			}
		}
	}
}

func TestEmptyClustersAreLeftOut(t *testing.T) {
	g := loaderGraphs(t)["loops"]
	l, err := NewClusterLoader(g, &Partition{Parts: 4, Of: []int32{3, 1, 3}}, Loading{BatchSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	var clusters []int32
	for b, err := range l.Epoch(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		clusters = append(clusters, b.Clusters...)
	}
	if !slices.Equal(clusters, []int32{1, 3}) {
		t.Errorf("clusters %v, want [1 3]", clusters)
	}
}

func TestNewClusterLoaderRejectsWhatMakesNoSense(t *testing.T) {
	g := loaderGraphs(t)["loops"]
	fine := &Partition{Parts: 2, Of: []int32{0, 1, 0}}
	for _, tt := range []struct {
		g    *graph.Graph
		p    *Partition
		c    Loading
		want string
	}{
		{nil, fine, Loading{BatchSize: 1}, "the graph is nil"},
		{g, fine, Loading{}, "BatchSize is 0; want at least 1"},
		{g, nil, Loading{BatchSize: 1}, "the partition is nil"},
		{g, &Partition{Parts: 1, Of: []int32{0}}, Loading{BatchSize: 1}, "a partition of 1 vertices, the graph has 3"},
		{g, &Partition{Parts: -1, Of: []int32{0, 0, 0}}, Loading{BatchSize: 1}, "-1 parts of 3 vertices"},
		{g, &Partition{Parts: 1 << 60, Of: []int32{0, 0, 0}}, Loading{BatchSize: 1}, "1152921504606846976 parts of 3 vertices"},
		{g, &Partition{Parts: 2, Of: []int32{0, 2, 0}}, Loading{BatchSize: 1}, "vertex 1 is in part 2 of 2"},
	} {
		if _, err := NewClusterLoader(tt.g, tt.p, tt.c); err == nil || !strings.HasPrefix(err.Error(), "data: NewClusterLoader: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}
