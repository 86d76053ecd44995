package cpu

// Kernels in native code, from a compiler that another package registers.

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// NativeCompiler translates kernels of plans to native code.
type NativeCompiler interface {
	// Compile returns, for each step of the plan, its code, or why it has none: then
	// the Go executor runs the step. It is an error if nothing can be compiled at all.
	Compile(p *plan.Plan) ([]NativeKernel, error)
}

// NativeKernel is a step in native code.
type NativeKernel struct {
	// Call runs the kernel for the rows [lo, hi). It may be called by several
	// goroutines at once, each with arguments of its own. Nil for a declined step.
	Call     func(args *NativeArgs, lo, hi int)
	Declined error
	NativeNeeds
}

// NativeNeeds is what a call of a native kernel has to provide.
type NativeNeeds struct {
	Scratch int          // numbers at NativeArgs.Scratch
	Sums    int          // numbers at NativeArgs.Sums: those of each loop's totals, then of the kernel's, in order
	Sites   []int        // the dropout sites whose keys are at NativeArgs.Keys
	Masks   []NativeMask // of dropout, whose elements the kernel counts in 32 bits
	Degrees [2]bool      // by ir.Dir: whether it reads those offsets,
	Order   [2]bool      // and where the edges stand in that order (plan.Home)
	// Beside are buffers with a number for each vertex at the other ends of the edges,
	// at most BesideWidth: NativeArgs.Beside has them side by side, so that an edge waits
	// for one place in memory.
	Beside []int
}

// BesideWidth is the numbers of a row of NativeArgs.Beside.
const BesideWidth = 4

// NativeMask is the size of a dropout mask: the rows of a residency, and the
// elements of each.
type NativeMask struct {
	Res   ir.Residency
	Width int
}

// NativeArgs is what a native kernel works on, in the layout of a C struct.
type NativeArgs struct {
	Buffers                     unsafe.Pointer // of the plan, by index: a pointer to the first number each
	Offsets, Neighbors, EdgeIDs unsafe.Pointer // int32: the edges of the kernel's rows, as in graph.CSR
	EdgeTypes                   unsafe.Pointer
	InAt, OutAt                 unsafe.Pointer // int32: graph.CSR.PositionsIn of the in-edges and of the out-edges
	RowTypes, OtherTypes        unsafe.Pointer // int32: of the vertices at the two ends
	InOffsets, InTypes          unsafe.Pointer // int32: for degrees, as in graph.CSR
	OutOffsets, OutTypes        unsafe.Pointer
	Keys                        unsafe.Pointer // uint32: two for each dropout site
	Scratch                     unsafe.Pointer // the call's own
	Sums                        unsafe.Pointer // partial sums, to which the call adds
	Beside                      unsafe.Pointer // BesideWidth numbers for each vertex at the other ends
}

var native struct {
	sync.Mutex
	compilers map[string]NativeCompiler
}

// RegisterNative makes a compiler available to CompileNative; packages call it
// when they are initialised. A second compiler of a name replaces the first.
func RegisterNative(name string, c NativeCompiler) {
	native.Lock()
	defer native.Unlock()
	if native.compilers == nil {
		native.compilers = make(map[string]NativeCompiler)
	}
	native.compilers[name] = c
}

// CompileNative is Compile with the kernels that a registered compiler takes in
// native code. The others run as Compile has them, and so do the hubs of all, the rows
// of so many edges that they are run in parts. Results agree with those of
// Compile within rounding.
func CompileNative[T kern.Float](p *plan.Plan, compiler string) (*Program[T], error) {
	native.Lock()
	c := native.compilers[compiler]
	native.Unlock()
	if c == nil {
		return nil, fmt.Errorf("cpu: no native compiler %q: the package that has it is not imported", compiler)
	}
	kernels, err := c.Compile(p)
	if err != nil {
		return nil, fmt.Errorf("cpu: program %s: %w", p.Program.Name, err)
	}
	x := Compile[T](p)
	for i, n := range kernels {
		if n.Call == nil {
			x.steps[i] = declinedStep[T]{x.steps[i], n.Declined}
			continue
		}
		k := x.steps[i].(*kernel[T])
		sums := 0
		for _, t := range k.totals {
			sums += t.size
		}
		if sums != n.Sums {
			panic(fmt.Sprintf("BUG: cpu: program %s: step %d has partial sums of %d numbers, its native code of %d", p.Program.Name, i, sums, n.Sums))
		}
		x.steps[i] = &nativeStep[T]{kernel: k, native: n}
		x.large = math.MaxInt // or what graphs keep, computed in Go, would change results in the last bits
	}
	return x, nil
}

