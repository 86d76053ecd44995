package cpu

// What the tests share: graphs, random inputs on poisoned memory, and the
// comparison with the reference interpreter.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// edges is a graph before it is built.
type edges struct {
	name      string
	src, dst  int // vertices
	from, to  []int32
	bipartite bool

	types                     ir.Types
	srcType, dstType, ofTypes []int32 // of the vertices; of the edges
}

func (e edges) structure() *ir.Structure {
	return &ir.Structure{
		NumSrc: e.src, NumDst: e.dst, Src: e.from, Dst: e.to,
		Types: e.types, SrcTypes: e.srcType, DstTypes: e.dstType, EdgeTypes: e.ofTypes,
	}
}

// withTypes gives vertices and edges types, some of which stay without any.
func (e edges) withTypes(types ir.Types) edges {
	r := rand.New(rng.NewStream(3, uint64(len(e.from))))
	draw := func(n, types int) []int32 {
		if types == 0 {
			return nil
		}
		out := make([]int32, n)
		for i := range out {
			if out[i] = int32(r.IntN(types)); types > 2 && out[i] == 1 {
				out[i] = 2
			}
		}
		return out
	}
	e.name += " with types"
	e.types = types
	e.srcType, e.ofTypes = draw(e.src, types.Src), draw(len(e.from), types.Edge)
	e.dstType = e.srcType
	if e.bipartite {
		e.dstType = draw(e.dst, types.Dst)
	}
	return e
}

