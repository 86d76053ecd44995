// Package tensor is dense and sparse arrays and the operations on them, run on
// the CPU.
//
// A [Tensor] is contiguous, row-major and of one element type: float32 or
// float64 for numbers, int32 or int64 for indices. Its storage is a
// gorgonia.org/tensor Dense, which [Tensor.Dense] gives and [FromDense] takes
// without a copy. A shape may be empty (a scalar) and may contain zeros.
//
// Operations return new tensors and leave their operands alone; the few that
// work in place say Into in their name or are methods that say so. Misuse
// (shapes, element types, indices) panics with a *[ShapeError], *[DTypeError]
// or *[IndexError] whose text names the operation and the shapes. Data from
// outside (a Dense, the arrays of a sparse matrix) gives an error instead.
//
// The same inputs give the same bits for any number of threads. NaN and ±Inf
// propagate.
//
//	dtype.go shape.go errors.go   element types, shapes, what misuse panics with
//	tensor.go dense.go            the type, its construction, Gorgonia
//	unary.go binary.go            element-wise operations, broadcasting
//	matmul.go reduce.go softmax.go
//	index.go layout.go            rows by index; concatenate, slice, transpose
//	sparse.go spmm.go             CSR matrices and their product
package tensor