// Declined tells, for each step, why it is not in native code; nil for a step that
// is, and for all steps of a program that Compile made.
func (x *Program[T]) Declined() []error {
	out := make([]error, len(x.steps))
	for i, s := range x.steps {
		if d, ok := s.(declinedStep[T]); ok {
			out[i] = d.reason
		}
	}
	return out
}

// declinedStep is a step that the native compiler has left.
type declinedStep[T kern.Float] struct {
	step[T]
	reason error
}

// nativeStep is a kernel in native code.
type nativeStep[T kern.Float] struct {
	kernel *kernel[T] // the same in Go, which knows how the work is cut
	native NativeKernel
	calls  sync.Pool // of *nativeCall[T]
}

// nativeCall is the arguments of one worker.
type nativeCall[T kern.Float] struct {
	args    NativeArgs
	scratch []T
}

// spare is how many entries native code may read past the end of a graph's lists.
const spare = 32

func (s *nativeStep[T]) run(r *run[T]) {
	k := s.kernel
	if s.masksAreLarge(r) {
		k.run(r)
		return
	}
	var csr *graph.CSR
	if len(k.loops) > 0 {
		csr = r.csr(k.rows)
		if cap(csr.Neighbors)-len(csr.Neighbors) < spare || cap(csr.EdgeIDs)-len(csr.EdgeIDs) < spare {
			panic("BUG: cpu: the graph's lists have no entries to spare")
		}
	}
	rows := r.rows(k.rows)
	hubRows := k.hubRows(csr, 0)
	cost, sums := k.partials(r, csr, rows, k.numParts(csr, hubRows))
	defer sums.giveBack(r)
	hubs := k.hubs(r, csr, hubRows, nil, &sums)
	defer hubs.giveBack()
	chunks := cost.chunks(csr, rows)
	args := s.args(r, csr)
	beside := s.sideBySide(r, csr)
	defer beside.giveBack()
	args.Beside = first(beside.rows)
	hubs.besides(r, chunks, func(_ *worker[T], chunk int) {
		call, ok := s.calls.Get().(*nativeCall[T])
		if !ok {
			call = &nativeCall[T]{scratch: make([]T, s.native.Scratch)}
		}
		call.args = args
		call.args.Scratch = first(call.scratch)
		call.args.Sums = first(sums.of(chunk))
		lo := cost.bound(csr, rows, chunk, 0)
		hi := cost.bound(csr, rows, chunk+1, lo)
		for lo < hi {
			next := k.cost.after(csr, lo, hi)
			s.callButHubs(&call.args, csr, lo, next)
			lo = next
		}
		call.args = NativeArgs{} // keeps nothing of the run alive
		s.calls.Put(call)
	})
	runtime.KeepAlive(r)
	hubs.finish()
	k.total(r, &sums)
}

// masksAreLarge tells whether a mask has more elements than native code can count: then the
// kernel runs in Go.
func (s *nativeStep[T]) masksAreLarge(r *run[T]) bool {
	return slices.ContainsFunc(s.native.Masks, func(m NativeMask) bool { return uint64(r.rows(m.Res))*uint64(m.Width) > 1<<32 })
}

// sideBySide copies the buffers that native code reads side by side.
func (s *nativeStep[T]) sideBySide(r *run[T], csr *graph.CSR) (c copies[T]) {
	if len(s.native.Beside) > 0 {
		c = newCopies[T](csr.NumCols() * BesideWidth)
		s.copyBeside(r, c.rows)
	}
	return c
}

