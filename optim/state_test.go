// State of optimisers and schedules: saved, restored, refused.

package optim_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// run is an optimiser with a parameter that is updated always, one that is
// updated at every third step, and one that never is, in two groups.
type run struct {
	opt    optim.Optimizer
	params []*autograd.Var
	step   int
}

func newRun(make func(gs []optim.Group) optim.Optimizer, dt tensor.DType) *run {
	var ps []*autograd.Var
	for i, shape := range [][]int{{3, 4}, {}, {5}} {
		size := tensor.Shape(shape).Size()
		ps = append(ps, autograd.Parameter(tensor.FromSlice(wave(i, size+1)[1:], shape...).To(dt)))
	}
	groups := append(referenceGroup(ps[0]), optim.Group{Params: ps[1:], LR: 0.1})
	return &run{opt: make(groups), params: ps}
}

func (r *run) train(steps int) []float64 {
	for range steps {
		r.step++
		r.opt.ZeroGrad()
		for i, p := range r.params {
			if i == 0 || i == 1 && r.step%3 == 2 {
				size := p.Tensor().Size()
				give(p, tensor.FromSlice(wave(r.step, size+1)[1:], p.Shape()...).To(p.DType()))
			}
		}
		r.opt.Step()
	}
	return r.values()
}

func (r *run) values() []float64 {
	var all []float64
	for _, p := range r.params {
		all = append(all, p.Tensor().Float64s()...)
	}
	return all
}

// frozenState copies a state, which is live.
func frozenState(state map[string]*tensor.Tensor) map[string]*tensor.Tensor {
	frozen := map[string]*tensor.Tensor{}
	for name, t := range state {
		frozen[name] = t.Clone()
	}
	return frozen
}

func sameState(a, b map[string]*tensor.Tensor) bool {
	return maps.EqualFunc(a, b, func(x, y *tensor.Tensor) bool {
		return x.DType() == y.DType() && x.Shape().Equal(y.Shape()) && slices.Equal(x.Float64s(), y.Float64s())
	})
}

func TestRestoredOptimizersGoOnBitForBit(t *testing.T) {
	for _, a := range algorithms {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			for _, before := range []int{0, 1, 4} {
				first := newRun(a.make, dt)
				first.train(before)
				first.opt.Groups()[1].LR = 0.07
				second := newRun(a.make, dt)
				second.train(2) // a state of its own, to be forgotten
				second.step = before
				for i, p := range second.params {
					p.SetTensor(first.params[i].Tensor().Clone())
				}
				if err := second.opt.LoadState(first.opt.State()); err != nil {
					t.Fatalf("%s: %v", a.name, err)
				}
				if !sameState(first.opt.State(), second.opt.State()) {
					t.Errorf("%s %v: the restored state differs", a.name, dt)
				}
				want := first.train(4)
				if got := second.train(4); !slices.Equal(got, want) {
					t.Errorf("%s %v after %d steps: weights\n%v, want\n%v", a.name, dt, before, got, want)
				}
			}
		}
	}
}

