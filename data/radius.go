// Graphs of the points within a radius.

package data

import (
	"cmp"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// RadiusConfig has the settings of [Radius] that may be left out.
type RadiusConfig struct {
	Limit int  // how many edges come into a point at most: its nearest; 0 for all
	Loops bool // also an edge from every point to itself, which counts for Limit
}

// Radius returns the graph of the points x [N features], float32 or float64, that are near
// each other: into every point come edges from all others of its cloud whose Euclidean
// distance is less than r, the closest first, as in PyG's radius_graph. Of equal distances
// the first point's is the smaller; one that is NaN, or whose square overflows, is less than no
// r. PyG leaves out all but 32 neighbours of a point unless told otherwise, and not
// always the farthest.
//
// Batches, what a call costs and its panics are those of [KNN]; r must be above 0, and may be
// infinite.
func Radius(x *tensor.Tensor, r float64, cfg RadiusConfig, batch *graph.BatchInfo) (*graph.Graph, *graph.BatchInfo) {
	const op = "Radius"
	wantPoints(op, x)
	if !(r > 0) { // also for NaN
		misuse(op, "a radius of %v; want one above 0", r)
	}
	if cfg.Limit < 0 {
		misuse(op, "a limit of %d neighbours; want 0 or more", cfg.Limit)
	}
	n := x.Dim(0)
	batch = cloudsOf(op, batch, n)
	near := make([][]int32, n)
	x = x.ToDevice(tensor.CPU).Contiguous()
	for i := range batch.NumGraphs() {
		from, to := int(batch.VertexOffsets[i]), int(batch.VertexOffsets[i+1])
		switch cloud := x.Narrow(0, from, to); {
		case to == from:
		case x.DType() == tensor.Float32:
			within(cloud, float32(r), cfg, from, near[from:to], 0x1p-24, math.SmallestNonzeroFloat32)
		default:
			within(cloud, r, cfg, from, near[from:to], 0x1p-53, math.SmallestNonzeroFloat64)
		}
	}
	edges := 0
	info := &graph.BatchInfo{VertexOffsets: batch.VertexOffsets, GraphOf: batch.GraphOf, EdgeOffsets: []int32{0}}
	for i := range batch.NumGraphs() {
		for _, sources := range near[batch.VertexOffsets[i]:batch.VertexOffsets[i+1]] {
			edges += len(sources)
		}
		if edges > math.MaxInt32 {
			misuse(op, "more than %d edges", math.MaxInt32)
		}
		info.EdgeOffsets = append(info.EdgeOffsets, int32(edges))
	}
	src, dst := make([]int32, 0, edges), make([]int32, 0, edges)
	for v, sources := range near {
		src = append(src, sources...)
		for range sources {
			dst = append(dst, int32(v))
		}
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		panic("BUG: data: Radius: " + err.Error())
	}
	return g, info
}

// within gives near[v] the points of a cloud that are closer than r to point v, the closest
// first; number is that of the cloud's first point.
func within[T float32 | float64](cloud *tensor.Tensor, r T, cfg RadiusConfig, number int, near [][]int32, unit, smallest T) {
	type neighbor struct {
		u        int32
		distance T // squared
	}
	bound, infinity := r*r, T(math.Inf(1))
	comparePoints(cloud, unit, smallest, func(from, to int, c comparison[T]) {
		points, squares, width := c.points, c.squares, c.width // for the compiler
		var found []neighbor
		for v := from; v < to; v++ {
			found = found[:0]
			here, square, products := c.row(v)
			for u, product := range products {
				least := square + squares[u] - 2*product
				if least > bound && least < infinity || u == v && !cfg.Loops {
					continue
				}
				if d := squaredDistance(here, points[u*width:][:width], bound); d < bound {
					found = append(found, neighbor{int32(number + u), d})
				}
			}
			slices.SortStableFunc(found, func(a, b neighbor) int { return cmp.Compare(a.distance, b.distance) })
			if cfg.Limit > 0 {
				found = found[:min(cfg.Limit, len(found))]
			}
			near[v] = make([]int32, len(found))
			for i, x := range found {
				near[v][i] = x.u
			}
		}
	})
}
