// Tests of the HGB reader on a set of two types, its faults and the real sets.

package data

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

// tinyHGB is vertices 0 and 2 of type paper, 1 and 3 of type author, 4 of a type
// without features.
func tinyHGB() map[string]string {
	return map[string]string{
		"H/node.dat":            "0\tone\t0\t1,0,2\n1\tann\t1\t0.5\n2\ttwo\t0\t0,0,0\n3\tbob\t1\t-1\n4\tx\t2\n",
		"H/link.dat":            "0\t1\t0\t1.0\r\n2\t3\t0\t2\n1\t0\t1\t1\n4\t4\t3\t1\n",
		"H/label.dat":           "0\tone\t0\t1\n",
		"H/label.dat.test":      "2\ttwo\t0\t0\n",
		"H/label.dat.test_full": "not read",
		"H/info.dat":            `{"node.dat": {"node type": {"0": "paper", "1": "author"}, "x": NaN}, "link.dat": {"link type": {"0": {"meaning": "NaN\"NaN"}}}}`,
	}
}

func parseHGBBytes(b []byte) (*HeteroDataset, error) {
	z, err := newZip("H.zip", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	d, err := parseHGB(z, 1)
	if err != nil {
		return nil, err
	}
	return d, d.Validate()
}

func TestHGBPutsEverythingWhereItBelongs(t *testing.T) {
	path := write(t, "H.zip", string(textZip(t, tinyHGB())))
	d, err := LoadHGB(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "H" || !slices.Equal(d.VertexTypes, []string{"paper", "author", "2"}) || !slices.Equal(d.EdgeTypes, []string{`NaN"NaN`, "1", "2", "3"}) {
		t.Errorf("%s: %q %q", d.Name, d.VertexTypes, d.EdgeTypes)
	}
	g := d.Graph
	if got := fmt.Sprint(g.VertexTypes(), g.Src(), g.Dst(), g.EdgeTypes(), d.Weights); got != "[0 1 0 1 2] [0 2 1 4] [1 3 0 4] [0 0 1 3] [1 2 1 1]" {
		t.Errorf("graph %s", got)
	}
	if got := fmt.Sprint(d.EdgeEnds); got != "[[0 1] [1 0] [-1 -1] [2 2]]" {
		t.Errorf("ends %s", got)
	}
	if !slices.Equal(d.Features[0].Dense().Float64s(), []float64{1, 0, 2, 0, 0, 0}) || !slices.Equal(d.Features[1].Dense().Float64s(), []float64{.5, -1}) || !d.Features[2].IsZero() {
		t.Errorf("features %v", d.Features)
	}
	if got := fmt.Sprint(d.Target, d.NumClasses, d.Labels, d.LabelSets, d.Train, d.Val, d.Test); got != "0 2 [1 -1 0 -1 -1] [] [0] [] [2]" {
		t.Errorf("labels %s", got)
	}
	if d.Train == nil || d.Val == nil || d.Test == nil {
		t.Error("a part of the split is nil")
	}
}

func TestHGBReadsSeveralLabels(t *testing.T) {
	m := tinyHGB()
	m["H/label.dat"] = "0\tone\t0\t2,0\n"
	delete(m, "H/info.dat")
	d, err := parseHGBBytes(textZip(t, m))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Labels == nil, d.LabelSets, d.NumClasses); got != "true [[0 2] [] [0] [] []] 3" {
		t.Errorf("labels %s", got)
	}
	if got := MultiHot(d.LabelSets, 3, []int32{0, 1}).Float64s(); !slices.Equal(got, []float64{1, 0, 1, 0, 0, 0}) {
		t.Errorf("multi-hot %v", got)
	}
}

// hostileHGB is members that make the set be refused with the given words.
var hostileHGB = []struct{ name, member, content, want string }{
	{"no nodes", "node.dat", "", "H.zip: node.dat is missing"},
	{"no links", "link.dat", "", "H.zip: link.dat is missing"},
	{"no labels", "label.dat", "", "H.zip: label.dat is missing"},
	{"no test labels", "label.dat.test", "", "H.zip: label.dat.test is missing"},
	{"cut node", "node.dat", "0\tone\n", "node.dat:1: 2 fields, want 3 or 4"},
	{"node twice", "node.dat", "0\ta\t0\n0\tb\t0\n", "node.dat:2: vertex 0, want 1"},
	{"node of 10 GB", "node.dat", "10000000000\ta\t0\n", "node.dat:1: vertex 10000000000 out of range"},
	{"node left out", "node.dat", "0\ta\t0\n2000000000\ta\t0\n", "node.dat:2: vertex 2000000000, want 1"},
	{"type of 10 GB", "node.dat", "0\ta\t1000000000\n", "node.dat:1: type 1000000000 out of range"},
	{"ragged features", "node.dat", "0\ta\t0\t1,2\n1\tb\t0\t1\n", "node.dat:2: 1 features, want 2"},
	{"some features", "node.dat", "0\ta\t0\t1,2\n1\tb\t0\n", "node.dat:2: some vertices of type 0 have features and some have none"},
	{"late features", "node.dat", "0\ta\t0\n1\tb\t0\t1\n", "node.dat:2: some vertices of type 0"},
	{"feature of words", "node.dat", "0\ta\t0\tx\n", `node.dat:1: feature "x" is not a finite number`},
	{"cut link", "link.dat", "0\t1\t0\t1\n0\t1", "link.dat:2: 2 fields, want 4"},
	{"link to nowhere", "link.dat", "0\t5\t0\t1\n", "link.dat:1: vertex 5 out of range [0, 5)"},
	{"link type", "link.dat", "0\t1\t100000000\t1\n", "link.dat:1: type 100000000 out of range"},
	{"link of mixed ends", "link.dat", "0\t1\t0\t1\n1\t0\t0\t1\n", "link.dat:2: an edge of type 0 from vertex type 1 to 0, others go from 0 to 1"},
	{"weight", "link.dat", "0\t1\t0\tInf\n", "link.dat:1: weight"},
	{"cut label", "label.dat", "0\tone\t0\n", "label.dat:1: 3 fields, want 4"},
	{"labelled twice", "label.dat", "0\tone\t0\t1\n0\tone\t0\t1\n", "label.dat:2: vertex 0 is labelled twice"},
	{"labelled in both", "label.dat", "2\ttwo\t0\t1\n", "label.dat.test:1: vertex 2 is labelled twice"},
	{"label twice", "label.dat", "0\tone\t0\t1,1\n", "label.dat:1: vertex 0 has label 1 twice"},
	{"label of 10 GB", "label.dat", "0\tone\t0\t1000000000\n", "label.dat:1: label 1000000000 out of range"},
	{"label of another type", "label.dat", "1\tann\t1\t0\n", "vertex 2 of type 0 has a label as type 0, others as type 1"},
	{"label of a false type", "label.dat", "1\tann\t0\t0\n", "label.dat:1: vertex 1 of type 1 has a label as type 0"},
	{"names", "info.dat", "{", "info.dat: unexpected end of JSON input"},
}

func withHGB(t testing.TB, member, content string) []byte {
	m := tinyHGB()
	if m["H/"+member] = content; content == "" {
		delete(m, "H/"+member)
	}
	return textZip(t, m)
}

func TestHostileHGBIsRefused(t *testing.T) {
	for _, tt := range hostileHGB {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "H.zip", string(withHGB(t, tt.member, tt.content)))
			refused(t, tt.want, func() error { _, err := LoadHGB(path, 1); return err })
		})
	}
}

