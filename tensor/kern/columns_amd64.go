//go:build !noasm

// The columns of a matrix with numbers of their own: from slices to the assembly.

package kern

func useColumns(s *Set[float32]) {
	s.ColumnMoments, s.ColumnDots = columnMomentsBy(columnMomentsAVX2), columnDotsBy(columnDotsAVX2)
	s.ScaleColumns, s.GradColumns = scaleColumnsBy(scaleColumnsAVX2), gradColumnsBy(gradColumnsAVX2)
}

func useColumns64(s *Set[float64]) {
	s.ColumnMoments, s.ColumnDots = columnMomentsBy(columnMoments64AVX2), columnDotsBy(columnDots64AVX2)
	s.ScaleColumns, s.GradColumns = scaleColumnsBy(scaleColumns64AVX2), gradColumnsBy(gradColumns64AVX2)
}

func columnMomentsBy[T Float](f func(sums, squares, x, shift *T, rows, n int)) func(sums, squares, x, shift []T) {
	return func(sums, squares, x, shift []T) {
		n := len(shift)
		sums, squares = sums[:n], squares[:n]
		if rows := rowsOf(len(x), n); rows > 0 && n > 0 {
			f(&sums[0], &squares[0], &x[0], &shift[0], rows, n)
		}
	}
}

func columnDotsBy[T Float](f func(sums, dots, grad, x, shift *T, rows, n int)) func(sums, dots, g, x, shift []T) {
	return func(sums, dots, g, x, shift []T) {
		n := len(shift)
		sums, dots, x = sums[:n], dots[:n], x[:len(g)]
		if rows := rowsOf(len(g), n); rows > 0 && n > 0 {
			f(&sums[0], &dots[0], &g[0], &x[0], &shift[0], rows, n)
		}
	}
}

func scaleColumnsBy[T Float](f func(dst, x, shift, scale, bias *T, rows, n int)) func(dst, x, shift, scale, bias []T) {
	return func(dst, x, shift, scale, bias []T) {
		n := len(shift)
		scale, bias, x = scale[:n], bias[:n], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 && n > 0 {
			f(&dst[0], &x[0], &shift[0], &scale[0], &bias[0], rows, n)
		}
	}
}

func gradColumnsBy[T Float](f func(dst, grad, x, shift, a, b, c *T, rows, n int)) func(dst, g, x, shift, a, b, c []T) {
	return func(dst, g, x, shift, a, b, c []T) {
		n := len(shift)
		a, b, c, g, x = a[:n], b[:n], c[:n], g[:len(dst)], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 && n > 0 {
			f(&dst[0], &g[0], &x[0], &shift[0], &a[0], &b[0], &c[0], rows, n)
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

//go:noescape
func columnMoments64AVX2(sums, squares, x, shift *float64, rows, n int)

//go:noescape
func columnDots64AVX2(sums, dots, grad, x, shift *float64, rows, n int)

//go:noescape
func scaleColumns64AVX2(dst, x, shift, scale, bias *float64, rows, n int)

//go:noescape
func gradColumns64AVX2(dst, grad, x, shift, a, b, c *float64, rows, n int)
