// Package plan turns a program into kernels: loops over rows and their edges,
// with everything between two row-sized tensors fused into one of them.
//
// Reading order: plan.go (what a plan is), fuse.go (which values share a
// kernel), build.go (kernels, loops, buffers), print.go (the text form).
//
// Seastar (Wu et al., EuroSys 2021, section 6.2) fuses source-edge-aggregate
// chains that its state machine accepts; here an aggregate may feed another
// edge loop of the same kernel, so an edge softmax and the sum it weighs are
// one kernel.
package plan
