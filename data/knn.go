// Graphs of nearest neighbours.

package data

import (
	"math"
	"slices"

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
	if x == nil {
		misuse(op, "the tensor is nil")
	}
	if dt := x.DType(); dt != tensor.Float32 && dt != tensor.Float64 || x.Rank() != 2 {
		misuse(op, "a tensor of %v %v; want f32 or f64 [points features]", dt, x.Shape())
	}
	if k < 1 {
		misuse(op, "%d neighbours; want 1 or more", k)
	}
	n := x.Dim(0)
	if batch == nil {
		batch = &graph.BatchInfo{VertexOffsets: []int32{0, int32(n)}, GraphOf: make([]int32, n)}
	}
	wantClouds(op, batch, n)
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

// wantClouds panics unless the batch divides n points.
func wantClouds(op string, batch *graph.BatchInfo, n int) {
	o := batch.VertexOffsets
	if len(o) == 0 || o[0] != 0 || int(o[len(o)-1]) != n || !slices.IsSorted(o) || len(batch.GraphOf) != n {
		misuse(op, "the batch of %d graphs does not divide %d points", batch.NumGraphs(), n)
	}
	for i := range batch.NumGraphs() {
		for v := o[i]; v < o[i+1]; v++ {
			if batch.GraphOf[v] != int32(i) {
				misuse(op, "the batch does not fit itself: vertex %d is of graph %d by GraphOf, of graph %d by VertexOffsets", v, batch.GraphOf[v], i)
			}
		}
	}
}

// neighbors writes the nearest of every point v of a cloud, less the number of its first
// point, to src[first[v]:first[v+1]].
//
// A matrix product tells distances but for its rounding: |a-b|² = |a|² + |b|² - 2ab. Only
// where that leaves a doubt whether a point is near enough is the distance computed from
// the differences, which counts. The doubt is (4 width + 16)(|a|² + |b|²) units of
// rounding: of the sums, of what was subtracted, and of the differences; and as many of
// the smallest number, to which squares near 0 are rounded. NaN and infinities are always
// in doubt: a square may overflow where the distance does not.
func neighbors[T float32 | float64](cloud *tensor.Tensor, number int, first []int, src []int32, unit, smallest T) {
	const block = 256
	n, width := cloud.Dim(0), cloud.Dim(1)
	points := tensor.Data[T](cloud)
	centred := tensor.Sub(cloud, tensor.Mean(cloud, true, 0)) // numbers as small as can be
	columns := centred.Transpose(1, 0)
	doubt, infinity := T(4*width+16), T(math.Inf(1))
	sure := tensor.Scale(tensor.Sum(tensor.Square(centred), false, 1), float64(1-doubt*unit))
	squares := tensor.Data[T](tensor.AddScalar(sure, -float64(doubt*smallest)))
	for lo := 0; lo < n; lo += block {
		rows := min(block, n-lo)
		products := tensor.MatMul(centred.Narrow(0, lo, lo+rows), columns)
		all := tensor.Data[T](products)
		parallel(rows, func(from, to int) {
			var best []T // the distances of the points in near
			for r := from; r < to; r++ {
				v := lo + r
				near := src[first[v]:first[v]:first[v+1]]
				best = best[:0]
				here, square := points[v*width:][:width], squares[v]
				bound := infinity
				for u, product := range all[r*n:][:n] {
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
		products.Free()
	}
}

// squaredDistance may end early with less if it is not below the bound. NaN becomes
// infinite.
func squaredDistance[T float32 | float64](a, b []T, bound T) T {
	var sum T
	for len(a) >= 8 && len(b) >= 8 { // as long as a: for the compiler
		p, q, r, s := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		t, u, v, w := a[4]-b[4], a[5]-b[5], a[6]-b[6], a[7]-b[7]
		sum += (p*p + q*q) + (r*r + s*s) + (t*t + u*u) + (v*v + w*w)
		if sum >= bound {
			return sum
		}
		a, b = a[8:], b[8:]
	}
	for i := range a {
		d := a[i] - b[i]
		sum += d * d
	}
	if sum != sum {
		return T(math.Inf(1))
	}
	return sum
}
