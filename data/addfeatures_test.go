// Tests of added features, virtual vertices and components of sets of graphs.

package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

func TestDegreeProfileIsThatOfPyG(t *testing.T) {
	for _, c := range encodingCases(t, encodingsFile) {
		if off := farthest(DegreeProfile(c.graph(t)).Dense().Float64s(), c.of["profile"]); off > 1e-6 { // PyG's is float32
			t.Errorf("%s: off by %v", c.name, off)
		}
	}
}

func TestDegreeProfileOfEqualNeighborsDoesNotDeviate(t *testing.T) {
	for n := 2; n < 300; n++ {
		profile := DegreeProfile(starOf(t, n)).Dense().Float64s()
		hub := []float64{float64(n - 1), 1, 1, 1, 0}
		if !slices.Equal(profile[:5], hub) {
			t.Errorf("the hub of %d vertices has %v, want %v", n, profile[:5], hub)
		}
	}
}

func TestVirtualVertexIsThatOfPyG(t *testing.T) {
	for _, c := range encodingCases(t, encodingsFile) {
		types := make([]int32, len(c.of["edges"])/2)
		for e := range types {
			types[e] = int32(e % 2)
		}
		out, _ := c.graph(t, graph.WithEdgeTypes(types, 2)).AddVirtualVertex()
		var got []float64
		for _, v := range slices.Concat(out.Src(), out.Dst(), out.EdgeTypes()) {
			got = append(got, float64(v))
		}
		if !slices.Equal(got, slices.Concat(c.of["virtual"], c.of["types"])) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestAppendedColumnsStandBehindTheOthers(t *testing.T) {
	a := DenseFeatures(tensor.FromSlice([]float64{1, 0, 2, 3, 0, 0}, 3, 2))
	b := DenseFeatures(tensor.FromSlice([]float32{7, 0, 9}, 3, 1))
	want := []float64{1, 0, 7, 2, 3, 0, 0, 0, 9}
	for name, got := range map[string]Features{
		"dense, dense": a.Append(b), "dense, sparse": a.Append(sparseOf(t, b)), "sparse, dense": sparseOf(t, a).Append(b), "sparse, sparse": sparseOf(t, a).Append(sparseOf(t, b)),
	} {
		if rows, cols := got.Dims(); rows != 3 || cols != 3 || !slices.Equal(got.Dense().Float64s(), want) {
			t.Errorf("%s: %v", name, got.Dense())
		}
		if got.Dense().DType() != tensor.Float64 || (got.Sparse() != nil) != strings.HasPrefix(name, "sparse") {
			t.Errorf("%s: stored as %v, sparse: %v", name, got.Dense().DType(), got.Sparse() != nil)
		}
	}
	if got := sparseOf(t, a).Append(b).Sparse().NNZ(); got != 8 {
		t.Errorf("%d entries, want none for the zero of the dense column", got)
	}
	if got := (Features{}).Append(b); !slices.Equal(got.Dense().Float64s(), []float64{7, 0, 9}) || got.Dense().DType() != tensor.Float32 {
		t.Errorf("behind no features: %v", got.Dense())
	}
	if got := a.Append(Features{}); got.Dense() != a.Dense() {
		t.Errorf("no features behind: %v", got.Dense())
	}
}

func TestAppendedColumnsStayOnTheDevice(t *testing.T) {
	d := densetest.Device(t)
	dense := DenseFeatures(tensor.FromSlice([]float32{1, 2}, 2, 1).ToDevice(d))
	sparse := SparseFeatures(sparseOf(t, DenseFeatures(tensor.FromSlice([]float32{1, 2}, 2, 1))).Sparse().ToDevice(d))
	more := DenseFeatures(tensor.FromSlice([]float32{3, 4}, 2, 1))
	for name, f := range map[string]Features{"dense": dense, "sparse": sparse} {
		out := f.Append(more).Append(f)
		if got := out.Dense(); got.Device() != d || !slices.Equal(got.Float64s(), []float64{1, 3, 1, 2, 4, 2}) {
			t.Errorf("%s: %v on %v", name, got.Float64s(), got.Device())
		}
		if got := f.FlipSigns(1).Dense(); got.Device() != d {
			t.Errorf("%s: signs are flipped on %v", name, got.Device())
		}
		if got := f.withZeroRow().Dense(); got.Device() != d || got.Dim(0) != 3 {
			t.Errorf("%s: a row of zeros on %v", name, got.Device())
		}
	}
}

// graphSet is a set of a triangle with a tail and an isolated vertex, of nothing, and of two
// pairs, with features and edge features that are numbers of vertices and edges.
func graphSet(t *testing.T) *GraphDataset {
	t.Helper()
	d := &GraphDataset{Name: "small", Labels: []int32{0, 1, 1}, NumClasses: 2, Train: []int32{0}, Val: []int32{1}, Test: []int32{2}}
	for _, c := range []struct {
		n     int
		edges [][2]int32
	}{{5, [][2]int32{{1, 2}, {2, 3}, {1, 3}, {3, 4}}}, {0, nil}, {4, [][2]int32{{0, 1}, {2, 3}}}} {
		var src, dst, types []int32
		for _, e := range c.edges {
			src, dst, types = append(src, e[0], e[1]), append(dst, e[1], e[0]), append(types, 0, 1)
		}
		g, err := graph.New(c.n, src, dst, graph.WithEdgeTypes(types, 2))
		if err != nil {
			t.Fatal(err)
		}
		d.Graphs = append(d.Graphs, g)
	}
	d.Features = DenseFeatures(tensor.Arange(tensor.Float32, 0, 9, 1).Reshape(9, 1))
	d.EdgeFeatures = sparseOf(t, DenseFeatures(tensor.Arange(tensor.Float32, 0, 12, 1).Reshape(12, 1)))
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFeaturesOfSetsOfGraphsAreThoseOfTheirGraphs(t *testing.T) {
	d := graphSet(t)
	laplacian, err := d.AddLaplacianEncoding(2)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		got *GraphDataset
		of  func(g *graph.Graph) Features
	}{
		"constant": {d.AddConstantFeature(2.5), func(g *graph.Graph) Features { return ConstantFeatures(g.NumVertices(), 2.5) }},
		"profile":  {d.AddDegreeProfile(), DegreeProfile},
		"walks":    {d.AddRandomWalkEncoding(3), func(g *graph.Graph) Features { return RandomWalkEncoding(g, 3) }},
		"laplacian": {laplacian, func(g *graph.Graph) Features {
			f, err := LaplacianEncoding(g, 2)
			if err != nil {
				t.Error(err)
			}
			return f
		}},
	} {
		if err := c.got.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, cols := d.Features.Dims(); cols != 1 {
			t.Errorf("%s: the old set has %d features now", name, cols)
		}
		for i, g := range d.Graphs {
			want := DenseFeatures(d.Batch([]int32{int32(i)}).Features).Append(c.of(g)).Dense()
			if got := c.got.Batch([]int32{int32(i)}).Features; !slices.Equal(got.Float64s(), want.Float64s()) {
				t.Errorf("%s: graph %d: %v, want %v", name, i, got, want)
			}
		}
		bare := *d
		bare.Features = Features{}
		if name == "constant" {
			if got := bare.AddConstantFeature(1).Features.Dense().Float64s(); !slices.Equal(got, slices.Repeat([]float64{1}, 9)) {
				t.Errorf("without features: %v", got)
			}
		}
	}
	k := Karate()
	out := k.AddFeatures(DegreeProfile(k.Graph))
	if err := out.Validate(); err != nil || out.Features.Cols() != 39 || k.Features.Cols() != 34 {
		t.Errorf("%d features, error %v", out.Features.Cols(), err)
	}
}

func TestErrorsOfLaplaciansNameTheSetAndTheGraph(t *testing.T) {
	failed := &ConvergenceError{Vertices: 5}
	_, err := graphSet(t).addEach("AddLaplacianEncoding", 1, func(op string, g *graph.Graph) ([]float64, error) {
		if g.NumEdges() == 0 {
			return nil, failed
		}
		return make([]float64, g.NumVertices()), nil
	})
	var got *ConvergenceError
	if !errors.As(err, &got) || got != failed || !strings.HasPrefix(err.Error(), "data: small: graph 1: AddLaplacianEncoding: 0 of 0 eigenvectors of a component of 5 ") {
		t.Errorf("error %v", err)
	}
}

func TestVirtualVerticesOfDatasetsHaveNoFeaturesAndNoLabels(t *testing.T) {
	for name, spoil := range map[string]func(f Features) Features{
		"dense": func(f Features) Features { return f }, "sparse": func(f Features) Features { return sparseOf(t, f) }, "none": func(Features) Features { return Features{} },
	} {
		d := validDataset(t)
		d.Features = spoil(d.Features)
		out := d.AddVirtualVertex()
		if err := out.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := fmt.Sprint(out.Graph.Src(), out.Graph.Dst(), out.Labels, out.Train, out.Val, out.Test); got != "[0 1 0 1 2 3 4 4 4 4] [1 0 4 4 4 4 0 1 2 3] [0 1 -1 1 -1] [0] [1] [3]" {
			t.Errorf("%s: %s", name, got)
		}
		if name != "none" && !slices.Equal(out.Features.Dense().Float64s(), append(d.Features.Dense().Float64s(), 0, 0)) {
			t.Errorf("%s: features %v", name, out.Features.Dense())
		}
		if len(d.Labels) != 4 || d.Graph.NumVertices() != 4 {
			t.Errorf("%s: the old dataset has changed", name)
		}
	}

	d := graphSet(t)
	out := d.AddVirtualVertex()
	if err := out.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := out.Features.Dense().Float64s(); !slices.Equal(got, []float64{0, 1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0}) {
		t.Errorf("features %v", got)
	}
	zeros := func(n int) []float64 { return make([]float64, n) }
	if got := out.EdgeFeatures.Dense().Float64s(); !slices.Equal(got, slices.Concat([]float64{0, 1, 2, 3, 4, 5, 6, 7}, zeros(10), []float64{8, 9, 10, 11}, zeros(8))) {
		t.Errorf("edge features %v", got)
	}
	for i, g := range d.Graphs {
		if want, _ := g.AddVirtualVertex(); !slices.Equal(out.Graphs[i].Src(), want.Src()) || !slices.Equal(out.Graphs[i].EdgeTypes(), want.EdgeTypes()) {
			t.Errorf("graph %d is another", i)
		}
	}
	if b := out.Batch([]int32{2, 1}); b.Graph.NumVertices() != 6 || b.Graph.NumEdgeTypes() != 4 {
		t.Errorf("batch %v", b.Graph)
	}
}

func TestLargestComponentsOfSetsKeepWhatBelongsToThem(t *testing.T) {
	d := graphSet(t)
	out := d.LargestComponent()
	if err := out.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(out.Graphs[0].Src(), out.Graphs[0].Dst(), out.Graphs[1], out.Graphs[2].Src(), out.Graphs[2].EdgeTypes()); got != "[0 1 1 2 0 2 2 3] [1 0 2 1 2 0 3 2] graph(0 vertices, 0 edges) [0 1] [0 1]" {
		t.Errorf("%s", got)
	}
	if got := out.Features.Dense().Float64s(); !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("features %v", got)
	}
	if got := out.EdgeFeatures.Dense().Float64s(); !slices.Equal(got, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("edge features %v", got)
	}
}

func TestSubsetsWithLabelSetsKeepWhatBelongsToThem(t *testing.T) {
	g, err := graph.New(5, []int32{0, 4, 1, 3}, []int32{0, 1, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	column := func(n float64) Features {
		return DenseFeatures(tensor.Arange(tensor.Float32, 0, n, 1).Reshape(int(n), 1))
	}
	d := &MultiLabelDataset{
		Name: "small", Graph: g, Features: column(5), EdgeFeatures: column(4),
		Labels: [][]int32{{0}, {1, 2}, {}, {2}, {0, 1}}, NumClasses: 3, Train: []int32{4, 0, 1}, Test: []int32{2},
	}
	for _, c := range []struct {
		out  *MultiLabelDataset
		want string
	}{
		{d.LargestComponent(), "[2 0 1] [0 1 2] [[1 2] [2] [0 1]] [1 3 4] [1 2 3] [0 2] [] []"},
		{d.Subset([]int32{3, 2, 1}), "[2] [0] [[2] [] [1 2]] [3 2 1] [2] [2] [] [1]"},
	} {
		if err := c.out.Validate(); err != nil {
			t.Error(err)
		}
		o := c.out
		if got := fmt.Sprint(o.Graph.Src(), o.Graph.Dst(), o.Labels, o.Features.Dense().Float64s(), o.EdgeFeatures.Dense().Float64s(), o.Train, o.Val, o.Test); got != c.want || o.Val != nil || o.Name != "small" || o.NumClasses != 3 {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
