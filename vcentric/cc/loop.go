package cc

// The text of an edge loop.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// work is what a loop does in its phases.
type work struct {
	saves  []*ir.Value // to scratch
	reduce []*ir.Value
	stores []plan.Store
	totals []plan.Sum
	dots   []dot // that are saved, but summed up for groups of edges
}

// loop writes a loop over the edges of a row, in blocks if it uses scratch. What
// edges read of their row is declared before it.
func (k *kernel) loop(l *plan.Loop, p loopPlan) {
	t := &text{depth: k.rows.text.depth}
	reducers := make(map[*ir.Value]reducer)
	for _, v := range l.Reduce {
		reducers[v] = k.reducer(v, l)
		reducers[v].declare(t)
	}
	if k.arrays > 0 {
		t.open("for (int64_t at = begin; at < end; at += %d)", blockEdges)
		t.line("const int64_t n = end - at < %d ? end - at : %d;", blockEdges, blockEdges)
	} else {
		t.line("{")
		t.depth++
		t.line("const int64_t at = begin, n = end - begin;")
	}
	k.ready = make(map[*ir.Value]bool)
	if len(p.old) > 0 {
		t.open("if (end - begin > %d)", blockEdges)
		k.inPhases(t, work{saves: p.old}, nil)
		t.close()
	}
	for _, v := range p.old {
		k.ready[v] = true
	}
	k.inPhases(t, work{saves: p.fresh, reduce: l.Reduce, stores: l.Stores, totals: l.Totals}, reducers)
	k.ready = make(map[*ir.Value]bool)
	t.close()
	k.rows.text.add(t)
	for _, v := range l.Reduce {
		k.rows.have[v] = reducers[v].result(k.rows)
	}
}

// inPhases sorts work into phases and writes them in order.
func (k *kernel) inPhases(t *text, w work, reducers map[*ir.Value]reducer) {
	done := make(map[*ir.Value]bool)
	for v := range k.ready {
		done[v] = true
	}
	phase := k.phases(done)
	var phases []work
	at := func(p int) *work {
		for len(phases) <= p {
			phases = append(phases, work{})
		}
		return &phases[p]
	}
	for _, v := range w.saves {
		p := at(phase(v))
		p.saves = append(p.saves, v)
	}
	for _, v := range w.reduce {
		p := at(k.atLeast(phase(v.Args[0]), k.inLanes(v)))
		p.reduce = append(p.reduce, v)
	}
	for _, s := range w.stores {
		p := at(k.atLeast(phase(s.Value), false))
		p.stores = append(p.stores, s)
	}
	for _, s := range w.totals {
		last := -1
		for _, a := range s.Value.Args {
			last = max(last, phase(a))
		}
		p := at(k.atLeast(last, false))
		p.totals = append(p.totals, s)
	}
	for i, w := range phases {
		switch {
		case len(w.saves)+len(w.reduce)+len(w.stores)+len(w.totals) == 0:
		case i%2 == 0:
			k.lanePhase(t, w, reducers)
		default:
			k.edgePhase(t, w, reducers)
		}
		for _, v := range w.saves {
			k.ready[v] = true
		}
	}
}

// lanePhase computes several edges at a time.
func (k *kernel) lanePhase(t *text, w work, reducers map[*ir.Value]reducer) {
	t.open("for (int64_t i = 0; i < n; i += %d)", k.lanes/k.heads)
	s := &lanes{kernel: k, text: t, have: make(map[*ir.Value][]string)}
	if len(w.reduce) > 0 {
		left := "n - i"
		if k.heads > 1 {
			left = times("(n - i)", k.heads)
		}
		t.line("const VI in = first(%s);", left)
	}
	for _, v := range w.saves {
		for c, reg := range s.value(v) {
			t.line("store(%s, %s);", k.place(v, c), reg)
		}
	}
	for _, v := range w.reduce {
		reducers[v].block(s)
	}
	t.close()
}

// edgePhase computes an edge at a time, in groups if that helps to sum up dots.
func (k *kernel) edgePhase(t *text, w work, reducers map[*ir.Value]reducer) {
	dots := k.dotsInGroups(w)
	if len(dots) == 0 {
		k.edges(t, w, reducers, "0", "n")
		return
	}
	first := k.name("g")
	for i, d := range dots {
		dots[i].first = first
		k.once.line("V %s[%d] = {0};", d.parts, k.lanes) // of edges beyond the last, nobody looks at the sums
		w.saves = slices.DeleteFunc(slices.Clone(w.saves), func(v *ir.Value) bool { return v == d.v })
	}
	w.dots = dots
	t.open("for (int64_t %[1]s = 0; %[1]s < n; %[1]s += %[2]d)", first, k.lanes)
	end := first + "_end"
	t.line("const int64_t %s = %s + %d < n ? %s + %d : n;", end, first, k.lanes, first, k.lanes)
	k.edges(t, w, reducers, first, end)
	t.line("const int64_t i = %s;", first)
	for _, d := range dots {
		t.line("store(%s, sums(%s));", k.place(d.v, 0), d.parts)
	}
	t.close()
}

