// Features beside those that there are: of degrees, constant ones and encodings.

package data

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// Append returns the columns of f and behind them those of more, stored as f is, of its element
// type and on its device; no features at all have no columns. It panics with *[Error] if they
// are of other vertices.
func (f Features) Append(more Features) Features {
	switch {
	case more.IsZero():
		return f
	case f.IsZero():
		return more
	}
	rows, cols := f.Dims()
	if n, _ := more.Dims(); n != rows {
		misuse("Append", "%d rows of features behind %d", n, rows)
	}
	if f.dense != nil {
		return DenseFeatures(tensor.Concat(1, f.dense, more.Dense().To(f.dense.DType()).ToDevice(f.dense.Device())))
	}
	indptr, indices, values := make([]int32, rows+1), []int32{}, []float64{}
	one, two := f.sparse, more.sparse
	a, b := one.Values().ToDevice(tensor.CPU).Float64s(), []float64(nil)
	if two != nil {
		b = two.Values().ToDevice(tensor.CPU).Float64s()
	} else {
		b = more.dense.ToDevice(tensor.CPU).Float64s()
	}
	for r := range rows {
		lo, hi := one.Indptr()[r], one.Indptr()[r+1]
		indices, values = append(indices, one.Indices()[lo:hi]...), append(values, a[lo:hi]...)
		if two != nil {
			for e := two.Indptr()[r]; e < two.Indptr()[r+1]; e++ {
				indices, values = append(indices, int32(cols)+two.Indices()[e]), append(values, b[e])
			}
		} else {
			width := more.Cols()
			for c, x := range b[r*width : (r+1)*width] {
				if x != 0 {
					indices, values = append(indices, int32(cols+c)), append(values, x)
				}
			}
		}
		if len(indices) > math.MaxInt32 {
			misuse("Append", "the first %d of %d rows have %d entries, at most %d fit", r+1, rows, len(indices), math.MaxInt32)
		}
		indptr[r+1] = int32(len(indices))
	}
	s, err := tensor.NewSparse(rows, cols+more.Cols(), indptr, indices, tensor.FromSlice(values, len(values)))
	if err != nil {
		panic("BUG: data: Append: " + err.Error())
	}
	return SparseFeatures(s.To(one.DType()).ToDevice(one.Device()))
}

// ConstantFeatures returns one feature of n vertices, float32 [n 1], that is value for all: of
// graphs without features, as PyG's Constant. It panics with *[Error] for an n that is negative
// or beyond 2^31-1.
func ConstantFeatures(n int, value float64) Features {
	if n < 0 || n > math.MaxInt32 {
		misuse("ConstantFeatures", "%d vertices", n)
	}
	return DenseFeatures(tensor.FullOn(tensor.CPU, tensor.Float32, value, n, 1))
}

// DegreeProfile returns, float32 [vertices 5], the out-degree of every vertex and the least, the
// largest, the mean and the standard deviation (of the population) of the out-degrees of its
// neighbours, 0 where it has none: the local degree profile of Cai and Wang (2018), PyG's
// LocalDegreeProfile. Neighbours are the destinations of the edges that leave it, one for each of
// parallel edges; where directions matter, graph.Graph.Reverse gives the profile of the other
// one. It panics with a *graph.BipartiteError on a bipartite graph. O(V + E).
func DegreeProfile(g *graph.Graph) Features {
	return denseColumns(degreeProfile("DegreeProfile", g), g.NumVertices(), 5)
}

func degreeProfile(op string, g *graph.Graph) []float64 {
	needHomogeneous(op, g)
	degrees := g.OutDegrees()
	out := make([]float64, 0, g.NumVertices()*5)
	for v, degree := range degrees {
		neighbors, _ := g.Out().Row(v)
		if len(neighbors) == 0 {
			out = append(out, 0, 0, 0, 0, 0)
			continue
		}
		of := valuesAt(degrees, neighbors)
		var sum int64 // exact, so that the mean of equal degrees is theirs
		for _, d := range of {
			sum += int64(d)
		}
		mean, squares := float64(sum)/float64(len(of)), 0.0
		for _, d := range of {
			squares += (float64(d) - mean) * (float64(d) - mean)
		}
		deviation := math.Sqrt(squares / float64(len(of)))
		out = append(out, float64(degree), float64(slices.Min(of)), float64(slices.Max(of)), mean, deviation)
	}
	return out
}

