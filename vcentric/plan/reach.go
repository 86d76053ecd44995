package plan

// What edge values are made of: the row values they read, and the other values
// of a loop.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// reach returns the computed values that a loop over the edges of rows reads to
// have a; true marks those that it can read from its own row of the kernel.
func (f *fuser) reach(a *ir.Value, rows ir.Residency) map[*ir.Value]bool {
	key := edgeIn{a, rows}
	if m, ok := f.needs[key]; ok {
		return m
	}
	m := make(map[*ir.Value]bool)
	f.needs[key] = m
	switch a = Row(a); {
	case a.Op.Info().Class == ir.Alias:
		if a = resolve(a); f.isComputed(a) {
			m[a] = false
		}
	case f.isComputed(a):
		m[a] = f.inKernel(a) && f.domain(a) == rows
	case f.computes(rows, a):
		for _, b := range a.Args {
			for c, own := range f.reach(b, rows) {
				had, twice := m[c] // a value may be read at its own row and through a view
				m[c] = own && (had || !twice)
			}
		}
	}
	return m
}

// loopValues lists the values that a loop over the edges of rows computes to have the
// roots, operands first.
func (f *fuser) loopValues(rows ir.Residency, roots []*ir.Value) []*ir.Value {
	seen := make(map[*ir.Value]bool)
	var out []*ir.Value
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] || !f.computes(rows, v) {
			return
		}
		seen[v] = true
		for _, a := range v.Args {
			visit(a)
		}
		out = append(out, v)
	}
	for _, r := range roots {
		visit(r)
	}
	slices.SortFunc(out, func(x, y *ir.Value) int { return cmp.Compare(x.ID, y.ID) })
	return out
}
