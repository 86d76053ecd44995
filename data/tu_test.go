// Tests of the TU reader on a set of two molecules, its faults and the real
// sets.

package data

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
)

// tinyTU is a set of graphs 0 – 1, nothing, and 2 → 3 twice, 3 → 3.
func tinyTU() map[string]string {
	return map[string]string{
		"T//T_A.txt":               "1, 2\n2,1\n3, 4\n4, 4\n3, 4\n",
		"T//T_graph_indicator.txt": "1\n1\n3\n3\n",
		"T//T_graph_labels.txt":    "1\n-1\n1\n",
		"T//T_node_labels.txt":     "5\n0\n5\n5\n",
		"T//T_node_attributes.txt": " 1.5, 0\n0, 0\n 2, 3\n0,-1\n",
		"T//T_edge_labels.txt":     "7\n7\n8\n7\n8\n",
		"T//T_edge_attributes.txt": "10\n11\n12\n13\n14\n",
		"T//README.txt":            "not read",
	}
}

func parseTUBytes(b []byte) (*GraphDataset, error) {
	z, err := newZip("T.zip", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	return parseTU(z)
}

func TestTUPutsEverythingWhereItBelongs(t *testing.T) {
	path := write(t, "T.zip", string(textZip(t, tinyTU())))
	d, err := LoadTU(path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "T" || len(d.Graphs) != 3 || d.NumClasses != 2 || !slices.Equal(d.Labels, []int32{1, 0, 1}) || d.Targets != nil || d.Folds != nil {
		t.Errorf("%+v", d)
	}
	for i, want := range []struct{ src, dst, edgeTypes, vertexTypes []int32 }{
		{[]int32{0, 1}, []int32{1, 0}, []int32{0, 0}, []int32{1, 0}},
		{nil, nil, nil, nil},
		{[]int32{0, 1}, []int32{1, 1}, []int32{1, 0}, []int32{1, 1}},
	} {
		g := d.Graphs[i]
		if !slices.Equal(g.Src(), want.src) || !slices.Equal(g.Dst(), want.dst) || !slices.Equal(g.EdgeTypes(), want.edgeTypes) || !slices.Equal(g.VertexTypes(), want.vertexTypes) {
			t.Errorf("graph %d: %v %v %v %v", i, g.Src(), g.Dst(), g.EdgeTypes(), g.VertexTypes())
		}
		if g.NumEdgeTypes() != 2 || g.NumVertexTypes() != 2 {
			t.Errorf("graph %d: %d edge types, %d vertex types", i, g.NumEdgeTypes(), g.NumVertexTypes())
		}
	}
	if got := d.Features.Dense().Float64s(); !slices.Equal(got, []float64{1.5, 0, 0, 1, 0, 0, 1, 0, 2, 3, 0, 1, 0, -1, 0, 1}) {
		t.Errorf("features %v", got)
	}
	if got := d.EdgeFeatures.Dense().Float64s(); !slices.Equal(got, []float64{10, 11, 12, 13}) {
		t.Errorf("edge features %v", got)
	}

	b := d.Batch([]int32{2, 0})
	if got := b.Features.Float64s(); !slices.Equal(got, []float64{2, 3, 0, 1, 0, -1, 0, 1, 1.5, 0, 0, 1, 0, 0, 1, 0}) {
		t.Errorf("features of the batch %v", got)
	}
	if got := b.EdgeFeatures.Float64s(); !slices.Equal(got, []float64{12, 13, 10, 11}) || !slices.Equal(b.Labels, []int32{1, 1}) {
		t.Errorf("edge features of the batch %v, labels %v", got, b.Labels)
	}
	if !slices.Equal(b.Info.VertexOffsets, []int32{0, 2, 4}) || !slices.Equal(b.Graph.Src(), []int32{0, 1, 2, 3}) {
		t.Errorf("batch %v %v", b.Info.VertexOffsets, b.Graph.Src())
	}
	if got := d.WithDegreeFeatures(1).Features.Dense().Float64s(); !slices.Equal(got, []float64{0, 1, 0, 1, 1, 0, 0, 1}) {
		t.Errorf("degrees %v", got)
	}
}

func TestTUReadsTargetsAndSeveralLabels(t *testing.T) {
	m := tinyTU()
	delete(m, "T//T_graph_labels.txt")
	m["T//T_graph_attributes.txt"] = "1,2\n3,4\n5,6\n"
	m["T//T_node_labels.txt"] = "5,1\n0,1\n5,2\n5,2\n"
	delete(m, "T//T_node_attributes.txt")
	d, err := parseTUBytes(textZip(t, m))
	if err != nil {
		t.Fatal(err)
	}
	if d.Labels != nil || !slices.Equal(d.Targets.Float64s(), []float64{1, 2, 3, 4, 5, 6}) || !slices.Equal(d.Targets.Shape(), tensor.Shape{3, 2}) {
		t.Errorf("labels %v, targets %v", d.Labels, d.Targets)
	}
	if got := d.Features.Dense().Float64s(); !slices.Equal(got, []float64{0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1}) {
		t.Errorf("features %v", got)
	}
	if d.Graphs[0].NumVertexTypes() != 3 {
		t.Errorf("%d vertex types, want one for each combination", d.Graphs[0].NumVertexTypes())
	}
}

// hostileTU is members that make the set be refused with the given words.
var hostileTU = []struct{ name, member, content, want string }{
	{"no edges", "A", "", "no member is called NAME_A.txt"},
	{"no indicator", "graph_indicator", "", "T.zip: T_graph_indicator.txt is missing"},
	{"no labels", "graph_labels", "", "T.zip: T_graph_labels.txt is missing"},
	{"edge of three", "A", "1,2\n1,2,3\n", "T.zip: T_A.txt:2: 3 fields, want 2"},
	{"cut edge", "A", "1,2\n1", "T.zip: T_A.txt:2: 1 fields, want 2"},
	{"vertex 0", "A", "0,1\n", "T_A.txt:1: vertex 0 out of range [1, 5)"},
	{"vertex of another set", "A", "1,2\n10000000000,1\n", "T_A.txt:2: vertex 10000000000 out of range"},
	{"edge between graphs", "A", "2, 3\n", "T_A.txt:1: an edge from graph 1 to graph 3"},
	{"words", "A", "one, two\n", `T_A.txt:1: vertex "one" is not an integer`},
	{"graph of another set", "graph_indicator", "1\n1\n10000000000\n3\n", "T_graph_indicator.txt:3: graph 10000000000 out of range [1, 4)"},
	{"graph 0", "graph_indicator", "0\n", "T_graph_indicator.txt:1: graph 0 out of range"},
	{"unsorted", "graph_indicator", "1\n3\n1\n3\n", "T_graph_indicator.txt:3: graph 1 after graph 3"},
	{"two indicators", "graph_indicator", "1,1\n", "T_graph_indicator.txt:1: 2 fields, want 1"},
	{"few node labels", "node_labels", "5\n0\n5\n", "T.zip: T_node_labels.txt: 3 lines, want 4"},
	{"many node labels", "node_labels", "5\n0\n5\n5\n5\n", "T_node_labels.txt:5: more than 4 lines"},
	{"label of words", "node_labels", "5\nx\n5\n5\n", `T_node_labels.txt:2: label "x" is not an integer`},
	{"wide label", "node_labels", "5\n9999999999\n5\n5\n", "T_node_labels.txt:2: label 9999999999 out of range"},
	{"few attributes", "node_attributes", "1,2\n", "T_node_attributes.txt: 1 lines, want 4"},
	{"ragged attributes", "node_attributes", "1,2\n3\n", "T_node_attributes.txt:2: 1 fields, want 2"},
	{"attribute NaN", "node_attributes", "1,NaN\n", `T_node_attributes.txt:1: feature "NaN" is not a finite number`},
	{"few edge labels", "edge_labels", "7\n", "T_edge_labels.txt: 1 lines, want 5"},
	{"many edge attributes", "edge_attributes", "1\n2\n3\n4\n5\n6\n", "T_edge_attributes.txt:6: more than 5 lines"},
	{"two graph labels", "graph_labels", "1,2\n1,2\n1,2\n", "T_graph_labels.txt: 2 labels a graph"},
	{"few graph labels", "graph_labels", "1\n", "T_graph_indicator.txt:3: graph 3 out of range [1, 2)"},
	{"few targets", "graph_attributes", "1\n", "T_graph_attributes.txt: 1 lines, want 3"},
}

// withTU returns the tiny set with another member; "" removes it.
func withTU(t testing.TB, member, content string) []byte {
	m := tinyTU()
	if m["T//T_"+member+".txt"] = content; content == "" {
		delete(m, "T//T_"+member+".txt")
	}
	return textZip(t, m)
}

func TestHostileTUIsRefused(t *testing.T) {
	for _, tt := range hostileTU {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "T.zip", string(withTU(t, tt.member, tt.content)))
			refused(t, tt.want, func() error { _, err := LoadTU(path); return err })
		})
	}
	refused(t, "100000 graphs in files of 4 vertices and edges", func() error {
		_, err := parseTUBytes(textZip(t, map[string]string{
			"T_A.txt": "1,2\n", "T_graph_indicator.txt": "1\n1\n2\n", "T_graph_labels.txt": strings.Repeat("1\n", 100_000),
		}))
		return err
	})
	two := tinyTU()
	two["U_A.txt"] = "1,2\n"
	whole := textZip(t, tinyTU())
	for name, b := range map[string][]byte{"two sets, T and U": textZip(t, two), "zip": whole[:len(whole)/2]} {
		refused(t, name, func() error { _, err := parseTUBytes(b); return err })
	}
}

