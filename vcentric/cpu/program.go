package cpu

// Programs: compiling a plan and running it.

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Program is a plan compiled for the CPU in one number type. It is immutable
// and safe for concurrent runs.
type Program[T kern.Float] struct {
	plan     *plan.Plan
	set      *kern.Set[T]
	steps    []step[T]
	kernels  []*kernel[T] // of the steps
	widths   []int        // of the buffers
	packings int          // how many kernels, hubs' among them, have weights
	size     sizes        // what a worker's registers must hold
	iota     []int32      // 0, 1, 2, ...
	zeros    []int32      // as long
	cached   int          // bytes of a buffer beyond which it is written past the caches

	layout   layoutChoice
	patience int64                                              // walks of a graph before more is found out about it,
	large    int                                                // edges of one that keeps values,
	perRow   int                                                // and those a row on average from which on it keeps them at edges
	walk     func(g *graph.Graph, rows ir.Residency) *graph.CSR // lists edges in the order to walk them; nil to choose it

	workers sync.Pool // of *worker[T]
	buffers sync.Pool // of *[]T: packed weights and partial sums
	runs    sync.Pool // of *run[T]
}

// step is a kernel, a product or a total.
type step[T kern.Float] interface {
	run(r *run[T])
}

// Memory is what a run works on: the rows of each buffer of the plan, row-major,
// by buffer index. Buffers of type I32 lie in Ints, all others in Floats. A run
// reads the inputs, and writes outputs and temporaries completely, whatever they
// held before; in the place of a temporary it may put what the graph keeps, which nobody may write.
type Memory[T kern.Float] struct {
	Floats [][]T
	Ints   [][]int32
}

// Options of a run.
type Options struct {
	Seed uint64 // of the dropout masks
	// Threads is the largest number of goroutines to use, within what the dense engine
	// may use (tensor/cpu.SetThreads; AllThreads for no other limit), on which matrix
	// products that are steps of their own run. It never changes a result.
	Threads int
	// Timed, if it is not nil, is told how long each step took.
	Timed func(step int, took time.Duration)
}

// AllThreads is as many goroutines as the dense engine may use.
const AllThreads = math.MaxInt

// run is one execution of a program.
type run[T kern.Float] struct {
	prog *Program[T]
	g    *graph.Graph
	mem  *Memory[T]
	Options
	often bool         // the graph has been walked often
	own   []ownList[T] // what the memory is to have again

	// What stays with r from run to run.
	first    *worker[T]   // of the goroutine that runs the steps, between those that it does alone
	packings []packing[T] // room for the weights of kernels
}

// Compile translates the plan. T must be the plan's number type.
func Compile[T kern.Float](p *plan.Plan) *Program[T] {
	x := &Program[T]{plan: p, set: kern.For[T](), cached: cached, patience: localPatience, large: plan.KeepEdges, perRow: plan.KeepEdgesPerRow}
	if got, want := p.Program.Type, typeOf[T](); got != want {
		panic(fmt.Sprintf("BUG: cpu: program %s of type %v compiled for %v", p.Program.Name, got, want))
	}
	for _, b := range p.Buffers {
		x.widths = append(x.widths, b.Width())
	}
	for _, s := range p.Steps {
		switch s := s.(type) {
		case *plan.Kernel:
			x.kernels = append(x.kernels, compileKernel(x, s))
			x.steps = append(x.steps, x.kernels[len(x.kernels)-1])
		case *plan.Product:
			x.steps = append(x.steps, newProduct(x, s))
		case *plan.Total:
			x.steps = append(x.steps, compileKernel(x, totalOf(s.Value, s.Out, s.Level)))
		default:
			panic(fmt.Sprintf("BUG: cpu: step of type %T", s))
		}
	}
	types := p.Program.Types
	x.size.ids = max(x.size.ids, types.Src, types.Dst, types.Edge)
	x.iota, x.zeros = make([]int32, x.size.ids), make([]int32, x.size.ids)
	for i := range x.iota {
		x.iota[i] = int32(i)
	}
	x.workers.New = func() any { return newWorker(x) }
	return x
}

