//go:build (amd64 || arm64) && !noasm

// The tables of GELU and its gradient: polynomials around the quarters from 0 to 7¾.

package kern

import "math"

// A geluCoefficients is the coefficients 0 to 7 of 32 polynomials, one for every
// quarter: row by row, or with one column after the other.
type geluCoefficients [32 * 8]float32

// The tables are made at start-up, which takes some 20 µs.
var (
	tailRows  = aroundQuarters(func(a float64) float64 { return 0.5 * math.Erfc(a/math.Sqrt2) })
	slopeRows = aroundQuarters(func(a float64) float64 { return geluSlope(-a) })
)

// aroundQuarters returns the polynomials of t for f(c+t) with |t| <= 1/8 around every
// quarter c. They meet f in Chebyshev's nodes, which makes them all but minimax.
func aroundQuarters(f func(float64) float64) (table geluCoefficients) {
	const n, half = 8, 1. / 8
	var chebyshev [n][n]float64 // chebyshev[k][i] is the coefficient of y^i in T_k(y)
	chebyshev[0][0], chebyshev[1][1] = 1, 1
	for k := 2; k < n; k++ {
		for i := range n {
			chebyshev[k][i] = -chebyshev[k-2][i]
			if i > 0 {
				chebyshev[k][i] += 2 * chebyshev[k-1][i-1]
			}
		}
	}
	// With nodes y_j and weights 2/n, or 1/n for T_0, f's part of T_k is the weighted sum
	// of f(c + y_j/8)·T_k(y_j); solve[i][j] is what value j adds to the coefficient of t^i.
	var nodes [n]float64
	var solve [n][n]float64
	for j := range n {
		angle := math.Pi * (float64(j) + 0.5) / n
		nodes[j] = half * math.Cos(angle)
		for k := range n {
			weight := math.Cos(float64(k)*angle) * 2 / n
			if k == 0 {
				weight = 1. / n
			}
			for i := range n {
				solve[i][j] += weight * math.Ldexp(chebyshev[k][i], 3*i) // y is 8·t
			}
		}
	}
	for q := range 32 {
		var values [n]float64
		for j, node := range nodes {
			values[j] = f(float64(q)/4 + node)
		}
		for i := range n {
			sum := 0.
			for j, v := range values {
				sum += solve[i][j] * v
			}
			table[n*q+i] = float32(sum)
		}
	}
	return table
}

// tabled checks the lengths and calls f with pointers.
func tabled(f func(dst, x *float32, n int, table *geluCoefficients), table *geluCoefficients) func(dst, x []float32) {
	return unary(func(dst, x *float32, n int) { f(dst, x, n, table) })
}

// tabledBinary checks the lengths and calls f with pointers.
func tabledBinary(f func(dst, a, b *float32, n int, table *geluCoefficients), table *geluCoefficients) func(dst, a, b []float32) {
	return binary(func(dst, a, b *float32, n int) { f(dst, a, b, n, table) })
}