func TestStateHasTheNamesOfTorchOptim(t *testing.T) {
	r := newRun(func(gs []optim.Group) optim.Optimizer { return optim.NewAdam(gs, optim.AdamConfig{AMSGrad: true}) }, tensor.Float32)
	r.train(2)
	got := map[string]string{}
	for name, x := range r.opt.State() {
		got[name] = x.DType().String() + x.Shape().String()
	}
	want := map[string]string{"adam.groups.0.lr": "f64[]", "adam.groups.0.weight_decay": "f64[]", "adam.groups.0.params": "i64[]",
		"adam.groups.1.lr": "f64[]", "adam.groups.1.weight_decay": "f64[]", "adam.groups.1.params": "i64[]"}
	for i, shape := range []string{"[3 4]", "[]"} {
		p := "adam.params." + string(rune('0'+i)) + "."
		want[p+"step"] = "i64[]"
		for _, b := range []string{"exp_avg", "exp_avg_sq", "max_exp_avg_sq"} {
			want[p+b] = "f32" + shape
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("state %v, want %v", got, want)
	}
}

func TestLoadStateRefusesWhatDoesNotFitAndChangesNothing(t *testing.T) {
	adam := func(c optim.AdamConfig) func(gs []optim.Group) optim.Optimizer {
		return func(gs []optim.Group) optim.Optimizer { return optim.NewAdam(gs, c) }
	}
	sgd := func(gs []optim.Group) optim.Optimizer { return optim.NewSGD(gs, optim.SGDConfig{Momentum: 0.5}) }
	trained := func(make func(gs []optim.Group) optim.Optimizer, dt tensor.DType) map[string]*tensor.Tensor {
		r := newRun(make, dt)
		r.train(1)
		return frozenState(r.opt.State())
	}
	with := func(name string, x *tensor.Tensor) map[string]*tensor.Tensor {
		state := trained(adam(optim.AdamConfig{}), tensor.Float32)
		if state[name] = x; x == nil {
			delete(state, name)
		}
		return state
	}
	f64 := func(x float64) *tensor.Tensor { return tensor.FromSlice([]float64{x}) }
	i64 := func(x int64) *tensor.Tensor { return tensor.FromSlice([]int64{x}) }
	for want, state := range map[string]map[string]*tensor.Tensor{
		"optim: LoadState: adam.groups.0.lr: is missing":                  {},
		"adam.groups.1.weight_decay: is missing; sgd.groups.0.lr: is not": trained(sgd, tensor.Float32),
		"adam.params.0.max_exp_avg_sq: is not part of the state":          trained(adam(optim.AdamConfig{AMSGrad: true}), tensor.Float32),
		"adam.params.0.exp_avg: element type f64, want f32":               trained(adam(optim.AdamConfig{}), tensor.Float64),
		"adam.params.0.exp_avg: shape [12], want [3 4]":                   with("adam.params.0.exp_avg", tensor.Zeros(tensor.Float32, 12)),
		"adam.params.0.exp_avg_sq: is missing":                            with("adam.params.0.exp_avg_sq", nil),
		"adam.params.0.step: is missing":                                  with("adam.params.0.step", nil),
		"adam.params.0.step: is 0":                                        with("adam.params.0.step", i64(0)),
		"adam.params.0.step: element type f64, want i64":                  with("adam.params.0.step", f64(1)),
		"adam.params.9.step: is not part of the state":                    with("adam.params.9.step", i64(1)),
		"adam.params.1.exp_avg: is missing":                               with("adam.params.1.step", i64(1)),
		"adam.groups.0.lr: is -1":                                         with("adam.groups.0.lr", f64(-1)),
		"adam.groups.1.weight_decay: is NaN":                              with("adam.groups.1.weight_decay", f64(math.NaN())),
		"adam.groups.2.lr: is not part of the state":                      with("adam.groups.2.lr", f64(1)),
		"adam.groups.1.params: is 1, the group has 2":                     with("adam.groups.1.params", i64(1)),
		"adam.groups.1.params: is -1":                                     with("adam.groups.1.params", i64(-1)),
		"adam.groups.0.params: element type f64, want i64":                with("adam.groups.0.params", f64(1)),
		"adam.groups.0.lr: shape [1], want []":                            with("adam.groups.0.lr", tensor.Zeros(tensor.Float64, 1)),
	} {
		r := newRun(adam(optim.AdamConfig{}), tensor.Float32)
		r.train(2)
		before := frozenState(r.opt.State())
		if err := r.opt.LoadState(state); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if !sameState(before, r.opt.State()) {
			t.Errorf("%s: the state was changed", want)
		}
	}
	r := newRun(sgd, tensor.Float32)
	many := map[string]*tensor.Tensor{}
	for i := range 20 {
		many["x"+string(rune('a'+i))] = f64(0)
	}
	if err := r.opt.LoadState(many); err == nil || !strings.HasSuffix(err.Error(), "and 16 more") {
		t.Errorf("error %v", err)
	}
}

// Parameters are numbered through all groups: those of another optimiser would get the
// buffers of the wrong ones, where shapes allow it.
func TestLoadStateRefusesAStateOfOtherGroups(t *testing.T) {
	groups := func(sizes ...int) optim.Optimizer {
		var gs []optim.Group
		for _, n := range sizes {
			var ps []*autograd.Var
			for range n {
				p := param(1, 2)
				give(p, tensor.FromSlice([]float64{3, 4}, 2))
				ps = append(ps, p)
			}
			gs = append(gs, optim.Group{Params: ps})
		}
		opt := optim.NewAdam(gs, optim.AdamConfig{LR: 0.1})
		opt.Step()
		return opt
	}
	for _, c := range []struct{ saved, loaded []int }{
		{[]int{1}, []int{2}}, {[]int{2}, []int{1}}, {[]int{2, 1}, []int{1, 2}}, {[]int{0, 2}, []int{1, 1}}, {[]int{3, 0}, []int{3, 1}},
	} {
		state, to := groups(c.saved...).State(), groups(c.loaded...)
		before := frozenState(to.State())
		if err := to.LoadState(state); err == nil || !strings.Contains(err.Error(), ".params: is ") {
			t.Errorf("groups of %v from groups of %v: error %v", c.loaded, c.saved, err)
		}
		if !sameState(before, to.State()) {
			t.Errorf("groups of %v from groups of %v: the state was changed", c.loaded, c.saved)
		}
	}
	state := groups(2, 1).State()
	delete(state, "adam.groups.0.params") // as it was written before
	delete(state, "adam.groups.1.params")
	if err := groups(2, 1).LoadState(state); err != nil {
		t.Error(err)
	}
}

// A Solver's state of values in no group has no name in a State and stays.
func TestLoadStateLeavesForeignValuesAlone(t *testing.T) {
	mine, foreign := param(1), param(1)
	opt := optim.NewSGD(optim.Params([]*autograd.Var{mine}), optim.SGDConfig{LR: 1, Momentum: 0.5})
	state := frozenState(opt.State())
	step := func() {
		for _, p := range []*autograd.Var{mine, foreign} {
			give(p, tensor.FromSlice([]float64{1}, 1))
			if err := opt.Solver().Step(valueGrads(p)); err != nil {
				t.Fatal(err)
			}
		}
	}
	step()
	if err := opt.LoadState(state); err != nil {
		t.Fatal(err)
	}
	step()
	wantValues(t, mine, -1)      // from 1 by two steps of 1: it began again
	wantValues(t, foreign, -1.5) // from 1 by 1 and 1.5: it went on
}

// schedulers are all schedules, each with a function that makes its next step.
var schedulers = map[string]func(opt optim.Optimizer) (step func(k int), state stateful){
	"StepLR": func(opt optim.Optimizer) (func(int), stateful) {
		return stepOf(optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 3}))
	},
	"MultiStepLR": func(opt optim.Optimizer) (func(int), stateful) {
		return stepOf(optim.NewMultiStepLR(opt, optim.MultiStepLRConfig{Milestones: []int{1, 3, 6}}))
	},
	"LambdaLR": func(opt optim.Optimizer) (func(int), stateful) { return stepOf(optim.NewLambdaLR(opt, warmUpOf8)) },
	"CosineLR": func(opt optim.Optimizer) (func(int), stateful) {
		return stepOf(optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 12, WarmUp: 3, Start: 0.1}))
	},
	"OneCycleLR": func(opt optim.Optimizer) (func(int), stateful) {
		return stepOf(optim.NewOneCycleLR(opt, optim.OneCycleLRConfig{Steps: 12}))
	},
	"ReduceLROnPlateau": func(opt optim.Optimizer) (func(int), stateful) {
		p := optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Patience: 1, Cooldown: 1, Factor: 0.5})
		return func(k int) { p.Step([]float64{5, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3}[k]) }, p
	},
}

