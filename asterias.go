// Package asterias is a tensor and autograd framework in which graph neural
// networks are first-class. A layer is written as what one vertex does; it is
// traced into a graph-aware IR, differentiated there, and run as fused kernels.
//
// The house, from the ground up:
//
//	tensor      dense and sparse tensors that gorgonia.org/tensor shares; CPU engine, SIMD kernels
//	graph       structure without features: CSR by destination, reverse CSR, batches
//	autograd    eager reverse-mode tape; Gorgonia's graphs and ours in each other (gorgonianode)
//	nn, optim   modules, initialisers, losses, checkpoints; optimisers and schedules
//	vcentric    vertex-centric programs: tracing, IR, passes, plans, execution
//	gnn         layers and models
//	data        datasets, file formats, generators
//	examples    one small main each
//	benchmarks  go test -bench . ./benchmarks; go run ./benchmarks/dense against peers
//
// Packages import only those the table in arrows_test.go allows.
package asterias
