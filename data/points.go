// Clouds of points, and all pairs of them: what the graphs of near points share.

package data

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// wantPoints panics unless x is a row of numbers for each point.
func wantPoints(op string, x *tensor.Tensor) {
	if x == nil {
		misuse(op, "the tensor is nil")
	}
	if dt := x.DType(); dt != tensor.Float32 && dt != tensor.Float64 || x.Rank() != 2 {
		misuse(op, "a tensor of %v %v; want f32 or f64 [points features]", dt, x.Shape())
	}
}

// cloudsOf returns the batch, or that of one cloud for nil, and panics unless it divides
// n points.
func cloudsOf(op string, batch *graph.BatchInfo, n int) *graph.BatchInfo {
	if batch == nil {
		return &graph.BatchInfo{VertexOffsets: []int32{0, int32(n)}, GraphOf: make([]int32, n)}
	}
	wantClouds(op, batch, n)
	return batch
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

// comparison has the points of a cloud, and what tells without their differences that
// two are far from each other: squares[v]+squares[u]-2*products[u] is finite and more than a
// number only if the squared distance of v and u is, products being those of v's row.
//
// A matrix product tells distances but for its rounding: |a-b|² = |a|² + |b|² - 2ab. Only
// where that leaves a doubt whether a point is near enough is the distance computed from
// the differences, which counts. The doubt is (4 width + 16)(|a|² + |b|²) units of
// rounding: of the sums, of what was subtracted, and of the differences; and as many of
// the smallest number, to which squares near 0 are rounded. NaN and infinities are always
// in doubt: a square may overflow where the distance does not.
type comparison[T float32 | float64] struct {
	points, squares []T
	width           int

	block []T // the products of the points from number first on
	first int
}

// row returns what there is of point v.
func (c comparison[T]) row(v int) (here []T, square T, products []T) {
	n := len(c.squares)
	return c.points[v*c.width:][:c.width], c.squares[v], c.block[(v-c.first)*n:][:n]
}

// comparePoints calls rows for ranges of the points of a cloud, on all processors.
func comparePoints[T float32 | float64](cloud *tensor.Tensor, unit, smallest T, rows func(from, to int, c comparison[T])) {
	const block = 256
	n, width := cloud.Dim(0), cloud.Dim(1)
	centred := tensor.Sub(cloud, tensor.Mean(cloud, true, 0)) // numbers as small as can be
	columns := centred.Transpose(1, 0)
	doubt := T(4*width + 16)
	sure := tensor.Scale(tensor.Sum(tensor.Square(centred), false, 1), float64(1-doubt*unit))
	c := comparison[T]{
		points: tensor.Data[T](cloud), width: width,
		squares: tensor.Data[T](tensor.AddScalar(sure, -float64(doubt*smallest))),
	}
	for lo := 0; lo < n; lo += block {
		hi := min(n, lo+block)
		products := tensor.MatMul(centred.Narrow(0, lo, hi), columns)
		c.block, c.first = tensor.Data[T](products), lo
		parallel(hi-lo, func(from, to int) { rows(lo+from, lo+to, c) })
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
