//go:build amd64 && !noasm

// Softmax, normalisation and bias of rows: from slices to the assembly.

package kern

func useRows(s *Set[float32]) {
	s.SoftmaxRows, s.LogSoftmaxRows = mapRows(softmaxRowsAVX2), mapRows(logSoftmaxRowsAVX2)
	s.SoftmaxRow = func(dst, x []float32) { s.SoftmaxRows(dst, x, len(dst)) }
	s.LogSoftmaxRow = func(dst, x []float32) { s.LogSoftmaxRows(dst, x, len(dst)) }
	s.SoftmaxGradRows, s.LogSoftmaxGradRows = mapRows2(softmaxGradRowsAVX2), mapRows2(logSoftmaxGradRowsAVX2)
	s.NormRows = func(dst, x, mean, rstd []float32, n int, eps float32) {
		x = x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			mean, rstd = mean[:rows], rstd[:rows]
			normRowsAVX2(&dst[0], &x[0], &mean[0], &rstd[0], rows, n, float32(n), eps)
		}
	}
	s.NormGradRows = func(dst, g, x, mean, rstd []float32, n int) {
		g, x = g[:len(dst)], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			mean, rstd = mean[:rows], rstd[:rows]
			normGradRowsAVX2(&dst[0], &g[0], &x[0], &mean[0], &rstd[0], rows, n, float32(n))
		}
	}
	s.AddRow = func(dst, x, row []float32) { addRowAVX(dst, x, row, false) }
	s.AddRowReLU = func(dst, x, row []float32) { addRowAVX(dst, x, row, true) }
	s.SumRowsInto = sumRowsIntoAVX
}

// useRows512 takes rows of 32 elements and more 16 at a time; both widths give the same
// bits, and shorter rows gain nothing.
func useRows512(s *Set[float32]) {
	s.SoftmaxRows = byWidth(s.SoftmaxRows, mapRows(softmaxRowsAVX512))
	s.LogSoftmaxRows = byWidth(s.LogSoftmaxRows, mapRows(logSoftmaxRowsAVX512))
}

// byWidth takes long rows the one way, short ones the other.
func byWidth(short, long func(dst, x []float32, n int)) func(dst, x []float32, n int) {
	return func(dst, x []float32, n int) {
		if n < shortRow {
			short(dst, x, n)
		} else {
			long(dst, x, n)
		}
	}
}

func mapRows(f func(dst, x *float32, rows, n int)) func(dst, x []float32, n int) {
	return func(dst, x []float32, n int) {
		x = x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			f(&dst[0], &x[0], rows, n)
		}
	}
}

func mapRows2(f func(dst, a, b *float32, rows, n int)) func(dst, a, b []float32, n int) {
	return func(dst, a, b []float32, n int) {
		a, b = a[:len(dst)], b[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			f(&dst[0], &a[0], &b[0], rows, n)
		}
	}
}

// tile is how many elements short rows are repeated to, or summed in at a time, so
// that they do not pay for a call or a masked rest each.
const tile = 512

func addRowAVX(dst, x, row []float32, relu bool) {
	n := len(row)
	rows := rowsOf(len(dst), n)
	x = x[:len(dst)]
	if rows > 1 && n <= tile/2 {
		var repeated [tile]float32
		k := 0
		for range min(tile/n, rows) {
			k += copy(repeated[k:], row)
		}
		row = repeated[:k]
	}
	for len(dst) > 0 {
		k := min(len(row), len(dst))
		if relu {
			addReluAVX2(&dst[0], &x[0], &row[0], k)
		} else {
			addAVX2(&dst[0], &x[0], &row[0], k)
		}
		dst, x = dst[k:], x[k:]
	}
}

// sumRowsIntoAVX takes 8 short rows as one, whose parts are added to acc at the end:
// the order of a sum depends on the shape alone.
func sumRowsIntoAVX(acc, x []float32, n int) {
	const group = 8
	rows := rowsOf(len(x), n)
	if rows == 0 {
		return
	}
	acc = acc[:n]
	if rows >= 2*group && n*group <= tile {
		var wide [tile]float32
		groups := rows / group
		sumRowsAVX2(&wide[0], &x[0], groups, n*group)
		sumRowsAVX2(&acc[0], &wide[0], group, n)
		x = x[groups*group*n:]
		rows -= groups * group
	}
	if rows > 0 {
		sumRowsAVX2(&acc[0], &x[0], rows, n)
	}
}

//go:noescape
func softmaxRowsAVX2(dst, x *float32, rows, n int)

//go:noescape
func logSoftmaxRowsAVX2(dst, x *float32, rows, n int)

//go:noescape
func softmaxRowsAVX512(dst, x *float32, rows, n int)

//go:noescape
func logSoftmaxRowsAVX512(dst, x *float32, rows, n int)

//go:noescape
func softmaxGradRowsAVX2(dst, grad, y *float32, rows, n int)

//go:noescape
func logSoftmaxGradRowsAVX2(dst, grad, y *float32, rows, n int)

//go:noescape
func normRowsAVX2(dst, x, mean, rstd *float32, rows, n int, count, eps float32)

//go:noescape
func normGradRowsAVX2(dst, grad, x, mean, rstd *float32, rows, n int, count float32)

//go:noescape
func addReluAVX2(dst, a, b *float32, n int)

//go:noescape
func sumRowsAVX2(acc, x *float32, rows, n int)
