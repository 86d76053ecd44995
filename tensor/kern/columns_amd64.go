//go:build !noasm

// The columns of a matrix with numbers of their own: from slices to the assembly.

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
	s.ScaleColumns = func(dst, x, shift, scale, bias []float32) {
		n := len(shift)
		scale, bias, x = scale[:n], bias[:n], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 && n > 0 {
			scaleColumnsAVX2(&dst[0], &x[0], &shift[0], &scale[0], &bias[0], rows, n)
		}
	}
	s.GradColumns = func(dst, g, x, shift, a, b, c []float32) {
		n := len(shift)
		a, b, c, g, x = a[:n], b[:n], c[:n], g[:len(dst)], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 && n > 0 {
			gradColumnsAVX2(&dst[0], &g[0], &x[0], &shift[0], &a[0], &b[0], &c[0], rows, n)
		}
	}
}

//go:noescape
func columnMomentsAVX2(sums, squares, x, shift *float32, rows, n int)

//go:noescape
func columnDotsAVX2(sums, dots, grad, x, shift *float32, rows, n int)

//go:noescape
func scaleColumnsAVX2(dst, x, shift, scale, bias *float32, rows, n int)

//go:noescape
func gradColumnsAVX2(dst, grad, x, shift, a, b, c *float32, rows, n int)
