package vcentric

// Running a compiled program: buffers, kernels, and the node of the tape.

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Run computes the program on a graph. The result has a row per destination
// vertex (per vertex of a homogeneous graph) or per edge, and is a node of the
// autograd tape: its gradient is the program's own, compiled with it. What is bound
// and not read by the program is let be.
//
// It panics with *BindError if what is bound does not fit the graph, and with
// *ir.Error if the function is wrong for what is bound; autograd.Try turns
// either into an error.
func (p *Program) Run(g *graph.Graph, bindings ...Binding) *autograd.Var {
	p.want("Run")
	if p.f.one == nil {
		panic(&BindError{Program: p.name, Name: "Run", Detail: "the program has several results: use RunMany"})
	}
	return p.RunMany(g, bindings...)[0]
}

// RunMany computes all results of the program, in the order in which the vertex
// function returns them. They are results of one node of the tape: gradients of
// any of them run one backward plan.
func (p *Program) RunMany(g *graph.Graph, bindings ...Binding) []*autograd.Var {
	p.want("RunMany")
	r := p.prepare(g, bindings)
	inputs := r.few[:0]
	for _, b := range r.c.taped {
		inputs = append(inputs, bindings[b].v)
	}
	r.at = autograd.Now()
	results, saved := r.forward()
	if r.c.Backward == nil { // nor does one of inputs require a gradient
		defer r.leave()
		return autograd.CustomSaving(p.name, inputs, results, saved, nil, nil)
	}
	again := func(grads []*autograd.Var, wanted []bool) []*autograd.Var { return r.derive(inputs, grads, wanted) }
	return autograd.CustomSaving(p.name, inputs, results, saved, r.gradients, again)
}

// RunInto is Run for a caller who has memory for the result: out, contiguous, on the
// device of what is bound, is wholly written. It must overlap nothing that is bound,
// and nothing bound may require a gradient (see [autograd.NoGrad]). It panics with
// *BindError if out does not fit.
func (p *Program) RunInto(out *tensor.Tensor, g *graph.Graph, bindings ...Binding) {
	p.want("RunInto")
	fail := func(format string, args ...any) {
		panic(&BindError{Program: p.name, Name: "RunInto", Detail: fmt.Sprintf(format, args...)})
	}
	if p.f.one == nil {
		fail("the program has several results")
	}
	r := p.prepare(g, bindings)
	if r.c.Backward != nil {
		fail("what is bound requires a gradient, which nothing would record")
	}
	if out == nil {
		fail("out is nil")
	}
	if result := r.c.Forward.Outputs[0]; !r.fits(result, out) {
		fail("out is %v%v on %v, want contiguous %v%v on %v",
			out.DType(), out.Shape(), out.Device(), dtypeOf(result.Type), tensor.Shape(r.shape(nil, result)), r.c.device)
	}
	named := slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool { return b.kind == training })
	for i, b := range named {
		if overlap(out, r.inputs[i]) {
			fail("out %v%v overlaps %v %q %v, which is read while out is written", out.DType(), out.Shape(), b.kind, b.name, b.v.Shape())
		}
	}
	r.out = out
	r.forward()
	r.leave()
}

// overlap tells whether contiguous tensors have bytes in common, or are views of one whose
// addresses are not to be had.
func overlap(x, y *tensor.Tensor) bool {
	if !tensor.SharesMemory(x, y) || x.Size() == 0 || y.Size() == 0 {
		return false
	}
	begin := func(t *tensor.Tensor) (uint64, error) {
		raw, err := t.Raw()
		return uint64(uintptr(raw.Pointer)) + raw.Address, err
	}
	a, err := begin(x)
	b, err2 := begin(y)
	return err != nil || err2 != nil || a < b+uint64(y.Bytes()) && b < a+uint64(x.Bytes())
}

// prepare makes a run of what is bound.
func (p *Program) prepare(g *graph.Graph, bindings []Binding) *run {
	c := p.Compiled(g, bindings...)
	r, ok := c.runs.Get().(*run)
	if !ok {
		r = new(run)
	}
	r.c, r.g, r.sizes = c, g, sizesOf(g)
	n := len(bindings) + len(c.Forward.Buffers) + c.results
	switch {
	case r.lists != nil: // of an earlier run
	case n <= len(r.room):
		r.lists = r.room[:n]
	default:
		r.lists = make([]*tensor.Tensor, n)
	}
	lists := r.lists
	r.inputs, lists = lists[:0:len(bindings)], lists[len(bindings):]
	r.bufs, r.results = lists[:len(c.Forward.Buffers)], lists[len(c.Forward.Buffers):]
	if c.Backward != nil {
		r.bound = make([]*autograd.Var, 0, len(bindings))
	}
	for _, b := range bindings {
		if b.kind == training {
			r.seed = b.seed
			continue
		}
		r.inputs = append(r.inputs, b.v.Operand().Contiguous())
		if c.Backward != nil {
			r.bound = append(r.bound, b.v)
		}
	}
	return r
}