func (s *nativeStep[T]) copyBeside(r *run[T], beside []T) {
	rows := len(beside) / BesideWidth
	const perChunk = chunkCost / BesideWidth
	r.parallel(ceil(rows, perChunk), func(_ *worker[T], chunk int) {
		lo, hi := chunk*perChunk, min((chunk+1)*perChunk, rows)
		to := beside[lo*BesideWidth : hi*BesideWidth]
		clear(to) // no column is left with what may be slow to reckon with
		for column, b := range s.native.Beside {
			for i, x := range r.mem.Floats[b][lo:hi] {
				to[i*BesideWidth+column] = x
			}
		}
	})
}

// callButHubs runs those of the rows [lo, hi) that are no hubs. A native call takes
// whole rows, so hubs are left to the Go executor, which runs them in parts.
func (s *nativeStep[T]) callButHubs(args *NativeArgs, csr *graph.CSR, lo, hi int) {
	for r := lo; s.mayHaveHub(csr, r, hi); r++ {
		if s.kernel.isHub(csr, r, 1, 0) {
			s.callIfAny(args, lo, r)
			lo = r + 1
		}
	}
	s.callIfAny(args, lo, hi)
}

// mayHaveHub tells whether the rows [lo, hi) have as many edges together as a hub.
func (s *nativeStep[T]) mayHaveHub(csr *graph.CSR, lo, hi int) bool {
	h := s.kernel.hub
	return lo < hi && h != nil && csr != nil && int(csr.Offsets[hi]-csr.Offsets[lo]) > s.kernel.hubEdges(0)
}

func (s *nativeStep[T]) callIfAny(args *NativeArgs, lo, hi int) {
	if lo < hi {
		s.native.Call(args, lo, hi)
	}
}

// after is the row before hi with which a call from row lo ends: calls are short, as
// chunks of kernels with sums need not be.
func (c cost) after(csr *graph.CSR, lo, hi int) int {
	limit := c.upTo(csr, lo) + 2*chunkCost
	return lo + 1 + sort.Search(hi-lo-1, func(i int) bool { return c.upTo(csr, lo+1+i) >= limit })
}

// args is what all calls of a run share.
func (s *nativeStep[T]) args(r *run[T], csr *graph.CSR) NativeArgs {
	buffers := make([]unsafe.Pointer, len(r.prog.plan.Buffers))
	for i, b := range r.prog.plan.Buffers {
		if b.Type == ir.I32 {
			buffers[i] = first(r.mem.Ints[i])
		} else {
			buffers[i] = first(r.mem.Floats[i])
		}
	}
	a := NativeArgs{Buffers: first(buffers)}
	if csr != nil {
		a.Offsets, a.Neighbors, a.EdgeIDs, a.EdgeTypes = first(csr.Offsets), first(csr.Neighbors), first(csr.EdgeIDs), first(csr.Types)
	}
	if s.native.Order[ir.In] {
		a.InAt = first(csr.PositionsIn(r.g.In()))
	}
	if s.native.Order[ir.Out] {
		a.OutAt = first(csr.PositionsIn(r.g.Out()))
	}
	var t typing
	t.enter(r.g, s.kernel.rows)
	a.RowTypes, a.OtherTypes = first(t.row), first(t.other)
	if s.native.Degrees[ir.In] {
		a.InOffsets, a.InTypes = first(r.g.In().Offsets), first(r.g.In().Types)
	}
	if s.native.Degrees[ir.Out] {
		a.OutOffsets, a.OutTypes = first(r.g.Out().Offsets), first(r.g.Out().Types)
	}
	var keys []uint32
	for _, site := range s.native.Sites {
		k := rng.Keys(ir.DropoutSeed(r.Seed, site), 0)
		keys = append(keys, k[0], k[1])
	}
	a.Keys = first(keys)
	return a
}

// first points to the first element of x; nil if there is none.
func first[E any](x []E) unsafe.Pointer {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Pointer(&x[0])
}
