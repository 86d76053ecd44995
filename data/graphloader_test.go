// Tests of mini-batches of graphs.

package data

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// paths is a set of paths of 1 to n vertices, each of which has the number of its graph
// as its feature, and graphs their number for a label.
func paths(t *testing.T, n int) *GraphDataset {
	t.Helper()
	d := &GraphDataset{Name: "paths", NumClasses: n}
	var x []float32
	for i := range n {
		var src, dst []int32
		for v := range i {
			src, dst = append(src, int32(v)), append(dst, int32(v+1))
		}
		g, err := graph.New(i+1, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		d.Graphs, d.Labels = append(d.Graphs, g), append(d.Labels, int32(i))
		for range i + 1 {
			x = append(x, float32(i))
		}
	}
	d.Features = DenseFeatures(tensor.FromSlice(x, len(x), 1))
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGraphLoaderHasEveryGraphOnce(t *testing.T) {
	d := paths(t, 11)
	graphs := []int32{10, 3, 7, 0, 2, 9, 4}
	for _, workers := range []int{1, 4} {
		for shuffle, want := range map[bool]string{false: "[[10 3 7] [0 2 9] [4]]", true: ""} {
			l, err := NewGraphLoader(d, graphs, Loading{BatchSize: 3, Shuffle: shuffle, Seed: 5, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			var orders []string
			for epoch := range 3 {
				var got [][]int32
				var all []int32
				for b, err := range l.Epoch(context.Background(), epoch) {
					if err != nil {
						t.Fatal(err)
					}
					whole := d.Batch(b.Labels) // labels are the numbers of graphs
					if b.Graph.String() != whole.Graph.String() || !slices.Equal(b.Features.Float64s(), whole.Features.Float64s()) ||
						!slices.Equal(b.Info.VertexOffsets, whole.Info.VertexOffsets) || !slices.Equal(b.Graph.Src(), whole.Graph.Src()) {
						t.Fatalf("the batch of graphs %v is %v with features %v", b.Labels, b.Graph, b.Features)
					}
					got, all = append(got, b.Labels), append(all, b.Labels...)
				}
				slices.Sort(all)
				if !slices.Equal(all, []int32{0, 2, 3, 4, 7, 9, 10}) || len(got) != l.Len() {
					t.Errorf("epoch %d has graphs %v in %d batches of %d", epoch, all, len(got), l.Len())
				}
				orders = append(orders, fmt.Sprint(got))
			}
			if shuffle {
				if orders[0] == orders[1] || orders[1] == orders[2] {
					t.Errorf("epochs have one order: %v", orders)
				}
			} else if orders[0] != want || orders[1] != want {
				t.Errorf("batches %v, want %s", orders, want)
			}
		}
	}
}

func TestGraphLoadersThatMakeNoSenseAreErrors(t *testing.T) {
	d := paths(t, 3)
	change := func(f func(d *GraphDataset)) *GraphDataset {
		c := *d
		f(&c)
		return &c
	}
	one := Loading{BatchSize: 1}
	for want, f := range map[string]struct {
		d      *GraphDataset
		graphs []int32
		c      Loading
	}{
		"the set is nil": {nil, nil, one},
		"the graphs are nil: list all to load all, or give []int32{} to load none": {d, nil, one},
		"BatchSize is 0; want at least 1":                                          {d, nil, Loading{}},
		"features are given, but batches have those of the set":                    {d, nil, Loading{BatchSize: 1, Features: d.Features}},
		"entry 1: graph 3 out of range [0, 3)":                                     {d, []int32{0, 3}, one},
		"entry 0: graph -1 out of range [0, 3)":                                    {d, []int32{-1}, one},
		"graph 1 is missing or bipartite": {change(func(d *GraphDataset) {
			d.Graphs = []*graph.Graph{d.Graphs[0], nil, d.Graphs[2]}
		}), nil, one},
		"2 labels for 3 graphs":             {change(func(d *GraphDataset) { d.Labels = d.Labels[:2] }), nil, one},
		"2 rows of targets for 3 graphs":    {change(func(d *GraphDataset) { d.Targets = tensor.Zeros(tensor.Float32, 2, 1) }), nil, one},
		"2 rows of features for 6 vertices": {change(func(d *GraphDataset) { d.Features = DenseFeatures(tensor.Zeros(tensor.Float32, 2, 1)) }), nil, one},
		"1 rows of features for 3 edges":    {change(func(d *GraphDataset) { d.EdgeFeatures = DenseFeatures(tensor.Zeros(tensor.Float32, 1, 1)) }), nil, one},
	} {
		_, err := NewGraphLoader(f.d, f.graphs, f.c)
		if err == nil || err.Error() != "data: NewGraphLoader: "+want {
			t.Errorf("error %v, want %s", err, want)
		}
		if strings.Contains(want, " for ") || strings.Contains(want, "missing") { // the set's
			if got := misuseOf(func() { f.d.Batch([]int32{0}) }); got != "data: Batch: "+want {
				t.Errorf("Batch panics with %s, want %s", got, want)
			}
		}
	}
}

// A batch of no graphs runs through the same model as any other.
func TestABatchOfNoGraphsIsOfTheKindOfTheSet(t *testing.T) {
	plain := paths(t, 3)
	typed := *plain
	typed.Graphs = nil
	for _, g := range plain.Graphs {
		of := func(n, types int) ([]int32, int) { return make([]int32, n), types }
		g, err := graph.New(g.NumVertices(), g.Src(), g.Dst(), graph.WithEdgeTypes(of(g.NumEdges(), 2)), graph.WithVertexTypes(of(g.NumVertices(), 4)))
		if err != nil {
			t.Fatal(err)
		}
		typed.Graphs = append(typed.Graphs, g)
	}
	typed.EdgeFeatures = DenseFeatures(tensor.Zeros(tensor.Float32, 3, 5))
	targets := *plain
	targets.Labels, targets.Targets = nil, tensor.Zeros(tensor.Float32, 3, 2)
	sparse := *plain
	sparse.Features = IdentityFeatures(6)
	none := GraphDataset{Labels: []int32{}}
	for name, d := range map[string]*GraphDataset{"plain": plain, "typed": &typed, "targets": &targets, "sparse": &sparse, "no graphs": &none} {
		for _, graphs := range [][]int32{nil, {}} {
			b, like := d.Batch(graphs), d.Batch(iotaIDs(len(d.Graphs)))
			if b.Graph.NumVertices() != 0 || b.Graph.NumEdges() != 0 || b.Info.NumGraphs() != 0 || len(b.Info.GraphOf) != 0 {
				t.Errorf("%s: %v of %d graphs", name, b.Graph, b.Info.NumGraphs())
			}
			kindOf := func(b *GraphBatch) string {
				width := func(x *tensor.Tensor) string {
					if x == nil {
						return "none"
					}
					return fmt.Sprint(x.DType(), x.Dim(1))
				}
				return fmt.Sprint(b.Graph.VertexTypes() != nil, b.Graph.NumVertexTypes(), b.Graph.EdgeTypes() != nil, b.Graph.NumEdgeTypes(),
					width(b.Features), width(b.EdgeFeatures), width(b.Targets), b.Labels != nil)
			}
			if got, want := kindOf(b), kindOf(like); got != want {
				t.Errorf("%s: types, features, targets and labels are %s, want %s", name, got, want)
			}
		}
	}
}

// misuseOf is the text of the *Error that f panics with.
func misuseOf(f func()) (text string) {
	defer func() {
		if e, ok := recover().(*Error); ok {
			text = e.Error()
		}
	}()
	f()
	return "nothing"
}

// A set without a name has errors without one.
func TestErrorsOfSetsWithoutAName(t *testing.T) {
	d := paths(t, 2)
	d.Name, d.Labels = "", d.Labels[:1]
	if err := d.Validate(); err == nil || err.Error() != "data: 1 labels for 2 graphs" {
		t.Errorf("error %v", err)
	}
}
