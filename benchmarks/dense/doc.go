// Command dense holds the dense engine against its peers: OpenBLAS and gonum
// for the matrix product, PyTorch for element-wise chains and optimisers,
// PyTorch and stock Gorgonia for a training step.
//
//	go run ./benchmarks/dense [-peers openblas,torch] [-threads 1,2] [-filter gemm] [-json FILE]
//
// Both sides of a comparison do the same work on the same numbers with the same
// number of threads; that they agree is checked before anything is timed. They
// take turns, round by round, so that a disturbed machine disturbs both, and a
// comparison is judged by the median of the rounds' ratios. README.md says more.
//
// # Reading order
//
//	main.go                  flags, sections, threads
//	bench.go                 cases, and ours against each peer that is there
//	report.go                tables, JSON
//	openblas.go gorgonia.go  peers in this process
//	torch.go torch.py        PyTorch, in a process of its own
//	gemm.go mlp.go elementwise.go tape.go memory.go optim.go   one section a file
package main
