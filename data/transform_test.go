// Tests of the transforms and of splits by fractions and folds.

package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
)

// randomGraph returns a multigraph with self-loops.
func randomGraph(t testing.TB, n, edges int, seed uint64, opts ...graph.Option) *graph.Graph {
	t.Helper()
	src, dst := make([]int32, edges), make([]int32, edges)
	for e := range src {
		src[e], dst[e] = int32(rng.Hash(seed, uint64(2*e))%uint64(n)), int32(rng.Hash(seed, uint64(2*e+1))%uint64(n))
	}
	g, err := graph.New(n, src, dst, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGCNNormIsTheMatrixOfThePaper(t *testing.T) {
	for seed := range uint64(20) {
		n := 1 + int(seed)
		g := randomGraph(t, n, 3*int(seed), seed)
		var weights []float32
		if seed%2 == 1 {
			for e := range g.NumEdges() {
				weights = append(weights, float32(rng.Uniform(seed, uint64(e))))
			}
		}
		// D^-1/2 (A + I) D^-1/2, dense; a[u][v] is the sum of the edges u → v.
		a := make([][]float64, n)
		degree := make([]float64, n)
		for u := range a {
			a[u] = make([]float64, n)
			a[u][u] = 1
			degree[u] = 1
		}
		for e, u := range g.Src() {
			w := 1.0
			if weights != nil {
				w = float64(weights[e])
			}
			a[u][g.Dst()[e]] += w
			degree[g.Dst()[e]] += w
		}
		out, norm := GCNNorm(g, weights)
		for e, u := range out.Src() {
			v := out.Dst()[e]
			a[u][v] -= float64(norm[e]) * math.Sqrt(degree[u]*degree[v])
		}
		for u := range a {
			for v, left := range a[u] {
				if math.Abs(left) > 1e-5 {
					t.Fatalf("seed %d: entry (%d, %d) is off by %v", seed, u, v, left)
				}
			}
		}
	}
}

func TestGCNNormOfUnweightedGraphsIsSymNorm(t *testing.T) {
	g, norm := GCNNorm(Karate().Graph, nil)
	for e, want := range g.SymNorm() {
		if math.Abs(float64(norm[e]-want)) > 1e-6 {
			t.Fatalf("edge %d: %v, want %v", e, norm[e], want)
		}
	}
}

func TestGCNNormOfVanishingDegreesIsZero(t *testing.T) {
	g, err := graph.New(2, []int32{0}, []int32{1})
	if err != nil {
		t.Fatal(err)
	}
	if _, norm := GCNNorm(g, []float32{-1}); !slices.Equal(norm, []float32{0, 1, 0}) {
		t.Errorf("%v", norm)
	}
}

func TestAddInverseTurnsEveryEdgeRound(t *testing.T) {
	g, err := graph.New(3, []int32{0, 1}, []int32{1, 1}, graph.WithEdgeTypes([]int32{1, 0}, 2), graph.WithVertexTypes([]int32{0, 0, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	out := AddInverse(g)
	if got := fmt.Sprint(out.Src(), out.Dst(), out.EdgeTypes(), out.NumEdgeTypes(), out.VertexTypes()); got != "[0 1 1 1] [1 1 0 1] [1 0 3 2] 4 [0 0 1]" {
		t.Errorf("got %s", got)
	}
	plain, err := graph.New(2, []int32{0}, []int32{1})
	if err != nil {
		t.Fatal(err)
	}
	if out := AddInverse(plain); out.EdgeTypes() != nil || out.NumEdges() != 2 {
		t.Errorf("%v", out)
	}
}

func TestDropEdgesDropsItsShare(t *testing.T) {
	n := 20_000
	src, dst, types := make([]int32, n), make([]int32, n), make([]int32, n)
	for e := range n {
		src[e], dst[e], types[e] = int32(e%7), int32(e%11), int32(e%3)
	}
	g, err := graph.New(11, src, dst, graph.WithEdgeTypes(types, 3))
	if err != nil {
		t.Fatal(err)
	}
	out, edges := DropEdges(g, 0.3, 1)
	if share := float64(out.NumEdges()) / float64(n); math.Abs(share-0.7) > 0.015 || !slices.IsSorted(edges) {
		t.Errorf("%v of the edges are left, want 0.7; in order: %v", share, slices.IsSorted(edges))
	}
	for i, e := range edges {
		if out.Src()[i] != src[e] || out.Dst()[i] != dst[e] || out.EdgeTypes()[i] != types[e] {
			t.Fatalf("edge %d is not edge %d", i, e)
		}
	}
	if _, again := DropEdges(g, 0.3, 1); !slices.Equal(again, edges) {
		t.Error("the same seed gives other edges")
	}
	if _, other := DropEdges(g, 0.3, 2); slices.Equal(other, edges) {
		t.Error("another seed gives the same edges")
	}
	for p, want := range map[float64]int{0: n, 1: 0} {
		if out, edges := DropEdges(g, p, 1); out.NumEdges() != want || len(edges) != want {
			t.Errorf("with probability %v %d edges are left, want %d", p, out.NumEdges(), want)
		}
	}
}

func TestDegreeFeaturesAreClipped(t *testing.T) {
	g, err := graph.New(3, []int32{0, 1, 2, 0}, []int32{0, 0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := DegreeFeatures(g, 2).Dense().Float64s(); !slices.Equal(got, []float64{0, 0, 1, 0, 1, 0, 1, 0, 0}) {
		t.Errorf("%v", got)
	}
}

func TestLargestComponentIsThatOfASearch(t *testing.T) {
	for seed := range uint64(50) {
		n := 1 + int(seed%17)
		g := randomGraph(t, n, int(seed%13), seed)
		// Components by repeated minima of neighbours.
		label := make([]int32, n)
		for v := range label {
			label[v] = int32(v)
		}
		for range n {
			for e, u := range g.Src() {
				v := g.Dst()[e]
				label[u] = min(label[u], label[v])
				label[v] = label[u]
			}
		}
		var want []int32
		for root := range int32(n) {
			var members []int32
			for v, l := range label {
				if l == root {
					members = append(members, int32(v))
				}
			}
			if len(members) > len(want) {
				want = members
			}
		}
		if got := LargestComponent(g); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
	empty, err := graph.New(0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := LargestComponent(empty); got == nil || len(got) != 0 {
		t.Errorf("of an empty graph: %v", got)
	}
}

// TestLargestComponentsHaveThePublishedSizes: Bojchevski and Günnemann (2018),
// Zügner et al. (2018) and Shchur et al. (2018) train on these.
func TestLargestComponentsHaveThePublishedSizes(t *testing.T) {
	for name, want := range map[string][2]int{
		"cora": {2485, 5069}, "cora-ml": {2810, 7981}, "citeseer-linqs": {2110, 3668}, "polblogs": {1222, 16714},
	} {
		d, err := Load(context.Background(), name, Options{Dir: filepath.Join(shared.Dir(t), "datasets")})
		if err != nil {
			t.Fatal(err)
		}
		l := d.LargestComponent()
		if err := l.Validate(); err != nil {
			t.Error(err)
		}
		simple, _ := l.Graph.RemoveSelfLoops()
		if got := [2]int{l.Graph.NumVertices(), simple.NumEdges() / 2}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestSubsetKeepsWhatBelongsToItsVertices(t *testing.T) {
	d := Karate()
	vertices := []int32{33, 0, 8, 16, 1}
	s := d.Subset(vertices)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for i, v := range vertices {
		in := func(part []int32, v int32) bool { return slices.Contains(part, v) }
		if s.Labels[i] != d.Labels[v] || in(s.Train, int32(i)) != in(d.Train, v) || in(s.Test, int32(i)) != in(d.Test, v) {
			t.Errorf("vertex %d differs", v)
		}
		if row := s.Features.Dense().Float64s()[i*34 : (i+1)*34]; row[v] != 1 {
			t.Errorf("features of vertex %d differ", v)
		}
		for j, u := range vertices {
			neighbors, _ := s.Graph.In().Row(i)
			old, _ := d.Graph.In().Row(int(v))
			if slices.Contains(neighbors, int32(j)) != slices.Contains(old, u) {
				t.Errorf("edge from %d to %d differs", u, v)
			}
		}
	}
}

func TestFractionSplitPartsEverything(t *testing.T) {
	for _, tt := range []struct {
		n          int
		train, val float64
		want       [3]int
	}{
		{0, .5, .5, [3]int{}}, {10, .8, .1, [3]int{8, 1, 1}}, {10, 0, 0, [3]int{0, 0, 10}}, {3, .5, .5, [3]int{2, 1, 0}}, {1000, .6, .2, [3]int{600, 200, 200}}, {7, 1, 0, [3]int{7, 0, 0}}, {10, .7, .3, [3]int{7, 3, 0}},
	} {
		train, val, test := FractionSplit(tt.n, tt.train, tt.val, 5)
		if got := [3]int{len(train), len(val), len(test)}; got != tt.want || train == nil || val == nil || test == nil {
			t.Errorf("%+v: %v", tt, got)
		}
		all := slices.Concat(train, val, test)
		slices.Sort(all)
		if !slices.Equal(all, appendRange([]int32{}, 0, int32(tt.n))) || !slices.IsSorted(train) || !slices.IsSorted(val) || !slices.IsSorted(test) {
			t.Errorf("%+v: %v %v %v", tt, train, val, test)
		}
	}
	a, _, _ := FractionSplit(1000, .5, .1, 1)
	b, _, _ := FractionSplit(1000, .5, .1, 1)
	c, _, _ := FractionSplit(1000, .5, .1, 2)
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Error("the seed alone should decide")
	}
}

func TestFractionSplitLeavesNoPartEmptyThatIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		n          int
		train, val float64
		want       string // sizes
	}{
		{4, .1, .5, "are 0, 2 and 2 for testing"}, {4, .8, .1, "are 3, 1 and 0 for testing"}, {10, .8, .04, "are 8, 0 and 2 for testing"},
		{1, .6, .2, "are 1, 0 and 0 for testing"}, {3, 0, .9, "are 0, 3 and 0 for testing"},
	} {
		if got := misused(t, func() { FractionSplit(tt.n, tt.train, tt.val, 1) }); !strings.Contains(got, tt.want) {
			t.Errorf("%+v: panic %q", tt, got)
		}
	}
}

func TestFoldsAreStratified(t *testing.T) {
	labels := make([]int32, 188)
	for i := range labels {
		labels[i] = int32(rng.Hash(3, uint64(i))%4) - 1
	}
	for _, k := range []int{1, 3, 10, 188, 300} {
		folds := KFold(labels, k, 7)
		sizes := make(map[[2]int32]int) // by label and fold
		total := make([]int, k)
		number := make(map[int32]int)
		for i, f := range folds {
			if f < 0 || int(f) >= k {
				t.Fatalf("fold %d of %d", f, k)
			}
			sizes[[2]int32{labels[i], f}]++
			number[labels[i]]++
			total[f]++
		}
		for f := range int32(k) {
			if n := total[f]; n < 188/k || n > (188+k-1)/k {
				t.Errorf("%d folds: fold %d has %d", k, f, n)
			}
			for c, all := range number {
				if n := sizes[[2]int32{c, f}]; n < all/k || n > (all+k-1)/k {
					t.Errorf("%d folds: fold %d has %d of the %d of label %d", k, f, n, all, c)
				}
			}
		}
		train, test := Fold(folds, 0)
		if len(train)+len(test) != 188 || len(test) != total[0] || train == nil {
			t.Errorf("%d folds: %d and %d", k, len(train), len(test))
		}
	}
	if slices.Equal(KFold(labels, 10, 1), KFold(labels, 10, 2)) || !slices.Equal(KFold(labels, 10, 1), KFold(labels, 10, 1)) {
		t.Error("the seed alone should decide")
	}
}

func TestTransformsRejectWhatMakesNoSense(t *testing.T) {
	g := Karate().Graph
	graphs := &GraphDataset{Graphs: []*graph.Graph{g}}
	oneWay, err := graph.New(3, []int32{0, 1, 0, 1, 2}, []int32{1, 0, 1, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func(){
		"LargestComponent: ":                             func() { LargestComponent(bipartite(t)) },
		"GCNNorm: the graph is nil":                      func() { GCNNorm(nil, nil) },
		"AddInverse: the graph is nil":                   func() { AddInverse(nil) },
		"DropEdges: the graph is nil":                    func() { DropEdges(nil, 0, 1) },
		"DropEdges: probability NaN is outside [0, 1]":   func() { DropEdges(Karate().Graph, math.NaN(), 1) },
		"DropEdges: probability 1.5 is outside [0, 1]":   func() { DropEdges(Karate().Graph, 1.5, 1) },
		"DegreeFeatures: the graph is nil":               func() { DegreeFeatures(nil, 1) },
		"LargestComponent: the graph is nil":             func() { LargestComponent(nil) },
		"LocalityOrder: ":                                func() { LocalityOrder(bipartite(t)) },
		"LocalityOrder: the graph is nil":                func() { LocalityOrder(nil) },
		"LinksOf: the graph is nil":                      func() { LinksOf(nil) },
		"DenseFeatures: the tensor is nil":               func() { DenseFeatures(nil) },
		"GCNNorm: 1 weights for 156 edges":               func() { GCNNorm(g, []float32{1}) },
		"IdentityFeatures: -3 vertices":                  func() { IdentityFeatures(-3) },
		"IdentityFeatures: 1152921504606846976 vertices": func() { IdentityFeatures(1 << 60) },
		"DegreeFeatures: limit -1 out of range":          func() { DegreeFeatures(g, -1) },
		"WithDegreeFeatures: limit -1":                   func() { graphs.WithDegreeFeatures(-1) },
		"Batch: graph 1 out of range [0, 1)":             func() { graphs.Batch([]int32{0, 1}) },
		"Subset: ":                                       func() { Karate().Subset([]int32{1, 1}) },
		"Subset: the graph is nil":                       func() { (&Dataset{}).Subset(nil) },
		"Subset: 1 labels for 34 vertices":               func() { (&Dataset{Graph: g, Labels: []int32{0}}).Subset([]int32{3}) },
		"Subset: 3 rows of features for 34 vertices": func() {
			(&Dataset{Graph: g, Labels: Karate().Labels, Features: DenseFeatures(tensor.Ones(tensor.Float32, 3, 1))}).Subset([]int32{3})
		},
		"Subset: train vertex 34 out of range [0, 34)":                                                   func() { (&Dataset{Graph: g, Labels: Karate().Labels, Train: []int32{34}}).Subset([]int32{3}) },
		"WithDegreeFeatures: the graph is nil":                                                           func() { (&GraphDataset{Graphs: []*graph.Graph{nil}}).WithDegreeFeatures(1) },
		"AddSelfLoops: the graph is nil":                                                                 func() { new(HeteroDataset).AddSelfLoops() },
		"AddSelfLoops: the graph has no types of vertices or of edges":                                   func() { (&HeteroDataset{Graph: g}).AddSelfLoops() },
		"AddSelfLoops: 1 types of vertices, 0 of edges and ends of 0; the graph has 0 an":                func() { (&HeteroDataset{Graph: g, VertexTypes: []string{"a"}}).AddSelfLoops() },
		"RandomWalkEncoding: the graph is nil":                                                           func() { RandomWalkEncoding(nil, 1) },
		"RandomWalkEncoding: 0 steps, want 1 to 16777216":                                                func() { RandomWalkEncoding(g, 0) },
		"LaplacianEncoding: the graph is nil":                                                            func() { _, _ = LaplacianEncoding(nil, 1) },
		"LaplacianEncoding: 0 eigenvectors, want 1 to 16777215":                                          func() { _, _ = LaplacianEncoding(g, 0) },
		"LaplacianEncoding: there are other numbers of edges from 0 to 1 and back: graph.Graph.Simplify": func() { _, _ = LaplacianEncoding(oneWay, 1) },
		"DegreeProfile: the graph is nil":                                                                func() { DegreeProfile(nil) },
		"ConstantFeatures: -1 vertices":                                                                  func() { ConstantFeatures(-1, 1) },
		"Append: 3 rows of features behind 34":                                                           func() { IdentityFeatures(34).Append(IdentityFeatures(3)) },
		"AddFeatures: 3 rows of features for 34 vertices":                                                func() { Karate().AddFeatures(IdentityFeatures(3)) },
		"AddFeatures: 0 rows of features for 34 vertices":                                                func() { graphs.AddFeatures(Features{}) },
		"AddFeatures: the graph is nil":                                                                  func() { new(Dataset).AddFeatures(Features{}) },
		"AddRandomWalkEncoding: -1 steps":                                                                func() { graphs.AddRandomWalkEncoding(-1) },
		"AddRandomWalkEncoding: 0 features, want 1 to":                                                   func() { new(GraphDataset).AddRandomWalkEncoding(0) },
		"AddLaplacianEncoding: 0 eigenvectors":                                                           func() { _, _ = graphs.AddLaplacianEncoding(0) },
		"AddDegreeProfile: the graph is nil":                                                             func() { (&GraphDataset{Graphs: []*graph.Graph{nil}}).AddDegreeProfile() },
		"AddConstantFeature: the graph is nil":                                                           func() { (&GraphDataset{Graphs: []*graph.Graph{nil}}).AddConstantFeature(1) },
		"AddVirtualVertex: the graph is nil":                                                             func() { new(Dataset).AddVirtualVertex() },
		"AddVirtualVertex: 1 labels for 34 vertices":                                                     func() { (&Dataset{Graph: g, Labels: []int32{0}}).AddVirtualVertex() },
		"AddVirtualVertex: 3 rows of features for 34 vertices": func() {
			(&Dataset{Graph: g, Labels: Karate().Labels, Features: IdentityFeatures(3)}).AddVirtualVertex()
		},
		"AddVirtualVertex: graph 0 is missing or bipartite":         func() { (&GraphDataset{Graphs: []*graph.Graph{bipartite(t)}}).AddVirtualVertex() },
		"LargestComponent: graph 0 is missing or bipartite":         func() { (&GraphDataset{Graphs: []*graph.Graph{nil}}).LargestComponent() },
		"Subset: 0 label sets for 34 vertices":                      func() { (&MultiLabelDataset{Graph: g}).Subset(nil) },
		"Subset: no homogeneous graph":                              func() { new(MultiLabelDataset).Subset(nil) },
		"Subset: graph: Subgraph: entry 0: vertex 34 out":           func() { (&MultiLabelDataset{Graph: g, Labels: make([][]int32, 34)}).Subset([]int32{34}) },
		"FractionSplit: NaN for training":                           func() { FractionSplit(3, math.NaN(), 0, 1) },
		"FractionSplit: 0.9 for training":                           func() { FractionSplit(3, .9, .2, 1) },
		"FractionSplit: 0.1 for training":                           func() { FractionSplit(-3, .1, .2, 1) },
		"KFold: 0 folds":                                            func() { KFold(nil, 0, 1) },
		"MultiHot: -1 classes, want 0 to 16777216":                  func() { MultiHot(nil, -1, []int32{0}) },
		"MultiHot: 1152921504606846976 classes, want 0 to 16777216": func() { MultiHot(nil, 1<<60, []int32{0}) },
		"MultiHot: vertex 2 out of range":                           func() { MultiHot(make([][]int32, 2), 1, []int32{2}) },
		"MultiHot: vertex 0: class 1 out of":                        func() { MultiHot([][]int32{{1}}, 1, []int32{0}) },
	} {
		func() {
			defer func() {
				var misuse *Error
				if err, _ := recover().(error); !errors.As(err, &misuse) || !strings.HasPrefix(err.Error(), "data: "+want) {
					t.Errorf("panic %v, want %q", err, want)
				}
			}()
			f()
		}()
	}
}

func TestEncodingsOfBipartiteGraphsAreMisuse(t *testing.T) {
	g := bipartite(t)
	for op, f := range map[string]func(){
		"RandomWalkEncoding": func() { RandomWalkEncoding(g, 1) },
		"LaplacianEncoding":  func() { _, _ = LaplacianEncoding(g, 1) },
		"DegreeProfile":      func() { DegreeProfile(g) },
		"AddDegreeProfile":   func() { (&GraphDataset{Graphs: []*graph.Graph{g}}).AddDegreeProfile() },
		"AddVirtualVertex":   func() { (&Dataset{Graph: g}).AddVirtualVertex() },
	} {
		func() {
			defer func() {
				var misuse *graph.BipartiteError
				if err, _ := recover().(error); !errors.As(err, &misuse) || misuse.Op != op {
					t.Errorf("%s: panic %v", op, err)
				}
			}()
			f()
		}()
	}
}
