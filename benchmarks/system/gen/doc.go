// Gen makes the frame for a kernel that the System API does not have, such as a fused
// one, from one line of signature: what GnnBench (Gong et al. 2024, section IV-C) calls
// its DSL.
//
//	go run ./benchmarks/system/gen -out DIR -package NAME 'SIGNATURE'
//
// A signature is that of a C function, with array_t for a tensor and its shape after its
// name:
//
//	status spmm_scaled(graph_t g, const array_t x[N][H][F], const array_t w[E][H][1],
//	    array_t out[N][H][F], op_t op, float scale, bool transpose)
//
// What is const is an input, and has a gradient; the other arrays are outputs. N is the
// number of vertices, E that of edges. Every other capital letter is a length that the
// inputs bring along, the same wherever it stands. Arrays are float32, contiguous and on
// the CPU; outputs are allocated by the caller.
//
//	signature = "status" name "(" "graph_t" name { "," parameter } ")" [ ";" ] .
//	parameter = [ "const" ] "array_t" name dim { dim } | scalar name .
//	scalar    = "bool" | "int" | "float" | "double" | "op_t" | "reduce_t" | "norm_t" .
//	dim       = "[" ( length | number ) "]" .
//	name      = "a" … "z" { "a" … "z" | "0" … "9" | "_" } .
//	length    = "A" … "Z" { "0" … "9" } .
//	number    = "1" … "9" { "0" … "9" } .
//
// At least one array is const and one is not, an array has four dimensions at most, and
// the lengths of outputs occur in inputs, but for N and E. int is 32 bits; op_t, reduce_t
// and norm_t are Op, Reduce and Norm of package system.
//
// The result is a Go package that compiles:
//
//	adapter.go         loads the library, lends it tensors for a call, checks shapes
//	op.go              the kernel as a differentiable operation
//	backward.go        a stub: the gradients
//	kernel/NAME.h      what the library exports
//	kernel/NAME.c      a stub: the kernel
//	reference_test.go  a stub: the kernel in float64, and the arguments to test
//	NAME_test.go       fails until the stubs are filled in: the kernel against the
//	                   reference, the gradients against central differences
//	README.md          what to do next
//
// No file is overwritten.
//
//	signature.go  what a signature says
//	parse.go      text to signature
//	generate.go   signature to files, by the templates
//	main.go       the command
package main
