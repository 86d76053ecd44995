package plan

// Fusion: which values are computed by the same kernel.
//
// Row values (those of vertices, params and types) are what kernels compute; edge
// values are computed inside the loops of whichever kernel needs them. Two row
// values can share a kernel when each needs of the other only its own row. What
// is read across an edge, as a matrix, by a step or from another side's rows must
// be complete first: it is computed at an earlier stage. A stage and a row
// domain name a kernel.

import (
	"github.com/asterias-ml/asterias/vcentric/ir"
)

type fuser struct {
	prog   *ir.Program
	place  map[*ir.Value]place
	pinned map[*ir.Value]bool         // products that must stay with their operands
	kept   map[*ir.Value]ir.Residency // edge values in memory, and the rows whose loops compute them
	home   map[*ir.Value]ir.Residency // of sums over edges: the rows whose edges are met
	stage  map[*ir.Value]int
	ready  map[edgeIn]int // memo of edgeReady
	needs  map[edgeIn]map[*ir.Value]bool

	notBefore map[*ir.Value]int // stages for which delayLoops has values wait
}

// edgeIn is an edge value as the kernels of one row domain see it.
type edgeIn struct {
	v    *ir.Value
	rows ir.Residency
}

// stages gives each computed value its stage; leaves and what is read from memory
// from the start have none.
func stages(places *placer) *fuser {
	f := &fuser{
		prog: places.prog, place: places.place, pinned: places.pinned, kept: places.kept,
		stage: make(map[*ir.Value]int),
		needs: make(map[edgeIn]map[*ir.Value]bool),

		notBefore: make(map[*ir.Value]int),
	}
	f.home = f.homes()
	f.restage()
	f.sink()
	f.ready = make(map[edgeIn]int) // stages have moved since
	return f
}

// restage puts every value to its earliest stage.
func (f *fuser) restage() {
	f.ready = make(map[edgeIn]int)
	for _, v := range f.prog.Values {
		if f.isComputed(v) {
			f.stage[v] = max(f.earliest(v), f.notBefore[v])
		}
	}
}

// Row is the value whose row v is: v itself unless v only reshapes it, which no
// step does.
func Row(v *ir.Value) *ir.Value {
	for v.Op == ir.OpReshape && v.Res != ir.Edge {
		v = v.Args[0]
	}
	return v
}

// resolve is the value whose memory v shares: what a view, a stack of types or a
// reshape sees.
func resolve(v *ir.Value) *ir.Value {
	for v.Op.Info().Class == ir.Alias || v.Op == ir.OpReshape && v.Res != ir.Edge {
		v = v.Args[0]
	}
	return v
}

// isComputed tells whether some one step computes v, in contrast to inputs,
// constants, views, and the values of edge loops.
func (f *fuser) isComputed(v *ir.Value) bool { return f.place[v] >= inRow }

// inKernel tells whether v is in the registers of the kernel that computes it.
func (f *fuser) inKernel(v *ir.Value) bool { return f.place[v] == inRow }

// meetsEdges tells whether v is computed by a loop over edges.
func (f *fuser) meetsEdges(v *ir.Value) bool {
	return v.Op.Info().Class == ir.Aggregate || f.place[v] == inTotals && v.Level() == ir.Edge
}

// domain is the row domain of the kernel that computes v.
func (f *fuser) domain(v *ir.Value) ir.Residency {
	if f.place[v] != inTotals {
		return v.Res
	}
	if home, ok := f.home[v]; ok {
		return home
	}
	return v.Level()
}

// edgeHome is the row domain of the loops that store the edge value a.
func (f *fuser) edgeHome(a *ir.Value) ir.Residency {
	if home, ok := f.kept[a]; ok {
		return home
	}
	return ir.Dst
}

// computes tells whether loops over the edges of rows compute a; if not, they read it.
func (f *fuser) computes(rows ir.Residency, a *ir.Value) bool {
	home, kept := f.kept[a]
	return f.place[a] == inLoop && (!kept || home == rows)
}

// homes chooses for every sum over edges the direction whose loops compute most
// of its operands anyway; the in-edges if that is even.
func (f *fuser) homes() map[*ir.Value]ir.Residency {
	roots := edgeRoots(f.prog)
	in, out := f.loopValues(ir.Dst, roots[ir.Dst]), f.loopValues(ir.Src, roots[ir.Src])
	homes := make(map[*ir.Value]ir.Residency)
	for _, v := range f.prog.Values {
		if f.place[v] == inTotals && v.Level() == ir.Edge {
			homes[v] = ir.Dst
			if shared(f.loopValues(ir.Src, v.Args), out) > shared(f.loopValues(ir.Dst, v.Args), in) {
				homes[v] = ir.Src
			}
		}
	}
	return homes
}

// edgeRoots lists what the loops over the edges of each side are for: what is
// aggregated there, and, over in-edges, the edge values that are outputs.
func edgeRoots(p *ir.Program) map[ir.Residency][]*ir.Value {
	roots := make(map[ir.Residency][]*ir.Value)
	for _, v := range p.Values {
		if v.Op.Info().Class == ir.Aggregate {
			roots[v.Res] = append(roots[v.Res], v.Args[0])
		}
	}
	for _, o := range p.Outputs {
		roots[ir.Dst] = append(roots[ir.Dst], o.Value)
	}
	return roots
}

// shared is the work that two loops have in common.
func shared(x, y []*ir.Value) int {
	in := make(map[*ir.Value]bool, len(x))
	for _, v := range x {
		in[v] = true
	}
	n := 0
	for _, v := range y {
		if in[v] {
			n += work(v)
		}
	}
	return n
}

// work is the number of multiplications or the like that a row of v takes.
func work(v *ir.Value) int {
	if v.Op.Info().Class == ir.Dense {
		x := v.Args[0].Shape
		return v.Width() * x[len(x)-1]
	}
	return v.Width()
}

// earliest is the first stage at which v can be computed.
func (f *fuser) earliest(v *ir.Value) int {
	s := 0
	for _, a := range v.Args {
		switch {
		case f.place[v] == ownStep:
			s = max(s, f.complete(a))
		case f.meetsEdges(v):
			s = max(s, f.edgeReady(a, f.domain(v)))
		default:
			s = max(s, f.rowReady(a, f.domain(v)))
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
	if f.place[a] == inLoop { // a kernel must store it
		return f.edgeReady(a, f.edgeHome(a)) + 1
	}
	return 0
}

// rowReady is the first stage at which a kernel over rows can read its own row
// of a.
func (f *fuser) rowReady(a *ir.Value, rows ir.Residency) int {
	a = Row(a)
	if s, ok := f.stage[a]; ok && f.inKernel(a) && f.domain(a) == rows {
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
	if !f.computes(rows, a) {
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
