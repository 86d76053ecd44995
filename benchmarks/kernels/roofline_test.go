package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// TestGatherSumsTheRowsOfNeighbours cuts graphs into chunks that end inside rows,
// at their borders, and in the middle of rows that have no edges.
func TestGatherSumsTheRowsOfNeighbours(t *testing.T) {
	hub, err := star(40)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	src, dst := make([]int32, 100), make([]int32, 100)
	for e := range src {
		src[e], dst[e] = r.Int32N(50), 3*r.Int32N(10) // of 50 vertices most have no in-edge
	}
	sparse, err := graph.New(50, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := graph.New(3, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const width = 5
	for name, g := range map[string]*graph.Graph{"star": hub, "sparse": sparse, "empty": empty} {
		x := tensor.Data[float32](harness.Numbers(1, g.NumVertices(), width))
		for i := range x {
			x[i] = float32(int(8 * x[i])) // sums are exact in any order
		}
		for _, csr := range []*graph.CSR{g.In(), g.Out()} {
			want := make([]float32, g.NumVertices()*width)
			for row := range csr.NumRows() {
				neighbours, _ := csr.Row(row)
				for _, u := range neighbours {
					for k := range width {
						want[row*width+k] += x[int(u)*width+k]
					}
				}
			}
			for _, size := range []int{1, 2, 7, 40, 1000} {
				for _, threads := range []int{1, 3} {
					got := newGatherer(csr, x, width, size)
					for range 2 { // a second run adds nothing to the first
						got.run(threads)
					}
					if !slices.Equal(got.out, want) {
						t.Errorf("%s, chunks of %d, %d threads: got %v, want %v", name, size, threads, got.out, want)
					}
				}
			}
		}
	}
}
