// Tests of the generators.

package data

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
)

func sameArcs(a, b *graph.Graph) bool {
	return a.NumVertices() == b.NumVertices() && slices.Equal(a.Src(), b.Src()) && slices.Equal(a.Dst(), b.Dst())
}

func TestRMATIsTheSameForAnyNumberOfThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *graph.Graph
	for _, threads := range []int{1, 2, 3, 7} {
		runtime.GOMAXPROCS(threads)
		g, err := RMAT(RMATConfig{Vertices: 1000, Edges: 20001, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = g
		}
		if !sameArcs(g, first) {
			t.Errorf("%d threads give another graph than 1", threads)
		}
	}
	other, err := RMAT(RMATConfig{Vertices: 1000, Edges: 20001, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if sameArcs(first, other) {
		t.Error("another seed gives the same graph")
	}
	more, err := RMAT(RMATConfig{Vertices: 1000, Edges: 30000, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(more.Src()[:20001], first.Src()) {
		t.Error("the first edges depend on the number of edges")
	}
}

// TestRMATFillsQuadrantsAsAsked compares the counts of the first two levels
// with their expectation.
func TestRMATFillsQuadrantsAsAsked(t *testing.T) {
	const edges = 200000
	for _, p := range [][4]float64{{0.57, 0.19, 0.19, 0.05}, {0.25, 0.25, 0.25, 0.25}, {0.1, 0.2, 0.3, 0.4}} {
		g, err := RMAT(RMATConfig{Vertices: 64, Edges: edges, A: p[0], B: p[1], C: p[2], Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		var counts [16]float64
		for e, u := range g.Src() {
			v := g.Dst()[e]
			counts[(u>>5<<1|v>>5)<<2|(u>>4&1)<<1|v>>4&1]++
		}
		for q, n := range counts {
			want := edges * p[q>>2] * p[q&3]
			if math.Abs(n-want) > 5*math.Sqrt(want) {
				t.Errorf("%v: quadrant %d of %d has %.0f edges, want about %.0f", p, q&3, q>>2, n, want)
			}
		}
	}
}

func TestRMATUsesAllOfAnyNumberOfVertices(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 37, 64, 65} {
		g, err := RMAT(RMATConfig{Vertices: n, Edges: 20000, A: 0.25, B: 0.25, C: 0.25})
		if err != nil {
			t.Fatalf("%d vertices: %v", n, err)
		}
		if slices.Min(g.OutDegrees()) == 0 || slices.Min(g.InDegrees()) == 0 {
			t.Errorf("%d vertices: some have no edges", n)
		}
	}
}

func TestRMATHasHubs(t *testing.T) {
	g, err := RMAT(RMATConfig{Vertices: 5000, Edges: 50000})
	if err != nil {
		t.Fatal(err)
	}
	if m := g.In().MaxDegree(); m < 200 {
		t.Errorf("the largest degree is %d with a mean of 10", m)
	}
}

func TestRMATRejectsBadConfigurations(t *testing.T) {
	for _, tt := range []struct {
		c    RMATConfig
		want string
	}{
		{RMATConfig{Vertices: 4, A: 0.7, B: 0.7}, "are not probabilities"},
		{RMATConfig{Vertices: 4, A: -0.1, B: 0.7}, "are not probabilities"},
		{RMATConfig{Vertices: 4, A: math.NaN()}, "are not probabilities"},
		{RMATConfig{Vertices: -1}, "-1 vertices"},
		{RMATConfig{Vertices: 1, Edges: -1}, "-1 edges"},
		{RMATConfig{Edges: 1}, "1 edges without vertices"},
	} {
		if _, err := RMAT(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.c, err, tt.want)
		}
	}
	if g, err := RMAT(RMATConfig{}); err != nil || g.NumVertices() != 0 {
		t.Errorf("empty: %v, %v", g, err)
	}
}

func TestSBMHasTheAskedDensities(t *testing.T) {
	c := SBMConfig{Sizes: []int{300, 200, 100}, PIn: 0.1, POut: 0.01, Features: 8, Noise: 0.5, Seed: 2}
	d, err := SBM(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(d.Train) != 60 || len(d.Val) != 90 || len(d.Test) != 450 {
		t.Errorf("split %d %d %d", len(d.Train), len(d.Val), len(d.Test))
	}
	sym, _ := d.Graph.Symmetrize()
	simple, _ := d.Graph.Simplify()
	loopless, _ := d.Graph.RemoveSelfLoops()
	if n := d.Graph.NumEdges(); sym.NumEdges() != n || simple.NumEdges() != n || loopless.NumEdges() != n {
		t.Error("the graph is not simple and symmetric")
	}
	var counts [3][3]float64
	for e, u := range d.Graph.Src() {
		counts[d.Labels[u]][d.Labels[d.Graph.Dst()[e]]]++
	}
	for k, row := range counts {
		for l, n := range row {
			pairs, p, arcs := float64(c.Sizes[k]*c.Sizes[l]), c.POut, 1.0
			if k == l {
				pairs, p, arcs = float64(c.Sizes[k]*(c.Sizes[k]-1)/2), c.PIn, 2
			}
			if want := pairs * p; math.Abs(n/arcs-want) > 5*math.Sqrt(want) {
				t.Errorf("%v edges between classes %d and %d, want about %v", n/arcs, k, l, want)
			}
		}
	}

	// A vertex is nearer to the mean of its class than to the others'.
	x, f := d.Features.Dense().Float64s(), c.Features
	means := make([]float64, 3*f)
	for i, value := range x {
		k := int(d.Labels[i/f])
		means[k*f+i%f] += value / float64(c.Sizes[k])
	}
	var right int
	for v, label := range d.Labels {
		best, bestDistance := -1, math.Inf(1)
		for k := range 3 {
			var distance float64
			for j := range f {
				distance += math.Pow(x[v*f+j]-means[k*f+j], 2)
			}
			if distance < bestDistance {
				best, bestDistance = k, distance
			}
		}
		if best == int(label) {
			right++
		}
	}
	if right < 570 {
		t.Errorf("%d of 600 vertices are nearest to their class", right)
	}

	again, err := SBM(c)
	if err != nil {
		t.Fatal(err)
	}
	if !sameArcs(again.Graph, d.Graph) || !slices.Equal(again.Features.Dense().Float64s(), x) || !slices.Equal(again.Train, d.Train) {
		t.Error("the same configuration gives another dataset")
	}
	c.Seed++
	other, err := SBM(c)
	if err != nil {
		t.Fatal(err)
	}
	if sameArcs(other.Graph, d.Graph) || slices.Equal(other.Features.Dense().Float64s(), x) || slices.Equal(other.Train, d.Train) {
		t.Error("another seed gives the same graph, features or split")
	}
}

func TestSBMWithoutChance(t *testing.T) {
	for _, tt := range []struct {
		c              SBMConfig
		vertices, arcs int
	}{
		{SBMConfig{}, 0, 0},
		{SBMConfig{Sizes: []int{0, 0}}, 0, 0},
		{SBMConfig{Sizes: []int{5, 0, 4}, PIn: 0, POut: 0}, 9, 0},
		{SBMConfig{Sizes: []int{5, 0, 4}, PIn: 1, POut: 0}, 9, 5*4 + 4*3},
		{SBMConfig{Sizes: []int{5, 0, 4}, PIn: 0, POut: 1}, 9, 2 * 5 * 4},
		{SBMConfig{Sizes: []int{5, 0, 4}, PIn: 1, POut: 1}, 9, 9 * 8},
		{SBMConfig{Sizes: []int{50}, PIn: 5e-324}, 50, 0},
	} {
		d, err := SBM(tt.c)
		if err != nil {
			t.Errorf("%+v: %v", tt.c, err)
			continue
		}
		simple, _ := d.Graph.Simplify()
		if err := d.Validate(); err != nil || d.Graph.NumVertices() != tt.vertices || simple.NumEdges() != tt.arcs || d.Graph.NumEdges() != tt.arcs {
			t.Errorf("%+v: %v, %d of them different; want %d vertices, %d arcs; %v", tt.c, d.Graph, simple.NumEdges(), tt.vertices, tt.arcs, err)
		}
	}
}

func TestSBMRejectsBadConfigurations(t *testing.T) {
	for _, tt := range []struct {
		c    SBMConfig
		want string
	}{
		{SBMConfig{Sizes: []int{3, -1}}, "class 1 has -1 vertices"},
		{SBMConfig{Sizes: []int{3}, PIn: 1.5}, "are not probabilities"},
		{SBMConfig{Sizes: []int{3}, POut: -0.5}, "are not probabilities"},
		{SBMConfig{Sizes: []int{3}, POut: math.NaN()}, "are not probabilities"},
		{SBMConfig{Sizes: []int{1 << 30, 1 << 30, 1 << 30}}, "are too many"},
		{SBMConfig{Sizes: []int{1 << 20}, PIn: 1}, "are too many"},
		{SBMConfig{Sizes: []int{3}, Features: -1}, "-1 features"},
		{SBMConfig{Sizes: []int{1 << 20}, Features: 1 << 20}, "1048576 features"},
		{SBMConfig{Sizes: []int{3}, Features: 1, Noise: 1e300}, "noise of 1e+300"},
		{SBMConfig{Sizes: []int{3}, Features: 1, Noise: math.NaN()}, "noise of NaN"},
	} {
		if _, err := SBM(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.c, err, tt.want)
		}
	}
}

func TestTrianglePairsAreEnumeratedInOrder(t *testing.T) {
	i := 0
	for u := range 300 {
		for v := range u {
			if gu, gv := trianglePair(i); gu != u || gv != v {
				t.Fatalf("pair %d is (%d, %d), want (%d, %d)", i, gu, gv, u, v)
			}
			i++
		}
	}
	for _, u := range []int{1 << 15, 1<<26 - 1, 1<<31 - 2} { // where the root is rounded
		first := u * (u - 1) / 2
		for i, want := range map[int][2]int{first - 1: {u - 1, u - 2}, first: {u, 0}, first + u - 1: {u, u - 1}} {
			if gu, gv := trianglePair(i); gu != want[0] || gv != want[1] {
				t.Errorf("pair %d is (%d, %d), want %v", i, gu, gv, want)
			}
		}
	}
}

func BenchmarkRMAT(b *testing.B) {
	for b.Loop() {
		if _, err := RMAT(RMATConfig{Vertices: 200_000, Edges: 4_000_000, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
