// Tests of Load against the counts that are published with the files.

package data

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

func TestLoadGivesThePublishedCounts(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	for _, want := range []struct {
		name                               string
		vertices, arcs, features, classes  int
		nnz, train, val, test, unlabelled  int
		loops, isolated, featurelessVertex int
	}{
		{name: "cora", vertices: 2708, arcs: 10556, features: 1433, classes: 7, nnz: 49216, train: 140, val: 500, test: 1000},
		{name: "citeseer", vertices: 3327, arcs: 9228, features: 3703, classes: 6, nnz: 105165, train: 120, val: 500, test: 1000, unlabelled: 15, loops: 124, isolated: 48, featurelessVertex: 15},
		{name: "cora-linqs", vertices: 2708, arcs: 10556, features: 1433, classes: 7, nnz: 49216, train: 140, val: 210, test: 2358},
		{name: "citeseer-linqs", vertices: 3312, arcs: 9196, features: 3703, classes: 6, nnz: 105165, train: 120, val: 180, test: 3012, loops: 124, isolated: 48},
		{name: "cora-ml", vertices: 2995, arcs: 16316, features: 2879, classes: 7, nnz: 151171, train: 140, val: 210, test: 2645},
		{name: "polblogs", vertices: 1490, arcs: 33433, features: 1490, classes: 2, nnz: 1490, train: 40, val: 60, test: 1390, loops: 3, isolated: 266},
		{name: "amazon-photo", vertices: 7650, arcs: 238163, features: 745, classes: 8, nnz: 1979909, train: 160, val: 240, test: 7250, loops: 1, isolated: 115},
		{name: "amazon-computers", vertices: 13752, arcs: 491722, features: 767, classes: 10, nnz: 3675081, train: 200, val: 300, test: 13252, isolated: 281},
		{name: "coauthor-cs", vertices: 18333, arcs: 163788, features: 6805, classes: 15, nnz: 1092079, train: 300, val: 450, test: 17583},
		{name: "coauthor-physics", vertices: 34493, arcs: 495924, features: 8415, classes: 5, nnz: 1137311, train: 100, val: 150, test: 34243},
	} {
		t.Run(want.name, func(t *testing.T) {
			if testing.Short() && want.nnz > 1_000_000 {
				t.Skip("a large file")
			}
			d, err := Load(context.Background(), want.name, Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			got := want
			got.name = d.Name
			got.vertices, got.arcs, got.classes = d.Graph.NumVertices(), d.Graph.NumEdges(), d.NumClasses
			_, got.features = d.Features.Dims()
			got.nnz = d.Features.Sparse().NNZ()
			got.train, got.val, got.test = len(d.Train), len(d.Val), len(d.Test)
			got.unlabelled, got.loops, got.isolated, got.featurelessVertex = 0, 0, 0, 0
			for _, c := range d.Labels {
				if c == NoLabel {
					got.unlabelled++
				}
			}
			for e, u := range d.Graph.Src() {
				if u == d.Graph.Dst()[e] {
					got.loops++
				}
			}
			for v := range d.Graph.NumVertices() {
				// With nobody but itself as neighbour.
				neighbors, _ := d.Graph.In().Row(v)
				if !slices.ContainsFunc(neighbors, func(u int32) bool { return int(u) != v }) {
					got.isolated++
				}
				if d.Features.Sparse().Indptr()[v] == d.Features.Sparse().Indptr()[v+1] && want.unlabelled > 0 && d.Labels[v] == NoLabel {
					got.featurelessVertex++
				}
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if sym, _ := d.Graph.Symmetrize(); sym.NumEdges() != d.Graph.NumEdges() {
				t.Error("the graph is not symmetric")
			}
			if simple, _ := d.Graph.Simplify(); simple.NumEdges() != d.Graph.NumEdges() {
				t.Error("the graph has duplicate edges")
			}
		})
	}
}

func TestPubmedSaysThatAllxIsNeeded(t *testing.T) {
	for _, dir := range []string{"", filepath.Join(shared.Dir(t), "datasets")} {
		_, err := Load(context.Background(), "pubmed", Options{Dir: dir, Cache: t.TempDir(), Mirrors: []string{"http://127.0.0.1:1"}})
		if err == nil || !strings.Contains(err.Error(), "planetoid/ind.pubmed.allx is needed") || !strings.Contains(err.Error(), "Options.Dir") {
			t.Errorf("in %q: error %v does not say what is needed", dir, err)
		}
	}
	_, err := LoadPlanetoid(filepath.Join(shared.Dir(t), "datasets", "planetoid"), "pubmed")
	if err == nil || !strings.Contains(err.Error(), "ind.pubmed.allx") || !strings.Contains(err.Error(), "nothing can be trained without it") {
		t.Errorf("error %v does not say what is needed", err)
	}
}

func TestLoadRejectsUnknownNamesAndFolders(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, dir, want string
	}{
		{"coda", "", `data: no dataset is called "coda"; there are amazon-computers, `},
		{"cora", filepath.Join(t.TempDir(), "missing"), "data: cora: data folder: "},
		{"cora", plain, "is not a folder"},
	} {
		if _, err := Load(context.Background(), tt.name, Options{Dir: tt.dir, Cache: t.TempDir(), Mirrors: []string{}}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s in %q: error %v, want %q", tt.name, tt.dir, err, tt.want)
		}
	}
}

func TestLoadWithAContextThatIsDoneIsAnError(t *testing.T) {
	cause := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for name, load := range map[string]func(name string) error{
		"karate":       func(name string) error { _, err := Load(ctx, name, Options{}); return err },
		"mutag":        func(name string) error { _, err := LoadGraphs(ctx, name, Options{}); return err },
		"hgb-acm":      func(name string) error { _, err := LoadHetero(ctx, name, Options{}); return err },
		"aifb":         func(name string) error { _, err := LoadEntities(ctx, name, Options{}); return err },
		"wn18rr":       func(name string) error { _, err := LoadTriples(ctx, name, Options{}); return err },
		"ppi-node2vec": func(name string) error { _, err := LoadMultiLabel(ctx, name, Options{}); return err },
	} {
		if err := load(name); !errors.Is(err, cause) || err.Error() != "data: "+name+": the user left" {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNamesAreSortedAndKnown(t *testing.T) {
	var all []string
	for task := range Task(len(taskLoaders)) {
		names := NamesOf(task)
		if !slices.IsSorted(names) || len(names) == 0 {
			t.Errorf("names for %s are not sorted or not there: %v", taskLoaders[task], names)
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	if len(slices.Compact(slices.Clone(all))) != len(all) || len(all) != len(catalog()) {
		t.Errorf("names are not unique: %v", all)
	}
	for _, name := range all {
		e, ok := lookup(name)
		if !ok {
			t.Errorf("%s is not known", name)
		}
		for _, f := range e.files {
			for _, url := range mirrors(f) {
				if !strings.HasPrefix(url, "https://") || !strings.HasSuffix(url, "/"+path.Base(f.path)) {
					t.Errorf("mirror %s of %s", url, f.path)
				}
			}
			if len(f.sha256) != 64 && f.path != "planetoid/ind.pubmed.allx" {
				t.Errorf("%s has no checksum", f.path)
			}
		}
	}
}

func TestLoadSaysWhichFunctionLoadsSetsForOtherTasks(t *testing.T) {
	ctx := context.Background()
	for name, want := range map[string]string{
		"mutag": "LoadGraphs", "hgb-acm": "LoadHetero", "aifb": "LoadEntities", "wn18rr": "LoadTriples", "ppi-node2vec": "LoadMultiLabel",
	} {
		_, err := Load(ctx, name, Options{})
		if err == nil || err.Error() != "data: "+name+" is not for Load: "+want+" loads it" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for task, load := range map[Task]func(name string) error{
		GraphTask:      func(name string) error { _, err := LoadGraphs(ctx, name, Options{}); return err },
		HeteroTask:     func(name string) error { _, err := LoadHetero(ctx, name, Options{}); return err },
		EntityTask:     func(name string) error { _, err := LoadEntities(ctx, name, Options{}); return err },
		TripleTask:     func(name string) error { _, err := LoadTriples(ctx, name, Options{}); return err },
		MultiLabelTask: func(name string) error { _, err := LoadMultiLabel(ctx, name, Options{}); return err },
	} {
		if err := load("cora"); err == nil || err.Error() != "data: cora is not for "+taskLoaders[task]+": Load loads it" {
			t.Errorf("%s: error %v", taskLoaders[task], err)
		}
		if err := load("coda"); err == nil || !strings.HasSuffix(err.Error(), "there are "+strings.Join(NamesOf(task), ", ")) {
			t.Errorf("%s: error %v", taskLoaders[task], err)
		}
	}
}

// TestCatalogHasTheChecksumsOfTheFiles compares with the files themselves, so
// that what is verified after a download is what is read here.
func TestCatalogHasTheChecksumsOfTheFiles(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	for _, e := range catalog() {
		for _, f := range e.files {
			if f.sha256 == "" || testing.Short() && (e.format == npzFormat || e.format == hgbFormat) {
				continue
			}
			if sum := contentSum(t, inDir(dir, f), f); sum != f.sha256 {
				t.Errorf("%s has checksum %s, the catalog says %s", f.path, sum, f.sha256)
			}
		}
	}
}

// contentSum returns the SHA-256 of a file, after gunzip if only its own name
// says so.
func contentSum(t *testing.T, path string, f file) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") && !strings.HasSuffix(f.path, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if b, err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
