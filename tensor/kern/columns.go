// The columns of a matrix with numbers of their own, and sums over its rows: reference
// loops.

package kern

func columnMoments[T Float](sums, squares, x, shift []T) {
	n := len(shift)
	sums, squares = sums[:n], squares[:n]
	for range rowsOf(len(x), n) {
		for k, v := range x[:n] {
			d := v - shift[k]
			sums[k] += d
			squares[k] += d * d
		}
		x = x[n:]
	}
}

func columnDots[T Float](sums, dots, g, x, shift []T) {
	n := len(shift)
	sums, dots, x = sums[:n], dots[:n], x[:len(g)]
	for range rowsOf(len(g), n) {
		for k, v := range g[:n] {
			sums[k] += v
			dots[k] += v * (x[k] - shift[k])
		}
		g, x = g[n:], x[n:]
	}
}

func scaleColumns[T Float](dst, x, shift, scale, bias []T) {
	n := len(shift)
	scale, bias, x = scale[:n], bias[:n], x[:len(dst)]
	for range rowsOf(len(dst), n) {
		for k, v := range x[:n] {
			dst[k] = (v-shift[k])*scale[k] + bias[k]
		}
		dst, x = dst[n:], x[n:]
	}
}

func gradColumns[T Float](dst, g, x, shift, a, b, c []T) {
	n := len(shift)
	a, b, c, g, x = a[:n], b[:n], c[:n], g[:len(dst)], x[:len(dst)]
	for range rowsOf(len(dst), n) {
		for k, v := range x[:n] {
			dst[k] = a[k] * (g[k] + (v-shift[k])*b[k] + c[k])
		}
		dst, g, x = dst[n:], g[n:], x[n:]
	}
}
