// Whether two systems computed the same.

package main

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

const (
	// tolerance is how far values may differ, measured against the largest.
	tolerance = 1e-3
	// jumping is how far gradients that jump may differ, as the length of the difference
	// to that of the gradient: where two edges are equal but for rounding each system may
	// take another one as the maximum, where a sum of thousands is 0 but for rounding one
	// has it above and one below, and a few values are others altogether.
	jumping = 1e-2
)

// agree returns an error unless two systems' results of the task are the same.
func (t *task) agree(got, want []float32) error {
	if !t.family.jumps || t.pass != backward || len(got) != len(want) {
		return harness.Agree(got, want, tolerance)
	}
	var apart, length float64
	for i, w := range want {
		apart += math.Pow(float64(got[i])-float64(w), 2)
		length += float64(w) * float64(w)
	}
	if d := math.Sqrt(apart / length); !(d <= jumping) { // nor NaN
		return fmt.Errorf("the gradients are %.2g of their length apart", d)
	}
	return nil
}
