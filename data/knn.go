// Graphs of nearest neighbours.

package data

import (
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// KNN returns the graph of the nearest neighbours of points x [N features], float32 or
// float64: into every point come edges from the k others of its cloud that are the closest
// by Euclidean distance, the closest first, as in PyG's knn_graph. Of equal distances the
// first point's is the smaller; those that are NaN are infinite. A point of a cloud of k or
// fewer has an edge from each of the others.
//
// The clouds are the graphs of batch, which nil makes one, and the result's are the same
// with its edges. Dynamic graphs, as those of gnn.EdgeConv's paper, are those of what the
// layer before made:
//
//	g, _ := data.KNN(h.Tensor(), 20, clouds)
//	h = conv.Forward(g, h)
//
// Every pair of a cloud's points is compared, on all processors: O(n² features) for a
// cloud of n. It panics with *[Error] for what does not fit.
func KNN(x *tensor.Tensor, k int, batch *graph.BatchInfo) (*graph.Graph, *graph.BatchInfo) {
	const op = "KNN"
	wantPoints(op, x)
	if k < 1 {
		misuse(op, "%d neighbours; want 1 or more", k)
	}
	n := x.Dim(0)
	batch = cloudsOf(op, batch, n)
	// The edges into point v are those from first[v] on.
	first := make([]int, n+1)
	info := &graph.BatchInfo{VertexOffsets: batch.VertexOffsets, GraphOf: batch.GraphOf, EdgeOffsets: []int32{0}}
	edges := 0
	for i := range batch.NumGraphs() {
		from, to := batch.VertexOffsets[i], batch.VertexOffsets[i+1]
		for v := from; v < to; v++ {
			edges += min(k, int(to-from)-1)
			first[v+1] = edges
		}
		if edges > math.MaxInt32 {
			misuse(op, "more than %d edges", math.MaxInt32)
		}
		info.EdgeOffsets = append(info.EdgeOffsets, int32(edges))
	}
	src, dst := make([]int32, edges), make([]int32, edges)
	x = x.ToDevice(tensor.CPU).Contiguous()
	for i := range batch.NumGraphs() {
		from, to := int(batch.VertexOffsets[i]), int(batch.VertexOffsets[i+1])
		switch cloud := x.Narrow(0, from, to); {
		case to-from < 2:
		case x.DType() == tensor.Float32:
			neighbors[float32](cloud, from, first[from:to+1], src, 0x1p-24, math.SmallestNonzeroFloat32)
		default:
			neighbors[float64](cloud, from, first[from:to+1], src, 0x1p-53, math.SmallestNonzeroFloat64)
		}
	}
	for v := range n {
		for e := first[v]; e < first[v+1]; e++ {
			dst[e] = int32(v)
		}
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		panic("BUG: data: KNN: " + err.Error())
	}
	return g, info
}

// neighbors writes the nearest of every point v of a cloud, less the number of its first
// point, to src[first[v]:first[v+1]].
func neighbors[T float32 | float64](cloud *tensor.Tensor, number int, first []int, src []int32, unit, smallest T) {
	infinity := T(math.Inf(1))
	comparePoints(cloud, unit, smallest, func(from, to int, c comparison[T]) {
		points, squares, width := c.points, c.squares, c.width // for the compiler
		var best []T                                           // the distances of the points in near
		for v := from; v < to; v++ {
			near := src[first[v]:first[v]:first[v+1]]
			best = best[:0]
			here, square, products := c.row(v)
			bound := infinity
			for u, product := range products {
				least := square + squares[u] - 2*product
				if least > bound && least < infinity || u == v {
					continue
				}
				d := squaredDistance(here, points[u*width:][:width], bound)
				if len(near) < cap(near) {
					near, best = append(near, int32(number+u)), append(best, d)
				} else if d < bound {
					near[len(near)-1], best[len(best)-1] = int32(number+u), d
				} else {
					continue
				}
				for i := len(best) - 1; i > 0 && best[i] < best[i-1]; i-- {
					near[i], near[i-1] = near[i-1], near[i]
					best[i], best[i-1] = best[i-1], best[i]
				}
				if len(near) == cap(near) {
					bound = best[len(best)-1]
				}
			}
		}
	})
}
