// Learning-rate schedules: what they share.

package optim

import (
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// A Scheduler sets the learning rates of an optimiser's groups as a function of
// the number of steps made, each from the learning rate that the group had when
// the schedule was made. A step is what the caller makes of it, an epoch or an
// update of the parameters:
//
//	opt.Step()
//	schedule.Step()
//
// The constructor sets the rates of step 0.
//
// Rates are computed in closed form from the step, so rounding does not pile up
// and Seek is exact. PyTorch's schedulers multiply the present rate instead, and
// two on one optimiser combine; here the later one wins.
type Scheduler interface {
	// Step advances by one step and sets the learning rates of all groups.
	Step()
	// Seek goes to a step, 0 being the first, to begin again or to resume.
	Seek(step int)
	// State returns the step and the rates that the schedule starts from, as named
	// tensors that nn.SaveTraining writes to a file.
	State() map[string]*tensor.Tensor
	// LoadState takes over the State of a schedule of the same kind and sets the
	// learning rates, or changes nothing and says what does not fit.
	LoadState(state map[string]*tensor.Tensor) error
}

var (
	_ Scheduler = (*StepLR)(nil)
	_ Scheduler = (*MultiStepLR)(nil)
	_ Scheduler = (*LambdaLR)(nil)
	_ Scheduler = (*CosineLR)(nil)
	_ Scheduler = (*OneCycleLR)(nil)
)

// schedule holds an optimiser and its groups' learning rates for every schedule.
type schedule struct {
	kind string // of schedule, in the names of its State
	opt  Optimizer
	base []float64 // learning rate of each group when the schedule was made
	step int
	rate func(base float64, step int) float64
}

func newSchedule(op, kind string, opt Optimizer, rate func(base float64, step int) float64) schedule {
	groups := wantGroups(op, opt)
	s := schedule{kind: kind, opt: opt, rate: rate}
	for _, g := range groups {
		s.base = append(s.base, g.LR)
	}
	s.Seek(0)
	return s
}

// wantGroups returns the groups whose learning rates a schedule sets, and panics if there
// are none.
func wantGroups(op string, opt Optimizer) []Group {
	if opt == nil {
		misuse(op, "the optimiser is nil")
	}
	groups := opt.Groups()
	if len(groups) == 0 { // a Solver's: its values have the config's learning rate
		misuse(op, "the optimiser has no groups, whose learning rates could be set")
	}
	return groups
}

// Step advances by one step and sets the learning rates of all groups.
func (s *schedule) Step() { s.Seek(s.step + 1) }

// Seek goes to a step, 0 being the first, to begin again or to resume. It panics
// with *[Error] if step is negative.
func (s *schedule) Seek(step int) {
	if step < 0 {
		misuse("Seek", "the step is %d", step)
	}
	groups := s.opt.Groups()
	for i, base := range s.base {
		groups[i].LR = s.rate(base, step) // a LambdaLR's may panic: then all is as before
	}
	s.step = step
}

// State returns the step, the rates that the schedule starts from and those at present,
// which the user or another schedule may have changed, such as step_lr.step, an i64
// scalar, and step_lr.base and step_lr.rate, f64 for every group.
func (s *schedule) State() map[string]*tensor.Tensor {
	var rates []float64
	for _, g := range s.opt.Groups()[:len(s.base)] {
		rates = append(rates, g.LR)
	}
	return map[string]*tensor.Tensor{
		s.kind + ".step": scalar(int64(s.step)),
		s.kind + ".base": tensor.FromSlice(slices.Clone(s.base), len(s.base)),
		s.kind + ".rate": tensor.FromSlice(rates, len(rates)),
	}
}

// LoadState takes over the State of a schedule of the same kind and sets the
// learning rates to those that it saw. What a config says is not part of a state:
// give both the same. The error names the tensors that do not fit; the schedule
// is then as before.
func (s *schedule) LoadState(state map[string]*tensor.Tensor) error {
	l := newLoader(s.kind, state)
	step := l.count("step", 0)
	var rates [2][]float64
	for k, name := range []string{"base", "rate"} {
		t := l.take(name, tensor.Float64, tensor.Shape{len(s.base)})
		if t == nil {
			continue
		}
		rates[k] = t.Float64s()
		for i, x := range rates[k] {
			if !(x >= 0 && x-x == 0) {
				l.bad(name, "has %v for group %d", x, i)
			}
		}
	}
	if err := l.err(); err != nil {
		return err
	}
	s.step, s.base = step, rates[0]
	groups := s.opt.Groups()
	for i, rate := range rates[1] {
		groups[i].LR = rate
	}
	return nil
}

// checkPositive panics unless n > 0.
func checkPositive(op, what string, n int) {
	if n <= 0 {
		misuse(op, "%s is %d, want at least 1", what, n)
	}
}

// checkShare panics unless 0 <= x <= 1.
func checkShare(op, what string, x float64) {
	if !(x >= 0 && x <= 1) {
		misuse(op, "%s is %v, want 0 <= %s <= 1", what, x, what)
	}
}
