package render

// Hubs: the edges of rows with very many are cut into chunks, each taken by a group.
// Loop by loop the chunks' accumulators are written to memory and merged in order,
// hub by hub. The edges of a chunk are of one type, so types are told apart when chunks
// are merged.

import "fmt"

func (k *kernel) launchHubs() {
	defer func(s shape) { k.shape = s }(k.shape)
	k.shape = k.hubShape()
	chunks := Count{{Of: Chunks, Dir: k.dir}}
	hubs := Count{{Of: Hubs, Dir: k.dir}}
	last := len(k.spec.Loops) - 1
	merged := make([]kept, last) // of each hub, by loop
	var parts kept               // of each chunk, of the last loop
	for i := range k.spec.Loops {
		all := k.accumulators(i)
		parts = k.keep(all, chunks)
		k.launchChunks(i, merged[:i], parts)
		if i < last {
			merged[i] = k.keep(k.ofRows(i, all), hubs)
			k.launchMerge(i, parts, merged[:i+1])
		}
	}
	k.launchEnd(merged, parts)
}

// hubShape is how the threads for hubs and their chunks are cut: there are fewer of them
// than threads, so a warp is one group, if the partial sums stay where they are.
func (k *kernel) hubShape() shape {
	wide := *k
	if len(k.nests) > 0 || k.sumsEdges() || k.lanes >= warp || k.block() < warp {
		return k.shape
	}
	wide.slots = warp / k.lanes
	wide.groups = k.block() / warp
	if k.sumSize > 0 && wide.partials() != k.partials() {
		return k.shape
	}
	return wide.shape
}

// earlier writes the results of the loops before; the row is that of hub h.
func (f *fn) earlier(merged []kept) {
	f.rowAt = "h"
	for i, p := range merged {
		f.restore(p, "h", f.ofRows(i, f.accumulators(i)))
	}
}

// launchChunks writes the entry point that runs loop i over chunks.
func (k *kernel) launchChunks(i int, merged []kept, parts kept) {
	grid, before := k.grid(Term{Of: Chunks, Dir: k.dir})
	f := k.newFn(k.depth())
	over := items{name: "c", count: f.count("chunks", Count{{Of: Chunks, Dir: k.dir}})}
	array := func(name ArrayName) string { return f.array(Array{Name: name, Dir: k.dir}) }
	f.row.line("const int h = %s[c];", array(ChunkHub))
	f.beginSums(before)
	f.earlier(merged)
	begins := array(ChunkBegin)
	f.row.line("const int begin = %s[c], end = c + 1 < %s[h + 1] ? %s[c + 1] : %s[%s + 1];", begins, array(HubFirst), begins, array(Offsets), f.r())
	f.save(&f.row, parts, "c", f.loop(i, nil))
	f.endSums()
	f.finish(part("chunks", i), over, grid)
}

// launchMerge writes the entry point that merges the chunks of loop i.
func (k *kernel) launchMerge(i int, parts kept, merged []kept) {
	all := k.accumulators(i)
	if len(all) == 0 {
		return
	}
	f := k.newFn(1)
	f.earlier(merged[:i])
	over := items{name: "h", count: f.count("hubs", Count{{Of: Hubs, Dir: k.dir}})}
	for _, a := range all {
		a.declare(&f.row)
	}
	f.mergeChunks(i, parts, all)
	f.save(&f.row, merged[i], "h", f.ofRows(i, all))
	sums := k.sumSize
	k.sumSize = 0 // this launch has none
	f.finish(part("merge", i), over, Count{{Of: Hubs, Dir: k.dir, Per: k.groups}})
	k.sumSize = sums
}

// launchEnd writes the entry point that merges the chunks of the last loop and does
// what follows the loops.
func (k *kernel) launchEnd(merged []kept, parts kept) {
	grid, before := k.grid(Term{Of: Hubs, Dir: k.dir})
	f := k.newFn(k.depth())
	over := items{name: "h", count: f.count("hubs", Count{{Of: Hubs, Dir: k.dir}})}
	f.beginSums(before)
	f.earlier(merged)
	last := len(k.spec.Loops) - 1
	all := k.accumulators(last)
	for _, a := range all {
		a.declare(&f.row)
	}
	f.mergeChunks(last, parts, all)
	for _, a := range f.ofRows(last, all) {
		f.result(a, "true")
	}
	f.endRow()
	f.endSums()
	f.finish("end", over, grid)
}

func part(name string, loop int) string { return fmt.Sprintf("%s%d", name, loop+1) }
