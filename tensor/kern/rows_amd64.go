//go:build amd64 && !noasm

// Softmax, normalisation and bias of rows: from slices to the assembly.

package kern

func useRows(s *Set[float32]) {
	s.SoftmaxRows, s.LogSoftmaxRows = mapRows(softmaxRowsAVX2), mapRows(logSoftmaxRowsAVX2)
	s.SoftmaxRow = func(dst, x []float32) { s.SoftmaxRows(dst, x, len(dst)) }
	s.LogSoftmaxRow = func(dst, x []float32) { s.LogSoftmaxRows(dst, x, len(dst)) }
	s.SoftmaxGradRows, s.LogSoftmaxGradRows = mapRows2(softmaxGradRowsAVX2), mapRows2(logSoftmaxGradRowsAVX2)
	s.NormRows, s.NormGradRows = normRowsBy(normRowsAVX2), normGradRowsBy(normGradRowsAVX2)
	s.AddRow = func(dst, x, row []float32) { addRowTiled(dst, x, row, false) }
	s.AddRowReLU = func(dst, x, row []float32) { addRowTiled(dst, x, row, true) }
	s.SumRowsInto = sumRowsTiled
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

func addInto(dst, a, b *float32, n int, relu bool) {
	if relu {
		addReluAVX2(dst, a, b, n)
	} else {
		addAVX2(dst, a, b, n)
	}
}

func sumRows(acc, x *float32, rows, n int) { sumRowsAVX2(acc, x, rows, n) }

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
