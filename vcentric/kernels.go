package vcentric

// Kernels of a compiled program: by the Go executor, or by a native compiler.

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// kernels runs the steps of a plan in its number type.
type kernels interface {
	// run runs all steps; timed, which may be nil, is told how long each took.
	run(g *graph.Graph, bufs []*tensor.Tensor, seed uint64, timed func(step int, took time.Duration))
	declined() []error
	workspace(*graph.Graph) int64 // bytes besides the plan's buffers
}

type typedKernels[T kern.Float] struct {
	prog     *cpu.Program[T]
	memories sync.Pool // of *cpu.Memory[T] for the buffers of a run, empty
}

func (k *typedKernels[T]) run(g *graph.Graph, bufs []*tensor.Tensor, seed uint64, timed func(step int, took time.Duration)) {
	mem, ok := k.memories.Get().(*cpu.Memory[T])
	if !ok {
		mem = &cpu.Memory[T]{Floats: make([][]T, len(bufs))}
	}
	for i, b := range bufs {
		if b.DType() == tensor.Int32 {
			if mem.Ints == nil { // few plans have some
				mem.Ints = make([][]int32, len(bufs))
			}
			mem.Ints[i] = tensor.Borrow[int32](b)
		} else {
			mem.Floats[i] = tensor.Borrow[T](b)
		}
	}
	k.prog.Run(g, mem, cpu.Options{Seed: seed, Threads: cpu.AllThreads, Timed: timed})
	clear(mem.Floats)
	clear(mem.Ints)
	k.memories.Put(mem)
}

func (k *typedKernels[T]) declined() []error { return k.prog.Declined() }

func (k *typedKernels[T]) workspace(g *graph.Graph) int64 { return k.prog.Workspace(g) }

// nativeEnv names the native compiler of all programs that have no other.
const nativeEnv = "ASTERIAS_CPU"

// kernels compiles a plan for a device and graphs of a mean degree.
func (p *Program) kernels(pl *plan.Plan, d *tensor.Device, degree int) kernels {
	if d != nil {
		return compileFor(p.name, d, pl, degree)
	}
	name := p.native
	if name == "" {
		name = os.Getenv(nativeEnv)
	}
	if name == "" || name == "go" {
		return goKernels(pl)
	}
	k, err := nativeKernels(pl, name)
	switch {
	case err == nil:
		return k
	case p.native != "":
		panic(&BindError{Program: p.name, Name: "Native", Detail: err.Error()})
	}
	fmt.Fprintf(os.Stderr, "asterias: %s=%s: %v\n", nativeEnv, name, err)
	return goKernels(pl)
}

func goKernels(p *plan.Plan) kernels {
	if p.Program.Type == ir.F64 {
		return &typedKernels[float64]{prog: cpu.Compile[float64](p)}
	}
	return &typedKernels[float32]{prog: cpu.Compile[float32](p)}
}

func nativeKernels(p *plan.Plan, compiler string) (kernels, error) {
	if p.Program.Type == ir.F64 {
		prog, err := cpu.CompileNative[float64](p, compiler)
		return &typedKernels[float64]{prog: prog}, err
	}
	prog, err := cpu.CompileNative[float32](p, compiler)
	return &typedKernels[float32]{prog: prog}, err
}

// Declined tells, for each step of the forward plan and then of the backward
// plan, why a native compiler left it; nil for steps in native code and without
// such a compiler.
func (c *Compiled) Declined() []error {
	out := c.forward.declined()
	if c.backward != nil {
		out = append(out, c.backward.declined()...)
	}
	return out
}