// leave leaves r, which nothing refers to, to the next run.
func (r *run) leave() {
	clear(r.lists)
	clear(r.few[:])
	r.g, r.out, r.seed = nil, nil, 0
	r.c.runs.Put(r)
}

// sizesOf is what the buffers of a run are sized by.
func sizesOf(g *graph.Graph) plan.Sizes {
	return plan.Sizes{NumSrc: g.NumSrc(), NumDst: g.NumDst(), NumEdges: g.NumEdges(), Types: typesOf(g)}
}

// source says where an input of a plan comes from in a run.
type source struct {
	kind    sourceKind
	binding int // fromBinding: which
	output  int // fromForward: the buffer of the forward plan; fromCotangent: the result it belongs to
}

type sourceKind uint8

const (
	fromBinding sourceKind = iota
	fromForward
	fromCotangent
)

// tape lists the bindings that results take their need of a gradient from: none that
// requires one if no result depends on it, since backward gives it none. It returns
// where each binding but Training is in the list.
func (c *Compiled) tape(bindings []Binding, taped func(binding int) bool) []int {
	var at []int
	for i, b := range bindings {
		if b.kind == training {
			continue
		}
		at = append(at, len(c.taped))
		if bound := len(at) - 1; taped(bound) {
			c.taped = append(c.taped, i)
			c.derivatives.taped = append(c.derivatives.taped, bound)
		}
	}
	return at
}

