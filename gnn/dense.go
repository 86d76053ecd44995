package gnn

// Dense batches: the vertices of each graph as a matrix of their own.

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// DenseConfig has the settings of [ToDenseBatch].
type DenseConfig struct {
	Max  int     // vertices of a graph that there is room for; 0 means those of the largest
	Fill float64 // what stands where a graph has no vertex
}

// ToDenseBatch gives each graph of a batch a matrix of its own, with room for as many
// vertices as the largest graph has, as PyG's to_dense_batch:
//
//	y[i, k] = x_v of the k-th vertex v of graph i, or Fill if it has none
//
// for x [N ...], giving y [graphs max ...] and a mask [graphs max], on the CPU, that is
// true where a vertex is. With a Max, the vertices of a graph beyond it are left out, and
// get no gradient. It panics with *[Error] for what does not fit.
//
// So vertices see all others of their graph, and none of other graphs:
//
//	y, mask := gnn.ToDenseBatch(batch, x, gnn.DenseConfig{})
//	y = attention.Forward(y, y, y, gnn.PaddingMask(mask))
//	x = gnn.FromDenseBatch(batch, y)
func ToDenseBatch(batch *graph.BatchInfo, x *autograd.Var, cfg DenseConfig) (y *autograd.Var, mask *tensor.Tensor) {
	const op = "ToDenseBatch"
	wantBatch(op, batch)
	wantFirst(op, "x", x, len(batch.GraphOf), "vertices")
	limit := denseLimit(op, batch, cfg.Max)
	n := batch.NumGraphs()
	wantPlaces(op, n, limit)
	vertexAt := slices.Repeat([]int32{-1}, n*limit)
	there := make([]bool, n*limit)
	for i := range n {
		from, to := batch.VertexOffsets[i], batch.VertexOffsets[i+1]
		for k := range min(int(to-from), limit) {
			vertexAt[i*limit+k], there[i*limit+k] = from+int32(k), true
		}
	}
	y = rowsOrFill(x, vertexAt, cfg.Fill)
	return y.Reshape(append([]int{n, limit}, x.Shape()[1:]...)...), tensor.FromSlice(there, n, limit)
}

// FromDenseBatch is the way back from [ToDenseBatch]: from y [graphs max ...] to the rows
// of the batch's vertices, [N ...]. What stands where a graph has no vertex is not read,
// and gets no gradient; of a vertex that there was no room for, the row is 0. It panics
// with *[Error] for what does not fit.
func FromDenseBatch(batch *graph.BatchInfo, y *autograd.Var) *autograd.Var {
	const op = "FromDenseBatch"
	wantBatch(op, batch)
	n := batch.NumGraphs()
	if y == nil {
		misuse(op, "y is nil")
	}
	wantDense(op, "y", y)
	s := y.Shape()
	if len(s) < 2 || s[0] != n {
		misuse(op, "y has shape %v; want [%d max ...], the vertices of each graph", s, n)
	}
	limit := s[1]
	wantPlaces(op, n, limit)
	placeOf := make([]int32, len(batch.GraphOf))
	for v, i := range batch.GraphOf {
		if k := v - int(batch.VertexOffsets[i]); k < limit {
			placeOf[v] = int32(int(i)*limit + k)
		} else {
			placeOf[v] = -1
		}
	}
	return rowsOrFill(y.Reshape(append([]int{n * limit}, s[2:]...)...), placeOf, 0)
}

// PaddingMask hides from attention over a dense batch the places where no vertex is, by
// the mask of [ToDenseBatch], on the mask's device. Of a graph without vertices it hides nothing: whoever may
// look at no key gets NaN, and so would the gradients of the layer's parameters, although
// no vertex reads what it gets.
func PaddingMask(mask *tensor.Tensor) nn.AttentionMask {
	const op = "PaddingMask"
	if mask == nil {
		misuse(op, "the mask is nil")
	}
	if mask.DType() != tensor.Bool || mask.Rank() != 2 {
		misuse(op, "the mask is %v %v; want bool [graphs max]", mask.DType(), mask.Shape())
	}
	return nn.AttentionMask{Keys: tensor.And(tensor.Not(mask), tensor.Any(mask, true, 1))}
}

// rowsOrFill returns the given rows of x, and rows of a number where one is -1.
func rowsOrFill(x *autograd.Var, rows []int32, fill float64) *autograd.Var {
	if !slices.Contains(rows, -1) {
		return x.IndexSelect(rows)
	}
	n := x.Shape()[0]
	one := append([]int{1}, x.Shape()[1:]...)
	for i, r := range rows {
		if r < 0 {
			rows[i] = int32(n)
		}
	}
	return autograd.Concat(0, x, autograd.Constant(tensor.FullOn(x.Device(), x.DType(), fill, one...))).IndexSelect(rows)
}

// denseLimit is the given number of vertices that there is room for, or by default that
// of the largest graph.
func denseLimit(op string, batch *graph.BatchInfo, limit int) int {
	wantNotNegative(op, limit)
	if limit > 0 {
		return limit
	}
	for i := range batch.NumGraphs() {
		limit = max(limit, int(batch.VertexOffsets[i+1]-batch.VertexOffsets[i]))
	}
	return limit
}

// wantPlaces panics if there are more places than indices: int32 numbers rows.
func wantPlaces(op string, sizes ...int) {
	places := 1.0
	for _, n := range sizes {
		places *= float64(n)
	}
	if places >= math.MaxInt32 {
		misuse(op, "%.4g places, %v; want fewer than %d", places, sizes, math.MaxInt32)
	}
}
