// Tests of batches of windows of walks.

package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
)

func TestWalkBatchesAreWhatTheyAreSaidToBe(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		for _, c := range []WalkConfig{
			{Loading: Loading{BatchSize: 7, Shuffle: true}, Walking: Walking{Length: 2}, Context: 2},
			{Loading: Loading{BatchSize: 11}, Walking: Walking{Length: 6, P: 0.5, Q: 2}, Context: 3, WalksPerVertex: 3, Negatives: 2},
			{Loading: Loading{BatchSize: 500, Workers: 2}, Walking: Walking{Length: 5}, Context: 5, Negatives: 3},
		} {
			t.Run(fmt.Sprintf("%s %d", name, c.Length), func(t *testing.T) {
				l, err := NewWalkLoader(g, everyVertex(g), c)
				if err != nil {
					t.Fatal(err)
				}
				var all []int32
				n := 0
				for b, err := range l.Epoch(t.Context(), 4) {
					if err != nil {
						t.Fatal(err)
					}
					if b.Index != n {
						t.Errorf("batch %d is said to be %d", n, b.Index)
					}
					n++
					all = append(all, b.Seeds...)
					walks := len(b.Seeds) * max(1, c.WalksPerVertex)
					checkWindows(t, g, true, b.Seeds, walks, c, b.Positive)
					checkWindows(t, g, false, b.Seeds, walks*max(1, c.Negatives), c, b.Negative)
				}
				if n != l.Len() {
					t.Errorf("%d batches, said to be %d", n, l.Len())
				}
				if slices.Sort(all); !slices.Equal(all, everyVertex(g)) {
					t.Error("an epoch is not every vertex once")
				}
			})
		}
	}
}

// checkWindows puts walks together from their windows, and looks at their steps.
func checkWindows(t *testing.T, g *graph.Graph, along bool, starts []int32, walks int, c WalkConfig, w Walks) {
	t.Helper()
	if places := c.Length - c.Context + 1; w.Length != c.Context || w.Len() != walks*places {
		t.Fatalf("%d windows of %d; want %d of %d", w.Len(), w.Length, walks*places, c.Context)
	}
	out := g.Out()
	for i := range walks {
		walk := slices.Clone(w.Walk(i))
		for first := 1; first*walks < w.Len(); first++ {
			next := w.Walk(first*walks + i)
			if !slices.Equal(next[:c.Context-1], walk[first:]) {
				t.Fatalf("window %v does not follow %v", next, walk)
			}
			walk = append(walk, next[c.Context-1])
		}
		if want := starts[i%len(starts)]; walk[0] != want {
			t.Fatalf("walk %d begins at %d, want %d", i, walk[0], want)
		}
		for k, v := range walk[1:] {
			if uint(v) >= uint(g.NumVertices()) {
				t.Fatalf("no vertex %d", v)
			}
			if row, _ := out.Row(int(walk[k])); along && !slices.Contains(row, v) && !(len(row) == 0 && v == walk[k]) {
				t.Fatalf("walk %v: no edge from %d to %d", walk, walk[k], v)
			}
		}
	}
}

func TestWalkBatchesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		positive := ""
		epochOf := func(workers, epoch int, seed uint64) (out []string) { // all in one order
			c := WalkConfig{Loading: Loading{BatchSize: 9, Seed: seed, Workers: workers}, Walking: Walking{Length: 7, Q: 0.5}, Context: 4, WalksPerVertex: 2}
			l, err := NewWalkLoader(g, everyVertex(g), c)
			if err != nil {
				t.Fatal(err)
			}
			for b, err := range l.Epoch(t.Context(), epoch) {
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, fmt.Sprint(*b))
				positive = fmt.Sprint(b.Positive)
			}
			return out
		}
		want := epochOf(1, 0, 4)
		for _, workers := range []int{2, 8} {
			if got := epochOf(workers, 0, 4); !slices.Equal(got, want) {
				t.Errorf("%s: other batches with %d workers", name, workers)
			}
		}
		if name == "one vertex" { // has one walk
			continue
		}
		if slices.Equal(epochOf(2, 1, 4), want) || slices.Equal(epochOf(2, 0, 5), want) {
			t.Errorf("%s: another epoch or seed gives the same batches", name)
		}
		if name != "dense" { // has no walk that cannot go elsewhere
			continue
		}
		of := map[string]bool{}
		for epoch := range 3 {
			epochOf(1, epoch, 4)
			of[positive] = true
		}
		if len(of) != 3 {
			t.Errorf("three epochs have the same walks")
		}
	}
}

