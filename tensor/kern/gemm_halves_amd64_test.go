//go:build amd64 && !noasm

package kern

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSumsInHalvesOfVectorsAreTheSame(t *testing.T) {
	forGemmKernels(t, testHalves[float32], testHalves[float64])
}

func testHalves[T Float](t *testing.T, g *GemmKernel[T]) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows, depth = 17, 23
	for cols := range g.Cols + 1 {
		a, b := make([]T, rows*depth), make([]T, depth*cols)
		fillRandom(r, a, false)
		fillRandom(r, b, false)
		whole, halves := make([]T, rows*cols), make([]T, rows*cols)
		g.Panel(rows, cols, depth, a, depth, 1, b, cols, whole, cols, nil, 0)
		g.Panel(rows, cols, depth, a, depth, 1, b, cols, halves, cols, nil, gemmHalves)
		if !slices.Equal(whole, halves) {
			t.Errorf("%d columns: other sums in halves", cols)
		}
	}
}

func TestProcessorIsNamed(t *testing.T) {
	vendor, family := processor()
	if len(vendor) != 12 || family == 0 {
		t.Errorf("vendor %q, family %d", vendor, family)
	}
}
