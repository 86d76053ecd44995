// Tests of the .npz writer.

package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/sbinet/npyio/npz"
)

func TestArraysAreWrittenAsNumPyReadsThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	x := tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err := WriteNPZ(path, map[string]*tensor.Tensor{
		"f4": x, "f8": x.To(tensor.Float64), "i4": x.To(tensor.Int32), "i8": x.To(tensor.Int64),
		"turned": x.Transpose(1, 0), "scalar": tensor.FromSlice([]float64{7}), "none": tensor.Zeros(tensor.Float32, 0, 4),
		"vector": int32Tensor([]int32{-1, 1 << 30}), "mask": tensor.FromSlice([]bool{true, false}, 2),
	}); err != nil {
		t.Fatal(err)
	}
	r, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for key, want := range map[string]string{
		"f4": "<f4 [2 3]", "f8": "<f8 [2 3]", "i4": "<i4 [2 3]", "i8": "<i8 [2 3]", "turned": "<f4 [3 2]",
		"scalar": "<f8 []", "none": "<f4 [0 4]", "vector": "<i4 [2]", "mask": "|b1 [2]",
	} {
		h := r.Header(key + ".npy")
		if h == nil {
			t.Fatalf("%s is missing; there are %v", key, r.Keys())
		}
		if got := fmt.Sprint(h.Descr.Type, " ", h.Descr.Shape); got != want || h.Descr.Fortran {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	var f8 []float64
	var turned []float32
	var vector []int32
	if err := errors.Join(r.Read("f8.npy", &f8), r.Read("turned.npy", &turned), r.Read("vector.npy", &vector)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f8, []float64{1, 2, 3, 4, 5, 6}) || !slices.Equal(turned, []float32{1, 4, 2, 5, 3, 6}) || !slices.Equal(vector, []int32{-1, 1 << 30}) {
		t.Errorf("%v %v %v", f8, turned, vector)
	}
	// The data begin at a multiple of 64 bytes, as NumPy's do.
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if member := npzMember(t, file, "f4.npy"); (len(member)-6*4)%64 != 0 {
		t.Errorf("the header has %d bytes", len(member)-6*4)
	}
	again := filepath.Join(t.TempDir(), "b.npz")
	arrays := map[string]*tensor.Tensor{"b": x, "a": x}
	if err := errors.Join(WriteNPZ(path, arrays), WriteNPZ(again, arrays)); err != nil {
		t.Fatal(err)
	}
	one, _ := os.ReadFile(path)
	if two, err := os.ReadFile(again); err != nil || !slices.Equal(one, two) {
		t.Error("the same arrays give other bytes")
	}
}

// sameDataset tells whether two sets have the same arcs, features and labels.
func sameDataset(a, b *Dataset) bool {
	return sameArcs(sorted(a.Graph), sorted(b.Graph)) && a.NumClasses == b.NumClasses && slices.Equal(a.Labels, b.Labels) &&
		slices.Equal(a.Features.Dense().Float64s(), b.Features.Dense().Float64s())
}

// sorted returns the graph with its edges in order of the destinations, then
// sources.
func sorted(g *graph.Graph) *graph.Graph {
	var src, dst []int32
	for v := range g.NumVertices() {
		neighbors, _ := g.In().Row(v)
		row := slices.Clone(neighbors)
		slices.Sort(row)
		for _, u := range row {
			src, dst = append(src, u), append(dst, int32(v))
		}
	}
	out, err := graph.New(g.NumVertices(), src, dst)
	if err != nil {
		panic(err)
	}
	return out
}

func TestWrittenDatasetsReadBackTheSame(t *testing.T) {
	dense := Karate()
	dense.Features = DenseFeatures(dense.Features.Dense())
	part := Karate()
	part.Labels[0], part.Labels[5] = NoLabel, 40 // as of a part of a set of more vertices
	part.NumClasses, part.Train, part.Val, part.Test = 41, []int32{}, []int32{}, []int32{}
	without := Karate() // a vertex of the last class, which is still one
	without.NumClasses++
	none := &Dataset{Name: "none", Graph: Karate().Graph, Features: Karate().Features, Labels: slices.Repeat([]int32{NoLabel}, 34), NumClasses: 2,
		Train: []int32{}, Val: []int32{}, Test: []int32{}}
	sets := []*Dataset{Karate(), dense, part, without, none}
	d, err := LoadNPZ(filepath.Join(shared.Dir(t), "datasets", "npz", "cora.npz.gz"), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(sets, d) {
		path := filepath.Join(t.TempDir(), d.Name+".npz")
		if err := d.WriteNPZ(path); err != nil {
			t.Fatal(err)
		}
		got, err := LoadNPZ(path, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != d.Name || !sameDataset(got, d) {
			t.Errorf("%s differs", d.Name)
		}
	}
	broken := Karate()
	broken.Labels[0] = 9
	if err := broken.WriteNPZ(filepath.Join(t.TempDir(), "x.npz")); err == nil {
		t.Error("a broken set is written")
	}
}

// A model's predictions and embeddings are where the model is.
func TestTensorsOnADeviceAreWritten(t *testing.T) {
	d := densetest.Device(t)
	dir := t.TempDir()
	x := tensor.FromSlice([]float32{1, 0, 3, 4, 0, 6}, 2, 3)
	onCPU := Karate()
	onCPU.Features = DenseFeatures(onCPU.Features.Dense())
	sparse := Karate().Features.Sparse()
	edges := func(f Features) *NamedGraph {
		g, err := graph.New(2, []int32{0, 1}, []int32{1, 0})
		if err != nil {
			t.Fatal(err)
		}
		return &NamedGraph{Graph: g, EdgeFeatures: f}
	}
	onDevice := *onCPU
	onDevice.Features = DenseFeatures(onCPU.Features.Dense().ToDevice(d))
	sparseOnDevice := *onCPU
	sparseOnDevice.Features = SparseFeatures(sparse.ToDevice(d))
	var want []byte
	for i, write := range []func(path string) error{
		func(path string) error { return WriteNPZ(path, map[string]*tensor.Tensor{"x": x}) },
		func(path string) error { return WriteNPZ(path, map[string]*tensor.Tensor{"x": x.ToDevice(d)}) },
		func(path string) error { return WriteMatrix(path, []string{"a", "b", "c"}, x) },
		func(path string) error { return WriteMatrix(path, []string{"a", "b", "c"}, x.ToDevice(d)) },
		func(path string) error { return WriteEdgeList(path, edges(DenseFeatures(x))) },
		func(path string) error { return WriteEdgeList(path, edges(DenseFeatures(x.ToDevice(d)))) },
		onCPU.WriteNPZ, onDevice.WriteNPZ, onCPU.WriteNPZ, sparseOnDevice.WriteNPZ,
	} {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := write(path); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 && !slices.Equal(got, want) {
			t.Errorf("file %d is another one than that of tensors on the CPU", i)
		}
		want = got
	}
}

func TestFilesAppearWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npz")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The zip format cannot hold a name of 70,000 bytes: writing stops half-way.
	long := map[string]*tensor.Tensor{"a": tensor.Ones(tensor.Float32, 9), "b" + string(make([]byte, 70_000)): tensor.Ones(tensor.Float32, 9)}
	if err := WriteNPZ(path, long); err == nil {
		t.Error("a name of 70,000 bytes was written")
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("the old file is %q, %v", b, err)
	}
	if files := filesBelow(t, dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	if err := WriteNPZ(filepath.Join(dir, "none", "a.npz"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
