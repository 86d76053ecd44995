package plan

// The layout of a kernel: what comes before, in, between and after its loops.

import "github.com/asterias-ml/asterias/vcentric/ir"

// loops lays out a kernel: which row values come before, between and after its
// edge loops, which edge values each loop needs, and what is summed where.
func (b *builder) loops(g *group) {
	own := make(map[*ir.Value]bool, len(g.rowValues))
	for _, v := range g.rowValues {
		own[v] = true
	}
	wait := func(roots ...*ir.Value) int { // the loop that must be over before the edges can be met for the roots
		l := 0
		for _, a := range roots {
			for c := range b.fuse.reach(a, g.kernel.Rows) {
				if own[c] {
					l = max(l, g.level[c])
				}
			}
		}
		return l
	}
	for _, v := range g.rowValues {
		if v.Op.Info().Class == ir.Aggregate {
			g.level[v] = wait(v.Args[0]) + 1
			lp := g.loop(g.level[v])
			lp.Reduce = append(lp.Reduce, v)
			continue
		}
		l := 0
		for _, a := range v.Args {
			if a = Row(a); own[a] {
				l = max(l, g.level[a])
			}
		}
		g.level[v] = l
		if l == 0 {
			g.kernel.Pre = append(g.kernel.Pre, v)
		} else {
			g.loop(l).Post = append(g.loop(l).Post, v)
		}
	}
	roots := make([][]*ir.Value, len(g.kernel.Loops)) // of the edge values of each loop
	for i, lp := range g.kernel.Loops {
		for _, v := range lp.Reduce {
			roots[i] = append(roots[i], v.Args[0])
		}
	}
	join := func(v *ir.Value, needs []*ir.Value) *Loop {
		l := b.choose(g.kernel.Rows, roots, needs, wait(needs...)+1)
		lp := g.loop(l)
		for len(roots) < l {
			roots = append(roots, nil)
		}
		g.level[v] = l
		roots[l-1] = append(roots[l-1], needs...)
		return lp
	}
	for _, v := range g.edgeStores {
		join(v, []*ir.Value{v})
	}
	for _, v := range g.sums {
		sum := Sum{Value: v, Out: b.plan.bufferOf[v]}
		if v.Level() == ir.Edge {
			lp := join(v, v.Args)
			lp.Totals = append(lp.Totals, sum)
		} else {
			g.kernel.Totals = append(g.kernel.Totals, sum)
		}
	}
	for i, lp := range g.kernel.Loops {
		lp.Edge = b.fuse.loopValues(g.kernel.Rows, roots[i])
	}
}

// loop is the kernel's loop number l, counted from 1.
func (g *group) loop(l int) *Loop {
	for len(g.kernel.Loops) < l {
		g.kernel.Loops = append(g.kernel.Loops, &Loop{})
	}
	return g.kernel.Loops[l-1]
}

// choose is the loop of a kernel over rows, no earlier than first, that computes most of
// what more roots need; loops are described by their roots.
func (b *builder) choose(rows ir.Residency, loops [][]*ir.Value, more []*ir.Value, first int) int {
	best, most := first, 0
	needed := b.fuse.loopValues(rows, more)
	for l := first; l <= len(loops); l++ {
		if n := shared(b.fuse.loopValues(rows, loops[l-1]), needed); n > most {
			best, most = l, n
		}
	}
	return best
}
