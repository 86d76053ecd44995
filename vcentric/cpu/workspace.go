package cpu

// Memory that the executor takes besides the plan's buffers.

import (
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
)

// Workspace is how many bytes a run on a graph takes at most besides the plan's
// buffers, of what grows with the graph: the copies side by side of what a kernel
// fetches from the other ends, and the products of sources. Each step gives its own back.
func (x *Program[T]) Workspace(g *graph.Graph) int64 {
	var most, element int64
	element = int64(unsafe.Sizeof(T(0)))
	for _, s := range x.steps {
		k, ok := s.(*kernel[T])
		if !ok || len(k.loops) == 0 {
			continue
		}
		most = max(most, k.coverSpace(x, g))
		if others := csrOf(g, k.rows).NumCols(); k.packs(g.NumEdges(), others) {
			most = max(most, int64(others)*int64(k.besideWidth)*element)
		}
	}
	return most
}

// packs tells whether the kernel copies what it fetches side by side: if that is more
// than one thing, and there are edges enough to pay for it.
func (k *kernel[T]) packs(edges, others int) bool {
	const worthwhile = 2 // edges a vertex
	return len(k.fetches) >= 2 && edges >= worthwhile*others
}
