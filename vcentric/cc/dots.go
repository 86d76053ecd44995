package cc

// Dots that later phases read: the products of an edge are added up to one vector,
// and those of LANES edges are then summed together (renderer.sums), in far fewer
// steps than one by one.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// dot is a sum of products that is left in a vector edge by edge.
type dot struct {
	v     *ir.Value
	parts string // the array of the vectors of LANES edges
	first string // edge of them
}

// dotsInGroups are the dots among what a phase saves of which it reads no sum itself.
func (k *kernel) dotsInGroups(w work) []dot {
	var out []dot
	for _, v := range w.saves {
		if k.heads == 1 && k.isDot(v) && v.Width() == 1 && !k.reads(w, v) {
			out = append(out, dot{v: v, parts: k.name("q")})
		}
	}
	return out
}

// reads tells whether anything else of a phase reads v.
func (k *kernel) reads(w work, v *ir.Value) bool {
	seen := make(map[*ir.Value]bool)
	var reads func(x *ir.Value) bool
	reads = func(x *ir.Value) bool {
		x = k.base(x)
		if x == v || seen[x] || !k.isEdge(x) || k.ready[x] {
			return x == v
		}
		seen[x] = true
		return slices.ContainsFunc(x.Args, reads)
	}
	for _, x := range w.saves {
		if x != v && reads(x) {
			return true
		}
	}
	for _, s := range w.stores {
		if reads(s.Value) {
			return true
		}
	}
	for _, s := range w.totals {
		if slices.ContainsFunc(s.Value.Args, reads) {
			return true
		}
	}
	return slices.ContainsFunc(w.reduce, func(r *ir.Value) bool { return reads(r.Args[0]) })
}

// edge leaves the products of an edge.
func (d dot) edge(s *columns) {
	x := d.v.Args[0]
	s.text.line("%s[i - %s] = %s;", d.parts, d.first, s.folded(s.value(x), 0, x.Width()))
}
