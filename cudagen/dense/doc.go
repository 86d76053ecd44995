// Package dense is the dense engine on CUDA: a tensor.Backend over cudagen/driver,
// whose kernels are CUDA C text, compiled for the device when they are first used.
//
//	prelude.h       what every kernel begins with: types, functions, random numbers
//	backend.go      memory, copies, how work is handed to the device; Open
//	kernel.go       from a text to a launch; what was compiled before
//	spell.go        how each operation of tensor.ProgramOps is written in C
//	loop.go         the text of loops over strided, broadcast operands
//	map.go          element-wise programs, gathers and scatters: such loops
//	group.cu        threads that work on one row together
//	reduce.go .cu   reductions over axes, in a fixed order
//	rows.go .cu     softmax, layer normalisation and their gradients
//	scan.go .cu     running sums and products
//	segment.go .cu  sums of rows by segment: sparse matrices, scattered rows
//	sort.go .cu     sorting rows
//	matmul.go       products through cuBLAS
//	update.go       optimisers: one launch for many parameters
//	capture.go      a step as a CUDA graph
//
// A kernel is known by what its text depends on: the program, the element types, how
// many axes are left when those that lie evenly are merged, whether elements can be
// taken four at a time, whether 32 bits hold the number of elements. Numbers, sizes and
// strides are arguments. Work is cut by sizes alone and added up in a fixed order:
// results are the same bits at every run. There are no atomics.
//
// Element-wise results are those of the CPU up to the last digits of the functions of
// the device's library; multiplications and additions are not contracted, so that
// arithmetic is the same to the bit.
package dense
