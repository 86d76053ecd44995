package plan

// Fusion: which values are computed by the same kernel.
//
// Row values (those of vertices and params) are what kernels compute; edge
// values are computed inside the loops of whichever kernel needs them. Two row
// values can share a kernel when each needs of the other only its own row. What
// is read across an edge, by a matrix product or from another side's rows must
// be complete first: it is computed at an earlier stage. A stage and a row
// domain name a kernel.

import (
	"cmp"
	"maps"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

type fuser struct {
	prog  *ir.Program
	stage map[*ir.Value]int
	ready map[edgeIn]int // memo of edgeReady
}

// edgeIn is an edge value as the kernels of one row domain see it.
type edgeIn struct {
	v    *ir.Value
	rows ir.Residency
}

// stages gives each row value its stage; leaves and what is read from memory
// from the start have none.
func stages(p *ir.Program) *fuser {
	f := &fuser{prog: p, stage: make(map[*ir.Value]int), ready: make(map[edgeIn]int)}
	for _, v := range p.Values {
		if isComputed(v) {
			f.stage[v] = f.earliest(v)
		}
	}
	f.sink()
	return f
}

// isComputed tells whether v is a row value or a matrix product that some step
// computes, in contrast to inputs, constants, views, and values of an edge loop.
func isComputed(v *ir.Value) bool {
	switch v.Op.Info().Class {
	case ir.Leaf:
		return v.Op == ir.OpDegree
	case ir.Alias:
		return false
	case ir.Layout:
		if v.Op == ir.OpReshape { // the same numbers in the same place
			return false
		}
	case ir.Dense, ir.Reduction:
		return true
	}
	return v.Res != ir.Edge
}

// Row is the value whose row v is: v itself unless v only reshapes it, which no
// step does.
func Row(v *ir.Value) *ir.Value {
	for v.Op == ir.OpReshape && v.Res != ir.Edge {
		v = v.Args[0]
	}
	return v
}

// resolve is the value whose memory v shares: what a view or a reshape sees.
func resolve(v *ir.Value) *ir.Value {
	for v.Op == ir.OpView || v.Op == ir.OpReshape && v.Res != ir.Edge {
		v = v.Args[0]
	}
	return v
}

// inKernel tells whether a computed value is computed by a kernel.
func inKernel(v *ir.Value) bool {
	c := v.Op.Info().Class
	return c != ir.Dense && c != ir.Reduction
}

// domain is the row domain of the kernel that computes v.
func domain(v *ir.Value) ir.Residency { return v.Res }

// earliest is the first stage at which v can be computed.
func (f *fuser) earliest(v *ir.Value) int {
	s := 0
	for _, a := range v.Args {
		switch {
		case !inKernel(v):
			s = max(s, f.complete(a))
		case v.Op.Info().Class == ir.Aggregate:
			s = max(s, f.edgeReady(a, domain(v)))
		default:
			s = max(s, f.rowReady(a, domain(v)))
		}
	}
	return s
}

// complete is the first stage at which a is wholly in memory.
func (f *fuser) complete(a *ir.Value) int {
	a = resolve(a)
	if s, ok := f.stage[a]; ok {
		return s + 1
	}
	if a.Res == ir.Edge && a.Op != ir.OpInput { // an edge value that a kernel over in-edges must store
		return f.edgeReady(a, ir.Dst) + 1
	}
	return 0
}

// rowReady is the first stage at which a kernel over rows can read its own row
// of a.
func (f *fuser) rowReady(a *ir.Value, rows ir.Residency) int {
	a = Row(a)
	if s, ok := f.stage[a]; ok && inKernel(a) && domain(a) == rows {
		return s
	}
	return f.complete(a)
}

// edgeReady is the first stage at which a loop over the edges of rows can have
// the edge value (or the vertex value read at the edge) a.
func (f *fuser) edgeReady(a *ir.Value, rows ir.Residency) int {
	if a.Res == rows {
		return f.rowReady(a, rows)
	}
	if a.Res != ir.Edge || a.Op == ir.OpInput || isComputed(a) {
		return f.complete(a)
	}
	key := edgeIn{a, rows}
	if s, ok := f.ready[key]; ok {
		return s
	}
	s := 0
	for _, b := range a.Args {
		s = max(s, f.edgeReady(b, rows))
	}
	f.ready[key] = s
	return s
}

// sink moves values to later stages, where they join the kernel that reads them
// instead of going through memory.
func (f *fuser) sink() {
	for f.mergeLoops(f.sinkRows()) {
	}
}

// sinkRows moves row values that are not aggregates to the latest stage that
// still serves all their users. It returns the latest stage of every value that
// has users.
func (f *fuser) sinkRows() (latest map[*ir.Value]int) {
	latest = make(map[*ir.Value]int)
	limit := func(a *ir.Value, s int) {
		if l, ok := latest[a]; !ok || s < l {
			latest[a] = s
		}
	}
	needs := newReach()
	for _, o := range f.prog.Outputs {
		if o.Value.Res == ir.Edge {
			for a := range needs.edge(o.Value, ir.Dst) { // the store stays where it can first happen
				limit(a, f.stage[a])
			}
		}
	}
	for i := len(f.prog.Values) - 1; i >= 0; i-- {
		v := f.prog.Values[i]
		if !isComputed(v) {
			continue
		}
		if l, ok := latest[v]; ok && l > f.stage[v] && inKernel(v) && v.Op.Info().Class != ir.Aggregate {
			f.stage[v] = l
		}
		s := f.stage[v]
		for _, a := range v.Args {
			switch {
			case inKernel(v) && v.Op.Info().Class == ir.Aggregate:
				for b, own := range needs.edge(a, domain(v)) {
					limit(b, s-1+b2i(own))
				}
			case a.Res == ir.Edge: // materialised by a kernel over in-edges
				for b := range needs.edge(a, ir.Dst) {
					limit(b, f.stage[b])
				}
			default:
				a = Row(a)
				own := inKernel(v) && a.Op != ir.OpView && domain(a) == domain(v)
				limit(resolve(a), s-1+b2i(own))
			}
		}
	}
	return latest
}

// mergeLoops finds a kernel all of whose aggregates can wait for the next kernel
// over the edges of the same rows, and moves them there: one pass over the edges
// less, and rows gathered once for both.
func (f *fuser) mergeLoops(latest map[*ir.Value]int) bool {
	loops := make(map[kernelKey][]*ir.Value)
	for _, v := range f.prog.Values {
		if v.Op.Info().Class == ir.Aggregate {
			k := kernelKey{f.stage[v], domain(v)}
			loops[k] = append(loops[k], v)
		}
	}
	for _, from := range sortedKeys(loops) {
		for _, to := range sortedKeys(loops) {
			if to.rows != from.rows || to.stage <= from.stage {
				continue
			}
			waits := func(v *ir.Value) bool {
				l, ok := latest[v]
				return !ok || l >= to.stage
			}
			if slices.ContainsFunc(loops[from], func(v *ir.Value) bool { return !waits(v) }) {
				break
			}
			for _, v := range loops[from] {
				f.stage[v] = to.stage
			}
			return true
		}
	}
	return false
}

// kernelKey names a kernel.
type kernelKey struct {
	stage int
	rows  ir.Residency
}

// sortedKeys orders kernels by stage.
func sortedKeys[T any](m map[kernelKey]T) []kernelKey {
	return slices.SortedFunc(maps.Keys(m), func(x, y kernelKey) int {
		return cmp.Or(cmp.Compare(x.stage, y.stage), cmp.Compare(x.rows, y.rows))
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// reach finds the row values that an edge value reads.
type reach struct{ memo map[edgeIn]map[*ir.Value]bool }

func newReach() *reach { return &reach{memo: make(map[edgeIn]map[*ir.Value]bool)} }

// edge returns the computed values that a loop over the edges of rows reads to
// have a; true marks those that it can read from its own row of the kernel.
func (r *reach) edge(a *ir.Value, rows ir.Residency) map[*ir.Value]bool {
	key := edgeIn{a, rows}
	if m, ok := r.memo[key]; ok {
		return m
	}
	m := make(map[*ir.Value]bool)
	r.memo[key] = m
	switch a = Row(a); {
	case a.Op == ir.OpView:
		if a = resolve(a); isComputed(a) {
			m[a] = false
		}
	case isComputed(a):
		m[a] = inKernel(a) && domain(a) == rows
	case a.Res == ir.Edge:
		for _, b := range a.Args {
			for c, own := range r.edge(b, rows) {
				had, twice := m[c] // a value may be read at its own row and through a view
				m[c] = own && (had || !twice)
			}
		}
	}
	return m
}
