// R-MAT graphs.

package data

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"sync"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// RMATConfig describes a recursive-matrix graph (Chakrabarti, Zhan and
// Faloutsos 2004): every edge falls into a quadrant of the adjacency matrix,
// then of the quadrant, and so on down to one entry.
type RMATConfig struct {
	Vertices, Edges int

	// A, B and C are the probabilities of the quadrants: few source and few
	// destination numbers, few and many, many and few; the fourth has the
	// rest. All 0 stands for 0.57, 0.19, 0.19, as in the Graph500 benchmark.
	A, B, C float64

	Seed uint64
}

// RMAT generates a directed graph whose degrees follow a power law: vertices
// with small numbers are the hubs. Self-loops and duplicate edges occur, see
// graph.Simplify. If Vertices is not a power of two, the numbers drawn from
// the next power are scaled down. Edge i depends on the configuration and i
// alone, so the result is the same for any number of threads. O(E log V),
// on all processors.
func RMAT(c RMATConfig) (*graph.Graph, error) {
	if c.A == 0 && c.B == 0 && c.C == 0 {
		c.A, c.B, c.C = 0.57, 0.19, 0.19
	}
	d := 1 - c.A - c.B - c.C
	if !(c.A >= 0 && c.B >= 0 && c.C >= 0 && d >= -1e-9) { // also false for NaN
		return nil, fmt.Errorf("data: RMAT: %v, %v, %v are not probabilities that sum to 1 at most", c.A, c.B, c.C)
	}
	if c.Vertices < 0 || c.Edges < 0 || int64(c.Vertices) > math.MaxInt32 || int64(c.Edges) > math.MaxInt32 {
		return nil, fmt.Errorf("data: RMAT: %d vertices and %d edges", c.Vertices, c.Edges)
	}
	if c.Vertices == 0 && c.Edges > 0 {
		return nil, fmt.Errorf("data: RMAT: %d edges without vertices", c.Edges)
	}
	levels := bits.Len(uint(max(c.Vertices, 1) - 1))
	ta, tb, tc := rng.Threshold(c.A), rng.Threshold(c.A+c.B), rng.Threshold(c.A+c.B+c.C)

	src, dst := make([]int32, c.Edges), make([]int32, c.Edges)
	draws := uint64(levels+1) / 2 // 64 bits serve two levels
	parallel(c.Edges, func(lo, hi int) {
		for e := lo; e < hi; e++ {
			var u, v, random uint64
			for level := range levels {
				if level%2 == 0 {
					random = rng.Hash(c.Seed, uint64(e)*draws+uint64(level/2))
				}
				r := random & math.MaxUint32
				random >>= 32
				// How many of the three bounds r has reached is the number of the
				// quadrant. Branches on random bits would be mispredicted: the
				// sign of a difference is the answer of a comparison.
				pastA, pastB, pastC := (ta-1-r)>>63, (tb-1-r)>>63, (tc-1-r)>>63
				u = u<<1 | pastB
				v = v<<1 | pastA ^ pastB ^ pastC
			}
			src[e] = int32(u * uint64(c.Vertices) >> levels)
			dst[e] = int32(v * uint64(c.Vertices) >> levels)
		}
	})
	return graph.New(c.Vertices, src, dst)
}

// parallel calls f on ranges that cover [0, n), one for each processor.
func parallel(n int, f func(lo, hi int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}
