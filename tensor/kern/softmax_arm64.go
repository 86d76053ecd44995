//go:build arm64 && !noasm

// Softmax and normalisation of rows: from slices to the assembly.

package kern

func useSoftmax(s *Set[float32]) {
	s.SoftmaxRows, s.LogSoftmaxRows = mapRows(softmaxRowsNEON), mapRows(logSoftmaxRowsNEON)
	s.SoftmaxGradRows, s.LogSoftmaxGradRows = mapRows2(softmaxGradRowsNEON), mapRows2(logSoftmaxGradRowsNEON)
	s.NormRows, s.NormGradRows = normRowsBy(normRowsNEON), normGradRowsBy(normGradRowsNEON)
}

//go:noescape
func softmaxRowsNEON(dst, x *float32, rows, n int)

//go:noescape
func logSoftmaxRowsNEON(dst, x *float32, rows, n int)

//go:noescape
func softmaxGradRowsNEON(dst, grad, y *float32, rows, n int)

//go:noescape
func logSoftmaxGradRowsNEON(dst, grad, y *float32, rows, n int)

//go:noescape
func normRowsNEON(dst, x, mean, rstd *float32, rows, n int, count, eps float32)

//go:noescape
func normGradRowsNEON(dst, grad, x, mean, rstd *float32, rows, n int, count float32)
