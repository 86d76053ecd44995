// Package epoch measures training as a user meets it: epochs of whole
// models on Cora and on a large power-law graph, and the graph kernels alone.
//
//	go test -bench . ./benchmarks/epoch
//
// Benchmarks on Cora need the shared datasets beside the repository; those on
// the large graph (200 thousand vertices, 4 million edges) are left out with
// -short. MB/s counts compulsory bytes: what a step must move even with an
// infinite cache (see compulsory).
package epoch
