// Parameter groups and what all optimisers share.

package optim

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
	"gorgonia.org/gorgonia"
)

// An Optimizer updates the parameters of its groups.
type Optimizer interface {
	// Step updates every parameter that has a gradient.
	Step()
	// ZeroGrad forgets the gradients of all parameters.
	ZeroGrad()
	// Groups returns the groups, live: their LR and WeightDecay may be changed
	// between steps. Groups without a learning rate have got the config's.
	Groups() []Group
	// Reset forgets the state of all parameters, as if no step had been made.
	// Parameters, gradients and the settings of the groups stay.
	Reset()
	// State returns what the optimiser remembers, as named tensors that
	// nn.SaveTraining writes to a file. They are live: the next step changes them.
	State() map[string]*tensor.Tensor
	// LoadState takes over the State of an optimiser of the same algorithm, or
	// changes nothing and says what does not fit.
	LoadState(state map[string]*tensor.Tensor) error
	// Solver returns the optimiser as a gorgonia.Solver; see [Solver].
	Solver() *Solver
}

// A Group is a set of parameters with settings of their own.
type Group struct {
	Params      []*autograd.Var // leaves; those that require no gradient are left alone
	LR          float64         // learning rate; 0 in a constructor means the config's, which must then be there
	WeightDecay float64         // 0 means none
}

const noParameters = "no parameters: a module's are the Vars made by autograd.Parameter in exported fields"

// Params returns parameters as one group with the config's learning rate and no
// weight decay: configs have none, a [Group] that is written out has. It panics with
// *[Error] if there are none: a module's are made by [autograd.Parameter], in fields with capitals.
func Params(params []*autograd.Var) []Group {
	if len(params) == 0 {
		misuse("Params", noParameters)
	}
	return []Group{{Params: params}}
}

// Error reports a setting that makes no sense. Constructors panic with it;
// autograd.Try turns it into an error.
type Error struct{ Op, Detail string }

// Error returns, for example, "optim: NewAdam: learning rate is -1".
func (e *Error) Error() string { return "optim: " + e.Op + ": " + e.Detail }

// Misuse marks the error as the caller's fault; see autograd.Try.
func (*Error) Misuse() {}

func misuse(op, format string, args ...any) {
	panic(&Error{Op: op, Detail: fmt.Sprintf(format, args...)})
}

// hyper are the settings of a group that a rule needs.
type hyper struct{ lr, weightDecay float64 }

// A rule is the update of one parameter by one algorithm.
type rule interface {
	// name is the algorithm's in the names of a State.
	name() string
	// buffers names the state of the parameter's size that it needs, at most
	// maxBuffers, as torch.optim does.
	buffers() []string
	// numbers are what the update on a device is given: the name of the backend's rule
	// and its scalars. It takes the step into account as update32 does.
	numbers(s *progress, h hyper) (string, []float64)
	// update32 and update64 update w in place from the gradient g.
	update32(w, g []float32, s *state[float32], h hyper)
	update64(w, g []float64, s *state[float64], h hyper)
}

// maxBuffers is how many values per weight an algorithm may remember.
const maxBuffers = 3

// buffers are what a rule remembers of each weight of one parameter; those that
// it does not need are nil.
type buffers[T tensor.Float] [maxBuffers][]T

// progress is how far the updates of a parameter are.
type progress struct {
	steps   int     // updates so far, this one included
	momenta float64 // product of the momentum coefficients so far, for a rule with one that changes
}

// state is what a rule remembers of one parameter.
type state[T tensor.Float] struct {
	progress
	bufs buffers[T]
}

// base holds groups and state for every optimiser.
type base struct {
	rule    rule
	buffers []string // the rule's
	product string   // name of momenta in a State; empty: the rule has none
	lr      float64  // of the config
	groups  []Group
	s32     map[gorgonia.ValueGrad]*state[float32]
	s64     map[gorgonia.ValueGrad]*state[float64]
	far     map[gorgonia.ValueGrad]*farState // of parameters on devices
}

func newBase(op string, groups []Group, lr float64, r rule) base {
	checkNonNegative(op, "learning rate", lr)
	seen := map[*autograd.Var]bool{}
	b := base{
		rule: r, buffers: r.buffers(), lr: lr, groups: append([]Group(nil), groups...),
		s32: map[gorgonia.ValueGrad]*state[float32]{}, s64: map[gorgonia.ValueGrad]*state[float64]{},
		far: map[gorgonia.ValueGrad]*farState{},
	}
	for i, g := range b.groups {
		checkNonNegative(op, fmt.Sprintf("learning rate of group %d", i), g.LR)
		checkNonNegative(op, fmt.Sprintf("weight decay of group %d", i), g.WeightDecay)
		for j, p := range g.Params {
			switch {
			case p != nil && !p.IsLeaf():
				misuse(op, "parameter %d of group %d is a result of an operation: only leaves can be trained", j, i)
			case p == nil || p.Tensor() == nil || !p.DType().IsFloat():
				misuse(op, "parameter %d of group %d is not a dense floating-point Var", j, i)
			case seen[p]:
				misuse(op, "parameter %d of group %d appears twice", j, i)
			}
			seen[p] = true
		}
		if g.LR == 0 { // filled in here and not at each step: a schedule may end at 0
			b.groups[i].LR = lr
		}
		if b.groups[i].LR == 0 {
			misuse(op, "group %d has no learning rate: set LR of the group or of the config", i)
		}
	}
	if len(b.groups) == 0 && lr == 0 { // a Solver's: see Solver
		misuse(op, "no learning rate: set LR of the config")
	}
	return b
}