type stateful interface {
	State() map[string]*tensor.Tensor
	LoadState(state map[string]*tensor.Tensor) error
}

func stepOf(s optim.Scheduler) (func(int), stateful) { return func(int) { s.Step() }, s }

func TestRestoredSchedulesGoOnBitForBit(t *testing.T) {
	make := func() optim.Optimizer {
		return optim.NewSGD([]optim.Group{{LR: 0.3}, {LR: 0.7}}, optim.SGDConfig{LR: 1})
	}
	rates := func(opt optim.Optimizer) [2]float64 { return [2]float64{opt.Groups()[0].LR, opt.Groups()[1].LR} }
	for name, schedule := range schedulers {
		for _, before := range []int{0, 2, 5} {
			first := make()
			step1, state1 := schedule(first)
			for k := range before {
				step1(k)
			}
			second := make()
			if err := second.LoadState(first.State()); err != nil {
				t.Fatal(err)
			}
			step2, state2 := schedule(second) // over the rates of now, which the state replaces
			if err := state2.LoadState(frozenState(state1.State())); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for k := before; k < 12; k++ {
				if rates(first) != rates(second) {
					t.Errorf("%s restored after %d steps: at step %d rates %v, want %v", name, before, k, rates(second), rates(first))
				}
				step1(k)
				step2(k)
			}
			if rates(first) == [2]float64{0.3, 0.7} {
				t.Errorf("%s changed no rate: the test shows nothing", name)
			}
		}
	}
}

