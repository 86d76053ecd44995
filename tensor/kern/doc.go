// Package kern holds the flat numeric kernels of the CPU: element-wise loops,
// reductions and the row kernels that sparse and graph operations are made of.
//
// The kernels of an element type form a [Set], chosen once by what the
// processor can do: hand-written assembly, AVX2+FMA on amd64 for both types and NEON on
// arm64 for float32, plain Go loops otherwise, and under the build tag noasm. With AVX-512 the
// functions made of exponentials take twice as many elements at a time, by the same operations
// on each, and the kernels of segments of float32 walk the picked rows once for all rows of a
// tile. What float64 has in assembly is one text with float32 (types_amd64.h).
// Every kernel has one Go reference loop (reference.go, functions.go, …);
// the assembly beside it must agree with that loop up to rounding, and a test holds
// it to that.
//
// The matrix product has kernels apart ([GemmKernel]): generated assembly for both element
// types, with AVX2 or AVX-512 on amd64 and with NEON on arm64, and plain Go.
//
// # Contract
//
// Slices may have any length, zero included, and any alignment. A destination
// may be the same slice as an operand, but must not overlap one partly; those of scores that
// are combined with a number of their row (SegmentAdd to SegmentSoftmax) are slices of their own.
// Operands shorter than the destination panic; longer ones are read only up to
// the length of the destination. NaN and ±Inf propagate.
//
// A kernel never starts goroutines, and its result depends on its inputs only,
// so callers may split work in any way that keeps the calls the same.
package kern
