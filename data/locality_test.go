// Tests of the order in which neighbours stand close together.

package data

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

func TestLocalityOrderIsAPermutationOfItsOwn(t *testing.T) {
	graphs := loaderGraphs(t)
	for name, edges := range map[string][2][]int32{
		"no vertices": {}, "no edges": {}, "a loop": {{0}, {0}}, "one edge twice": {{3, 3}, {1, 1}},
	} {
		n := 5
		if name == "no vertices" {
			n = 0
		}
		g, err := graph.New(n, edges[0], edges[1])
		if err != nil {
			t.Fatal(err)
		}
		graphs[name] = g
	}
	for name, g := range graphs {
		order := LocalityOrder(g)
		if !slices.Equal(order, LocalityOrder(g)) {
			t.Errorf("%s: another order the second time", name)
		}
		if slices.Sort(order); !slices.Equal(order, appendRange([]int32{}, 0, int32(g.NumVertices()))) {
			t.Errorf("%s: %v is no permutation", name, order)
		}
	}
}

// misses is how many of the rows that an aggregation over in-edges reads, in order of
// vertices, are not among the last so many that it has read.
func misses(g *graph.Graph, room int) (n int) {
	var recent []int32 // the last one at the end
	for v := range g.NumVertices() {
		neighbors, _ := g.In().Row(v)
		for _, u := range neighbors {
			if at := slices.Index(recent, u); at >= 0 {
				recent = slices.Delete(recent, at, at+1)
			} else if n++; len(recent) == room {
				recent = slices.Delete(recent, 0, 1)
			}
			recent = append(recent, u)
		}
	}
	return n
}

// shuffled returns a graph of planted blocks whose vertices have random numbers.
func shuffled(t *testing.T, blocks, size int) *Dataset {
	t.Helper()
	sizes := slices.Repeat([]int{size}, blocks)
	d, err := SBM(SBMConfig{Sizes: sizes, PIn: 8 / float64(size), POut: 0.5 / float64(blocks*size), Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	random := appendRange([]int32{}, 0, int32(blocks*size))
	slices.SortFunc(random, func(a, b int32) int {
		if rng.Hash(1, uint64(a)) < rng.Hash(1, uint64(b)) {
			return -1
		}
		return 1
	})
	return d.Subset(random)
}

func TestReorderedRowsAreStillAtHand(t *testing.T) {
	d := shuffled(t, 20, 60)
	r, _ := d.Reorder()
	const room = 100
	found, planted := misses(r.Graph, room), r.Graph.NumVertices() // each row once, at least
	if chance := misses(d.Graph, room); found > planted*3 || found*2 > chance {
		t.Errorf("%d misses, %d as numbered by chance, %d vertices", found, chance, planted)
	}
}

func TestRowsAreWalkedInTheOrderOfLocality(t *testing.T) {
	g := shuffled(t, 300, 60).Graph
	if local := g.LocalIn(); local == nil || !slices.Equal(local.Vertices, LocalityOrder(g)) {
		t.Error("rows are walked in another order")
	}
}

func TestReorderKeepsTheDataset(t *testing.T) {
	d := shuffled(t, 4, 30)
	d.Train, d.Val, d.Test = []int32{3, 7, 50}, []int32{4}, []int32{100, 119}
	d.Features = IdentityFeatures(d.Graph.NumVertices())
	r, vertices := d.Reorder()
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(vertices, appendRange([]int32{}, 0, 120)) {
		t.Fatal("nothing has moved")
	}
	x := tensor.Data[float32](r.Features.Dense())
	for i, v := range vertices {
		if r.Labels[i] != d.Labels[v] || x[i*120+int(v)] != 1 || slices.Contains(r.Train, int32(i)) != slices.Contains(d.Train, v) {
			t.Errorf("vertex %d, %d before, differs", i, v)
		}
	}
	if r.Graph.NumEdges() != d.Graph.NumEdges() {
		t.Fatalf("%d edges of %d", r.Graph.NumEdges(), d.Graph.NumEdges())
	}
	for e, u := range r.Graph.Src() {
		if vertices[u] != d.Graph.Src()[e] || vertices[r.Graph.Dst()[e]] != d.Graph.Dst()[e] {
			t.Fatalf("edge %d joins others", e)
		}
	}
}
