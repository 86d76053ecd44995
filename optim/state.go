// What optimisers and schedules remember, as named tensors that a file can hold.

package optim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
)

// State returns what the optimiser remembers, as named tensors: for every group
//
//	adam.groups.0.lr, adam.groups.0.weight_decay    f64 scalars
//	adam.groups.0.params                            i64 scalar: how many parameters it has
//
// and for every parameter that was updated, numbered through all groups,
//
//	adam.params.0.step                              i64 scalar
//	adam.params.0.exp_avg, ...                      the algorithm's buffers
//
// with the algorithm's name first and the buffers named as in torch.optim. With
// nn.SaveTraining it goes to a file; LoadState brings it back, after which the
// steps are bit for bit those of an uninterrupted run.
//
// The buffers are live: the next step changes them. The state of values in no
// group, which a [Solver] keeps, is not among them.
func (b *base) State() map[string]*tensor.Tensor {
	state := map[string]*tensor.Tensor{}
	put := func(t *tensor.Tensor, format string, args ...any) {
		state[b.rule.name()+"."+fmt.Sprintf(format, args...)] = t
	}
	for i, g := range b.groups {
		put(scalar(g.LR), "groups.%d.lr", i)
		put(scalar(g.WeightDecay), "groups.%d.weight_decay", i)
		put(scalar(int64(len(g.Params))), "groups.%d.params", i)
	}
	for i, p := range b.params() {
		switch {
		case b.far[p] != nil:
			putFarState(b, b.far[p], i, put)
		case p.DType() == tensor.Float32:
			putState(b, b.s32[p], p, i, put)
		default:
			putState(b, b.s64[p], p, i, put)
		}
	}
	return state
}

func putState[T tensor.Float](b *base, s *state[T], p *autograd.Var, i int, put func(t *tensor.Tensor, format string, args ...any)) {
	if s == nil {
		return
	}
	putProgress(b, s.progress, i, put)
	for k, name := range b.buffers {
		put(tensor.FromSlice(s.bufs[k], p.Shape()...), "params.%d.%s", i, name)
	}
}

func putProgress(b *base, p progress, i int, put func(t *tensor.Tensor, format string, args ...any)) {
	put(scalar(int64(p.steps)), "params.%d.step", i)
	if b.product != "" {
		put(scalar(p.momenta), "params.%d.%s", i, b.product)
	}
}

// LoadState takes over a State of the same algorithm, by copying: the learning
// rates and weight decays of the groups and what is remembered of every
// parameter, by number: the groups must have as many, in the same order. (A state from
// before that was written does not say how many.) What else a config says is not part of
// a state: give both the same.
// The error names the tensors whose names, element types, shapes or values do
// not fit; the optimiser is then as before.
func (b *base) LoadState(state map[string]*tensor.Tensor) error {
	l := newLoader(b.rule.name(), state)
	groups := slices.Clone(b.groups)
	for i := range groups {
		groups[i].LR = l.nonNegative(fmt.Sprintf("groups.%d.lr", i))
		groups[i].WeightDecay = l.nonNegative(fmt.Sprintf("groups.%d.weight_decay", i))
		l.wantParams(fmt.Sprintf("groups.%d.params", i), len(groups[i].Params))
	}
	s32, s64, far := maps.Clone(b.s32), maps.Clone(b.s64), maps.Clone(b.far)
	for i, p := range b.params() {
		delete(s32, gorgonia.ValueGrad(p))
		delete(s64, gorgonia.ValueGrad(p))
		delete(far, gorgonia.ValueGrad(p))
		switch {
		case p.Device() != nil:
			takeFarState(b, l, far, p, i)
		case p.DType() == tensor.Float32:
			takeState(b, l, s32, p, i)
		default:
			takeState(b, l, s64, p, i)
		}
	}
	if err := l.err(); err != nil {
		return err
	}
	copy(b.groups, groups) // in place: schedules and users hold them
	b.s32, b.s64, b.far = s32, s64, far
	return nil
}

