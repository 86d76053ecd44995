package plan

// The order of kept edges: what only loops write and read need not lie at the edges' ids.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Home returns the rows with whose edges the edges of b may lie in memory in order, as
// graph.CSR lists them: those of the kernel that stores them, so that it writes one after
// another. ok is false where edges must stand at their ids, since the caller, another
// program, or a step without loops writes or reads them.
func (p *Plan) Home(b *Buffer) (rows ir.Residency, ok bool) {
	switch {
	case b.crosses:
		return b.home, true
	case b.Role != Temp || b.Res != ir.Edge || b.Type == ir.I32:
		return 0, false
	}
	return p.looped(b)
}

// CrossInOrder lets values of edges that a forward plan saves for a backward plan, which
// nobody else sees, lie in the order in which forward stores them (Home).
func CrossInOrder(forward, backward *Plan) {
	for _, saved := range forward.Outputs {
		if saved.Role != Saved || saved.Res != ir.Edge || saved.Type == ir.I32 {
			continue
		}
		rows, ok := forward.looped(saved)
		for _, b := range backward.Buffers {
			if !ok || b.Role != Input || b.Name != saved.Name || b.Res != ir.Edge {
				continue
			}
			if _, ok = backward.looped(b); ok {
				saved.home, saved.crosses = rows, true
				b.home, b.crosses = rows, true
			}
		}
	}
}

// looped tells whether loops alone write and read b, and the rows of the kernel that stores it.
func (p *Plan) looped(b *Buffer) (rows ir.Residency, ok bool) {
	ok = b.Role == Input
	for _, s := range p.Steps {
		switch s := s.(type) {
		case *Kernel:
			for _, l := range s.Loops {
				if slices.ContainsFunc(l.Stores, func(st Store) bool { return st.Buffer == b }) {
					rows, ok = s.Rows, true
				}
			}
		case *Product:
			if s.A == b || s.B == b || s.Out == b {
				return 0, false
			}
		case *Total:
			if s.In == b || s.Out == b {
				return 0, false
			}
		}
	}
	return rows, ok
}
