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
	if b.Role != Temp || b.Res != ir.Edge || b.Type == ir.I32 {
		return 0, false
	}
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
