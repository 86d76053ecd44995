// Command kernels holds vertex-centric programs against their peers: PyTorch's
// sparse matrices and its gathers and scatters, PyTorch Geometric, and DGL.
//
//	go run ./benchmarks/kernels -python PY [-dgl-python PY] [-graphs rmat30k,star] [-widths 16,64] [-filter gat] [-json FILE]
//
// All sides compute the same on the same numbers, which is checked before
// anything is timed, and take turns round by round. A pure gather of the same
// rows is timed in the same rounds: no program that reads a row for each edge is
// faster. README.md says more.
//
// # Reading order
//
//	main.go                flags, and the order of everything
//	graphs.go              the graphs
//	programs.go task.go    the programs; their inputs on a graph
//	ours.go roofline.go    our contenders; the pure gather
//	peers.go peers.py      the peers, in processes of their own
//	bench.go               one case: who is there, whether all agree, times
//	bounds.go              memory of a training step, time to compile, cost of a cached run
//	results.go report.go   what was measured, judged against the targets; tables, JSON
package main
