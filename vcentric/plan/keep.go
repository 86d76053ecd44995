package plan

// Keeping: edge values that are narrow, but for which a loop would have to gather wide
// rows, are computed by the loops of one side and read from memory by those of the other.

import (
	"fmt"

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
		if seen[a] || c.place[a] != inLoop || a.Type == ir.I32 {
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
	others := make(map[*ir.Value]bool)
	mine := false
	for _, r := range k.roots[rows] {
		if r == a {
			mine = true
		} else {
			k.across(r, rows, others)
		}
	}
	if !mine {
		return -1
	}
	far := make(map[*ir.Value]bool)
	k.across(a, rows, far)
	columns := 0
	for x := range far {
		if !others[x] && rowBytes(x) >= manyTimes*rowBytes(a) {
			columns += x.Width()
		}
	}
	return columns
}

// across adds to far what a loop over the edges of rows reads at their other ends to
// have a.
func (k *keeper) across(a *ir.Value, rows ir.Residency, far map[*ir.Value]bool) {
	seen := make(map[*ir.Value]bool)
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if home, kept := k.kept[v]; v.Res.IsVertex() && v.Res != rows {
			far[resolve(v)] = true
		} else if k.place[v] == inLoop && (!kept || home == rows) {
			for _, x := range v.Args {
				visit(x)
			}
		}
	}
	visit(a)
}
