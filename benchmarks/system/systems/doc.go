// Package systems is the systems in the tree: what benchmarks compare, and examples of
// how the System API is implemented.
//
//	systems.go        the list
//	edges.go          edges as they are given, degrees, coefficients
//	rows.go           edges by destination and by source, work shared out by rows
//	naive.go          a loop over edges, the yardstick
//	gatherscatter.go  tensors of edges between operations, as without fused kernels
//	csr.go            compressed sparse rows and gonum's vector kernels
//	compiled.go       our vertex programs, on the CPU or a GPU
//	cusparse.go       NVIDIA's product, on a GPU
//	null.go           calls that do nothing
package systems
