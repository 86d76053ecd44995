package vcentric

// Programs and what they compile to.

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Program is a vertex function and what it has been compiled to so far. It is
// safe for concurrent use.
type Program struct {
	name string
	f    function
	off  []string // rewrite rules to leave out

	native string // the compiler of its kernels; empty for the Go executor

	compiling sync.Mutex // held by the one goroutine that compiles, but not inside of a vertex function
	mu        sync.RWMutex
	compiled  map[string]*Compiled
	last      atomic.Pointer[Compiled] // the one that was looked for last
	met       atomic.Uint64            // how many signatures so far
}

// Compile makes a program of a function that computes one vertex's value, or
// the value of one of its in-edges or out-edges. The function runs when a new signature is
// first met; misuse inside it panics with *ir.Error, which names its line. A nil
// function panics with *BindError.
func Compile(name string, f func(v Vertex) Value) *Program {
	if f == nil {
		panic(&BindError{Program: name, Name: "Compile", Detail: "the function is nil"})
	}
	return &Program{name: name, f: function{one: f, given: callerLine()}, compiled: make(map[string]*Compiled)}
}

// CompileMany makes a program of a function with several results, each of them a
// vertex's value or the value of its edges; RunMany runs it.
func CompileMany(name string, f func(v Vertex) []Value) *Program {
	if f == nil {
		panic(&BindError{Program: name, Name: "CompileMany", Detail: "the function is nil"})
	}
	return &Program{name: name, f: function{many: f, given: callerLine()}, compiled: make(map[string]*Compiled)}
}

// planRules are the rules of the planner; the others are of package pass.
var planRules = plan.Rules()

// want panics unless the program was made with Compile or CompileMany.
func (p *Program) want(op string) {
	if p == nil || p.compiled == nil {
		panic(&BindError{Program: "no program", Name: op, Detail: "the program is nil or empty: make it with Compile"})
	}
}

// Name is the name given to Compile.
func (p *Program) Name() string {
	p.want("Name")
	return p.name
}

// Without is the same program compiled without the named rewrite rules and
// decisions of the planner, such as "factor-out-of-sum": for measuring what they
// are worth, and for finding the one that is wrong. Compiled.Fired and the plans'
// Decisions have the names. An unknown name is misuse.
func (p *Program) Without(rules ...string) *Program {
	p.want("Without")
	known := append(pass.RuleNames(), planRules...)
	for _, r := range rules {
		if !slices.Contains(known, r) {
			panic(&BindError{Program: p.name, Name: "Without", Detail: fmt.Sprintf("no rule is named %q", r)})
		}
	}
	q := p.uncompiled()
	q.off = append(slices.Clone(p.off), rules...)
	return q
}

// Native is the same program with its kernels compiled to native code by a
// registered compiler: "cc" is the system's C compiler, if vcentric/cc is
// imported. Kernels that the compiler leaves run as they did; Compiled.Declined
// says why. Results agree within rounding. Run panics with *BindError if nothing
// can be compiled. ASTERIAS_CPU=cc does the same for all programs, but falls back
// to the Go executor with a line on standard error.
func (p *Program) Native(compiler string) *Program {
	p.want("Native")
	q := p.uncompiled()
	q.native = compiler
	return q
}

// uncompiled is the same program, of which nothing has been compiled.
func (p *Program) uncompiled() *Program {
	return &Program{name: p.name, f: p.f, off: p.off, native: p.native, compiled: make(map[string]*Compiled)}
}

// Compiled is a program compiled for one signature.
type Compiled struct {
	Traced   *ir.Program // as the user wrote it
	Forward  *plan.Plan
	Backward *plan.Plan // nil if nothing bound needs a gradient
	Fired    pass.Log   // the rewrite rules that fired, and how often

	device          *tensor.Device // of all that is bound and computed; nil for the CPU
	forward         kernels
	backward        kernels
	frames          [2]sync.Pool // of *frame, of each plan
	runs            sync.Pool    // of *run, if there is no backward plan: it reads what a run had
	forwardInputs   []source
	backwardInputs  []source
	taped           []int  // the bindings that results take their need of a gradient from
	backwardOutputs []int  // of each output of Backward, whose gradient it is: which of taped
	results         int    // how many there are: the first outputs of Forward
	finite          []bool // of each result: its gradient has finite factors alone

	derivatives derivatives

	given []boundShape  // what it was compiled for, in the order of the bindings, with their training
	grads bool          // some of that wants a gradient
	used  atomic.Uint64 // when it was last: what Program.met was
}

// compile compiles for what is bound, and dumps what it made if asked to.
func (p *Program) compile(g *graph.Graph, bindings []Binding) *Compiled {
	dir, ok := dumpDir(p.name)
	if !ok {
		sig, start := newSignature(g, bindings), time.Now()
		c := p.build(sig, bindings, nil)
		c.announce(p.name, sig.String, time.Since(start))
		return c
	}
	c, report := p.report(g, bindings)
	c.announce(p.name, func() string { return report.Signature }, report.CompileTime)
	dump(report, dir)
	return c
}

