package cudagen

// Running a compiled plan: buffers to arguments, steps to launches.

import (
	"fmt"
	"math"
	"time"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/render"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// run hands the steps of the plan to the device and returns; if they are timed, when they
// are done. Within a capture nothing runs, so nothing is timed.
func (p *program) run(g *graph.Graph, bufs []*tensor.Tensor, seed uint64, timed func(step int, took time.Duration)) error {
	views, aligned, err := p.views(bufs)
	if err != nil {
		return err
	}
	prepared := p.prepare(g)
	if timed != nil && !p.b.Capturing() {
		err = p.timedRun(prepared, views, seed, timed)
	} else {
		err = p.b.Hand(func(c *driver.Ctx) error { return prepared.run(c, views, seed, nil) })
	}
	if err != nil {
		return err
	}
	for t, written := range aligned {
		t.CopyFrom(written)
		written.Free()
	}
	return nil
}

// timedRun runs the steps and waits for each.
func (p *program) timedRun(q prepared, views []tensor.View, seed uint64, timed func(step int, took time.Duration)) error {
	steps := make([]time.Duration, len(p.source.Steps))
	err := p.b.Wait("timing", func(c *driver.Ctx) error {
		return q.run(c, views, seed, func(i int, f func() error) (err error) {
			steps[i], err = c.Time(f)
			return err
		})
	})
	if err != nil {
		return err
	}
	for i, took := range steps {
		timed(i, took)
	}
	return nil
}

// vectorBytes is what the widest loads and stores take.
const vectorBytes = 16

// views finds the memory of a plan's buffers. Kernels load and store 16 bytes at a time:
// an input that begins elsewhere, a slice of a larger tensor, is copied, and what is
// written there is written to the tensor beside it in aligned first.
func (p *program) views(bufs []*tensor.Tensor) (views []tensor.View, aligned map[*tensor.Tensor]*tensor.Tensor, err error) {
	views = make([]tensor.View, len(bufs))
	aligned = make(map[*tensor.Tensor]*tensor.Tensor)
	for i, t := range bufs {
		if t == nil {
			continue // of a slot that no step of this plan writes
		}
		v, ok := t.OnDevice()
		if !ok {
			return nil, nil, fmt.Errorf("program %s: buffer %d is not on the device", p.plan.Program.Name, i)
		}
		if v.Offset*v.DType.Size()%vectorBytes != 0 {
			if p.plan.Buffers[i].Slot < 0 { // an input
				v, _ = t.Clone().OnDevice()
			} else {
				if aligned[t] == nil { // buffers of one slot are one tensor
					aligned[t] = tensor.EmptyOn(t.Device(), t.DType(), t.Shape()...)
				}
				v, _ = aligned[t].OnDevice()
			}
		}
		views[i] = v
	}
	return views, aligned, nil
}

// prepared is a program for a graph whose arrays have been computed.
type prepared struct {
	p      *program
	arrays *arrays
	extent *render.Extent
	host   map[arrayKey][]int32
}

// prepare computes what a program reads of a graph, which may take a while, outside of
// the device's goroutine.
func (p *program) prepare(g *graph.Graph) prepared {
	a := p.b.arraysOf(g)
	return prepared{p, a, a.sizes(g, p.cut()), a.prepare(g, p.names, p.cut())}
}

// run launches all steps, on the device's goroutine. timing, if any, is called for
// each step and runs it.
func (q prepared) run(c *driver.Ctx, views []tensor.View, seed uint64, timing func(step int, f func() error) error) error {
	if err := q.p.load(c); err != nil {
		return err
	}
	if err := q.arrays.upload(c, q.host); err != nil {
		return err
	}
	q.p.b.Keep(q.p) // which may be gone at a replay
	r := &launcher{p: q.p, c: c, extent: q.extent, arrays: q.arrays, views: views}
	defer r.free()
	return r.steps(seed, timing)
}

// launcher is one run, on the device's goroutine.
type launcher struct {
	p       *program
	c       *driver.Ctx
	extent  *render.Extent
	arrays  *arrays
	views   []tensor.View
	scratch *driver.Buffer // the workspace
	seed    *driver.Buffer // 8 bytes
	args    driver.Args
}

func (r *launcher) free() {
	for _, b := range []*driver.Buffer{r.scratch, r.seed} {
		if b != nil {
			r.c.Free(b)
		}
	}
}

func (r *launcher) steps(seed uint64, timing func(step int, f func() error) error) (err error) {
	if n := r.p.regions(r.extent); n > 0 {
		if n > math.MaxInt {
			return fmt.Errorf("program %s: a workspace of %d bytes", r.p.plan.Program.Name, n)
		}
		if r.scratch, err = r.c.Alloc(int(n), r.p.plan.Program.Name+" workspace"); err != nil {
			return err
		}
	}
	if r.p.random {
		if r.seed, err = r.c.Alloc(8, "seed"); err != nil {
			return err
		}
		if err := r.p.b.WriteSeed(r.c, r.seed, seed); err != nil {
			return err
		}
	}
	for i := range r.p.source.Steps {
		step := func() error { return r.step(&r.p.source.Steps[i]) }
		if timing != nil {
			err = timing(i, step)
		} else {
			err = step()
		}
		if err != nil {
			return fmt.Errorf("program %s, step %d: %w", r.p.plan.Program.Name, i, err)
		}
	}
	return nil
}

func (r *launcher) step(s *render.Step) error {
	if s.Gemm != nil {
		return r.gemm(s.Gemm)
	}
	offsets := make([]int64, len(s.Regions))
	at := int64(0)
	for i, g := range s.Regions {
		offsets[i] = at
		at += (g.Bytes(r.extent) + align - 1) / align * align
	}
	for i := range s.Launches {
		l := &s.Launches[i]
		blocks := l.Grid.Of(r.extent)
		if blocks == 0 {
			continue
		}
		r.args.Reset()
		for _, a := range l.Args {
			if err := r.add(a, offsets); err != nil {
				return err
			}
		}
		launch := driver.Launch{Grid: driver.Dim3{X: uint32(blocks)}, Block: driver.Dim3{X: uint32(l.Block)}}
		if err := r.c.Launch(r.p.functions[l.Name], launch, &r.args); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	return nil
}

// add appends an argument.
func (r *launcher) add(a render.Arg, regions []int64) error {
	switch a.Kind {
	case render.BufferArg:
		p, err := r.pointer(a.Index)
		if err != nil {
			return err
		}
		r.args.Ptr(p)
	case render.ArrayArg:
		array := r.arrays.device[keyOf(a.Array, r.p.cut())]
		r.p.b.Keep(array) // of a graph that may be gone at a replay
		r.args.Buffer(array)
	case render.WorkspaceArg:
		if r.scratch == nil {
			r.args.Ptr(0)
		} else {
			r.args.Ptr(r.scratch.Ptr() + driver.Ptr(regions[a.Index]))
		}
	case render.SeedArg:
		r.args.Buffer(r.seed)
	case render.CountArg:
		r.args.Int32(int32(a.Count.Of(r.extent)))
	default:
		panic(fmt.Sprintf("BUG: cudagen: argument of kind %d", a.Kind))
	}
	return nil
}

// pointer is the address of a buffer of the plan. The views keep it alive.
func (r *launcher) pointer(index int) (driver.Ptr, error) {
	v := r.views[index]
	if v.Memory == nil {
		panic(fmt.Sprintf("BUG: cudagen: buffer %d of program %s is not there", index, r.p.plan.Program.Name))
	}
	b, err := dense.BufferOf(v.Memory)
	if err != nil {
		return 0, err
	}
	return b.Ptr() + driver.Ptr(v.Offset*v.DType.Size()), nil
}

// gemm multiplies matrices with cuBLAS.
func (r *launcher) gemm(g *render.Gemm) error {
	m, n, k := g.M.Of(r.extent), g.N.Of(r.extent), g.K.Of(r.extent)
	if m == 0 || n == 0 {
		return nil
	}
	var at [3]driver.Ptr
	for i, index := range [3]int{g.A, g.B, g.C} {
		p, err := r.pointer(index)
		if err != nil {
			return err
		}
		at[i] = p
	}
	if k == 0 {
		b, err := dense.BufferOf(r.views[g.C].Memory)
		if err != nil {
			return err
		}
		v := r.views[g.C]
		return r.c.Fill(b, v.Offset*v.DType.Size(), m*n*v.DType.Size(), 0)
	}
	product := driver.Gemm{
		TransA: g.TransA, TransB: g.TransB, M: m, N: n, K: k, Alpha: 1, Batch: 1,
		A: at[0], B: at[1], C: at[2], LDA: k, LDB: n, LDC: n,
	}
	if g.TransA {
		product.LDA = m
	}
	if g.TransB {
		product.LDB = k
	}
	if r.p.plan.Program.Type == ir.F64 {
		product.Type = driver.Float64
	}
	blas, err := r.c.BLAS(0)
	if err != nil {
		return err
	}
	return blas.GemmRows(product)
}
