// Medians, and whether two systems computed the same.

package harness

import (
	"fmt"
	"math"
	"slices"
)

// Median returns the middle of xs, or the mean of the middle two; NaN of none.
func Median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(xs))
	mid := len(s) / 2
	if len(s)%2 == 1 {
		return s[mid]
	}
	return (s[mid-1] + s[mid]) / 2
}

// MedianRatio returns the median of num[i]/den[i]. Paired samples share the
// state of the machine, so this is steadier than the ratio of medians.
func MedianRatio(num, den []float64) float64 {
	ratios := make([]float64, len(num))
	for i := range num {
		ratios[i] = num[i] / den[i]
	}
	return Median(ratios)
}

// Agree returns an error unless every element of got is within tol of want's,
// measured against the largest magnitude in want: single precision sums in
// another order differ by that much, whatever the size of one element.
func Agree(got, want []float32, tol float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d values, the peer has %d", len(got), len(want))
	}
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(float64(v))) // NaN sticks
	}
	for i := range want {
		// Negated, so that a NaN on either side is a difference.
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tol*scale) {
			return fmt.Errorf("value %d is %v, the peer's %v (largest magnitude %.3g)", i, got[i], want[i], scale)
		}
	}
	return nil
}

// Geomean returns the geometric mean of positive numbers; NaN of none.
func Geomean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}
