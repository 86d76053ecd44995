// Reference loops of softmax and normalisation over the rows of a matrix.

package kern

import (
	"fmt"
	"math"
)

// rowsOf returns how many rows of n elements there are in a slice of a length.
func rowsOf(length, n int) int {
	if length == 0 {
		return 0
	}
	if n < 1 || length%n != 0 {
		panic(fmt.Sprintf("BUG: kern: %d elements are no rows of %d", length, n))
	}
	return length / n
}

func softmaxRow[T Float](dst, x []T) { softmaxRows(dst, x, len(dst)) }

func logSoftmaxRow[T Float](dst, x []T) { logSoftmaxRows(dst, x, len(dst)) }

func softmaxRows[T Float](dst, x []T, n int) {
	x = x[:len(dst)]
	for range rowsOf(len(dst), n) {
		m, s := maxOf(x[:n]), 0.0
		for i, v := range x[:n] {
			e := math.Exp(float64(v - m))
			dst[i] = T(e)
			s += e
		}
		for i := range dst[:n] {
			dst[i] = T(float64(dst[i]) / s)
		}
		dst, x = dst[n:], x[n:]
	}
}

func logSoftmaxRows[T Float](dst, x []T, n int) {
	x = x[:len(dst)]
	for range rowsOf(len(dst), n) {
		m, s := maxOf(x[:n]), 0.0
		for _, v := range x[:n] {
			s += math.Exp(float64(v - m))
		}
		l := math.Log(s)
		// Not v - (m + l): for a large maximum that sum would lose l.
		for i, v := range x[:n] {
			dst[i] = T(float64(v-m) - l)
		}
		dst, x = dst[n:], x[n:]
	}
}

func softmaxGradRows[T Float](dst, g, y []T, n int) {
	g, y = g[:len(dst)], y[:len(dst)]
	for range rowsOf(len(dst), n) {
		s := dot(g[:n], y[:n])
		for i := range dst[:n] {
			dst[i] = y[i] * (g[i] - s)
		}
		dst, g, y = dst[n:], g[n:], y[n:]
	}
}

func logSoftmaxGradRows[T Float](dst, g, y []T, n int) {
	g, y = g[:len(dst)], y[:len(dst)]
	for range rowsOf(len(dst), n) {
		s := float64(sum(g[:n]))
		for i := range dst[:n] {
			dst[i] = T(float64(g[i]) - math.Exp(float64(y[i]))*s)
		}
		dst, g, y = dst[n:], g[n:], y[n:]
	}
}

func normRows[T Float](dst, x, mean, rstd []T, n int, eps T) {
	x = x[:len(dst)]
	rows := rowsOf(len(dst), n)
	mean, rstd = mean[:rows], rstd[:rows]
	for r := range rows {
		m := sum(x[:n]) / T(n)
		// The mean was rounded. What is left of the sum gives its error e, which added
		// rest·e to the squares (the corrected two-pass algorithm of Chan, Golub and
		// LeVeque 1983). Of equal numbers that would be all there is.
		rest, squares := deviations(x[:n], m)
		e := rest / T(n)
		m += e
		k := 1 / T(math.Sqrt(float64(max(0, squares-rest*e)/T(n)+eps)))
		mean[r], rstd[r] = m, k
		for i, v := range x[:n] {
			dst[i] = (v - m) * k
		}
		dst, x = dst[n:], x[n:]
	}
}

// deviations returns the sums of the distances from the mean and of their squares. It
// keeps four of each, as dot does.
func deviations[T Float](x []T, mean T) (sum, squares T) {
	var s, q [4]T
	for len(x) >= 4 {
		for k := range s {
			d := x[k] - mean
			s[k] += d
			q[k] += d * d
		}
		x = x[4:]
	}
	for _, v := range x {
		d := v - mean
		s[0] += d
		q[0] += d * d
	}
	return (s[0] + s[1]) + (s[2] + s[3]), (q[0] + q[1]) + (q[2] + q[3])
}

func normGradRows[T Float](dst, g, x, mean, rstd []T, n int) {
	g, x = g[:len(dst)], x[:len(dst)]
	rows := rowsOf(len(dst), n)
	mean, rstd = mean[:rows], rstd[:rows]
	for r := range rows {
		m, k := mean[r], rstd[r]
		var along T // Σ g·x̂
		for i, v := range g[:n] {
			along += v * ((x[i] - m) * k)
		}
		level := sum(g[:n]) / T(n)
		along /= T(n)
		for i, v := range g[:n] {
			dst[i] = k * (v - level - (x[i]-m)*k*along)
		}
		dst, g, x = dst[n:], g[n:], x[n:]
	}
}