// wire finds the source of every input of both plans, and the binding of every
// gradient.
func (c *Compiled) wire(index map[string]int, onTape []int) {
	forward := make(map[string]int)
	for i, o := range c.Forward.Program.Outputs {
		forward[ir.SavedPrefix+strings.TrimPrefix(o.Name, ir.SavedPrefix)] = c.Forward.Outputs[i].Index
	}
	sources := func(p *plan.Plan) []source {
		var out []source
		for _, v := range p.Program.Inputs() {
			s := source{}
			if name := v.Attr.Name; strings.HasPrefix(name, ir.CotangentPrefix) {
				s.kind, s.output = fromCotangent, c.result(strings.TrimPrefix(name, ir.CotangentPrefix))
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
		c.backwardOutputs = append(c.backwardOutputs, onTape[index[strings.TrimPrefix(o.Name, ir.GradPrefix)]])
	}
}

// result is the position of the result of a name.
func (c *Compiled) result(name string) int {
	return slices.IndexFunc(c.Traced.Outputs, func(o ir.Output) bool { return o.Name == name })
}

// run is one execution: what the backward pass needs of the forward pass.
type run struct {
	c       *Compiled
	g       *graph.Graph
	sizes   plan.Sizes
	seed    uint64
	lists   []*tensor.Tensor // inputs, bufs and results
	inputs  []*tensor.Tensor // of each binding
	bound   []*autograd.Var  // the same, if there is a backward plan: it reads some
	at      autograd.Moment  // of the forward pass
	out     *tensor.Tensor   // the memory of the result, nil to allocate it
	bufs    []*tensor.Tensor // of the forward plan: inputs, results, and what it saves
	results []*tensor.Tensor

	// Room for most programs: one allocation.
	few  [6]*autograd.Var   // what is on the tape
	room [20]*tensor.Tensor // lists
}

// forward runs the forward plan and returns its results, and what it saves for the
// backward plan besides.
func (r *run) forward() (results, saved []*tensor.Tensor) {
	p := r.c.Forward
	for i, s := range r.c.forwardInputs {
		r.bufs[i] = r.inputs[s.binding]
	}
	r.execute(p, r.c.forward, &r.c.frames[0], r.bufs)
	for i, b := range p.Outputs {
		switch t := r.bufs[b.Index]; {
		case i < r.c.results:
			r.results[i] = t
		case b.Role == plan.Saved:
			saved = append(saved, t)
		}
	}
	return r.results, saved
}

// execute allocates the plan's slots, runs its steps, and gives back the slots
// that hold nothing for anyone.
func (r *run) execute(p *plan.Plan, k kernels, frames *sync.Pool, bufs []*tensor.Tensor) {
	f := r.frame(frames, p)
	for i, s := range p.Slots {
		if f.slots[i] == nil {
			f.slots[i] = r.allocate(s.Buffers[len(s.Buffers)-1]) // an output is the last of its slot
		}
		for _, b := range s.Buffers {
			bufs[b.Index] = f.slots[i]
		}
	}
	if debug.On(debug.Times) {
		r.timedRun(p, k, bufs)
	} else {
		k.run(r.g, bufs, r.seed, nil)
	}
	for i, s := range p.Slots {
		switch {
		case isTemp(s) && f.keeps(f.slots[i]):
		case isTemp(s):
			f.slots[i].Free()
			fallthrough
		default:
			f.slots[i] = nil
		}
		if r.c.Backward == nil { // then the run forgets all
			continue
		}
		for _, b := range s.Buffers {
			if b.Role == plan.Temp { // what backward needs is an output
				bufs[b.Index] = nil
			}
		}
	}
	frames.Put(f)
}

// frame is what a run of a plan leaves to the next one: the list of its slots, and those
// temporaries that are too small for the pool of memory, of which there may be many.
type frame struct {
	sizes plan.Sizes
	slots []*tensor.Tensor
}

func (r *run) frame(frames *sync.Pool, p *plan.Plan) *frame {
	f, ok := frames.Get().(*frame)
	if !ok || f.sizes != r.sizes {
		f = &frame{r.sizes, make([]*tensor.Tensor, len(p.Slots))}
	}
	return f
}

func (f *frame) keeps(t *tensor.Tensor) bool {
	const small = 4 << 10 // bytes
	return t.Device() == nil && t.Bytes() <= small
}

// allocate makes the memory of a buffer, which its step writes completely.
func (r *run) allocate(b *plan.Buffer) *tensor.Tensor {
	if r.out != nil && b == r.c.Forward.Outputs[0] {
		return r.out
	}
	var dims [8]int
	return tensor.EmptyOn(r.c.device, dtypeOf(b.Type), r.shape(dims[:0], b)...)
}

// shape appends the shape of a buffer's tensor.
func (r *run) shape(shape []int, b *plan.Buffer) []int {
	if b.Res != ir.Param {
		shape = append(shape, r.sizes.Rows(b.Res))
	}
	return append(shape, b.Shape...)
}

// fits tells whether a tensor can be the memory of a buffer.
func (r *run) fits(b *plan.Buffer, t *tensor.Tensor) bool {
	return t.Shape().Equal(r.shape(nil, b)) && t.DType() == dtypeOf(b.Type) && t.Device() == r.c.device && t.IsContiguous()
}

func dtypeOf(t ir.DType) tensor.DType {
	switch t {
	case ir.F64:
		return tensor.Float64
	case ir.I32:
		return tensor.Int32
	}
	return tensor.Float32
}

// cotangent is that of a result; zeros for one that the loss does not depend on, which do
// where they meet finite factors alone.
func (r *run) cotangent(cotangents []*tensor.Tensor, result int) *tensor.Tensor {
	if g := cotangents[result]; g != nil {
		return g
	}
	b := r.c.Forward.Outputs[result]
	return tensor.ZerosOn(r.c.device, dtypeOf(b.Type), r.shape(nil, b)...)
}

// whole panics with *BindError if t, which the backward plan reads, has been freed.
func (r *run) whole(t *tensor.Tensor, b *plan.Buffer, s source) {
	if !t.Freed() {
		return
	}
	what := "what was bound"
	switch s.kind {
	case fromForward:
		what = "a result"
	case fromCotangent:
		what = "a result or its gradient"
	}
	panic(&BindError{Program: r.c.Traced.Name, Name: "Backward", Detail: fmt.Sprintf(
		"%s has been freed: %q of shape %v", what, b.Name, tensor.Shape(r.shape(nil, b)))})
}

// unchanged panics with *BindError if what the backward plan reads of what is bound was changed
// since the forward pass.
func (r *run) unchanged() {
	for i, s := range r.c.backwardInputs {
		if s.kind == fromBinding && r.bound[s.binding].ChangedSince(r.at) {
			panic(&BindError{Program: r.c.Traced.Name, Name: "Backward", Detail: fmt.Sprintf(
				"%q was changed after the forward pass, by a step of an optimiser, say: go back through the graph before that, or compute it again", r.c.Backward.Buffers[i].Name)})
		}
	}
}

// gradients runs the backward plan: from the cotangents of the results to the
// gradients of the bindings.
func (r *run) gradients(cotangents []*tensor.Tensor) []*tensor.Tensor {
	c := r.c
	for i, g := range cotangents {
		if g == nil && !c.finite[i] {
			return r.through(cotangents)
		}
	}
	r.unchanged()
	bufs := make([]*tensor.Tensor, len(c.Backward.Buffers))
	for i, s := range c.backwardInputs {
		switch s.kind {
		case fromBinding:
			bufs[i] = r.inputs[s.binding]
		case fromForward:
			bufs[i] = r.bufs[s.output]
		case fromCotangent:
			bufs[i] = r.cotangent(cotangents, s.output).Contiguous()
		}
		r.whole(bufs[i], c.Backward.Buffers[i], s)
	}
	r.execute(c.Backward, c.backward, &c.frames[1], bufs)
	grads := make([]*tensor.Tensor, len(c.taped))
	for i, b := range c.backwardOutputs {
		grads[b] = bufs[c.Backward.Outputs[i].Index]
	}
	return grads
}
