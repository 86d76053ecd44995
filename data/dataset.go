// Dataset and Features: what training reads, and its validation.

package data

import (
	"errors"
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// NoLabel is the label of a vertex that has none.
const NoLabel int32 = -1

// mostClasses bounds the classes that a file has by the labels in it: there are at most as
// many, but for some that a part of a dataset has nothing of.
func mostClasses(labels int) int { return labels + 1<<12 }

// Dataset is one graph for vertex classification.
type Dataset struct {
	Name       string
	Graph      *graph.Graph
	Features   Features // one row a vertex
	Labels     []int32  // the class of each vertex, NoLabel where it has none
	NumClasses int

	// The split: vertices to train on, to choose a model by and to report on. A
	// part without members is empty, never nil: losses and metrics take nil for
	// all vertices.
	Train, Val, Test []int32
}

// Features is a float matrix of one row a vertex, stored sparse or dense. The
// zero value means that there are no features.
type Features struct {
	sparse *tensor.Sparse
	dense  *tensor.Tensor
}

// SparseFeatures returns features stored as s.
func SparseFeatures(s *tensor.Sparse) Features { return Features{sparse: s} }

// DenseFeatures returns features stored as t, a float matrix, or as a copy of a view
// that is not contiguous. It panics with a
// *tensor.ShapeError or *tensor.DTypeError if t is not one, and with *[Error] for nil.
func DenseFeatures(t *tensor.Tensor) Features {
	const op = "DenseFeatures"
	if t == nil {
		misuse(op, "the tensor is nil")
	}
	if t.Rank() != 2 {
		panic(&tensor.ShapeError{Op: op, Detail: "not a matrix", Shapes: []tensor.Shape{t.Shape()}})
	}
	if !t.DType().IsFloat() {
		panic(&tensor.DTypeError{Op: op, Got: t.DType(), Want: []tensor.DType{tensor.Float32, tensor.Float64}})
	}
	return Features{dense: t.Contiguous()}
}

// IdentityFeatures returns the n by n identity matrix, float32 and sparse: the
// usual features of graphs without any. It panics with *[Error] for an n that is
// negative or beyond 2^31-1.
func IdentityFeatures(n int) Features {
	if n < 0 || n > math.MaxInt32 {
		misuse("IdentityFeatures", "%d vertices", n)
	}
	indptr, indices, ones := make([]int32, n+1), make([]int32, n), make([]float32, n)
	for v := range n {
		indptr[v+1], indices[v], ones[v] = int32(v+1), int32(v), 1
	}
	s, err := tensor.NewSparse(n, n, indptr, indices, tensor.FromSlice(ones, n))
	if err != nil {
		panic("BUG: data: IdentityFeatures: " + err.Error())
	}
	return SparseFeatures(s)
}

// IsZero tells whether there are no features.
func (f Features) IsZero() bool { return f.sparse == nil && f.dense == nil }

// Dims returns the numbers of vertices and of features of a vertex, 0 and 0 if
// there are no features.
func (f Features) Dims() (rows, cols int) {
	switch {
	case f.sparse != nil:
		return f.sparse.Dims()
	case f.dense != nil:
		return f.dense.Dim(0), f.dense.Dim(1)
	}
	return 0, 0
}

// Cols returns the number of features of a vertex.
func (f Features) Cols() int {
	_, cols := f.Dims()
	return cols
}

// Sparse returns the matrix if it is stored sparse, otherwise nil.
func (f Features) Sparse() *tensor.Sparse { return f.sparse }

// Dense returns the matrix as a dense tensor: the one it is stored as or, if
// it is stored sparse, a new one. It returns nil if there are no features.
func (f Features) Dense() *tensor.Tensor {
	if f.sparse != nil {
		return f.sparse.ToDense()
	}
	return f.dense
}

// To returns the features with elements of type dt, a float type.
func (f Features) To(dt tensor.DType) Features {
	switch {
	case f.sparse != nil:
		return SparseFeatures(f.sparse.To(dt))
	case f.dense != nil:
		return DenseFeatures(f.dense.To(dt))
	}
	return f
}

// RowNormalize returns the features with every row divided by its sum; rows
// whose sum is 0 become 0. It works on the CPU, wherever the features are and stay.
func (f Features) RowNormalize() Features {
	switch {
	case f.sparse != nil:
		return SparseFeatures(f.sparse.RowNormalize())
	case f.dense != nil:
		out := f.dense.ToDevice(tensor.CPU).Clone()
		cols := f.Cols()
		if out.DType() == tensor.Float32 {
			normalizeRows(tensor.Data[float32](out), cols)
		} else {
			normalizeRows(tensor.Data[float64](out), cols)
		}
		return DenseFeatures(out.ToDevice(f.dense.Device()))
	}
	return f
}

func normalizeRows[T tensor.Float](x []T, cols int) {
	for ; len(x) > 0; x = x[cols:] {
		var sum float64
		for _, v := range x[:cols] {
			sum += float64(v)
		}
		for i, v := range x[:cols] {
			if sum == 0 {
				x[i] = 0
			} else {
				x[i] = T(float64(v) / sum)
			}
		}
	}
}

// checkFinite returns an error that names the first NaN or infinite feature.
func (f Features) checkFinite() error {
	var values *tensor.Tensor
	switch {
	case f.sparse != nil:
		values = f.sparse.Values()
	case f.dense != nil:
		values = f.dense
	default:
		return nil
	}
	values = values.ToDevice(tensor.CPU)
	var at int
	var bad float64
	if values.DType() == tensor.Float32 {
		at, bad = firstNonFinite(tensor.Data[float32](values))
	} else {
		at, bad = firstNonFinite(tensor.Data[float64](values))
	}
	if at < 0 {
		return nil
	}
	var row, col int
	if f.sparse != nil {
		for int(f.sparse.Indptr()[row+1]) <= at {
			row++
		}
		col = int(f.sparse.Indices()[at])
	} else {
		cols := f.Cols()
		row, col = at/cols, at%cols
	}
	return fmt.Errorf("feature at row %d, column %d is %v", row, col, bad)
}

func firstNonFinite[T tensor.Float](values []T) (at int, value float64) {
	for i, v := range values {
		if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
			return i, x
		}
	}
	return -1, 0
}

