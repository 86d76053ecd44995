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
	r := &run[T]{prog: x, g: g}
	var most int64
	for _, s := range x.steps {
		most = max(most, r.workspace(s))
	}
	return most
}

// workspace is Workspace of a step.
func (r *run[T]) workspace(s step[T]) int64 {
	var element T
	sideBySide := func(k *kernel[T], width int) int64 {
		return int64(csrOf(r.g, k.rows).NumCols()) * int64(width) * int64(unsafe.Sizeof(element))
	}
	switch s := s.(type) {
	case declinedStep[T]:
		return r.workspace(s.step)
	case *nativeStep[T]:
		switch {
		case s.masksAreLarge(r):
			return r.workspace(s.kernel)
		case len(s.native.Beside) > 0:
			return sideBySide(s.kernel, BesideWidth)
		}
	case *kernel[T]:
		if len(s.loops) == 0 {
			return 0
		}
		most := max(s.coverSpace(r.prog, r.g), s.factorSpace(csrOf(r.g, s.rows)))
		if s.packs(r.g.NumEdges(), csrOf(r.g, s.rows).NumCols()) {
			most = max(most, sideBySide(s, s.besideWidth))
		}
		return most
	}
	return 0
}

// packs tells whether the kernel copies what it fetches side by side: if that is more
// than one thing, and there are edges enough to pay for it.
func (k *kernel[T]) packs(edges, others int) bool {
	const worthwhile = 2 // edges a vertex
	return len(k.fetches) >= 2 && edges >= worthwhile*others
}
