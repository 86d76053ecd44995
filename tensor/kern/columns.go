// Sums over the rows of a matrix, one a column: reference loops.

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
