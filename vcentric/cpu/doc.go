// Package cpu runs plans on the CPU.
//
// Compile turns each kernel of a plan into lists of small instructions on
// registers that hold a tile: a few consecutive rows, or a few hundred of their
// edges. An instruction is a flat loop over the tile, so dispatch costs nothing
// beside the work; the temporaries of a tile stay in the L1 cache, and nothing
// with an edge dimension exists outside a tile unless the plan stores it. What
// is gathered, scaled and summed, or gathered and multiplied with a row, is one
// instruction on the row kernels of package kern and has no temporary at all; rows that
// are wanted twice, by two sums or a sum and a product, are gathered once.
// What is narrow and gathered is fetched once, from copies side by side. A sum that is
// multiplied with a number of its row waits for it, and is written once. What attention
// does with the scores of a row's edges is one walk over them, where a tile has them all;
// with heads of some widths, all of its forward or backward pass is.
//
// A matrix product among a kernel's values multiplies the rows of a tile while they
// are in the cache; its weight is packed once a run for all workers unless few rows read it, and where types
// have weights of their own, the tile's rows are put in the order of their types
// first. Of sums by type, a product takes those that have edges, where these are few. For
// such products large graphs are laid out once: their rows come in blocks whose sums lie in
// order of types, and edges share the products of vertices that many of them read.
// What comes of degrees alone, a graph that is large and walked often keeps.
// Where a graph has communities and is walked often, and the caches gain by it, kernels that
// gather wide rows walk theirs in an order of the graph's, and copy what they read and write of
// them to the tile and back.
// Where a loop only passes on the gradient of a maximum, its tiles are narrowed
// to the edges that won anything. Sums over all rows or edges, the gradients of weights
// among them, have partial sums for ranges of rows, which are added in order.
//
// Results do not depend on the number of threads: rows are cut into chunks and
// tiles, and the edges of hubs into parts, by the graph and the plan alone.
//
// Reading order: program.go (Compile, Run), schedule.go (chunks and threads),
// tile.go (how a kernel walks its tiles), hub.go (rows of very many edges),
// operand.go and typed.go (where operands lie), local.go (rows that do not lie side by side), compile.go and fuse.go (values to
// instructions), affine.go, live.go (which edges a loop can do without), tilesize.go;
// elementwise.go, flat.go, pair.go, layout.go, pick.go, fetch.go, aggregate.go,
// dotsum.go (two purposes in one walk), scores.go (the scores of attention), attention.go
// (all of it) and attentionfactors.go, endedsum.go (sums that end with a product), product_tile.go, totals.go, typedslots.go and
// typedcover.go (products of sums by type) (the instructions); dense.go (steps that are
// no kernels).
package cpu
