//go:build (amd64 || arm64) && !noasm

// Kernels that are other kernels of the set with their arguments arranged.

package kern

func useDerived[T Float](s *Set[T]) {
	s.Recip = func(dst, x []T) { s.RDivScalar(dst, x, 1) }
	s.Square = func(dst, x []T) { s.Mul(dst, x, x) }
	s.MulAdd = func(y, a, b []T) { s.FMA3(y, a, b, y) }
	s.SumSquares = func(x []T) T { return s.Dot(x, x) }
	s.Greater = func(dst []bool, a, b []T) { s.Less(dst, b, a) }
	s.GreaterEqual = func(dst []bool, a, b []T) { s.LessEqual(dst, b, a) }
	s.SoftmaxRow = func(dst, x []T) { s.SoftmaxRows(dst, x, len(dst)) }
	s.LogSoftmaxRow = func(dst, x []T) { s.LogSoftmaxRows(dst, x, len(dst)) }
	s.AddRow = func(dst, x, row []T) { addRowTiled(dst, x, row, false) }
	s.AddRowReLU = func(dst, x, row []T) { addRowTiled(dst, x, row, true) }
	s.SumRowsInto = sumRowsTiled[T]
}