// TestWalksOfABatchAreDrawnAnew compares walks from one vertex, whose batches differ in nothing
// but their place.
func TestWalksOfABatchAreDrawnAnew(t *testing.T) {
	const n, each = 12, 4000
	src, dst := make([]int32, 0, n*n), make([]int32, 0, n*n)
	for u := range int32(n) {
		for v := range int32(n) {
			src, dst = append(src, u), append(dst, v)
		}
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewWalkLoader(g, everyVertex(g), WalkConfig{Loading: Loading{BatchSize: 1}, Walking: Walking{Length: 3}, Context: 3, WalksPerVertex: each})
	if err != nil {
		t.Fatal(err)
	}
	// Pairs of the second and the third vertex, of all batches together, of positive and of
	// false walks, and of positive walks with the false ones beside them.
	positive, negative, both := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for b, err := range l.Epoch(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range each {
			p, q := b.Positive.Walk(i), b.Negative.Walk(i)
			positive[p[1]*n+p[2]]++
			negative[q[1]*n+q[2]]++
			both[p[1]*n+q[1]]++
		}
	}
	for _, counts := range [][]float64{positive, negative, both} {
		chiSquare(t, counts)
	}
}

func TestNewWalkLoaderRejectsWhatDoesNotFit(t *testing.T) {
	g := walkGraph(t)
	bipartite, err := graph.NewBipartite(2, 1, []int32{1}, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	good := WalkConfig{Loading: Loading{BatchSize: 4}, Walking: Walking{Length: 5}, Context: 3}
	all := everyVertex(g)
	for want, f := range map[string]func(c *WalkConfig) (*graph.Graph, []int32){
		"the graph is nil":        func(c *WalkConfig) (*graph.Graph, []int32) { return nil, all },
		"bipartite":               func(c *WalkConfig) (*graph.Graph, []int32) { return bipartite, all },
		"the seeds are nil":       func(c *WalkConfig) (*graph.Graph, []int32) { return g, nil },
		"seed 1: vertex 8 out of": func(c *WalkConfig) (*graph.Graph, []int32) { return g, []int32{0, 8} },
		"vertex 0 is a seed already": func(c *WalkConfig) (*graph.Graph, []int32) {
			return g, []int32{0, 0}
		},
		"BatchSize is 0":                      func(c *WalkConfig) (*graph.Graph, []int32) { c.BatchSize = 0; return g, all },
		"-1 workers":                          func(c *WalkConfig) (*graph.Graph, []int32) { c.Workers = -1; return g, all },
		"walks of 0 vertices":                 func(c *WalkConfig) (*graph.Graph, []int32) { c.Length = 0; return g, all },
		"the P of walks is -1 and Q 0":        func(c *WalkConfig) (*graph.Graph, []int32) { c.P = -1; return g, all },
		"windows of 1 vertices in walks of 5": func(c *WalkConfig) (*graph.Graph, []int32) { c.Context = 1; return g, all },
		"windows of 6 vertices in walks of 5": func(c *WalkConfig) (*graph.Graph, []int32) { c.Context = 6; return g, all },
		"-1 walks a vertex and 0 false ones":  func(c *WalkConfig) (*graph.Graph, []int32) { c.WalksPerVertex = -1; return g, all },
		"0 walks a vertex and -2 false ones":  func(c *WalkConfig) (*graph.Graph, []int32) { c.Negatives = -2; return g, all },
		"windows of a batch have 3600000000":  func(c *WalkConfig) (*graph.Graph, []int32) { c.Negatives = 1e8; return g, all },
		"walks have no features":              func(c *WalkConfig) (*graph.Graph, []int32) { c.Features = IdentityFeatures(8); return g, all },
	} {
		c := good
		on, starts := f(&c)
		if _, err := NewWalkLoader(on, starts, c); err == nil || !strings.HasPrefix(err.Error(), "data: NewWalkLoader: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if l, err := NewWalkLoader(g, []int32{}, good); err != nil || l.Len() != 0 {
		t.Errorf("a loader of nothing: %v, %v", l, err)
	}
}
