// Package cpu runs dense work on the processor: a deterministic parallel loop,
// the matrix product, and a Gorgonia engine that puts both under plain
// gorgonia.org/tensor operations.
//
// Results do not depend on the number of threads: work is cut at boundaries
// that follow from the problem alone, and every output element is computed by
// one goroutine in one order.
package cpu
