// Tests of the OGB reader on tiny sets laid out as the benchmark's and their
// faults. (The benchmark's own sets are too large to lie beside the repository.)

package data

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// tinyOGB is one graph of 3 vertices with 2 features.
func tinyOGB() map[string]string {
	return map[string]string{
		"raw/edge":             "0,1\n2,1\n",
		"raw/num-node-list":    "3\n",
		"raw/num-edge-list":    "2\n",
		"raw/node-feat":        "1,0.5\n0,0\n0,-2\n",
		"raw/node-label":       "1\n0\nnan\n",
		"raw/edge-feat":        "7\n8\n",
		"split/time/train":     "1\n",
		"split/time/valid":     "0\n",
		"split/time/test":      "",
		"raw/node_year":        "not read",
		"mapping/nodeidx2name": "not read",
	}
}

// tinyOGBGraphs is graphs 0 – 1, nothing, and 0 – 0.
func tinyOGBGraphs() map[string]string {
	return map[string]string{
		"raw/edge":             "0,1\n0,0\n",
		"raw/num-node-list":    "2\n0\n1\n",
		"raw/num-edge-list":    "1\n0\n1\n",
		"raw/edge-feat":        "7\n8\n",
		"raw/graph-label":      "1\n0\n1\n",
		"split/scaffold/train": "2\n0\n",
		"split/scaffold/valid": "1\n",
		"split/scaffold/test":  "",
	}
}

