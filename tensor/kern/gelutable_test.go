//go:build (amd64 || arm64) && !noasm

// Tests of the tables of GELU and its gradient.

package kern

import (
	"math"
	"testing"
)

// TestPolynomialsOfGELUMeetTheirFunctions: the tables' polynomials, evaluated in
// float64, are off by what float32 makes of their coefficients.
func TestPolynomialsOfGELUMeetTheirFunctions(t *testing.T) {
	tail := func(a float64) float64 { return 0.5 * math.Erfc(a/math.Sqrt2) }
	slope := func(a float64) float64 { return tail(a) - a*math.Exp(-a*a/2)/math.Sqrt(2*math.Pi) }
	for _, c := range []struct {
		name string
		rows *geluCoefficients
		f    func(float64) float64
	}{{"tail", &tailRows, tail}, {"slope", &slopeRows, slope}} {
		for q := range 4*7 + 1 {
			row := c.rows[8*q : 8*q+8]
			for step := -64; step <= 64; step++ {
				d := float64(step) / 512
				got := 0.
				for k := 7; k >= 0; k-- {
					got = got*d + float64(row[k])
				}
				// The slope changes its sign at 0.75, so its error is held against the tail.
				a := float64(q)/4 + d
				if want := c.f(a); math.Abs(got-want) > 2e-7*max(math.Abs(want), tail(a)) {
					t.Fatalf("%s of %v is %v, want %v", c.name, a, got, want)
				}
			}
		}
	}
}
