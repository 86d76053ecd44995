package cc

// The phases of an edge loop.
//
// A value with few numbers an edge (a score) is best computed for LANES edges at a
// time, one with many (a message) an edge at a time, in vectors of columns. So a
// loop runs over blocks of a row's edges, and for each block in phases: even
// phases in vectors of edges, odd ones edge by edge. What a later phase or loop
// reads of an earlier one lies in scratch: arrays with a number for each edge of
// the block. A later loop finds what an earlier one left there, unless the row has
// more edges than a block; then it computes it again.
//
// If the narrow values have several heads, and so many divide LANES, then the heads
// of several edges stand side by side in a vector, as in memory. Otherwise each number
// of a value has a vector of its own.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const (
	narrowWidth = 4    // numbers an edge of what is computed in vectors of edges, at most, unless its rows fill them
	blockEdges  = 1024 // edges of a block
)

// loopPlan is what a loop does besides its reductions and stores.
type loopPlan struct {
	old   []*ir.Value // kept values of earlier loops, to compute again if the row has several blocks
	fresh []*ir.Value // values that become kept
}

// expensive are the ops that pay for a phase of their own.
var expensive = []ir.Op{
	ir.OpExp, ir.OpLog, ir.OpSqrt, ir.OpRsqrt, ir.OpRecip, ir.OpDiv, ir.OpPow, ir.OpPowOf, ir.OpElu, ir.OpErf, ir.OpGelu,
	ir.OpSilu, ir.OpSigmoid, ir.OpTanh, ir.OpSoftplus, ir.OpSin, ir.OpCos, ir.OpDropout,
}

// chooseLanes finds the values to compute in vectors of edges: narrow ones that
// are made of narrow ones, if they are expensive or lead to what is, or if a loop
// has nothing else.
func (k *kernel) chooseLanes() {
	k.lane = make(map[*ir.Value]bool)
	k.heads = k.chooseHeads()
	narrow := make(map[*ir.Value]bool) // may be computed so
	leads := make(map[*ir.Value]bool)  // to an expensive value
	k.allNarrow = true
	for _, l := range k.step.Loops {
		wide := slices.ContainsFunc(l.Reduce, func(v *ir.Value) bool { return !k.isNarrow(v.Args[0].Width()) })
		for _, v := range l.Edge {
			narrow[v] = k.mayLane(v, narrow)
			wide = wide || !narrow[v]
		}
		k.allNarrow = k.allNarrow && !wide
		for _, v := range slices.Backward(l.Edge) {
			leads[v] = leads[v] || slices.Contains(expensive, v.Op)
			k.lane[v] = narrow[v] && (k.lane[v] || leads[v] || !wide)
			for _, a := range v.Args {
				leads[a] = leads[a] || k.lane[v]
			}
		}
	}
	k.chooseWithDots(narrow)
	for _, l := range k.step.Loops { // what one of several loops found
		for _, v := range slices.Backward(l.Edge) {
			for _, a := range v.Args {
				k.lane[a] = k.lane[a] || k.lane[v] && narrow[a]
			}
		}
	}
}