// writeOGB writes a set, every second file compressed.
func writeOGB(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "tiny")
	for name, text := range files {
		path, b := filepath.Join(dir, name)+".csv", []byte(text)
		if len(name)%2 == 0 {
			path, b = path+".gz", gzipBytes(t, b)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOGBVertexSetIsRead(t *testing.T) {
	for _, inverse := range []bool{false, true} {
		d, err := LoadOGB(writeOGB(t, tinyOGB()), OGBOptions{Inverse: inverse})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(d.Name, d.Graph.Src(), d.Graph.Dst(), d.Features.Dense().Float64s(), d.Labels, d.NumClasses, d.Train, d.Val, d.Test)
		edges := "[0 2] [1 1]"
		if inverse {
			edges = "[0 1 2 1] [1 0 1 2]"
		}
		if want := "tiny" + edges + " [1 0.5 0 0 0 -2] [1 0 -1] 2 [1] [0] []"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestOGBMultiLabelSetIsRead(t *testing.T) {
	files := tinyOGB()
	files["raw/node-label"] = "1,0,1\n0,0,0\n0,nan,1\n"
	if _, err := LoadOGBMultiLabel(writeOGB(t, files), OGBOptions{}); err == nil {
		t.Error("a missing label is taken")
	}
	files["raw/node-label"] = "1,0,1\n0,0,0\n0,1,1\n"
	d, err := LoadOGBMultiLabel(writeOGB(t, files), OGBOptions{Inverse: true, Scheme: "time"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Labels, d.NumClasses, d.EdgeFeatures.Dense().Float64s(), d.Train); got != "[[0 2] [] [1 2]] 3 [7 7 8 8] [1]" {
		t.Errorf("got %s", got)
	}
}

func TestOGBGraphSetIsRead(t *testing.T) {
	d, err := LoadOGBGraphs(writeOGB(t, tinyOGBGraphs()), OGBOptions{Inverse: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Graphs, d.Graphs[0].Dst(), d.Labels, d.NumClasses, d.Targets.Float64s(), d.EdgeFeatures.Dense().Float64s(), d.Train, d.Val, d.Test); got !=
		"[graph(2 vertices, 2 edges) graph(0 vertices, 0 edges) graph(1 vertices, 2 edges)] [1 0] [1 0 1] 2 [1 0 1] [7 7 8 8] [0 2] [1] []" {
		t.Errorf("got %s", got)
	}
	files := tinyOGBGraphs()
	files["raw/graph-label"] = "1.5,nan\n0,\n1,2\n"
	if d, err = LoadOGBGraphs(writeOGB(t, files), OGBOptions{}); err != nil {
		t.Fatal(err)
	}
	if x := d.Targets.Float64s(); d.Labels != nil || x[0] != 1.5 || !math.IsNaN(x[1]) || !math.IsNaN(x[3]) || x[5] != 2 {
		t.Errorf("labels %v, targets %v", d.Labels, x)
	}
}

// A part of a set need not have something of every class.
func TestClassesMayHaveLargerNumbersThanThereAreLabels(t *testing.T) {
	const most = 3 + 4095
	for class, fits := range map[int]bool{3: true, most: true, most + 1: false} {
		files := tinyOGB()
		files["raw/node-label"] = fmt.Sprintf("1\n%d\nnan\n", class)
		if d, err := LoadOGB(writeOGB(t, files), OGBOptions{}); (err == nil) != fits || fits && d.NumClasses != class+1 {
			t.Errorf("vertices, class %d: %v", class, err)
		}
		files = tinyOGBGraphs()
		files["raw/graph-label"] = fmt.Sprintf("1\n0\n%d\n", class)
		d, err := LoadOGBGraphs(writeOGB(t, files), OGBOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if want := class + 1; (d.Labels != nil) != fits || fits && d.NumClasses != want {
			t.Errorf("graphs, class %d: %d classes, labels %v", class, d.NumClasses, d.Labels)
		}
	}
}

// hostileOGB is files that make the tiny set of a graph be refused.
var hostileOGB = []struct{ name, file, content, want string }{
	{"no edges", "raw/edge", "", "edge.csv.gz: 0 edges, num-edge-list says 2"},
	{"few edges", "raw/edge", "0,1\n", "edge.csv.gz: 1 edges, num-edge-list says 2"},
	{"many edges", "raw/edge", "0,1\n0,1\n0,1\n", "edge.csv.gz:3: more than the 2 edges of num-edge-list"},
	{"edge to nowhere", "raw/edge", "0,1\n0,3\n", "edge.csv.gz:2: vertex 3 out of range [0, 3)"},
	{"cut edge", "raw/edge", "0,1\n0", "edge.csv.gz:2: 1 fields, want 2"},
	{"edge of words", "raw/edge", "src,dst\n", `edge.csv.gz:1: vertex "src" is not an integer`},
	{"vertices of 10 GB", "raw/num-node-list", "10000000000\n", "num-node-list.csv:1: count 10000000000 out of range"},
	{"many vertices", "raw/num-node-list", "2000000000\n", "fewer rows than the 2000000000 of the counts"},
	{"few vertices", "raw/num-node-list", "2\n", "edge.csv.gz:2: vertex 2 out of range [0, 2)"},
	{"negative vertices", "raw/num-node-list", "-1\n", "count -1 out of range"},
	{"two graphs", "raw/num-node-list", "3\n3\n", "num-edge-list.csv: 1 graphs, num-node-list has 2"},
	{"edges of 10 GB", "raw/num-edge-list", "2000000000\n", "edge.csv.gz: 2 edges, num-edge-list says 2000000000"},
	{"few rows", "raw/node-feat", "1,2\n", "fewer rows than the 3 of the counts"},
	{"many rows", "raw/node-feat", "1\n1\n1\n1\n", "more than 3 rows"},
	{"ragged rows", "raw/node-feat", "1,2\n3\n4,5\n", "2: 1 fields, want 2"},
	{"few labels", "raw/node-label", "1\n", "node-label.csv.gz: 1 rows, want 3"},
	{"many labels", "raw/node-label", "1\n0\n1\n0\n", "node-label.csv.gz:4: more than 3 rows"},
	{"fraction", "raw/node-label", "1\n0.5\n1\n", "node-label.csv.gz: row 2: 0.5 is not a class"},
	{"class of another set", "raw/node-label", "1\n1000000000\n1\n", "row 2: 1e+09 is not a class"},
	{"two columns", "raw/node-label", "1,0\n0,1\n0,0\n", "node-label.csv.gz: 2 columns, one class has 1"},
	{"split out of range", "split/time/train", "3\n", "train.csv.gz:1: index 3 out of range [0, 3)"},
	{"split twice", "split/time/train", "1\n1\n", "train.csv.gz:2: index 1 is in train already"},
	{"split in two parts", "split/time/valid", "1\n", "valid.csv.gz:1: index 1 is in train already"},
}

func TestHostileOGBIsRefused(t *testing.T) {
	for _, tt := range hostileOGB {
		t.Run(tt.name, func(t *testing.T) {
			files := tinyOGB()
			files[tt.file] = tt.content
			dir := writeOGB(t, files)
			refused(t, tt.want, func() error { _, err := LoadOGB(dir, OGBOptions{}); return err })
		})
	}
	graphs := tinyOGBGraphs()
	graphs["raw/num-node-list"] = "2000000000\n0\n1\n"
	refused(t, "num-node-list.csv: 2000000001 vertices in a file of 2 lines", func() error {
		_, err := LoadOGBGraphs(writeOGB(t, graphs), OGBOptions{})
		return err
	})
	refused(t, "3 graphs, want 1: LoadOGBGraphs reads sets of graphs", func() error {
		_, err := LoadOGB(writeOGB(t, tinyOGBGraphs()), OGBOptions{})
		return err
	})
	empty := tinyOGBGraphs()
	many := strings.Repeat("0\n", 100_000)
	empty["raw/num-node-list"], empty["raw/num-edge-list"], empty["raw/graph-label"], empty["raw/edge"] = many, many, many, ""
	delete(empty, "raw/node-feat")
	delete(empty, "raw/edge-feat")
	refused(t, "100000 graphs in files of 0 vertices and edges", func() error {
		_, err := LoadOGBGraphs(writeOGB(t, empty), OGBOptions{})
		return err
	})
	schemes := tinyOGB()
	schemes["split/random/train"] = "0\n"
	refused(t, "several schemes of splits, such as random and time: choose one", func() error {
		_, err := LoadOGB(writeOGB(t, schemes), OGBOptions{})
		return err
	})
	refused(t, "num-node-list.csv.gz: ", func() error { _, err := LoadOGB(t.TempDir(), OGBOptions{}); return err })
}

// FuzzOGB changes one file of the tiny set.
func FuzzOGB(f *testing.F) {
	names := []string{"raw/edge", "raw/num-node-list", "raw/num-edge-list", "raw/node-feat", "raw/edge-feat", "raw/node-label", "split/time/train"}
	for i, name := range names {
		f.Add(uint8(i), tinyOGB()[name])
	}
	for _, tt := range hostileOGB {
		f.Add(uint8(slices.Index(names, tt.file)), tt.content)
	}
	f.Fuzz(func(t *testing.T, i uint8, content string) {
		files := make(fstest.MapFS)
		for name, text := range tinyOGB() {
			files[name+".csv"] = &fstest.MapFile{Data: []byte(text)}
		}
		files[names[int(i)%len(names)]+".csv"].Data = []byte(content)
		r := &ogb{name: "tiny", dir: "tiny", files: files}
		d, err := r.dataset()
		if err != nil {
			return
		}
		if err := d.Validate(); err != nil || d.Graph.NumEdges() != 2 { // no other number fits edge-feat
			t.Errorf("%v, error %v", d.Graph, err)
		}
	})
}