func TestTUSetsHaveThePublishedCounts(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	for _, want := range []struct {
		name                              string
		graphs, vertices, arcs            int
		classes, features, vTypes, eTypes int
	}{
		{"mutag", 188, 3371, 7442, 2, 7, 7, 4},
		{"proteins", 1113, 43471, 162088, 2, 4, 3, 0},
		{"nci1", 4110, 122747, 265506, 2, 37, 37, 0},
		{"enzymes", 600, 19580, 74564, 6, 21, 3, 0},
		{"imdb-binary", 1000, 19773, 386124 / 2, 2, 0, 0, 0}, // the file lists every arc twice
	} {
		t.Run(want.name, func(t *testing.T) {
			d, err := LoadGraphs(context.Background(), want.name, Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			vertices, arcs := d.offsets()
			got := want
			got.graphs, got.vertices, got.arcs = len(d.Graphs), int(vertices[len(d.Graphs)]), int(arcs[len(d.Graphs)])
			got.classes, got.features = d.NumClasses, d.Features.Cols()
			got.vTypes, got.eTypes = d.Graphs[0].NumVertexTypes(), d.Graphs[0].NumEdgeTypes()
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if (d.Folds != nil) != isFile(filepath.Join(dir, "tu", "folds", strings.ToUpper(want.name)+".txt")) {
				t.Errorf("folds %v", d.Folds)
			}
			for i := range 10 {
				if d.Folds == nil {
					break
				}
				if train, test := Fold(d.Folds, i); len(test) < 18 || len(test) > 19 || len(train)+len(test) != want.graphs {
					t.Errorf("fold %d: %d and %d graphs", i, len(train), len(test))
				}
			}
			for i, g := range d.Graphs {
				if sym, _ := g.Symmetrize(); sym.NumEdges() != g.NumEdges() {
					t.Errorf("graph %d is not symmetric", i)
				}
			}
		})
	}
}

func TestFoldsAreChecked(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"0\n1\n", "folds.txt: 2 folds, want 3"},
		{"0\n1\n2\n0\n", "folds.txt:4: more than 3 folds"},
		{"0\n1\n3\n", "folds.txt:3: fold 3 out of range"},
		{"0\n1 2\n", "folds.txt:2: 2 fields, want 1"},
	} {
		refused(t, tt.want, func() error { _, err := LoadFolds(write(t, "folds.txt", tt.text), 3); return err })
	}
	if _, err := LoadFolds(filepath.Join(t.TempDir(), "none"), 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// FuzzParseTU changes one member of the tiny set.
func FuzzParseTU(f *testing.F) {
	for name, text := range tinyTU() {
		f.Add(strings.TrimSuffix(strings.TrimPrefix(name, "T//T_"), ".txt"), text)
	}
	for _, tt := range hostileTU {
		f.Add(tt.member, tt.content)
	}
	f.Fuzz(func(t *testing.T, member, content string) {
		if _, known := tinyTU()["T//T_"+member+".txt"]; !known {
			return
		}
		d, err := parseTUBytes(withTU(t, member, content))
		if err != nil {
			return
		}
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
	})
}
