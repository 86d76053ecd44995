//go:build !noasm

// Sums over the rows of a matrix, one a column.

package kern

func useColumns(s *Set[float32]) {
	s.ColumnMoments = func(sums, squares, x, shift []float32) {
		n := len(shift)
		sums, squares = sums[:n], squares[:n]
		if rows := rowsOf(len(x), n); rows > 0 && n > 0 {
			columnMomentsAVX2(&sums[0], &squares[0], &x[0], &shift[0], rows, n)
		}
	}
	s.ColumnDots = func(sums, dots, g, x, shift []float32) {
		n := len(shift)
		sums, dots, x = sums[:n], dots[:n], x[:len(g)]
		if rows := rowsOf(len(g), n); rows > 0 && n > 0 {
			columnDotsAVX2(&sums[0], &dots[0], &g[0], &x[0], &shift[0], rows, n)
		}
	}
}

//go:noescape
func columnMomentsAVX2(sums, squares, x, shift *float32, rows, n int)

//go:noescape
func columnDotsAVX2(sums, dots, grad, x, shift *float32, rows, n int)