// orDefault returns x, or d for a setting that was left out.
func orDefault(x, d float64) float64 {
	if x == 0 {
		return d
	}
	return x
}

// checkNonNegative panics unless 0 <= x < Inf.
func checkNonNegative(op, what string, x float64) {
	if !(x >= 0 && x-x == 0) {
		misuse(op, "%s is %v", what, x)
	}
}

// checkFraction panics unless 0 <= x < 1.
func checkFraction(op, what string, x float64) {
	if !(x >= 0 && x < 1) {
		misuse(op, "%s is %v, want 0 <= %s < 1", what, x, what)
	}
}

// Step updates every parameter that has a gradient.
func (b *base) Step() {
	var p *autograd.Var // one closure for all
	var h hyper
	var far farStep
	update := func(w, g *tensor.Tensor) {
		if w.Device() != nil {
			far.add(b, p, w, g, h)
		} else {
			b.update(p, w, g, h)
		}
	}
	for _, g := range b.groups {
		h = g.hyper()
		for _, p = range g.Params {
			if p.RequiresGrad() {
				p.Update(update)
			}
		}
	}
	far.run()
}

// update updates the value w of one of our parameters from its gradient g.
func (b *base) update(p *autograd.Var, w, g *tensor.Tensor, h hyper) {
	if w.Device() != nil {
		var one farStep
		one.add(b, p, w, g, h)
		one.run()
		return
	}
	p.MarkChanged()
	if g = g.Contiguous(); w.DType() == tensor.Float32 {
		b.update32(p, tensor.Data[float32](w), tensor.Data[float32](g), h)
	} else {
		b.update64(p, tensor.Data[float64](w), tensor.Data[float64](g), h)
	}
}

func (g Group) hyper() hyper { return hyper{lr: g.LR, weightDecay: g.WeightDecay} }

func (b *base) update32(key gorgonia.ValueGrad, w, g []float32, h hyper) {
	if len(b.far) > 0 {
		moveBack(b, b.s32, key)
	}
	b.rule.update32(w, g, advance(b.s32, key, len(b.buffers), len(w)), h)
}

func (b *base) update64(key gorgonia.ValueGrad, w, g []float64, h hyper) {
	if len(b.far) > 0 {
		moveBack(b, b.s64, key)
	}
	b.rule.update64(w, g, advance(b.s64, key, len(b.buffers), len(w)), h)
}

// advance returns the state of a parameter for its next step.
func advance[T tensor.Float](states map[gorgonia.ValueGrad]*state[T], key gorgonia.ValueGrad, buffers, n int) *state[T] {
	s := states[key]
	if s == nil {
		s = &state[T]{progress: progress{momenta: 1}}
		for i := range buffers {
			s.bufs[i] = make([]T, n)
		}
		states[key] = s
	}
	s.steps++
	return s
}

// ZeroGrad forgets the gradients of all parameters.
func (b *base) ZeroGrad() {
	for _, g := range b.groups {
		for _, p := range g.Params {
			p.ZeroGrad()
		}
	}
}

// Groups returns the groups, live: their LR and WeightDecay may be changed
// between steps. Groups without a learning rate have got the config's.
func (b *base) Groups() []Group { return b.groups }

// Reset forgets the state of all parameters, as if no step had been made.
// Parameters, gradients and the settings of the groups stay.
func (b *base) Reset() {
	clear(b.s32)
	clear(b.s64)
	clear(b.far)
}

// Solver returns the optimiser as a gorgonia.Solver.
func (b *base) Solver() *Solver { return &Solver{b} }

// grain is the number of elements in a range of parallel.
const grain = 1 << 14

// parallel runs f over ranges of n elements: [0, grain), [grain, 2·grain), ...
func parallel(n int, f func(lo, hi int)) { cpu.ParallelFor(n, grain, f) }

// each runs a rule's loop over weights, their gradients and their buffers: in one
// call if they are few, else in ranges in parallel. args are the loop's scalars.
func each[T tensor.Float, A any](w, g []T, s *state[T], args A, loop func(args A, w, g []T, bufs buffers[T])) {
	if len(w) <= grain {
		loop(args, w, g[:len(w)], s.bufs)
		return
	}
	parallel(len(w), func(lo, hi int) {
		bufs := s.bufs
		for i, b := range bufs {
			if b != nil {
				bufs[i] = b[lo:hi]
			}
		}
		loop(args, w[lo:hi], g[lo:hi], bufs)
	})
}
