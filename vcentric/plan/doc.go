// Package plan turns a program into kernels: loops over rows and their edges,
// with everything between two row-sized tensors fused into one of them.
//
// Reading order: plan.go (what a plan is), place.go (which values a kernel
// computes, and which are steps: the rules), fuse.go, reach.go and sink.go (which
// values share a kernel), build.go (kernels and steps), layout.go (the loops of a
// kernel), memory.go (what must be stored), lifetime.go and order.go (what shares
// memory, and the order that makes the most of it), print.go and report.go (the
// text forms).
//
// Seastar (Wu et al., EuroSys 2021, section 6.2) fuses source-edge-aggregate
// chains that its state machine accepts; here an aggregate may feed another
// edge loop of the same kernel, so an edge softmax and the sum it weighs are
// one kernel. Matrix products of edges and the sums that are the gradients of
// weights are parts of kernels too: an MLP on edges trains without a tensor that
// has a row per edge.
package plan