// chooseWithDots adds to the values in vectors of edges what is cheap, but saves
// work edge by edge: what is made of dots, unless a wide value is made of it, whose
// operands would be read twice; and if there is any value in vectors of edges, all
// that can be computed before the first dot. Several heads side by side gain nothing
// by it.
func (k *kernel) chooseWithDots(narrow map[*ir.Value]bool) {
	if k.heads > 1 {
		return
	}
	dotted := make(map[*ir.Value]bool) // made of dots
	toWide := make(map[*ir.Value]bool) // a wide value or aggregate is made of it
	for _, l := range k.step.Loops {
		for _, v := range l.Reduce {
			toWide[k.base(v.Args[0])] = toWide[k.base(v.Args[0])] || !k.isNarrow(v.Width()) || v.Op != ir.OpSum && v.Op != ir.OpMax || v.Attr.Typed
		}
		for _, v := range slices.Backward(l.Edge) {
			for _, a := range v.Args {
				a = k.base(a)
				toWide[a] = toWide[a] || !narrow[v] || toWide[v]
			}
		}
		for _, v := range l.Edge {
			dotted[v] = slices.ContainsFunc(v.Args, func(a *ir.Value) bool { a = k.base(a); return dotted[a] || k.isDot(a) })
		}
	}
	any := false
	for _, lane := range k.lane {
		any = any || lane
	}
	for _, l := range k.step.Loops {
		for _, v := range l.Edge {
			twice := slices.ContainsFunc(v.Args, func(a *ir.Value) bool { a = k.base(a); return dotted[a] && !k.lane[a] })
			k.lane[v] = k.lane[v] || narrow[v] && dotted[v] && !toWide[v] && !twice
			any = any || k.lane[v]
		}
	}
	for _, l := range k.step.Loops {
		for _, v := range l.Edge {
			k.lane[v] = k.lane[v] || narrow[v] && any && !dotted[v]
		}
	}
}

// chooseHeads is the width of the kernel's expensive edge values, if rows of it fill
// vectors; else 1.
func (k *kernel) chooseHeads() int {
	for _, l := range k.step.Loops {
		for _, v := range l.Edge {
			if w := v.Width(); w > 1 && k.lanes%w == 0 && slices.Contains(expensive, v.Op) {
				return w
			}
		}
	}
	return 1
}

// isNarrow tells whether rows of a width can be in vectors of edges.
func (k *kernel) isNarrow(width int) bool {
	if k.heads > 1 {
		return width == k.heads
	}
	return width <= narrowWidth
}

// fits tells whether v can read x where edges stand side by side in a vector.
func (k *kernel) fits(x, v *ir.Value) bool {
	if k.isEdge(x) || k.heads == 1 {
		return x.Width() == v.Width() || k.heads == 1
	}
	memory := !k.isOwn(x.Res) && x.Res != ir.Edge && !x.Res.IsVertex() // by types: there is no such gather
	return !memory && (x.Width() == 1 || x.Width() == v.Width())
}