// edges computes a range of the edges, one at a time. Few accumulators would wait
// for themselves: then there are several sets of them, which take turns.
func (k *kernel) edges(t *text, w work, reducers map[*ir.Value]reducer, from, to string) {
	sets := 1
	for _, v := range w.reduce {
		sets = max(sets, reducers[v].sets)
	}
	if sets == 1 {
		t.open("for (int64_t i = %s; i < %s; i++)", from, to)
		k.edge(t, w, reducers, 0)
		t.close()
		return
	}
	next := k.name("i")
	t.line("int64_t %s = %s;", next, from)
	t.open("for (; %s + %d <= %s; %s += %d)", next, sets, to, next, sets)
	for set := range sets {
		t.line("{")
		t.depth++
		t.line("const int64_t i = %s;", plus(next, set))
		k.edge(t, w, reducers, set)
		t.close()
	}
	t.close()
	t.open("for (int64_t i = %s; i < %s; i++)", next, to)
	k.edge(t, w, reducers, 0)
	t.close()
}

// edge writes what is done for one edge.
func (k *kernel) edge(t *text, w work, reducers map[*ir.Value]reducer, set int) {
	s := newColumns(k, k.rows, t)
	s.edge = true
	for _, v := range w.saves {
		x := s.value(v)
		if k.heads > 1 {
			t.line("%s", k.stored(k.place(v, 0), x.reg(0), v.Width()))
			continue
		}
		for c := range v.Width() {
			reg, lane := x.regs[0], 0
			if !x.uniform {
				reg, lane = x.regs[c/k.lanes], c%k.lanes
			}
			t.line("*(%s) = %s[%d];", k.place(v, c), reg, lane)
		}
	}
	for _, v := range w.reduce {
		reducers[v].edge(s, set)
	}
	for _, st := range w.stores {
		s.store(st.Value, st.Buffer, s.rowIn(st.Buffer, ir.Edge))
	}
	for _, sum := range w.totals {
		k.total(s, sum)
	}
	for _, d := range w.dots {
		d.edge(s)
	}
}

// total adds a value to its sum over all rows or edges.
func (k *kernel) total(s *columns, sum plan.Sum) {
	v := sum.Value
	width, to := v.Width(), v.Attr.To
	offset, declared := k.offsets[v]
	if !declared {
		offset = k.sums
		k.offsets[v] = offset
		k.sums += width * k.typesOf(to)
	}
	x := s.value(v.Args[0])
	for j := range k.vectors(width) {
		at := plus("a->sums", offset+j*k.lanes)
		if to != ir.Param {
			at += " + " + times(s.row(to), width)
		}
		if to == ir.Param {
			name := fmt.Sprintf("sum%d_%d", v.ID, j)
			if !declared {
				k.once.line("V %s = ZERO;", name)
				k.end.line("%s", k.added(at, name, width-j*k.lanes))
			}
			s.text.line("%s += %s;", name, x.reg(j))
		} else {
			s.text.line("%s", k.added(at, x.reg(j), width-j*k.lanes))
		}
	}
}

// added is the text that adds a vector to the n numbers, or LANES, at a place.
func (k *kernel) added(at, reg string, n int) string {
	return k.stored(at, k.loaded(at, 0, n)+" + "+reg, n)
}

// stored is the text that writes n numbers, or LANES, to a place.
func (k *kernel) stored(at, expr string, n int) string {
	if n < k.lanes {
		return fmt.Sprintf("storen(%s, %s, %d);", at, expr, n)
	}
	return fmt.Sprintf("store(%s, %s);", at, expr)
}

func (k *kernel) typesOf(to ir.Residency) int {
	if to == ir.Param {
		return 1
	}
	return k.plan.Program.Types.Of(to)
}

// place is where scratch has number c of a kept value for the edge, or the first of
// the edges, at hand.
func (k *kernel) place(v *ir.Value, c int) string {
	return plus("s", (k.kept[v]+c)*blockEdges) + " + " + times("i", k.heads)
}