func TestHGBSetsHaveThePublishedCounts(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	for _, want := range []struct {
		name                   string
		types, widths          []int
		arcs, edgeTypes        int
		classes, trainVal, val int
		test                   int
		several                bool
	}{
		{"hgb-acm", []int{3025, 5959, 56, 1902}, []int{1902, 1902, 1902, 0}, 547872, 8, 3, 907, 181, 1059, false},
		{"hgb-dblp", []int{4057, 14328, 7723, 20}, []int{334, 4231, 50, 0}, 239566, 6, 4, 1217, 243, 1420, false},
		{"hgb-imdb", []int{4932, 2393, 6124, 7971}, []int{3489, 3341, 3341, 0}, 86642, 6, 5, 1371, 274, 1601, true},
	} {
		t.Run(want.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("a large file")
			}
			d, err := LoadHetero(context.Background(), want.name, Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			got := want
			got.types, got.widths = nil, nil
			for i := range d.VertexTypes {
				got.types = append(got.types, len(d.Graph.SrcByType().OfType(i)))
				got.widths = append(got.widths, d.Features[i].Cols())
			}
			got.arcs, got.edgeTypes, got.classes = d.Graph.NumEdges(), len(d.EdgeTypes), d.NumClasses
			got.trainVal, got.val, got.test, got.several = len(d.Train)+len(d.Val), len(d.Val), len(d.Test), d.LabelSets != nil
			if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
				t.Errorf("got  %s\nwant %s", g, w)
			}
			if d.Weights != nil {
				t.Error("weights that are all 1")
			}
		})
	}
}

// FuzzParseHGB changes one member of the tiny set.
func FuzzParseHGB(f *testing.F) {
	for name, text := range tinyHGB() {
		f.Add(filepath.Base(name), text)
	}
	for _, tt := range hostileHGB {
		f.Add(tt.member, tt.content)
	}
	f.Fuzz(func(t *testing.T, member, content string) {
		if _, known := tinyHGB()["H/"+member]; !known {
			return
		}
		// What is read is valid: Validate, whose errors begin so, finds nothing.
		if _, err := parseHGBBytes(withHGB(t, member, content)); err != nil && strings.HasPrefix(err.Error(), "data: ") {
			t.Error(err)
		}
	})
}
