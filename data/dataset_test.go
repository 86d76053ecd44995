// Tests of Dataset, Features, splits and the karate club.

package data

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
)

// validDataset is a dataset of 4 vertices with dense features that tests
// break.
func validDataset(t *testing.T) *Dataset {
	t.Helper()
	g, err := graph.New(4, []int32{0, 1}, []int32{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	return &Dataset{
		Name: "small", Graph: g, NumClasses: 2, Labels: []int32{0, 1, NoLabel, 1},
		Features: DenseFeatures(tensor.FromSlice([]float32{1, 3, 0, 0, -2, 2, 5, 5}, 4, 2)),
		Train:    []int32{0}, Val: []int32{1}, Test: []int32{3},
	}
}

func sparse(t *testing.T, rows, cols int, indptr, indices []int32, values ...float64) *tensor.Sparse {
	t.Helper()
	s, err := tensor.NewSparse(rows, cols, indptr, indices, tensor.FromSlice(values, len(values)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestValidateNamesTheFault(t *testing.T) {
	bipartite, err := graph.NewBipartite(2, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		edit func(d *Dataset)
		want string
	}{
		{"nothing", func(d *Dataset) {}, ""},
		{"no features", func(d *Dataset) { d.Features = Features{} }, ""},
		{"no graph", func(d *Dataset) { d.Graph = nil }, "data: small: no graph"},
		{"bipartite", func(d *Dataset) { d.Graph = bipartite }, "data: small: the graph is bipartite"},
		{"rows", func(d *Dataset) { d.Features = IdentityFeatures(3) }, "data: small: 3 rows of features for 4 vertices"},
		{"labels", func(d *Dataset) { d.Labels = d.Labels[:3] }, "data: small: 3 labels for 4 vertices"},
		{"class", func(d *Dataset) { d.Labels[3] = 2 }, "data: small: vertex 3: label 2 out of range [0, 2)"},
		{"negative class", func(d *Dataset) { d.Labels[3] = -2 }, "data: small: vertex 3: label -2 out of range [0, 2)"},
		{"nothing to train on", func(d *Dataset) { d.Train = []int32{} }, ""},
		{"nil train", func(d *Dataset) { d.Train = nil }, "data: small: the train part is nil, which losses and metrics take for all vertices: give it members, or []int32{} for none"},
		{"nil val", func(d *Dataset) { d.Val = nil }, "data: small: the validation part is nil, which losses and metrics take for all vertices: give it members, or []int32{} for none"},
		{"nil test", func(d *Dataset) { d.Test = nil }, "data: small: the test part is nil, which losses and metrics take for all vertices: give it members, or []int32{} for none"},
		{"train", func(d *Dataset) { d.Train = []int32{4} }, "data: small: train vertex 4 out of range [0, 4)"},
		{"val", func(d *Dataset) { d.Val = []int32{-1} }, "data: small: validation vertex -1 out of range [0, 4)"},
		{"unlabelled", func(d *Dataset) { d.Test = []int32{2} }, "data: small: test vertex 2 has no label"},
		{"overlap", func(d *Dataset) { d.Test = []int32{3, 0} }, "data: small: test vertex 0 is a train vertex already"},
		{"twice", func(d *Dataset) { d.Val = []int32{1, 1} }, "data: small: validation vertex 1 is a validation vertex already"},
		{"NaN", func(d *Dataset) { tensor.Data[float32](d.Features.Dense())[5] = float32(math.NaN()) }, "data: small: feature at row 2, column 1 is NaN"},
		{"infinity in float64", func(d *Dataset) {
			d.Features = d.Features.To(tensor.Float64)
			tensor.Data[float64](d.Features.Dense())[7] = math.Inf(1)
		}, "data: small: feature at row 3, column 1 is +Inf"},
		{"NaN in sparse", func(d *Dataset) {
			d.Features = SparseFeatures(sparse(t, 4, 9, []int32{0, 1, 1, 1, 3}, []int32{0, 8, 7}, 1, 2, math.NaN()))
		}, "data: small: feature at row 3, column 7 is NaN"},
	} {
		d := validDataset(t)
		tt.edit(d)
		got := ""
		if err := d.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: error %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRowNormalizeMakesRowsSumToOne(t *testing.T) {
	d := densetest.Device(t)
	want := []float64{0.25, 0.75, 0, 0, 0, 0, 0.5, 0.5}
	dense := validDataset(t)
	stored := SparseFeatures(sparse(t, 4, 2, []int32{0, 2, 2, 4, 6}, []int32{0, 1, 0, 1, 0, 1}, 1, 3, -2, 2, 5, 5))
	for name, f := range map[string]Features{
		"dense f32": dense.Features, "dense f64": dense.Features.To(tensor.Float64),
		"sparse f64": stored, "sparse f32": stored.To(tensor.Float32),
		"dense f32 on a device": DenseFeatures(dense.Features.Dense().ToDevice(d)), "dense f64 on a device": DenseFeatures(dense.Features.To(tensor.Float64).Dense().ToDevice(d)),
		"sparse f32 on a device": SparseFeatures(stored.Sparse().To(tensor.Float32).ToDevice(d)),
	} {
		before := f.Dense().Float64s()
		got := f.RowNormalize()
		if got, want := got.Dense().Device(), f.Dense().Device(); got != want {
			t.Errorf("%s: the result is on %v, want %v", name, got, want)
		}
		if got := got.Dense().Float64s(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if !slices.Equal(f.Dense().Float64s(), before) {
			t.Errorf("%s: the original has changed", name)
		}
	}
	out := dense.RowNormalize()
	if !slices.Equal(out.Features.Dense().Float64s(), want) || out.Graph != dense.Graph || out.Name != dense.Name {
		t.Errorf("dataset %+v", out)
	}
}

func TestFeaturesAreReadInEitherForm(t *testing.T) {
	var none Features
	if rows, cols := none.Dims(); !none.IsZero() || rows != 0 || cols != 0 || none.Sparse() != nil || none.Dense() != nil || !none.RowNormalize().IsZero() || !none.To(tensor.Float64).IsZero() {
		t.Error("the zero value has features")
	}
	id := IdentityFeatures(3)
	if rows, cols := id.Dims(); id.IsZero() || rows != 3 || cols != 3 || id.Sparse() == nil {
		t.Errorf("identity has %d rows and %d columns", rows, cols)
	}
	if got := id.Dense().Float64s(); !slices.Equal(got, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}) {
		t.Errorf("identity is %v", got)
	}
	if rows, cols := IdentityFeatures(0).Dims(); rows != 0 || cols != 0 {
		t.Errorf("empty identity has %d rows and %d columns", rows, cols)
	}
	empty := DenseFeatures(tensor.Zeros(tensor.Float32, 3, 0))
	if rows, cols := empty.RowNormalize().Dims(); rows != 3 || cols != 0 {
		t.Errorf("3 rows without columns became %d rows and %d columns", rows, cols)
	}
}

func TestFeaturesOfAViewAreThoseOfItsCopy(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		view := tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3).To(dt).Transpose(1, 0)
		g, err := graph.New(3, []int32{0, 1, 2}, []int32{1, 2, 0})
		if err != nil {
			t.Fatal(err)
		}
		d := &Dataset{Name: "small", Graph: g, Features: DenseFeatures(view), Labels: []int32{0, 0, 0}, NumClasses: 1, Train: []int32{}, Val: []int32{}, Test: []int32{}}
		if view.IsContiguous() || d.Validate() != nil {
			t.Errorf("%v: %v", dt, d.Validate())
		}
		path := filepath.Join(t.TempDir(), "x")
		if err := errors.Join(d.WriteNPZ(path), WriteEdgeList(path+".csv", &NamedGraph{Graph: g, EdgeFeatures: d.Features})); err != nil {
			t.Fatal(err)
		}
		got, err := LoadNPZ(path, 1)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range map[string]Features{"npz": got.Features, "subset": d.Subset([]int32{0, 1, 2}).Features} {
			if !slices.Equal(f.Dense().Float64s(), []float64{1, 4, 2, 5, 3, 6}) {
				t.Errorf("%v: %s has %v", dt, name, f.Dense())
			}
		}
		if got := d.RowNormalize().Features.Dense().Float64s()[0]; dt == tensor.Float64 && got != 0.2 {
			t.Errorf("row 0 begins with %v", got)
		}
	}
}

func TestDenseFeaturesRejectsWhatIsNoFloatMatrix(t *testing.T) {
	for name, f := range map[string]func(){
		"vector":   func() { DenseFeatures(tensor.Zeros(tensor.Float32, 3)) },
		"integers": func() { DenseFeatures(tensor.Zeros(tensor.Int64, 3, 2)) },
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				var shape *tensor.ShapeError
				var dtype *tensor.DTypeError
				if !ok || !errors.As(err, &shape) && !errors.As(err, &dtype) {
					t.Errorf("%s: panicked with %v, want a typed error", name, err)
				}
			}()
			f()
		}()
	}
}

func TestRandomSplitTakesTheAskedNumberOfEachClass(t *testing.T) {
	labels := make([]int32, 500)
	for v := range labels {
		labels[v] = int32(v % 4)
		if v%10 == 9 {
			labels[v] = NoLabel
		}
	}
	labels[0] = 4 // a class of one
	train, val, test := RandomSplit(labels, 6, 20, 30, 7)
	count := func(part []int32) []int {
		out := make([]int, 6)
		for _, v := range part {
			out[labels[v]]++
		}
		return out
	}
	if got := count(train); !slices.Equal(got, []int{20, 20, 20, 20, 1, 0}) {
		t.Errorf("train has %v of each class", got)
	}
	if got := count(val); !slices.Equal(got, []int{30, 30, 30, 30, 0, 0}) {
		t.Errorf("validation has %v of each class", got)
	}
	all := slices.Concat(train, val, test)
	slices.Sort(all)
	if len(all) != 450 || len(slices.Compact(all)) != 450 {
		t.Errorf("%d vertices in the split, want every labelled one of 450 once", len(all))
	}
	for _, part := range [][]int32{train, val, test} {
		if !slices.IsSorted(part) {
			t.Error("a part is not in ascending order")
		}
	}
	again, _, _ := RandomSplit(labels, 6, 20, 30, 7)
	other, _, _ := RandomSplit(labels, 6, 20, 30, 8)
	if !slices.Equal(again, train) || slices.Equal(other, train) {
		t.Error("the split does not depend on the seed alone")
	}
}

func TestKarateIsTheKnownGraph(t *testing.T) {
	d := Karate()
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if d.Graph.NumVertices() != 34 || d.Graph.NumEdges() != 156 || d.NumClasses != 4 {
		t.Errorf("%v, %d classes", d.Graph, d.NumClasses)
	}
	// Degrees as in Zachary's paper: the instructor, the president.
	if deg := d.Graph.InDegrees(); deg[0] != 16 || deg[33] != 17 || deg[11] != 1 {
		t.Errorf("degrees %v", deg)
	}
	if !slices.Equal(d.Train, []int32{0, 4, 8, 23}) || len(d.Val) != 0 || len(d.Test) != 30 {
		t.Errorf("split %v %v %v", d.Train, d.Val, d.Test)
	}
	for c, v := range d.Train {
		if slices.Index(d.Labels, d.Labels[v]) != int(v) || d.Labels[v] != int32(c) {
			t.Errorf("train vertex %d is not the first of class %d", v, c)
		}
	}
	if rows, cols := d.Features.Dims(); rows != 34 || cols != 34 {
		t.Errorf("features %dx%d", rows, cols)
	}
}

func TestKarateEqualsThePublishedFile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(shared.Dir(t), "datasets", "karate", "karate.gml"))
	if err != nil {
		t.Fatal(err)
	}
	type edge struct{ u, v int32 }
	var want, got []edge
	number := func(s string) int32 {
		x, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return int32(x - 1)
	}
	for _, m := range regexp.MustCompile(`source\s+(\d+)\s+target\s+(\d+)`).FindAllStringSubmatch(string(text), -1) {
		u, v := number(m[1]), number(m[2])
		want = append(want, edge{u, v}, edge{v, u})
	}
	d := Karate()
	for e, u := range d.Graph.Src() {
		got = append(got, edge{u, d.Graph.Dst()[e]})
	}
	order := func(a, b edge) int { return int(a.u-b.u)*34 + int(a.v-b.v) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
	if n := strings.Count(string(text), "node"); n != 34 {
		t.Errorf("the file has %d vertices", n)
	}
}

func TestKarateLabelsEqualThePublishedFile(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(shared.Dir(t), "datasets", "karate", "karate_club.npz"))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := parseNPY(npzMember(t, file, "node_label.npy"), textLimit(0))
	if err != nil {
		t.Fatal(err)
	}
	want, err := labels.int32s()
	if err != nil {
		t.Fatal(err)
	}
	if got := Karate().Labels; !slices.Equal(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
}
