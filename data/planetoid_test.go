// Tests of the Planetoid reader on a set of six vertices and its faults.

package data

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPlanetoidPutsRowsAndLabelsWhereTheyBelong(t *testing.T) {
	d, err := LoadPlanetoid(writePlanetoid(t, tinyPlanetoid(t)), "tiny")
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "tiny" || d.NumClasses != 2 {
		t.Errorf("name %q, %d classes", d.Name, d.NumClasses)
	}
	if want := []int32{0, 1, 1, 0, NoLabel, 1}; !slices.Equal(d.Labels, want) {
		t.Errorf("labels %v, want %v", d.Labels, want)
	}
	want := []float64{
		1, 0, 0,
		0, 2, 0,
		4, 0, 3,
		0, 6, 0,
		0, 0, 0,
		0, 0, 5,
	}
	if got := d.Features.Dense().Float64s(); !slices.Equal(got, want) {
		t.Errorf("features %v, want %v", got, want)
	}
	if !slices.Equal(d.Train, []int32{0, 1}) || !slices.Equal(d.Val, []int32{2}) || !slices.Equal(d.Test, []int32{3, 5}) {
		t.Errorf("split %v %v %v", d.Train, d.Val, d.Test)
	}
	type arc struct{ u, v int32 }
	got := map[arc]int{}
	for e, u := range d.Graph.Src() {
		got[arc{u, d.Graph.Dst()[e]}]++
	}
	for _, a := range []arc{{0, 1}, {1, 0}, {0, 3}, {3, 0}, {1, 2}, {2, 1}, {2, 2}, {4, 0}, {0, 4}} {
		if got[a] != 1 {
			t.Errorf("arc %v is there %d times, want once", a, got[a])
		}
		delete(got, a)
	}
	if len(got) > 0 {
		t.Errorf("arcs %v should not be there", got)
	}
}

func TestPlanetoidRejectsPartsThatDoNotFit(t *testing.T) {
	for _, tt := range []struct {
		name, part string
		file       []byte
		want       string
	}{
		{"columns of tx", "tx", matrixParts{2, 4, []int32{0, 1, 2}, []int32{2, 1}, []float32{5, 6}}.pickle(t), "allx has 3 columns, tx 4"},
		{"rows of tx", "tx", matrixParts{1, 3, []int32{0, 1}, []int32{2}, []float32{5}}.pickle(t), "tx has 1 rows, ty 2"},
		{"rows of ally", "ally", pickleOneHot(2, 0, 1), "allx has 3 rows, ally 2"},
		{"classes of ty", "ty", pickleOneHot(3, 1, 0), "y, ally and ty have 2, 2 and 3 classes"},
		{"more training rows than rows", "y", pickleOneHot(2, 0, 1, 1, 0), "4 training rows, 3 rows of allx, 6 vertices"},
		{"few vertices", "graph", pickleGraph([]int{0}, []int{}), "3 rows of allx, 2 vertices of graph"},
		{"index out of range", "test.index", []byte("5\n6\n"), "line 2: vertex 6 out of range [3, 6)"},
		{"index among the training rows", "test.index", []byte("2\n5\n"), "line 1: vertex 2 out of range [3, 6)"},
		{"index twice", "test.index", []byte("5\n5\n"), "line 2: vertex 5 comes twice"},
		{"index too short", "test.index", []byte("5\n"), "test.index names 1 vertices, tx has 2 rows"},
		{"index of words", "test.index", []byte("5\nthree\n"), `line 2: "three" is not a vertex`},
		{"index beyond integers", "test.index", []byte("99999999999999999999\n"), "is not a vertex"},
		{"two classes at once", "y", newPickle().array("i4", []int{1, 2}, rawInts(1, 1)).end(), "row 0 is not one-hot"},
		{"class of weight 2", "y", newPickle().array("i4", []int{1, 2}, rawInts(2, 0)).end(), "row 0 is not one-hot"},
		{"labels of floats", "y", newPickle().array("f4", []int{1, 2}, rawInts(0, 0)).end(), "not a matrix of integers"},
		{"labels as a vector", "y", newPickle().array("i4", []int{2}, rawInts(0, 1)).end(), "not a matrix of integers (shape [2])"},
		{"labels of no class", "y", newPickle().array("i4", []int{0, 0}, "").end(), "not a matrix of integers (shape [0 0])"},
		{"labels of any number of classes", "y", newPickle().array("i4", []int{0, 1 << 30}, "").end(), "not a matrix of integers (shape [0 1073741824])"},
		{"unlabelled training vertex", "ally", pickleOneHot(2, NoLabel, 1, 1), "ind.tiny.ally: row 0 has no label"},
		{"unlabelled test vertex", "ty", pickleOneHot(2, 1, NoLabel), "ind.tiny.ty: row 1 has no label"},
		{"matrix for labels", "y", tinyPlanetoid(t)["tx"], "holds no NumPy array"},
		{"labels for matrix", "tx", tinyPlanetoid(t)["ty"], "holds no SciPy CSR matrix"},
		{"garbage", "graph", []byte("\x00\x01\x02"), "not a readable pickle"},
		{"NaN", "allx", matrixParts{3, 3, []int32{0, 1, 2, 4}, []int32{0, 1, 2, 0}, []float32{1, 2, 3, float32(math.NaN())}}.pickle(t), "ind.tiny.allx: feature at row 2, column 0 is NaN"},
		{"infinity", "tx", matrixParts{2, 3, []int32{0, 1, 2}, []int32{2, 1}, []float32{float32(math.Inf(-1)), 6}}.pickle(t), "ind.tiny.tx: feature at row 0, column 2 is -Inf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parts := tinyPlanetoid(t)
			parts[tt.part] = tt.file
			dir := writePlanetoid(t, parts)
			_, err := LoadPlanetoid(dir, "tiny")
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "data: tiny: ") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestPlanetoidNamesTheFileThatIsMissingOrTruncated(t *testing.T) {
	for _, part := range planetoidParts {
		parts := tinyPlanetoid(t)
		dir := writePlanetoid(t, parts)
		path := filepath.Join(dir, "ind.tiny."+part)
		if err := os.WriteFile(path, parts[part][:len(parts[part])/2], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadPlanetoid(dir, "tiny"); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s truncated: error %v", part, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadPlanetoid(dir, "tiny"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s missing: error %v", part, err)
		}
	}
	if _, err := LoadPlanetoid(filepath.Join(t.TempDir(), "missing"), "tiny"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder missing: error %v", err)
	}
}