// RowNormalize returns the dataset with the features of every vertex divided
// by their sum, as Kipf and Welling (2017) train on citation graphs. All else
// is shared with the old one.
func (d *Dataset) RowNormalize() *Dataset {
	out := *d
	out.Features = d.Features.RowNormalize()
	return &out
}

// Validate returns an error that names the fault unless the graph is there and
// homogeneous, features (if any) have a row a vertex and are finite, labels
// are NoLabel or in [0, NumClasses), no part of the split is nil, and its vertices exist,
// have labels and are in one part only, once. O(V + features).
func (d *Dataset) Validate() error {
	if err := d.validate(); err != nil {
		return ofSet(d.Name, err)
	}
	return nil
}

func (d *Dataset) validate() error {
	if d.Graph == nil {
		return errors.New("no graph")
	}
	if d.Graph.IsBipartite() {
		return errors.New("the graph is bipartite")
	}
	n := d.Graph.NumVertices()
	if rows, _ := d.Features.Dims(); !d.Features.IsZero() && rows != n {
		return fmt.Errorf("%d rows of features for %d vertices", rows, n)
	}
	if len(d.Labels) != n {
		return fmt.Errorf("%d labels for %d vertices", len(d.Labels), n)
	}
	for v, label := range d.Labels {
		if label != NoLabel && (label < 0 || int(label) >= d.NumClasses) {
			return fmt.Errorf("vertex %d: label %d out of range [0, %d)", v, label, d.NumClasses)
		}
	}
	if err := checkPartsThere(d.Train, d.Val, d.Test); err != nil {
		return err
	}
	part := make([]string, n)
	for _, s := range []struct {
		name     string
		vertices []int32
	}{{"train", d.Train}, {"validation", d.Val}, {"test", d.Test}} {
		for _, v := range s.vertices {
			switch {
			case v < 0 || int(v) >= n:
				return fmt.Errorf("%s vertex %d out of range [0, %d)", s.name, v, n)
			case d.Labels[v] == NoLabel:
				return fmt.Errorf("%s vertex %d has no label", s.name, v)
			case part[v] != "":
				return fmt.Errorf("%s vertex %d is a %s vertex already", s.name, v, part[v])
			}
			part[v] = s.name
		}
	}
	return d.Features.checkFinite()
}

// checkPartsThere refuses nil parts, which losses and metrics would take for all vertices.
func checkPartsThere(train, val, test []int32) error {
	for _, s := range []struct {
		name    string
		members []int32
	}{{"train", train}, {"validation", val}, {"test", test}} {
		if s.members == nil {
			return fmt.Errorf("the %s part is nil, which losses and metrics take for all vertices: give it members, or []int32{} for none", s.name)
		}
	}
	return nil
}
