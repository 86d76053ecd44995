// Package cpu runs plans on the CPU.
//
// Compile turns each kernel of a plan into lists of small instructions on
// registers that hold a tile: a few consecutive rows, or a few hundred of their
// edges. An instruction is a flat loop over the tile, so dispatch costs nothing
// beside the work; the temporaries of a tile stay in the L1 cache, and nothing
// with an edge dimension exists outside a tile unless the plan stores it. What
// is gathered, scaled and summed, or gathered and multiplied with a row, is one
// instruction on the row kernels of package kern and has no temporary at all.
//
// Results do not depend on the number of threads: rows are cut into chunks and
// tiles by the graph and the plan alone, and a row belongs to one worker.
//
// Reading order: program.go (Compile, Run), schedule.go (chunks and threads),
// tile.go (how a kernel walks its tiles), operand.go (where operands lie),
// compile.go and fuse.go (values to instructions), elementwise.go, layout.go,
// pick.go and aggregate.go (the instructions), dense.go (products and totals).
package cpu