// build traces and compiles the program; watch sees it after every step.
func (p *Program) build(sig *signature, bindings []Binding, watch func(pass.Stage)) *Compiled {
	all := bindings
	bindings = slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool { return b.kind == training })
	c := &Compiled{Traced: trace(p.name, p.f, sig)}
	if watch != nil {
		watch(pass.Stage{Name: "traced", Program: c.Traced})
	}
	c.results = len(c.Traced.Outputs)
	opts := pass.Options{Off: p.off, Sizes: sig.sizes(), Watch: watch}
	c.derivatives.p, c.derivatives.sig = p, sig
	c.given, c.grads = sig.given(all)
	planned := plan.Options{Off: slices.DeleteFunc(slices.Clone(p.off), func(r string) bool { return !slices.Contains(planRules, r) })}
	c.device = deviceOf(p.name, bindings)
	if c.device != nil {
		o := compilerOf(p.name, c.device).PlanFor(sig.numEdges)
		planned.Off, planned.EdgeBytes = append(planned.Off, o.Off...), o.EdgeBytes
		opts.Off = append(slices.Clone(opts.Off), pass.SaveEdgeValue) // not measured on one
	}
	index := make(map[string]int) // binding name of the IR -> position in bindings
	for _, v := range c.Traced.Inputs() {
		index[c.Traced.Binding(v)] = find(bindings, v)
	}
	wanted, recording := make(map[string]bool), recorded(bindings)
	gradient := make([]bool, len(bindings)) // results depend on it, and it requires a gradient
	needed := live(c.Traced)
	for _, v := range c.Traced.Inputs() {
		if !needed[v] {
			continue
		}
		key := c.Traced.Binding(v)
		wanted[key] = recording && bindings[index[key]].v.RequiresGrad()
		gradient[index[key]] = wanted[key]
	}
	if !slices.Contains(gradient, true) {
		prog, log := pass.Forward(c.Traced, opts)
		c.Forward, c.Fired = plan.BuildWith(prog, planned), log
	} else {
		opts.Want = func(b string) bool { return wanted[b] }
		fwd, bwd, log := pass.Training(c.Traced, opts)
		c.Forward, c.Backward, c.Fired = plan.BuildWith(fwd, planned), plan.BuildWith(bwd, planned), log
		plan.CrossInOrder(c.Forward, c.Backward)
		c.backward = p.kernels(c.Backward, c.device, sig.edges)
		c.finite = pass.FiniteFactors(c.Traced)
	}
	c.forward = p.kernels(c.Forward, c.device, sig.edges)
	onTape := c.tape(all, func(i int) bool { return gradient[i] || !recording || !bindings[i].v.RequiresGrad() })
	c.wire(index, onTape)
	return c
}

// live marks what results depend on.
func live(p *ir.Program) map[*ir.Value]bool {
	m := make(map[*ir.Value]bool)
	for _, o := range p.Outputs {
		m[o.Value] = true
	}
	for _, v := range slices.Backward(p.Values) {
		for _, a := range v.Args {
			m[a] = m[a] || m[v]
		}
	}
	return m
}

// find is the binding that an input of the traced program reads.
func find(bindings []Binding, v *ir.Value) int {
	for i, b := range bindings {
		if b.name == v.Attr.Name && b.residencies(v.Res) {
			return i
		}
	}
	panic("BUG: vcentric: " + v.String() + " is bound to nothing")
}

// residencies tells whether a binding of the kind is read as residency r.
func (b Binding) residencies(r ir.Residency) bool {
	switch b.kind {
	case vertexFeature:
		return r == ir.Src || r == ir.Dst
	case srcFeature:
		return r == ir.Src
	case dstFeature:
		return r == ir.Dst
	case edgeFeature:
		return r == ir.Edge
	case vertexTypeFeature:
		return r == ir.SrcType || r == ir.DstType
	case srcTypeFeature:
		return r == ir.SrcType
	case dstTypeFeature:
		return r == ir.DstType
	case edgeTypeFeature:
		return r == ir.EdgeType
	}
	return r == ir.Param
}

// Peak predicts how many bytes a run allocates at most on a graph: the forward
// run, and a training step, from the forward run to the end of the backward run.
// What is bound, and the gradient of the result, come on top.
func (c *Compiled) Peak(g *graph.Graph) (forward, step int64) {
	s := sizesOf(g)
	forward = c.Forward.Peak(s) + c.forward.workspace(g)
	if c.Backward == nil {
		return forward, forward
	}
	kept := c.Backward.Peak(s) + c.backward.workspace(g)
	for _, slot := range c.Forward.Slots {
		if !isTemp(slot) {
			kept += slot.Bytes(s)
		}
	}
	return forward, max(forward, kept)
}

// isTemp tells whether nothing in the slot outlives the run.
func isTemp(s *plan.Slot) bool { return s.Buffers[len(s.Buffers)-1].Role == plan.Temp }
