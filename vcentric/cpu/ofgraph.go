package cpu

// Values of the graph. What comes of the degrees alone, as 1/sqrt(d) does, is the same in every run
// on a graph. A large graph that is walked often keeps such values of its vertices, which then
// are not computed again, and those that sums over edges weigh rows of the other end by also in
// the order of the edges, where they are read side by side: a number a vertex, and one an edge.
// Results are the same, bit by bit. What a graph has no room for is computed. Programs with kernels
// in native code, which compute such values within rounding of these, have none kept.

import (
	"math"
	"slices"
	"sync"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// ofGraph is a value of the graph that a kernel would have it keep.
type ofGraph struct {
	value   *ir.Value
	text    string // ir.Value.OfGraph
	atEdges bool   // in the order in which the kernel walks them, that of each one's other end
}

// ofGraphKey is what a graph keeps a value by; csr is the list of edges, nil for one of vertices.
type ofGraphKey[T kern.Float] struct {
	text string
	csr  *graph.CSR
}

// keep notes a value of the graph, and returns its number among the kernel's; -1 for another value.
func (c *compiler[T]) keep(v *ir.Value, atEdges bool) int {
	text, ok := v.OfGraph()
	if !ok {
		return -1
	}
	o := ofGraph{v, text, atEdges}
	for n, old := range c.ofGraph {
		if old.text == text && old.atEdges == atEdges {
			return n
		}
	}
	c.ofGraph = append(c.ofGraph, o)
	return len(c.ofGraph) - 1
}

// weightOfGraph is the number of the weight that a sum reads beside its rows, -1 if that is none of
// the graph's.
func (c *compiler[T]) weightOfGraph(s *scaledSum[T], weight *ir.Value) int {
	if !s.byFactors() || s.types != 0 {
		return -1
	}
	return c.keep(c.base(weight), true)
}

// weightsOfGraph returns a sum's weights of the tile's edges side by side, nil if the graph does not
// keep them so.
func (w *worker[T]) weightsOfGraph(s *scaledSum[T]) []T {
	if s.ofGraph < 0 || w.ofGraph == nil || w.ofGraph[s.ofGraph] == nil || w.found != nil {
		return nil
	}
	return w.ofGraph[s.ofGraph][w.begin:][:w.edges]
}

// mostKept is how many different values of its vertices a graph keeps. Models have two or three; but a
// program whose constants change from run to run has others each time.
const mostKept = 16

// keptTexts are the texts of the values that a graph keeps of a number type.
type keptTexts[T kern.Float] struct {
	mu    sync.Mutex
	texts map[string]bool
}

// keptTextsKey is what a graph keeps them by.
type keptTextsKey[T kern.Float] struct{}

// keeps tells whether the graph keeps the kernel's values, all of them.
func (k *kernel[T]) keeps(r *run[T]) bool {
	if !r.often || !k.wantsKept(r.prog, r.g) {
		return false
	}
	kept := r.g.Keep(keptTextsKey[T]{}, func() any { return &keptTexts[T]{texts: make(map[string]bool)} }).(*keptTexts[T])
	return kept.admit(k.ofGraph)
}

// admit lists values, unless there are too many then.
func (t *keptTexts[T]) admit(values []ofGraph) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	var others []string
	for _, o := range values {
		if !t.texts[o.text] && !slices.Contains(others, o.text) {
			others = append(others, o.text)
		}
	}
	if len(t.texts)+len(others) > mostKept {
		return false
	}
	for _, text := range others {
		t.texts[text] = true
	}
	return true
}

// wantsKept tells whether the kernel would have the graph keep values.
func (k *kernel[T]) wantsKept(x *Program[T], g *graph.Graph) bool {
	return len(k.ofGraph) > 0 && g.NumEdges() >= x.large
}

// keptOfGraph returns the kernel's values of the graph, each in its order; nil if it keeps none.
func (k *kernel[T]) keptOfGraph(r *run[T], csr *graph.CSR) [][]T {
	if !k.keeps(r) {
		return nil
	}
	lists := make([][]T, len(k.ofGraph))
	for n, o := range k.ofGraph {
		rows := r.atVertices(o)
		switch {
		case !o.atEdges:
			lists[n] = rows
			continue
		case len(csr.Neighbors) < r.prog.perRow*csr.NumRows():
			continue
		}
		lists[n] = r.g.Keep(ofGraphKey[T]{o.text, csr}, func() any {
			list := make([]T, len(csr.Neighbors))
			r.prog.set.GatherRows(list, rows, 1, csr.Neighbors)
			return list
		}).([]T)
	}
	return lists
}

