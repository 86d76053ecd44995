// Package numtest compares lists of numbers and counts allocations in tests.
package numtest

import (
	"math"
	"slices"
	"testing"
)

// Near reports where got is farther from want than tol, relative to want's
// largest magnitude and at least to 1. A NaN is near nothing.
func Near(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d numbers, want %d", what, len(got), len(want))
		return
	}
	scale := 1.0
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for i, x := range want {
		if !(math.Abs(got[i]-x) <= tol*scale) {
			t.Errorf("%s[%d] = %v, want %v (largest magnitude %g)", what, i, got[i], x, scale)
			return
		}
	}
}

// SameBits tells whether two lists of numbers are the same bit for bit.
func SameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
