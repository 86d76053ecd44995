// Tests of random walks.

package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// walkings are ways of walking of each kind, extreme ones too.
var walkings = []Walking{
	{}, {P: 1, Q: 1}, {P: 0.25, Q: 4}, {P: 4, Q: 0.25}, {Q: 0.5}, {P: 20}, {P: 0.05}, {P: 3, Q: 2}, {P: 0.3, Q: 0.2},
	{P: 1e6, Q: 1e-6}, {P: 1e-30}, {Q: 1e30}, {P: 1e30, Q: 1e30}, {P: 1e30}, {Q: 1e-30}, {P: 50, Q: 100},
}

// walkGraph has parallel edges, loops, edges of one direction, a vertex (6) with one way out,
// which is back, and one without any (5).
func walkGraph(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graph.New(8,
		[]int32{0, 1, 0, 2, 1, 2, 2, 3, 3, 0, 0, 0, 1, 3, 6, 3, 4, 4, 0, 7, 4, 0},
		[]int32{1, 0, 2, 0, 2, 1, 3, 2, 0, 3, 1, 0, 4, 6, 3, 3, 1, 0, 7, 0, 4, 1})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// countEdges counts the edges from u to v.
func countEdges(g *graph.Graph, u, v int32) (n float64) {
	for e, x := range g.Src() {
		if x == u && g.Dst()[e] == v {
			n++
		}
	}
	return n
}

// stepChances are the probabilities with which a walk that came from t to v, or began there
// (t is -1), goes on, by the formula.
func stepChances(g *graph.Graph, w Walking, t, v int32) []float64 {
	p, q := w.P, w.Q
	if p == 0 {
		p = 1
	}
	if q == 0 {
		q = 1
	}
	chances, sum := make([]float64, g.NumVertices()), 0.0
	for x := range chances {
		alpha := 1 / q
		switch {
		case t < 0 || countEdges(g, int32(x), t) > 0:
			alpha = 1
		}
		if int32(x) == t {
			alpha = 1 / p
		}
		chances[x] = alpha * countEdges(g, v, int32(x))
		sum += chances[x]
	}
	if sum == 0 {
		chances[v], sum = 1, 1
	}
	for x := range chances {
		chances[x] /= sum
	}
	return chances
}

// chiSquareOf fails the test if counts are not what chances give. Those of which too few are
// expected count together. The bound is passed once in 30 million such tests.
func chiSquareOf[K comparable](t *testing.T, what string, counts map[K]float64, chances map[K]float64, draws float64) {
	t.Helper()
	var chi2, restCount, restWant, cells float64
	add := func(count, want float64) {
		chi2 += (count - want) * (count - want) / want
		cells++
	}
	for k, count := range counts {
		if chances[k] == 0 {
			t.Fatalf("%s: %v came %v times; it cannot", what, k, count)
		}
	}
	for k, p := range chances {
		if want := p * draws; want < 8 {
			restCount, restWant = restCount+counts[k], restWant+want
		} else {
			add(counts[k], want)
		}
	}
	if restWant >= 8 {
		add(restCount, restWant)
	} else if limit := restWant + 8*math.Sqrt(restWant) + 8; restCount > limit {
		t.Errorf("%s: what is expected %v times came %v times", what, restWant, restCount)
	}
	if cells < 2 {
		return
	}
	k := cells - 1
	const z = 5.4 // of the normal distribution (Wilson and Hilferty 1931)
	if limit := k * math.Pow(1-2/(9*k)+z*math.Sqrt(2/(9*k)), 3); chi2 > limit {
		t.Errorf("%s: chi-square %v of %v cells, at most %v", what, chi2, cells, limit)
	}
}

// TestWalksHaveTheChancesOfTheirPaths counts whole walks, so that steps depend on what they may
// depend on, and on no more.
func TestWalksHaveTheChancesOfTheirPaths(t *testing.T) {
	g := walkGraph(t)
	const draws, length = 60_000, 5
	for i, w := range walkings {
		w.Length = length
		for _, start := range []int32{0, 4} {
			chances := map[[length]int32]float64{}
			var extend func(path [length]int32, n int, p float64)
			extend = func(path [length]int32, n int, p float64) {
				if n == length {
					chances[path] += p
					return
				}
				from := int32(-1)
				if n > 1 {
					from = path[n-2]
				}
				for x, q := range stepChances(g, w, from, path[n-1]) {
					if q > 0 {
						path[n] = int32(x)
						extend(path, n+1, p*q)
					}
				}
			}
			extend([length]int32{start}, 1, 1)
			walks, err := RandomWalks(g, slices.Repeat([]int32{start}, draws), w, uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			counts := map[[length]int32]float64{}
			for k := range walks.Len() {
				counts[[length]int32(walks.Walk(k))]++
			}
			chiSquareOf(t, fmt.Sprintf("%+v from %d", w, start), counts, chances, draws)
		}
	}
}

// TestStepsHaveTheChancesOfTheFormula tries every edge to come by, also those that walks seldom
// take, and both ways of drawing a step.
func TestStepsHaveTheChancesOfTheFormula(t *testing.T) {
	g := walkGraph(t)
	const draws = 20_000
	for _, w := range walkings {
		k := newWalker(g, w)
		if k.edges == nil {
			continue
		}
		for e, from := range g.Src() {
			v := g.Dst()[e]
			row := k.ends[k.offsets[v]:k.offsets[v+1]]
			if len(row) == 0 {
				continue
			}
			chances := map[int32]float64{}
			for x, p := range stepChances(g, w, from, v) {
				if p > 0 {
					chances[int32(x)] = p
				}
			}
			drawn, weighed := map[int32]float64{}, map[int32]float64{}
			for i := range uint64(draws) {
				drawn[k.next(row, from, rng.Hash(uint64(e), i))]++
				weighed[k.weighAll(row, from, rng.Uniform(uint64(e), i))]++
			}
			what := fmt.Sprintf("%+v from %d by %d", w, from, v)
			chiSquareOf(t, what, drawn, chances, draws)
			chiSquareOf(t, what+", all weighed", weighed, chances, draws)
		}
	}
}

func TestWalksGoAlongEdgesAndStayWhereThereIsNone(t *testing.T) {
	for name, g := range loaderGraphs(t) {
		out := g.Out()
		for _, w := range walkings {
			w.Length = 9
			starts := slices.Repeat(everyVertex(g), 2)
			walks, err := RandomWalks(g, starts, w, 3)
			if err != nil {
				t.Fatal(err)
			}
			if walks.Len() != len(starts) || walks.Length != 9 {
				t.Fatalf("%s: %d walks of %d", name, walks.Len(), walks.Length)
			}
			for i, start := range starts {
				walk := walks.Walk(i)
				if walk[0] != start {
					t.Fatalf("%s: walk %d starts from %d, not %d", name, i, walk[0], start)
				}
				for k, v := range walk[1:] {
					u := walk[k]
					if row, _ := out.Row(int(u)); !slices.Contains(row, v) && !(len(row) == 0 && u == v) {
						t.Fatalf("%s: walk %v: no edge from %d to %d", name, walk, u, v)
					}
				}
			}
		}
	}
}

func TestWalksDependOnTheirSeedAndPlaceAlone(t *testing.T) {
	g := loaderGraphs(t)["dense"]
	starts := slices.Repeat([]int32{3, 7}, 40)
	for _, w := range []Walking{{Length: 6}, {Length: 6, P: 0.5, Q: 3}} {
		walks := func(starts []int32, seed uint64) Walks {
			out, err := RandomWalks(g, starts, w, seed)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		all := walks(starts, 1)
		if few := walks(starts[:33], 1); !slices.Equal(few.Vertices, all.Vertices[:len(few.Vertices)]) {
			t.Error("the first walks depend on those after them")
		}
		if slices.Equal(all.Vertices, walks(starts, 2).Vertices) {
			t.Error("two seeds give the same walks")
		}
		if slices.Equal(all.Walk(0), all.Walk(2)) && slices.Equal(all.Walk(0), all.Walk(4)) {
			t.Error("walks from one vertex are the same")
		}
	}
}

func TestWindowsStandInPyGsOrder(t *testing.T) {
	w := Walks{Vertices: []int32{1, 2, 3, 4, 5, 6, 7, 8}, Length: 4}
	for size, want := range map[int][]int32{
		1: {1, 5, 2, 6, 3, 7, 4, 8},
		2: {1, 2, 5, 6, 2, 3, 6, 7, 3, 4, 7, 8},
		3: {1, 2, 3, 5, 6, 7, 2, 3, 4, 6, 7, 8},
		4: {1, 2, 3, 4, 5, 6, 7, 8},
	} {
		if got := w.Windows(size); got.Length != size || !slices.Equal(got.Vertices, want) {
			t.Errorf("windows of %d: %+v, want %v", size, got, want)
		}
	}
	if n := (Walks{}).Len(); n != 0 {
		t.Errorf("no walks are %d", n)
	}
	if got := (Walks{Length: 4}).Windows(2); got.Len() != 0 || got.Length != 2 {
		t.Errorf("windows of no walks are %+v", got)
	}
	for size, want := range map[int]string{0: "data: Windows: windows of 0 vertices in walks of 4", 5: "data: Windows: windows of 5 vertices in walks of 4"} {
		if got := misused(t, func() { w.Windows(size) }); got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}

func TestRandomWalksRejectWhatDoesNotFit(t *testing.T) {
	g := walkGraph(t)
	bipartite, err := graph.NewBipartite(2, 1, []int32{1}, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	one := []int32{0}
	for want, f := range map[string]func() (Walks, error){
		"the graph is nil":                         func() (Walks, error) { return RandomWalks(nil, one, Walking{Length: 2}, 0) },
		"bipartite":                                func() (Walks, error) { return RandomWalks(bipartite, one, Walking{Length: 2}, 0) },
		"walks of 0 vertices; want at least 1":     func() (Walks, error) { return RandomWalks(g, one, Walking{}, 0) },
		"the P of walks is -1 and Q 0; want":       func() (Walks, error) { return RandomWalks(g, one, Walking{Length: 2, P: -1}, 0) },
		"the P of walks is 0 and Q NaN; want":      func() (Walks, error) { return RandomWalks(g, one, Walking{Length: 2, Q: math.NaN()}, 0) },
		"the P of walks is +Inf and Q 2; want":     func() (Walks, error) { return RandomWalks(g, one, Walking{Length: 2, P: math.Inf(1), Q: 2}, 0) },
		"the P of walks is 1e-31 and Q 0; want":    func() (Walks, error) { return RandomWalks(g, one, Walking{Length: 2, P: 1e-31}, 0) },
		"the starts are nil":                       func() (Walks, error) { return RandomWalks(g, nil, Walking{Length: 2}, 0) },
		"start 1: vertex 8 out of range [0, 8)":    func() (Walks, error) { return RandomWalks(g, []int32{0, 8}, Walking{Length: 2}, 0) },
		"start 0: vertex -1 out of range [0, 8)":   func() (Walks, error) { return RandomWalks(g, []int32{-1}, Walking{Length: 2}, 0) },
		"3 walks of 1000000000 vertices; together": func() (Walks, error) { return RandomWalks(g, make([]int32, 3), Walking{Length: 1e9}, 0) },
	} {
		if _, err := f(); err == nil || !strings.HasPrefix(err.Error(), "data: RandomWalks: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if w, err := RandomWalks(g, []int32{}, Walking{Length: 2}, 0); err != nil || w.Len() != 0 {
		t.Errorf("walks from nowhere: %v, %v", w, err)
	}
}
