//go:build amd64 && !noasm

// Softmax, normalisation and bias of rows: from slices to the assembly.

package kern

func useRows(s *Set[float32]) {
	s.SoftmaxRows, s.LogSoftmaxRows = mapRows(softmaxRowsAVX2), mapRows(logSoftmaxRowsAVX2)
	s.SoftmaxGradRows, s.LogSoftmaxGradRows = mapRows2(softmaxGradRowsAVX2), mapRows2(logSoftmaxGradRowsAVX2)
	s.NormRows, s.NormGradRows = normRowsBy(normRowsAVX2), normGradRowsBy(normGradRowsAVX2)
}

func useRows64(s *Set[float64]) {
	s.SoftmaxRows, s.LogSoftmaxRows = mapRows(softmaxRows64AVX2), mapRows(logSoftmaxRows64AVX2)
	s.SoftmaxGradRows, s.LogSoftmaxGradRows = mapRows2(softmaxGradRows64AVX2), mapRows2(logSoftmaxGradRows64AVX2)
	s.NormRows, s.NormGradRows = normRowsBy(normRows64AVX2), normGradRowsBy(normGradRows64AVX2)
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

// addInto and sumRows are no values, for which the tiles of their callers would escape.

func addInto[T Float](dst, a, b *T, n int, relu bool) {
	switch dst := any(dst).(type) {
	case *float32:
		a, b := any(a).(*float32), any(b).(*float32)
		if relu {
			addReluAVX2(dst, a, b, n)
		} else {
			addAVX2(dst, a, b, n)
		}
	case *float64:
		a, b := any(a).(*float64), any(b).(*float64)
		if relu {
			addRelu64AVX2(dst, a, b, n)
		} else {
			add64AVX2(dst, a, b, n)
		}
	}
}

func sumRows[T Float](acc, x *T, rows, n int) {
	switch acc := any(acc).(type) {
	case *float32:
		sumRowsAVX2(acc, any(x).(*float32), rows, n)
	case *float64:
		sumRows64AVX2(acc, any(x).(*float64), rows, n)
	}
}

//go:noescape
func softmaxRows64AVX2(dst, x *float64, rows, n int)

//go:noescape
func logSoftmaxRows64AVX2(dst, x *float64, rows, n int)

//go:noescape
func softmaxGradRows64AVX2(dst, grad, y *float64, rows, n int)

//go:noescape
func logSoftmaxGradRows64AVX2(dst, grad, y *float64, rows, n int)

//go:noescape
func normRows64AVX2(dst, x, mean, rstd *float64, rows, n int, count, eps float64)

//go:noescape
func normGradRows64AVX2(dst, grad, x, mean, rstd *float64, rows, n int, count float64)

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

//go:noescape
func addRelu64AVX2(dst, a, b *float64, n int)

//go:noescape
func sumRows64AVX2(acc, x *float64, rows, n int)
