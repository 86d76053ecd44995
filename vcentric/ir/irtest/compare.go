package irtest

// Comparing results.

import (
	"fmt"
	"math"
)

// Diff says where two sets of tensors differ by more than tol, relative to the
// largest finite number of the tensor and at least to 1; it is empty if they
// agree. NaN equals NaN. Only the tensors of want are looked at.
func Diff(got, want map[string][]float64, tol float64) string {
	for name, w := range want {
		g, ok := got[name]
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%q has %d numbers, want %d", name, len(g), len(w))
		}
		scale := 1.0
		for _, x := range w {
			if a := math.Abs(x); a < math.Inf(1) {
				scale = max(scale, a)
			}
		}
		for i, x := range w {
			same := g[i] == x || math.IsNaN(g[i]) && math.IsNaN(x)
			if !same && !(math.Abs(g[i]-x) <= tol*scale) {
				return fmt.Sprintf("%q[%d] = %v, want %v", name, i, g[i], x)
			}
		}
	}
	return ""
}

// Finite tells whether all numbers are.
func Finite(ts map[string][]float64) bool {
	for _, t := range ts {
		for _, x := range t {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
		}
	}
	return true
}