func takeState[T tensor.Float](b *base, l *loader, states map[gorgonia.ValueGrad]*state[T], p *autograd.Var, i int) {
	prefix := fmt.Sprintf("params.%d.", i)
	if !l.hasAny(prefix) { // not updated so far
		return
	}
	s := &state[T]{progress: takeProgress(b, l, prefix)}
	for k, name := range b.buffers {
		if t := l.take(prefix+name, p.DType(), p.Shape()); t != nil {
			s.bufs[k] = slices.Clone(tensor.Data[T](t.ToDevice(tensor.CPU).Contiguous()))
		}
	}
	states[p] = s
}

func takeProgress(b *base, l *loader, prefix string) progress {
	p := progress{steps: l.count(prefix+"step", 1), momenta: 1}
	if b.product != "" {
		p.momenta = l.nonNegative(prefix + b.product)
	}
	return p
}

// params returns the parameters of all groups.
func (b *base) params() []*autograd.Var {
	var ps []*autograd.Var
	for _, g := range b.groups {
		ps = append(ps, g.Params...)
	}
	return ps
}

// scalar returns a tensor without axes.
func scalar[T tensor.Element](x T) *tensor.Tensor { return tensor.FromSlice([]T{x}) }

// A loader takes the tensors of one kind of state and gathers what is wrong.
type loader struct {
	kind     string // what the names begin with
	state    map[string]*tensor.Tensor
	left     map[string]bool // names not taken so far
	problems []string
}

func newLoader(kind string, state map[string]*tensor.Tensor) *loader {
	l := &loader{kind: kind, state: state, left: map[string]bool{}}
	for name := range state {
		l.left[name] = true
	}
	return l
}

func (l *loader) bad(name, format string, args ...any) {
	l.problems = append(l.problems, l.kind+"."+name+": "+fmt.Sprintf(format, args...))
}

// hasAny tells whether a name begins with the prefix.
func (l *loader) hasAny(prefix string) bool {
	for name := range l.left {
		if strings.HasPrefix(name, l.kind+"."+prefix) {
			return true
		}
	}
	return false
}

// take returns the tensor of a name, type and shape, nil if there is none.
func (l *loader) take(name string, dt tensor.DType, shape tensor.Shape) *tensor.Tensor {
	t := l.state[l.kind+"."+name]
	delete(l.left, l.kind+"."+name)
	switch {
	case t == nil:
		l.bad(name, "is missing")
	case t.DType() != dt:
		l.bad(name, "element type %v, want %v", t.DType(), dt)
	case !t.Shape().Equal(shape):
		l.bad(name, "shape %v, want %v", t.Shape(), shape)
	default:
		return t
	}
	return nil
}

// number returns a float64 scalar.
func (l *loader) number(name string) float64 {
	if t := l.take(name, tensor.Float64, nil); t != nil {
		return t.Item()
	}
	return 0
}

// nonNegative returns a float64 scalar that is finite and not negative.
func (l *loader) nonNegative(name string) float64 {
	x := l.number(name)
	if !(x >= 0 && x-x == 0) {
		l.bad(name, "is %v", x)
	}
	return x
}

// count returns an int64 scalar of at least the given size.
func (l *loader) count(name string, least int) int {
	t := l.take(name, tensor.Int64, nil)
	if t == nil {
		return 0
	}
	n := tensor.Data[int64](t)[0]
	if n < int64(least) || int64(int(n)) != n {
		l.bad(name, "is %d", n)
	}
	return int(n)
}

// wantParams looks at how many parameters a group had, if the state says so.
func (l *loader) wantParams(name string, want int) {
	if l.state[l.kind+"."+name] == nil {
		return
	}
	problems := len(l.problems)
	if n := l.count(name, 0); n != want && len(l.problems) == problems {
		l.bad(name, "is %d, the group has %d", n, want)
	}
}

// err returns what was wrong, and the names that belong to nothing.
func (l *loader) err() error {
	const most = 8
	for _, name := range slices.Sorted(maps.Keys(l.left)) {
		l.problems = append(l.problems, name+": is not part of the state")
	}
	if more := len(l.problems) - most; more > 0 {
		l.problems = append(l.problems[:most], fmt.Sprintf("and %d more", more))
	}
	if len(l.problems) == 0 {
		return nil
	}
	return fmt.Errorf("optim: LoadState: %s", strings.Join(l.problems, "; "))
}
