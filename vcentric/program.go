package vcentric

// Programs and what they compile to.

import (
	"slices"
	"sync"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Program is a vertex function and what it has been compiled to so far. It is
// safe for concurrent use.
type Program struct {
	name string
	f    func(Vertex) Value

	mu       sync.RWMutex
	compiled map[string]*Compiled
}

// Compile makes a program of a function that computes one vertex's value, or
// the value of one of its in-edges. The function runs when a new signature is
// first met; misuse inside it panics with *ir.Error, which names its line.
func Compile(name string, f func(v Vertex) Value) *Program {
	return &Program{name: name, f: f, compiled: make(map[string]*Compiled)}
}

// Name is the name given to Compile.
func (p *Program) Name() string { return p.name }

// Compiled is a program compiled for one signature.
type Compiled struct {
	Traced   *ir.Program // as the user wrote it
	Forward  *plan.Plan
	Backward *plan.Plan // nil if nothing bound needs a gradient
	Fired    pass.Log   // the rewrite rules that fired, and how often

	forward         kernels
	backward        kernels
	forwardInputs   []source
	backwardInputs  []source
	backwardOutputs []int // of each output of Backward, the binding it is the gradient of
}

// Compiled returns the plans that Run uses for these bindings, compiling them
// if need be.
func (p *Program) Compiled(g *graph.Graph, bindings ...Binding) *Compiled {
	check(p.name, g, bindings)
	var buf [256]byte
	key := appendKey(buf[:0], g, bindings)
	p.mu.RLock()
	c := p.compiled[string(key)]
	p.mu.RUnlock()
	if c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.compiled[string(key)]; c != nil {
		return c
	}
	bound := slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool { return b.kind == training })
	c = compile(p.name, p.f, newSignature(g, bindings), bound)
	p.compiled[string(key)] = c
	return c
}

func compile(name string, f func(Vertex) Value, sig *signature, bindings []Binding) *Compiled {
	c := &Compiled{Traced: trace(name, f, sig)}
	index := make(map[string]int) // binding name of the IR -> position in bindings
	wanted := make(map[string]bool)
	trains, recording := false, recorded(bindings)
	for _, v := range c.Traced.Inputs() {
		key := c.Traced.Binding(v)
		index[key] = find(bindings, v)
		wanted[key] = recording && bindings[index[key]].v.RequiresGrad()
		trains = trains || wanted[key]
	}
	if !trains {
		prog, log := pass.Forward(c.Traced, pass.Options{})
		c.Forward, c.Fired = plan.Build(prog), log
	} else {
		fwd, bwd, log := pass.Training(c.Traced, pass.Options{Want: func(b string) bool { return wanted[b] }})
		c.Forward, c.Backward, c.Fired = plan.Build(fwd), plan.Build(bwd), log
		c.backward = newKernels(c.Backward)
	}
	c.forward = newKernels(c.Forward)
	c.wire(index)
	return c
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
	}
	return r == ir.Param
}

func newKernels(p *plan.Plan) kernels {
	if p.Program.Type == ir.F64 {
		return typedKernels[float64]{cpu.Compile[float64](p)}
	}
	return typedKernels[float32]{cpu.Compile[float32](p)}
}
