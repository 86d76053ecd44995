package plan

// Keeping: edge values that are narrow, but for which a loop would have to gather wide
// rows, are computed by the loops of one side and read from memory by those of the other.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// manyTimes is how much wider than an edge value rows must be for a gather of them to
// cost more than the value's way through memory: a cache line each to store and to read
// one number of an edge, at worst, for a gathered row and the arithmetic on it. Scores of
// attention and 16 columns, 14 edges a vertex: a training step takes 1.5 times as long
// if the gather is made.
const manyTimes = 8

// keep finds the edge values to be kept: what is aggregated on both sides.
func (c *placer) keep() {
	c.kept = make(map[*ir.Value]ir.Residency)
	k := keeper{c, edgeRoots(c.prog)}
	seen := make(map[*ir.Value]bool)
	for _, a := range k.roots[ir.Src] {
		if seen[a] || !c.canBeKept(a) {
			continue
		}
		seen[a] = true
		in, out := k.gathered(a, ir.Dst), k.gathered(a, ir.Src)
		switch { // the side that gathers less for a alone has it
		case in < 0 || in == 0 && out == 0:
		case out <= in && c.decide(KeepEdgeValue, a, true, k.reason(a, in)):
			c.kept[a] = ir.Src
		case out > in && c.decide(KeepEdgeValue, a, true, k.reason(a, out)):
			c.kept[a] = ir.Dst
		}
	}
	if !slices.Contains(c.off, KeepEdgeValue) { // what is inside of them is no choice of its own
		k.keepInside()
	}
}

// canBeKept tells whether loops compute v and whoever reads it may read memory: not what
// only reshapes another value.
func (c *placer) canBeKept(v *ir.Value) bool {
	return c.place[v] == inLoop && v.Type != ir.I32 && v.Op != ir.OpReshape
}

// keepInside finds what both sides aggregate, but only once one of them has summed values x
// that both have to compute on the way: as the gradient of a score waits for the sum of its
// softmax's products. Each side would gather rows for x, one even twice. So x is kept by the
// side that has the rows, and what waits for its sum by the other one, which sums it.
func (k *keeper) keepInside() {
	for _, a := range k.roots[ir.Src] {
		if _, kept := k.kept[a]; kept || !k.canBeKept(a) || !slices.Contains(k.roots[ir.Dst], a) {
			continue
		}
		in, out := k.across(a, nil, ir.Dst, map[*ir.Value]bool{}), k.across(a, nil, ir.Src, map[*ir.Value]bool{})
		for i := len(k.prog.Values) - 1; i >= 0; i-- {
			x := k.prog.Values[i]
			if in[x] && out[x] && k.canBeKept(x) && k.keepFor(a, x) {
				break
			}
		}
	}
}

// keepFor keeps x and a, which is made of x and waits for its sum, if that spares a gather.
func (k *keeper) keepFor(a, x *ir.Value) bool {
	for _, home := range []ir.Residency{ir.Src, ir.Dst} {
		before, kept := k.kept[x] // for another value
		if kept && home != before || !waits(a, x, home.Other()) {
			continue
		}
		if !kept {
			columns := k.spared(x, home.Other())
			if columns <= 0 || !k.decide(KeepEdgeValue, x, true, k.reason(x, columns)) {
				continue
			}
			k.kept[x] = home
		}
		if k.decide(KeepEdgeValue, a, true, fmt.Sprintf("%d B an edge in memory, since it waits for a sum of %%%d", rowBytes(a), x.ID)) {
			k.kept[a] = home.Other()
		}
		return true
	}
	return false
}

// spared is the columns of rows, many times wider than x, that loops over the edges of
// rows gather on the way to x alone; -1 if they do not want x.
func (k *keeper) spared(x *ir.Value, rows ir.Residency) int {
	all, rest := make(map[*ir.Value]bool), make(map[*ir.Value]bool)
	wanted := false
	for _, r := range k.roots[rows] {
		wanted = k.across(r, nil, rows, all)[x] || wanted
	}
	if !wanted {
		return -1
	}
	for _, r := range k.roots[rows] {
		k.across(r, x, rows, rest)
	}
	columns := 0
	for y := range all {
		if !rest[y] && rowBytes(y) >= manyTimes*rowBytes(x) {
			columns += y.Width()
		}
	}
	return columns
}

// waits tells whether a is made of a sum over the edges of rows that is made of x.
func waits(a, x *ir.Value, rows ir.Residency) bool {
	const direct, throughSum = 1, 2
	seen := make(map[*ir.Value]int) // the ways on which a value was met
	var visit func(v *ir.Value, summed bool) bool
	visit = func(v *ir.Value, summed bool) bool {
		summed = summed || v.Op.Info().Class == ir.Aggregate && v.Res == rows
		if v == x {
			return summed
		}
		way := direct
		if summed {
			way = throughSum
		}
		if seen[v]&way != 0 {
			return false
		}
		seen[v] |= way
		return slices.ContainsFunc(v.Args, func(b *ir.Value) bool { return visit(b, summed) })
	}
	return visit(a, false)
}

// keeper knows what the loops of each side are for.
type keeper struct {
	*placer
	roots map[ir.Residency][]*ir.Value
}

func (k *keeper) reason(a *ir.Value, columns int) string {
	return fmt.Sprintf("%d B an edge in memory, instead of %d B of rows to be gathered again", rowBytes(a), columns*a.Type.Size())
}

// gathered is the columns of the rows, many times wider than a, that loops over the edges
// of rows gather for a alone; -1 if they do not aggregate a.
func (k *keeper) gathered(a *ir.Value, rows ir.Residency) int {
	if !slices.Contains(k.roots[rows], a) {
		return -1
	}
	return k.spared(a, rows)
}

// across adds to far what a loop over the edges of rows reads at their other ends to
// have a, if x is in memory. It returns what it meets.
func (k *keeper) across(a, x *ir.Value, rows ir.Residency, far map[*ir.Value]bool) map[*ir.Value]bool {
	seen := make(map[*ir.Value]bool)
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if home, kept := k.kept[v]; v.Res.IsVertex() && v.Res != rows {
			far[resolve(v)] = true
		} else if k.place[v] == inLoop && v != x && (!kept || home == rows) {
			for _, x := range v.Args {
				visit(x)
			}
		}
	}
	visit(a)
	return seen
}