// atVertices returns a value of the graph's vertices: by a program of its own, whose instructions are
// those of any other.
func (r *run[T]) atVertices(o ofGraph) []T {
	return r.g.Keep(ofGraphKey[T]{o.text, nil}, func() any {
		b := ir.NewBuilder("of the graph", r.prog.plan.Program.Type, r.prog.plan.Program.Bipartite)
		b.Output("out", copyOf(b, o.value))
		p := plan.Build(b.Program())
		x := Compile[T](p)
		x.patience = math.MaxInt64
		mem := &Memory[T]{Floats: make([][]T, len(p.Buffers))}
		for i, buf := range p.Buffers {
			mem.Floats[i] = make([]T, r.rows(buf.Res)*buf.Width())
		}
		x.Run(r.g, mem, Options{Threads: r.Threads})
		return mem.Floats[p.Outputs[0].Index]
	}).([]T)
}

// copyOf appends a value and what it comes of to another program.
func copyOf(b *ir.Builder, v *ir.Value) *ir.Value {
	args := make([]*ir.Value, len(v.Args))
	for n, a := range v.Args {
		args[n] = copyOf(b, a)
	}
	return b.Op(v.Op, v.Attr, args...)
}

// rowsOfGraph is the values of the graph that a kernel has at its rows: those that are kept if it
// keeps any, else by their instructions.
type rowsOfGraph[T kern.Float] struct {
	compute []instr[T]
	kept    []rowOfGraph[T] // those that others read
}

// rowsOfGraph returns the tile's rows of a register that the graph keeps side by side, else nil.
func (w *worker[T]) rowsOfGraph(o *operand[T]) []T {
	if o.kept == 0 || w.ofGraph == nil || w.vertices != nil {
		return nil
	}
	return w.ofGraph[o.kept-1][w.vertex:][:w.rows]
}

type rowOfGraph[T kern.Float] struct {
	dst    operand[T]
	number int // among the kernel's
}

func (i *rowsOfGraph[T]) exec(w *worker[T]) {
	if w.ofGraph == nil {
		execAll(w, i.compute)
		return
	}
	for n := range i.kept {
		o := &i.kept[n]
		if w.rowsOfGraph(&o.dst) != nil {
			continue // who reads it reads it there
		}
		dst, rows := w.own(&o.dst), w.ofGraph[o.number]
		if w.vertices != nil {
			w.set.GatherRows(dst, rows, 1, w.vertices)
		} else {
			copy(dst, rows[w.vertex:])
		}
	}
}

// before compiles what a kernel computes of its rows before its loops, the graph's values first.
func (c *compiler[T]) before(values []*ir.Value) []instr[T] {
	i := new(rowsOfGraph[T])
	var chain, others []*ir.Value
	within := make(map[*ir.Value]int) // how often the chain reads a value
	for _, v := range values {
		if _, ok := v.OfGraph(); !ok {
			others = append(others, v)
			continue
		}
		chain = append(chain, v)
		for _, a := range v.Args {
			within[a]++
		}
	}
	i.compute = c.instrs(overRows, chain)
	if len(i.compute) < 2 { // a degree is as fast as a copy of it
		return append(i.compute, c.instrs(overRows, others)...)
	}
	for _, v := range chain {
		if c.uses[v] > within[v] && !c.inside[v] {
			o, n := c.place[v], c.keep(v, false)
			if o.place == ownRegister {
				o.kept = n + 1
			}
			i.kept = append(i.kept, rowOfGraph[T]{*o, n})
		}
	}
	return append([]instr[T]{i}, c.instrs(overRows, others)...)
}

// lends has the steps behind a kernel read the values that the graph keeps where they would read
// what it writes, if that is all it does, and they alone read it.
func (k *kernel[T]) lends(r *run[T]) bool {
	if len(k.lent) == 0 || !k.keeps(r) {
		return false
	}
	for _, l := range k.lent {
		r.own = append(r.own, ownList[T]{l.dst.buffer, r.mem.Floats[l.dst.buffer]})
		r.mem.Floats[l.dst.buffer] = r.atVertices(k.ofGraph[l.number])
	}
	return true
}

// ownList is a list of the caller's memory, in whose place is one of the graph's for a run.
type ownList[T kern.Float] struct {
	buffer int
	list   []T
}

// giveOwn gives the caller's memory its lists back: another run may write to them.
func (r *run[T]) giveOwn() {
	for _, own := range r.own {
		r.mem.Floats[own.buffer] = own.list
	}
}

// lent are the values that a kernel that does nothing else computes of the graph, nil if there is
// anything else to it.
func (c *compiler[T]) lent(k *kernel[T], p *plan.Kernel) []rowOfGraph[T] {
	if len(k.pre) != 1 || len(k.loops)+len(k.stores)+len(k.sums) > 0 {
		return nil
	}
	i, ok := k.pre[0].(*rowsOfGraph[T])
	if !ok || slices.ContainsFunc(p.Stores, func(s plan.Store) bool { return s.Buffer.Role != plan.Temp }) {
		return nil
	}
	for _, o := range i.kept {
		if o.dst.place != ownBuffer {
			return nil
		}
	}
	return i.kept
}