func typeOf[T kern.Float]() ir.DType {
	if _, ok := any(T(0)).(float64); ok {
		return ir.F64
	}
	return ir.F32
}

// Run executes the program on a graph. mem must hold every buffer of the plan
// in the size that the graph gives it.
func (x *Program[T]) Run(g *graph.Graph, mem *Memory[T], opts Options) {
	r, ok := x.runs.Get().(*run[T])
	if !ok {
		r = new(run[T])
	}
	r.prog, r.g, r.mem, r.Options, r.often = x, g, mem, opts, x.walksOften(g)
	defer r.end()
	r.check()
	for i, s := range x.steps {
		if opts.Timed == nil {
			s.run(r)
			continue
		}
		start := time.Now()
		s.run(r)
		opts.Timed(i, time.Since(start))
	}
}

// end gives the caller's memory its own lists back, and leaves r to the next run.
func (r *run[T]) end() {
	if r.first != nil {
		r.first.leave()
	}
	r.giveOwn()
	clear(r.own)
	x := r.prog
	r.own = r.own[:0]
	r.g, r.mem, r.Timed = nil, nil, nil
	x.runs.Put(r)
}

// check compares the graph and the memory with the plan: the row kernels trust
// the lengths.
func (r *run[T]) check() {
	p := r.prog.plan
	r.checkTypes(p.Program)
	if !p.Program.Bipartite && r.g.NumSrc() != r.g.NumDst() {
		panic(fmt.Sprintf("BUG: cpu: program %s sees one set of vertices, the graph has two", p.Program.Name))
	}
	for i, b := range p.Buffers {
		have, want := 0, r.rows(b.Res)*r.prog.widths[i]
		switch {
		case b.Type == ir.I32 && i < len(r.mem.Ints):
			have = len(r.mem.Ints[i])
		case b.Type != ir.I32 && i < len(r.mem.Floats):
			have = len(r.mem.Floats[i])
		}
		if have != want {
			panic(fmt.Sprintf("BUG: cpu: program %s: buffer %d %q has %d elements, want %d", p.Program.Name, i, b.Name, have, want))
		}
	}
}

func (r *run[T]) checkTypes(p *ir.Program) {
	for _, side := range []struct {
		what          string
		program, have int
	}{
		{"source", p.Types.Src, r.g.NumSrcTypes()},
		{"destination", p.Types.Dst, r.g.NumDstTypes()},
		{"edge", p.Types.Edge, r.g.NumEdgeTypes()},
	} {
		if side.program > 0 && side.program != side.have {
			panic(fmt.Sprintf("BUG: cpu: program %s is for %d %s types, the graph has %d", p.Name, side.program, side.what, side.have))
		}
	}
	rows := max(r.g.NumSrc(), r.g.NumDst())
	if p.Types.Edge*rows <= math.MaxInt32 {
		return
	}
	for _, v := range p.Values { // a row for each vertex and edge type must have an id, where there is one
		if v.Attr.Typed || v.Op == ir.OpPick {
			panic(&ir.Error{Op: v.Op.String(), Pos: v.Pos,
				Detail: fmt.Sprintf("%d vertices with a value for each of %d edge types are more than int32 counts", rows, p.Types.Edge)})
		}
	}
}

// rows is the leading dimension of a residency.
func (r *run[T]) rows(res ir.Residency) int {
	switch {
	case res.IsType():
		return r.prog.plan.Program.Types.Of(res)
	case res == ir.Src:
		return r.g.NumSrc()
	case res == ir.Dst:
		return r.g.NumDst()
	case res == ir.Edge:
		return r.g.NumEdges()
	}
	return 1
}

// csr lists the edges of the vertices of a residency.
func (r *run[T]) csr(rows ir.Residency) *graph.CSR { return csrOf(r.g, rows) }

func csrOf(g *graph.Graph, rows ir.Residency) *graph.CSR {
	if ir.Over(rows) == ir.Out {
		return g.Out()
	}
	return g.In()
}
