package vcentric

// Finding what a program was compiled to: most often what the last run had, else by a key.

import (
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// maxCompiled is for how many signatures a program keeps what it has compiled. Where each graph or
// batch has shapes of its own, which no later one may have, the list would grow for ever.
const maxCompiled = 64

// Compiled returns the plans that Run uses for these bindings, compiling them
// if need be. A program keeps those of the 64 signatures that were used last.
func (p *Program) Compiled(g *graph.Graph, bindings ...Binding) *Compiled {
	p.want("Compiled")
	c := p.last.Load()
	if c == nil || !c.isFor(g, bindings) {
		c = p.lookUp(g, bindings)
		p.last.Store(c)
	}
	if now := p.met.Load(); c.used.Load() != now { // a store takes the cache line from other threads
		c.used.Store(now)
	}
	return c
}

// lookUp looks for the plans by the signature's key, and compiles them if there are none.
func (p *Program) lookUp(g *graph.Graph, bindings []Binding) *Compiled {
	device, dt := check(p.name, g, bindings)
	var buf [512]byte
	key := appendKey(buf[:0], g, device, dt, bindings)
	known := func() *Compiled {
		p.mu.RLock()
		defer p.mu.RUnlock()
		return p.compiled[string(key)]
	}
	if c := known(); c != nil {
		return c
	}
	if vertexFunctions() == 0 { // one that waited for a program that waits for it would wait for ever
		p.compiling.Lock()
		defer p.compiling.Unlock()
		if c := known(); c != nil {
			return c
		}
	}
	c := p.compile(g, bindings)
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.compiled[string(key)]; first != nil { // by a vertex function that needs it
		return first
	}
	if len(p.compiled) == maxCompiled {
		p.forgetOne()
	}
	c.used.Store(p.met.Add(1))
	p.compiled[string(key)] = c
	return c
}

// isFor tells whether the bindings fit the graph and have the signature that c was compiled for:
// what check and appendKey find, sooner, for what they say of names and kinds is known of c's.
// False on devices, whose kernels depend on more.
func (c *Compiled) isFor(g *graph.Graph, bindings []Binding) bool {
	s := c.derivatives.sig
	if g == nil || c.device != nil || len(bindings) != len(c.given) || g.IsBipartite() != s.bipartite ||
		typesOf(g) != s.types || s.sized && degreeOf(g) != s.degree {
		return false
	}
	dt := dtypeOf(s.dtype)
	asGiven, require := true, false // which ones require a gradient; whether one does
	for i := range bindings {
		b, given := &bindings[i], &c.given[i]
		if b.kind != given.kind || b.name != given.name {
			return false
		}
		if b.kind == training {
			continue
		}
		if b.v == nil {
			return false
		}
		x := b.v.Operand() // nil for sparse ones
		if x == nil || x.DType() != dt || x.Device() != nil {
			return false
		}
		shape := x.Shape()
		if b.kind != param {
			if n, _ := b.kind.rows(g); len(shape) == 0 || shape[0] != n {
				return false
			}
			shape = shape[1:]
		}
		if !shape.Equal(tensor.Shape(given.shape)) {
			return false
		}
		requires := b.v.RequiresGrad()
		asGiven, require = asGiven && requires == given.grad, require || requires
	}
	if require && recorded(bindings) {
		return asGiven
	}
	return !c.grads
}

// given lists what is bound, the training as well, and tells whether some of it wants a gradient.
func (s *signature) given(bindings []Binding) (list []boundShape, grads bool) {
	rest := s.bound
	for _, b := range bindings {
		if b.kind == training {
			list = append(list, boundShape{kind: training})
			continue
		}
		list, grads = append(list, rest[0]), grads || rest[0].grad
		rest = rest[1:]
	}
	return list, grads
}

// forgetOne drops the plans that have not been used for longest. Who runs them still has them. It
// wants the lock.
func (p *Program) forgetOne() {
	oldest, when := "", uint64(math.MaxUint64)
	for key, c := range p.compiled {
		if used := c.used.Load(); used < when {
			oldest, when = key, used
		}
	}
	delete(p.compiled, oldest)
}
