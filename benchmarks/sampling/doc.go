// Command sampling holds data.NeighborLoader against the neighbour loaders of DGL
// and PyTorch Geometric, and against samplers in NumPy.
//
//	go run ./benchmarks/sampling -python PY [-dgl-python PY] [-vertices N -edges N] [-fanouts 15,10] [-json FILE]
//
// All draw batches of the same graph with the same fan-outs and take turns round
// by round. What they draw is random, so they are checked by the mean numbers of
// edges and vertices of a batch. README.md says more.
//
// # Reading order
//
//	main.go               flags, and the order of everything
//	ours.go               our contender
//	peers.go peers.py     the peers, in processes of their own
//	bench.go              one number of threads: who is there, whether all agree, times
//	report.go             tables and JSON
package main