// AddFeatures returns the dataset with these features of its vertices behind those that it
// has. All else is shared with the old one. It panics with *[Error] if they are of other vertices.
func (d *Dataset) AddFeatures(f Features) *Dataset {
	wantGraph("AddFeatures", d.Graph)
	out := *d
	out.Features = appendTo(d.Features, f, d.Graph.NumVertices())
	return &out
}

// AddFeatures returns the set with these features of the vertices of all its graphs, in
// order, behind those that it has. All else is shared with the old one. It panics with *[Error]
// if they are of other vertices.
func (d *GraphDataset) AddFeatures(f Features) *GraphDataset {
	n := 0
	for _, g := range d.Graphs {
		wantGraph("AddFeatures", g)
		n += g.NumVertices()
	}
	out := *d
	out.Features = appendTo(d.Features, f, n)
	return &out
}

func appendTo(f, more Features, vertices int) Features {
	if rows, _ := more.Dims(); rows != vertices {
		misuse("AddFeatures", "%d rows of features for %d vertices", rows, vertices)
	}
	return f.Append(more)
}

// AddConstantFeature returns the set with one more feature that is value for all vertices, see
// [ConstantFeatures].
func (d *GraphDataset) AddConstantFeature(value float64) *GraphDataset {
	out, _ := d.addEach("AddConstantFeature", 1, func(_ string, g *graph.Graph) ([]float64, error) {
		return slices.Repeat([]float64{value}, g.NumVertices()), nil
	})
	return out
}

// AddDegreeProfile returns the set with the [DegreeProfile] of its vertices as further features.
func (d *GraphDataset) AddDegreeProfile() *GraphDataset {
	out, _ := d.addEach("AddDegreeProfile", 5, func(op string, g *graph.Graph) ([]float64, error) { return degreeProfile(op, g), nil })
	return out
}

// AddRandomWalkEncoding returns the set with the [RandomWalkEncoding] of its vertices as further
// features.
func (d *GraphDataset) AddRandomWalkEncoding(steps int) *GraphDataset {
	out, _ := d.addEach("AddRandomWalkEncoding", steps, func(op string, g *graph.Graph) ([]float64, error) {
		return randomWalks(op, g, steps), nil
	})
	return out
}

// AddLaplacianEncoding returns the set with the [LaplacianEncoding] of its vertices, each graph
// by itself, as further features. For signs that are drawn, see [Features.FlipSigns], encode a
// set without features.
func (d *GraphDataset) AddLaplacianEncoding(k int) (*GraphDataset, error) {
	return d.addEach("AddLaplacianEncoding", k, func(op string, g *graph.Graph) ([]float64, error) { return laplacianVectors(op, g, k) })
}

// addEach adds so many features of the vertices of each graph, given row by row.
func (d *GraphDataset) addEach(op string, cols int, of func(op string, g *graph.Graph) ([]float64, error)) (*GraphDataset, error) {
	values := []float64{}
	for i, g := range d.Graphs {
		needHomogeneous(op, g)
		rows, err := of(op, g)
		if err != nil {
			return nil, ofSet(d.Name, fmt.Errorf("graph %d: %s: %w", i, op, err))
		}
		values = append(values, rows...)
	}
	if cols < 1 || cols >= maxColumns { // of graphs it is misuse before
		misuse(op, "%d features, want 1 to %d", cols, maxColumns-1)
	}
	return d.AddFeatures(denseColumns(values, len(values)/cols, cols)), nil
}
