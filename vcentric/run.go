package vcentric

// Running a compiled program: buffers, kernels, and the node of the tape.

import (
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Run computes the program on a graph. The result has a row per destination
// vertex (per vertex of a homogeneous graph) or per edge, and is a node of the
// autograd tape: its gradient is the program's own, compiled with it.
//
// It panics with *BindError if what is bound does not fit the graph, and with
// *ir.Error if the function is wrong for what is bound; autograd.Try turns
// either into an error.
func (p *Program) Run(g *graph.Graph, bindings ...Binding) *autograd.Var {
	c := p.Compiled(g, bindings...)
	r := run{c: c, g: g, sizes: plan.Sizes{NumSrc: g.NumSrc(), NumDst: g.NumDst(), NumEdges: g.NumEdges()}}
	var inputs []*autograd.Var
	for _, b := range bindings {
		if b.kind == training {
			r.seed = b.seed
			continue
		}
		inputs = append(inputs, b.v)
		r.inputs = append(r.inputs, b.v.Tensor().Contiguous())
	}
	out := r.forward()
	return autograd.Custom(p.name, inputs, []*tensor.Tensor{out}, r.gradients)[0]
}

// buffer is the memory of a plan's buffer in one run.
type buffer struct {
	floats *tensor.Tensor
	ints   []int32
}

// free lets the next allocation have the memory.
func (b buffer) free() {
	if b.floats != nil {
		b.floats.Free()
	}
}

// source says where an input of a plan comes from in a run.
type source struct {
	kind    sourceKind
	binding int // fromBinding: which
	output  int // fromForward: the buffer of the forward plan
}

type sourceKind uint8

const (
	fromBinding sourceKind = iota
	fromForward
	fromCotangent
)

// wire finds the source of every input of both plans, and the binding of every
// gradient.
func (c *Compiled) wire(index map[string]int) {
	forward := make(map[string]int)
	for i, o := range c.Forward.Program.Outputs {
		forward[ir.SavedPrefix+strings.TrimPrefix(o.Name, ir.SavedPrefix)] = c.Forward.Outputs[i].Index
	}
	sources := func(p *plan.Plan) []source {
		var out []source
		for _, v := range p.Program.Inputs() {
			s := source{}
			if name := v.Attr.Name; strings.HasPrefix(name, ir.CotangentPrefix) {
				s.kind = fromCotangent
			} else if buf, ok := forward[name]; ok && p != c.Forward {
				s.kind, s.output = fromForward, buf
			} else if i, ok := index[p.Program.Binding(v)]; ok {
				s.binding = i
			} else {
				panic("BUG: vcentric: nothing gives " + v.String())
			}
			out = append(out, s)
		}
		return out
	}
	c.forwardInputs = sources(c.Forward)
	if c.Backward == nil {
		return
	}
	c.backwardInputs = sources(c.Backward)
	for _, o := range c.Backward.Program.Outputs {
		c.backwardOutputs = append(c.backwardOutputs, index[strings.TrimPrefix(o.Name, ir.GradPrefix)])
	}
}

// run is one execution: what the backward pass needs of the forward pass.
type run struct {
	c      *Compiled
	g      *graph.Graph
	sizes  plan.Sizes
	seed   uint64
	inputs []*tensor.Tensor // of each binding
	bufs   []buffer         // of the forward plan: inputs, result, and what it saves
}

// kernels runs the steps of a plan in its number type.
type kernels interface {
	run(g *graph.Graph, bufs []buffer, seed uint64)
}

type typedKernels[T kern.Float] struct{ prog *cpu.Program[T] }

func (k typedKernels[T]) run(g *graph.Graph, bufs []buffer, seed uint64) {
	mem := &cpu.Memory[T]{Floats: make([][]T, len(bufs)), Ints: make([][]int32, len(bufs))}
	for i, b := range bufs {
		if b.floats != nil {
			mem.Floats[i] = tensor.Data[T](b.floats)
		}
		mem.Ints[i] = b.ints
	}
	k.prog.Run(g, mem, cpu.Options{Seed: seed, Threads: tensor.Threads()})
}

// forward runs the forward plan and returns its result.
func (r *run) forward() *tensor.Tensor {
	p := r.c.Forward
	r.bufs = make([]buffer, len(p.Buffers))
	for i, s := range r.c.forwardInputs {
		r.bufs[i] = buffer{floats: r.inputs[s.binding]}
	}
	r.execute(p, r.c.forward, r.bufs, len(r.c.forwardInputs))
	for _, b := range p.Buffers {
		if b.Role == plan.Temp { // what backward needs is an output
			r.bufs[b.Index].free()
			r.bufs[b.Index] = buffer{}
		}
	}
	return r.bufs[p.Outputs[0].Index].floats
}

// execute allocates what is not bound and runs the steps.
func (r *run) execute(p *plan.Plan, k kernels, bufs []buffer, inputs int) {
	for _, b := range p.Buffers[inputs:] {
		bufs[b.Index] = r.allocate(b)
	}
	k.run(r.g, bufs, r.seed)
}

func (r *run) allocate(b *plan.Buffer) buffer {
	if b.Type == ir.I32 {
		return buffer{ints: make([]int32, r.sizes.Rows(b.Res)*b.Width())}
	}
	shape := make([]int, 0, 1+len(b.Shape))
	if b.Res != ir.Param {
		shape = append(shape, r.sizes.Rows(b.Res))
	}
	return buffer{floats: tensor.Zeros(dtypeOf(b.Type), append(shape, b.Shape...)...)}
}

func dtypeOf(t ir.DType) tensor.DType {
	if t == ir.F64 {
		return tensor.Float64
	}
	return tensor.Float32
}

// gradients runs the backward plan: from the cotangent of the output to the
// gradients of the bindings.
func (r *run) gradients(cotangents []*tensor.Tensor) []*tensor.Tensor {
	c := r.c
	bufs := make([]buffer, len(c.Backward.Buffers))
	for i, s := range c.backwardInputs {
		switch s.kind {
		case fromBinding:
			bufs[i] = buffer{floats: r.inputs[s.binding]}
		case fromForward:
			bufs[i] = r.bufs[s.output]
		case fromCotangent:
			bufs[i] = buffer{floats: cotangents[0].Contiguous()}
		}
	}
	r.execute(c.Backward, c.backward, bufs, len(c.backwardInputs))
	for _, b := range c.Backward.Buffers {
		if b.Role == plan.Temp {
			bufs[b.Index].free()
		}
	}
	grads := make([]*tensor.Tensor, len(r.inputs))
	for i, b := range c.backwardOutputs {
		grads[b] = bufs[c.Backward.Outputs[i].Index].floats
	}
	return grads
}