func (k *kernel) mayLane(v *ir.Value, narrow map[*ir.Value]bool) bool {
	if v.Type == ir.I32 || !k.isNarrow(v.Width()) {
		return false
	}
	switch v.Op.Info().Class {
	case ir.Elementwise:
	case ir.Layout:
		if v.Op == ir.OpMaxLast || v.Op == ir.OpFirstMax || k.heads > 1 {
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool {
		a = k.base(a)
		isNarrow := narrow[a] || !k.isEdge(a) && (k.isNarrow(a.Width()) || a.Width() == 1) || k.isDot(a)
		return a.Type == ir.I32 || !isNarrow || !k.fits(a, v)
	})
}

// isDot tells whether v is narrow although it is made of wide values: it may be
// kept, but is computed edge by edge.
func (k *kernel) isDot(v *ir.Value) bool {
	return k.isEdge(v) && v.Op == ir.OpReduceTo && k.isNarrow(v.Width()) && !k.isNarrow(v.Args[0].Width())
}

// mayKeep tells whether v can be in scratch.
func (k *kernel) mayKeep(v *ir.Value) bool { return k.lane[v] || k.isDot(v) }

// phases gives the earliest phase in which a value can be computed, if what done
// holds is in scratch; -1 for what needs none.
func (k *kernel) phases(done map[*ir.Value]bool) func(v *ir.Value) int {
	known := make(map[*ir.Value]int)
	var phase func(v *ir.Value) int
	phase = func(v *ir.Value) int {
		v = k.base(v)
		if !k.isEdge(v) || done[v] {
			return -1
		}
		p, ok := known[v]
		if !ok {
			p = -1
			for _, a := range v.Args {
				p = max(p, phase(a))
			}
			p = k.atLeast(p, k.lane[v])
			known[v] = p
		}
		return p
	}
	return phase
}

// atLeast is the first phase of a kind from p on.
func (k *kernel) atLeast(p int, lane bool) int {
	p = max(p, 0)
	if (p%2 == 0) != lane {
		p++
	}
	return p
}

// inLanes tells whether a reduction runs over vectors of edges.
func (k *kernel) inLanes(v *ir.Value) bool {
	a := k.base(v.Args[0])
	return v.Op != ir.OpArgmax && !v.Attr.Typed && k.isNarrow(a.Width()) && (k.lane[a] || !k.isEdge(a) && k.allNarrow && k.fits(a, v.Args[0]))
}

// schedule finds what each loop keeps.
func (k *kernel) schedule() []loopPlan {
	k.chooseLanes()
	k.chooseBeside()
	out := make([]loopPlan, len(k.step.Loops))
	before := make(map[*ir.Value]bool)
	for i, l := range k.step.Loops {
		s := &scheduler{kernel: k, loop: &out[i], before: before, seen: make(map[visit]bool)}
		s.phase, s.anew = k.phases(before), k.phases(nil)
		s.roots(l)
		for _, v := range s.loop.old {
			s.again(v)
		}
		for _, v := range s.computed {
			before[v] = true
		}
	}
	for i := range out { // whatever some loop has to keep, its first loop keeps
		fresh := out[i].fresh[:0]
		for _, v := range out[i].fresh {
			if _, keep := k.kept[v]; keep {
				fresh = append(fresh, v)
			}
		}
		out[i].fresh = fresh
	}
	return out
}

type visit struct {
	v     *ir.Value
	phase int
}

// scheduler walks what one loop needs.
type scheduler struct {
	*kernel
	loop     *loopPlan
	before   map[*ir.Value]bool // what earlier loops have computed and may have kept
	computed []*ir.Value        // what this loop computes and may keep
	seen     map[visit]bool

	phase, anew func(v *ir.Value) int // with and without what is kept
}

func (s *scheduler) roots(l *plan.Loop) {
	for _, v := range l.Reduce {
		s.visit(v.Args[0], s.atLeast(s.phase(v.Args[0]), s.inLanes(v)))
	}
	for _, st := range l.Stores {
		s.visit(st.Value, s.atLeast(s.phase(st.Value), false))
	}
	for _, t := range l.Totals {
		for _, a := range t.Value.Args {
			s.visit(a, s.atLeast(s.phase(a), false))
		}
	}
	s.loop.fresh = s.computed
}

// visit notes that a phase reads v.
func (s *scheduler) visit(v *ir.Value, phase int) {
	v = s.base(v)
	if !s.isEdge(v) || s.seen[visit{v, phase}] {
		return
	}
	s.seen[visit{v, phase}] = true
	if !s.mayKeep(v) {
		for _, a := range v.Args {
			s.visit(a, phase)
		}
		return
	}
	if s.before[v] {
		s.keep(v)
		if !slices.Contains(s.loop.old, v) {
			s.loop.old = append(s.loop.old, v)
		}
		return
	}
	own := s.phase(v)
	if own != phase {
		s.keep(v)
	}
	if !slices.Contains(s.computed, v) {
		s.computed = append(s.computed, v)
	}
	for _, a := range v.Args {
		s.visit(a, own)
	}
}

// again notes what computing v anew takes.
func (s *scheduler) again(v *ir.Value) {
	seen := make(map[visit]bool)
	var walk func(a *ir.Value, phase int)
	walk = func(a *ir.Value, phase int) {
		a = s.base(a)
		if !s.isEdge(a) || seen[visit{a, phase}] {
			return
		}
		seen[visit{a, phase}] = true
		if s.mayKeep(a) {
			own := s.anew(a)
			if own != phase {
				s.keep(a)
				if !slices.Contains(s.loop.old, a) {
					s.loop.old = append(s.loop.old, a)
				}
			}
			phase = own
		}
		for _, b := range a.Args {
			walk(b, phase)
		}
	}
	walk(v, s.anew(v))
}

// keep gives v its place in scratch.
func (s *scheduler) keep(v *ir.Value) {
	if _, has := s.kept[v]; !has {
		s.kept[v] = s.arrays
		s.arrays += v.Width()
	}
}