func (e edges) build(t testing.TB) *graph.Graph {
	t.Helper()
	var opts []graph.Option
	if e.types.Edge > 0 {
		opts = append(opts, graph.WithEdgeTypes(e.ofTypes, e.types.Edge))
	}
	if e.types.Src > 0 && !e.bipartite {
		opts = append(opts, graph.WithVertexTypes(e.srcType, e.types.Src))
	} else if e.types.Src > 0 {
		opts = append(opts, graph.WithSrcTypes(e.srcType, e.types.Src), graph.WithDstTypes(e.dstType, e.types.Dst))
	}
	g, err := graph.NewBipartite(e.src, e.dst, e.from, e.to, opts...)
	if !e.bipartite {
		g, err = graph.New(e.src, e.from, e.to, opts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func random(name string, r *rand.Rand, src, dst, n int, bipartite bool) edges {
	e := edges{name: name, src: src, dst: dst, bipartite: bipartite}
	for range n {
		e.from = append(e.from, int32(r.IntN(src)))
		e.to = append(e.to, int32(r.IntN(dst)))
	}
	return e
}

// graphs are the shapes that graph code trips over.
func graphs() []edges {
	r := rand.New(rng.NewStream(1))
	star := edges{name: "star", src: 620, dst: 620}
	for i := range int32(600) { // the hub has more edges than any tile, both ways; some vertices have none
		star.from = append(star.from, i, 7, i)
		star.to = append(star.to, 7, i, (i*7)%600)
	}
	sorted := random("sorted", r, 30, 30, 200, false)
	slices.Sort(sorted.to)
	return []edges{
		{name: "no vertices"},
		{name: "no edges", src: 5, dst: 5},
		{name: "one vertex", src: 1, dst: 1},
		{name: "self-loop", src: 1, dst: 1, from: []int32{0}, to: []int32{0}},
		{name: "duplicates", src: 3, dst: 3, from: []int32{2, 2, 0, 2, 1}, to: []int32{1, 1, 1, 1, 0}},
		{name: "two sinks", src: 4, dst: 4, from: []int32{3, 0, 1, 3}, to: []int32{2, 2, 2, 0}},
		random("unsorted", r, 40, 40, 300, false),
		star,
		sorted,
	}
}

func bipartiteGraphs() []edges {
	r := rand.New(rng.NewStream(2))
	return []edges{
		{name: "no sources", src: 0, dst: 3, bipartite: true},
		{name: "one pair", src: 1, dst: 1, from: []int32{0}, to: []int32{0}, bipartite: true},
		random("wide", r, 30, 9, 120, true),
		random("tall", r, 5, 700, 900, true),
	}
}

// inputsOf draws the inputs of a program, multiples of 1/8 in [-2, 2] so that
// there are ties and that float32 holds them, and edge ids or -1 for ids.
func inputsOf(p *ir.Program, s *ir.Structure, seed uint64) map[string][]float64 {
	in := make(map[string][]float64)
	for _, v := range p.Inputs() {
		r := rand.New(rng.NewStream(seed, uint64(v.ID)))
		x := make([]float64, s.Rows(v.Res)*v.Width())
		for i := range x {
			if v.Type == ir.I32 {
				x[i] = float64(r.IntN(len(s.Src)+1) - 1)
			} else {
				x[i] = float64(r.IntN(33)-16) / 8
			}
		}
		in[ir.InputKey(v)] = x
	}
	return in
}

// memoryOf allocates the buffers of a plan: inputs filled, all else poisoned.
func memoryOf[T kern.Float](p *plan.Plan, s *ir.Structure, in map[string][]float64) *Memory[T] {
	m := &Memory[T]{Floats: make([][]T, len(p.Buffers)), Ints: make([][]int32, len(p.Buffers))}
	values := make(map[*plan.Buffer][]float64)
	for _, v := range p.Program.Inputs() {
		values[p.BufferOf(v)] = in[ir.InputKey(v)]
	}
	for i, b := range p.Buffers {
		n := s.Rows(b.Res) * b.Width()
		x, bound := values[b]
		if b.Type == ir.I32 {
			m.Ints[i] = make([]int32, n)
			for k := range m.Ints[i] {
				m.Ints[i][k] = math.MinInt32
				if bound {
					m.Ints[i][k] = int32(x[k])
				}
			}
			continue
		}
		m.Floats[i] = make([]T, n)
		if !bound {
			fill(m.Floats[i], T(math.NaN()))
			continue
		}
		for k := range m.Floats[i] {
			m.Floats[i][k] = T(x[k])
		}
	}
	return m
}

// prepare compiles a plan for runs on a graph, each on poisoned memory and
// registers; outputs come in order.
func prepare[T kern.Float](pl *plan.Plan, g *graph.Graph, s *ir.Structure, in map[string][]float64) func(Options) [][]float64 {
	run, _ := prepareOn(new(registers[T]), pl, g, s, in)
	return run
}

// prepareOn is prepare with registers of earlier programs; end, after the last run, gives
// them back.
func prepareOn[T kern.Float](from *registers[T], pl *plan.Plan, g *graph.Graph, s *ir.Structure, in map[string][]float64) (run func(Options) [][]float64, end func()) {
	return prepareAs(manner{}, from, pl, g, s, in)
}

// manner is how a graph is walked.
type manner struct {
	layout  layoutChoice
	shuffle bool // rows are walked in a random order, not as chosen
	keep    bool // the graph keeps what is its own
}

// shuffled lists the edges of the rows in a random order of its own.
func shuffled(g *graph.Graph, rows ir.Residency) *graph.CSR {
	csr := csrOf(g, rows)
	order := make([]int32, csr.NumRows())
	for i, v := range rand.New(rng.NewStream(31, uint64(len(order)))).Perm(len(order)) {
		order[i] = int32(v)
	}
	return csr.InOrder(order)
}

// prepareAs is prepareOn in a manner.
func prepareAs[T kern.Float](m manner, from *registers[T], pl *plan.Plan, g *graph.Graph, s *ir.Structure, in map[string][]float64) (run func(Options) [][]float64, end func()) {
	x := Compile[T](pl)
	x.layout = m.layout
	if m.keep {
		x.patience, x.large, x.perRow = 0, 0, 0
	}
	if m.shuffle {
		byRows := make(map[ir.Residency]*graph.CSR)
		for _, rows := range []ir.Residency{ir.Src, ir.Dst} {
			byRows[rows] = shuffled(g, rows)
		}
		x.walk = func(_ *graph.Graph, rows ir.Residency) *graph.CSR { return byRows[rows] }
	}
	var all []*worker[T]
	x.workers.New = func() any {
		w := from.worker(x)
		w.stage, w.stageInts = stageRoom(x, w.stage, w.stageInts)
		from.Lock()
		defer from.Unlock()
		all = append(all, w)
		return w
	}
	run = func(opts Options) [][]float64 {
		dense.SetThreads(opts.Threads) // of products that are steps
		defer dense.SetThreads(0)
		if x.cached = cached; opts.Threads != 1 {
			x.cached = 0 // everything goes past the caches
		}
		mem := memoryOf[T](pl, s, in)
		x.Run(g, mem, opts)
		return outputs(pl, mem)
	}
	return run, func() { from.free = append(from.free, all...) }
}

// stageRoom is poisoned room, the old one if it is large enough, for the rows of a tile
// that do not lie side by side.
func stageRoom[T kern.Float](x *Program[T], floats []T, ints []int32) ([]T, []int32) {
	numFloats, numInts := 0, 0
	for _, s := range x.steps {
		if k, ok := s.(*kernel[T]); ok && x.walk != nil {
			for ; k != nil; k = k.covered {
				numFloats, numInts = max(numFloats, k.staging.floats*k.tileRows), max(numInts, k.staging.ints*k.tileRows)
			}
		}
	}
	if numFloats > cap(floats) {
		floats = make([]T, 2*numFloats) // seldom: large memory is cleared each time
	}
	floats, ints = floats[:numFloats], resized(ints, numInts)
	fill(floats, T(math.NaN()))
	for i := range ints {
		ints[i] = math.MinInt32
	}
	return floats, ints
}

// registers are those of workers whose programs have ended: to allocate them anew for each
// of thousands of programs takes longer than to run these, under the race detector most
// of all.
type registers[T kern.Float] struct {
	sync.Mutex
	free    []*worker[T]
	largest sizes // of the programs so far
}

var (
	registers32 registers[float32]
	registers64 registers[float64]
)

// worker returns a worker with poisoned registers, old ones if they are large enough.
func (r *registers[T]) worker(x *Program[T]) *worker[T] {
	r.Lock()
	defer r.Unlock()
	s := x.size
	r.largest.include(s)
	var old *worker[T]
	if n := len(r.free); n > 0 {
		old, r.free = r.free[n-1], r.free[:n-1]
	}
	if old == nil || s.edge > cap(old.edge) || s.row > cap(old.row) || s.rowInts > cap(old.rowInts) || s.scratch > cap(old.narrow) ||
		s.rows >= cap(old.segment) || s.ids > cap(old.rowOf) {
		old = newWorker(&Program[T]{set: x.set, size: r.largest})
	}
	w := &worker[T]{
		set: x.set, segment: old.segment[:s.rows+1], rowOf: old.rowOf[:s.ids], edge: old.edge[:s.edge], row: old.row[:s.row], rowInts: old.rowInts[:s.rowInts],
		narrow: old.narrow[:s.scratch], stage: old.stage, stageInts: old.stageInts,
	}
	for i := range w.scratch {
		w.scratch[i] = old.scratch[i][:s.scratch]
	}
	return poisoned(w)
}

// poisoned fills a worker's registers with what no result may depend on.
func poisoned[T kern.Float](w *worker[T]) *worker[T] {
	for _, x := range [][]T{w.edge, w.row, w.narrow, w.scratch[0], w.scratch[1], w.scratch[2]} {
		fill(x, T(math.NaN()))
	}
	for _, x := range [][]int32{w.rowInts, w.rowOf, w.segment} {
		for i := range x {
			x[i] = math.MinInt32
		}
	}
	return w
}

func outputs[T kern.Float](pl *plan.Plan, mem *Memory[T]) [][]float64 {
	var out [][]float64
	for _, b := range pl.Outputs {
		o := make([]float64, 0, len(mem.Floats[b.Index])+len(mem.Ints[b.Index]))
		for _, x := range mem.Floats[b.Index] {
			o = append(o, float64(x))
		}
		for _, x := range mem.Ints[b.Index] {
			o = append(o, float64(x))
		}
		out = append(out, o)
	}
	return out
}

// typed is the program in another number type. Tests run a program on one graph
// after the other: the last one's are kept.
func typed(t testing.TB, p *ir.Program, typ ir.DType) *ir.Program {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if made.from != p || made.bipartite != p.Bipartite {
		made.from, made.bipartite = p, p.Bipartite
		made.typed, made.plans = make(map[ir.DType]*ir.Program), make(map[*ir.Program]*plan.Plan)
	}
	if made.typed[typ] == nil {
		made.typed[typ] = retyped(t, p, typ)
	}
	return made.typed[typ]
}

var made struct {
	sync.Mutex
	from      *ir.Program
	bipartite bool // tests run one program on graphs of both kinds
	typed     map[ir.DType]*ir.Program
	plans     map[*ir.Program]*plan.Plan // of those
}

// built is the plan of a program that typed returned, built once for all graphs.
func built(p *ir.Program) *plan.Plan {
	made.Lock()
	defer made.Unlock()
	if made.plans[p] == nil {
		made.plans[p] = plan.Build(p)
	}
	return made.plans[p]
}

func retyped(t testing.TB, p *ir.Program, typ ir.DType) *ir.Program {
	t.Helper()
	b := ir.NewBuilder(p.Name, typ, p.Bipartite)
	b.SetTypes(p.Types)
	of := make(map[*ir.Value]*ir.Value)
	for _, v := range p.Values {
		var args []*ir.Value
		for _, a := range v.Args {
			args = append(args, of[a])
		}
		of[v] = b.Copy(v, args)
	}
	for _, o := range p.Outputs {
		b.Output(o.Name, of[o.Value])
	}
	q, err := ir.Parse(b.Program().String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Program())
	}
	return q
}

// interpret runs the reference, and finds the largest number that appears
// anywhere while p runs.
func interpret(t testing.TB, p *ir.Program, s *ir.Structure, in map[string][]float64, seed uint64) (want map[string][]float64, magnitude float64) {
	t.Helper()
	every := *p
	every.Outputs = slices.Clone(p.Outputs)
	for _, v := range p.Values {
		every.Outputs = append(every.Outputs, ir.Output{Name: fmt.Sprint("%", v.ID), Value: v})
	}
	want, err := ir.Interpret(&every, s, in, seed)
	if err != nil {
		t.Fatal(err)
	}
	magnitude = 1
	for _, v := range p.Values {
		if v.Type == ir.I32 {
			continue
		}
		for _, x := range want[fmt.Sprint("%", v.ID)] {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				magnitude = max(magnitude, math.Abs(x))
			}
		}
	}
	return want, magnitude
}

// mustAgree runs p in both number types and with 1, 3 and all threads on a graph
// and compares it with the interpreter; short tests have 1 and 3 threads.
func mustAgree(t testing.TB, p *ir.Program, e edges, seed uint64) {
	t.Helper()
	mustAgreeOn(t, p, e, inputsOf(p, e.structure(), seed), seed)
}

func mustAgreeOn(t testing.TB, p *ir.Program, e edges, in map[string][]float64, seed uint64) {
	t.Helper()
	mustAgreeAs(t, built, p, e, in, seed, 1e-4)
}

// mustAgreeAs is mustAgreeOn with a planner and a tolerance for float32 of the
// test's own. Under the race detector one number type runs, with 1 and 3 threads: the
// code is the same for both, and the interpreter, which takes longest there, has no
// goroutines.
func mustAgreeAs(t testing.TB, build func(*ir.Program) *plan.Plan, p *ir.Program, e edges, in map[string][]float64, seed uint64, tol32 float64) {
	t.Helper()
	s, g := e.structure(), e.build(t)
	p32 := typed(t, p, ir.F32)
	pl32 := build(p32)
	var want map[string][]float64
	var scale float64
	var p64 *ir.Program
	var pl64 *plan.Plan
	if !raceEnabled {
		want, scale = interpret(t, p, s, in, seed)
		p64 = typed(t, p, ir.F64)
		pl64 = build(p64)
	}
	manners := []manner{{}, {shuffle: true}}
	kernels := Compile[float32](pl32).kernels
	if slices.ContainsFunc(kernels, func(k *kernel[float32]) bool { return len(k.ofGraph) > 0 }) {
		manners = append(manners, manner{keep: true}, manner{shuffle: true, keep: true})
	}
	// Where a kernel has another form for graphs that are laid out:
	if p.Types.Edge > 0 && slices.ContainsFunc(kernels, func(k *kernel[float32]) bool { return k.covered != nil }) {
		manners = append(manners, manner{layout: layoutDirect}, manner{layout: layoutShared}, manner{layout: layoutShared, shuffle: true})
	}
	var plain [][]float64 // by the first
	for _, m := range manners {
		threadCounts := []int{3, 0}
		if m.shuffle || testing.Short() {
			threadCounts = threadCounts[:1]
		}
		if !m.shuffle && !raceEnabled {
			run64, end64 := prepareAs(m, &registers64, pl64, g, s, in)
			compare(t, p64, e, run64(Options{Seed: seed, Threads: 1}), want, 1e-12*scale)
			end64()
		}
		run32, end32 := prepareAs(m, &registers32, pl32, g, s, in)
		one := run32(Options{Seed: seed, Threads: 1})
		if scale < 1e6 && !raceEnabled {
			compare(t, p32, e, one, want, tol32*scale)
		}
		mustBeSame := func(got [][]float64, what string) {
			for i := range one {
				for k := range one[i] {
					if math.Float64bits(one[i][k]) != math.Float64bits(got[i][k]) {
						t.Fatalf("%s on %q, %+v: output %s[%d] is %v with 1 thread, %v %s\n%s",
							p.Name, e.name, m, p.Outputs[i].Name, k, one[i][k], got[i][k], what, p)
					}
				}
			}
		}
		switch {
		case plain == nil:
			plain = one
		case m == manner{keep: true}:
			mustBeSame(plain, "where the graph keeps nothing")
		}
		for _, threads := range threadCounts {
			mustBeSame(run32(Options{Seed: seed, Threads: threads}), fmt.Sprintf("with %d", threads))
		}
		end32()
	}
}

func compare(t testing.TB, p *ir.Program, e edges, got [][]float64, want map[string][]float64, tol float64) {
	t.Helper()
	for i, o := range p.Outputs {
		w := want[o.Name]
		if len(got[i]) != len(w) {
			t.Fatalf("%s on %q: output %s has %d elements, want %d\n%s", p.Name, e.name, o.Name, len(got[i]), len(w), p)
		}
		for k := range w {
			if !near(got[i][k], w[k], tol) {
				t.Fatalf("%s on %q: output %s[%d] = %v, want %v (tolerance %v)\n%s",
					p.Name, e.name, o.Name, k, got[i][k], w[k], tol, p)
			}
		}
	}
}

func near(got, want, tol float64) bool {
	switch {
	case math.IsNaN(want) || math.IsNaN(got):
		return math.IsNaN(want) == math.IsNaN(got)
	case math.IsInf(want, 0):
		return got == want
	}
	return math.Abs(got-want) <= tol
}
