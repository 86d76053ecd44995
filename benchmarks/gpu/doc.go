// Command gpu measures training on a CUDA device against PyTorch Geometric, and its
// kernels against what the card can do at best.
//
//	benchmarks/gpu/run.sh           # all: corpus, sanitizer, timings (README.md)
//	go run ./benchmarks/gpu         # timings alone
//
// # Reading order
//
//	problem.go         graphs with features and labels
//	case.go kernel.go  what is timed: kernels, layers, epochs
//	device.go          the GPU, or an emulated one
//	ours.go            a case as our work on a device
//	sparse.go          the weighted sum through cuSPARSE
//	peer.go peer.py    a case in a Python process
//	bench.go           who takes part in a case, whether all agree, times
//	result.go page.go  what was measured, as JSON lines and as a page
package main
