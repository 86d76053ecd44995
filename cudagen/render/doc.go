// Package render writes plans as CUDA C. It is a pure function from a plan and
// options to text and to the launches that run the plan; it needs no GPU, no
// toolkit and no graph.
//
// # What a launcher does
//
// [Render] gives a [Source]: one translation unit for a run-time compiler, and for
// each step of the plan a [Step]. A launcher runs the steps in order, in one
// stream. A step is either a [Gemm], a matrix product for cuBLAS, or launches of
// kernels of the text, in order. For a launch it
//
//   - computes the number of blocks with [Count.Of] from the [Extent] of the graph
//     (a launch of no blocks is skipped) and takes the threads of a block from
//     [Launch.Block]; shared memory is static;
//   - passes the arguments in order, each as its [ArgKind] says: a buffer of the
//     plan, an array of the graph, a region of the step's workspace, the run's
//     seed (always pointers) or a count (an int). An array or region that has no
//     elements may be any pointer.
//
// The arrays of a graph are int32 and belong to the graph, except those of its
// hubs, which [NewHubs] makes for one chunk length and one hub length. A launcher
// puts each on the device once a graph; [Source.Arrays] lists those a source reads,
// and [HostArray] finds them.
//
// A step's workspace regions are needed while the step runs; a launcher may lay
// the regions of all steps over each other. Nothing has to be cleared.
//
// The seed is one unsigned 64-bit number in device memory, so that a captured
// graph of launches can be replayed with another one. Each dropout derives its own
// seed from it, as ir.DropoutSeed does.
//
// Buffers of the plan are row-major. They must be aligned to 16 bytes if their
// size is a multiple of 16, and to a number otherwise; results need no clearing.
//
// # Kernels
//
// A kernel over vertices is vertex-parallel and edge-sequential (Seastar, Wu et
// al., EuroSys 2021, section 6.3): a group of threads takes a row of the graph, each
// thread some of its columns; groups are as wide as rows are, several to a warp.
// Rows come in order of their degrees, the largest first, and blocks are handed
// out in that order. Everything between is in registers. What a thread needs of a
// narrower value, such as the score of its columns' head, it computes itself; sums
// over a row's columns go through shuffles where the columns lie for it, and else
// through shared memory.
//
// The edges of a row come in order of their types. An aggregate of each type has the
// accumulators of one type, which are stored, or reduced over the types, when the next
// type comes (section 6.3.5): an outer loop over types and an inner one over edges.
//
// Rows of more edges than [Tuning.Hub] are hubs: their edges are cut into chunks of
// [Tuning.Chunk], each of one type, which are reduced apart and merged in order. Sums
// over all rows have partial sums for the groups of a grid whose size depends on the
// number of rows alone, and are added in order. There are no atomic operations, and
// results depend on the sizes, the graph and the tuning alone.
//
// Reading order: source.go (what Render gives), extent.go (sizes and arrays of a
// graph), options.go, prelude.h (what the text is written in), lanes.go (which
// elements of a row the threads of a group have), need.go (which elements are
// computed), nested.go (aggregates of each type), kernel.go, loop.go, reduce.go,
// flush.go, hub.go, total.go (the text of kernels), value.go, load.go, cross.go, ops.go
// (the text of values), online.go (softmax in one loop), flat.go (kernels over params
// and types), steps.go and product.go (steps that are no kernels).
package render