// Two schedules on one optimiser, and a rate that the user has set: whatever is loaded
// first, the rates are those that were saved.
func TestRestoredSchedulesKeepRatesThatOthersHaveSet(t *testing.T) {
	make := func() (optim.Optimizer, []stateful) {
		opt := optim.NewSGD([]optim.Group{{LR: 0.1}, {LR: 0.2}}, optim.SGDConfig{})
		return opt, []stateful{opt, optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 10}), optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{})}
	}
	saved, parts := make()
	for range 2 {
		parts[1].(optim.Scheduler).Step()
		parts[2].(*optim.ReduceLROnPlateau).Step(1)
	}
	saved.Groups()[1].LR = 0.5
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		restored, to := make()
		for _, k := range order {
			if err := to[k].LoadState(frozenState(parts[k].State())); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := restored.Groups(), saved.Groups(); got[0].LR != want[0].LR || got[1].LR != 0.5 || want[0].LR == 0.1 {
			t.Errorf("order %v: rates %v and %v, want %v and 0.5, after 0.1", order, got[0].LR, got[1].LR, want[0].LR)
		}
	}
}

func TestSchedulesRefuseStatesThatDoNotFit(t *testing.T) {
	opt := optim.NewSGD([]optim.Group{{LR: 0.5}}, optim.SGDConfig{LR: 1})
	s := optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 2})
	p := optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{})
	i64 := func(x int64) *tensor.Tensor { return tensor.FromSlice([]int64{x}) }
	rates := func(x ...float64) *tensor.Tensor { return tensor.FromSlice(x, len(x)) }
	step := func(n int64, base, rate *tensor.Tensor) map[string]*tensor.Tensor {
		return map[string]*tensor.Tensor{"step_lr.step": i64(n), "step_lr.base": base, "step_lr.rate": rate}
	}
	for want, c := range map[string]struct {
		to    stateful
		state map[string]*tensor.Tensor
	}{
		"step_lr.base: is missing; step_lr.rate: is missing; cosine_lr.base: is not": {s, map[string]*tensor.Tensor{"cosine_lr.base": rates(1)}},
		"step_lr.step: is -1":                {s, step(-1, rates(1), rates(1))},
		"step_lr.base: shape [2], want [1]":  {s, step(1, rates(1, 2), rates(1))},
		"step_lr.base: has +Inf for group 0": {s, step(1, rates(math.Inf(1)), rates(1))},
		"step_lr.rate: has -2 for group 0":   {s, step(1, rates(1), rates(-2))},
		"plateau.bad: is missing":            {p, map[string]*tensor.Tensor{"plateau.best": tensor.FromSlice([]float64{1}), "plateau.cooldown": i64(0)}},
		"plateau.best: is NaN":               {p, map[string]*tensor.Tensor{"plateau.best": tensor.FromSlice([]float64{math.NaN()}), "plateau.bad": i64(0), "plateau.cooldown": i64(0)}},
		"plateau.cooldown: is -3":            {p, map[string]*tensor.Tensor{"plateau.best": tensor.FromSlice([]float64{1}), "plateau.bad": i64(0), "plateau.cooldown": i64(-3)}},
	} {
		before := frozenState(c.to.State())
		if err := c.to.LoadState(c.state); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if !sameState(before, c.to.State()) || opt.Groups()[0].LR != 0.5 {
			t.Errorf("%s: the schedule was changed", want)
		}
	}
}

func TestStepsAllocateLittle(t *testing.T) {
	defer tensor.SetThreads(0)
	tensor.SetThreads(1)
	for _, a := range algorithms {
		var ps []*autograd.Var
		for _, n := range []int{7, 1000, 40_000} {
			w := autograd.Parameter(tensor.Zeros(tensor.Float32, n))
			give(w, tensor.Full(tensor.Float32, 1, n))
			ps = append(ps, w)
		}
		opt := a.make(referenceGroup(ps...))
		opt.Step() // makes the state
		if n := numtest.Allocations(10, opt.Step); n > 6 {
			t.Errorf("%s: %v allocations a step", a.name, n)
		}
	}
}
