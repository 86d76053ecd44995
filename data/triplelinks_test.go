// Tests of triples as links, and of how likely a batch has a vertex.

package data

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/graph"
)

func TestTriplesAreLinksBothWays(t *testing.T) {
	d := &TripleDataset{Entities: make([]string, 9), Relations: make([]string, 3), Train: []Triple{{4, 2, 7}, {7, 0, 7}}}
	l := d.Links(d.Train)
	if got := fmt.Sprint(l.Src, l.Types, l.Dst); got != "[4 7 7 7] [2 5 0 3] [7 4 7 7]" {
		t.Errorf("links %s", got)
	}
	g, err := d.Graph()
	if err != nil {
		t.Fatal(err)
	}
	inverse := LinksOf(AddInverse(g)) // the same links, in another order
	triples := func(l Links) (out []string) {
		for i := range l.Src {
			out = append(out, fmt.Sprint(l.at(int32(i))))
		}
		slices.Sort(out)
		return out
	}
	if !slices.Equal(triples(l), triples(inverse)) {
		t.Errorf("links %v, the graph has %v", l, inverse)
	}
	if empty := d.Links(nil); len(empty.Src) != 0 || empty.Types == nil {
		t.Errorf("no triples are the links %v", empty)
	}
}

// TestLogChanceIsHowOftenBatchesHaveAVertex counts.
func TestLogChanceIsHowOftenBatchesHaveAVertex(t *testing.T) {
	const n, links, epochs = 60, 2000, 40
	types := make([]int32, n)
	l := Links{Src: make([]int32, links), Dst: make([]int32, links)}
	for v := range types {
		types[v] = int32(v % 2)
	}
	for i := range links { // small numbers are ends of many links, the last ten of none
		l.Src[i], l.Dst[i] = int32(i*i%50), int32(i%7*i%50)
	}
	plain, err := graph.New(n, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	typed, err := graph.New(n, nil, nil, graph.WithVertexTypes(types, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*graph.Graph{plain, typed} {
		for corrupt := CorruptEither; corrupt <= CorruptBoth; corrupt++ {
			for _, negatives := range []int{0, 2} {
				loader, err := NewLinkLoader(g, l, LinkConfig{
					Loading: Loading{BatchSize: 20, Shuffle: true, DropLast: true, Seed: 5}, Fanout: Fanout{Hops: []int{1}}, Negatives: negatives, Corrupt: corrupt,
				})
				if err != nil {
					t.Fatal(err)
				}
				counts := make([]float64, n)
				for epoch := range epochs {
					for b, err := range loader.Epoch(t.Context(), epoch) {
						if err != nil {
							t.Fatal(err)
						}
						for _, v := range b.Seeds {
							counts[v]++
						}
					}
				}
				batches := float64(epochs * loader.Len())
				for v, chance := range loader.LogChance() {
					want, got := counts[v]/batches, math.Exp(float64(chance))
					// Four deviations of the count, and what drawing without replacement changes.
					if bound := 4*math.Sqrt(want*(1-want)/batches) + 0.01; math.Abs(got-want) > bound || math.IsNaN(got) {
						t.Errorf("typed %v, corruption %d, %d negatives: the chance of vertex %d is %.3f, it was in %.3f of the batches", g == typed, corrupt, negatives, v, got, want)
					}
				}
			}
		}
	}
}

// A link from a vertex to itself brings one vertex, once.
func TestLogChanceCountsALoopOnce(t *testing.T) {
	const links = 100
	g, err := graph.New(links+1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := Links{Src: appendRange(nil, 0, links), Dst: appendRange(nil, 1, links+1)}
	l.Dst[0] = 0
	loader, err := NewLinkLoader(g, l, LinkConfig{Loading: Loading{BatchSize: 4}, Fanout: Fanout{Hops: []int{}}})
	if err != nil {
		t.Fatal(err)
	}
	chance := loader.LogChance()
	if chance[0] != chance[links] { // each an end of one link
		t.Errorf("the vertex of a loop has the log-chance %v, that of another link %v", chance[0], chance[links])
	}
}

func TestLogChanceOfNoLinks(t *testing.T) {
	g, err := graph.New(2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	loader, err := NewLinkLoader(g, Links{}, LinkConfig{Loading: Loading{BatchSize: 3}, Fanout: Fanout{Hops: []int{1}}, Negatives: 1})
	if err != nil {
		t.Fatal(err)
	}
	for v, chance := range loader.LogChance() {
		if !math.IsInf(float64(chance), -1) {
			t.Errorf("vertex %d has the chance %v", v, chance)
		}
	}
}
