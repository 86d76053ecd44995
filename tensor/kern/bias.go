// One row against all rows of a matrix: reference loops of adding a bias and of
// summing its gradient.

package kern

func addRow[T Float](dst, x, row []T) {
	x = x[:len(dst)]
	for range rowsOf(len(dst), len(row)) {
		add(dst[:len(row)], x, row)
		dst, x = dst[len(row):], x[len(row):]
	}
}

func addRowReLU[T Float](dst, x, row []T) {
	addRow(dst, x, row)
	relu(dst, dst)
}

func sumRowsInto[T Float](acc, x []T, n int) {
	for range rowsOf(len(x), n) {
		add(acc[:n], acc, x)
		x = x[n:]
	}
}
