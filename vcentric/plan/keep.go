package plan

// Keeping: edge values that are narrow, but for which a loop would have to gather wide
// rows, are computed by the loops of one side and read from memory by those of the other.

import (
	"cmp"
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
	k := newKeeper(c)
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
			k.keepAt(a, ir.Src)
		case out > in && c.decide(KeepEdgeValue, a, true, k.reason(a, out)):
			k.keepAt(a, ir.Dst)
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
		in, _ := k.across(a, nil, ir.Dst)
		out, _ := k.across(a, nil, ir.Src)
		both := make([]*ir.Value, 0, len(in))
		for x := range in {
			if out[x] && k.canBeKept(x) {
				both = append(both, x)
			}
		}
		slices.SortFunc(both, func(x, y *ir.Value) int { return cmp.Compare(y.ID, x.ID) })
		for _, x := range both {
			if k.keepFor(a, x) {
				break
			}
		}
	}
}

// keepFor keeps x and a, which is made of x and waits for its sum, if that spares a gather.
func (k *keeper) keepFor(a, x *ir.Value) bool {
	for _, home := range []ir.Residency{ir.Src, ir.Dst} {
		before, kept := k.kept[x] // for another value
		if kept && home != before || !k.waits(a, x, home.Other()) {
			continue
		}
		if !kept {
			columns := k.spared(x, home.Other())
			if columns <= 0 || !k.decide(KeepEdgeValue, x, true, k.reason(x, columns)) {
				continue
			}
			k.keepAt(x, home)
		}
		if k.decide(KeepEdgeValue, a, true, fmt.Sprintf("%d B an edge in memory, since it waits for a sum of %%%d", rowBytes(a), x.ID)) {
			k.keepAt(a, home.Other())
		}
		return true
	}
	return false
}

// spared is the columns of rows, many times wider than x, that loops over the edges of
// rows gather on the way to x alone; -1 if they do not want x.
func (k *keeper) spared(x *ir.Value, rows ir.Residency) int {
	l := k.loops[rows]
	roots := l.meet[x]
	if len(roots) == 0 {
		return -1
	}
	left := make(map[*ir.Value]int) // how many roots read what these read, with x in memory
	read := make(map[*ir.Value]int) // columns of it
	for _, r := range roots {
		for y, columns := range l.far[r] {
			if _, ok := left[y]; !ok {
				left[y] = l.readers[y]
			}
			left[y]--
			read[y] = max(read[y], columns)
		}
	}
	for _, r := range roots {
		_, far := k.across(r, x, rows)
		for y := range far {
			left[y]++
		}
	}
	columns := 0
	for y, n := range left {
		if n == 0 && read[y]*y.Type.Size() >= manyTimes*rowBytes(x) {
			columns += read[y]
		}
	}
	return columns
}

// waits tells whether a is made of a sum over the edges of rows that is made of x. It goes
// from x to what is made of it: what a is made of may be most of the program.
func (k *keeper) waits(a, x *ir.Value, rows ir.Residency) bool {
	const direct, throughSum = 1, 2
	seen := make(map[*ir.Value]int) // the ways on which a value was met
	var visit func(v *ir.Value, summed bool) bool
	visit = func(v *ir.Value, summed bool) bool {
		if v.ID >= a.ID {
			return v == a && summed
		}
		summed = summed || v.Op.Info().Class == ir.Aggregate && v.Res == rows
		way := direct
		if summed {
			way = throughSum
		}
		if seen[v]&way != 0 {
			return false
		}
		seen[v] |= way
		return slices.ContainsFunc(k.users[v], func(u *ir.Value) bool { return visit(u, summed) })
	}
	return visit(x, false)
}

// keeper knows what the loops of each side are for, and what they read.
type keeper struct {
	*placer
	roots map[ir.Residency][]*ir.Value
	loops map[ir.Residency]*loops
	users map[*ir.Value][]*ir.Value
}

// loops are the ways to the roots of one side, with what is kept so far in memory.
type loops struct {
	meet    map[*ir.Value][]*ir.Value       // the roots that a value is on the way to
	far     map[*ir.Value]map[*ir.Value]int // what is read at the other ends to have a root, and columns of it
	readers map[*ir.Value]int               // how many roots a value is read for
}

func newKeeper(c *placer) *keeper {
	k := &keeper{c, edgeRoots(c.prog), make(map[ir.Residency]*loops), make(map[*ir.Value][]*ir.Value)}
	for _, v := range c.prog.Values {
		for _, a := range v.Args {
			k.users[a] = append(k.users[a], v)
		}
	}
	for _, rows := range []ir.Residency{ir.Src, ir.Dst} {
		k.loops[rows] = &loops{make(map[*ir.Value][]*ir.Value), make(map[*ir.Value]map[*ir.Value]int), make(map[*ir.Value]int)}
		for _, r := range k.roots[rows] {
			if k.loops[rows].far[r] == nil {
				k.walk(r, rows)
			}
		}
	}
	return k
}

// walk notes the way to a root.
func (k *keeper) walk(root *ir.Value, rows ir.Residency) {
	l := k.loops[rows]
	met, far := k.across(root, nil, rows)
	for v := range met {
		l.meet[v] = append(l.meet[v], root)
	}
	for y := range far {
		l.readers[y]++
	}
	l.far[root] = far
}

// keepAt keeps v, computed by the loops over the edges of home: those of the other side
// read it, and go no further.
func (k *keeper) keepAt(v *ir.Value, home ir.Residency) {
	rows := home.Other()
	l := k.loops[rows]
	roots := slices.Clone(l.meet[v])
	for _, r := range roots { // while it is as it was walked
		met, far := k.across(r, nil, rows)
		for x := range met {
			l.meet[x] = slices.DeleteFunc(l.meet[x], func(y *ir.Value) bool { return y == r })
		}
		for y := range far {
			l.readers[y]--
		}
	}
	k.kept[v] = home
	for _, r := range roots {
		k.walk(r, rows)
	}
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

// across is what a loop over the edges of rows meets to have a, if x is in memory, and
// what it reads at their other ends: of rows with a part for each type, one part.
func (k *keeper) across(a, x *ir.Value, rows ir.Residency) (met map[*ir.Value]bool, far map[*ir.Value]int) {
	met, far = make(map[*ir.Value]bool), make(map[*ir.Value]int)
	isFar := func(v *ir.Value) bool { return v.Res.IsVertex() && v.Res != rows }
	read := func(v *ir.Value, columns int) { far[resolve(v)] = max(far[resolve(v)], columns) }
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if met[v] {
			return
		}
		met[v] = true
		if home, kept := k.kept[v]; isFar(v) {
			read(v, v.Width())
		} else if v.Op == ir.OpPick && isFar(v.Args[0]) {
			read(v.Args[0], v.Width())
		} else if k.place[v] == inLoop && v != x && (!kept || home == rows) {
			for _, x := range v.Args {
				visit(x)
			}
		}
	}
	visit(a)
	return met, far
}
