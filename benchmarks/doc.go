// Command benchmarks is the benchmark platform that GnnBench (Gong et al. 2024) asks
// for. It finds out who computes the right thing, and of those, how fast, with how much
// overhead and memory; and writes a page about it.
//
//	go run ./benchmarks -quick              # two minutes; -out says where to
//	go run ./benchmarks                     # benchmarks/results, anew
//	go run ./benchmarks -render             # the page, from the results that are there
//	go run ./benchmarks -plugin csr.so      # a system of one's own beside the others
//	go run ./benchmarks -plugin csr.so -check
//	go run ./benchmarks -planted -check     # the detector at work
//
// Systems in the tree, and shared libraries of the C form of the API, make the five
// calls of package system: they train models that are the same for all (package
// workflow). Our vertex-centric programs train them fused. Peers (folder peers) are
// other frameworks in processes of their own, each of them optional: -python is an
// interpreter with PyTorch and PyTorch Geometric, -dgl-python one with DGL.
//
// A system that the pitfall detector finds wrong, or a peer whose losses are not ours, is
// listed with what was found, and not timed.
//
//	workflow  the models, and the training that everybody does
//	system    the System API, systems, detector, plug-ins, generator
//	peers     scripts and modules of other frameworks
//	results   the page
//	internal  harness: turns; measure: what is measured; report: the page
//
// Beside it are commands and tests of their own:
//
//	epoch     Go benchmarks of epochs and kernels
//	kernels   vertex-centric programs against PyTorch, PyTorch Geometric and DGL
//	dense     the dense engine
//	sampling  neighbour sampling
//	gpu       on a GPU
package main
